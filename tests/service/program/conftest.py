"""The real program as a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from grpc import aio


class Program:
    """`python -m croupier_service` as a process of its own."""

    def __init__(self, folder: Path, *flags: str, environment: dict[str, str] | None = None) -> None:
        self.log_file = folder / "log"
        read_end, write_end = os.pipe()
        with self.log_file.open("wb") as log:
            self.process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "croupier_service",
                    "--ready-fd",
                    str(write_end),
                    "--log-format",
                    "json",
                    *flags,
                ],
                stderr=log,
                stdout=log,
                pass_fds=[write_end],
                env=os.environ
                | {"CROUPIER_LISTEN": "127.0.0.1:0", "CROUPIER_METRICS_LISTEN": "off", "CROUPIER_STORE": "memory"}
                | (environment or {}),
                start_new_session=True,
            )
        os.close(write_end)
        with os.fdopen(read_end) as ready:
            self.ready = ready.read() == "ready\n"
        self.channels: list[aio.Channel] = []

    @property
    def log(self) -> str:
        return self.log_file.read_text()

    def events(self, name: str) -> list[dict[str, Any]]:
        """The log lines of one event."""
        lines = [json.loads(line) for line in self.log.splitlines()]
        return [line for line in lines if line["event"] == name]

    @property
    def addresses(self) -> list[str]:
        return list(self.events("serving")[0]["addresses"])

    def channel(self, address: str = "") -> aio.Channel:
        channel = aio.insecure_channel(address or self.addresses[0], options=[("grpc.use_local_subchannel_pool", 1)])
        self.channels.append(channel)
        return channel

    async def logged(self, name: str) -> None:
        """Returns when the program has logged such an event."""
        while not re.search(rf'"event": "{name}"', self.log):
            assert self.process.poll() is None, self.log
            await asyncio.sleep(0)

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    async def exit_code(self) -> int:
        return await asyncio.to_thread(self.process.wait)

    async def close(self) -> None:
        for channel in self.channels:
            await channel.close(None)
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


StartProgram: TypeAlias = "Callable[..., Program]"


@pytest.fixture
async def program(tmp_path: Path) -> AsyncIterator[StartProgram]:
    """Starts the real program and waits until it serves, or has ended."""
    programs: list[Program] = []

    def start(*flags: str, environment: dict[str, str] | None = None) -> Program:
        folder = tmp_path / f"program{len(programs)}"
        folder.mkdir()
        programs.append(Program(folder, *flags, environment=environment))
        return programs[-1]

    yield start
    for program in programs:
        await program.close()
