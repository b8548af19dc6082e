"""Tournaments of an innocent bot against a hostile one, in whatever sandbox."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from croupier_runner import sandbox

BOTS = Path(__file__).parent / "bots"


@dataclass(frozen=True)
class Played:
    """How a tournament went."""

    rows: dict[str, dict[str, Any]]
    faults: list[dict[str, Any]]
    folder: Path
    stderr: str

    def log(self, bot: str = "hostile") -> str:
        return (self.folder / "logs" / f"{bot}.log").read_text(errors="replace")


@dataclass(frozen=True)
class Cup:
    """A folder with all bots in it."""

    folder: Path

    def run(self, level: str, *command: str, protocol: str = "grpc", limits: str = "", mark: str = "mark") -> Played:
        """Plays the innocent bot against that command; the innocent one has MARK on its command line."""
        self._write(level, command, protocol, limits, mark)
        program = [sys.executable, "-m", "croupier_runner.cli", "run", "cup.toml", "--json", "--logs", "logs"]
        env = {**os.environ, "SECRET_OF_THE_ORGANISER": "42"}
        done = subprocess.run(
            program, cwd=self.folder, env=env, capture_output=True, text=True, timeout=100, check=False
        )
        assert done.returncode == 0, done.stderr
        happenings = [json.loads(line) for line in done.stdout.splitlines()]
        rows = {row["bot"]: row for row in happenings[-1]["standings"]["events"][0]["rows"]}
        return Played(rows, [each for each in happenings if each["event"] == "fault"], self.folder, done.stderr)

    def _write(self, level: str, command: tuple[str, ...], protocol: str, limits: str, mark: str) -> None:
        (self.folder / "cup.toml").write_text(f"""
name = "cup"
seed = 5
blocks = 2
startup = "120s"
[game]
id = "lie"
seats = 2
[clock]
move = "60s"
[limits]
sandbox = "{level}"
{limits}
[[bots]]
name = "innocent"
command = ["python", "innocent.py", "{mark}"]
[[bots]]
name = "hostile"
command = {json.dumps(["python", *command])}
protocol = "{protocol}"
""")


@pytest.fixture
def cup(tmp_path: Path) -> Cup:
    shutil.copytree(BOTS, tmp_path, dirs_exist_ok=True)
    return Cup(tmp_path)


@pytest.fixture
def boxes() -> None:
    """Skips where there can be no boxes, and says why."""
    if trouble := sandbox.why_not():
        pytest.skip(f"NOT TESTED: the box around a bot: {trouble} (Debian's package bubblewrap)")
