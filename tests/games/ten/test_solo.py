"""The solo game against the automa TEN: TEN-8.0 to TEN-8.9."""

from typing import Any

import pytest

from croupier_games.errors import IllegalAction
from croupier_games.ten import automa
from croupier_games.ten.actions import Bid
from croupier_games.ten.data import SMALL
from croupier_games.ten.view import Phase


def automa_turn(ten: Any, deck: str, limit: int = 4, **table: Any) -> Any:
    """The player ends a turn, and TEN plays on from this deck."""
    state = ten.table(1, phase=Phase.BUY, deck=deck, options={"limit": limit}, **table)
    return ten.say(state, "0 pass")


@pytest.mark.rule("TEN-8.0")
@pytest.mark.parametrize("limit", range(4, 11))
def test_the_limit_is_an_option(ten: Any, limit: int) -> None:
    assert ten.open(1, limit=limit).view(0).automa.limit == limit
    assert ten.open(1).view(0).automa.limit == 4
    assert ten.open(2).view(0).automa is None


@pytest.mark.rule("TEN-8.1", "TEN-1.2")
def test_it_is_a_game_of_two_that_the_player_starts(ten: Any) -> None:
    for number in range(5):
        state = ten.open(1, number)
        assert sorted(state.deck) == list(SMALL)
        assert [holding.tokens for holding in state.holdings] == [5, 5]
        assert (state.deciders, state.active) == ((0,), 0)
        view = state.view(0)
        assert len(view.holdings) == 1
        assert view.automa.holding == (5, 0, (), ())


@pytest.mark.rule("TEN-8.1")
def test_turns_alternate_and_the_player_s_own_is_normal(ten: Any) -> None:
    state = ten.table(1, deck="B3 $2 G9 O1 O2 O3 O4")
    ten.say(state, "0 draw", "0 draw")
    assert ten.legal(state) == ["draw", "take numbers", "take currency"]
    ten.say(state, "0 take currency")
    assert "TEN begins a turn." in ten.told(state)
    assert ten.told(state)[-1] == "Seat 0 begins a turn."
    assert ten.names(state.automa_revealed) == "G9"


@pytest.mark.rule("TEN-8.2")
@pytest.mark.parametrize(
    ("limit", "deck", "revealed"),
    [
        (4, "B4 G1", "B4"),
        (4, "B3 G1 O1", "B3 G1"),
        (5, "B4 G1 O1", "B4 G1"),
        (4, "B3 $2 G2 O1 O2", "B3 $2 G2 O1"),  # 3, 1, 3, 4
        (10, "B9 G9 O1", "B9 G9"),  # no bust by number
        (7, "B6 $5 $2 G6 O2 O3", "B6 $5 $2 G6 O2"),  # 6, 1, -1, 5, 7; a currency sum of 7 is not beyond the limit
    ],
)
def test_ten_reveals_until_the_total_reaches_the_limit(ten: Any, limit: int, deck: str, revealed: str) -> None:
    state = automa_turn(ten, deck, limit)
    assert ten.names(state.automa_revealed) == revealed
    numbers = sorted(card for card in revealed.split() if card[0] != "$")
    assert ten.names(state.holdings[1].numbers) == " ".join(numbers)
    assert (state.phase, state.active, state.area.cards) == (Phase.DRAW, 0, ())


@pytest.mark.rule("TEN-8.2")
def test_without_a_bust_the_player_gets_the_currency(ten: Any) -> None:
    state = automa_turn(ten, "B3 $2 $1 G6 O1", tokens=[8, 5])
    assert ten.tokens(state) == [10, 5]
    assert state.holdings[1].bust_tokens == 0
    assert {"$1", "$2"} <= set(ten.names(state.discards.cards).split())
    assert state.market.cards == ()


@pytest.mark.rule("TEN-8.2")
@pytest.mark.parametrize(("limit", "deck"), [(4, "B3 $4 $1 O1"), (4, "$5 O1"), (10, "B9 $5 $5 $1 O1")])
def test_ten_busts_when_the_currency_goes_beyond_the_limit(ten: Any, limit: int, deck: str) -> None:
    state = automa_turn(ten, deck, limit, tokens=[2, 5])
    numbers = [card for card in deck.split()[:-1] if card[0] != "$"]
    assert ten.names(state.holdings[1].numbers) == " ".join(numbers)
    assert state.holdings[1].bust_tokens == 1
    assert ten.tokens(state) == [2, 5]
    assert state.market.cards == ()
    assert "TEN busts by currency." in ten.told(state)


