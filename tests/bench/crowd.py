"""Row 5: whether a move costs the same however many other sessions are open."""

from contextlib import AsyncExitStack
from statistics import median

from tests.bench.idle import running_idlers
from tests.bench.load import Load, running_load
from tests.bench.processes import service
from tests.bench.room import Room
from tests.bench.table import Row, Target

FLAT = Target(1.1)
"""As flat as can be told from noise."""


async def measure(room: Room) -> list[Row]:
    """A service per crowd, all open at the same time; their rounds take turns."""
    crowds = room.plan.crowds
    async with AsyncExitStack() as stack:
        loads: dict[int, Load] = {}
        for crowd in crowds:
            room.say(f"row 5: opening {crowd:,} other sessions")
            server = await stack.enter_async_context(service())
            idlers = await stack.enter_async_context(running_idlers(server))
            await idlers.raise_to(crowd)
            loads[crowd] = await stack.enter_async_context(running_load(server, room.plan.games, reserve=0))
        costs: dict[int, list[float]] = {crowd: [] for crowd in crowds}
        for number in range(room.plan.rounds):
            room.say(f"row 5: moves beside other sessions, round {number + 1} of {room.plan.rounds}")
            for crowd, load in loads.items():
                costs[crowd].append((await load.window(room.plan.window_s)).cpu_us)
    floor = median(costs[crowds[1]])
    return [
        Row(
            f"5{letter}",
            f"server CPU per move beside {crowd:,} other sessions",
            median(costs[crowd]),
            "µs",
            f"as 1a (at most {room.plan.games} games, no reserve) with {crowd:,} idle sessions; "
            f"floor: this row's figure beside {crowds[1]:,}",
            floor,
            FLAT,
            floor_is=f"beside {crowds[1]:,}",
        )
        for letter, crowd in zip("abcd", crowds, strict=True)
    ]
