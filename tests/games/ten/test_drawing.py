"""The draw phase: TEN-2.1 to TEN-2.6."""

from typing import Any

import pytest

from croupier_games.errors import IllegalAction
from croupier_games.ten.actions import DRAW, PASS
from croupier_games.ten.view import Phase


@pytest.mark.rule("TEN-2.1", "ALL-6")
def test_a_turn_begins_with_a_card_that_must_be_drawn(ten: Any) -> None:
    state = ten.table(2, deck="B3 G1")
    assert ten.legal(state) == ["draw"]
    for wrong in ("take numbers", "take currency", "pass", "bid 1", "buy B1", "pay token", "take purchase"):
        with pytest.raises(IllegalAction, match=f"expected 'draw', got '{wrong}'"):
            ten.say(state, f"0 {wrong}")
    ten.say(state, "0 draw")
    assert ten.names(state.area.cards) == "B3"
    assert ten.names(state.deck) == "G1"


@pytest.mark.rule("TEN-2.2")
def test_currency_lowers_the_total_even_below_zero(ten: Any) -> None:
    state = ten.table(2, deck="B3 $4 $5 G6 $1 O1")
    sums = []
    for _ in range(5):
        ten.say(state, "0 draw")
        sums.append((state.area.total, state.area.currency_sum))
    assert sums == [(3, 0), (-1, 4), (-6, 9), (0, 9), (-1, 10)]


@pytest.mark.rule("TEN-2.3")
def test_after_each_card_the_player_draws_on_or_stops(ten: Any) -> None:
    state = ten.table(2, deck="B3 $2 G1 O1")
    ten.say(state, "0 draw")
    assert ten.legal(state) == ["draw", "take numbers"]
    ten.say(state, "0 draw")
    assert ten.legal(state) == ["draw", "take numbers", "take currency"]
    with pytest.raises(IllegalAction, match="seat 0 decides now, not seat 1"):
        state.play(1, DRAW)


@pytest.mark.rule("TEN-2.3", "TEN-6.1")
def test_nobody_draws_from_an_empty_deck(ten: Any) -> None:
    state = ten.say(ten.table(2, deck="B3"), "0 draw")
    assert ten.legal(state) == ["take numbers"]
    with pytest.raises(IllegalAction):
        state.play(0, DRAW)


@pytest.mark.rule("TEN-2.4")
@pytest.mark.parametrize("joker", ["?7", "B#", "?#"])
def test_a_joker_interrupts_the_phase_and_never_enters_the_area(ten: Any, joker: str) -> None:
    state = ten.table(2, deck=f"B9 {joker} G1 O1")
    ten.say(state, "0 draw", "0 draw")
    assert state.phase is Phase.AUCTION
    assert ten.names(state.area.cards) == "B9"
    assert state.area.total == 9
    ten.say(state, "1 pass", "0 pass")
    assert (state.phase, state.deciders) == (Phase.DRAW, (0,))
    assert ten.legal(state) == ["draw", "take numbers"]


@pytest.mark.rule("TEN-2.4")
def test_the_same_player_goes_on_whoever_wins_the_joker(ten: Any) -> None:
    state = ten.table(3, deck="B9 ?7 G1 O1", active=1)
    ten.say(state, "1 draw", "1 draw", "2 bid 1", "0 pass", "1 pass", "2 pay token")
    assert (state.phase, state.deciders, state.active) == (Phase.DRAW, (1,), 1)


@pytest.mark.rule("TEN-2.5")
def test_after_an_auction_on_an_empty_area_the_player_must_draw(ten: Any) -> None:
    state = ten.say(ten.table(2, deck="?7 G1 O1"), "0 draw", "1 pass", "0 pass")
    assert ten.legal(state) == ["draw"]
    with pytest.raises(IllegalAction):
        state.play(0, PASS)


@pytest.mark.rule("TEN-2.5", "TEN-5.1", "TEN-6.1")
def test_with_no_card_left_either_the_turn_goes_straight_to_the_purchase(ten: Any) -> None:
    state = ten.table(2, deck="?7", market="B2 B4")
    ten.say(state, "0 draw", "1 pass", "0 pass")
    assert (state.phase, state.deciders, state.last_buyers) == (Phase.BUY, (0,), ())
    assert ten.legal(state) == ["pass", "buy B2", "buy B4"]
    ten.say(state, "0 pass")
    assert state.last_buyers == (1, 0)


@pytest.mark.rule("TEN-2.6")
@pytest.mark.parametrize(
    ("card", "busts"),
    [("G6", False), ("G7", True), ("G8", True), ("G9", True), ("$4", False), ("$5", True), ("$1", False)],
)
def test_the_bust_arithmetic_of_the_rulebook(ten: Any, card: str, busts: bool) -> None:
    """Digits 10 and currency 6 make a total of 4: a digit of 7 or more busts, a currency card of 5, but not of 4."""
    state = ten.table(2, area="B4 O6 $4 $2", deck=f"{card} P1")
    assert (state.area.total, state.area.currency_sum) == (4, 6)
    ten.say(state, "0 draw")
    assert (state.phase is Phase.DRAW and state.active == 0) == (not busts)
    assert state.holdings[0].bust_tokens == int(busts)


@pytest.mark.rule("TEN-2.6")
@pytest.mark.parametrize(
    ("area", "card", "busts"), [("B4", "G6", False), ("B5", "G6", True), ("B6 $2 O6", "$5", False)]
)
def test_ten_is_no_bust_and_eleven_is(ten: Any, area: str, card: str, busts: bool) -> None:
    state = ten.say(ten.table(2, area=area, deck=f"{card} P1"), "0 draw")
    assert (state.active == 1) == busts


@pytest.mark.rule("TEN-2.6")
def test_only_the_card_that_comes_can_bust(ten: Any) -> None:
    """A currency card never busts by the total, a number card never by the currency."""
    state = ten.say(ten.table(2, area="$5 $5", deck="G9 P1"), "0 draw")
    assert (state.active, state.area.total) == (0, -1)


def test_events_of_a_turn_read_as_sentences(ten: Any) -> None:
    state = ten.table(2, area="$2", deck="G9 ?7 O4 P1")
    said = []
    for line in ("0 draw", "0 draw", "1 bid 2", "0 pass", "1 pay token", "1 pay token", "0 draw"):
        ten.say(state, line)
        said += ten.told(state)
    assert said == [
        "G9 is revealed.",
        "?7 is up for auction.",
        "Seat 1 bids 2.",
        "Seat 0 does not bid.",
        "Seat 1 wins ?7 for 2.",
        "Seat 1 pays a token.",
        "Seat 1 pays a token.",
        "Seat 1 receives ?7.",
        "O4 is revealed.",
        "Seat 0 busts by number; to the market: G9 O4.",
        "Seat 1 gets 2 tokens.",
        "Seat 0 gets a bust token.",
        "Seat 1 begins a turn.",
    ]