@pytest.mark.rule("TEN-8.2")
@pytest.mark.parametrize("deck", ["B3", "B1 $2", "$4", "?7"])
def test_if_the_deck_runs_out_ten_stops_without_a_bust(ten: Any, deck: str) -> None:
    state = automa_turn(ten, deck, tokens=[0, 0])
    if deck == "?7":
        ten.say(state, "0 pass")
    assert state.holdings[1].bust_tokens == 0
    assert state.holdings[0].tokens == sum(int(card[1:]) for card in deck.split() if card[0] == "$")
    assert state.last_buyers == (0,)


@pytest.mark.rule("TEN-8.2", "TEN-8.6")
def test_a_joker_interrupts_ten_and_then_it_goes_on(ten: Any) -> None:
    state = automa_turn(ten, "B3 ?7 G1 O1", tokens=[0, 0])
    assert (state.phase, state.deciders) == (Phase.AUCTION, (0,))
    assert (ten.names(state.area.cards), state.view(0).active) == ("B3", None)
    ten.say(state, "0 pass")
    assert ten.names(state.automa_revealed) == "B3 ?7 G1"
    assert ten.names(state.holdings[1].numbers) == "B3 G1"
    assert state.active == 0


@pytest.mark.rule("TEN-8.2")
def test_two_jokers_in_one_turn_of_ten(ten: Any) -> None:
    state = automa_turn(ten, "?7 B# B6 O1", tokens=[0, 0])
    ten.say(state, "0 pass")
    assert state.auction.joker == ten.cards("B#")[0]
    ten.say(state, "0 pass")
    assert ten.names(state.automa_revealed) == "?7 B# B6"
    assert {"?7", "B#"} <= set(ten.names(state.discards.cards).split())


@pytest.mark.rule("TEN-8.3")
def test_ten_gets_tokens_when_the_player_takes_numbers_or_busts_by_number(ten: Any) -> None:
    took = ten.say(ten.table(1, area="B3 $4", deck="O9 O8", tokens=[5, 5]), "0 take numbers")
    assert ten.tokens(took) == [5, 9]
    busted = ten.say(ten.table(1, area="B6 $4 O6", deck="G9 O9 O8", tokens=[5, 8]), "0 draw")
    assert ten.tokens(busted) == [5, 10]
    assert busted.holdings[0].bust_tokens == 1
    currency = ten.say(ten.table(1, area="B6 $4 $3", deck="$4 O9 O8", tokens=[5, 5]), "0 draw")
    assert ten.tokens(currency) == [5, 5]
    taken = ten.say(ten.table(1, area="B6 $4", deck="O9 O8", tokens=[5, 5]), "0 take currency")
    assert ten.tokens(taken) == [9, 5]


@pytest.mark.rule("TEN-8.4")
def test_the_least_bid_is_five_and_only_duplicates_pay(ten: Any) -> None:
    state = automa_turn(ten, "?7 O9 O8", own=["B1 B1 B2 G3 G3"], tokens=[4, 0], bust=[1])
    assert ten.legal(state) == ["pass", "bid 5", "bid 6", "bid 7", "bid 8", "bid 9"]
    with pytest.raises(IllegalAction):
        state.play(0, Bid(4))
    ten.say(state, "0 bid 9")
    assert ten.legal(state) == ["pay token", "pay bust token", "pay B1", "pay G3"]
    ten.say(state, "0 pay B1")
    assert ten.legal(state) == ["pay token", "pay bust token", "pay G3"]
    ten.say(state, "0 pay G3", "0 pay bust token", *["0 pay token"] * 4)
    assert ten.names(state.holdings[0].numbers) == "B1 B2 G3"
    assert ten.names(state.holdings[0].jokers) == "?7"


