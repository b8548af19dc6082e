"""A service under load: two bot processes play many games at once, and a driver opens a new game for each that ends.

Between windows the bots are stopped where they are, so that what is measured meanwhile has the machine to itself.
"""

import asyncio
import mmap
import os
import signal
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory

from grpc import aio
from tests.bench.batches import Batches, batches_so_far
from tests.bench.bot import TALLY
from tests.bench.match import LIE, Match, Opener, token
from tests.bench.processes import Served, program

WARM_UP = 0.25
"""In parts of a window: how long bots play before it begins."""
LOOK_S = 0.02
"""How often the driver looks how many games are in play."""
LONGEST_S = 60.0
NAMES = ("ada", "bob")
"""The first is the host."""
OPENING_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Window:
    """What happened while a load was measured."""

    moves: int
    opened: int
    ended: int
    """Sessions; if opening is slower than playing, the reserve makes up for it."""
    server_cpu_s: float
    elapsed_s: float
    in_play: float
    """How many games were being played, on average."""
    batches: Batches

    @property
    def cpu_us(self) -> float:
        """Server CPU per move, all that goes with it included."""
        return self.server_cpu_s / self.moves * 1e6

    @property
    def moves_per_s(self) -> float:
        """Moves per second."""
        return self.moves / self.elapsed_s


class Load:
    """Two connected bots, stopped except while a window is measured."""

    def __init__(
        self, server: Served, tallies: list[mmap.mmap], bots: list[Process], over_fd: int, games: int, reserve: int
    ) -> None:
        self._server = server
        self._tallies = tallies
        self._bots = bots
        self._over_fd = over_fd
        self._games = games
        self._slots = games + reserve
        self._opened = self._ended = 0
        self._stocked = asyncio.Event()

    async def drive(self, opener: Opener) -> None:
        """Opens all games and the reserve, then another for each that ends, until it is cancelled."""
        free = asyncio.Semaphore(self._slots)

        def count_ended() -> None:
            for _ in os.read(self._over_fd, 4096):
                self._ended += 1
                self._stocked.clear()
                free.release()

        async def keep_opening() -> None:
            while True:
                await free.acquire()
                await opener.open()
                self._opened += 1
                if self._opened - self._ended == self._slots:
                    self._stocked.set()

        loop = asyncio.get_running_loop()
        loop.add_reader(self._over_fd, count_ended)
        try:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(OPENING_AT_ONCE):
                    tasks.create_task(keep_opening())
        finally:
            loop.remove_reader(self._over_fd)

    async def warm_up(self) -> None:
        """Returns when both bots are connected and a game has been played to its end."""
        await self._watch(0.0, 1)
        self._signal(signal.SIGSTOP)

    async def window(self, seconds: float) -> Window:
        """Measures for that long, and until as many games have ended as are in play: all phases of a game count."""
        await asyncio.wait_for(self._stocked.wait(), LONGEST_S)
        self._signal(signal.SIGCONT)
        await asyncio.sleep(WARM_UP * seconds)
        batches = await batches_so_far(self._server.metrics_url)
        moves, opened, ended = self._moves(), self._opened, self._ended
        cpu_s, begun = self._server.cpu_s(), time.perf_counter()
        in_play = await self._watch(seconds, self._games)
        cpu_s, elapsed_s = self._server.cpu_s() - cpu_s, time.perf_counter() - begun
        moves, opened, ended = self._moves() - moves, self._opened - opened, self._ended - ended
        batches = (await batches_so_far(self._server.metrics_url)).since(batches)
        self._signal(signal.SIGSTOP)
        return Window(moves, opened, ended, cpu_s, elapsed_s, in_play, batches)

    async def _watch(self, seconds: float, games: int) -> float:
        """Returns after that time and after so many games have ended: how many games were in play on average."""
        until, enough = time.perf_counter() + seconds, self._ended + games
        seen: list[int] = []
        async with asyncio.timeout(LONGEST_S):
            while time.perf_counter() < until or self._ended < enough:
                await asyncio.sleep(LOOK_S)
                seen.append(TALLY.unpack_from(self._tallies[0])[1])
        return mean(seen)

    def _moves(self) -> int:
        return sum(TALLY.unpack_from(tally)[0] for tally in self._tallies)

    def _signal(self, number: signal.Signals) -> None:
        for bot in self._bots:
            bot.send_signal(number)


@asynccontextmanager
async def running_load(
    server: Served, games: int, reserve: int, match: Match = LIE, *, patient: bool = False
) -> AsyncIterator[Load]:
    """Two bots at that service and so many games in play, for as long as the context lasts."""
    flags = ("--patient",) if patient else ()
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="croupier-bench-")))
        reading, writing = os.pipe()
        stack.callback(os.close, reading)
        stack.callback(os.close, writing)
        tallies, bots = [], []
        for name in NAMES:
            path = folder / name
            path.write_bytes(bytes(TALLY.size))
            file = stack.enter_context(path.open("r+b"))
            tallies.append(stack.enter_context(mmap.mmap(file.fileno(), TALLY.size)))
            host = ("--host", str(games), "--over-fd", str(writing)) if name == NAMES[0] else ()
            env = {"CROUPIER_TARGET": server.target, "CROUPIER_TOKEN": token(name), "CROUPIER_NAME": name}
            bot = program(
                "tests.bench.bot", "--tally", str(path), *host, *flags, env=env, pass_fds=(writing,) if host else ()
            )
            bots.append(await stack.enter_async_context(bot))
        channel = await stack.enter_async_context(aio.insecure_channel(server.target))
        load = Load(server, tallies, bots, reading, games, reserve)
        tasks = await stack.enter_async_context(asyncio.TaskGroup())
        driving = tasks.create_task(load.drive(Opener(channel, match, *NAMES)))
        await load.warm_up()
        yield load
        driving.cancel()
