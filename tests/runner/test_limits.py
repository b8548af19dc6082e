"""A bot that takes too much memory dies itself, alone, and is told apart from one that crashed, as far as can be."""

import os
import sys
from pathlib import Path

import pytest

from croupier_runner.bridge import bridged
from croupier_runner.errors import ConfigError
from croupier_runner.limits import cause_of_end, limited, why_not
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
        limited([sys.executable, "-c", "import time; time.sleep(600)"], 256 * MIB), env=os.environ
    )
    hungry = await run(limited([sys.executable, "-c", HUNGRY], 256 * MIB))

    assert hungry.exit_code == 1
    assert cause_of_end(hungry.exit_code, hungry.stderr) == "memory"
    assert modest.running
    await modest.stop()


async def test_behind_the_bridge_the_limit_is_the_bots_and_so_is_the_cause() -> None:
    """The bridge itself needs more than the 64 MiB that this bot may take, and ends as the bot does."""
    code = "import sys; print('{\"want\": {}}', flush=True)\n" + HUNGRY
    env = {**os.environ, "CROUPIER_TARGET": "unix:/nowhere/croupier.sock", "CROUPIER_TOKEN": "t" * 24}
    program = await Program.start(bridged(limited([sys.executable, "-c", code], 64 * MIB)), env=env)
    await program.wait()
    await program.stop()

    assert program.exit_code == 1
    assert "the bot ended with exit code 1 before the games were over" in program.stderr
    assert cause_of_end(program.exit_code, program.stderr) == "memory"


async def test_the_limit_is_for_each_process_by_itself() -> None:
    """As docs/limits.md says: two that take 150 MiB each stay within 256 MiB."""
    take = "hoard = bytearray(150 * 2**20)"
    both = f"import subprocess, sys; {take}; sys.exit(subprocess.call([sys.executable, '-c', {take!r}]))"
    program = await run(limited([sys.executable, "-c", both], 256 * MIB))

    assert (program.exit_code, program.stderr) == (0, "")


async def test_a_limited_program_leaves_no_core_file() -> None:
    code = "import resource, sys; sys.exit(resource.getrlimit(resource.RLIMIT_CORE) != (0, 0))"
    program = await run(limited([sys.executable, "-c", code], 256 * MIB))

    assert program.exit_code == 0


def test_without_a_limit_a_command_stays_as_it_is() -> None:
    assert limited(("python", "bot.py"), None) == ["python", "bot.py"]


def test_a_machine_that_cannot_limit_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    why_not.cache_clear()
    with pytest.raises(
        ConfigError, match=r"limits\.memory cannot be kept here: there is no program 'prlimit'; install"
    ):
        limited(["python", "bot.py"], MIB)
    (tmp_path / "prlimit").write_text("#!/bin/sh\necho not today >&2; exit 1\n")
    (tmp_path / "prlimit").chmod(0o755)
    why_not.cache_clear()
    with pytest.raises(ConfigError, match=r"'prlimit' does not work \(not today\)"):
        limited(["python", "bot.py"], MIB)
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