@pytest.mark.rule("TEN-8.4")
def test_whoever_cannot_bid_five_can_only_pass(ten: Any) -> None:
    state = automa_turn(ten, "?7 O9 O8", own=["B1 B2 G3"], tokens=[4, 0])
    assert ten.legal(state) == ["pass"]


@pytest.mark.rule("TEN-8.4", "TEN-5.2")
def test_only_duplicates_pay_for_purchases(ten: Any) -> None:
    shop = {"phase": Phase.BUY, "deck": "O9 O8", "market": "P1 P2 P3 P4"}
    state = ten.table(1, own=["B1 B1 B2 G3"], tokens=[1, 0], **shop)
    assert ten.legal(state) == ["pass", "buy P1", "buy P2"]
    ten.say(state, "0 buy P2")
    assert ten.legal(state) == ["pay token", "pay B1"]
    ten.say(state, "0 pay B1", "0 pay token")
    assert ten.names(state.holdings[0].numbers) == "B1 B2 G3 P2"


@pytest.mark.rule("TEN-8.5")
@pytest.mark.parametrize(
    ("own", "other", "bid"),
    [
        (4, 20, 0),  # fewer than 5: TEN passes
        (5, 20, 5),
        (9, 20, 9),  # all it has, to come close to the player
        (20, 9, 9),  # no more than the player has
        (20, 3, 5),  # but 5 at least
        (5, 0, 5),
        (7, 7, 7),
    ],
)
def test_ten_s_bid_in_the_player_s_turn(own: int, other: int, bid: int) -> None:
    assert automa.first_bid(own, other) == bid


@pytest.mark.rule("TEN-8.5", "TEN-4.1")
def test_in_the_player_s_turn_ten_bids_first(ten: Any) -> None:
    state = ten.table(1, deck="?7 O9 O8", tokens=[9, 6], own=["", "B1 B1 B2"])
    ten.say(state, "0 draw")
    assert state.auction.offers == ((None, 7),)
    assert ten.told(state) == ["?7 is up for auction.", "TEN bids 7."]
    assert ten.legal(state) == ["pass", "bid 8", "bid 9"]
    won = ten.say(state.clone(), "0 bid 8")
    assert (won.phase, won.payment.price) == (Phase.PAY, 8)
    ten.say(state, "0 pass")
    assert state.holdings[1] == (0, 0, ten.cards("B1 B2"), ten.cards("?7"))
    assert (state.phase, state.active) == (Phase.DRAW, 0)


@pytest.mark.rule("TEN-8.5")
def test_against_a_rich_ten_the_player_cannot_win(ten: Any) -> None:
    state = ten.say(ten.table(1, deck="?7 O9", tokens=[8, 10]), "0 draw")
    assert state.auction.offers == ((None, 8),)
    assert ten.legal(state) == ["pass"]


@pytest.mark.rule("TEN-8.6")
@pytest.mark.parametrize(
    ("own", "highest", "bid"), [(4, 0, 0), (5, 0, 5), (20, 0, 5), (6, 5, 6), (5, 5, 0), (20, 11, 12)]
)
def test_ten_s_bid_in_its_own_turn(own: int, highest: int, bid: int) -> None:
    assert automa.last_bid(own, highest) == bid


@pytest.mark.rule("TEN-8.6", "TEN-4.1")
def test_in_its_own_turn_ten_outbids_the_player_by_one_if_it_can(ten: Any) -> None:
    state = ten.say(automa_turn(ten, "?7 O9 O8", tokens=[9, 7]), "0 bid 6")
    assert state.holdings[1] == (0, 0, ten.cards("O9"), ten.cards("?7"))
    assert ten.told(state)[:4] == ["Seat 0 bids 6.", "TEN bids 7.", "TEN wins ?7 for 7.", "TEN pays a token."]
    lost = ten.say(automa_turn(ten, "?7 O9 O8", tokens=[9, 7]), "0 bid 7")
    assert (lost.phase, lost.payment.price) == (Phase.PAY, 7)
    ten.say(lost, *["0 pay token"] * 7)
    assert ten.names(lost.holdings[0].jokers) == "?7"
    assert ten.names(lost.automa_revealed) == "?7 O9"


