"""Sessions that are dealt and wait: a bot holds all seats of each, reads its turns and never answers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from grpc import aio
from tests.bench.match import LIE, Match, Opener, token
from tests.bench.processes import Served

from croupier.v1 import bots_pb2, bots_pb2_grpc
from croupier_client import AsyncClient

AT_ONCE = 8
NAME = "idler"


class Idlers:
    """Opens idle sessions at a service."""

    def __init__(self, client: AsyncClient, opener: Opener, match: Match) -> None:
        self.client = client
        self.match = match
        self._opener = opener
        self._open = 0

    async def raise_to(self, count: int) -> None:
        """Opens sessions until there are so many."""

        async def some() -> None:
            while self._open < count:
                self._open += 1
                await self._opener.open()

        await asyncio.gather(*[some() for _ in range(AT_ONCE)])


@asynccontextmanager
async def running_idlers(server: Served, match: Match = LIE) -> AsyncIterator[Idlers]:
    """The idle bot is connected for as long as the context lasts."""
    async with AsyncClient(server.target) as client, aio.insecure_channel(server.target) as channel:
        stub: Any = bots_pb2_grpc.BotServiceStub(channel)
        call = stub.Play(metadata=(("authorization", f"Bearer {token(NAME)}"),))
        await call.write(bots_pb2.PlayRequest(hello=bots_pb2.Hello(name=NAME)))
        await call.read()
        reader = asyncio.ensure_future(_discard(call))
        try:
            yield Idlers(client, Opener(channel, match, NAME), match)
        finally:
            reader.cancel()
            call.cancel()


async def _discard(call: Any) -> None:
    while await call.read() is not aio.EOF:  # type: ignore[attr-defined]
        pass
