"""Rows 6 and 8: how fast the rules are with no wire; of LIE in detail, of every installed game in short."""

import time
from collections.abc import Callable
from random import Random
from statistics import median
from typing import TypeAlias

from tests.bench.match import LIE, Match, lettered_games, smallest
from tests.bench.room import Room
from tests.bench.table import Row
from tests.bench.targets import playouts_target

from croupier_games import State, installed_games
from croupier_games.chance import SEED_BYTES

PlayOut: TypeAlias = Callable[[State, Random], int]
RANDOMLY = "new, then legal, play and events, uniformly random choices; per second of CPU of one core"


async def measure_lie(room: Room) -> list[Row]:
    """Rounds of: play-outs of two seats, of four seats, and with the views of two."""
    kinds: dict[str, tuple[str, Match, PlayOut, str]] = {
        "6a": ("LIE play-outs, 2 seats", LIE, play_out, RANDOMLY),
        "6b": ("LIE play-outs, 4 seats", Match(LIE.game_id, 4), play_out, "as 6a with four seats"),
        "6c": (
            "LIE play-outs with views, 2 seats",
            LIE,
            play_out_seeing,
            "as 6a, and each decider's view before it acts",
        ),
    }
    rates = _rates(room, {id_: (match, play) for id_, (_, match, play, _) in kinds.items()})
    return [
        Row(
            id_,
            what,
            rates[id_],
            "actions/s",
            how,
            target=playouts_target(LIE.game_id) if play is play_out else None,
        )
        for id_, (what, _, play, how) in kinds.items()
    ]


async def measure_games(room: Room) -> list[Row]:
    """Rounds of: play-outs of each game."""
    games = {id_: smallest(game) for id_, game in lettered_games(8)}
    rates = _rates(room, {id_: (match, play_out) for id_, match in games.items()})
    return [
        Row(
            id_,
            f"play-outs of {match.game_id}",
            rates[id_],
            "actions/s",
            f"{match.seats} seats, default options: {RANDOMLY}",
            target=playouts_target(match.game_id),
        )
        for id_, match in games.items()
    ]


def _rates(room: Room, kinds: dict[str, tuple[Match, PlayOut]]) -> dict[str, float]:
    rates: dict[str, list[float]] = {id_: [] for id_ in kinds}
    for number in range(room.plan.rounds):
        room.say(f"row {min(kinds)[0]}: play-outs with no wire, round {number + 1} of {room.plan.rounds}")
        for id_, (match, play) in kinds.items():
            rates[id_].append(_rate(match, room.plan.playout_s, play))
    return {id_: median(figures) for id_, figures in rates.items()}


def _rate(match: Match, seconds: float, play: PlayOut) -> float:
    """Actions per second of CPU, over as many whole games as begin in that time."""
    game, random, clock = installed_games()[match.game_id], Random(match.seats), time.process_time
    actions, used, begun = 0, 0.0, clock()
    while used < seconds:
        actions += play(game.new(seats=match.seats, seed=random.randbytes(SEED_BYTES)), random)
        used = clock() - begun
    return actions / used


def play_out(state: State, random: Random) -> int:
    """Plays to the end at random; returns how many actions it took."""
    actions, draw = 0, random.random
    while state.deciders:
        seat = state.deciders[0]
        legal = state.legal(seat)
        state.play(seat, legal[int(draw() * len(legal))])
        _ = state.events
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
        _ = state.events
        actions += 1
    return actions
