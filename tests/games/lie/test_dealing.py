"""The deck, the deal, the starter and the arranging: LIE-D1, LIE-1.1, LIE-1.2."""

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from croupier_games.chance import Chance
from croupier_games.errors import IllegalAction, OptionError, SeatsError
from croupier_games.lie import LIE
from croupier_games.lie.actions import Arrange
from croupier_games.lie.data import DECK
from croupier_games.lie.view import AllArranged, Phase


@pytest.mark.rule("LIE-D1")
def test_the_deck_holds_every_pair_of_different_values_twice() -> None:
    assert len(DECK) == 30
    assert Counter(DECK) == dict.fromkeys(combinations(range(1, 7), 2), 2)
    assert Counter(value for card in DECK for value in card) == dict.fromkeys(range(1, 7), 10)


@pytest.mark.rule("LIE-1.1", "ALL-1", "ALL-2")
def test_the_first_starter_is_drawn_from_the_seed(lie: Any) -> None:
    starters = [lie.open(4, number).round.starter for number in range(60)]
    assert starters == [Chance(lie.seed(number)).below("start", 4) for number in range(60)]
    assert set(starters) == {0, 1, 2, 3}


@pytest.mark.rule("ALL-2")
def test_the_first_starter_may_be_given(lie: Any) -> None:
    assert [lie.open(4, start_seat=seat).round.starter for seat in range(4)] == [0, 1, 2, 3]
    with pytest.raises(OptionError, match="seats are 0 to 3"):
        lie.open(4, start_seat=4)


@pytest.mark.rule("LIE-1.1")
@pytest.mark.parametrize("seats", range(2, 7))
def test_everybody_starts_with_one_card(lie: Any, seats: int) -> None:
    state = lie.open(seats)
    assert state.round.hand_sizes == state.round.card_counts == (1,) * seats
    assert [len(hand.cards) for hand in state.hands] == [1] * seats


def test_two_to_six_play() -> None:
    for seats in (1, 7):
        with pytest.raises(SeatsError, match="2 to 6"):
            LIE.new(seats=seats, seed=bytes(32))


@pytest.mark.rule("LIE-1.1", "ALL-1")
def test_every_round_deals_from_all_30_cards_shuffled_for_that_round(lie: Any) -> None:
    state = lie.open(3)
    for number in range(1, 10):
        order = Chance(lie.seed(0)).shuffled(f"deal/round/{number}", DECK)
        assert state.round.number == number
        for seat, hand in enumerate(state.hands):
            size = state.round.hand_sizes[seat]
            assert [card[:2] for card in hand.cards] == sorted(order[place * 3 + seat] for place in range(size))
        lie.lose(state, number % 3)


@pytest.mark.rule("ALL-1")
def test_what_is_dealt_depends_neither_on_play_nor_on_how_many_cards_others_hold(lie: Any) -> None:
    one, other = lie.open(3), lie.open(3)
    for loser in (0, 1, 1):
        lie.lose(one, loser)
    for loser in (0, 2, 2):
        lie.lose(other, loser)
    assert one.round.hand_sizes == (2, 3, 1)
    assert other.round.hand_sizes == (2, 1, 3)
    assert one.hands[0] == other.hands[0]
    assert set(other.hands[1].cards) <= set(one.hands[1].cards)


@pytest.mark.rule("LIE-1.2")
def test_each_card_shows_either_of_its_values_and_one_action_sets_the_whole_hand(lie: Any) -> None:
    state = lie.with_hands(lie.with_counts([3, 1]), [(1, 4), (2, 4), (2, 6)], [(3, 5)])
    assert [str(action) for action in state.legal(0)] == [
        "show 1 2 2", "show 1 2 6", "show 1 4 2", "show 1 4 6",
        "show 4 2 2", "show 4 2 6", "show 4 4 2", "show 4 4 6",
    ]  # fmt: skip
    lie.say(state, "0 show 4 4 2")
    assert state.view(0).hand.cards == ((1, 4, 4), (2, 4, 4), (2, 6, 2))


@pytest.mark.rule("LIE-1.2")
def test_equal_cards_are_not_offered_twice(lie: Any) -> None:
    state = lie.with_hands(lie.with_counts([3, 1]), [(1, 4), (2, 6), (2, 6)], [(3, 5)])
    assert [str(action) for action in state.legal(0)] == [
        "show 1 2 2", "show 1 2 6", "show 1 6 6", "show 4 2 2", "show 4 2 6", "show 4 6 6",
    ]  # fmt: skip
    with pytest.raises(IllegalAction, match="the first shows the lower value"):
        lie.say(state, "0 show 1 6 2")


@pytest.mark.rule("LIE-1.2")
@pytest.mark.parametrize("values", [(1,), (1, 2, 2, 2), (4, 4, 4), (1, 2, 3), (1, 2, 0), (), "122", 7, ([], 2, 2)])
def test_no_other_values_can_be_shown(lie: Any, values: Any) -> None:
    state = lie.with_hands(lie.with_counts([3, 1]), [(1, 4), (2, 4), (2, 6)], [(3, 5)])
    before = state.save()
    with pytest.raises(IllegalAction, match="one value of each card"):
        state.play(0, Arrange(values))
    assert state.save() == before


@pytest.mark.rule("LIE-1.2")
def test_an_arrangement_is_final(lie: Any) -> None:
    state = lie.open(3)
    first, second = state.legal(1)
    state.play(1, first)
    assert state.deciders == (0, 2)
    assert state.legal(1) == ()
    with pytest.raises(IllegalAction, match="that is final"):
        state.play(1, second)


@pytest.mark.rule("LIE-1.2", "LIE-1.3", "ALL-4")
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_all_arrange_in_any_order_before_the_first_bid(lie: Any, order: tuple[int, ...]) -> None:
    state = lie.open(3, start_seat=1)
    assert state.deciders == (0, 1, 2)
    for done, seat in enumerate(order):
        assert state.phase is Phase.ARRANGE
        assert state.turn is None
        state.play(seat, state.legal(seat)[0])
        public = [event.what for event in state.events if event.audience is None]
        assert public == ([AllArranged()] if done == 2 else [])
        assert state.events[0].audience == seat
    assert (state.phase, state.turn, state.deciders) == (Phase.BID, 1, (1,))
