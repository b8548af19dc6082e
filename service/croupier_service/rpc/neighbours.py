"""The other replicas, as this one's clients meet them: a call for a session that lives elsewhere is forwarded there.

Whoever connects to any replica is served. A call that was forwarded is marked with the secret that the replicas share
through their database, and is never forwarded again.
"""

import asyncio
from collections.abc import Awaitable, Callable
from hmac import compare_digest
from typing import Any, NoReturn

import grpc
import structlog
from google.protobuf.message import Message
from grpc import aio

from croupier_service.config import Tls
from croupier_service.errors import Unavailable
from croupier_service.hall import Hall
from croupier_service.rpc.context import Context
from croupier_service.rpc.guard import Handler
from croupier_service.rpc.relays import Switch, Unannounced
from croupier_service.store import Shared, StoreError

MARK = "croupier-forwarded"
"""The metadata that a replica shows another."""

_READING = frozenset({"GetSession", "GetTurn", "GetRecord"})
"""What changes nothing: when a replica dies over it, it is asked again wherever the session is by then."""
_PATIENCE_S = 8.0
"""How long such a call waits for somebody to take the session over."""
_PAUSE_S = 0.2
_OPTIONS = (
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.max_receive_message_length", 64 * 2**20),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_reconnect_backoff_ms", 1_000),
)

log = structlog.get_logger()


