"""What holds in every play, whatever the options and the number of seats."""

from collections import Counter
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier_games.lie import LIE
from croupier_games.lie.actions import CHALLENGE
from croupier_games.lie.data import DECK
from croupier_games.lie.view import Phase

SWITCHES = ("joker_ones", "choose_direction", "fewer_cards", "longer_game")
OPTIONS = [
    {"bid_order": order, **dict(zip(SWITCHES, switches, strict=True))}
    for order in ("value_first", "count_first")
    for switches in product([False, True], repeat=4)
]


def check_table(state: Any) -> None:
    round_ = state.round
    cards = Counter((card.low, card.high) for hand in state.hands for card in hand.cards)
    assert not cards - Counter(DECK)
    assert tuple(len(hand.cards) for hand in state.hands) == round_.hand_sizes
    assert all(list(hand.cards) == sorted(hand.cards) for hand in state.hands)
    assert all(0 <= count <= 6 for count in round_.card_counts)
    assert all(not round_.hand_sizes[seat] for seat in round_.out if state.phase is not Phase.OVER)
    assert (state.deciders == ()) == (state.outcome is not None) == (state.phase is Phase.OVER)
    for seat in range(state.seats):
        legal = state.legal(seat)
        assert bool(legal) == (seat in state.deciders)
        assert len(set(map(str, legal))) == len(legal)
        assert len(legal) <= 181
    for seat in (*range(state.seats), None):
        assert max(map(len, LIE.render(state.view(seat)).splitlines())) <= 80


def check_outcome(state: Any) -> None:
    places = [result.place for result in state.outcome.results]
    figures = [[figure for _, figure in result.tie_breaks] for result in state.outcome.results]
    assert places == [1 + sum(other > own for other in figures) for own in figures]
    assert places.count(1) == 1
    loser = state.round.last_showdown.loser
    if state.options["longer_game"]:
        assert sorted(places) == list(range(1, state.seats + 1))
        assert places[loser] == 2
    elif not state.round.extra:
        assert places[loser] == state.seats
        counts = state.round.card_counts
        best = max(counts) if state.options["fewer_cards"] else min(counts)
        assert counts[places.index(1)] == best
    else:
        assert places[loser] == 2


@pytest.mark.rule("LIE-3.1", "LIE-3.2", "LIE-3.3", "LIE-3.4", "ALL-7")
@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(str(value) for value in options.values()))
def test_every_combination_of_options_plays_to_a_sound_end(lie: Any, seats: int, options: Any) -> None:
    state, chance = lie.open(seats, seats, **options), Random(seats)
    actions = 0
    while state.deciders:
        check_table(state)
        seat = chance.choice(state.deciders)
        state.play(seat, chance.choice(state.legal(seat)))
        actions += 1
    check_table(state)
    check_outcome(state)
    assert actions <= LIE.max_actions


@settings(max_examples=60, deadline=None)
@given(
    seats=st.integers(2, 6), options=st.sampled_from(OPTIONS), seed=st.binary(min_size=32, max_size=32), data=st.data()
)
def test_any_play_can_be_saved_resampled_and_ends_soundly(seats: int, options: Any, seed: bytes, data: Any) -> None:
    state = LIE.new(seats=seats, options=options, seed=seed)
    chance = Random(data.draw(st.integers(0, 2**32)))
    while state.deciders:
        seat = chance.choice(state.deciders)
        if chance.random() < 0.05:
            check_table(state)
            twin = state.resample(seat, chance.randbytes(32))
            assert twin.view(seat) == state.view(seat)
            assert twin.legal(seat) == state.legal(seat)
            state = LIE.restore(state.save())
        state.play(seat, chance.choice(state.legal(seat)))
    check_outcome(state)


def test_the_bound_on_actions_holds_for_the_slowest_players(lie: Any) -> None:
    """Everybody always makes the lowest bid there is, to the very top of the ladder; 29 rounds of it at most."""
    assert LIE.max_actions == 29 * (6 + 1 + 180 + 1)
    longest = 0
    for options in OPTIONS:
        if options["joker_ones"] or not options["choose_direction"]:
            continue
        state, actions = lie.open(6, 3, **options), 0
        while state.deciders:
            seat = state.deciders[0]
            legal = state.legal(seat)
            state.play(seat, legal[1] if legal[0] == CHALLENGE and len(legal) > 1 else legal[0])
            actions += 1
        assert state.round.number <= 29
        longest = max(longest, actions)
    assert 1500 < longest <= LIE.max_actions


def test_the_longest_games_have_29_rounds(lie: Any) -> None:
    """The bound on rounds is reached: 24 lives, the one that ends it, and four extra rounds."""
    state = lie.with_counts([5] * 6)
    assert state.round.number == 25
    while state.deciders:
        lie.lose(state, state.deciders[-1])
    assert state.round.number == 29
    longer = lie.with_counts([5] * 6, longer_game=True)
    while longer.deciders:
        lie.lose(longer, longer.deciders[-1])
    assert longer.round.number == 29


@pytest.mark.rule("ALL-1")
def test_the_same_seed_and_actions_give_the_same_play(lie: Any) -> None:
    saves = []
    for _ in range(2):
        state, chance = lie.open(4, 9), Random(4)
        while state.deciders:
            seat = chance.choice(state.deciders)
            state.play(seat, chance.choice(state.legal(seat)))
        saves.append(state.save())
    assert saves[0] == saves[1]
