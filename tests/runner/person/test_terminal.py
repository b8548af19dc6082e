"""A person at a real terminal."""

import asyncio
import os
import pty
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

PROGRAM = """
import asyncio
from croupier_runner.person import sit_down
from croupier_runner.terminal import StandardTerminal
terminal = StandardTerminal()
terminal.write(f"interactive: {terminal.interactive}")
try:
    asyncio.run(sit_down("seventeen", 2, {}, [0], {}, bytes(32), terminal))
except KeyboardInterrupt:
    terminal.write("interrupted")
"""


class Screen:
    """What a program shows on a pseudo-terminal."""

    def __init__(self, reader: asyncio.StreamReader, master: int) -> None:
        self._reader = reader
        self._master = master
        self.text = ""

    async def until(self, awaited: str) -> None:
        """Reads on until that is shown."""
        while awaited not in self.text:
            self.text += (await self._reader.read(4096)).decode()

    def type(self, line: str) -> None:
        """Types, and shows what comes from here on."""
        self.text = ""
        os.write(self._master, line.encode())


@asynccontextmanager
async def at_the_table() -> AsyncIterator[tuple[Screen, asyncio.subprocess.Process]]:
    master, slave = pty.openpty()
    reader = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(os.dup(master), "rb", buffering=0)
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
    )
    try:
        yield Screen(reader, master), process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        transport.close()
        os.close(slave)
        os.close(master)


async def test_a_person_at_a_terminal_reads_types_and_leaves_with_control_d() -> None:
    async with at_the_table() as (screen, process):
        await screen.until("> ")
        assert "interactive: True" in screen.text
        screen.type("?\r")
        await screen.until("Type one of:")
        await screen.until("\n> ")
        screen.type("\x04")
        await screen.until("You leave the table")
        assert await process.wait() == 0


async def test_an_interrupt_while_a_person_thinks_ends_the_program() -> None:
    async with at_the_table() as (screen, process):
        await screen.until("> ")
        process.send_signal(signal.SIGINT)
        await screen.until("interrupted")
        assert await process.wait() == 0
