"""Who sees what, and what is drawn anew for whom: TAC-3.1, TAC-4.3, ALL-4, ALL-5."""

from random import Random
from typing import Any

import pytest

from croupier_games.twice_as_clever import TWICE_AS_CLEVER
from croupier_games.twice_as_clever.view import DiceRolled, Phase

WINDOWS = (Phase.GRANT, Phase.PASSIVE, Phase.EXTRA)


def passive(clever: Any, seats: int = 4, **more: Any) -> Any:
    return clever.table(seats, "123456", chosen="bgp", phase=Phase.PASSIVE, roll=3, **more)


@pytest.mark.rule("ALL-5")
def test_outside_windows_everybody_sees_the_same(clever: Any) -> None:
    state = clever.table(3, sheets={0: clever.marks(green=[2, 2, 2])})
    clever.say(state, "0 pick green")
    assert state.view(0) == state.view(1) == state.view(2) == state.view(None)
    assert state.view(2).task.pending == state.tasks[0].pending
    with pytest.raises(ValueError, match="seats are 0 to 2"):
        state.view(3)


@pytest.mark.rule("ALL-5", "TAC-3.1")
@pytest.mark.parametrize("viewer", [0, 1, 2, 3, None])
def test_resampling_redraws_exactly_what_the_others_do_in_an_open_window(clever: Any, viewer: int | None) -> None:
    """Seat 1 has finished, seat 2 is in the middle of it, seat 3 has not begun."""
    state = passive(clever, sheets={2: clever.marks(green=[2, 2, 2])})
    clever.say(state, "1 pick silver", "1 cross silver pink 2", "1 done", "2 pick white as green")
    redrawn = set()
    for number in range(40):
        twin = state.resample(viewer, clever.seed(number))
        assert twin.view(viewer) == state.view(viewer)
        assert (twin.deciders, twin.asked, twin.shown, twin.dice) == (
            state.deciders,
            state.asked,
            state.shown,
            state.dice,
        )
        assert TWICE_AS_CLEVER.restore(twin.save()).save() == twin.save()
        for seat in range(4):
            same = (twin.sheets[seat], twin.tasks[seat]) == (state.sheets[seat], state.tasks[seat])
            redrawn |= set() if same else {seat}
    assert redrawn == {1, 2, 3} - {viewer}


@pytest.mark.rule("ALL-5")
def test_outside_windows_resampling_changes_the_dice_to_come_and_nothing_else(clever: Any) -> None:
    state = clever.open(2, 5)
    for seat in (0, 1, None):
        futures = set()
        for number in range(20):
            twin = state.resample(seat, clever.seed(100 + number))
            assert twin.view(seat) == state.view(seat)
            assert twin.sheets == state.sheets
            twin.play(twin.deciders[0], TWICE_AS_CLEVER.parse("reroll"))
            futures.add(twin.dice.pips)
        assert len(futures) > 15


def test_resampling_tells_no_event_meant_for_others(clever: Any) -> None:
    state = clever.say(passive(clever), "1 pick white as pink")
    assert state.resample(1, clever.seed(1)).events == state.events != ()
    assert state.resample(2, clever.seed(1)).events == ()


@pytest.mark.rule("ALL-4")
def test_after_the_same_actions_the_same_seats_decide_whatever_is_hidden(clever: Any) -> None:
    """Who is still asked depends on who has said `done`, and on nothing that others cannot see."""
    state = passive(clever, sheets={1: clever.marks(green=[2, 2, 2], pink=[1] * 5)}, round_=2)
    clever.say(state, "1 pick white as green")
    for number in range(30):
        twin = state.resample(2, clever.seed(number))
        common = set(clever.legal(state, 1)) & set(clever.legal(twin, 1))
        for text in common:
            one, other = clever.say(state.clone(), f"1 {text}"), clever.say(twin.clone(), f"1 {text}")
            assert one.deciders == other.deciders
            assert one.view(2) == other.view(2)


@pytest.mark.rule("TAC-3.1", "TAC-4.3", "ALL-4")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_whole_games_nothing_of_an_open_window_shows(clever: Any, seats: int) -> None:
    state, chance = clever.open(seats, seats), Random(seats)
    unseen = 0
    while state.deciders:
        seat = chance.choice(state.deciders)
        window, asked = state.phase in WINDOWS, state.asked
        before = {viewer: state.view(viewer) for viewer in (*range(seats), None) if viewer != seat}
        state.play(seat, chance.choice(state.legal(seat)))
        if window and state.asked == asked and not any(event.audience is None for event in state.events):
            unseen += 1
            assert {viewer: state.view(viewer) for viewer in before} == before
            assert all(event.audience == seat for event in state.events)
    assert unseen > 10


@pytest.mark.rule("ALL-6")
def test_a_forced_action_is_still_a_decision(clever: Any) -> None:
    state = clever.say(passive(clever), "1 pick white as pink")
    assert clever.legal(state, 1) == ["done"]
    assert 1 in state.deciders


def test_parts_of_a_view_that_did_not_change_are_the_same_objects(clever: Any) -> None:
    state = clever.table(3, "162634")
    before = state.view(0)
    clever.say(state, "0 pick pink")
    after = state.view(0)
    assert after.sheets[1] is before.sheets[1]
    assert after.sheets[0].silver is before.sheets[0].silver
    assert after.sheets[0].rerolls is before.sheets[0].rerolls
    assert after.sheets[0].pink is not before.sheets[0].pink
    window = passive(clever)
    one, offered = window.view(2), window.legal(2)
    clever.say(window, "1 done")
    assert all(old is new for old, new in zip(one.sheets, window.view(2).sheets, strict=True))
    assert window.legal(2) is offered


def test_a_clone_goes_its_own_way(clever: Any) -> None:
    state = passive(clever)
    before, offered = state.save(), state.legal(1)
    copy = state.clone()
    clever.say(copy, "1 pick white as green", "1 done")
    assert (state.save(), state.legal(1), state.deciders) == (before, offered, (1, 2, 3))
    assert clever.told(state, DiceRolled) == []
