"""The window after a turn's lays: SVT-2.5."""

from itertools import permutations, product
from typing import Any

import pytest

from croupier_games.seventeen.actions import ANSWERS
from croupier_games.seventeen.view import Choice, Phase, RoundEnded

HANDS = ("2/2 2/2 2/2", "1/1 1/1 1/1", "3/3 3/3 3/3", "4/4 4/4 4/4")


def window(svt: Any, layer: int = 0, seats: int = 4, **changes: Any) -> Any:
    """All rivals of the layer are asked; the row holds 5 and the layer's card."""
    before = (layer - 1) % seats
    state = svt.table(*HANDS[:seats], turn=layer, row=f"{before}:5/5", **changes)
    state.play(layer, state.legal(layer)[0])
    return state


def showdown(state: Any) -> Any:
    (ended,) = [event.what for event in state.events if isinstance(event.what, RoundEnded)]
    return ended.showdown


@pytest.mark.rule("SVT-2.5", "ALL-4")
@pytest.mark.parametrize("layer", range(4))
def test_every_rival_is_asked_and_nobody_else(svt: Any, layer: int) -> None:
    state = window(svt, layer)
    assert state.phase is Phase.CALLS
    assert state.deciders == tuple(seat for seat in range(4) if seat != layer)
    assert all(state.legal(seat) == ANSWERS for seat in state.deciders)
    assert state.legal(layer) == ()
    assert [str(action) for action in ANSWERS] == ["pass", "call"]


@pytest.mark.rule("SVT-2.5", "ALL-3")
@pytest.mark.parametrize("layer", range(4))
@pytest.mark.parametrize("direction", [1, 2])
def test_of_several_callers_the_nearest_clockwise_counts_whatever_the_direction(
    svt: Any, layer: int, direction: int
) -> None:
    rivals = [(layer + step) % 4 for step in (1, 2, 3)]
    for choices in product([False, True], repeat=3):
        callers = [seat for seat, calls in zip(rivals, choices, strict=True) if calls]
        state = svt.call(window(svt, layer, direction=direction), *callers)
        if callers:
            assert showdown(state).caller == callers[0]
            assert showdown(state).last_to_lay == layer
        else:
            assert state.phase is Phase.TURN
            assert state.turn == (layer + (1 if direction == 1 else -1)) % 4


@pytest.mark.rule("SVT-2.5", "ALL-4")
@pytest.mark.parametrize("choices", list(product(["pass", "call"], repeat=3)), ids="-".join)
def test_the_order_of_answers_changes_nothing(svt: Any, choices: tuple[str, ...]) -> None:
    """Whoever is first, slow or last: the same state, and the same words to everybody once all have chosen."""
    ends = []
    for order in permutations((1, 2, 3)):
        state = window(svt)
        told: dict[int | None, list[str]] = {seat: [] for seat in (0, 1, 2, 3, None)}
        for seat in order:
            svt.say(state, f"{seat} {choices[seat - 1]}")
            for viewer, words in told.items():
                words += svt.told(state, viewer)
        ends.append((state.save(), told))
    assert all(end == ends[0] for end in ends)


@pytest.mark.rule("SVT-2.5", "ALL-4")
def test_while_the_window_is_open_a_choice_changes_only_its_maker_s_view(svt: Any) -> None:
    for first, notation in product((1, 2, 3), ("pass", "call")):
        state = window(svt)
        viewers = (0, 1, 2, 3, None)
        before = {viewer: state.view(viewer) for viewer in viewers}
        svt.say(state, f"{first} {notation}")
        for viewer in viewers:
            if viewer == first:
                assert state.view(viewer) == before[viewer]._replace(choice=Choice[notation.upper()])
                assert svt.told(state, viewer) == [f"You {notation}."]
            else:
                assert state.view(viewer) == before[viewer]
                assert svt.told(state, viewer) == []


@pytest.mark.rule("SVT-2.5", "ALL-4")
def test_afterwards_only_the_caller_that_counts_is_announced(svt: Any) -> None:
    """Seat 3 hears the same whether seat 2, who sat further away, would have called as well."""
    heard = []
    for other in ("pass", "call"):
        state = svt.say(window(svt), "1 call", "3 pass", f"2 {other}")
        heard.append([(svt.told(state, viewer), state.view(viewer)) for viewer in (0, 1, 3, None)])
        assert svt.told(state, 0)[0] == "Seat 1 calls: check!"
    assert heard[0] == heard[1]


@pytest.mark.rule("SVT-2.5", "ALL-4")
def test_a_window_that_nobody_used_does_not_tell_who_was_last(svt: Any) -> None:
    state = svt.say(window(svt), "pass")
    assert svt.told(state, None)[0] == "Nobody calls."
    assert set(state.choices) == {Choice.UNSPECIFIED}
    assert all(state.view(seat).choice is Choice.UNSPECIFIED for seat in range(4))


@pytest.mark.rule("SVT-2.5")
def test_a_call_ends_the_round_and_nobody_takes_another_turn(svt: Any) -> None:
    state = svt.call(window(svt), 3)
    assert state.round.number == 2
    assert state.round.last_showdown == showdown(state)
    assert not state.row
    assert state.turn == showdown(state).starter == 0


@pytest.mark.rule("SVT-2.5", "SVT-2.2")
def test_having_passed_does_not_stop_the_next_player_from_calling_in_turn(svt: Any) -> None:
    state = svt.say(window(svt), "pass")
    assert state.turn == 1
    svt.say(state, "1 call")
    assert (showdown(state).caller, showdown(state).last_to_lay) == (1, 0)


@pytest.mark.rule("SVT-2.5")
def test_two_seats_have_a_window_of_one(svt: Any) -> None:
    state = window(svt, seats=2)
    assert state.deciders == (1,)
    svt.say(state, "1 pass")
    assert (state.phase, state.turn) == (Phase.TURN, 1)


@pytest.mark.rule("SVT-2.5")
def test_no_window_opens_while_the_row_is_empty(svt: Any) -> None:
    state = svt.table("remove-last 2/2 2/2", *HANDS[1:])
    svt.say(state, "0 lay remove-last face-up")
    assert (state.phase, state.turn) == (Phase.TURN, 1)


@pytest.mark.rule("SVT-2.5", "SVT-3.2")
def test_there_is_one_window_after_both_cards_of_a_turn(svt: Any) -> None:
    state = svt.table(*HANDS, row="3:5/5", to_lay=2)
    svt.say(state, "0 lay 2/2")
    assert (state.phase, state.deciders) == (Phase.TURN, (0,))
    svt.say(state, "0 lay 2/2")
    assert (state.phase, state.deciders) == (Phase.CALLS, (1, 2, 3))
