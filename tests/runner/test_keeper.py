"""However the runner ends, its processes end: the keeper sees to it, and spares whom it must."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from croupier_runner import keeper_program
from croupier_runner.keeper import Keeper
from croupier_runner.processes import Program

STAND_IN = """
import asyncio, os, sys
from croupier_runner.keeper import Keeper
from croupier_runner.processes import Program

BOT = '''
import signal, subprocess, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
held = open({fifo!r}, "w")
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], pass_fds=[held.fileno()])
held.write("here\\\\n")
held.flush()
while True: signal.pause()
'''

async def main():
    async with Keeper() as keeper:
        for _ in range(2):
            program = await Program.start([sys.executable, "-c", BOT], env=os.environ)
            keeper.guard(program.pid)
        await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_nothing_is_left_of_a_runner_that_was_killed(tmp_path: Path, number: int) -> None:
    """Neither its bots nor what they started, nor the keeper: each pipe ends when the last that holds it has ended.

    The stand-in does nothing about SIGTERM either, which goes to its whole group."""
    fifo = tmp_path / "held"
    os.mkfifo(fifo)
    code = STAND_IN.format(fifo=str(fifo))
    runner = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stderr=asyncio.subprocess.PIPE, start_new_session=True
    )
    held = await asyncio.to_thread(open, fifo, "rb")
    assert [await asyncio.to_thread(held.readline) for _ in range(2)] == [b"here\n"] * 2
    os.killpg(runner.pid, number)

    assert await asyncio.to_thread(held.read) == b""
    held.close()
    assert runner.stderr is not None
    assert await runner.stderr.read() == b""
    assert await runner.wait() == -number


async def sleeper() -> Program:
    return await Program.start([sys.executable, "-c", "import time; time.sleep(600)"], env=os.environ)


async def test_a_group_that_was_released_is_left_alone() -> None:
    released, guarded = await sleeper(), await sleeper()
    async with Keeper() as keeper:
        for program in (released, guarded):
            keeper.guard(program.pid)
        keeper.release(released.pid)
    await guarded.wait()

    assert guarded.ending == "was ended by SIGKILL"
    assert released.running
    for program in (released, guarded):
        await program.stop()


async def test_a_number_that_somebody_else_has_by_now_is_spared() -> None:
    """The leader that was guarded was started at another time than the one that has its number."""
    another, same = await sleeper(), await sleeper()
    keeper_program.end({another.pid: "1", same.pid: keeper_program.started(same.pid)})
    await same.wait()
    for program in (another, same):
        await program.stop()

    assert same.ending == "was ended by SIGKILL"
    assert another.ending == "was ended by SIGTERM"


async def test_a_keeper_that_dies_is_told_of_once_and_missed_by_nobody() -> None:
    said: asyncio.Queue[str] = asyncio.Queue()
    async with Keeper(said.put_nowait) as keeper:
        assert keeper.pid is not None
        keeper.guard(2**22)
        os.kill(keeper.pid, signal.SIGKILL)
        sentence = await said.get()
        keeper.guard(2**22)
        keeper.release(2**22)

    assert "the keeper, which ends all bots should this program be killed, has ended" in sentence
    assert said.empty()


async def test_a_keeper_that_cannot_be_started_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    async with Keeper(said.append) as keeper:
        keeper.guard(2**22)

    assert len(said) == 1
    assert "cannot be started (No such file or directory)" in said[0]
