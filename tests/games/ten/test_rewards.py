"""Rewards and busts: TEN-3.1 to TEN-3.5."""

from typing import Any

import pytest

from croupier_games.ten.view import Phase


@pytest.mark.rule("TEN-3.1")
def test_taking_numbers_gives_the_others_the_currency(ten: Any) -> None:
    state = ten.table(3, area="B3 $2 G5 $1", deck="P1", own=["O4 B1"], tokens=[5, 1, 6], active=0)
    ten.say(state, "0 take numbers")
    assert ten.names(state.holdings[0].numbers) == "B1 B3 G5 O4"
    assert ten.tokens(state) == [5, 4, 9]
    assert state.area.cards == ()
    assert state.market.cards == ()
    assert {"$1", "$2"} <= {str(card) for card in state.discards.cards}
    assert (state.phase, state.deciders) == (Phase.BUY, (0,))
    ten.say(state, "0 pass")
    assert (state.phase, state.active, state.deciders) == (Phase.DRAW, 1, (1,))


@pytest.mark.rule("TEN-3.1", "TEN-3.3")
def test_what_the_others_get_ends_at_the_limit(ten: Any) -> None:
    state = ten.table(4, area="B3 $5 $4", deck="P1", tokens=[0, 0, 4, 10], active=0)
    ten.say(state, "0 take numbers")
    assert ten.tokens(state) == [0, 9, 10, 10]
    assert ten.told(state) == ["Seat 0 takes B3.", "Seat 1 gets 9 tokens.", "Seat 2 gets 6 tokens."]


@pytest.mark.rule("TEN-3.2", "TEN-5.1")
def test_taking_currency_puts_the_numbers_on_sale_and_ends_the_turn(ten: Any) -> None:
    state = ten.table(3, area="B3 $2 G5 $1", deck="P1", own=["O4"], tokens=[5, 1, 6], market="B3 P9", active=2)
    ten.say(state, "2 take currency")
    assert ten.tokens(state) == [5, 1, 9]
    assert ten.names(state.market.cards) == "B3 B3 G5 P9"
    assert state.holdings[2].numbers == ()
    assert state.area.cards == ()
    assert {"$1", "$2"} <= {str(card) for card in state.discards.cards}
    assert (state.phase, state.active, state.deciders) == (Phase.DRAW, 0, (0,))
    assert ten.told(state) == [
        "Seat 2 takes the currency; to the market: B3 G5.",
        "Seat 2 gets 3 tokens.",
        "Seat 0 begins a turn.",
    ]


@pytest.mark.rule("TEN-3.2", "TEN-3.3")
@pytest.mark.parametrize(("before", "after"), [(0, 9), (1, 10), (2, 10), (10, 10)])
def test_a_surplus_of_currency_goes_back(ten: Any, before: int, after: int) -> None:
    state = ten.say(ten.table(2, area="$5 $4", deck="P1", tokens=[before, 0]), "0 take currency")
    assert ten.tokens(state) == [after, 0]


@pytest.mark.rule("TEN-3.3")
def test_bust_tokens_do_not_count_against_the_limit(ten: Any) -> None:
    state = ten.table(2, area="$5 $4", deck="P1", tokens=[1, 0], bust=[7, 0])
    ten.say(state, "0 take currency")
    assert (state.holdings[0].tokens, state.holdings[0].bust_tokens) == (10, 7)
    busted = ten.say(ten.table(2, area="B9", deck="G9 P1", tokens=[10, 0]), "0 draw")
    assert (busted.holdings[0].tokens, busted.holdings[0].bust_tokens) == (10, 1)


@pytest.mark.rule("TEN-3.4")
@pytest.mark.parametrize(
    ("area", "rewards"),
    [("B3 G1", ["take numbers"]), ("$3 $1", ["take currency"]), ("B3 $1", ["take numbers", "take currency"])],
)
def test_a_reward_needs_a_card_of_its_kind(ten: Any, area: str, rewards: list[str]) -> None:
    assert ten.legal(ten.table(2, area=area, deck="P1")) == ["draw", *rewards]
    assert ten.legal(ten.table(2, area=area, deck="")) == rewards


@pytest.mark.rule("TEN-3.4", "TEN-5.1")
def test_a_currency_only_area_gives_no_purchase(ten: Any) -> None:
    state = ten.say(ten.table(2, area="$3", deck="P1", market="B1"), "0 take currency")
    assert (state.phase, state.active) == (Phase.DRAW, 1)


@pytest.mark.rule("TEN-3.5", "TEN-5.1")
def test_a_bust_by_number(ten: Any) -> None:
    state = ten.table(3, area="B6 $2 G5", deck="O9 P1", tokens=[5, 9, 0], market="P2", own=["B6"])
    ten.say(state, "0 draw")
    assert ten.names(state.market.cards) == "B6 G5 O9 P2"
    assert ten.tokens(state) == [5, 10, 2]
    assert [holding.bust_tokens for holding in state.holdings] == [1, 0, 0]
    assert ten.names(state.holdings[0].numbers) == "B6"
    assert state.area.cards == ()
    assert "$2" in ten.names(state.discards.cards)
    assert (state.phase, state.active) == (Phase.DRAW, 1)


@pytest.mark.rule("TEN-3.5", "TEN-5.1")
def test_a_bust_by_currency_gives_the_others_nothing(ten: Any) -> None:
    state = ten.table(3, area="B6 $4 $3 G5", deck="$4 P1", tokens=[5, 9, 0], market="P2")
    ten.say(state, "0 draw")
    assert ten.names(state.market.cards) == "B6 G5 P2"
    assert ten.tokens(state) == [5, 9, 0]
    assert [holding.bust_tokens for holding in state.holdings] == [1, 0, 0]
    assert state.discards.cards.count(ten.cards("$4")[0]) == 4
    assert (state.phase, state.active) == (Phase.DRAW, 1)
    assert ten.told(state)[1] == "Seat 0 busts by currency; to the market: B6 G5."


@pytest.mark.rule("ALL-3")
def test_turns_go_clockwise_and_wrap_round(ten: Any) -> None:
    state = ten.table(3, area="$1", active=2, deck="$2 $3 $4 $5")
    turns = []
    for _ in range(3):
        turns.append(state.active)
        ten.say(state, f"{state.active} take currency", f"{(state.active + 1) % 3} draw")
    assert turns == [2, 0, 1]
