"""Auctions and payments: TEN-4.1 to TEN-4.6."""

from itertools import product
from random import Random
from typing import Any

import pytest

from croupier_games.errors import IllegalAction
from croupier_games.ten.actions import PAY_BUST_TOKEN, PAY_TOKEN, Bid
from croupier_games.ten.data import Kind
from croupier_games.ten.holdings import resources
from croupier_games.ten.view import Phase


def auction(ten: Any, seats: int = 3, **table: Any) -> Any:
    """The sign that the active seat has just revealed ?7."""
    state = ten.table(seats, deck="?7 P1 P2", **table)
    return ten.say(state, f"{state.active} draw")


@pytest.mark.rule("TEN-4.1", "ALL-3")
@pytest.mark.parametrize(("active", "order"), [(0, [1, 2, 3, 0]), (2, [3, 0, 1, 2]), (3, [0, 1, 2, 3])])
def test_bids_begin_left_of_the_active_player_who_bids_last(ten: Any, active: int, order: list[int]) -> None:
    state = auction(ten, 4, active=active)
    asked = []
    while state.phase is Phase.AUCTION:
        asked.append(state.deciders[0])
        ten.say(state, f"{asked[-1]} pass")
    assert asked == order


@pytest.mark.rule("TEN-4.1")
def test_everybody_has_one_chance_to_bid_more_or_pass(ten: Any) -> None:
    state = auction(ten)
    assert ten.legal(state) == ["pass", "bid 1", "bid 2", "bid 3", "bid 4", "bid 5"]
    ten.say(state, "1 bid 2")
    assert ten.legal(state) == ["pass", "bid 3", "bid 4", "bid 5"]
    for low in (0, 1, 2, -1):
        with pytest.raises(IllegalAction):
            state.play(2, Bid(low))
    ten.say(state, "2 pass")
    assert ten.legal(state) == ["pass", "bid 3", "bid 4", "bid 5"]
    ten.say(state, "0 bid 3")
    assert state.phase is Phase.PAY
    assert state.payment == (0, ten.cards("?7")[0], 3, 0)
    assert state.auction is None


@pytest.mark.rule("TEN-4.1")
def test_bids_are_whole_numbers(ten: Any) -> None:
    state = auction(ten)
    for odd in (1.5, "2", None):
        with pytest.raises(IllegalAction):
            state.play(1, Bid(odd))
    state.play(1, Bid(2.0))  # type: ignore[arg-type]  # the same bid, written oddly
    assert repr(state.auction.offers[0].amount) == "2"


@pytest.mark.rule("TEN-4.2")
@pytest.mark.parametrize(
    ("tokens", "bust", "own", "most"),
    [(0, 0, "", 0), (3, 0, "", 3), (0, 2, "", 6), (0, 0, "B1 B1 G4", 3), (2, 1, "B9 ?3 G# ?#", 6)],
)
def test_nobody_bids_more_than_tokens_bust_tokens_and_number_cards_are_worth(
    ten: Any, tokens: int, bust: int, own: str, most: int
) -> None:
    state = auction(ten, tokens=[5, tokens], bust=[0, bust], own=["", own])
    assert ten.legal(state) == ["pass", *(f"bid {amount}" for amount in range(1, most + 1))]
    with pytest.raises(IllegalAction):
        state.play(1, Bid(most + 1))


@pytest.mark.rule("TEN-4.2")
def test_cards_in_the_area_are_not_owned_yet(ten: Any) -> None:
    state = ten.table(2, area="B1 G2 O3", deck="?7 P1", tokens=[1, 1])
    ten.say(state, "0 draw", "1 pass")
    assert ten.legal(state) == ["pass", "bid 1"]


@pytest.mark.rule("TEN-4.1", "TEN-4.2", "ALL-6")
def test_whoever_cannot_bid_more_can_only_pass(ten: Any) -> None:
    state = ten.say(auction(ten, tokens=[5, 5, 2]), "1 bid 4")
    assert ten.legal(state) == ["pass"]


@pytest.mark.rule("TEN-4.3", "TEN-5.4")
def test_the_winner_pays_with_any_pieces_and_receives_the_joker(ten: Any) -> None:
    state = auction(ten, tokens=[5, 2, 5], bust=[0, 1, 0], own=["", "B1 B1 G4 ?3", ""])
    ten.say(state, "1 bid 6", "2 pass", "0 pass")
    assert ten.legal(state) == ["pay token", "pay bust token", "pay B1", "pay G4"]
    ten.say(state, "1 pay G4", "1 pay bust token", "1 pay B1", "1 pay token")
    assert state.holdings[1] == (1, 0, ten.cards("B1"), ten.cards("?3 ?7"))
    assert {"B1", "G4"} <= set(ten.names(state.discards.cards).split())
    assert "G4" not in ten.names(state.market.cards)
    assert state.payment is None
    assert ten.told(state) == ["Seat 1 pays a token.", "Seat 1 receives ?7."]


@pytest.mark.rule("TEN-4.3")
def test_jokers_are_never_payment(ten: Any) -> None:
    state = auction(ten, 2, tokens=[5, 1], own=["", "?3 B# ?#"])
    assert ten.legal(state) == ["pass", "bid 1"]
    ten.say(state, "1 bid 1", "0 pass")
    assert ten.legal(state) == ["pay token"]


