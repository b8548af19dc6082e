"""`python -m tests.bench`: what Croupier costs, as ratios to a floor that is measured beside it."""

import argparse
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import uvloop
from rich.console import Console

from tests.bench import creation, crowd, latency, memory, moves, playouts
from tests.bench.floor import Sizes, running_floor
from tests.bench.lone import running_lone
from tests.bench.plan import FULL, QUICK, Plan
from tests.bench.processes import service
from tests.bench.room import Room
from tests.bench.table import Row, machine, show

MEASURES: Sequence[tuple[str, Callable[[Room], Awaitable[list[Row]]]]] = (
    ("12", moves.measure),
    ("3", latency.measure),
    ("4", memory.measure),
    ("5", crowd.measure),
    ("6", playouts.measure),
    ("7", creation.measure),
)
"""Which rows each measurement gives."""


async def measured(plan: Plan, wanted: str, say: Callable[[str], None]) -> list[Row]:
    """All rows whose numbers are wanted."""
    async with running_floor() as floor:
        say("the sizes of turns and answers")
        room = Room(plan, floor, await _sizes(plan), say)
        rows = [row for ids, measure in MEASURES if set(ids) & set(wanted) for row in await measure(room)]
    return [row for row in rows if row.id[0] in wanted]


async def _sizes(plan: Plan) -> Sizes:
    async with service() as server, running_lone(server) as lone:
        return (await lone.play(plan.lone_games)).sizes


def main(arguments: Sequence[str]) -> None:
    """The program."""
    numbers = "".join(ids for ids, _ in MEASURES)
    parser = argparse.ArgumentParser("python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a short run: it shows that the bench works, no more")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also keep the results there")
    parser.add_argument(
        "--only", action="append", choices=list(numbers), metavar="ROW", help=f"only this row, {numbers[0]} to 7"
    )
    flags = parser.parse_args(arguments)
    # gRPC would tell of every process we start, at length. They exec at once: there is nothing to prepare for.
    os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"
    progress = Console(stderr=True, highlight=False)
    begun, on = time.perf_counter(), machine()

    def say(what: str) -> None:
        progress.print(f"[dim]{time.perf_counter() - begun:6.1f} s  {what}[/dim]")

    plan = QUICK if flags.quick else FULL
    rows = uvloop.run(measured(plan, "".join(flags.only or numbers), say))
    say("done")
    console = Console() if sys.stdout.isatty() else Console(width=160)
    show(console, on, rows)
    if flags.quick:
        console.print("A quick run: too short to believe its figures.")
    if flags.json:
        results = {"machine": on, "quick": flags.quick, "rows": [row.as_dict() for row in rows]}
        flags.json.write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
