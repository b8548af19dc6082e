"""Rows 1 and 2: what a move costs the service, and how many it referees, with two bot processes and many games."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import mean, median

from tests.bench.creation import Creation, measured_creation, with_creation, without_creation
from tests.bench.floor import Sizes, Trips
from tests.bench.idle import running_idlers
from tests.bench.load import Window, running_load
from tests.bench.processes import service
from tests.bench.room import Room
from tests.bench.table import Row, Target

CPU_TARGET = Target(1.0, goal=0.5)
RATE_TARGET = Target(15_000, goal=40_000, at_most=False, of_ratio=False)


@dataclass(frozen=True, slots=True)
class Rounds:
    """What was measured, round by round."""

    games: int
    sizes: Sizes
    lone_trips: list[Trips] = field(default_factory=list)
    busy_trips: list[Trips] = field(default_factory=list)
    random: list[Window] = field(default_factory=list)
    patient: list[Window] = field(default_factory=list)
    creations: list[Creation] = field(default_factory=list)

    @property
    def busy_us(self) -> float:
        """The floor of these rows: an empty round trip of a server that has no time to sleep in between."""
        return median(trips.server_cpu_us for trips in self.busy_trips)


async def measure(room: Room) -> list[Row]:
    """Rounds of: the floor on one stream, random bots, the floor on many, patient bots, sessions made and ended."""
    plan = room.plan
    rounds = Rounds(plan.games, room.sizes)
    async with (
        service() as server,
        service() as other,
        running_load(server, plan.games, plan.reserve) as load,
        running_load(other, plan.games, plan.reserve, patient=True) as patient_load,
        running_idlers(server) as idlers,
    ):
        for number in range(plan.rounds):
            room.say(f"rows 1 and 2: {plan.games} games at once, round {number + 1} of {plan.rounds}")
            rounds.lone_trips.append(await room.floor.streamed(room.sizes, plan.trips))
            rounds.random.append(await load.window(plan.window_s))
            rounds.busy_trips.append(await room.floor.streamed(room.sizes, 2 * plan.trips, plan.games))
            rounds.patient.append(await patient_load.window(plan.window_s))
            rounds.creations.append(await measured_creation(room, server, idlers))
    return [*_cost_rows(rounds), *_batch_and_floor_rows(rounds), *_rate_rows(rounds)]


def _cost_rows(rounds: Rounds) -> list[Row]:
    random, patient = rounds.random, rounds.patient
    random_us = list(map(with_creation, random, rounds.creations))
    patient_us = list(map(with_creation, patient, rounds.creations))
    alone_us = list(map(without_creation, random, rounds.creations))
    set_up = f"two bot processes (croupier_client, default detail), {rounds.games} games of two seats, default options"
    rows = (
        (
            "1a",
            "random bots",
            random_us,
            f"{set_up}; opening and ending a session every {_moves_per_game(random):.0f} moves is in it; floor: 1e",
        ),
        (
            "1b",
            "random bots, moves alone",
            alone_us,
            "1a less the CPU of opening and ending the sessions, as row 7b measures it in the same rounds; floor: 1e",
        ),
        (
            "1c",
            "patient bots",
            patient_us,
            "as 1a, but bots that bid one of the three lowest bids and challenge when they must: a session every "
            f"{_moves_per_game(patient):.0f} moves; floor: 1e",
        ),
    )
    which = f"{rounds.games} streams"
    return [
        Row(id_, f"server CPU per move, {kind}", median(us), "µs", how, rounds.busy_us, CPU_TARGET, which)
        for id_, kind, us, how in rows
    ]


def _batch_and_floor_rows(rounds: Rounds) -> list[Row]:
    lone_us = median(trips.server_cpu_us for trips in rounds.lone_trips)
    return [
        Row(
            "1d",
            "turns per message to a bot, random bots",
            _averaged(rounds.random, lambda window: window.batches.mean),
            "turns",
            "the service's croupier_stream_turns in the windows of 1a; patient bots: "
            f"{_averaged(rounds.patient, lambda window: window.batches.mean):.1f}",
        ),
        Row(
            "1e",
            f"floor: server CPU per empty trip, {rounds.games} streams",
            rounds.busy_us,
            "µs",
            f"{rounds.sizes}, one message under way on each: the server is always busy; the floor of rows 1 and 9",
        ),
        Row(
            "1f",
            "floor: server CPU per empty trip, 1 stream",
            lone_us,
            "µs",
            f"{rounds.sizes}: dearer, because the server sleeps and wakes up for each; the floor of latencies only",
        ),
    ]


def _rate_rows(rounds: Rounds) -> list[Row]:
    floor = median(trips.per_s for trips in rounds.busy_trips)
    return [
        Row(
            id_,
            f"moves per second, {kind} bots",
            median(window.moves_per_s for window in windows),
            "/s",
            f"the windows of {same}, {_averaged(windows, lambda window: window.in_play):.1f} games in play on average; "
            f"service, both bots and the driver on all cores; floor: empty trips per second, one client",
            floor,
            RATE_TARGET,
            f"{rounds.games} streams",
        )
        for id_, kind, windows, same in (
            ("2a", "random", rounds.random, "1a"),
            ("2b", "patient", rounds.patient, "1c"),
        )
    ]


def _moves_per_game(windows: Sequence[Window]) -> float:
    return sum(window.moves for window in windows) / sum(window.ended for window in windows)


def _averaged(windows: Sequence[Window], figure: Callable[[Window], float]) -> float:
    return mean(map(figure, windows))
