"""The bots of a tournament: each one process, watched, and brought back a few times if it ends.

A bot that ends costs it the games it is in; that is the tournament's to say (`on_down`), not decided here.
"""

import asyncio
import errno
import os
import secrets
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from croupier_runner.config import BotSection
from croupier_runner.errors import BotError, ConfigError
from croupier_runner.processes import Program

MOST_RESTARTS = 3

RollCall = Callable[["Bot"], Coroutine[None, None, None]]
"""Returns when the service sees the bot's stream."""


class Bot:
    """One bot: its token, its process and how that fared."""

    def __init__(
        self, section: BotSection, *, folder: Path, target: str, seed: int, startup_s: float, log: Path | None = None
    ) -> None:
        self.name = section.name
        self.token = secrets.token_urlsafe(24)
        self.crashes: list[str] = []
        """How its process ended, each time it did before the tournament was over."""
        self.up = False
        """Whether its process runs and has come to the table."""
        self._argv = [sys.executable, *section.command[1:]] if section.command[0] == "python" else section.command
        self._folder = folder
        self._env = {
            **os.environ,
            "CROUPIER_TARGET": target,
            "CROUPIER_TOKEN": self.token,
            "CROUPIER_NAME": self.name,
            "CROUPIER_BOT_SEED": str(bot_seed(seed, self.name)),
        }
        self._startup_s = startup_s
        self._log = log
        self._program: Program | None = None
        """None until it was started."""
        self._settled = asyncio.Event()

    @property
    def last_words(self) -> str:
        """The end of what it wrote to stderr; empty if it is down, for then `crashes` tells."""
        return self._program.stderr if self.up and self._program is not None else ""

    async def settled(self) -> None:
        """Returns when the bot is up, or out for good."""
        await self._settled.wait()

    async def start(self) -> None:
        """Starts its process."""
        try:
            self._program = await Program.start(self._argv, env=self._env, cwd=self._folder, log=self._log)
        except OSError as error:
            advice = _advice(error, self._argv[0], self._folder)
            sentence = f"bot {self.name!r} cannot be started: {self._argv[0]!r}: {error.strerror}; {advice}"
            raise ConfigError(sentence) from None

    async def come(self, roll_call: RollCall) -> None:
        """Waits until it is at the table, or raises BotError when it ends before or takes too long."""
        program = self._running_program()
        called = asyncio.create_task(roll_call(self))
        ended = asyncio.create_task(program.wait())
        try:
            await asyncio.wait({called, ended}, timeout=self._startup_s, return_when=asyncio.FIRST_COMPLETED)
            if not called.done():
                late = f"did not connect within {self._startup_s:g} s"
                early = f"{program.ending} before it connected"
                if program.exit_code == 0:
                    early += "; does it call run(play)?"
                trouble = late if program.running else early
                raise BotError(program.with_last_words(f"bot {self.name!r} {trouble}"))
            await called
        finally:
            called.cancel()
            ended.cancel()
            await asyncio.wait({called, ended})
        self.up = True
        self._settled.set()

    async def keep(self, roll_call: RollCall, on_down: Callable[["Bot"], Awaitable[None]]) -> None:
        """Watches the process: whenever it ends says so, and brings it back as often as is allowed."""
        while True:
            program = self._running_program()
            await program.wait()
            self.up = False
            self._settled.clear()
            self.crashes.append(program.with_last_words(program.ending))
            await program.stop()
            await on_down(self)
            if not await self._came_back(roll_call):
                self._settled.set()
                return

    async def _came_back(self, roll_call: RollCall) -> bool:
        if len(self.crashes) > MOST_RESTARTS:
            return False
        try:
            await self.start()
            await self.come(roll_call)
        except (BotError, ConfigError) as error:
            self.crashes.append(str(error))
            await self.stop()
            return False
        return True

    async def stop(self) -> None:
        """Ends its process."""
        if self._program is not None:
            await self._program.stop()

    def _running_program(self) -> Program:
        if self._program is None:
            raise RuntimeError("start comes first")
        return self._program


class Field:
    """All bots of a tournament, by name; the context ends their processes, however it is left."""

    def __init__(self, bots: Sequence[Bot]) -> None:
        self._bots = {bot.name: bot for bot in bots}

    def __getitem__(self, name: str) -> Bot:
        return self._bots[name]

    def __iter__(self) -> Iterator[Bot]:
        return iter(self._bots.values())

    async def __aenter__(self) -> "Field":
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*(bot.stop() for bot in self))


def _advice(error: OSError, program: str, folder: Path) -> str:
    """What to do about a command that cannot be started."""
    if isinstance(error, PermissionError):
        return 'allow it with chmod +x, or name what runs it, as in ["python", "bot.py"]'
    if error.errno == errno.ENOEXEC:
        return 'say in its first line what runs it (#!…), or name that in the command, as in ["python", "bot.py"]'
    if isinstance(error, FileNotFoundError) and "/" in program and (folder / program).exists():
        return "it is there, but the program that its first line (#!…) names is not; correct that line"
    return f"correct its command, which runs in {folder}"


def bot_seed(seed: int, name: str) -> int:
    """A number of 63 bits that differs for every bot and tournament, for bots that draw lots."""
    digest = sha256(f"croupier/bot/1/{seed}/{name}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
