"""A bot that takes too much dies itself, alone, and what it took is named, as far as can be told."""

import os
import sys
from pathlib import Path

import pytest

from croupier_runner.bridge import bridged
from croupier_runner.errors import ConfigError
from croupier_runner.limits import Limits, cause_of_end, check_processes, limited, why_it_ended, why_not
from croupier_runner.processes import Program

MIB = 2**20
HUNGRY = "hoard = []\nwhile True: hoard.append(bytearray(2**24))"


async def run(argv: list[str]) -> Program:
    program = await Program.start(argv, env=os.environ)
    await program.wait()
    await program.stop()
    return program


async def test_a_hungry_bot_dies_of_its_hunger_and_nobody_else_does() -> None:
    modest = await Program.start(
        limited([sys.executable, "-c", "import time; time.sleep(600)"], Limits(memory_bytes=256 * MIB)), env=os.environ
    )
    hungry = await run(limited([sys.executable, "-c", HUNGRY], Limits(memory_bytes=256 * MIB)))

    assert hungry.exit_code == 1
    assert cause_of_end(hungry.exit_code, hungry.stderr) == "memory"
    assert modest.running
    await modest.stop()


async def test_behind_the_bridge_the_limit_is_the_bots_and_so_is_the_cause() -> None:
    """The bridge itself needs more than the 64 MiB that this bot may take, and ends as the bot does."""
    code = "import sys; print('{\"want\": {}}', flush=True)\n" + HUNGRY
    env = {**os.environ, "CROUPIER_TARGET": "unix:/nowhere/croupier.sock", "CROUPIER_TOKEN": "t" * 24}
    program = await Program.start(
        bridged(limited([sys.executable, "-c", code], Limits(memory_bytes=64 * MIB))), env=env
    )
    await program.wait()
    await program.stop()

    assert program.exit_code == 1
    assert "the bot ended with exit code 1 before the games were over" in program.stderr
    assert cause_of_end(program.exit_code, program.stderr) == "memory"


async def test_the_limit_is_for_each_process_by_itself() -> None:
    """As docs/limits.md says: two that take 150 MiB each stay within 256 MiB."""
    take = "hoard = bytearray(150 * 2**20)"
    both = f"import subprocess, sys; {take}; sys.exit(subprocess.call([sys.executable, '-c', {take!r}]))"
    program = await run(limited([sys.executable, "-c", both], Limits(memory_bytes=256 * MIB)))

    assert (program.exit_code, program.stderr) == (0, "")


async def test_a_limited_program_leaves_no_core_file() -> None:
    code = "import resource, sys; sys.exit(resource.getrlimit(resource.RLIMIT_CORE) != (0, 0))"
    program = await run(limited([sys.executable, "-c", code], Limits(memory_bytes=256 * MIB)))

    assert program.exit_code == 0


async def test_address_space_that_is_only_reserved_counts_where_it_is_asked_for() -> None:
    """Runtimes reserve much and use little, so `memory` lets them; `address_space` does not."""
    reserve = "import mmap; mmap.mmap(-1, 2**30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)"
    argv = [sys.executable, "-c", reserve]

    assert (await run(limited(argv, Limits(memory_bytes=256 * MIB)))).exit_code == 0
    refused = await run(limited(argv, Limits(address_space_bytes=256 * MIB)))
    assert cause_of_end(refused.exit_code, refused.stderr) == "memory"


async def test_every_limit_reaches_the_program() -> None:
    limits = Limits(1 * MIB * 512, 4 * 1024 * MIB, 60, 4000, 100, 3 * MIB)
    names = ("DATA", "AS", "NPROC", "NOFILE", "FSIZE", "CPU")
    code = f"import resource; print(*(resource.getrlimit(getattr(resource, 'RLIMIT_' + name))[0] for name in {names}))"
    program = await run(limited([sys.executable, "-c", f"import sys; sys.stdout = sys.stderr; {code}"], limits))

    assert program.stderr == f"{512 * MIB} {4096 * MIB} 4000 100 {3 * MIB} 60"