@pytest.mark.rule("TEN-8.7")
def test_ten_pays_tokens_then_bust_tokens_then_duplicates(ten: Any) -> None:
    """The rulebook's order: 4 tokens, a bust token and a duplicate pay 5 with the tokens and the bust token."""
    state = automa_turn(ten, "?7 O9 O8", tokens=[0, 4], bust=[0, 1], own=["", "B1 B1"])
    ten.say(state, "0 pass")
    assert state.holdings[1] == (0, 0, ten.cards("B1 B1 O9"), ten.cards("?7"))


@pytest.mark.rule("TEN-8.7")
def test_duplicates_go_lowest_digit_first_then_by_colour(ten: Any) -> None:
    own = "B3 B3 G1 G1 O1 O1 P2 P2 P1"
    state = automa_turn(ten, "?7 O9 O8", tokens=[0, 2], own=["", own])
    ten.say(state, "0 pass")
    assert ten.names(state.holdings[1].numbers) == "B3 B3 G1 O1 O9 P1 P2"
    paid = [line for line in ten.told(state) if line.startswith("TEN pays")]
    assert paid == ["TEN pays a token."] * 2 + ["TEN pays G1.", "TEN pays O1.", "TEN pays P2."]


@pytest.mark.rule("TEN-8.7", "TEN-4.5")
def test_if_neither_bids_the_joker_is_discarded(ten: Any) -> None:
    state = ten.say(automa_turn(ten, "?7 O9 O8", tokens=[0, 4]), "0 pass")
    assert "?7" in ten.names(state.discards.cards)
    other = ten.say(ten.table(1, deck="?7 O9", tokens=[0, 4]), "0 draw", "0 pass")
    assert "?7" in ten.names(other.discards.cards)


@pytest.mark.rule("TEN-8.8", "TEN-6.2")
def test_at_the_end_only_the_player_has_a_last_purchase(ten: Any) -> None:
    mine = ten.say(ten.table(1, area="$1", deck="", market="B1"), "0 take currency")
    assert mine.last_buyers == (0,)
    state = automa_turn(ten, "B9", market="B1 B2", tokens=[2, 9])
    assert (state.last_buyers, state.deciders) == ((0,), (0,))
    assert ten.legal(state) == ["pass", "buy B1", "buy B2"]
    ten.say(state, "0 pass")
    assert state.phase is Phase.OVER


def ended(ten: Any, own: list[str], tokens: list[int], limit: int = 4) -> Any:
    state = ten.table(
        1, deck="", own=own, tokens=tokens, phase=Phase.BUY, last_buyers=[0], options={"limit": limit}, active=1
    )
    return ten.say(state, "0 pass").outcome


@pytest.mark.rule("TEN-8.9", "TEN-6.3", "TEN-6.4", "ALL-7")
@pytest.mark.parametrize(
    ("own", "place", "points", "figures"),
    [
        (["B1 B2 B3", "G1 G2"], 1, 3, (("automa_points", 2), ("rank", 7))),
        (["B1 B2", "G1 G2"], 2, 2, (("automa_points", 2),)),
        (["B1 B2", "G1 ?2 ?3"], 2, 2, (("automa_points", 3),)),
    ],
)
def test_the_player_wins_with_strictly_more_points(
    ten: Any, own: list[str], place: int, points: int, figures: Any
) -> None:
    """A tie is no win, whatever the player has left; TEN's jokers stand where they help it most."""
    [result] = ended(ten, own, [10, 0], limit=7).results
    assert (result.place, result.points, result.tie_breaks) == (place, points, figures)


@pytest.mark.rule("TEN-8.9")
def test_the_outcome_tells_both_scores(ten: Any) -> None:
    outcome = ended(ten, ["B1 B2 B3", "G1 ?2"], [0, 0])
    assert outcome.reason == "the player won against TEN, 3 to 2"
    assert outcome.results[0].notes == (
        "blue 1-3 for 3 points",
        "3 points with 3 cards",
        "TEN: green 1-2 for 2 points with ?2 as 2",
        "TEN: 2 points with 2 cards",
        "rank 4, a promising start",
    )
    assert ended(ten, ["B1", "G1 ?2"], [0, 0]).reason == "the player did not win against TEN, 1 to 2"
