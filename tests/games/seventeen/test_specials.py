"""The special cards: SVT-3.1 to SVT-3.4."""

from itertools import product
from typing import Any

import pytest

from croupier_games.seventeen.data import HEARTS, Card
from croupier_games.seventeen.view import Direction, Phase

TWOS, THREES, FOURS = "2/2 2/2 2/2", "3/3 3/3 3/3", "4/4 4/4 4/4"
CLOCKWISE, COUNTER_CLOCKWISE = Direction


def legal(state: Any) -> list[str]:
    return [str(action) for action in state.legal(state.turn)]


def row(svt: Any, state: Any) -> str:
    return str(svt.names(laid.card for laid in state.row))


@pytest.mark.rule("SVT-3.1", "SVT-2.4")
def test_change_direction_flips_the_turns_at_once(svt: Any) -> None:
    state = svt.table(f"change-direction {TWOS[:7]}", THREES, FOURS)
    svt.say(state, "0 lay change-direction face-up")
    assert state.direction is COUNTER_CLOCKWISE
    assert svt.told(state) == ["Seat 0 lays change-direction.", "The turns go counter-clockwise now."]
    svt.say(state, "pass")
    assert state.turn == 2
    svt.say(state, "2 lay 4/4", "pass")
    assert state.turn == 1


@pytest.mark.rule("SVT-3.1")
def test_a_second_change_flips_it_back(svt: Any) -> None:
    state = svt.table("change-direction 2/2 2/2", THREES, "change-direction 4/4 4/4")
    svt.say(state, "0 lay change-direction face-up", "pass", "2 lay change-direction face-up", "pass")
    assert (state.direction, state.turn) == (CLOCKWISE, 0)


@pytest.mark.rule("SVT-3.1")
def test_it_stays_flipped_in_later_rounds(svt: Any) -> None:
    state = svt.table("change-direction 2/2 2/2", THREES, FOURS)
    svt.call(svt.say(state, "0 lay change-direction face-up"), 1)
    assert (state.round.number, state.direction, state.turn) == (2, COUNTER_CLOCKWISE, 0)
    svt.say(state, "0 lay 2/2", "pass")
    assert state.turn == 2


@pytest.mark.rule("SVT-3.1")
def test_with_two_seats_the_other_player_is_next_in_either_direction(svt: Any) -> None:
    state = svt.table("change-direction 2/2 2/2", "change-direction 3/3 3/3")
    svt.say(state, "0 lay change-direction face-up", "pass")
    assert state.turn == 1
    svt.say(state, "1 lay change-direction face-up", "pass")
    assert state.turn == 0


@pytest.mark.rule("SVT-3.2", "SVT-2.4")
def test_play_two_makes_the_next_player_lay_two_cards(svt: Any) -> None:
    state = svt.table("play-two 2/2 2/2", "3 3/3 4/4", FOURS)
    svt.say(state, "0 lay play-two face-up")
    assert (state.play_two, state.to_lay) == (True, 0)
    assert state.view(2).play_two
    svt.say(state, "pass")
    assert (state.turn, state.to_lay, state.play_two) == (1, 2, False)
    assert legal(state) == ["lay 3 face-up", "lay 3 heart-up", "lay 3/3", "lay 4/4", "call"]
    svt.say(state, "1 lay 3/3")
    assert (state.turn, state.to_lay, state.phase) == (1, 1, Phase.TURN)
    assert legal(state) == ["lay 3 face-up", "lay 3 heart-up", "lay 4/4"]
    svt.say(state, "1 lay 3 heart-up", "pass")
    assert (state.turn, state.to_lay) == (2, 1)
    assert row(svt, state) == "play-two 3/3 3"


@pytest.mark.rule("SVT-3.2")
def test_they_may_call_instead_but_not_in_between(svt: Any) -> None:
    state = svt.table(TWOS, THREES, row="1:play-two", to_lay=2)
    assert legal(state)[-1] == "call"
    between = svt.say(state.clone(), "0 lay 2/2")
    assert legal(between) == ["lay 2/2"]
    svt.say(state, "0 call")
    assert state.round.last_showdown.caller == 0


