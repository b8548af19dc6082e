"""Programs that the runner starts: each in a process group of its own, so that all it started ends with it.

No code of ours runs between fork and exec: that is unsafe beside gRPC.
"""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from croupier_runner.outputs import LOG_BYTES, Output

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

    def __init__(
        self, process: asyncio.subprocess.Process, stderr: Pipe, others: Sequence[Pipe], output: Output
    ) -> None:
        self._process = process
        self._pipes = [stderr, *others]
        self._output = output
        self._tail = b""
        self._stopped = False
        readings = [output.take(stderr.reader, self._keep_tail), *(output.take(pipe.reader) for pipe in others)]
        self._reading = [asyncio.create_task(reading) for reading in readings]

    @classmethod
    async def start(
        cls,
        argv: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: Path | None = None,
        pass_fds: Sequence[int] = (),
        log: Path | None = None,
        log_bytes: int = LOG_BYTES,
    ) -> "Program":
        """Starts it, or raises OSError if there is no such program; what it prints goes to the log, up to a bound."""
        output = Output(log, log_bytes)
        # Pipes of our own: with those of asyncio, `wait` lasts until grandchildren have closed them too.
        stderr, *others = pipes = [await Pipe.open() for _ in range(1 if log is None else 2)]
        try:
            process = await asyncio.create_subprocess_exec(
                *argv,
                env=dict(env),
                cwd=cwd,
                pass_fds=tuple(pass_fds),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=others[0].write_fd if others else asyncio.subprocess.DEVNULL,
                stderr=stderr.write_fd,
                start_new_session=True,
            )
        except BaseException:
            for pipe in pipes:
                pipe.close()
            output.close()
            raise
        for pipe in pipes:
            pipe.handed_over()
        return cls(process, stderr, others, output)

    @property
    def pid(self) -> int:
        """Its number, which is also that of its process group."""
        return self._process.pid

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
        """The last of what it wrote to stderr, with nothing in it that a terminal would obey."""
        text = self._tail.decode(errors="replace").strip().replace("\r\n", "\n")
        return "".join(letter if letter.isprintable() or letter in "\n\t" else "\ufffd" for letter in text)

    @property
    def ending(self) -> str:
        """How it ended, in words."""
        code = self._process.returncode
        return "is still running" if code is None else ending(code)

    def with_last_words(self, sentence: str) -> str:
        """The sentence, and what the program wrote last, if it wrote anything."""
        return f"{sentence}. Its last words:\n{self.stderr}" if self.stderr else sentence

    async def wait(self) -> None:
        """Returns when it has ended and its last words are read."""
        await self._process.wait()
        await asyncio.wait(self._reading, timeout=_LAST_WORDS_S)

    async def stop(self, grace_s: float = GRACE_S) -> None:
        """Ends it and all it started: asks, and after the grace insists."""
        if self._stopped:  # its number may belong to somebody else by now
            return
        await end_group(self._process, grace_s)
        await self.wait()
        for reading in self._reading:
            reading.cancel()
        await asyncio.wait(self._reading)
        for pipe in self._pipes:
            pipe.close()
        self._output.close()
        self._stopped = True

    def _keep_tail(self, chunk: bytes) -> None:
        self._tail = (self._tail + chunk)[-STDERR_BYTES:]


def ending(exit_code: int) -> str:
    """How a process with that exit code ended, in words; a negative one is the number of the signal that ended it."""
    if exit_code >= 0:
        return f"ended with exit code {exit_code}"
    known = -exit_code in set(signal.Signals)
    return f"was ended by {signal.Signals(-exit_code).name if known else f'signal {-exit_code}'}"


async def end_group(process: asyncio.subprocess.Process, grace_s: float) -> None:
    """Ends the group that the process leads: asks, and after the grace insists.

    The whole group, also when its leader has ended: what a program started may outlive it."""
    signal_group(process.pid, signal.SIGTERM)
    with suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), grace_s)
    signal_group(process.pid, signal.SIGKILL)


def signal_group(pgid: int, number: signal.Signals) -> None:
    """Sends the signal to every process of the group; that there is none any more is fine."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pgid, number)
