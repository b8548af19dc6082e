"""Row 6: how fast the rules are with no wire."""

import time
from collections.abc import Callable
from random import Random
from statistics import median

from tests.bench.room import Room
from tests.bench.table import Row, Target

from croupier_games import GAMES, State
from croupier_games.chance import SEED_BYTES

LIE = GAMES["lie"]
TARGET = Target(100_000, at_most=False, of_ratio=False)


async def measure(room: Room) -> list[Row]:
    """Rounds of: play-outs of two seats, of four seats, and with the views of two."""
    kinds: list[tuple[str, str, int, Callable[[State, Random], int], str]] = [
        ("6a", "play-outs, 2 seats", 2, play_out, "new, then legal and play, uniformly random choices"),
        ("6b", "play-outs, 4 seats", 4, play_out, "as 6a with four seats"),
        ("6c", "play-outs with views, 2 seats", 2, play_out_seeing, "as 6a, and the decider's view before each action"),
    ]
    rates: dict[str, list[float]] = {kind[0]: [] for kind in kinds}
    for number in range(room.plan.rounds):
        room.say(f"row 6: play-outs with no wire, round {number + 1} of {room.plan.rounds}")
        for id_, _, seats, play, _ in kinds:
            rates[id_].append(_rate(seats, room.plan.playouts, play))
    return [
        Row(
            id_,
            f"LIE {what}",
            median(rates[id_]),
            "actions/s",
            f"{how}; per second of CPU of one core",
            target=TARGET if play is play_out else None,
        )
        for id_, what, _, play, how in kinds
    ]


def _rate(seats: int, games: int, play: Callable[[State, Random], int]) -> float:
    random = Random(seats)
    begun = time.process_time()
    actions = sum(play(LIE.new(seats=seats, seed=random.randbytes(SEED_BYTES)), random) for _ in range(games))
    return actions / (time.process_time() - begun)


def play_out(state: State, random: Random) -> int:
    """Plays to the end at random; returns how many actions it took."""
    actions, draw = 0, random.random
    while state.deciders:
        seat = state.deciders[0]
        legal = state.legal(seat)
        state.play(seat, legal[int(draw() * len(legal))])
        actions += 1
    return actions


def play_out_seeing(state: State, random: Random) -> int:
    """The same for players who look first."""
    actions, draw = 0, random.random
    while state.deciders:
        seat = state.deciders[0]
        state.view(seat)
        legal = state.legal(seat)
        state.play(seat, legal[int(draw() * len(legal))])
        actions += 1
    return actions
