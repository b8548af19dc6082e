"""The bots of clients/stdio, copied and built where a test may do as it likes."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

STDIO = Path(__file__).parents[3] / "clients" / "stdio"
NEEDS = {
    "shell": (["sh", "random_bot.sh"], ["sh"]),
    "awk": (["sh", "random_bot_awk.sh"], ["sh", "awk"]),
    "perl": (["perl", "random_bot.pl"], ["perl"]),
    "c": (["build/random_bot"], ["make", "cc"]),
}
"""By the names of cup.toml: the command of each bot, and the programs without which it cannot be tested."""


def needed(language: str, programs: list[str]) -> None:
    """Says by name what is not tested because a program is missing."""
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        pytest.skip(f"NOT TESTED: the stdio bot in {language}: {', '.join(missing)} is missing on this machine")


@pytest.fixture(scope="session")
def bots_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of clients/stdio, with the bot in C built in it if this machine can."""
    folder = tmp_path_factory.mktemp("bots") / "stdio"
    shutil.copytree(STDIO, folder, ignore=shutil.ignore_patterns("build", "*.results"))
    if all(map(shutil.which, NEEDS["c"][1])):
        flags = "-O2 -Wall -Wextra -Wpedantic -Werror"
        done = subprocess.run(["make", f"CFLAGS={flags}"], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def command() -> Callable[[str], list[str]]:
    """The command of a bot, by its language; skips the test where that language is missing."""

    def command(language: str) -> list[str]:
        argv, programs = NEEDS[language]
        needed(language, programs)
        return argv

    return command


Talk = Callable[..., list[str]]


@pytest.fixture
def talk(bots_folder: Path) -> Talk:
    """Says lines to a bot, ends its stdin, and gives the lines it wrote until it ended by itself, in peace."""

    def talk(argv: list[str], lines: list[str], seed: str = "9123456789012345678", path: str = "") -> list[str]:
        env = {**os.environ, "CROUPIER_BOT_SEED": seed, "PATH": f"{path}{os.pathsep}{os.environ['PATH']}"}
        said = "".join(f"{line}\n" for line in lines)
        done = subprocess.run(
            argv, cwd=bots_folder, env=env, input=said, capture_output=True, encoding="utf-8", timeout=60, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()

    return talk
