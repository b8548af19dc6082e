"""Around every RPC: lets it in or not, counts it, times it, bounds it, and turns domain errors into statuses.

Requests arrive here as bytes: whoever asks for too much is refused before anything of it is read.
"""

import inspect
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

import grpc
import structlog
from google.protobuf.message import DecodeError
from grpc.aio import AbortError, ServerInterceptor

from croupier_service.clock import Clock
from croupier_service.config import Limits
from croupier_service.errors import BadRequest, LimitReached, ProtocolError, ServiceError
from croupier_service.limits import LONGEST_DELAY_S, Gate, Within, peer_key
from croupier_service.metrics import Metrics
from croupier_service.rpc.context import Context, token_of
from croupier_service.rpc.status import code_of, status_of
from croupier_service.tokens import hash_token

log = structlog.get_logger()

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"

MAX_REQUEST_BYTES = 65_536
"""Far more than any request has that is not a bot's batch: a larger one is refused before it is decoded."""

_TYPES = {
    (False, False): "unary",
    (True, False): "client_stream",
    (False, True): "server_stream",
    (True, True): "bidi_stream",
}
_EXTRA_COST: Mapping[str, Callable[[Any], float]] = {
    "/croupier.v1.SessionService/CreateSession": lambda request: 2.0,
    "/croupier.v1.SessionService/ListSessions": lambda request: (request.page_size or 50) / 6,
    "/croupier.v1.RecordService/GetRecord": lambda request: 4.0,
}
"""What a request costs beyond one call, where it is much more work than others."""

_STREAM_COST = 3.0
"""What it costs to open a stream."""


class Caller(NamedTuple):
    """Who makes a call, as far as limits go."""

    peer: str
    token_hash: bytes | None
    known: bool
    """Whether the token holds a seat or has a stream."""
    exempt: bool
    """Whether it is the operator, who is not limited."""


class Guard(ServerInterceptor):  # type: ignore[type-arg]  # generic in the stubs only
    """The one interceptor of the service."""

    def __init__(
        self,
        metrics: Metrics,
        gate: Gate,
        clock: Clock,
        limits: Limits,
        *,
        is_operator: Callable[[Context], bool],
        is_known: Callable[[bytes], bool],
    ) -> None:
        self._metrics = metrics
        self._gate = gate
        self._clock = clock
        self._limits = limits
        self._is_operator = is_operator
        self._is_known = is_known
        self._wrapped: dict[str, Handler] = {}

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler]],
        details: grpc.HandlerCallDetails,
    ) -> Handler:
        """Wraps a handler the first time it is asked for."""
        method = details.method
        if method not in self._wrapped:
            handler = await continuation(details)
            if handler is None:
                return None  # unknown method: gRPC answers UNIMPLEMENTED, and it must not become a label
            self._wrapped[method] = self._wrap(method, handler)
        return self._wrapped[method]

    def _wrap(self, method: str, handler: Handler) -> Handler:
        watch = _Watch(self._metrics, method, _TYPES[handler.request_streaming, handler.response_streaming])
        serializer = handler.response_serializer
        if handler.request_streaming:
            play = self._guarded_stream(watch, _writing(handler.stream_stream))
            return grpc.stream_stream_rpc_method_handler(play, handler.request_deserializer, serializer)
        if handler.response_streaming:
            follow = self._guarded_call(watch, _writing(handler.unary_stream), handler.request_deserializer, True)
            return grpc.unary_stream_rpc_method_handler(follow, None, serializer)
        answer = self._guarded_call(watch, handler.unary_unary, handler.request_deserializer, False)
        return grpc.unary_unary_rpc_method_handler(answer, None, serializer)

    def _guarded_call(self, watch: "_Watch", inner: Any, decode: Any, streams: bool) -> Callable[..., Awaitable[Any]]:
        """A call with one request, which arrives as bytes."""
        extra_cost = _EXTRA_COST.get(watch.method)

        async def call(data: bytes, caller: Caller, context: Context) -> Any:
            if not caller.exempt:
                await self._gate.turn(caller.peer, caller.token_hash, caller.known, 1.0, len(data))
            request = _decoded(data, decode)
            if extra_cost is not None and not caller.exempt:
                await self._gate.turn(caller.peer, caller.token_hash, caller.known, extra_cost(request))
            if streams:
                return await inner(request, _Impatient(context, self._clock, self._limits.slow_reader_s))
            limit = "wait_s" if getattr(request, "wait_until_over", False) else "call_s"
            with Within(self._clock, getattr(self._limits, limit), lambda: _too_long(limit, self._limits)):
                return await inner(request, context)

        async def guarded(data: bytes, context: Context) -> Any:
            watch.received.inc()
            response = await self._run(watch, lambda caller: call(data, caller, context), context)
            watch.sent.inc()
            return response

        return guarded

    def _guarded_stream(self, watch: "_Watch", inner: Any) -> Callable[..., Awaitable[Any]]:
        """A call with a stream of requests: to open it costs more than a call."""

        async def converse(requests: Any, caller: Caller, context: Context) -> Any:
            if not caller.exempt:
                await self._gate.turn(caller.peer, caller.token_hash, caller.known, _STREAM_COST)
                requests = self._paced(requests, caller)
            try:
                return await inner(requests, context)
            except ProtocolError:
                self._gate.fine(caller.peer, caller.known)
                raise

        async def guarded(requests: Any, context: Context) -> Any:
            return await self._run(watch, lambda caller: converse(requests, caller, context), context)

        return guarded

    async def _paced(self, requests: AsyncIterator[Any], caller: Caller) -> AsyncIterator[Any]:
        """What a library's stream takes from its client; our own reads through the context, at its own pace."""
        async for request in requests:
            await self._gate.turn(caller.peer, caller.token_hash, caller.known, 1.0)
            yield request

    async def _run(self, watch: "_Watch", call: Callable[[Caller], Awaitable[Any]], context: Context) -> Any:
        """Lets a call in for as long as it lasts, until its status is on its way."""
        entered: list[str] = []

        async def admitted() -> Any:
            caller = self._caller(context)
            if not caller.exempt:
                self._gate.enter(caller.peer)
                entered.append(caller.peer)
            return await call(caller)

        try:
            return await watch.run(admitted(), context)
        finally:
            for peer in entered:
                self._gate.leave(peer)

    def _caller(self, context: Context) -> Caller:
        peer = peer_key(context.peer())
        if self._is_operator(context):
            return Caller(peer, None, known=True, exempt=True)
        token = token_of(context)
        try:
            token_hash = hash_token(token) if token else None
        except BadRequest:  # whoever needs a token will refuse it
            token_hash = None
        return Caller(peer, token_hash, token_hash is not None and self._is_known(token_hash), exempt=False)


