"""Turns, laying and drawing: SVT-2.2 to SVT-2.4, SVT-2.6 to SVT-2.8."""

from collections import Counter
from typing import Any

import pytest

from croupier_games.errors import IllegalAction
from croupier_games.seventeen.actions import CALL, PASS, Lay
from croupier_games.seventeen.data import DECK, SPECIALS, Card
from croupier_games.seventeen.view import Direction, Phase

FULL = "1/1 1/1 1/1"


def legal(state: Any) -> list[str]:
    return [str(action) for action in state.legal(state.turn)]


@pytest.mark.rule("SVT-2.2", "SVT-2.3")
def test_a_turn_lays_a_card_or_calls(svt: Any) -> None:
    state = svt.table("3 trap 5/5", FULL, row="1:2/2")
    assert legal(state) == [
        "lay 3 face-up",
        "lay 3 heart-up",
        "lay trap face-up",
        "lay trap heart-up",
        "lay 5/5",
        "call",
    ]
    assert state.legal(1) == ()


@pytest.mark.rule("SVT-2.3")
def test_equal_cards_are_offered_once(svt: Any) -> None:
    assert legal(svt.table("3 3 3/3", FULL)) == ["lay 3 face-up", "lay 3 heart-up", "lay 3/3"]


@pytest.mark.rule("SVT-2.3")
def test_a_two_sided_card_always_shows_its_number(svt: Any) -> None:
    state = svt.table("3/3 4/4 5/5", FULL)
    for heart_up in (Lay(Card.TWO_SIDED_THREE, True), Lay(Card.HEART, True), Lay(Card.UNSPECIFIED, False)):
        with pytest.raises(IllegalAction, match="seat 0 may lay 3/3, lay 4/4, lay 5/5 now; got lay"):
            state.play(0, heart_up)
    svt.say(state, "0 lay 3/3")
    assert state.view(1).row.cards == ((0, Card.TWO_SIDED_THREE, False),)


@pytest.mark.rule("SVT-2.2", "SVT-2.3")
def test_the_rulebook_s_first_round_goes_round(svt: Any) -> None:
    """Gracjan lays a 2 heart up, Gustaw a 3 face up, Grażyna a two-sided 4; then it is Gracjan's turn again."""
    state = svt.table("2 1/1 1/1", "3 1/1 1/1", "4/4 2/2 2/2")
    svt.say(state, "0 lay 2 heart-up", "pass", "1 lay 3 face-up", "pass", "2 lay 4/4", "pass")
    assert state.turn == 0
    assert svt.names(laid.card for laid in state.view(None).row.cards) == "heart 3 4/4"
    assert svt.names(laid.card for laid in state.view(0).row.cards) == "2 3 4/4"


@pytest.mark.rule("SVT-2.4", "SVT-3.1", "SVT-3.2", "SVT-3.3", "SVT-3.4")
@pytest.mark.parametrize("special", SPECIALS, ids=str)
def test_a_special_laid_heart_up_does_nothing(svt: Any, special: Card) -> None:
    state = svt.table(f"{special} 2/2 2/2", FULL, FULL.replace("1", "3"), row="2:4/4")
    svt.say(state, f"0 lay {special} heart-up")
    assert svt.names(laid.card for laid in state.row) == f"4/4 {special}"
    assert state.direction is Direction.CLOCKWISE
    assert not state.play_two
    assert not state.used
    svt.say(state, "pass")
    assert (state.turn, state.to_lay) == (1, 1)


@pytest.mark.rule("SVT-2.6")
@pytest.mark.parametrize("called", [False, True])
def test_the_layer_draws_when_the_window_has_closed_called_or_not(svt: Any, called: bool) -> None:
    state = svt.table("2/2 2/2 2/2", FULL, FULL.replace("1", "3"), draw="trap 4/4", row="2:4/4")
    svt.say(state, "0 lay 2/2")
    assert svt.names(state.hands[0]) == "2/2 2/2"
    svt.say(state, "1 pass")
    assert svt.names(state.hands[0]) == "2/2 2/2"
    svt.say(state, "2 call" if called else "2 pass")
    assert svt.names(state.hands[0]) == "trap 2/2 2/2"
    told = svt.told(state, 1)
    drawn = told.index("Seat 0 draws a heart; the draw pile: 59 cards, 4/4 on top.")
    if called:  # before SVT-4.1
        assert told[drawn - 1] == "Seat 2 calls: check!"
        assert told[drawn + 1].startswith("The row was 4/4, 2/2.")


