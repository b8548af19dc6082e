"""A relay between bots and a service, for whoever tests bots: it passes their streams on, and a script may interfere.

The bot dials the relay as if it were the service. Left alone, the relay changes nothing. A `Script` sees each message
in either direction and decides what becomes of it: it may look at it, hold it back, merge it with others, change it,
drop it, or end the stream. `Relay.close_door` and `open_door` let the service vanish for a while.

    relay = Relay(service_target, "127.0.0.1:0", MyScript())
    async with relay:
        ...  # start a bot with CROUPIER_TARGET=relay.target
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self, TypeAlias

import grpc

from croupier.v1 import bots_pb2, bots_pb2_grpc
from croupier_client.channel import open_aio_channel

if TYPE_CHECKING:
    _Call: TypeAlias = grpc.aio.StreamStreamCall[bots_pb2.PlayRequest, bots_pb2.PlayResponse]
    _Context: TypeAlias = grpc.aio.ServicerContext[bots_pb2.PlayRequest, bots_pb2.PlayResponse]

_MOST_BYTES = 64 * 2**20
_GRACE_S = 0.2
"""How long streams whose end is under way may take when the door closes."""


class RelayedStream:
    """One stream of a bot, as a script sees it."""

    def __init__(self, metadata: Sequence[tuple[str, str | bytes]], context: _Context, call: _Call | None) -> None:
        self.metadata = metadata
        """What the bot's call carried."""
        self._context = context
        self._call = call
        self._to_bot = asyncio.Lock()
        self._to_service = asyncio.Lock()
        self._status = (grpc.StatusCode.OK, "")
        self._ended = asyncio.Event()

    @property
    def authorization(self) -> str:
        """The metadata `authorization`; empty if the bot sent none."""
        return next((str(value) for key, value in self.metadata if key == "authorization"), "")

    @property
    def ended(self) -> bool:
        """Whether the script has ended it."""
        return self._ended.is_set()

    async def to_bot(self, response: bots_pb2.PlayResponse) -> None:
        """Sends the bot a message; one that can no longer be sent is lost, as in a network."""
        async with self._to_bot:
            if not self.ended:
                try:
                    await self._context.write(response)
                except (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError):
                    return

    async def to_service(self, request: bots_pb2.PlayRequest) -> None:
        """Sends the service a message; one that can no longer be sent is lost."""
        async with self._to_service:
            if self._call is not None and not self.ended:
                try:
                    await self._call.write(request)
                except (grpc.RpcError, asyncio.InvalidStateError):
                    return

    def end(self, status: str = "OK", message: str = "") -> None:
        """Ends the stream towards the bot with that gRPC status, such as "UNAVAILABLE", and leaves the service."""
        if not self.ended:
            self._status = grpc.StatusCode[status], message
            self._ended.set()


class Script:
    """What becomes of the messages; this one passes everything on. Override what is to be different."""

    async def opened(self, stream: RelayedStream) -> None:
        """A bot has opened a stream; `stream.end` here refuses it."""

    async def from_bot(self, stream: RelayedStream, request: bots_pb2.PlayRequest) -> None:
        """The bot has said something."""
        await stream.to_service(request)

    async def from_service(self, stream: RelayedStream, response: bots_pb2.PlayResponse) -> None:
        """The service has said something."""
        await stream.to_bot(response)

    async def closed(self, stream: RelayedStream) -> None:
        """The stream has ended, on whichever side."""


