"""All measurements, one after the other, beside one floor."""

from collections.abc import Awaitable, Callable, Sequence

from tests.bench import creation, crowd, durability, flood, games, languages, latency, memory, moves, playouts, replicas
from tests.bench.floor import Sizes, running_floor
from tests.bench.lone import running_lone
from tests.bench.plan import Plan
from tests.bench.processes import service
from tests.bench.room import Room
from tests.bench.table import Row

MEASURES: Sequence[tuple[str, Callable[[Room], Awaitable[list[Row]]]]] = (
    ("12", moves.measure),
    ("3", latency.measure),
    ("4", memory.measure),
    ("5", crowd.measure),
    ("6", playouts.measure_lie),
    ("7", creation.measure),
    ("8", playouts.measure_games),
    ("9", games.measure),
    ("L", languages.measure),
    ("F", flood.measure),
    ("R", replicas.measure),
    ("D", durability.measure),
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