@pytest.mark.rule("SVT-2.6")
def test_a_caller_draws_nothing(svt: Any) -> None:
    """Neither the caller in turn nor the one in a window; SVT-4.8 fills hands only up to 3."""
    state = svt.table("2/2 2/2 2/2", FULL, row="1:4/4", draw="trap 4/4")
    svt.say(state, "0 call")
    assert svt.names(state.hands[0]) == "2/2 2/2 2/2"
    assert state.top == 0
    state = svt.table("2/2 2/2 2/2", FULL, draw="trap 4/4")
    svt.say(state, "0 lay 2/2", "1 call")
    assert svt.names(state.hands[1]) == "1/1 1/1 1/1"
    assert state.top == 1


@pytest.mark.rule("SVT-2.6", "SVT-3.2")
def test_whoever_laid_two_draws_two(svt: Any) -> None:
    state = svt.table("2/2 2/2 2/2", FULL, draw="trap 4/4 5", to_lay=2, row="1:play-two")
    svt.say(state, "0 lay 2/2", "0 lay 2/2")
    assert len(state.hands[0]) == 1
    svt.say(state, "pass")
    assert svt.names(state.hands[0]) == "trap 2/2 4/4"


@pytest.mark.rule("SVT-2.7")
def test_an_empty_draw_pile_is_made_of_the_used_pile_at_once(svt: Any) -> None:
    """Not when the next card is needed: as soon as the last card is drawn, everybody sees the new pile."""
    state = svt.table("2/2 2/2 2/2", FULL, draw="trap", used="5 5", rest="row")
    laid = len(state.row)
    svt.say(state, "0 lay 2/2", "pass")
    assert svt.names(state.hands[0]) == "trap 2/2 2/2"
    assert not state.used
    assert state.pile == tuple(svt.cards("5 5"))
    assert len(state.row) == laid + 1
    assert svt.told(state)[-2:] == [
        "Seat 0 draws a heart; the draw pile: empty.",
        "The used pile is shuffled into a new draw pile: 2 cards, heart on top.",
    ]


@pytest.mark.rule("SVT-2.7")
def test_the_used_pile_is_shuffled_between_two_draws(svt: Any) -> None:
    state = svt.table("2/2 2/2 2/2", FULL, draw="trap", used="5 5", rest="row", to_lay=2)
    svt.say(state, "0 lay 2/2", "0 lay 2/2", "pass")
    assert svt.names(state.hands[0]) == "5 trap 2/2"
    assert state.pile[state.top :] == tuple(svt.cards("5"))


@pytest.mark.rule("SVT-2.7", "SVT-3.3")
def test_cards_that_are_removed_become_the_draw_pile_if_that_is_empty(svt: Any) -> None:
    """Right in the middle of a turn; the layer then draws one of them."""
    state = svt.table("remove-last 2/2 2/2", FULL, rest="row")
    assert not state.pile
    before = len(state.row)
    svt.say(state, "0 lay remove-last face-up")
    assert state.phase is Phase.CALLS
    assert len(state.row) == before - 1
    assert len(state.pile) == 2
    svt.say(state, "pass")
    assert len(state.hands[0]) == 3
    assert len(state.pile) - state.top == 1


@pytest.mark.rule("SVT-2.7")
def test_the_shuffle_never_includes_the_row(svt: Any) -> None:
    state = svt.table("2/2 2/2 2/2", FULL, row="1:3 0:(4) 1:4/4", draw="trap", rest="used")
    row = state.row
    svt.say(state, "0 lay 2/2", "pass")
    assert state.row[:3] == row
    assert len(state.pile) == 70 - 6 - 4
    everywhere = [*state.pile, *(laid.card for laid in state.row), *state.hands[0], *state.hands[1]]
    assert Counter(everywhere) == Counter(DECK)