@pytest.mark.rule("SVT-3.2")
def test_the_duty_falls_on_whoever_takes_the_next_turn_even_if_the_direction_flips_after(svt: Any) -> None:
    """Seat 0 lays play-two, then change-direction: seat 2 is next and has the duty."""
    state = svt.table("play-two change-direction 2/2", THREES, FOURS, row="2:play-two", to_lay=2)
    svt.say(state, "0 lay play-two face-up", "0 lay change-direction face-up", "pass")
    assert (state.turn, state.to_lay) == (2, 2)


@pytest.mark.rule("SVT-3.2")
def test_the_two_cards_act_one_after_the_other(svt: Any) -> None:
    """Remove-last as the second card takes the first one; as the first it takes what lay before."""
    state = svt.table("remove-last 5/5 2/2", THREES, row="1:4/4", to_lay=2)
    after = svt.say(state.clone(), "0 lay 5/5", "0 lay remove-last face-up")
    assert row(svt, after) == "4/4"
    after = svt.say(state.clone(), "0 lay remove-last face-up", "0 lay 5/5")
    assert row(svt, after) == "5/5"
    assert after.phase is Phase.CALLS


@pytest.mark.rule("SVT-3.2")
def test_two_change_directions_in_one_turn_cancel_out(svt: Any) -> None:
    state = svt.table("change-direction change-direction 5/5", THREES, FOURS, row="2:play-two", to_lay=2)
    svt.say(state, "0 lay change-direction face-up", "0 lay change-direction face-up", "pass")
    assert (state.turn, state.direction) == (1, CLOCKWISE)


@pytest.mark.rule("SVT-3.2")
def test_two_play_two_in_one_turn_do_not_add_up(svt: Any) -> None:
    state = svt.table("play-two play-two 5/5", THREES, row="1:4/4", to_lay=2)
    svt.say(state, "0 lay play-two face-up", "0 lay play-two face-up", "pass")
    assert (state.turn, state.to_lay) == (1, 2)
    svt.say(state, "1 lay 3/3", "1 lay 3/3", "pass")
    assert (state.turn, state.to_lay) == (0, 1)


@pytest.mark.rule("SVT-3.2")
def test_two_play_two_in_a_row_each_bind_the_next_player(svt: Any) -> None:
    state = svt.table("play-two 2/2 2/2", "play-two 3/3 3/3", FOURS, draw="5/5 5/5 5/5")
    svt.say(state, "0 lay play-two face-up", "pass", "1 lay play-two face-up")
    assert (state.turn, state.to_lay, state.play_two) == (1, 1, True)
    svt.say(state, "1 lay 3/3", "pass")
    assert (state.turn, state.to_lay) == (2, 2)
    assert svt.names(state.hands[1]) == "3/3 5/5 5/5"


@pytest.mark.rule("SVT-3.2")
def test_with_one_card_in_hand_one_is_laid_and_with_none_they_must_call(svt: Any) -> None:
    state = svt.table("play-two 2/2 2/2", "3/3", FOURS, rest="row")
    svt.say(state, "0 lay play-two face-up", "pass")
    assert (state.turn, state.to_lay) == (1, 1)
    svt.say(state, "1 lay 3/3")
    assert state.phase is Phase.CALLS
    state = svt.table("play-two 2/2 2/2", "", FOURS, rest="row")
    svt.say(state, "0 lay play-two face-up", "pass")
    assert (state.turn, state.to_lay, legal(state)) == (1, 0, ["call"])


@pytest.mark.rule("SVT-3.2", "SVT-3.3")
def test_removing_the_play_two_does_not_cancel_the_duty(svt: Any) -> None:
    state = svt.table("play-two remove-last 2/2", THREES, row="1:4/4", to_lay=2)
    svt.say(state, "0 lay play-two face-up", "0 lay remove-last face-up", "pass")
    assert row(svt, state) == "4/4"
    assert (state.turn, state.to_lay) == (1, 2)


@pytest.mark.rule("SVT-3.2")
@pytest.mark.parametrize("in_turn", [False, True])
def test_the_duty_ends_with_the_round(svt: Any, in_turn: bool) -> None:
    state = svt.table("play-two 2/2 2/2", THREES)
    svt.say(state, "0 lay play-two face-up", "pass" if in_turn else "1 call")
    if in_turn:
        svt.say(state, "1 call")
    assert state.round.number == 2
    assert (state.to_lay, state.play_two) == (1, False)


