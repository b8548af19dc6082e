"""`python -m tests.bench`: what Croupier costs, as ratios to a floor that is measured beside it."""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import uvloop
from rich.console import Console
from tests.bench.plan import FULL, QUICK
from tests.bench.processes import FORK_SUPPORT
from tests.bench.table import machine, show

NUMBERS = "123456789LFRD"


def main(arguments: Sequence[str]) -> None:
    """The program."""
    parser = argparse.ArgumentParser("python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a short run: it shows that the bench works, no more")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also keep the results there")
    which = f"only this row: one of {', '.join(NUMBERS)}"
    parser.add_argument("--only", action="append", choices=[*NUMBERS], metavar="ROW", help=which)
    flags = parser.parse_args(arguments)
    # gRPC would tell of every process that we start, at length. It reads this when it is imported, which must
    # therefore come later; the processes that are measured do not get it.
    os.environ[FORK_SUPPORT] = "0"
    from tests.bench.suite import measured

    progress = Console(stderr=True, highlight=False)
    begun, on = time.perf_counter(), machine()

    def say(what: str) -> None:
        progress.print(f"[dim]{time.perf_counter() - begun:6.1f} s  {what}[/dim]")

    rows = uvloop.run(measured(QUICK if flags.quick else FULL, "".join(flags.only or NUMBERS), say))
    say("done")
    console = Console() if sys.stdout.isatty() else Console(width=200)
    show(console, on, rows)
    if flags.quick:
        console.print("A quick run: too short to believe its figures.")
    if flags.json:
        results = {"machine": on, "quick": flags.quick, "rows": [row.as_dict() for row in rows]}
        flags.json.write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
