"""Row 4: the memory that a session takes while it waits for somebody's decision."""

from tests.bench.idle import running_idlers
from tests.bench.processes import service
from tests.bench.room import Room
from tests.bench.table import Row, Target

KIB = 1024


async def measure(room: Room) -> list[Row]:
    """Reads the service's memory with one session, with some and with many."""
    some, many = room.plan.idle
    async with service() as server, running_idlers(server) as idlers:
        rss = {}
        for count in (1, some, many):
            room.say(f"row 4: {count:,} idle sessions")
            await idlers.raise_to(count)
            rss[count] = server.rss_bytes()
    target = Target(16.0, of_ratio=False)
    setting = "dealt, two seats of one connected bot that never answers, memory store"
    return [
        Row(
            "4a",
            f"memory per idle session, {many:,} open",
            (rss[many] - rss[1]) / (many - 1) / KIB,
            "KiB",
            f"RSS of the service with {many:,} sessions less that with one ({rss[1] / KIB / KIB:.0f} MiB); {setting}",
            target=target,
        ),
        Row(
            "4b",
            f"memory per idle session, {some:,} to {many:,}",
            (rss[many] - rss[some]) / (many - some) / KIB,
            "KiB",
            "the slope of the same readings",
            target=target,
        ),
    ]
