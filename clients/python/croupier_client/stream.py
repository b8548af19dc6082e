"""The bot's connection: greets, plays until the service closes the stream, comes back when cut off."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import grpc

from croupier.v1 import bots_pb2, bots_pb2_grpc, turns_pb2
from croupier_client import errors
from croupier_client.bot import Bot
from croupier_client.channel import bearer, open_aio_channel
from croupier_client.entropy import Entropy
from croupier_client.player import Player

if TYPE_CHECKING:
    Call: TypeAlias = grpc.aio.StreamStreamCall[bots_pb2.PlayRequest, bots_pb2.PlayResponse]

FIRST_DELAY_S = 0.25
LONGEST_DELAY_S = 10.0


class StreamEnded(Exception):  # an end, not always an error
    """The stream ended with an error: kept apart from errors of the same kinds that a bot's own calls may raise."""

    def __init__(self, error: errors.CroupierError) -> None:
        super().__init__(str(error))
        self.error = error


@dataclass(frozen=True)
class Connection:
    """Where a bot plays, as whom, and how much of each turn it wants to see."""

    target: str
    token: str = field(repr=False)
    name: str = ""
    detail: turns_pb2.TurnDetail = field(default_factory=turns_pb2.TurnDetail)
    credentials: grpc.ChannelCredentials | None = None
    entropy: Entropy | None = None
    """What the bot contributes to its deals; None: nothing."""
    pause: Callable[[float], Awaitable[object]] = asyncio.sleep
    """How to wait between attempts; tests hand in something quicker."""

    async def play(self, bot: Bot) -> None:
        """Plays until the service closes the stream; raises StreamEnded when trying on is pointless."""
        delays = backoff()
        while True:
            greeted = asyncio.Event()
            try:
                return await self._play_once(bot, greeted)
            except StreamEnded as end:
                error = end.error
                if not isinstance(error, errors.Unavailable):
                    raise
            if greeted.is_set():
                delays = backoff()
            delay_s = next(delays)
            trouble = "lost" if greeted.is_set() else "cannot reach"
            sys.stderr.write(
                f"croupier: {trouble} {self.target} ({error.message}); is croupier-service running there? "
                f"Trying again in {delay_s:.1f} s\n"
            )
            await self.pause(delay_s)

    async def _play_once(self, bot: Bot, greeted: asyncio.Event) -> None:
        async with open_aio_channel(self.target, self.credentials) as channel:
            stub: bots_pb2_grpc.BotServiceAsyncStub = bots_pb2_grpc.BotServiceStub(channel)
            call = stub.Play(None, metadata=bearer(self.token))
            failure: BaseException | None = None
            try:
                await self._converse(bot, call, greeted)
            except BaseExceptionGroup as failures:
                failure = _cause(failures)
            finally:
                call.cancel()
            if failure is not None:
                raise failure  # here and not above, where it would lose the cause it has

    async def _converse(self, bot: Bot, call: Call, greeted: asyncio.Event) -> None:
        async with asyncio.TaskGroup() as tasks:
            player = Player(bot, lambda request: _send(call, request), tasks, entropy=self.entropy)
            hello = bots_pb2.Hello(name=self.name, detail=self.detail, gives_entropy=self.entropy is not None)
            await _send(call, bots_pb2.PlayRequest(hello=hello))
            while (response := await _next(call)) is not None:
                if response.HasField("welcome"):
                    greeted.set()
                await player.receive(response)
            player.stop()


def backoff() -> Iterator[float]:
    """Ever longer delays up to a cap, scattered so that a crowd of bots does not come back all at once."""
    delay_s = FIRST_DELAY_S
    while True:
        yield delay_s * random.uniform(0.5, 1.0)  # noqa: S311  # nothing to guess here
        delay_s = min(2 * delay_s, LONGEST_DELAY_S)


async def _next(call: Call) -> bots_pb2.PlayResponse | None:
    """The next message of the service; None when it has closed the stream."""
    try:
        response = await call.read()
    except grpc.RpcError as broken:
        raise StreamEnded(errors.from_rpc(broken)) from None
    return response if isinstance(response, bots_pb2.PlayResponse) else None


async def _send(call: Call, request: bots_pb2.PlayRequest) -> None:
    try:
        await call.write(request)
    except asyncio.InvalidStateError:
        return  # the stream has ended; how, the next read says
    except grpc.RpcError as broken:
        error = errors.from_rpc(broken)
        if error.code is grpc.StatusCode.INTERNAL:
            # grpc.aio overwrites the status of a stream that ends during a write: the next attempt tells.
            message = "the stream ended while an answer was under way"
            error = errors.Unavailable("UNAVAILABLE", message, grpc.StatusCode.UNAVAILABLE)
        raise StreamEnded(error) from None


def _cause(failures: BaseExceptionGroup[BaseException]) -> BaseException:
    """Of several failures the one to tell: the bot's own, else a torn write, else the stream's end."""

    def rank(failure: BaseException) -> int:
        if not isinstance(failure, StreamEnded):
            return 0
        return 1 if isinstance(failure.error, errors.Unavailable) else 2

    return min(failures.exceptions, key=rank)