def test_a_number_of_processes_is_refused_where_it_would_limit_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    check_processes(Limits(processes=10))
    monkeypatch.setattr(os, "getuid", lambda: 0)
    check_processes(Limits(memory_bytes=MIB))
    with pytest.raises(ConfigError, match=r"limits\.processes limits nobody here.*run the tournament as another user"):
        check_processes(Limits(processes=10))


def test_without_a_limit_a_command_stays_as_it_is() -> None:
    assert limited(("python", "bot.py"), Limits()) == ["python", "bot.py"]


def test_a_machine_that_cannot_limit_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    why_not.cache_clear()
    with pytest.raises(ConfigError, match=r"\[limits\] cannot be kept here: there is no program 'prlimit'; install"):
        limited(["python", "bot.py"], Limits(memory_bytes=MIB))
    (tmp_path / "prlimit").write_text("#!/bin/sh\necho not today >&2; exit 1\n")
    (tmp_path / "prlimit").chmod(0o755)
    why_not.cache_clear()
    with pytest.raises(ConfigError, match=r"'prlimit' does not work \(not today\)"):
        limited(["python", "bot.py"], Limits(memory_bytes=MIB))
    why_not.cache_clear()


@pytest.mark.parametrize(
    ("exit_code", "stderr", "cause"),
    [
        (1, "Traceback (most recent call last):\n  …\nMemoryError", "memory"),
        (1, "numpy._core._exceptions._ArrayMemoryError: Unable to allocate 8.00 GiB for an array", "memory"),
        (-6, "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc", "memory"),
        (-6, "memory allocation of 8589934592 bytes failed", "memory"),
        (2, "fatal error: runtime: out of memory\n\ngoroutine 1 [running]:\n…", "memory"),
        (-5, "# Fatal process OOM in Failed to reserve virtual memory for CodeRange", "memory"),
        (1, 'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space', "memory"),
        (120, "MemoryError\ncroupier bridge: the bot ended with exit code 1 before the games were over", "memory"),
        (1, "ValueError: no idea", "crash"),
        (1, "MemoryError\n" + "plays on\n" * 20 + "ValueError: no idea", "crash"),
        (-9, "", "crash"),
        (-11, "", "crash"),
        (0, "MemoryError", "crash"),
        (1, "ValueError: TooMuchMemoryError is not what this is", "crash"),
    ],
)
def test_the_cause_is_what_the_last_lines_say(exit_code: int, stderr: str, cause: str) -> None:
    assert cause_of_end(exit_code, stderr) == cause


@pytest.mark.parametrize(
    ("exit_code", "stderr", "clause"),
    [
        (-24, "", "its CPU time was used up (limits.cpu)"),
        (152, "", "its CPU time was used up (limits.cpu)"),
        (-25, "", "it wrote more into a file than it may (limits.file_size)"),
        (1, "OSError: [Errno 27] File too large", "it wrote more into a file than it may (limits.file_size)"),
        (1, "OSError: [Errno 28] No space left on device", "there was no space left to write to (limits.scratch)"),
        (1, "RuntimeError: can't start new thread", "it was refused another process or thread (limits.processes)"),
        (
            2,
            "sh: 1: Cannot fork: Resource temporarily unavailable",
            "it was refused another process or thread (limits.processes)",
        ),
        (1, "socket.recv\n…\nBlockingIOError: [Errno 11] Resource temporarily unavailable", ""),
        (1, "MemoryError", "it was refused memory"),
        (0, "MemoryError", ""),
        (1, "ValueError: no idea", ""),
        (-9, "", ""),
    ],
)
def test_which_limit_it_was_is_said_where_it_can_be_told(exit_code: int, stderr: str, clause: str) -> None:
    assert why_it_ended(exit_code, stderr) == clause


def test_what_a_program_wrote_is_searched_in_no_time() -> None:
    """It writes what it likes: words made to keep a search busy for minutes are done with at once."""
    assert why_it_ended(1, "\n" + "fork" * 1023) == ""
    assert why_it_ended(1, "a." * 2000 + "\n" + "EAGAIN " * 500) == ""
    assert "another process" in why_it_ended(1, "OSError in fork:\n[Errno 11] Resource temporarily unavailable")
    assert "another process" in why_it_ended(1, "RuntimeError: can't start new thread")
