"""The processes that are measured: starting them, reading their CPU time and memory, ending them."""

import asyncio
import os
import socket
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

FORK_SUPPORT = "GRPC_ENABLE_FORK_SUPPORT"
READY_S = 30.0
UNLIMITED = (
    *("--calls-per-s-per-peer", "1000000000"),
    *("--calls-per-s-per-token", "1000000000"),
    *("--max-sessions-per-peer", "1000000000"),
)
"""Nobody who is measured is to wait for a turn."""
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Served:
    """A server process that is ready."""

    process: Process
    target: str
    metrics_url: str = ""

    def cpu_s(self) -> float:
        """The CPU time that all threads of the process have used so far."""
        return cpu_s_of(self.process.pid)

    def rss_bytes(self) -> int:
        """The memory of the process that is in RAM."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * _PAGE_BYTES


def cpu_s_of(pid: int) -> float:
    """The CPU time that all threads of a process have used so far."""
    return time.clock_gettime((~pid << 3) | 2)


@asynccontextmanager
async def service(*, limited: bool = False, store: str = "memory") -> AsyncIterator[Served]:
    """The service as it is shipped, on a unix socket; usually in memory and with no limit that it could meet."""
    metrics = f"127.0.0.1:{_free_port()}"
    flags = ("--metrics-listen", metrics, "--log-level", "warning", "--store", store, *(() if limited else UNLIMITED))
    async with _server("croupier_service", *flags) as served:
        yield replace(served, metrics_url=f"http://{metrics}/metrics")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


@asynccontextmanager
async def echo() -> AsyncIterator[Served]:
    """The floor's server, on a unix socket of its own."""
    async with _server("tests.bench.echo") as served:
        yield served


@asynccontextmanager
async def _server(module: str, *flags: str) -> AsyncIterator[Served]:
    with TemporaryDirectory(prefix="croupier-bench-") as folder:
        target = f"unix:{folder}/socket"
        reading, writing = os.pipe()
        try:
            argv = (module, "--listen", target, "--ready-fd", str(writing), *flags)
            async with program(*argv, pass_fds=(writing,)) as process:
                os.close(writing)
                writing = -1
                await _wait_until_ready(module, reading)
                yield Served(process, target)
        finally:
            os.close(reading)
            if writing >= 0:
                os.close(writing)


async def _wait_until_ready(module: str, fd: int) -> None:
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(fd, readable.set)
    try:
        await asyncio.wait_for(readable.wait(), READY_S)
    finally:
        loop.remove_reader(fd)
    if os.read(fd, 16) != b"ready\n":
        raise RuntimeError(f"{module} ended before it was ready")


@asynccontextmanager
async def program(
    module: str, *flags: str, env: Mapping[str, str] | None = None, pass_fds: tuple[int, ...] = ()
) -> AsyncIterator[Process]:
    """A Python module as a process, for as long as the context lasts.

    It stays in our process group, so that whatever ends the bench ends it too."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("CROUPIER_", FORK_SUPPORT))}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, *flags, env=ours | dict(env or {}), pass_fds=pass_fds
    )
    try:
        yield process
        if process.returncode is not None:
            raise RuntimeError(f"{module} ended while it was measured")
    except Exception as error:
        if process.returncode is not None:  # whatever else went wrong, this is the likely cause
            error.add_note(f"{module} had ended with {process.returncode}")
        raise
    finally:
        # Killed: there is nothing to keep, and one that is stopped heeds nothing else.
        if process.returncode is None:
            process.kill()
        await process.wait()