class _Watch:
    """The held metrics of one method."""

    def __init__(self, metrics: Metrics, method: str, kind: str) -> None:
        _, service, name = method.split("/")
        labels = (kind, service, name)
        self.method = method
        self.refusals = metrics.refusals
        self.limits = metrics.limits
        self.started = metrics.rpc_started.labels(*labels)
        self.seconds = metrics.rpc_s.labels(*labels)
        self.received = metrics.rpc_received.labels(*labels)
        self.sent = metrics.rpc_sent.labels(*labels)
        self._handled = metrics.rpc_handled
        self._labels = labels
        self._codes: dict[grpc.StatusCode, Any] = {}

    def end(self, code: grpc.StatusCode, since: float) -> None:
        """Counts the end of a call."""
        if code not in self._codes:
            self._codes[code] = self._handled.labels(*self._labels, code.name)
        self._codes[code].inc()
        self.seconds.observe(time.perf_counter() - since)

    async def run(self, call: Awaitable[Any], context: Context) -> Any:
        """Awaits the call; a domain error becomes its status, a defect INTERNAL with no detail of it."""
        since = time.perf_counter()
        code = grpc.StatusCode.OK
        self.started.inc()
        try:
            return await call
        except ServiceError as error:
            code = code_of(type(error))
            self.refusals.labels(error.reason).inc()
            if isinstance(error, LimitReached):
                self.limits.labels(error.limit).inc()
            await context.abort_with_status(status_of(error))  # type: ignore[attr-defined]  # missing in the stubs
        except AbortError:
            code = context.code()
            raise
        except BaseException as error:
            cancelled = not isinstance(error, Exception)
            code = grpc.StatusCode.CANCELLED if cancelled else grpc.StatusCode.INTERNAL
            if cancelled:
                raise
            log.exception("rpc_failed", method=self.method)
            await context.abort(grpc.StatusCode.INTERNAL, "an error of the service, not of the caller; it was logged")
        finally:
            self.end(code, since)


def _decoded(data: bytes, decode: Callable[[bytes], Any]) -> Any:
    if len(data) > MAX_REQUEST_BYTES:
        raise LimitReached(
            f"a request has at most {MAX_REQUEST_BYTES:,} bytes, this one has {len(data):,}; only a bot's batches are "
            "larger",
            limit="max_request_bytes",
        )
    try:
        return decode(data)
    except DecodeError:
        raise BadRequest(
            "the request is not of the method's type; generate the stubs from this service's protos"
        ) from None


def _too_long(limit: str, limits: Limits) -> LimitReached:
    advice = "ask again to wait on" if limit == "wait_s" else "try again later"
    return LimitReached(
        f"a call takes at most {getattr(limits, limit):,} s ({limit}); {advice}", limit=limit, retry_s=LONGEST_DELAY_S
    )


def _writing(inner: Any) -> Any:
    """Our streams write through the context, the libraries' yield what they have to say: both are then awaited."""
    if not inspect.isasyncgenfunction(inner):
        return inner

    async def written(request: Any, context: Context) -> None:
        async for response in inner(request, context):
            await context.write(response)

    return written


class _Impatient:
    """The context of a call that streams to somebody who must read: one who does not is cut off."""

    def __init__(self, context: Context, clock: Clock, seconds: int) -> None:
        self._context = context
        self._clock = clock
        self._seconds = seconds

    async def write(self, message: Any) -> None:
        """Sends a message as soon as those before it have been read."""
        with Within(self._clock, self._seconds, self._not_read):
            await self._context.write(message)

    def _not_read(self) -> LimitReached:
        return LimitReached(
            f"what was sent has not been read for {self._seconds} s (slow_reader_s); read faster: WatchSession goes on "
            "where you were with from_event",
            limit="slow_reader_s",
            retry_s=LONGEST_DELAY_S,
        )

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)