class Relay:
    """Listens for bots for as long as its context lasts, and passes their streams on as its script says."""

    def __init__(self, service: str, listen: str, script: Script | None = None) -> None:
        """`service` and `listen` are addresses, host:port or unix:/path; port 0 stands for any that is free."""
        self.script = script or Script()
        """May be exchanged at any time."""
        self.streams: list[RelayedStream] = []
        """Those that are open, the oldest first."""
        self.target = listen
        """Where bots reach it, once it listens."""
        self._service = service
        self._server: grpc.aio.Server | None = None
        self._channel: grpc.aio.Channel | None = None

    async def __aenter__(self) -> Self:
        self._channel = open_aio_channel(self._service)
        await self.open_door()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close_door()
        if self._channel is not None:
            await self._channel.close(None)

    async def open_door(self) -> None:
        """Listens, at the same address as before."""
        # Without SO_REUSEPORT somebody else's port is an error and not a lottery.
        options = (("grpc.so_reuseport", 0), ("grpc.max_receive_message_length", _MOST_BYTES))
        server = grpc.aio.server(options=options)
        play = grpc.stream_stream_rpc_method_handler(
            self._play, bots_pb2.PlayRequest.FromString, bots_pb2.PlayResponse.SerializeToString
        )
        handler = grpc.method_handlers_generic_handler("croupier.v1.BotService", {"Play": play})
        server.add_generic_rpc_handlers((handler,))
        port = server.add_insecure_port(self.target)
        if not self.target.startswith("unix:"):
            self.target = f"{self.target.rpartition(':')[0]}:{port}"
        await server.start()
        self._server = server

    async def close_door(self, message: str = "the service is going down") -> None:
        """Ends all streams with UNAVAILABLE and listens no more."""
        for stream in list(self.streams):
            stream.end("UNAVAILABLE", message)
        if self._server is not None:
            await self._server.stop(_GRACE_S)
            self._server = None

    async def _play(self, _: object, context: _Context) -> None:
        """A bot's stream, from its beginning to its end."""
        assert self._channel is not None  # noqa: S101  # __aenter__ comes before any call
        metadata = [(key, value) for key, value in context.invocation_metadata() or () if _is_own(key)]
        stub: bots_pb2_grpc.BotServiceAsyncStub = bots_pb2_grpc.BotServiceStub(self._channel)
        call = stub.Play(None, metadata=metadata)
        stream = RelayedStream(metadata, context, call)
        self.streams.append(stream)
        try:
            await self.script.opened(stream)
            status, message, trailing = await self._passing(stream, context, call)
        finally:
            self.streams.remove(stream)
            call.cancel()
            stream.end("CANCELLED")
            await self.script.closed(stream)
        if status is not grpc.StatusCode.OK:
            await context.abort(status, message, trailing)

    async def _passing(
        self, stream: RelayedStream, context: _Context, call: _Call
    ) -> tuple[grpc.StatusCode, str, tuple[tuple[str, str | bytes], ...]]:
        """Passes messages until the script or the service ends the stream; says how."""
        listening = asyncio.create_task(self._from_bot(stream, context, call))
        telling = asyncio.create_task(self._from_service(stream, call))
        ending = asyncio.create_task(stream._ended.wait())
        tasks: list[asyncio.Task[object]] = [listening, telling, ending]
        try:
            while not (ending.done() or telling.done()):
                await asyncio.wait([task for task in tasks if not task.done()], return_when=asyncio.FIRST_COMPLETED)
                if listening.done():
                    listening.result()  # a script that fails ends the stream, loudly
            if stream.ended:
                return *stream._status, ()
            telling.result()
            trailing = tuple((str(key), value) for key, value in await call.trailing_metadata() or ())
            return await call.code(), await call.details(), trailing
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _from_bot(self, stream: RelayedStream, context: _Context, call: _Call) -> None:
        while isinstance(request := await context.read(), bots_pb2.PlayRequest):
            await self.script.from_bot(stream, request)
        if not call.done():
            await call.done_writing()

    async def _from_service(self, stream: RelayedStream, call: _Call) -> None:
        try:
            while isinstance(response := await call.read(), bots_pb2.PlayResponse):
                await self.script.from_service(stream, response)
        except grpc.RpcError:
            return  # how it ended, the call says


def _is_own(key: str) -> bool:
    """Whether it is the bot's and not the transport's."""
    return not key.startswith(("grpc-", ":")) and key not in ("user-agent", "te", "content-type")
