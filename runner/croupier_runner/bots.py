"""The bots of a tournament: most are processes, watched, and brought back whenever they end; some dial in.

A bot that ends costs it the games it is in; that is the tournament's to say (`on_down`), not decided here.
"""

import asyncio
import errno
import os
import secrets
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from croupier_runner.bridge import EXIT_PROTOCOL, bridged
from croupier_runner.config import BotSection
from croupier_runner.errors import BotError, ConfigError
from croupier_runner.keeper import Keeper
from croupier_runner.limits import cause_of_end, why_it_ended
from croupier_runner.processes import Program
from croupier_runner.sandbox import Sandbox

RollCall = Callable[["Bot"], Coroutine[None, None, None]]
"""Returns when the service sees the bot's stream."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How the process of a bot ended."""

    cause: str
    """crash, memory or protocol"""
    sentence: str
    """Such as "its process was ended by SIGKILL"."""
    last_words: str


class Bot:
    """A bot that dials in from elsewhere; and what all bots have in common."""

    def __init__(self, name: str, token: str, startup_s: float, copy: int = 0) -> None:
        self.name = name
        self.label = label(name, copy)
        self.token = token
        self.out = ""
        """Why it plays no more, to the end of the tournament; empty while it does."""
        self.up = False
        """Whether it has come to the table and, as far as is known, is there."""
        self.endings: list[Ending] = []
        """How its process ended, each time it did before the tournament was over."""
        self._startup_s = startup_s
        self._settled = asyncio.Event()

    @property
    def last_words(self) -> str:
        """The end of what it wrote to stderr, if that can be known."""
        return ""

    async def settled(self) -> None:
        """Returns when the bot is up, or out for good."""
        await self._settled.wait()

    async def start(self) -> None:
        """Its owner starts it."""

    async def come(self, roll_call: RollCall) -> None:
        """Waits until it is at the table, or raises BotError when it takes too long."""
        try:
            await asyncio.wait_for(roll_call(self), self._startup_s)
        except TimeoutError:
            sentence = f"bot {self.name!r} did not dial in within {self._startup_s:g} s"
            raise BotError(f"{sentence}; start it with the target and token shown above, or raise startup") from None
        self.up = True
        self._settled.set()

    async def keep(self, roll_call: RollCall, on_down: Callable[["Bot"], Awaitable[None]]) -> None:
        """Whether it is still there the service will see; returns when nothing more needs to be done for it."""

    async def stop(self) -> None:
        """Its owner ends it."""


class AbsentBot(Bot):
    """A bot that is out: nobody starts it, and it loses every game it has left."""

    def __init__(self, name: str, why: str, copy: int = 0) -> None:
        super().__init__(name, secrets.token_urlsafe(24), 0.0, copy)
        self.out = why
        self.endings.append(Ending("crash", why, ""))
        self._settled.set()

    async def come(self, roll_call: RollCall) -> None:
        """It does not."""