@pytest.mark.rule("SVT-2.7")
def test_the_shuffles_are_drawn_from_the_seed_under_their_number(svt: Any) -> None:
    state = svt.table("2/2 2/2 2/2", FULL, draw="trap", rest="used")
    used = sorted(state.used)
    svt.say(state, "0 lay 2/2", "pass")
    assert state.pile == state.chance.shuffled("shuffle/1", used)
    assert state.pile != state.chance.shuffled("shuffle/2", used)


@pytest.mark.rule("SVT-2.7")
def test_with_both_piles_empty_nobody_draws(svt: Any) -> None:
    state = svt.table("2/2 2/2 2/2", FULL, rest="row")
    svt.say(state, "0 lay 2/2", "pass")
    assert svt.names(state.hands[0]) == "2/2 2/2"
    assert svt.told(state) == ["Nobody calls."]
    assert state.view(0).draw_pile == (0, Card.UNSPECIFIED)


@pytest.mark.rule("SVT-2.7")
def test_a_player_without_a_card_must_call(svt: Any) -> None:
    state = svt.table("", FULL, rest="row")
    assert legal(state) == ["call"]
    with pytest.raises(IllegalAction, match="seat 0 may call now; got pass"):
        state.play(0, PASS)
    svt.say(state, "0 call")
    assert state.tokens.composure == (1, 0)
    assert [len(hand) for hand in state.hands] == [3, 3]


@pytest.mark.rule("SVT-2.7")
def test_a_player_without_a_card_or_a_row_to_call_draws_one_first(svt: Any) -> None:
    """Seat 1's last card empties the row while seat 0 holds nothing: a ruling, so that no turn has no choice."""
    state = svt.table("2/2 2/2", "remove-last", "", turn=1, draw="4/4 5/5 3/3")
    svt.say(state, "1 lay remove-last face-up")
    assert not state.row
    assert (state.turn, svt.names(state.hands[1]), svt.names(state.hands[2])) == (2, "4/4", "5/5")
    assert legal(state) == ["lay 5/5"]
    assert state.to_lay == 1


@pytest.mark.rule("SVT-2.8")
def test_nobody_can_call_while_the_row_is_empty(svt: Any) -> None:
    state = svt.table("3 3/3 trap", FULL)
    assert "call" not in legal(state)
    with pytest.raises(IllegalAction, match="got call"):
        state.play(0, CALL)


@pytest.mark.rule("SVT-2.8", "SVT-2.5", "SVT-2.6")
def test_after_a_row_was_emptied_the_next_player_cannot_call_either(svt: Any) -> None:
    state = svt.table("remove-last 3/3 trap", FULL, row="1:5/5", draw="4/4")
    svt.say(state, "0 lay remove-last face-up")
    assert state.phase is Phase.TURN
    assert (state.turn, state.last_to_lay) == (1, 0)
    assert svt.names(state.hands[0]) == "trap 3/3 4/4"
    assert legal(state) == ["lay 1/1"]


def test_refusals_say_whose_turn_it_is_and_what_is_possible(svt: Any) -> None:
    state = svt.table("3/3 3/3 3/3", FULL, FULL.replace("1", "2"), row="1:5/5")
    before = state.save()
    lay = Lay(Card.TWO_SIDED_THREE, False)
    for seat, action, words in [
        (1, lay, "it is the turn of seat 0, not of seat 1"),
        (3, lay, "the seats are 0 to 2"),
        (-1, lay, "the seats are 0 to 2"),
        (None, lay, "the seats are 0 to 2"),
        (True, lay, "the seats are 0 to 2"),
        (0, PASS, "seat 0 may lay 3/3, call now; got pass"),
        (0, None, "seat 0 may lay 3/3, call now; got NoneType"),
        (0, "call", "seat 0 may lay 3/3, call now; got str"),
        (0, Lay(Card.TWO_SIDED_ONE, False), "seat 0 may lay 3/3, call now; got lay 1/1"),
    ]:
        with pytest.raises(IllegalAction) as refused:
            state.play(seat, action)
        assert str(refused.value) == words
    assert state.save() == before
    svt.say(state, "0 lay 3/3", "1 pass")
    for seat, words in [
        (0, "seat 0 has laid, and its rivals choose whether to call"),
        (1, "seat 1 has chosen, and that is final"),
    ]:
        with pytest.raises(IllegalAction) as refused:
            state.play(seat, CALL)
        assert str(refused.value) == words
