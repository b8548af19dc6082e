"""Row 3: how long one bot in one game waits from its answer to its next turn."""

from statistics import median, quantiles

from tests.bench.lone import running_lone
from tests.bench.processes import service
from tests.bench.room import Room
from tests.bench.table import Row, Target


async def measure(room: Room) -> list[Row]:
    """Rounds of: the floor, some games."""
    waits: list[list[float]] = []
    floors: list[list[float]] = []
    async with service() as server, running_lone(server) as lone:
        for number in range(room.plan.rounds):
            room.say(f"row 3: one bot, one game, round {number + 1} of {room.plan.rounds}")
            floors.append((await room.floor.streamed(room.sizes, room.plan.trips)).latencies_us)
            waits.append((await lone.play(room.plan.lone_games)).latencies_us)
    return [
        Row(
            "3a",
            "one game, answer to next turn, median",
            median(map(median, waits)),
            "µs",
            f"one bot (croupier_client, default detail) holds both seats, from the choice to the next play(); floor: "
            f"round trips on one stream, {room.sizes}",
            median(map(median, floors)),
            Target(1.5),
            floor_is="1 stream",
        ),
        Row(
            "3b",
            "one game, answer to next turn, p99",
            median(map(_p99, waits)),
            "µs",
            f"the same {sum(map(len, waits)):,} waits; median of the rounds' 99th percentiles, floor too",
            median(map(_p99, floors)),
            floor_is="1 stream",
        ),
    ]


def _p99(figures: list[float]) -> float:
    return quantiles(figures, n=100)[98]
