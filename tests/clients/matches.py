"""Matches between bots with no wire between them and the rules: how the house bots are held against chance."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from random import Random
from typing import Any, TypeAlias

from croupier_games import Action, Game, Outcome

BLOCKS = 200

Player: TypeAlias = Callable[[Any, int, tuple[Action, ...]], Action]
"""From what a seat sees, its number and its legal actions to the one it plays."""


def at_random(seed: bytes) -> Player:
    """A player that leaves everything to chance."""
    random = Random(seed)
    return lambda shown, seat, legal: legal[int(random.random() * len(legal))]


def play_out(game: Game, seed: bytes, players: Sequence[Player], **options: Any) -> Outcome:
    """One game; of seats that decide at the same time the first comes first."""
    state = game.new(seats=len(players), options=options, seed=seed)
    while state.deciders:
        seat = state.deciders[0]
        state.play(seat, players[seat](state.view(seat), seat, state.legal(seat)))
    assert state.outcome is not None
    return state.outcome


def blocks_won(game: Game, house: Player) -> int:
    """How many of `BLOCKS` duplicate blocks a player wins against chance: each one deal, played from both seats."""
    won = 0
    for number in range(BLOCKS):
        seed = sha256(b"block/%d" % number).digest()
        lead = 0
        for mine in (0, 1):
            players = [at_random(seed), at_random(seed)]
            players[mine] = house
            results = play_out(game, seed, players).results
            lead += results[1 - mine].place - results[mine].place
        won += lead > 0
    return won
