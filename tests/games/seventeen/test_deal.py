"""The cards, the tokens and the deal: SVT-D1 to SVT-D3, SVT-2.1."""

from collections import Counter
from typing import Any

import pytest

from croupier_games.chance import Chance
from croupier_games.errors import OptionError
from croupier_games.seventeen import SEVENTEEN
from croupier_games.seventeen.data import DECK, HEARTS, ONE_SIDED, SPECIALS, TWO_SIDED, Card
from croupier_games.seventeen.view import Direction, Phase


@pytest.mark.rule("SVT-D1")
def test_there_are_15_one_sided_and_35_two_sided_numbers() -> None:
    deck = Counter(DECK)
    assert [deck[card] for card in ONE_SIDED] == [3] * 5
    assert [deck[card] for card in TWO_SIDED] == [7] * 5
    assert [card.worth for card in ONE_SIDED] == [card.worth for card in TWO_SIDED] == [1, 2, 3, 4, 5]


@pytest.mark.rule("SVT-D2")
def test_there_are_5_of_each_special_and_they_are_worth_nothing() -> None:
    deck = Counter(DECK)
    assert [str(card) for card in SPECIALS] == ["change-direction", "play-two", "remove-last", "trap"]
    assert [(deck[card], card.worth) for card in SPECIALS] == [(5, 0)] * 4
    assert len(DECK) == 70


@pytest.mark.rule("SVT-D1", "SVT-D2", "SVT-1.1")
def test_a_two_sided_back_shows_its_number_and_any_other_a_heart() -> None:
    assert [card.back for card in TWO_SIDED] == list(TWO_SIDED)
    assert {card.back for card in HEARTS} == {Card.HEART}


@pytest.mark.rule("SVT-D3")
def test_the_pool_of_tokens_is_never_empty(svt: Any) -> None:
    """Six seats with 2 composure each hide a trap each: 18 tokens lie on the table, of which the box has 14."""
    row = " ".join(f"{seat}:(trap)" for seat in range(5)) + " 5:5 4:5/5 4:4/4 5:4"
    hands = ["1/1 1/1 1/1", "2/2 2/2 2/2", "3/3 3/3 3/3", "4/4 4/4 4/4", "1 2 3", "1 1/1 4"]
    state = svt.table(*hands, row=row, tokens=[[2] * 6, [0] * 6])
    svt.say(state, "0 call")
    assert state.tokens.composure == (3, 3, 3, 3, 3, 2)
    assert state.tokens.nerves == (1, 0, 0, 0, 0, 1)
    assert sum(state.tokens.composure) > 14


@pytest.mark.rule("SVT-2.1")
@pytest.mark.parametrize("seats", range(2, 7))
def test_everybody_gets_3_cards_and_the_rest_is_the_draw_pile(svt: Any, seats: int) -> None:
    state = svt.open(seats, seats)
    assert [len(hand) for hand in state.hands] == [3] * seats
    assert len(state.pile) == 70 - 3 * seats
    assert not state.row
    assert not state.used
    assert Counter(state.pile) + Counter(card for hand in state.hands for card in hand) == Counter(DECK)
    assert state.direction is Direction.CLOCKWISE
    assert state.phase is Phase.TURN
    assert state.deciders == (state.round.starter,)
    assert state.tokens == ((0,) * seats, (0,) * seats)


@pytest.mark.rule("SVT-2.1", "ALL-1")
def test_the_deal_is_the_documented_shuffle(svt: Any) -> None:
    """docs/rules/seventeen.md: seat s holds positions s, s + n, s + 2n; the pile is what follows."""
    state = svt.open(4, 3)
    order = Chance(svt.seed(3)).shuffled("deal", DECK)
    assert state.hands == tuple(tuple(sorted(order[seat:12:4])) for seat in range(4))
    assert state.pile[state.top :] == order[12:]
    assert state.round.starter == Chance(svt.seed(3)).below("start", 4)


@pytest.mark.rule("SVT-2.1", "ALL-1", "ALL-2")
def test_the_start_player_is_random_unless_an_option_says_who(svt: Any) -> None:
    drawn = Counter(svt.open(3, number).turn for number in range(60))
    assert set(drawn) == {0, 1, 2}
    assert all(svt.open(3, number, start_seat=2).turn == 2 for number in range(5))
    with pytest.raises(OptionError, match="seats are 0 to 2"):
        SEVENTEEN.new(seats=3, options={"start_seat": 3}, seed=bytes(32))


@pytest.mark.rule("SVT-2.1", "SVT-1.1")
def test_the_deal_is_told_as_it_is_seen(svt: Any) -> None:
    state = svt.open(2, 0, start_seat=0)
    dealt, *own, started = state.events
    assert dealt.audience is None
    assert dealt.what.players == state.view(None).players
    assert dealt.what.draw_pile == (64, state.pile[0].back)
    assert [(event.audience, event.what.hand.cards) for event in own] == list(enumerate(state.hands))
    assert svt.told(state)[-1] == str(started.what) == "Round 1 starts with seat 0."
