"""Row 7: what a session costs to open and to end, and how long a whole game takes over the wire."""

import asyncio
from dataclasses import dataclass
from statistics import median

from tests.bench.floor import Sizes
from tests.bench.idle import AT_ONCE, NAME, Idlers, running_idlers
from tests.bench.load import Window
from tests.bench.lone import running_lone
from tests.bench.processes import Served, service
from tests.bench.room import Room
from tests.bench.table import Row

SHARE = 10
"""Sessions are so much dearer than round trips; a tenth as many take as long."""


@dataclass(frozen=True, slots=True)
class Creation:
    """What a session costs the service, in µs of CPU."""

    open_us: float
    """CreateSession, the deal, and telling all seats."""
    with_end_us: float
    """That, and the end of the game and telling all seats; not the call that ended it."""
    unary_us: float
    """The floor: an empty unary call of the size of CreateSession."""


async def measured_creation(room: Room, server: Served, idlers: Idlers) -> Creation:
    """Opens sessions for a bot that is connected, then aborts them."""
    share = max(1, room.plan.trips // SHARE // AT_ONCE)
    count = share * AT_ONCE
    sizes = await _sizes(idlers)
    floor = await room.floor.unary(sizes, count, AT_ONCE)
    game_id, seats = idlers.match.game_id, idlers.match.plans(NAME)
    created: list[tuple[str, str]] = []

    async def open_some() -> None:
        for _ in range(share):
            made = await idlers.client.create_session(game_id, seats)
            created.append((made.session.session_id, made.owner_token))

    async def end_some() -> None:
        for _ in range(share):
            await idlers.client.abort_session(*created.pop())

    begun = server.cpu_s()
    await asyncio.gather(*[open_some() for _ in range(AT_ONCE)])
    opened = server.cpu_s()
    await asyncio.gather(*[end_some() for _ in range(AT_ONCE)])
    ended = server.cpu_s()
    open_us = (opened - begun) / count * 1e6
    end_us = (ended - opened) / count * 1e6 - floor.server_cpu_us
    return Creation(open_us, open_us + end_us, floor.server_cpu_us)


def with_creation(window: Window, creation: Creation) -> float:
    """Server CPU per move in µs, as if as many sessions had been opened meanwhile as ended."""
    taken_from_reserve = window.ended - window.opened
    return window.cpu_us + taken_from_reserve * creation.open_us / window.moves


def without_creation(window: Window, creation: Creation) -> float:
    """Server CPU per move in µs, less that of opening and ending sessions meanwhile."""
    return with_creation(window, creation) - window.ended * creation.with_end_us / window.moves


async def _sizes(idlers: Idlers) -> Sizes:
    made = await idlers.client.create_session(idlers.match.game_id, idlers.match.plans(NAME))
    await idlers.client.abort_session(made.session.session_id, made.owner_token)
    return Sizes(len(idlers.match.request(NAME)), made.ByteSize())


async def measure(room: Room) -> list[Row]:
    """Rounds of: the unary floor, sessions opened and ended, the streamed floor, whole games."""
    creations, games_ms, trips_ms = [], [], []
    moves = games = 0
    async with service() as server, running_idlers(server) as idlers, running_lone(server) as lone:
        for number in range(room.plan.rounds):
            room.say(f"row 7: opening sessions, whole games, round {number + 1} of {room.plan.rounds}")
            creations.append(await measured_creation(room, server, idlers))
            trips = await room.floor.streamed(room.sizes, room.plan.trips)
            timings = await lone.play(room.plan.lone_games)
            moves += timings.moves
            games += len(timings.games_ms)
            games_ms.append(median(timings.games_ms))
            trips_ms.append(median(trips.latencies_us) / 1e3)
    return _rows(creations, median(games_ms), median(trips_ms), moves / games)


def _rows(creations: list[Creation], game_ms: float, trip_ms: float, moves: float) -> list[Row]:
    unary = median(creation.unary_us for creation in creations)
    return [
        Row(
            "7a",
            "server CPU to open a session",
            median(creation.open_us for creation in creations),
            "µs",
            f"CreateSession by AsyncClient, {AT_ONCE} calls at once, two seats of a connected bot: dealt, both told; "
            "floor: an empty unary call of that size",
            unary,
            floor_is="unary call",
        ),
        Row(
            "7b",
            "server CPU to open and end a session",
            median(creation.with_end_us for creation in creations),
            "µs",
            "7a and AbortSession, which tells both seats, less one empty unary call; no moves; floor as 7a",
            unary,
            floor_is="unary call",
        ),
        Row(
            "7c",
            "a whole game over the wire",
            game_ms,
            "ms",
            f"median from CreateSession until one bot with both seats hears of the end, {moves:.0f} moves on average; "
            "floor: as many empty round trips",
            trip_ms * moves,
            floor_is="1 stream",
        ),
    ]
