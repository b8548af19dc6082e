"""Whole games: every card is in one place, bounds hold, and every end is sound."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier_games.seventeen import SEVENTEEN
from croupier_games.seventeen.data import DECK, HAND
from croupier_games.seventeen.view import Phase


def check_table(state: Any) -> None:
    laid = [card for _, card, _ in state.row]
    held = [card for hand in state.hands for card in hand]
    left = state.pile[state.top :]
    assert Counter([*held, *laid, *left, *state.used]) == Counter(DECK)
    assert left or not state.used  # SVT-2.7
    assert all(len(hand) <= HAND and list(hand) == sorted(hand) for hand in state.hands)
    assert all(0 <= composure <= 2 + (state.outcome is not None) for composure in state.tokens.composure)
    assert all(0 <= nerves <= 1 for nerves in state.tokens.nerves)
    assert (state.deciders == ()) == (state.outcome is not None) == (state.phase is Phase.OVER)
    if state.phase is Phase.CALLS:
        assert state.row
        assert state.turn == state.last_to_lay
        assert state.turn not in state.deciders
    for seat in range(state.seats):
        legal = state.legal(seat)
        assert bool(legal) == (seat in state.deciders)
        assert len(set(map(str, legal))) == len(legal) <= 7


def check_outcome(state: Any) -> None:
    results = state.outcome.results
    standings = [(composure, -nerves) for composure, nerves in zip(*state.tokens, strict=True)]
    assert [result.place for result in results] == [1 + sum(other > own for other in standings) for own in standings]
    assert [result.points for result in results] == list(state.tokens.composure)
    assert max(state.tokens.composure) == 3


@pytest.mark.rule("SVT-2.7", "SVT-5.1", "ALL-7")
@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("calls", [0.0, 0.02, 0.1, 0.5, 1.0])
def test_every_play_is_sound_to_its_end(svt: Any, seats: int, calls: float) -> None:
    for number in range(4):
        state, chance = svt.open(seats, number), Random(number)
        actions = 0
        while state.deciders:
            check_table(state)
            state.play(*svt.patient_step(state, chance, calls))
            actions += 1
        check_table(state)
        if state.cards_laid < 2000:
            check_outcome(state)
        assert actions <= SEVENTEEN.max_actions


@settings(max_examples=40, deadline=None)
@given(
    seats=st.integers(2, 6),
    seed=st.binary(min_size=32, max_size=32),
    luck=st.integers(0, 2**32),
    calls=st.sampled_from([0.02, 0.2]),
)
def test_any_play_can_be_saved_resampled_and_ends_soundly(
    svt_step: Any, seats: int, seed: bytes, luck: int, calls: float
) -> None:
    state, chance = SEVENTEEN.new(seats=seats, seed=seed), Random(luck)
    while state.deciders:
        if chance.random() < 0.05:
            viewer = chance.choice((*range(seats), None))
            twin = state.resample(viewer, chance.randbytes(32))
            assert twin.view(viewer) == state.view(viewer)
            check_table(twin)
            state = SEVENTEEN.restore((twin if chance.random() < 0.5 else state).save())
        state.play(*svt_step(state, chance, calls))
        check_table(state)
    check_outcome(state)


def test_everybody_who_never_calls_plays_until_the_cards_are_out(svt: Any) -> None:
    """The longest rounds there are: with nothing left to draw, somebody runs out of cards and must call."""
    state, chance = svt.open(2, 1), Random(1)
    longest = 0
    while state.deciders and state.round.number < 3:
        state.play(*svt.patient_step(state, chance, 0.0))
        longest = max(longest, len(state.row))
    assert longest > 55
    assert state.round.last_showdown.total >= 17


@pytest.mark.rule("ALL-1")
def test_the_same_seed_and_actions_give_the_same_play(svt: Any) -> None:
    saves = []
    for _ in range(2):
        state, chance = svt.open(4, 9), Random(4)
        while state.deciders:
            state.play(*svt.patient_step(state, chance, 0.1))
        saves.append(state.save())
    assert saves[0] == saves[1]
