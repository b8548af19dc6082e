"""The keeper: a program beside the runner that ends the runner's processes should the runner be killed.

A runner that ends in good order ends them itself. One that is ended by SIGKILL cannot; but its end closes the stdin of
the keeper, which then kills every group that it still guards. What it cannot do: see a process that left its group
(setsid), nor one that was started in the instant before the runner could say so.
"""

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

PROGRAM = Path(__file__).with_name("keeper_program.py")


def _say(sentence: str) -> None:
    sys.stderr.write(f"croupier: {sentence}\n")


class Keeper:
    """Guards process groups for as long as its context lasts; if it fails it says so once, and all goes on without it.

    Release a group only when it has been killed. Its number may by then belong to somebody else, for asyncio reaps
    processes as they end; so the keeper spares a group whose leader was not started when the guarded one was.
    """

    def __init__(self, say: Callable[[str], None] = _say) -> None:
        self._say = say
        self._process: asyncio.subprocess.Process | None = None
        self._write_fd: int | None = None
        """None while there is no keeper to tell."""
        self._watching: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Keeper":
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    @property
    def pid(self) -> int | None:
        """The number of its process; None if it could not be started."""
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Starts the program, in a session of its own: what ends the runner's group must not end it."""
        read_fd, write_fd = os.pipe()  # not inheritable: whoever else held the end that writes would keep it open
        try:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-I", "-S", str(PROGRAM), stdin=read_fd, stdout=asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            os.close(write_fd)
            self._lost(f"cannot be started ({error.strerror})")
            return
        finally:
            os.close(read_fd)
        os.set_blocking(write_fd, False)
        self._write_fd = write_fd
        self._watching = asyncio.create_task(self._watch(self._process))

    def guard(self, pgid: int) -> None:
        """From now on the group ends with us."""
        self._tell(f"+{pgid}\n")

    def release(self, pgid: int) -> None:
        """The group has ended."""
        self._tell(f"-{pgid}\n")

    async def stop(self) -> None:
        """Ends the program, and with it every group that was not released."""
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.wait({self._watching})
        self._close()
        if self._process is not None:
            await self._process.wait()

    def _tell(self, line: str) -> None:
        if self._write_fd is None:
            return
        try:
            os.write(self._write_fd, line.encode())
        except OSError as error:  # gone, or it does not read
            self._lost(f"does not listen any more ({error.strerror})")

    async def _watch(self, process: asyncio.subprocess.Process) -> None:
        await process.wait()
        self._lost("has ended")

    def _lost(self, how: str) -> None:
        self._close()
        self._say(
            f"the keeper, which ends all bots should this program be killed, {how}; the tournament goes on, "
            "but if it is ended with kill -9 look for bots that it leaves behind"
        )

    def _close(self) -> None:
        if self._write_fd is not None:
            with suppress(OSError):
                os.close(self._write_fd)
            self._write_fd = None
