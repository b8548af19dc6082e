"""The end of a round: SVT-4.1 to SVT-4.8."""

from typing import Any

import pytest

from croupier_games.seventeen.data import SPECIALS
from croupier_games.seventeen.view import Phase, RoundEnded

ONES, TWOS, THREES, FOURS = "1/1 1/1 1/1", "2/2 2/2 2/2", "3/3 3/3 3/3", "4/4 4/4 4/4"


def called(svt: Any, row: str, *, seats: int = 3, **changes: Any) -> Any:
    """Seat 0 calls in turn on this row, of which somebody else has laid the last card."""
    return svt.say(svt.table(*(ONES, TWOS, THREES, FOURS)[:seats], row=row, **changes), "0 call")


def tokens(composure: list[int], nerves: list[int]) -> list[list[int]]:
    return [composure, nerves]


@pytest.mark.rule("SVT-4.1")
def test_all_hearts_are_turned_over_for_everybody(svt: Any) -> None:
    state = called(svt, "1:(5) 2:(trap) 0:(4) 1:3/3")
    ended = next(event for event in state.events if isinstance(event.what, RoundEnded))
    assert ended.audience is None
    row = ended.what.showdown.row
    assert [(laid.seat, str(laid.card), laid.heart_up) for laid in row.cards] == [
        (1, "5", True),
        (2, "trap", True),
        (0, "4", True),
        (1, "3/3", False),
    ]
    for viewer in (0, 1, 2, None):
        assert state.view(viewer).round.last_showdown == ended.what.showdown


@pytest.mark.rule("SVT-4.1")
def test_the_sum_counts_numbers_of_both_kinds_hidden_or_not(svt: Any) -> None:
    assert called(svt, "1:(5) 2:3 0:(4) 1:2/2").round.last_showdown.total == 14


@pytest.mark.rule("SVT-4.1")
@pytest.mark.parametrize("special", SPECIALS, ids=str)
@pytest.mark.parametrize("heart_up", [False, True])
def test_specials_count_nothing_face_up_or_heart_up(svt: Any, special: Any, heart_up: bool) -> None:
    laid = f"2:({special})" if heart_up else f"2:{special}"
    assert called(svt, f"1:5/5 {laid} 1:4/4").round.last_showdown.total == 9


@pytest.mark.rule("SVT-4.3")
@pytest.mark.parametrize(
    ("row", "total", "composure", "nerves"),
    [
        ("1:5/5 2:5/5 1:5/5 2:1", 16, (0, 0, 1), (1, 0, 0)),
        ("1:5/5 2:5/5 1:5/5 2:2", 17, (1, 0, 0), (0, 0, 1)),
        ("1:5/5 2:5/5 1:5/5 2:3", 18, (1, 0, 0), (0, 0, 1)),
        ("2:1", 1, (0, 0, 1), (1, 0, 0)),
        ("2:trap", 0, (0, 0, 1), (1, 0, 0)),
    ],
)
def test_from_17_on_the_caller_was_right(
    svt: Any, row: str, total: int, composure: tuple[int, ...], nerves: tuple[int, ...]
) -> None:
    state = called(svt, row)
    assert state.round.last_showdown.total == total
    assert state.tokens == (composure, nerves)


@pytest.mark.rule("SVT-4.2")
@pytest.mark.parametrize("total", [10, 20])
def test_a_hidden_trap_gives_its_owner_composure_and_the_caller_a_nerve(svt: Any, total: int) -> None:
    row = "1:5/5 2:(trap) 1:5/5" if total == 10 else "1:5/5 2:(trap) 1:5/5 2:5/5 1:5/5"
    state = called(svt, row)
    showdown = state.round.last_showdown
    assert (showdown.total, showdown.trap_owners) == (total, (2,))
    if total == 10:  # a nerve for the trap and one for the sum: both go back at once
        assert (showdown.composure, showdown.nerves) == ((0, 1, 1), (2, 0, 0))
        assert state.tokens == ((0, 1, 1), (0, 0, 0))
    else:
        assert (showdown.composure, showdown.nerves) == ((1, 0, 1), (1, 1, 0))
        assert state.tokens == ((1, 0, 1), (1, 1, 0))


@pytest.mark.rule("SVT-4.2")
def test_however_many_traps_the_caller_takes_one_nerve_and_each_owner_one_composure(svt: Any) -> None:
    row = "1:(trap) 2:(trap) 3:(trap) 1:(trap) 2:5/5 3:5/5 1:5/5 3:5/5"
    state = called(svt, row, seats=4)
    showdown = state.round.last_showdown
    assert showdown.trap_owners == (1, 2, 3)
    assert showdown.composure == (1, 1, 1, 1)
    assert showdown.nerves == (1, 0, 0, 1)


