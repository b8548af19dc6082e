"""The bench itself works: it says all it promises. How fast anything was is not judged here."""

import json
import os
import re
import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path

from rich.console import Console
from tests.bench.languages import ready_languages
from tests.bench.match import lettered_games
from tests.bench.table import Row, machine, show
from tests.bench.targets import move_target
from tests.postgres_server import PROGRAMS as POSTGRES

ROOT = Path(__file__).parents[2]
LETTERS = {1: "abcdef", 2: "ab", 3: "ab", 4: "ab", 5: "abcd", 6: "abc", 7: "abc"}
ROWS = [f"{number}{letter}" for number, letters in LETTERS.items() for letter in letters]
ROWS += [id_ for id_, _ in lettered_games(8)]
ROWS += [row for id_, _ in lettered_games(9) for row in (id_, f"{id_}+")]
ROWS += [f"L{each.name}" for each in ready_languages()]
ROWS += [f"F{letter}" for letter in "abcdefghij"]
ROWS += ["Ra", "Rb"] if POSTGRES is not None else []
ROWS += ["Da", "Db", "Dc"]
DEADLINE_S = 100


def bench(*flags: str) -> subprocess.CompletedProcess[str]:
    """Runs the bench as people do; whatever happens, nothing that it started is left."""
    argv = [sys.executable, "-m", "tests.bench", *flags]
    pipe = subprocess.PIPE
    with subprocess.Popen(argv, cwd=ROOT, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as process:
        try:
            output, errors = process.communicate(timeout=DEADLINE_S)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(argv, process.returncode, output, errors)


def test_a_quick_run_prints_and_keeps_every_row(tmp_path: Path) -> None:
    """`make bench` measures every row it promises, says how, and leaves no process; how fast it was is not judged."""
    kept = tmp_path / "bench.json"
    run = bench("--quick", "--json", str(kept))
    assert run.returncode == 0, run.stderr
    words = [line.split() for line in run.stdout.splitlines()]
    figures = [line[0] for line in words if line and line[0] in ROWS]
    assert figures == ROWS + ROWS, "each row once in the table and once below, with how it was measured"
    results = json.loads(kept.read_text())
    assert [row["id"] for row in results["rows"]] == ROWS
    assert all(row["value"] > 0 for row in results["rows"])
    assert all(row["verdict"] for row in results["rows"] if row["target"])
    assert results["machine"]["cores"] > 0


def test_only_prints_one_row() -> None:
    """`--only` measures what was asked for and nothing else."""
    run = bench("--quick", "--only", "6")
    assert run.returncode == 0, run.stderr
    assert "6a" in run.stdout
    assert "1a" not in run.stdout


def test_a_figure_without_a_target_says_so() -> None:
    """A game that nobody has set a target for is measured, and the table says that nothing is expected of it."""
    assert move_target("somebody_elses_game") is None
    printed = StringIO()
    show(Console(file=printed, width=160), machine(), [Row("9z", "a move", 1.0, "µs", "somehow", 2.0)])
    assert re.search("9z.*0.50 ×.*no target", printed.getvalue())


def test_an_unknown_row_is_refused() -> None:
    """`--only` names the rows there are."""
    run = bench("--only", "0")
    assert run.returncode == 2
    assert "invalid choice: '0'" in run.stderr
