"""Programs end with all they started, and their last words are kept."""

import asyncio
import os
import sys
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from croupier_runner.outputs import CHUNK_BYTES, Output
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


async def test_a_log_is_bounded_and_says_where_it_was_cut(tmp_path: Path) -> None:
    """Over all starts together; the program itself goes on, and the last words are still the last."""
    log = tmp_path / "bot.log"
    code = (
        "import sys; print('o' * 300_000, flush=True); sys.stderr.write('e' * 300_000 + 'last words'); "
        "print('o' * 300_000); sys.exit(4)"
    )
    for _ in range(2):
        program = await Program.start([sys.executable, "-c", code], env=os.environ, log=log, log_bytes=400_000)
        await program.wait()
        await program.stop()
        assert program.exit_code == 4
        assert program.stderr.endswith("last words")

    kept, _, notice = log.read_text().partition("\n[")
    assert len(kept.replace("\n", "")) in (399_999, 400_000)  # with or without the end of the first line
    assert notice == "croupier: cut here, this log holds 400000 bytes]\n"


async def test_a_flood_costs_little_memory_and_the_program_can_be_ended(tmp_path: Path) -> None:
    """A program that never stops writing waits for us, not we for it."""
    log = tmp_path / "bot.log"
    ready = await Pipe.open()
    flood = "os.write(1, b'o' * 65536); os.write(2, b'e' * 65536)"
    code = f"import os\nfor _ in range(50): {flood}\nos.write({ready.write_fd}, b'!')\nwhile True: {flood}"
    argv = [sys.executable, "-c", code]
    tracemalloc.start()
    program = await Program.start(argv, env=os.environ, pass_fds=[ready.write_fd], log=log, log_bytes=2**20)
    ready.handed_over()
    assert await ready.reader.read(1) == b"!"
    await program.stop()
    ready.close()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert program.ending == "was ended by SIGTERM"
    assert log.stat().st_size < 2**20 + 100
    assert peak < 4 * 2**20


async def test_what_comes_beyond_the_bound_is_read_slowly(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A pause for each chunk, so that whoever floods us does not keep us busy."""
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", pause)
    reader = asyncio.StreamReader()
    reader.feed_data(b"x" * 10 * CHUNK_BYTES)
    reader.feed_eof()
    output = Output(tmp_path / "log", 4 * CHUNK_BYTES)
    await output.take(reader)
    output.close()

    assert len(pauses) == 6


async def test_a_full_disk_leaves_no_program_waiting() -> None:
    program = await Program.start(
        [sys.executable, "-c", "print('o' * 10**6); raise SystemExit('last words')"],
        env=os.environ,
        log=Path("/dev/full"),
    )
    await program.wait()
    await program.stop()

    assert (program.exit_code, program.stderr) == (1, "last words")


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


async def test_last_words_hold_nothing_that_a_terminal_would_obey() -> None:
    """A bot could otherwise wipe the organiser's screen, or rename its window, with what it says when it ends."""
    script = "import sys; sys.stderr.write('\\x1b[2J\\x1b]0;mine\\x07one\\ttwo\\r\\nthr\u00e9e\\x00')"
    program = await Program.start([sys.executable, "-c", script], env={})
    await program.wait()
    await program.stop()
    assert program.stderr == "\ufffd[2J\ufffd]0;mine\ufffdone\ttwo\nthr\u00e9e\ufffd"
