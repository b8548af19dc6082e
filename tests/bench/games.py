"""Row 9: what a move of every installed game costs the service, against empty round trips of that game's own sizes."""

from dataclasses import dataclass
from statistics import mean, median

from tests.bench.creation import Creation, measured_creation, with_creation, without_creation
from tests.bench.floor import Sizes, Trips
from tests.bench.idle import running_idlers
from tests.bench.load import Window, running_load
from tests.bench.lone import running_lone
from tests.bench.match import Match, lettered_games, smallest
from tests.bench.processes import service
from tests.bench.room import Room
from tests.bench.table import Row
from tests.bench.targets import move_target


@dataclass(frozen=True, slots=True)
class Course:
    """What a game was measured to be."""

    match: Match
    sizes: Sizes
    creation: Creation
    floors: list[Trips]
    windows: list[Window]


async def measure(room: Room) -> list[Row]:
    """Game by game."""
    rows = []
    for id_, game in lettered_games(9):
        rows += _rows(id_, await _course(room, id_, smallest(game)), room.plan.games)
    return rows


async def _course(room: Room, id_: str, match: Match) -> Course:
    """The sizes, sessions made and ended, then rounds of: the busy floor, random bots."""
    room.say(f"row {id_}: {room.plan.games} games of {match.game_id} at once")
    plan = room.plan
    floors, windows = [], []
    async with service() as server:
        async with running_lone(server, match) as lone:
            sizes = (await lone.play(plan.lone_games)).sizes
        async with running_idlers(server, match) as idlers:
            creation = await measured_creation(room, server, idlers)
        async with running_load(server, plan.games, plan.reserve, match) as load:
            for _ in range(plan.rounds):
                floors.append(await room.floor.streamed(sizes, 2 * plan.trips, plan.games))
                windows.append(await load.window(plan.window_s))
    return Course(match, sizes, creation, floors, windows)


def _rows(id_: str, course: Course, games: int) -> list[Row]:
    """What a move costs by itself, and what it costs with its share of opening and ending sessions."""
    windows, match = course.windows, course.match
    moves = sum(window.moves for window in windows) / sum(window.ended for window in windows)
    batch = mean(window.batches.mean for window in windows)
    in_play = mean(window.in_play for window in windows)
    floor = median(trips.server_cpu_us for trips in course.floors)
    which = f"{games} streams"
    return [
        Row(
            id_,
            f"server CPU per move of {match.game_id}, moves alone",
            median(without_creation(window, course.creation) for window in windows),
            "µs",
            f"as 1b, {in_play:.0f} games of {match.seats} seats in play, {batch:.1f} turns per message; "
            f"floor: {games} streams busy, {course.sizes}",
            floor,
            move_target(match.game_id),
            floor_is=which,
        ),
        Row(
            f"{id_}+",
            f"the same with sessions of {match.game_id}",
            median(with_creation(window, course.creation) for window in windows),
            "µs",
            f"as 1a: opening and ending a session every {moves:.0f} moves is in it",
            floor,
            floor_is=which,
        ),
    ]