class Neighbours(aio.ServerInterceptor):  # type: ignore[type-arg]  # generic in the stubs only
    """Forwards what is not for this replica."""

    def __init__(self, hall: Hall, store: Shared, tls: Tls | None) -> None:
        self._hall = hall
        self._store = store
        self._circle = store.replicas
        self._tls = tls
        self._channels: dict[str, aio.Channel] = {}

    def introduce(self, address: str) -> None:
        """Says where the others reach this replica; before the store is started."""
        self._circle.introduce(address, self._hall)

    def is_forwarded(self, context: Context) -> bool:
        """Whether another replica makes this call for its client."""
        shown = dict(context.invocation_metadata() or ()).get(MARK)
        return isinstance(shown, str) and compare_digest(shown.encode(), self._circle.key.encode())

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler]],
        details: grpc.HandlerCallDetails,
    ) -> Handler:
        """Wraps the handlers of our own services."""
        handler = await continuation(details)
        if handler is None or not details.method.startswith("/croupier.v1."):
            return handler
        decode, encode = handler.request_deserializer, _encoding(handler.response_serializer)
        if handler.request_streaming:
            play = self._played(details.method, handler.stream_stream)
            return grpc.stream_stream_rpc_method_handler(play, decode, handler.response_serializer)
        if handler.response_streaming:
            follow = self._routed(details.method, handler.unary_stream, self._follow_there)
            return grpc.unary_stream_rpc_method_handler(follow, decode, encode)
        answer = self._routed(details.method, handler.unary_unary, self._ask_there)
        return grpc.unary_unary_rpc_method_handler(answer, decode, encode)

    # ---- calls with one request ----

    def _routed(self, method: str, here: Any, there: Any) -> Callable[..., Awaitable[Any]]:
        patience_s = _PATIENCE_S if method.rpartition("/")[2] in _READING else 0.0

        async def routed(request: Any, context: Context) -> Any:
            session_id = _session_of(request)
            if not session_id or self.is_forwarded(context):
                return await here(request, context)
            now = asyncio.get_running_loop().time
            until = now() + patience_s
            while True:
                began = now()
                try:
                    address = await self._elsewhere(session_id)
                    if address is None:
                        return await here(request, context)
                    return await there(address, method, request, context)
                except Unavailable:
                    if now() - began > _PATIENCE_S:  # it waited for the session's end, and not in vain
                        until = now() + patience_s
                    if self._hall.held(session_id) is not None or now() >= until:
                        raise
                await asyncio.sleep(_PAUSE_S)

        return routed

    async def _elsewhere(self, session_id: str) -> str | None:
        """The address of whoever has the session; None: it is here, has ended, or is nowhere."""
        if self._hall.held(session_id) is not None:
            return None
        try:
            owner = await self._store.owner(session_id)
        except StoreError:
            raise Unavailable("the service cannot look this session up now; try again") from None
        if owner is None or owner == self._circle.id:
            return None
        if owner not in self._circle.living:
            raise Unavailable("whoever had this session is gone; another takes it over within seconds: try again")
        return self._circle.living[owner]

    async def _ask_there(self, address: str, method: str, request: Message, context: Context) -> Any:
        ask = self.channel(address).unary_unary(method, None, None)
        call = ask(request.SerializeToString(), metadata=self.marked(context), timeout=context.time_remaining())
        return await self._awaited(call, context)

    async def _follow_there(self, address: str, method: str, request: Message, context: Context) -> None:
        follow = self.channel(address).unary_stream(method, None, None)
        call = follow(request.SerializeToString(), metadata=self.marked(context), timeout=context.time_remaining())

        async def passed_on() -> None:
            async for response in call:
                await context.write(response)

        try:
            await self._awaited(passed_on(), context)
        finally:
            call.cancel()

    async def _awaited(self, call: Awaitable[Any], context: Context) -> Any:
        try:
            return await call
        except aio.AioRpcError as error:
            await _pass_on(error, context)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise Unavailable("whoever has this session does not answer; try again") from None  # its channel was closed

    # ---- the stream of a bot ----

    def _played(self, method: str, here: Any) -> Callable[..., Awaitable[Any]]:
        async def played(requests: Any, context: Context) -> Any:
            if self.is_forwarded(context):
                return await here(requests, Unannounced(context))
            switch = Switch(context, method, self, self._hall)
            try:
                done = await here(requests, switch)
                await switch.finish()
                return done
            finally:
                await switch.close()

        return played

    # ---- what relays need ----

    @property
    def living(self) -> dict[str, str]:
        """The addresses of the other replicas, by id."""
        return dict(self._circle.living)

    async def news(self) -> None:
        """Returns when it has been looked who lives; channels to the dead are closed by then."""
        await self._circle.changed.wait()
        dead = self._channels.keys() - set(self._circle.living.values())
        for channel in [self._channels.pop(address) for address in dead]:
            await channel.close(None)

    def channel(self, address: str) -> aio.Channel:
        """The held connection to a neighbour."""
        if address not in self._channels:
            if self._tls is None or address.startswith("unix:"):
                self._channels[address] = aio.insecure_channel(address, options=_OPTIONS)
            else:
                pair = self._tls.key.read_bytes(), self._tls.cert.read_bytes()
                credentials = grpc.ssl_channel_credentials(None, *pair)
                self._channels[address] = aio.secure_channel(address, credentials, options=_OPTIONS)
        return self._channels[address]

    def marked(self, context: Context) -> tuple[tuple[str, str | bytes], ...]:
        """What the caller shows, and that it comes through a replica."""
        shown = [(key, value) for key, value in context.invocation_metadata() or () if key == "authorization"]
        return (*shown, (MARK, self._circle.key))

    async def close(self) -> None:
        """Closes every connection."""
        for channel in self._channels.values():
            await channel.close(None)


def _session_of(request: Any) -> str:
    """The session that a request is about; empty: none."""
    about = request.answer if hasattr(request, "answer") else request
    return str(getattr(about, "session_id", ""))


def _encoding(encode: Any) -> Callable[[Any], bytes]:
    """What was forwarded comes back as bytes."""
    return lambda message: message if isinstance(message, bytes) else encode(message)


async def _pass_on(error: aio.AioRpcError, context: Context) -> NoReturn:
    """What a neighbour refused is refused here, in the same words."""
    if error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED):
        raise Unavailable("whoever has this session does not answer now; try again")
    trailing: Any = error.trailing_metadata() or ()
    explained = tuple((key, value) for key, value in trailing if key == "grpc-status-details-bin")
    await context.abort(error.code(), error.details() or "", explained)
    raise AssertionError("abort raises")
