"""The API for backends, twice: `Client` blocks, `AsyncClient` awaits; all else is the same.

Each is made from its description in `croupier_client.calls`, so the two cannot drift apart.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import grpc
from google.protobuf.message import Message

from croupier.v1 import sessions_pb2
from croupier_client import calls, errors
from croupier_client.calls import Call
from croupier_client.channel import bearer, open_aio_channel, open_channel

P = ParamSpec("P")
R = TypeVar("R")


def _blocking(describe: Callable[P, Call[R]]) -> Callable[Concatenate[Client, P], R]:
    def method(self: Client, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._send(describe(*args, **kwargs))

    return _signed(method, describe)


def _following(describe: Callable[P, Call[R]]) -> Callable[Concatenate[Client, P], Iterator[R]]:
    def method(self: Client, /, *args: P.args, **kwargs: P.kwargs) -> Iterator[R]:
        return self._follow(describe(*args, **kwargs))

    return _signed(method, describe)


def _awaiting(
    describe: Callable[P, Call[R]],
) -> Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, R]]:
    async def method(self: AsyncClient, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await self._send(describe(*args, **kwargs))

    return _signed(method, describe)


def _following_async(
    describe: Callable[P, Call[R]],
) -> Callable[Concatenate[AsyncClient, P], AsyncIterator[R]]:
    def method(self: AsyncClient, /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[R]:
        return self._follow(describe(*args, **kwargs))

    return _signed(method, describe)


Method = TypeVar("Method", bound=Callable[..., object])


def _signed(method: Method, describe: Callable[..., object]) -> Method:
    """Gives the method the name, the sentence and, behind `self`, the arguments of its description."""
    functools.update_wrapper(method, describe)
    signature = inspect.signature(describe)
    myself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    arguments = [myself, *signature.parameters.values()]
    method.__signature__ = signature.replace(parameters=arguments)  # type: ignore[attr-defined]
    return method


class Client:
    """The service, for programs that block. Use it as a context manager, from as many threads as you like."""

    def __init__(self, target: str, *, credentials: grpc.ChannelCredentials | None = None) -> None:
        self._target = target
        self._channel = open_channel(target, credentials)

    list_games = _blocking(calls.list_games)
    get_game = _blocking(calls.get_game)
    create_session = _blocking(calls.create_session)
    get_session = _blocking(calls.get_session)
    claim_seat = _blocking(calls.claim_seat)
    reveal_entropy = _blocking(calls.reveal_entropy)
    get_turn = _blocking(calls.get_turn)
    submit = _blocking(calls.submit)
    watch = _following(calls.watch)
    forfeit_seat = _blocking(calls.forfeit_seat)
    abort_session = _blocking(calls.abort_session)
    rotate_seat_token = _blocking(calls.rotate_seat_token)
    get_record = _blocking(calls.get_record)
    dismiss = _blocking(calls.dismiss)

    def list_sessions(
        self,
        game_id: str = "",
        state: sessions_pb2.SessionState | None = None,
        *,
        page_size: int = 0,
        operator_token: str | None = None,
        timeout_s: float = calls.TIMEOUT_S,
    ) -> Iterator[sessions_pb2.Session]:
        """All sessions, newest first; fetches page after page as you go."""
        page_token, more = "", True
        while more:
            page = self._send(calls.list_sessions(page_token, game_id, state, page_size, operator_token, timeout_s))
            yield from page.sessions
            page_token = page.next_page_token
            more = bool(page_token)

    def close(self) -> None:
        """Closes the connection."""
        self._channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _send(self, call: Call[R]) -> R:
        send: grpc.UnaryUnaryMultiCallable[Message, R] = self._channel.unary_unary(call.path, _encode, call.decode)
        try:
            return send(call.request, timeout=call.deadline_s, metadata=bearer(call.token))
        except grpc.RpcError as error:
            raise errors.from_rpc(error, self._target) from None

    def _follow(self, call: Call[R]) -> Iterator[R]:
        send: grpc.UnaryStreamMultiCallable[Message, R] = self._channel.unary_stream(call.path, _encode, call.decode)
        steps = send(call.request, timeout=call.deadline_s, metadata=bearer(call.token))
        try:
            yield from steps
        except grpc.RpcError as error:
            raise errors.from_rpc(error, self._target) from None
        finally:
            steps.cancel()  # type: ignore[no-untyped-call]


class AsyncClient:
    """The service, for asyncio programs. Use it as an async context manager, within one event loop."""

    def __init__(self, target: str, *, credentials: grpc.ChannelCredentials | None = None) -> None:
        self._target = target
        self._channel = open_aio_channel(target, credentials)

    list_games = _awaiting(calls.list_games)
    get_game = _awaiting(calls.get_game)
    create_session = _awaiting(calls.create_session)
    get_session = _awaiting(calls.get_session)
    claim_seat = _awaiting(calls.claim_seat)
    reveal_entropy = _awaiting(calls.reveal_entropy)
    get_turn = _awaiting(calls.get_turn)
    submit = _awaiting(calls.submit)
    watch = _following_async(calls.watch)
    forfeit_seat = _awaiting(calls.forfeit_seat)
    abort_session = _awaiting(calls.abort_session)
    rotate_seat_token = _awaiting(calls.rotate_seat_token)
    get_record = _awaiting(calls.get_record)
    dismiss = _awaiting(calls.dismiss)

    async def list_sessions(
        self,
        game_id: str = "",
        state: sessions_pb2.SessionState | None = None,
        *,
        page_size: int = 0,
        operator_token: str | None = None,
        timeout_s: float = calls.TIMEOUT_S,
    ) -> AsyncIterator[sessions_pb2.Session]:
        """All sessions, newest first; fetches page after page as you go."""
        page_token, more = "", True
        while more:
            page = await self._send(
                calls.list_sessions(page_token, game_id, state, page_size, operator_token, timeout_s)
            )
            for session in page.sessions:
                yield session
            page_token = page.next_page_token
            more = bool(page_token)

    async def close(self) -> None:
        """Closes the connection."""
        await self._channel.close(None)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _send(self, call: Call[R]) -> R:
        send: grpc.aio.UnaryUnaryMultiCallable[Message, R] = self._channel.unary_unary(call.path, _encode, call.decode)
        try:
            return await send(call.request, timeout=call.deadline_s, metadata=bearer(call.token))
        except grpc.RpcError as error:
            raise errors.from_rpc(error, self._target) from None

    async def _follow(self, call: Call[R]) -> AsyncIterator[R]:
        send: grpc.aio.UnaryStreamMultiCallable[Message, R] = self._channel.unary_stream(
            call.path, _encode, call.decode
        )
        steps = send(call.request, timeout=call.deadline_s, metadata=bearer(call.token))
        try:
            async for step in steps:
                yield step
        except grpc.RpcError as error:
            raise errors.from_rpc(error, self._target) from None
        finally:
            steps.cancel()


def _encode(request: Message) -> bytes:
    return request.SerializeToString()
