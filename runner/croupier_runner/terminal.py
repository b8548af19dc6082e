"""The terminal a person sits at: lines in, text out."""

import asyncio
import os
import shutil
import sys
import threading
from typing import Protocol

_CHUNK_BYTES = 4096


class Terminal(Protocol):
    """What is asked of a terminal; tests bring one that types by itself."""

    @property
    def size(self) -> os.terminal_size:
        """Its columns and lines."""

    @property
    def interactive(self) -> bool:
        """Whether there is somebody to answer."""

    async def read_line(self, prompt: str) -> str:
        """What is typed next, without the end of the line; EOFError when nothing will come any more."""

    def write(self, text: str) -> None:
        """Shows the text, and ends the line."""


class StandardTerminal:
    """Stdin and stdout. Waiting for a line can be given up at any time: a line that comes later is not lost."""

    def __init__(self) -> None:
        self._buffer = b""
        self._ended = False
        self._reading: asyncio.Future[bytes] | None = None

    @property
    def size(self) -> os.terminal_size:
        """That of the window, or 80 by 24 where there is none."""
        return shutil.get_terminal_size()

    @property
    def interactive(self) -> bool:
        """Whether both ends are a terminal."""
        return sys.stdin.isatty() and sys.stdout.isatty()

    async def read_line(self, prompt: str) -> str:
        """The next line of stdin."""
        self._print(prompt)
        while b"\n" not in self._buffer and not self._ended:
            chunk = await self._chunk()
            self._buffer += chunk
            self._ended = not chunk
        if not self._buffer:
            self._print("\n")
            raise EOFError
        data, _, self._buffer = self._buffer.partition(b"\n")
        line = data.decode(errors="replace").rstrip("\r")
        if not sys.stdin.isatty():  # a terminal shows itself what is typed
            self.write(line)
        return line

    def write(self, text: str) -> None:
        """Prints it; names of bots and the like may hold what would command a terminal, so that is not passed on."""
        shown = "".join(char if char.isprintable() or char == "\n" else "\N{REPLACEMENT CHARACTER}" for char in text)
        self._print(f"{shown}\n")

    def _print(self, text: str) -> None:
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except OSError:  # nobody looks any more, so nobody will type any more
            self._buffer, self._ended = b"", True

    async def _chunk(self) -> bytes:
        """A thread reads, because not every stdin can be polled; nobody ever waits for the thread."""
        if self._reading is None:
            loop = asyncio.get_running_loop()
            self._reading = loop.create_future()
            threading.Thread(target=_read, args=(loop, self._reading), daemon=True).start()
        chunk = await asyncio.shield(self._reading)
        self._reading = None
        return chunk


def _read(loop: asyncio.AbstractEventLoop, chunk: "asyncio.Future[bytes]") -> None:
    # Not sys.stdin.read: it holds a lock that Python wants when it ends.
    try:
        data = os.read(sys.stdin.fileno(), _CHUNK_BYTES)
    except OSError:  # the terminal is gone
        data = b""
    try:
        loop.call_soon_threadsafe(chunk.set_result, data)
    except RuntimeError:
        return  # the loop has ended meanwhile, and nobody wants to know
