"""Actions and views as text."""

from typing import Any

import pytest

from croupier_games.errors import NotationError
from croupier_games.ten import TEN
from croupier_games.ten.actions import (
    BUY,
    DRAW,
    PASS,
    PAY,
    PAY_BUST_TOKEN,
    PAY_TOKEN,
    TAKE,
    Bid,
    Buy,
    PayCard,
    Take,
    bid,
)
from croupier_games.ten.data import LARGE, Colour
from croupier_games.ten.view import Phase, Reward


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (DRAW, "draw"),
        (Take(Reward.NUMBERS), "take numbers"),
        (Take(Reward.CURRENCY), "take currency"),
        (Take(Reward.BUST_TOKEN), "take bust token"),
        (Take(Reward.PURCHASE), "take purchase"),
        (Bid(1), "bid 1"),
        (Bid(120), "bid 120"),
        (PASS, "pass"),
        (Buy(Colour.PINK, 5), "buy P5"),
        (PAY_TOKEN, "pay token"),
        (PAY_BUST_TOKEN, "pay bust token"),
        (PayCard(Colour.BLUE, 9), "pay B9"),
    ],
)
def test_each_action_has_one_notation(action: Any, text: str) -> None:
    assert str(action) == text
    assert TEN.parse(text) == action


def test_every_notation_parses_back_to_the_same_object() -> None:
    actions = [DRAW, PASS, PAY_TOKEN, PAY_BUST_TOKEN, *TAKE.values(), *BUY.values(), *PAY.values(), bid(7), bid(300)]
    for action in actions:
        assert TEN.parse(str(action)) is action


def test_cards_have_short_names() -> None:
    assert sorted({str(card) for card in LARGE if not card.colour}) == sorted(
        ["$1", "$2", "$3", "$4", "$5", "?#", *(f"?{digit}" for digit in range(1, 10))]
    )
    assert {"B1", "G9", "O4", "P#"} <= {str(card) for card in LARGE}
    assert len({str(card) for card in LARGE}) == len(set(LARGE)) == 36 + 5 + 14


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "Draw", "draw ", " draw", "draw\n", "take", "take joker", "take  numbers", "bid", "bid 0", "bid 01",
        "bid -1", "bid +1", "bid 1.0", "bid 1000", "bid ١", "bid " + "9" * 5000, "buy", "buy B0", "buy B10", "buy X3",
        "buy b3", "buy ?3", "buy B#", "buy $3", "pay", "pay tokens", "pay ?7", "pay $1", "pay B 3", "passed", "\x00",
        "a" * 10**6,
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(NotationError, match="expected 'draw', 'take numbers'") as refused:
        TEN.parse(text)
    assert len(str(refused.value)) < 400


def test_a_rendered_view_of_a_turn(ten: Any) -> None:
    state = ten.table(
        2, area="B3 $2", deck="?7 G1", market="P5 P9", own=["B1 B2 B2 G4 ?3 ?#", ""], tokens=[5, 1], bust=[2, 0]
    )
    lines = TEN.render(state.view(0)).splitlines()
    assert lines[:4] == [
        "TEN: seat 0 draws or takes a reward, 2 cards in the deck",
        "",
        "Area:     B3 $2 (total 1, currency 2)",
        "Market:   P5 P9",
    ]
    assert lines[4].startswith("Discards: B1 B3 B4 ")
    assert lines[-3:] == [
        "",
        "> seat 0: 5 tokens, 2 bust tokens, blue 1 2 2, green 4, jokers ?# ?3",
        "  seat 1: 1 token",
    ]


def test_rendered_auctions_payments_and_purchases(ten: Any) -> None:
    state = ten.say(ten.table(3, deck="?7 G1"), "0 draw")
    assert "Auction:  ?7; no bid yet" in TEN.render(state.view(0))
    ten.say(state, "1 bid 2", "2 pass")
    assert "Auction:  ?7; seat 1 bids 2, seat 2 passes" in TEN.render(state.view(0))
    assert TEN.render(state.view(0)).startswith("TEN: seat 0 bids or passes")
    ten.say(state, "0 pass", "1 pay token")
    assert "Payment:  seat 1 has paid 1 of 2 for ?7" in TEN.render(state.view(0))
    shop = ten.table(2, phase=Phase.BUY, deck="")
    assert TEN.render(shop.view(0)).startswith("TEN: seat 0 may buy, 0 cards in the deck")
    last = ten.say(shop, "0 pass")
    assert TEN.render(last.view(0)).startswith("TEN: seat 1 makes a last purchase")
    ten.say(last, "1 pass", "0 pass")
    assert TEN.render(last.view(0)).startswith("TEN: the game is over")


def test_a_rendered_automa(ten: Any) -> None:
    state = ten.say(ten.table(1, phase=Phase.BUY, deck="B3 ?7 G1 O1", tokens=[5, 9]), "0 pass")
    assert TEN.render(state.view(0)).splitlines()[-2:] == ["  TEN:    9 tokens", "          limit 4; drew B3 ?7"]


def test_a_rendered_bust(ten: Any) -> None:
    state = ten.say(ten.table(2, area="B6", deck="G9", options={"fiasco": True}), "0 draw")
    assert TEN.render(state.view(0)).startswith("TEN: seat 0 busted and takes a bust token or a purchase")


def test_other_events_read_as_sentences(ten: Any) -> None:
    state = ten.table(1, phase=Phase.BUY, deck="$4 ?7 $1 O1", tokens=[5, 5], market="B1")
    said = (
        ten.told(ten.say(state, "0 buy B1"))
        + ten.told(ten.say(state, "0 pay token"))
        + ten.told(ten.say(state, "0 pass"))
    )
    assert said == [
        "Seat 0 buys B1 for 1.",
        "Seat 0 pays a token.",
        "Seat 0 receives B1.",
        "TEN begins a turn.",
        "$4 is revealed.",
        "?7 is up for auction.",
        "Seat 0 does not bid.",
        "TEN bids 5.",
        "TEN wins ?7 for 5.",
        *["TEN pays a token."] * 5,
        "TEN receives ?7.",
        "$1 is revealed.",
        "TEN busts by currency.",
        "TEN gets a bust token.",
        "TEN takes no numbers.",
        "Seat 0 begins a turn.",
    ]
