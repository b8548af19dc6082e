"""Purchases: TEN-5.1 to TEN-5.4."""

from typing import Any

import pytest

from croupier_games.errors import IllegalAction
from croupier_games.ten.actions import Buy
from croupier_games.ten.data import Colour
from croupier_games.ten.view import Phase


def shop(ten: Any, **table: Any) -> Any:
    """Seat 0 has taken numbers and may buy."""
    return ten.table(2, phase=Phase.BUY, deck="O1 O2", **table)


@pytest.mark.rule("TEN-5.1")
def test_the_purchase_after_taking_numbers_may_be_declined(ten: Any) -> None:
    state = ten.table(2, area="B3", deck="O1", market="P2")
    ten.say(state, "0 take numbers")
    assert ten.legal(state) == ["pass", "buy P2"]
    ten.say(state, "0 pass")
    assert (state.active, state.phase) == (1, Phase.DRAW)
    assert ten.names(state.market.cards) == "P2"
    assert ten.told(state) == ["Seat 0 buys nothing.", "Seat 1 begins a turn."]


@pytest.mark.rule("TEN-5.1", "ALL-6")
def test_with_nothing_to_buy_declining_is_still_a_decision(ten: Any) -> None:
    assert ten.legal(shop(ten)) == ["pass"]


@pytest.mark.rule("TEN-5.2")
@pytest.mark.parametrize(
    ("tokens", "bust", "own", "most"), [(0, 0, "", 0), (4, 0, "", 4), (0, 1, "O3 O4", 5), (5, 1, "O3", 9)]
)
def test_a_card_must_be_within_the_resources(ten: Any, tokens: int, bust: int, own: str, most: int) -> None:
    state = shop(ten, market="B1 G2 B3 G4 P5 B6 G7 B8 G9", tokens=[tokens], bust=[bust], own=[own])
    affordable = {int(action[-1]) for action in ten.legal(state)[1:]}
    assert affordable == set(range(1, most + 1))


@pytest.mark.rule("TEN-5.2", "TEN-5.1")
def test_one_card_is_bought_for_its_digit(ten: Any) -> None:
    state = shop(ten, market="B3 B3 G1", tokens=[5])
    assert ten.legal(state) == ["pass", "buy B3", "buy G1"]
    ten.say(state, "0 buy B3")
    assert (state.phase, state.payment.price) == (Phase.PAY, 3)
    ten.say(state, "0 pay token", "0 pay token", "0 pay token")
    assert ten.names(state.holdings[0].numbers) == "B3"
    assert ten.names(state.market.cards) == "B3 G1"
    assert state.holdings[0].tokens == 2
    assert (state.active, state.phase) == (1, Phase.DRAW)  # and no second card


@pytest.mark.rule("TEN-5.2")
def test_the_choice_is_final(ten: Any) -> None:
    state = ten.say(shop(ten, market="B3 G1"), "0 buy B3")
    assert ten.legal(state) == ["pay token"]
    for instead in ("pass", "buy G1"):
        with pytest.raises(IllegalAction, match="expected 'pay token'"):
            ten.say(state, f"0 {instead}")


@pytest.mark.rule("TEN-5.2", "TEN-4.4", "TEN-4.6")
def test_a_purchase_is_paid_like_a_joker_and_gives_no_change(ten: Any) -> None:
    state = shop(ten, market="B2", tokens=[1], bust=[1])
    ten.say(state, "0 buy B2", "0 pay token", "0 pay bust token")
    assert state.holdings[0] == (0, 0, ten.cards("B2"), ())


@pytest.mark.rule("TEN-5.3")
def test_a_card_that_one_owns_already_cannot_be_bought(ten: Any) -> None:
    state = shop(ten, market="B3 B4 G3", own=["B3 P1"])
    assert ten.legal(state) == ["pass", "buy B4", "buy G3"]
    with pytest.raises(IllegalAction):
        state.play(0, Buy(Colour.BLUE, 3))


@pytest.mark.rule("TEN-5.3")
def test_jokers_never_block(ten: Any) -> None:
    assert ten.legal(shop(ten, market="B3 B4", own=["?3 B# ?#"])) == ["pass", "buy B3", "buy B4"]


@pytest.mark.rule("TEN-5.3")
def test_the_ban_is_checked_when_choosing(ten: Any) -> None:
    """Paying with the own copy does not lift it; paying for one card with another of its digit is nobody's business."""
    banned = shop(ten, market="B1", own=["B1"], tokens=[0])
    assert ten.legal(banned) == ["pass"]
    state = ten.say(shop(ten, market="B2", own=["B1 G2"], tokens=[0]), "0 buy B2", "0 pay G2", "0 pay B1")
    assert ten.names(state.holdings[0].numbers) == "B2"


@pytest.mark.rule("TEN-5.4", "TEN-5.2")
def test_the_purchase_of_the_rulebook(ten: Any) -> None:
    """A pink 5 for three cards of one's own and two tokens."""
    state = shop(ten, market="P5 B2", own=["B1 B1 G6 O4"], tokens=[2])
    ten.say(state, "0 buy P5", "0 pay B1", "0 pay token", "0 pay G6", "0 pay B1", "0 pay token")
    assert state.holdings[0] == (0, 0, ten.cards("O4 P5"), ())
    assert ten.names(state.market.cards) == "B2"
    assert ten.names(state.discards.cards).split().count("B1") == 2
    assert "G6" in ten.names(state.discards.cards)


@pytest.mark.rule("TEN-5.4")
def test_cards_spent_do_not_come_back_to_the_market(ten: Any) -> None:
    state = ten.say(shop(ten, market="P1", own=["B9"], tokens=[0]), "0 buy P1", "0 pay B9")
    assert state.market.cards == ()
    assert "B9" in ten.names(state.discards.cards)
    assert ten.told(state)[:2] == ["Seat 0 pays B9.", "Seat 0 receives P1."]