class ProcessBot(Bot):
    """One bot: its token, its process and how that fared."""

    def __init__(
        self,
        section: BotSection,
        *,
        folder: Path,
        target: str,
        key: bytes,
        startup_s: float,
        keeper: Keeper,
        sandbox: Sandbox | None = None,
        log: Path | None = None,
        copy: int = 0,
    ) -> None:
        super().__init__(section.name, secrets.token_urlsafe(24), startup_s, copy)
        sandbox = (sandbox or Sandbox()).hiding(*([log.parent] if log else []))
        self._argv = _argv(section, sandbox, target)
        self._is_bridged = section.protocol == "stdio"
        self._command = (section.command or [""])[0]
        self._folder = folder
        self._env = {
            **sandbox.environment(os.environ),
            "CROUPIER_TARGET": target,
            "CROUPIER_TOKEN": self.token,
            "CROUPIER_NAME": self.name,
            "CROUPIER_BOT_SEED": str(bot_seed(key, self.label)),
        }
        self._keeper = keeper
        self._log = log
        self._program: Program | None = None
        """None until it was started."""

    @property
    def last_words(self) -> str:
        """The end of what it wrote to stderr."""
        return self._program.stderr if self._program is not None else ""

    async def start(self) -> None:
        """Starts its process."""
        self._check_command()
        try:
            self._program = await Program.start(self._argv, env=self._env, cwd=self._folder, log=self._log)
        except OSError as error:
            raise self._cannot_start(error) from None
        self._keeper.guard(self._program.pid)

    def _check_command(self) -> None:
        """A command behind others (prlimit, the bridge) would only fail when they have been started."""
        if self._argv[0] != self._command and "/" in self._command and not (self._folder / self._command).exists():
            raise self._cannot_start(FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))

    def _cannot_start(self, error: OSError) -> ConfigError:
        advice = _advice(error, self._command, self._folder)
        return ConfigError(f"bot {self.name!r} cannot be started: {self._command!r}: {error.strerror}; {advice}")

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
        """Watches the process: whenever it ends says so, and brings it back; returns when that fails: it is out.

        There is no limit to how often, for a runner that is interrupted would have to remember it: a bot that keeps
        ending keeps losing the games it is in, and `eliminate_after` is for who has seen enough of that."""
        while True:
            program = self._running_program()
            await program.wait()
            self.up = False
            self._settled.clear()
            self._note_end(program)
            await self.stop()
            await on_down(self)
            if not await self._came_back(roll_call):
                self._settled.set()
                return

    async def _came_back(self, roll_call: RollCall) -> bool:
        try:
            await self.start()
            await self.come(roll_call)
        except (BotError, ConfigError) as error:
            self.out = f"it could not be started again: {str(error).partition(chr(10))[0]}"
            self.endings.append(Ending("crash", self.out, self.last_words))
            await self.stop()
            return False
        return True

    def _note_end(self, program: Program) -> None:
        cause: str = cause_of_end(program.exit_code, program.stderr)
        if self._is_bridged and program.exit_code == EXIT_PROTOCOL:
            cause = "protocol"
        limit = why_it_ended(program.exit_code, program.stderr)
        sentence = f"its process {program.ending}" + (f": {limit}" if limit else "")
        self.endings.append(Ending(cause, sentence, program.stderr))

    async def stop(self) -> None:
        """Ends its process."""
        if self._program is not None:
            await self._program.stop()
            self._keeper.release(self._program.pid)

    def _running_program(self) -> Program:
        if self._program is None:
            raise RuntimeError("start comes first")
        return self._program


class Field:
    """All bots of a tournament; the context ends their processes, however it is left."""

    def __init__(self, bots: Sequence[Bot]) -> None:
        self._bots = tuple(bots)
        self._copies: dict[str, list[Bot]] = {}
        for bot in bots:
            self._copies.setdefault(bot.name, []).append(bot)

    def lineup(self, names: Sequence[str], game: int) -> list[Bot]:
        """Who plays that game of a block; of a bot with several processes each game gets another one."""
        return [self._copies[name][game % len(self._copies[name])] for name in names]

    def __iter__(self) -> Iterator[Bot]:
        return iter(self._bots)

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


def _argv(section: BotSection, sandbox: Sandbox, target: str) -> list[str]:
    """What is started: the command, in its box, and behind the bridge if it speaks lines."""
    command = list(section.command or ())
    if command[0] == "python":
        command[0] = sys.executable
    if section.protocol == "stdio":
        return bridged(sandbox.around(command))
    return sandbox.around(command, Path(target.removeprefix("unix:")))


def label(name: str, copy: int) -> str:
    """The name of a bot, and which of its processes is meant if it has several."""
    return f"{name} ({copy + 1})" if copy else name


def bot_seed(key: bytes, name: str) -> int:
    """A number of 63 bits that differs for every bot and tournament, for bots that draw lots."""
    digest = sha256(b"croupier/bot/2" + key + name.encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