@pytest.mark.rule("SVT-4.2", "SVT-4.4")
@pytest.mark.parametrize("total", [5, 20])
def test_the_caller_s_own_trap_counts_literally(svt: Any, total: int) -> None:
    """It gives the caller 1 composure and 1 nerve; a right sum then gives no second composure."""
    row = "0:(trap) 1:5/5" if total == 5 else "0:(trap) 1:5/5 2:5/5 1:5/5 2:5/5"
    showdown = called(svt, row).round.last_showdown
    assert showdown.total == total
    assert showdown.trap_owners == (0,)
    if total == 5:
        assert (showdown.composure, showdown.nerves) == ((1, 1, 0), (2, 0, 0))
    else:
        assert (showdown.composure, showdown.nerves) == ((1, 0, 0), (1, 0, 1))


@pytest.mark.rule("SVT-4.2")
def test_the_caller_s_trap_beside_those_of_others(svt: Any) -> None:
    state = called(svt, "0:(trap) 2:(trap) 1:5/5 2:4/4", seats=4)
    showdown = state.round.last_showdown
    assert (showdown.trap_owners, showdown.starter) == ((0, 2), 2)
    assert (showdown.composure, showdown.nerves) == ((1, 0, 1, 0), (2, 0, 0, 0))
    assert state.tokens == ((0, 0, 1, 0), (0, 0, 0, 0))


@pytest.mark.rule("SVT-4.4")
def test_nobody_gains_more_than_one_composure(svt: Any) -> None:
    """Seat 1 owns two traps and is favoured by the sum as well."""
    state = called(svt, "1:(trap) 2:5/5 1:(trap) 2:4/4 1:3/3")
    assert state.round.last_showdown.composure == (0, 1, 0)
    assert state.tokens.composure == (0, 1, 0)


@pytest.mark.rule("SVT-4.5")
def test_two_nerves_go_back_and_take_one_composure_with_them(svt: Any) -> None:
    state = called(svt, "2:5/5 1:5/5", tokens=tokens([2, 0, 1], [1, 0, 0]))
    assert state.round.last_showdown.put_back == (0,)
    assert state.tokens == ((1, 1, 1), (0, 0, 0))


@pytest.mark.rule("SVT-4.5")
def test_without_composure_only_the_nerves_go_back(svt: Any) -> None:
    state = called(svt, "2:5/5 1:5/5", tokens=tokens([0, 0, 1], [1, 0, 0]))
    assert state.tokens == ((0, 1, 1), (0, 0, 0))


@pytest.mark.rule("SVT-4.5", "SVT-4.2")
def test_of_three_nerves_two_go_back_and_one_stays(svt: Any) -> None:
    """The caller has one, and takes one for the trap and one for the sum; only one composure goes back."""
    state = called(svt, "2:(trap) 1:5/5", tokens=tokens([2, 0, 0], [1, 0, 0]))
    assert state.round.last_showdown.nerves == (2, 0, 0)
    assert state.tokens == ((1, 1, 1), (1, 0, 0))


@pytest.mark.rule("SVT-4.5")
def test_two_players_can_put_back_in_one_round(svt: Any) -> None:
    """The caller's trap costs the caller a nerve and the sum costs the last to lay one."""
    row = "0:(trap) 1:5/5 2:5/5 1:5/5 2:5/5"
    state = called(svt, row, tokens=tokens([1, 2, 2], [1, 0, 1]))
    assert state.round.last_showdown.put_back == (0, 2)
    assert state.tokens == ((1, 2, 1), (0, 0, 0))


@pytest.mark.rule("SVT-4.5")
def test_composure_gained_in_the_same_round_can_be_put_back(svt: Any) -> None:
    state = called(svt, "0:(trap) 2:5/5 1:5/5", tokens=tokens([0, 0, 0], [0, 0, 0]))
    assert state.round.last_showdown.composure == (1, 1, 0)
    assert state.tokens == ((0, 1, 0), (0, 0, 0))


@pytest.mark.rule("SVT-4.6")
def test_the_row_goes_to_the_used_pile_and_hands_are_kept(svt: Any) -> None:
    state = called(svt, "1:(5) 2:trap 1:4/4")
    assert svt.names(sorted(state.used)) == "5 trap 4/4"
    assert not state.row
    assert [svt.names(hand) for hand in state.hands] == [ONES, TWOS, THREES]
    assert state.view(0).last_to_lay is None


@pytest.mark.rule("SVT-4.6")
@pytest.mark.parametrize(("row", "starter"), [("2:5/5 1:5/5", 1), ("1:5/5 2:5/5 1:5/5 2:5/5", 0)])
def test_who_gained_composure_starts_the_next_round(svt: Any, row: str, starter: int) -> None:
    state = called(svt, row)
    assert (state.round.number, state.round.starter, state.turn) == (2, starter, starter)
    assert state.phase is Phase.TURN
    assert svt.told(state)[-1] == f"Round 2 starts with seat {starter}."


