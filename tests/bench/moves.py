"""Rows 1 and 2: what a move costs the service, and how many it referees, with two bot processes and 64 games."""

from statistics import median

from tests.bench.creation import Creation, measured_creation
from tests.bench.idle import running_idlers
from tests.bench.load import Window, running_load
from tests.bench.plan import GAMES_AT_ONCE
from tests.bench.processes import service
from tests.bench.room import Room
from tests.bench.table import Row, Target

CPU_TARGET = Target(1.0, goal=0.5)
RATE_TARGET = Target(15_000, goal=40_000, at_most=False, of_ratio=False)
SET_UP = f"two bot processes (croupier_client, default detail), {GAMES_AT_ONCE} games of two seats, default options"


async def measure(room: Room) -> list[Row]:
    """Rounds of: the floor on one stream and on 64, random bots, patient bots, sessions made and ended."""
    cpu_floors, busy, creations = [], [], []
    random: list[Window] = []
    patient: list[Window] = []
    async with (
        service() as server,
        service() as other,
        running_load(server) as load,
        running_load(other, patient=True) as patient_load,
        running_idlers(server) as idlers,
    ):
        for number in range(room.plan.rounds):
            room.say(f"rows 1 and 2: {GAMES_AT_ONCE} games at once, round {number + 1} of {room.plan.rounds}")
            cpu_floors.append((await room.floor.streamed(room.sizes, room.plan.trips)).server_cpu_us)
            random.append(await load.window(room.plan.window_s))
            busy.append(await room.floor.streamed(room.sizes, 2 * room.plan.trips, GAMES_AT_ONCE))
            patient.append(await patient_load.window(room.plan.window_s))
            creations.append(await measured_creation(room, server, idlers))
    crowded_us = median(trips.server_cpu_us for trips in busy)
    note = f"floor: one stream, {room.sizes} (64 streams at once: {crowded_us:.1f} µs)"
    rates = median(trips.per_s for trips in busy)
    return [
        *_cost_rows(random, patient, creations, median(cpu_floors), note),
        *_rate_rows(random, patient, rates),
    ]


def _cost_rows(
    random: list[Window], patient: list[Window], creations: list[Creation], floor: float, note: str
) -> list[Row]:
    net = [_without(window, made) for window, made in zip(random, creations, strict=True)]
    per_game = [sum(w.moves for w in windows) / max(1, sum(w.games for w in windows)) for windows in (random, patient)]
    what = "server CPU per move"
    return [
        Row(
            "1a",
            f"{what}, random bots",
            median(window.cpu_us for window in random),
            "µs",
            f"{SET_UP}; opening and ending a session every {per_game[0]:.0f} moves is in it; {note}",
            floor,
            CPU_TARGET,
        ),
        Row(
            "1b",
            f"{what}, random bots, moves alone",
            median(net),
            "µs",
            "1a less the CPU of opening and ending the sessions, as row 7b measures it in the same rounds",
            floor,
            CPU_TARGET,
        ),
        Row(
            "1c",
            f"{what}, patient bots",
            median(window.cpu_us for window in patient),
            "µs",
            "as 1a, but bots that bid one of the three lowest bids and challenge when they must: a session every "
            f"{per_game[1]:.0f} moves",
            floor,
            CPU_TARGET,
        ),
    ]


def _without(window: Window, creation: Creation) -> float:
    return (window.server_cpu_s * 1e6 - window.games * creation.with_end_us) / window.moves


def _rate_rows(random: list[Window], patient: list[Window], floor: float) -> list[Row]:
    how = (
        "the same windows as {0}, service, both bots and the driver on all cores; "
        "floor: empty round trips per second, one client, 64 streams"
    )
    return [
        Row(
            id_,
            f"moves per second, {kind} bots",
            median(window.moves_per_s for window in windows),
            "/s",
            how.format(same),
            floor,
            RATE_TARGET,
        )
        for id_, kind, windows, same in (("2a", "random", random, "1a"), ("2b", "patient", patient, "1c"))
    ]
