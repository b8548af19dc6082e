"""The end of the game: SVT-5.1, ALL-7."""

from typing import Any

import pytest

from croupier_games.errors import IllegalAction
from croupier_games.seventeen import SEVENTEEN
from croupier_games.seventeen.actions import CALL
from croupier_games.seventeen.data import MOST_LAID
from croupier_games.seventeen.view import Phase

ONES, TWOS, THREES, FOURS = "1/1 1/1 1/1", "2/2 2/2 2/2", "3/3 3/3 3/3", "4/4 4/4 4/4"
LOW = "2:5/5 1:5/5"
HIGH = "1:5/5 2:5/5 1:5/5 2:5/5"


def ended(svt: Any, row: str, composure: list[int], nerves: list[int]) -> Any:
    hands = (ONES, TWOS, THREES, FOURS)[: len(nerves)]
    return svt.say(svt.table(*hands, row=row, tokens=[composure, nerves]), "0 call")


def places(state: Any) -> list[int]:
    return [result.place for result in state.outcome.results]


@pytest.mark.rule("SVT-5.1", "ALL-7")
def test_three_composure_win_and_the_others_are_placed_by_composure(svt: Any) -> None:
    state = ended(svt, HIGH, [2, 1, 2], [0, 0, 0])
    assert state.phase is Phase.OVER
    assert state.deciders == ()
    assert places(state) == [1, 3, 2]
    assert state.outcome.reason == "seat 0 has 3 composure"
    assert [result.points for result in state.outcome.results] == [3, 1, 2]
    assert [result.notes for result in state.outcome.results] == [
        ("3 composure, 0 nerves",),
        ("1 composure, 0 nerves",),
        ("2 composure, 1 nerve",),
    ]
    with pytest.raises(IllegalAction, match="the game is over"):
        state.play(0, CALL)


@pytest.mark.rule("SVT-5.1")
def test_two_composure_do_not_win(svt: Any) -> None:
    assert ended(svt, HIGH, [1, 2, 2], [0, 0, 0]).outcome is None


@pytest.mark.rule("SVT-5.1")
def test_the_others_with_equal_composure_are_placed_by_fewer_nerves(svt: Any) -> None:
    state = ended(svt, HIGH, [2, 1, 1], [0, 0, 0])
    assert places(state) == [1, 2, 3]
    assert [result.tie_breaks for result in state.outcome.results] == [(("calm", 1),), (("calm", 1),), (("calm", 0),)]


@pytest.mark.rule("SVT-5.1", "ALL-7")
def test_the_others_with_equal_composure_and_nerves_share_a_place(svt: Any) -> None:
    state = ended(svt, HIGH.replace("2:", "3:"), [2, 1, 1, 0], [0, 1, 1, 0])
    assert places(state) == [1, 2, 2, 4]


@pytest.mark.rule("SVT-5.1")
def test_of_several_with_three_the_one_with_fewer_nerves_wins(svt: Any) -> None:
    """Seat 2's trap and the sum make two with 3: the caller took a nerve for the trap, seat 2 has none."""
    state = ended(svt, "2:(trap) 1:5/5 2:5/5 1:5/5 2:5 1:1", [2, 0, 2], [0, 0, 0])
    assert state.tokens == ((3, 0, 3), (1, 1, 0))
    assert places(state) == [2, 3, 1]
    assert state.outcome.reason == "seats 0 and 2 have 3 composure"


@pytest.mark.rule("SVT-5.1", "ALL-7")
def test_else_the_win_is_shared(svt: Any) -> None:
    """Seats 1 and 2 own traps and have a nerve each: nothing tells them apart."""
    state = ended(svt, "1:(trap) 2:(trap) 3:5/5 1:5/5 3:4/4 1:3/3 3:1", [1, 2, 2, 1], [0, 1, 1, 0])
    assert state.tokens == ((2, 3, 3, 1), (1, 1, 1, 1))
    assert places(state) == [3, 1, 1, 4]


@pytest.mark.rule("SVT-5.1", "SVT-4.5")
def test_a_third_composure_that_goes_back_with_two_nerves_does_not_win(svt: Any) -> None:
    """Only after all steps of the round is it counted."""
    state = ended(svt, "0:(trap) 1:5/5 2:5/5 1:5/5 2:5/5", [2, 0, 0], [1, 0, 0])
    assert state.tokens == ((2, 0, 0), (0, 0, 1))
    assert state.outcome is None
    assert state.round.number == 2