@pytest.mark.rule("SVT-4.6", "SVT-4.2")
@pytest.mark.parametrize(
    ("row", "starter"),
    [
        ("2:(trap) 0:5/5 1:4/4", 1),
        ("0:(trap) 2:(trap) 0:5/5 1:4/4", 1),
        ("2:(trap) 1:5/5 2:5/5 1:5/5 2:5/5", 0),
    ],
)
def test_of_several_the_one_whom_the_sum_favoured_starts(svt: Any, row: str, starter: int) -> None:
    assert called(svt, row).turn == starter


@pytest.mark.rule("SVT-4.6", "SVT-4.4")
def test_even_if_that_token_was_withheld(svt: Any) -> None:
    """Seat 1 was favoured, but had its composure from a trap already; seat 2 had one too."""
    assert called(svt, "2:(trap) 1:(trap) 0:5/5 1:4/4").turn == 1


@pytest.mark.rule("SVT-4.7", "SVT-4.1", "SVT-4.3")
def test_the_rulebook_s_worked_example(svt: Any) -> None:
    """Grażyna (1) lays a 1, Gracjan (0) calls; specials are 0 and the row comes to 18."""
    row = "0:5/5 2:(change-direction) 1:(4) 0:play-two 2:5 1:3/3"
    state = svt.table(ONES, "1 2/2 2/2", THREES, turn=1, row=row, last_to_lay=0)
    state = svt.call(svt.say(state, "1 lay 1 face-up"), 0)
    assert state.round.last_showdown.total == 18
    assert state.tokens == ((1, 0, 0), (0, 1, 0))


@pytest.mark.rule("SVT-4.8")
def test_everybody_draws_up_to_three_clockwise_from_the_next_starter(svt: Any) -> None:
    """Seat 1 starts; so 1 draws first, then 2, 3, and 0 last, although the turns go counter-clockwise."""
    hands = ("1/1 1/1", "2/2", "3/3 3/3", "4/4 4/4 4/4")
    state = svt.table(*hands, row="2:5/5 1:4/4", draw="5/5 5 trap 5/5 1", direction=2)
    svt.say(state, "0 call")
    assert [svt.names(hand) for hand in state.hands] == ["1/1 1/1 5/5", "5 2/2 5/5", "trap 3/3 3/3", FOURS]
    assert state.top == 4
    drawn = [line.split(";")[0] for line in svt.told(state) if "draws" in line]
    assert drawn == ["Seat 1 draws 5/5", "Seat 1 draws a heart", "Seat 2 draws a heart", "Seat 0 draws 5/5"]


@pytest.mark.rule("SVT-4.8", "SVT-2.6")
def test_the_layer_of_the_last_cards_draws_before_that(svt: Any) -> None:
    state = svt.table("1/1 1/1 1/1", "2/2", draw="5/5 4/4 3/3")
    svt.call(svt.say(state, "0 lay 1/1"), 1)
    assert [svt.names(hand) for hand in state.hands] == ["1/1 1/1 5/5", "2/2 3/3 4/4"]


@pytest.mark.rule("SVT-2.6", "SVT-3.2", "SVT-4.8")
def test_who_laid_two_draws_both_before_the_caller_fills_up(svt: Any) -> None:
    """Seat 1 calls rightly and so draws first in SVT-4.8, but after both draws of the layer."""
    row = "1:5/5 0:5/5 1:5/5"
    state = svt.table("1/1 1/1 1/1", "2/2", row=row, draw="5/5 4/4 3/3 2/2", to_lay=2)
    svt.call(svt.say(state, "0 lay 1/1", "0 lay 1/1"), 1)
    assert state.round.last_showdown.starter == 1
    assert [svt.names(hand) for hand in state.hands] == ["1/1 4/4 5/5", "2/2 2/2 3/3"]


@pytest.mark.rule("SVT-4.8", "SVT-2.7", "SVT-4.6")
def test_the_row_is_shuffled_at_once_if_there_is_nothing_else_to_draw(svt: Any) -> None:
    state = svt.table("", "2/2", rest="row")
    row = len(state.row)
    svt.say(state, "0 call")
    assert [len(hand) for hand in state.hands] == [3, 3]
    assert len(state.pile) - state.top == row - 5
    assert not state.used
    assert any("shuffled" in line for line in svt.told(state))


def test_a_showdown_reads_as_a_sentence(svt: Any) -> None:
    state = called(svt, "2:(trap) 1:5/5", tokens=tokens([2, 0, 0], [1, 0, 0]))
    assert svt.told(state)[:2] == [
        "Seat 0 calls: check!",
        "The row was (trap), 5/5. Seat 0 calls after seat 1, the row comes to 5; seat 2 hid a trap; "
        "seats 1 and 2 take 1 composure; seat 0 takes 2 nerves; seat 0 puts back 2 nerves, and a composure if any.",
    ]
