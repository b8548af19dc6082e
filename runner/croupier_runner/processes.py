"""Programs that the runner starts: each in a process group of its own, so that all it started ends with it.

No code of ours runs between fork and exec: that is unsafe beside gRPC.
"""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

STDERR_BYTES = 4096
"""How much of the end of a program's stderr is kept."""
GRACE_S = 2.0
"""How long a program may take to end after SIGTERM."""
_LAST_WORDS_S = 0.5
"""How long to read on after a program has ended: something it started may hold its stderr open."""


class Pipe:
    """A pipe from a program to us."""

    def __init__(self, reader: asyncio.StreamReader, transport: asyncio.BaseTransport, write_fd: int) -> None:
        self.reader = reader
        self.write_fd = write_fd
        self._transport = transport
        self._writable = True

    @classmethod
    async def open(cls) -> "Pipe":
        """A new pipe; the program gets `write_fd`."""
        read_fd, write_fd = os.pipe()
        reader = asyncio.StreamReader()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(read_fd, "rb", buffering=0)
        )
        return cls(reader, transport, write_fd)

    def handed_over(self) -> None:
        """The program has its end: closes ours, so that the pipe ends when the program does."""
        if self._writable:
            self._writable = False
            os.close(self.write_fd)

    def close(self) -> None:
        """Closes both our ends."""
        self.handed_over()
        self._transport.close()


class Program:
    """A running program and the last of what it wrote to stderr."""

    def __init__(self, process: asyncio.subprocess.Process, stderr: Pipe, log: BinaryIO) -> None:
        self._process = process
        self._stderr = stderr
        self._log = log
        self._tail = b""
        self._stopped = False
        self._reading = asyncio.create_task(self._read_stderr())

    @classmethod
    async def start(
        cls,
        argv: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: Path | None = None,
        pass_fds: Sequence[int] = (),
        log: Path | None = None,
    ) -> "Program":
        """Starts it, or raises OSError if there is no such program; what it prints is added to the log."""
        output = open(log or os.devnull, "ab", buffering=0)  # noqa: ASYNC230, SIM115  # opens at once, stays open
        # A pipe of our own: with one of asyncio's, `wait` lasts until grandchildren have closed it too.
        stderr = await Pipe.open()
        try:
            process = await asyncio.create_subprocess_exec(
                *argv,
                env=dict(env),
                cwd=cwd,
                pass_fds=tuple(pass_fds),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=stderr.write_fd,
                start_new_session=True,
            )
        except BaseException:
            stderr.close()
            output.close()
            raise
        stderr.handed_over()
        return cls(process, stderr, output)

    @property
    def running(self) -> bool:
        """Whether it has not ended yet, as far as is known."""
        return self._process.returncode is None

    @property
    def exit_code(self) -> int | None:
        """None while it runs; negative if a signal ended it."""
        return self._process.returncode

    @property
    def stderr(self) -> str:
        """The last of what it wrote to stderr."""
        return self._tail.decode(errors="replace").strip()

    @property
    def ending(self) -> str:
        """How it ended, in words."""
        code = self._process.returncode
        if code is None:
            return "is still running"
        if code < 0:
            return f"was ended by {signal.Signals(-code).name}"
        return f"ended with exit code {code}"

    def with_last_words(self, sentence: str) -> str:
        """The sentence, and what the program wrote last, if it wrote anything."""
        return f"{sentence}. Its last words:\n{self.stderr}" if self.stderr else sentence

    async def wait(self) -> None:
        """Returns when it has ended and its last words are read."""
        await self._process.wait()
        await asyncio.wait({self._reading}, timeout=_LAST_WORDS_S)

    async def stop(self, grace_s: float = GRACE_S) -> None:
        """Ends it and all it started: asks, and after the grace insists."""
        if self._stopped:  # its number may belong to somebody else by now
            return
        self._signal(signal.SIGTERM)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), grace_s)
        self._signal(signal.SIGKILL)
        await self.wait()
        self._reading.cancel()
        await asyncio.wait({self._reading})
        self._stderr.close()
        self._log.close()
        self._stopped = True

    def _signal(self, number: signal.Signals) -> None:
        """To the whole group: what the program started may outlive it."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    async def _read_stderr(self) -> None:
        while chunk := await self._stderr.reader.read(STDERR_BYTES):
            self._tail = (self._tail + chunk)[-STDERR_BYTES:]
            with suppress(OSError):  # a full disk must not leave the program waiting for a reader
                self._log.write(chunk)
