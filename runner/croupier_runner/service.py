"""The service as a program: started on a socket of its own for one tournament, and ended with it."""

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from croupier_runner.errors import HostFault
from croupier_runner.keeper import Keeper
from croupier_runner.processes import Pipe, Program

READY_S = 30.0


@dataclass(frozen=True, slots=True)
class Service:
    """A service that is ready."""

    target: str
    program: Program

    async def failed(self) -> HostFault:
        """Waits until the service has ended, which it must not, and says how."""
        await self.program.wait()
        sentence = f"the service {self.program.ending}; this is no bot's fault"
        return HostFault(self.program.with_last_words(sentence))


@asynccontextmanager
async def running_service(
    log: Path | None = None,
    keeper: Keeper | None = None,
    listen: str | None = None,
    operator_token: str = "",
) -> AsyncIterator[Service]:
    """A service that answers, for as long as the context lasts; `listen` is where bots from elsewhere reach it.

    With an operator's token nobody else opens sessions on it."""
    with tempfile.TemporaryDirectory(prefix="croupier-") as folder:
        target = f"unix:{folder}/service.sock"
        ready = await Pipe.open()
        try:
            argv = _argv(f"{target},{listen}" if listen else target, ready.write_fd)
            program = await Program.start(argv, env=_environment(operator_token), pass_fds=[ready.write_fd], log=log)
            if keeper is not None:
                keeper.guard(program.pid)
            ready.handed_over()
            try:
                await _wait_until_ready(program, ready)
                yield Service(target, program)
            finally:
                await program.stop()
                if keeper is not None:
                    keeper.release(program.pid)
        finally:
            ready.close()


def _argv(target: str, ready_fd: int) -> list[str]:
    options = {
        "--listen": target,
        "--store": "memory",
        "--metrics-listen": "off",
        "--log-format": "json",
        "--log-level": "warning",
        "--drain-s": "0",
        # All bots and the runner share one address; each bot's own rate stays limited by its token.
        "--calls-per-s-per-peer": "1000000",
        "--ready-fd": str(ready_fd),
    }
    return [
        sys.executable,
        "-m",
        "croupier_service",
        *(word for option in options.items() for word in option),
    ]


def _environment(operator_token: str) -> dict[str, str]:
    """Ours without what would set the service up otherwise than `_argv` does."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("CROUPIER_")}
    return ours | ({"CROUPIER_OPERATOR_TOKEN": operator_token} if operator_token else {})


async def _wait_until_ready(program: Program, ready: Pipe) -> None:
    try:
        line = await asyncio.wait_for(ready.reader.readline(), READY_S)
    except TimeoutError:
        raise HostFault(program.with_last_words(f"the service was not ready after {READY_S:.0f} s")) from None
    if line != b"ready\n":
        await program.wait()
        raise HostFault(program.with_last_words(f"the service {program.ending} before it was ready"))
