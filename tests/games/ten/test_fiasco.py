"""The variant `fiasco`: TEN-7.1, TEN-7.2."""

from typing import Any

import pytest

from croupier_games.ten.view import Phase

FIASCO = {"fiasco": True}


def busted(ten: Any, card: str = "G9", **table: Any) -> Any:
    state = ten.table(table.pop("seats", 2), area="B6 $2", deck=f"{card} O1 O2", options=FIASCO, **table)
    return ten.say(state, "0 draw", *(["0 draw"] if card == "$4 $5" else []))


@pytest.mark.rule("TEN-7.1")
def test_after_a_bust_the_token_is_a_choice(ten: Any) -> None:
    state = busted(ten, market="P2", tokens=[5, 4])
    assert (state.phase, state.deciders) == (Phase.BUST, (0,))
    assert ten.legal(state) == ["take bust token", "take purchase"]
    assert ten.names(state.market.cards) == "B6 G9 P2"
    assert ten.tokens(state) == [5, 6]
    assert "$2" in ten.names(state.discards.cards)
    assert state.holdings[0].bust_tokens == 0
    ten.say(state, "0 take bust token")
    assert state.holdings[0].bust_tokens == 1
    assert (state.phase, state.active) == (Phase.DRAW, 1)


@pytest.mark.rule("TEN-7.1", "TEN-5.1")
def test_instead_of_the_token_the_busted_cards_can_be_bought(ten: Any) -> None:
    state = ten.say(busted(ten, market="P2", tokens=[9, 4]), "0 take purchase")
    assert (state.phase, state.deciders) == (Phase.BUY, (0,))
    assert ten.legal(state) == ["pass", "buy B6", "buy G9", "buy P2"]
    ten.say(state, "0 buy G9", *["0 pay token"] * 9)
    assert state.holdings[0] == (0, 0, ten.cards("G9"), ())
    assert (state.phase, state.active) == (Phase.DRAW, 1)


@pytest.mark.rule("TEN-7.1")
def test_choosing_the_purchase_forfeits_the_token_even_if_nothing_is_bought(ten: Any) -> None:
    state = ten.say(busted(ten), "0 take purchase", "0 pass")
    assert state.holdings[0].bust_tokens == 0
    assert (state.phase, state.active) == (Phase.DRAW, 1)


@pytest.mark.rule("TEN-7.1")
def test_the_choice_is_offered_even_if_nothing_can_be_bought(ten: Any) -> None:
    state = busted(ten, tokens=[0, 0])
    assert ten.legal(state) == ["take bust token", "take purchase"]
    assert ten.legal(ten.say(state, "0 take purchase")) == ["pass"]


@pytest.mark.rule("TEN-7.1", "TEN-3.5")
def test_a_bust_by_currency_is_a_choice_too_and_gives_the_others_nothing(ten: Any) -> None:
    state = busted(ten, "$4 $5", tokens=[5, 4])
    assert state.phase is Phase.BUST
    assert ten.tokens(state) == [5, 4]


@pytest.mark.rule("TEN-7.1", "TEN-6.1", "TEN-6.2")
def test_after_a_bust_on_the_last_card_the_choice_comes_before_the_last_purchases(ten: Any) -> None:
    state = ten.table(2, area="B6", deck="G9", options=FIASCO)
    ten.say(state, "0 draw", "0 take purchase", "0 pass")
    assert state.last_buyers == (1, 0)


@pytest.mark.rule("TEN-7.1")
def test_without_the_variant_there_is_no_choice(ten: Any) -> None:
    state = ten.say(ten.table(2, area="B6", deck="G9 O1"), "0 draw")
    assert (state.phase, state.active) == (Phase.DRAW, 1)


@pytest.mark.rule("TEN-7.2", "TEN-8.2")
def test_alone_only_the_player_chooses(ten: Any) -> None:
    state = busted(ten, seats=1)
    assert state.phase is Phase.BUST
    ten.say(state, "0 take bust token")
    automa = ten.table(1, area="B6", deck="$4 $5 O1 O2 O3", options=FIASCO)
    ten.say(automa, "0 take numbers", "0 pass")  # TEN reveals 4 and 5, which is more than its limit of 4
    assert automa.holdings[1].bust_tokens == 1
    assert (automa.phase, automa.active) == (Phase.DRAW, 0)
