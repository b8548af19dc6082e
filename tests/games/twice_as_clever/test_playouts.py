"""What holds in every play, whatever the options and the number of seats."""

from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier_games.twice_as_clever import TWICE_AS_CLEVER
from croupier_games.twice_as_clever.data import DICE, SLOTS, TRACK_SPACES
from croupier_games.twice_as_clever.saved import marks_of, sheets_of
from croupier_games.twice_as_clever.sheet import total
from croupier_games.twice_as_clever.view import Phase

OPTIONS = [{"allow_skip": skip, "fox_floor_zero": floor} for skip, floor in product([True, False], repeat=2)]


def eager(chance: Random, legal: Any) -> Any:
    """Mostly enters something, so that sheets fill up and chains are long."""
    entering = [action for action in legal if str(action).split()[0] not in ("skip", "done", "reroll")]
    return chance.choice(entering if entering and chance.random() < 0.95 else legal)


def check_table(state: Any) -> None:
    dice = state.dice
    assert sorted((*dice.available, *dice.chosen, *dice.tray)) == list(DICE)
    assert all(1 <= pips <= 6 for pips in dice.pips)
    assert len(dice.chosen) <= 3
    for seat, sheet in enumerate(state.sheets):
        check_sheet(sheet, state.turn.round)
        task = state.tasks[seat]
        assert (task is not None) == (seat in state.deciders)
        assert bool(state.legal(seat)) == (seat in state.deciders)
        assert len(set(map(str, state.legal(seat)))) == len(state.legal(seat)) <= 60
    assert (state.deciders == ()) == (state.outcome is not None) == (state.phase is Phase.OVER)


def check_sheet(sheet: Any, round_: int) -> None:
    """Every action and fox comes from a printed source that is crossed, circled, filled or granted, and once."""
    assert sheets_of((marks_of(sheet),), round_) == (sheet,)
    for track in (sheet.rerolls, sheet.returns, sheet.extra_dice):
        assert 0 <= track.used <= track.gained <= TRACK_SPACES
    assert 0 <= sheet.foxes <= 6
    assert list(sheet.blue.numbers) == sorted(sheet.blue.numbers, reverse=True)
    assert all(len(area.numbers) <= slots for area, slots in zip(sheet[2:5], SLOTS.values(), strict=True))
    assert 0 <= sheet.silver.points <= 88
    assert 0 <= sheet.pink.points <= 72


def check_outcome(state: Any) -> None:
    floor = state.options["fox_floor_zero"]
    points = [result.points for result in state.outcome.results]
    assert points == [total(sheet, floor) for sheet in state.sheets]
    best = max(range(state.seats), key=lambda seat: (points[seat], max(state.sheets[seat].area_points)))
    assert state.outcome.results[best].place == 1


@pytest.mark.rule("TAC-D2", "TAC-5.3", "ALL-7")
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(map(str, options.values())))
def test_every_combination_of_options_plays_to_a_sound_end(clever: Any, seats: int, options: Any) -> None:
    for number in range(6):
        state, chance = clever.open(seats, number, **options), Random(number)
        actions = 0
        while state.deciders:
            check_table(state)
            seat = chance.choice(state.deciders)
            choose = eager if number % 2 else lambda chance, legal: chance.choice(legal)
            state.play(seat, choose(chance, state.legal(seat)))
            actions += 1
        check_table(state)
        check_outcome(state)
        assert actions <= TWICE_AS_CLEVER.max_actions


@settings(max_examples=60, deadline=None)
@given(
    seats=st.integers(1, 4), options=st.sampled_from(OPTIONS), seed=st.binary(min_size=32, max_size=32), data=st.data()
)
def test_any_play_can_be_saved_resampled_and_ends_soundly(seats: int, options: Any, seed: bytes, data: Any) -> None:
    state: Any = TWICE_AS_CLEVER.new(seats=seats, options=options, seed=seed)
    chance = Random(data.draw(st.integers(0, 2**32)))
    while state.deciders:
        seat = chance.choice(state.deciders)
        if chance.random() < 0.05:
            check_table(state)
            twin = state.resample(seat, chance.randbytes(32))
            assert twin.view(seat) == state.view(seat)
            assert twin.legal(seat) == state.legal(seat)
            check_table(twin)
            state = TWICE_AS_CLEVER.restore(state.save())
        state.play(seat, eager(chance, state.legal(seat)))
    check_outcome(state)


def test_the_bound_on_actions_is_that_of_the_longest_table() -> None:
    """80 entries of two actions, 12 re-rolls and returns, 9 more per own turn, and one `done` per window, per seat."""
    assert TWICE_AS_CLEVER.max_actions == 4 * (160 + 12 + 4 * 9 + 4 + 2 * 16) == 976


@pytest.mark.rule("ALL-1")
def test_the_same_seed_and_actions_give_the_same_play(clever: Any) -> None:
    saves = []
    for _ in range(2):
        state, chance = clever.open(4, 9), Random(4)
        while state.deciders:
            seat = chance.choice(state.deciders)
            state.play(seat, chance.choice(state.legal(seat)))
        saves.append(state.save())
    assert saves[0] == saves[1]
