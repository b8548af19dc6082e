"""The bot's process: started once, in a group of its own, spoken to in lines, and ended with all that it started."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TypeAlias

from croupier_runner.bridge import EXIT_LEFT, EXIT_NO_PROGRAM, EXIT_PROTOCOL, SIGNALLED
from croupier_runner.bridge.lines import MOST_LINE_BYTES
from croupier_runner.keeper import Keeper
from croupier_runner.processes import Pipe, end_group, ending

READ_BYTES = 64 * 1024
MOST_WAITING_BYTES = 64 * 2**20
"""How much may wait for a bot that does not read."""
LAST_WISHES_S = 0.5
"""How long a bot may take to end when its stdin is closed, and again after SIGTERM: less than the runner gives us."""

Line: TypeAlias = "bytes | None"
"""A line without its end; None stands for one, or for a further part of one, that was too long to keep."""


class BotFault(Exception):
    """The bot cannot play on, by its own fault; the text says why."""

    def __init__(self, sentence: str, exit_code: int = EXIT_PROTOCOL) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code


class Splitter:
    """Cuts what comes into lines, and never keeps more than one line's worth."""

    def __init__(self, most_bytes: int = MOST_LINE_BYTES) -> None:
        self._most_bytes = most_bytes
        self._rest = b""
        self._skipping = False
        """Whether the beginning of this line was thrown away."""

    def feed(self, chunk: bytes) -> list[Line]:
        """The lines that are now complete; blank ones are left out."""
        *whole, self._rest = (self._rest + chunk).split(b"\n")
        if whole and self._skipping:
            del whole[0]
            self._skipping = False
        lines = [text if len(text) <= self._most_bytes else None for text in whole if text and not text.isspace()]
        if len(self._rest) > self._most_bytes:
            self._rest, self._skipping = b"", True
            lines.append(None)
        return lines


class Stdin(asyncio.BaseProtocol):
    """The bot's stdin: that it breaks is no trouble of its own, for then stdout ends too, or nothing is answered."""

    def __init__(self) -> None:
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The pipe is open."""
        assert isinstance(transport, asyncio.WriteTransport)  # noqa: S101  # asyncio's promise for pipes that are written
        self._transport = transport

    def connection_lost(self, _: Exception | None) -> None:
        """The pipe is closed: by us, or the bot's end is."""
        self._transport = None

    def write(self, batch: bytes) -> int:
        """Writes what the bot can take now and keeps the rest; returns how much waits."""
        if self._transport is None or self._transport.is_closing():
            return 0
        self._transport.write(batch)
        return self._transport.get_write_buffer_size()

    def close(self) -> None:
        """Closes it when all is written."""
        if self._transport is not None:
            self._transport.close()

    def abort(self) -> None:
        """Closes it at once."""
        if self._transport is not None:
            self._transport.abort()


class Child:
    """A running bot: lines in, lines out."""

    def __init__(self, process: asyncio.subprocess.Process, stdin: Stdin, stdout: Pipe) -> None:
        self.fault: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Fails with BotFault when the bot does not read what it is told."""
        self._process = process
        self._stdin = stdin
        self._stdout = stdout
        self._waiting: list[bytes] = []

    @property
    def pid(self) -> int:
        """Its number, which is also that of its process group."""
        return self._process.pid

    def say(self, text: bytes) -> None:
        """Sends it the line, together with all others that are said before anybody waits for anything."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._flush)
        self._waiting.append(text)

    def _flush(self) -> None:
        batch = b"".join(self._waiting)
        self._waiting.clear()
        if self._stdin.write(batch) > MOST_WAITING_BYTES and not self.fault.done():
            sentence = f"does not read its stdin: {MOST_WAITING_BYTES >> 20} MiB wait for it"
            self.fault.set_exception(BotFault(sentence))

    async def lines(self) -> AsyncIterator[list[Line]]:
        """What it writes, as many lines at a time as there are; raises BotFault when it writes no more."""
        splitter = Splitter()
        while chunk := await self._stdout.reader.read(READ_BYTES):
            yield splitter.feed(chunk)
        raise await self._farewell()

    async def _farewell(self) -> BotFault:
        """Its stdout is closed: because it has ended, or else by its own doing."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), LAST_WISHES_S)
        code = self._process.returncode
        if code is None:
            return BotFault("closed its stdout, so it cannot answer any more")
        sentence = f"{ending(code)} before the games were over"
        if code == 0:
            return BotFault(f"{sentence}; does it read lines until there are no more?", EXIT_LEFT)
        return BotFault(sentence, code if code > 0 else SIGNALLED - code)

    async def end(self) -> None:
        """Closes its stdin, asks it to end, and then insists; all it started ends too."""
        self._stdin.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), LAST_WISHES_S)
        await end_group(self._process, LAST_WISHES_S)
        await self._process.wait()
        self._stdin.abort()
        self._stdout.close()
        self.fault.cancel()


@asynccontextmanager
async def running(command: Sequence[str], env: Mapping[str, str]) -> AsyncIterator[Child]:
    """The bot, for as long as the context lasts; also kill -9 of this process ends it."""
    async with Keeper() as keeper:
        child = await _start(command, env, keeper)
        try:
            yield child
        finally:
            await child.end()
            keeper.release(child.pid)


async def _start(command: Sequence[str], env: Mapping[str, str], keeper: Keeper) -> Child:
    stdout = await Pipe.open()
    read_fd, write_fd = os.pipe()
    try:
        process = await asyncio.create_subprocess_exec(
            *command, env=dict(env), stdin=read_fd, stdout=stdout.write_fd, start_new_session=True
        )
    except OSError as error:
        stdout.close()
        os.close(write_fd)
        raise BotFault(f"cannot be started: {command[0]!r}: {error.strerror}", EXIT_NO_PROGRAM) from None
    finally:
        os.close(read_fd)
    keeper.guard(process.pid)
    stdout.handed_over()
    loop = asyncio.get_running_loop()
    _, stdin = await loop.connect_write_pipe(Stdin, os.fdopen(write_fd, "wb", buffering=0))
    return Child(process, stdin, stdout)