@pytest.mark.rule("TEN-4.4")
@pytest.mark.parametrize("price", [1, 2])
def test_no_change_is_given_for_a_bust_token(ten: Any, price: int) -> None:
    state = auction(ten, 2, tokens=[5, 4], bust=[0, 2])
    ten.say(state, f"1 bid {price}", "0 pass", "1 pay bust token")
    assert state.holdings[1] == (4, 1, (), ten.cards("?7"))


@pytest.mark.rule("TEN-4.4")
def test_bidders_do_not_say_what_they_will_pay_with(ten: Any) -> None:
    """Whoever could pay in several ways still can after winning."""
    state = ten.say(auction(ten, 2, tokens=[5, 3], bust=[0, 1], own=["", "B1 B2 B3"]), "1 bid 3", "0 pass")
    assert ten.legal(state) == ["pay token", "pay bust token", "pay B1", "pay B2", "pay B3"]


@pytest.mark.rule("TEN-4.5")
def test_if_all_pass_the_joker_is_discarded(ten: Any) -> None:
    state = ten.say(auction(ten), "1 pass", "2 pass", "0 pass")
    assert "?7" in ten.names(state.discards.cards)
    assert all(holding.jokers == () for holding in state.holdings)
    assert ten.told(state) == ["Seat 0 does not bid.", "Nobody bids: ?7 is discarded."]
    assert (state.phase, state.deciders) == (Phase.DRAW, (0,))


@pytest.mark.rule("TEN-4.6")
def test_a_payment_goes_piece_by_piece_and_ends_once_covered(ten: Any) -> None:
    state = ten.say(auction(ten, 2, tokens=[5, 5], bust=[0, 2]), "1 bid 5", "0 pass")
    paid = []
    for piece in ("pay token", "pay bust token", "pay token"):
        ten.say(state, f"1 {piece}")
        paid.append(state.payment.paid if state.payment else None)
    assert paid == [1, 4, None]
    assert state.holdings[1] == (3, 1, (), ten.cards("?7"))


@pytest.mark.rule("TEN-4.6")
def test_a_piece_may_overpay_even_if_a_smaller_one_would_do(ten: Any) -> None:
    state = ten.say(auction(ten, 2, tokens=[5, 5], bust=[0, 1]), "1 bid 4", "0 pass")
    ten.say(state, "1 pay token", "1 pay token", "1 pay token")
    assert ten.legal(state) == ["pay token", "pay bust token"]
    ten.say(state, "1 pay bust token")
    assert state.holdings[1].jokers == ten.cards("?7")


@pytest.mark.rule("TEN-4.6")
def test_what_is_paid_for_is_received_after_the_payment(ten: Any) -> None:
    state = ten.say(auction(ten, 2), "1 bid 2", "0 pass", "1 pay token")
    assert state.holdings[1].jokers == ()
    assert state.payment.card == ten.cards("?7")[0]
    ten.say(state, "1 pay token")
    assert state.holdings[1].jokers == ten.cards("?7")


@pytest.mark.rule("TEN-4.6", "TEN-4.2")
def test_no_payment_strands_whatever_is_given(ten: Any) -> None:
    """Every order of pieces, for every price that could be bid, ends with the price covered."""
    for tokens, bust, own in product((0, 1, 3), (0, 1, 2), ("", "B1", "B1 B1 G4")):
        start = auction(ten, 2, tokens=[5, tokens], bust=[0, bust], own=["", own])
        for bid in start.legal(1)[1:]:
            state = start.clone()
            state.play(1, bid)
            ten.say(state, "0 pass")
            assert ends_covered(state)


def ends_covered(state: Any) -> bool:
    """Whether every way to pay leads to the joker."""
    if state.payment is None:
        return state.holdings[1].jokers != ()
    left = state.payment.price - state.payment.paid
    assert resources(state.holdings[1], state.spare) >= left
    for piece in state.legal(1):
        after = state.clone()
        after.play(1, piece)
        if not ends_covered(after):
            return False
    return bool(state.legal(1))


def test_only_pieces_that_are_there_can_be_paid(ten: Any) -> None:
    state = ten.say(auction(ten, 2, tokens=[5, 0], own=["", "B1 B2"]), "1 bid 2", "0 pass")
    for piece in (PAY_TOKEN, PAY_BUST_TOKEN):
        with pytest.raises(IllegalAction, match="expected 'pay B1', 'pay B2'"):
            state.play(1, piece)


def test_lists_of_bids_are_the_very_same_objects_at_every_table(ten: Any) -> None:
    assert auction(ten).legal(1) is auction(ten, 5).legal(1)


def test_refusals_of_long_lists_stay_short(ten: Any) -> None:
    state = auction(ten, 2, tokens=[5, 10], bust=[0, 20])
    assert len(state.legal(1)) == 71
    with pytest.raises(IllegalAction) as refused:
        state.play(1, Bid(71))
    assert str(refused.value).endswith("or 63 others up to 'bid 70', got 'bid 71'")
    assert len(str(refused.value)) < 200


def test_jokers_come_up_and_are_won_in_whole_games(ten: Any) -> None:
    """In random games every joker ends with its winner or with the discards."""
    chance = Random(4)
    for number in range(10):
        state = ten.open(3, number)
        while state.deciders:
            seat = state.deciders[0]
            state.play(seat, chance.choice(state.legal(seat)))
        won = sum(len(holding.jokers) for holding in state.holdings)
        assert won + sum(card.kind is Kind.JOKER for card in state.discards.cards) == 14
