"""A service under load: two bot processes play many games at once, and a driver opens a new game for each that ends."""

import asyncio
import mmap
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.bot import COUNTER_BYTES
from tests.bench.plan import GAMES_AT_ONCE
from tests.bench.processes import Served, program

from croupier.v1 import sessions_pb2
from croupier_client import AsyncClient

WARM_UP_S = 0.25
RUN_OUT_S = 60.0
NAMES = ("ada", "bob")


def token(name: str) -> str:
    """The token of the bot of that name."""
    return f"token-of-{name}".ljust(32, "-")


@dataclass(frozen=True, slots=True)
class Window:
    """What happened while a load was measured."""

    moves: int
    games: int
    """Opened meanwhile; as many ended."""
    server_cpu_s: float
    elapsed_s: float

    @property
    def cpu_us(self) -> float:
        """Server CPU per move, all that goes with it included."""
        return self.server_cpu_s / self.moves * 1e6

    @property
    def moves_per_s(self) -> float:
        """Moves per second."""
        return self.moves / self.elapsed_s


class Load:
    """Two connected bots with no game to play, until `window` opens some."""

    def __init__(self, server: Served, client: AsyncClient, counters: list[mmap.mmap], over_fd: int) -> None:
        self._server = server
        self._client = client
        self._counters = counters
        self._over_fd = over_fd
        self._seats = [sessions_pb2.SeatPlan(name=name, token=token(name)) for name in NAMES]
        self._opening: set[asyncio.Task[None]] = set()
        self._opened = self._over = 0
        self._refilling = False
        self._quiet = asyncio.Event()

    async def play_once(self) -> None:
        """Plays 64 games to their ends: then both bots are connected and everything is warm."""
        with self._games():
            await self._run_out()

    async def window(self, seconds: float) -> Window:
        """Keeps 64 games open, measures for that long, then lets them run out."""
        with self._games():
            self._refilling = True
            await asyncio.sleep(WARM_UP_S)
            before = self._read()
            await asyncio.sleep(seconds)
            after = self._read()
            await self._run_out()
        return Window(
            after.moves - before.moves,
            after.games - before.games,
            after.server_cpu_s - before.server_cpu_s,
            after.elapsed_s - before.elapsed_s,
        )

    @contextmanager
    def _games(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        loop.add_reader(self._over_fd, self._ended)
        self._quiet.clear()
        self._open(GAMES_AT_ONCE)
        try:
            yield
        finally:
            loop.remove_reader(self._over_fd)

    async def _run_out(self) -> None:
        self._refilling = False
        await asyncio.wait_for(self._quiet.wait(), RUN_OUT_S)

    def _read(self) -> Window:
        moves = sum(int.from_bytes(counter[:], "little") for counter in self._counters)
        return Window(moves, self._opened, self._server.cpu_s(), time.perf_counter())

    def _open(self, count: int) -> None:
        for _ in range(count):
            self._opened += 1
            task = asyncio.ensure_future(self._open_one())
            self._opening.add(task)
            task.add_done_callback(self._opening.discard)

    async def _open_one(self) -> None:
        await self._client.create_session("lie", self._seats)

    def _ended(self) -> None:
        ended = len(os.read(self._over_fd, 4096))
        self._over += ended
        if self._refilling:
            self._open(ended)
        elif self._over == self._opened:
            self._quiet.set()


@asynccontextmanager
async def running_load(server: Served, *, patient: bool = False) -> AsyncIterator[Load]:
    """Two bots at that service, for as long as the context lasts."""
    flags = ("--patient",) if patient else ()
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="croupier-bench-")))
        reading, writing = os.pipe()
        stack.callback(os.close, reading)
        stack.callback(os.close, writing)
        counters = []
        for name in NAMES:
            path = folder / name
            path.write_bytes(bytes(COUNTER_BYTES))
            file = stack.enter_context(path.open("r+b"))
            counters.append(stack.enter_context(mmap.mmap(file.fileno(), COUNTER_BYTES)))
            # One bot is enough to say that a game is over.
            over = ("--over-fd", str(writing)) if name == NAMES[0] else ()
            env = {"CROUPIER_TARGET": server.target, "CROUPIER_TOKEN": token(name), "CROUPIER_NAME": name}
            bot = program(
                "tests.bench.bot", "--counter", str(path), *over, *flags, env=env, pass_fds=(writing,) if over else ()
            )
            await stack.enter_async_context(bot)
        client = await stack.enter_async_context(AsyncClient(server.target))
        load = Load(server, client, counters, reading)
        await load.play_once()
        yield load