@pytest.mark.rule("SVT-3.3", "SVT-2.4")
@pytest.mark.parametrize(("before", "heart_up"), [*product(HEARTS, [False, True]), (Card.TWO_SIDED_FIVE, False)])
def test_remove_last_takes_the_card_before_it_of_any_kind_unseen(svt: Any, before: Card, heart_up: bool) -> None:
    """Both go to the used pile; whatever the card before did stays done, and a heart stays a heart to all."""
    laid = f"1:({before})" if heart_up else f"1:{before}"
    state = svt.table("remove-last 2/2 2/2", THREES, row=f"1:4/4 {laid}", direction=2)
    svt.say(state, "0 lay remove-last face-up")
    assert row(svt, state) == "4/4"
    assert sorted(state.used) == sorted((before, Card.REMOVE_LAST))
    assert state.direction is COUNTER_CLOCKWISE
    assert state.last_to_lay == 0
    seen = "heart" if heart_up else str(before)
    for viewer in (0, 1, None):
        assert f"Seat 0 removes {seen}, remove-last from the row." in svt.told(state, viewer)
        assert state.view(viewer).used_size == 2


@pytest.mark.rule("SVT-3.3")
def test_on_an_empty_row_it_removes_only_itself(svt: Any) -> None:
    state = svt.table("remove-last 2/2 2/2", THREES)
    svt.say(state, "0 lay remove-last face-up")
    assert not state.row
    assert state.used == (Card.REMOVE_LAST,)
    assert svt.told(state)[1] == "Seat 0 removes remove-last from the row."


@pytest.mark.rule("SVT-3.3")
def test_a_second_remove_last_takes_the_last_card_still_in_the_row(svt: Any) -> None:
    """Not the first remove-last, which is gone, but the card before all that."""
    state = svt.table("remove-last 2/2 2/2", "remove-last 3/3 3/3", row="0:5/5 1:4/4")
    svt.say(state, "0 lay remove-last face-up", "pass")
    assert row(svt, state) == "5/5"
    svt.say(state, "1 lay remove-last face-up")
    assert row(svt, state) == ""
    assert len(state.used) == 4


@pytest.mark.rule("SVT-3.3")
def test_the_last_to_have_laid_is_by_time_the_layer_of_remove_last(svt: Any) -> None:
    """What is left at the end of the row was laid by seat 2, but seat 0 laid last."""
    state = svt.table("remove-last 2/2 2/2", THREES, FOURS, row="1:4/4 2:5/5 2:3/3")
    svt.say(state, "0 lay remove-last face-up")
    assert state.row[-1].seat == 2
    assert state.view(1).last_to_lay == 0
    svt.call(state, 1)
    showdown = state.round.last_showdown
    assert (showdown.caller, showdown.last_to_lay, showdown.total) == (1, 0, 9)
    assert state.tokens == ((1, 0, 0), (0, 1, 0))


@pytest.mark.rule("SVT-3.3", "SVT-4.2")
def test_a_removed_hidden_trap_does_nothing(svt: Any) -> None:
    state = svt.table("remove-last 2/2 2/2", THREES, row="0:5/5 1:(trap)")
    svt.call(svt.say(state, "0 lay remove-last face-up"), 1)
    assert state.round.last_showdown.trap_owners == ()
    assert state.tokens == ((1, 0), (0, 1))


@pytest.mark.rule("SVT-3.4", "SVT-4.2", "SVT-2.4")
def test_a_trap_face_up_does_nothing_neither_now_nor_at_the_end(svt: Any) -> None:
    state = svt.table("trap 2/2 2/2", THREES, row="1:5/5")
    before = (state.direction, state.used)
    svt.say(state, "0 lay trap face-up")
    assert (state.direction, state.used) == before
    assert not state.play_two
    svt.say(state, "1 call")
    assert state.round.last_showdown.trap_owners == ()
    assert state.tokens == ((1, 0), (0, 1))
