"""Programs end with all they started, and their last words are kept."""

import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from croupier_runner.processes import STDERR_BYTES, Pipe, Program

Start = Callable[[str], Awaitable[Program]]


@pytest.fixture
async def start() -> AsyncIterator[Start]:
    """Starts a piece of Python; whatever is left is ended afterwards."""
    started: list[Program] = []

    async def run(code: str, pass_fds: tuple[int, ...] = ()) -> Program:
        started.append(await Program.start([sys.executable, "-c", code], env=os.environ, pass_fds=pass_fds))
        return started[-1]

    yield run
    for program in started:
        await program.stop(grace_s=0)


async def test_the_end_of_stderr_is_kept_and_no_more(start: Start) -> None:
    program = await start("import sys; sys.stderr.write('x' * 100_000 + 'last words')")
    await program.wait()

    assert program.stderr.endswith("last words")
    assert len(program.stderr) == STDERR_BYTES


async def test_a_log_gets_all_of_stdout_and_stderr_of_every_start(tmp_path: Path) -> None:
    log = tmp_path / "bot.log"
    code = "import sys; print('o' * 10_000, flush=True); sys.stderr.write('e' * 10_000)"
    for _ in range(2):
        program = await Program.start([sys.executable, "-c", code], env=os.environ, log=log)
        await program.wait()
        await program.stop()

    written = log.read_text()
    assert (written.count("o"), written.count("e")) == (20_000, 20_000)


async def test_the_ending_is_put_in_words(start: Start) -> None:
    left = await start("raise SystemExit(3)")
    killed = await start("import os; os.kill(os.getpid(), 9)")
    await left.wait()
    await killed.wait()

    assert left.ending == "ended with exit code 3"
    assert killed.ending == "was ended by SIGKILL"


async def test_a_program_that_ignores_sigterm_is_killed() -> None:
    ready = await Pipe.open()
    code = (
        "import os, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        f"os.write({ready.write_fd}, b'set\\n'); time.sleep(600)"
    )
    argv = [sys.executable, "-c", code]
    program = await Program.start(argv, env=os.environ, pass_fds=(ready.write_fd,))
    ready.handed_over()
    assert await ready.reader.readline() == b"set\n"
    await program.stop(grace_s=0.05)
    ready.close()

    assert program.ending == "was ended by SIGKILL"


async def test_what_a_program_started_ends_with_it() -> None:
    """The pipe ends only when the last process that holds it has ended: the grandchild."""
    held = await Pipe.open()
    fd = held.write_fd
    code = (
        "import subprocess, sys; subprocess.Popen([sys.executable, '-c', "
        f"\"import os, time; os.write({fd}, b'here\\\\n'); time.sleep(600)\"], pass_fds=[{fd}])"
    )
    program = await Program.start([sys.executable, "-c", code], env=os.environ, pass_fds=(fd,))
    held.handed_over()
    assert await held.reader.readline() == b"here\n"
    await program.wait()
    await program.stop()

    assert await held.reader.read() == b""
    held.close()


async def test_a_program_that_does_not_exist_is_an_oserror() -> None:
    with pytest.raises(FileNotFoundError):
        await Program.start(["/no/such/program"], env=os.environ)