@pytest.mark.rule("SVT-5.1", "SVT-4.6", "SVT-4.8")
def test_the_last_round_is_finished_before_the_end(svt: Any) -> None:
    """The row is put away and hands are filled; the view stays at the last round and shows how it ended."""
    state = svt.table(ONES, "2/2", row="1:5/5 1:5/5 1:5 1:5", tokens=[[2, 0], [0, 0]])
    svt.say(state, "0 call")
    view = state.view(None)
    assert (view.phase, view.turn, view.round.number) == (Phase.OVER, None, 1)
    assert view.round.last_showdown.round == 1
    assert len(state.used) == 4
    assert len(state.hands[1]) == 3
    assert svt.told(state)[-1].startswith("Seat 1 draws")


@pytest.mark.rule("SVT-5.1")
def test_a_game_that_nobody_wins_ends_as_it_stands(svt: Any) -> None:
    """A ruling, so that every game ends: after so many cards that no serious game comes near."""
    state = svt.table(ONES, TWOS, THREES, tokens=[[1, 2, 2], [0, 1, 0]], cards_laid=MOST_LAID - 1)
    svt.say(state, "0 lay 1/1")
    assert state.deciders == (1, 2)  # the turn is finished first
    svt.say(state, "pass")
    assert (state.phase, state.view(0).cards_laid) == (Phase.OVER, MOST_LAID)
    assert state.outcome.reason == "2000 cards have been laid"
    assert places(state) == [3, 2, 1]
    assert SEVENTEEN.restore(state.save()).outcome == state.outcome


@pytest.mark.rule("SVT-5.1")
def test_a_round_that_ends_with_the_last_card_still_counts(svt: Any) -> None:
    state = svt.table(ONES, TWOS, THREES, tokens=[[1, 2, 2], [0, 1, 0]], cards_laid=MOST_LAID - 1)
    svt.call(svt.say(state, "0 lay 1/1"), 1)
    assert state.tokens.composure == (2, 1, 2)
    assert state.outcome.reason == "2000 cards have been laid"
    before = svt.table(ONES, TWOS, THREES, tokens=[[1, 2, 2], [0, 1, 0]], cards_laid=MOST_LAID - 2)
    svt.call(svt.say(before, "0 lay 1/1"), 1)
    assert before.outcome is None


@pytest.mark.rule("SVT-5.1", "SVT-3.2")
def test_a_play_two_that_ends_the_game_is_nobody_s_duty(svt: Any) -> None:
    state = svt.table("play-two 1/1 1/1", TWOS, cards_laid=MOST_LAID - 1)
    svt.say(state, "0 lay play-two face-up", "pass")
    assert state.phase is Phase.OVER
    assert not state.view(None).play_two
    assert SEVENTEEN.render(state.view(None)).startswith("17, round 1, clockwise: the game is over")


@pytest.mark.rule("SVT-5.1", "SVT-3.3", "SVT-2.7")
@pytest.mark.parametrize("seats", [2, 6])
def test_a_round_that_nobody_wants_to_end_ends_the_game(svt: Any, seats: int) -> None:
    """Why there has to be such an end: what is removed is drawn again, so the cards never run out."""
    state = svt.open(seats, 3)
    while state.deciders:
        seat = state.deciders[0]
        legal = [str(action) for action in state.legal(seat)]
        liked = ("pass", "lay remove-last face-up", *(text for text in legal if "remove-last" not in text), *legal)
        state.play(seat, SEVENTEEN.parse(next(text for text in liked if text in legal)))
    assert state.round.number == 1
    assert state.cards_laid in (MOST_LAID, MOST_LAID + 1)  # the last turn may lay two
    assert places(state) == [1] * seats


@pytest.mark.rule("SVT-5.1", "SVT-4.2", "SVT-4.5")
def test_composure_can_go_round_in_circles(svt: Any) -> None:
    """And why it counts cards, not rounds won: each calls twice with a trap of their own in a row of 20, and both have
    what they had before."""
    tokens = before = [[1, 1], [0, 0]]
    for caller, other in ((0, 1), (0, 1), (1, 0), (1, 0)):
        row = f"{caller}:(trap) {caller}:5/5 {caller}:5/5 {caller}:5/5 {other}:5/5"
        state = svt.say(svt.table(ONES, TWOS, row=row, turn=caller, tokens=tokens), f"{caller} call")
        assert state.outcome is None
        tokens = [list(held) for held in state.tokens]
    assert tokens == before


def test_the_bound_on_actions_counts_every_answer_to_every_lay() -> None:
    assert SEVENTEEN.max_actions == (MOST_LAID + 1) * 7
