"""The floor: empty gRPC round trips with messages of the same size as the real ones, on the same machine, meanwhile.

One message per round trip, no batching, raw bytes on both sides: what a service would cost that did nothing at all.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from grpc import aio
from tests.bench.echo import SERVICE
from tests.bench.processes import Served, echo


@dataclass(frozen=True, slots=True)
class Sizes:
    """How long a request and its reply are."""

    request_bytes: int
    reply_bytes: int

    def request(self) -> bytes:
        """A request that asks for a reply of that size."""
        return self.reply_bytes.to_bytes(4, "big").ljust(self.request_bytes, b"\0")

    def __str__(self) -> str:
        return f"{self.request_bytes} B out, {self.reply_bytes} B back"


@dataclass(frozen=True, slots=True)
class Trips:
    """What some round trips cost."""

    server_cpu_us: float
    """Per round trip."""
    per_s: float
    latencies_us: list[float]


class Floor:
    """The echo server, and a client of it."""

    def __init__(self, server: Served, channel: aio.Channel) -> None:
        self._server = server
        self._channel = channel

    async def streamed(self, sizes: Sizes, count: int, streams: int = 1) -> Trips:
        """Bidirectional round trips: each stream has one message under way at a time."""
        converse: Any = self._channel.stream_stream(f"/{SERVICE}/Converse", None, None)
        calls = [converse() for _ in range(streams)]
        await asyncio.gather(*[_ping(call, sizes.request(), 1) for call in calls])
        cpu_s, begun = self._server.cpu_s(), time.perf_counter()
        share = max(1, count // streams)
        latencies = await asyncio.gather(*[_ping(call, sizes.request(), share) for call in calls])
        trips = self._trips(share * streams, cpu_s, begun, [us for some in latencies for us in some])
        for call in calls:
            await call.done_writing()
        return trips

    async def unary(self, sizes: Sizes, count: int, at_once: int) -> Trips:
        """Unary calls, so many under way at a time."""
        answer: Any = self._channel.unary_unary(f"/{SERVICE}/Answer", None, None)
        share = max(1, count // at_once)
        request = sizes.request()
        await answer(request)

        async def some() -> None:
            for _ in range(share):
                await answer(request)

        cpu_s, begun = self._server.cpu_s(), time.perf_counter()
        await asyncio.gather(*[some() for _ in range(at_once)])
        return self._trips(share * at_once, cpu_s, begun, [])

    def _trips(self, count: int, cpu_s: float, begun: float, latencies_us: list[float]) -> Trips:
        elapsed_s = time.perf_counter() - begun
        return Trips((self._server.cpu_s() - cpu_s) / count * 1e6, count / elapsed_s, latencies_us)


async def _ping(call: Any, request: bytes, count: int) -> list[float]:
    clock = time.perf_counter
    latencies_us = []
    for _ in range(count):
        sent = clock()
        await call.write(request)
        await call.read()
        latencies_us.append((clock() - sent) * 1e6)
    return latencies_us


@asynccontextmanager
async def running_floor() -> AsyncIterator[Floor]:
    """The floor, for as long as the context lasts."""
    async with echo() as server, aio.insecure_channel(server.target) as channel:
        yield Floor(server, channel)
