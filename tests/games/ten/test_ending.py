"""The end of the deck, last purchases and places: TEN-6.1, TEN-6.2, TEN-6.5."""

from typing import Any

import pytest

from croupier_games.errors import IllegalAction
from croupier_games.ten.actions import DRAW, PASS
from croupier_games.ten.view import Phase


def places(state: Any) -> list[int]:
    return [result.place for result in state.outcome.results]


@pytest.mark.rule("TEN-6.1")
def test_whoever_reveals_the_last_card_finishes_the_turn(ten: Any) -> None:
    state = ten.say(ten.table(2, area="$1", deck="B3", market="P2"), "0 draw")
    assert ten.legal(state) == ["take numbers", "take currency"]
    ten.say(state, "0 take numbers")
    assert (state.phase, state.deciders, state.last_buyers) == (Phase.BUY, (0,), ())


@pytest.mark.rule("TEN-6.1")
def test_a_reward_must_be_taken_also_after_an_auction_on_the_last_card(ten: Any) -> None:
    state = ten.say(ten.table(2, area="B3", deck="?7"), "0 draw", "1 pass", "0 pass")
    assert ten.legal(state) == ["take numbers"]


@pytest.mark.rule("TEN-6.1", "TEN-6.2")
def test_no_new_turn_begins(ten: Any) -> None:
    state = ten.say(ten.table(3, area="$1", deck="", active=1), "1 take currency")
    assert (state.phase, state.active, state.last_buyers) == (Phase.BUY, 1, (2, 0, 1))
    assert ten.told(state)[-1] == "The deck is used up: last purchases, seat 2, 0, 1."


@pytest.mark.rule("TEN-6.1", "TEN-6.2")
def test_a_bust_on_the_last_card_is_a_bust(ten: Any) -> None:
    state = ten.say(ten.table(2, area="B6", deck="G9"), "0 draw")
    assert state.holdings[0].bust_tokens == 1
    assert state.last_buyers == (1, 0)


@pytest.mark.rule("TEN-6.2", "ALL-3")
def test_everybody_has_a_last_purchase_left_of_the_last_player_first(ten: Any) -> None:
    state = ten.table(4, area="$1", deck="", active=2, market="B1 B2 G1 G2")
    ten.say(state, "2 take currency")
    buyers = []
    while state.deciders:
        buyers.append(state.deciders[0])
        with pytest.raises(IllegalAction):
            state.play(state.deciders[0], DRAW)
        ten.say(state, f"{buyers[-1]} pass")
    assert buyers == [3, 0, 1, 2]
    assert state.phase is Phase.OVER


@pytest.mark.rule("TEN-6.2", "TEN-5.1")
def test_the_last_purchase_comes_on_top_of_one_in_the_last_turn(ten: Any) -> None:
    state = ten.table(2, area="O5", deck="", market="B1 B2", tokens=[5, 5])
    ten.say(state, "0 take numbers", "0 buy B1", "0 pay token", "1 pass", "0 buy B2", "0 pay token", "0 pay token")
    assert ten.names(state.holdings[0].numbers) == "B1 B2 O5"
    assert state.phase is Phase.OVER


@pytest.mark.rule("TEN-6.2", "TEN-5.2", "TEN-5.3")
def test_in_last_purchases_the_rules_of_purchases_hold(ten: Any) -> None:
    state = ten.table(2, area="$1", deck="", market="B1 B2 B9", own=["", "B1"], tokens=[0, 4])
    ten.say(state, "0 take currency")
    assert ten.legal(state) == ["pass", "buy B2"]
    ten.say(state, "1 buy B2", "1 pay token", "1 pay B1")
    assert state.deciders == (0,)
    assert ten.legal(state) == ["pass", "buy B1"]


def over(ten: Any, own: list[str], tokens: list[int], bust: list[int] | None = None) -> Any:
    """A game of these holdings, ended."""
    buyers = list(range(len(own)))
    state = ten.table(
        len(own),
        deck="",
        own=own,
        tokens=tokens,
        bust=bust or [],
        active=len(own) - 1,
        phase=Phase.BUY,
        last_buyers=buyers,
    )
    return ten.say(state, *(f"{seat} pass" for seat in buyers))


@pytest.mark.rule("TEN-6.5", "ALL-7")
def test_most_points_win(ten: Any) -> None:
    state = over(ten, ["B1 B2", "G1 G2 G3", "O1"], [10, 0, 10])
    assert places(state) == [2, 1, 3]
    assert [result.points for result in state.outcome.results] == [2, 3, 1]
    assert state.outcome.reason == "the deck is used up and the last purchases are made"


@pytest.mark.rule("TEN-6.5")
def test_among_equal_points_most_currency_wins_and_a_bust_token_counts_three(ten: Any) -> None:
    state = over(ten, ["B1", "G1", "O1"], [4, 2, 6], [0, 1, 0])
    assert places(state) == [3, 2, 1]
    assert [dict(result.tie_breaks)["currency"] for result in state.outcome.results] == [4, 5, 6]


@pytest.mark.rule("TEN-6.5", "TEN-6.3")
def test_then_fewer_cards_win(ten: Any) -> None:
    """Ten points from a full run took nine cards; ten points from two runs took ten."""
    full = "B1 B2 B3 B4 B5 B6 B7 B8 B9"
    state = over(ten, ["G1 G2 G3 G4 G5 O1 O2 O3 O4 O5", full], [3, 3])
    assert [result.points for result in state.outcome.results] == [10, 10]
    assert places(state) == [2, 1]
    assert [dict(result.tie_breaks)["full_runs"] for result in state.outcome.results] == [0, 1]
    assert [result.notes[-1] for result in state.outcome.results] == [
        "10 points with 10 cards",
        "10 points with 9 cards",
    ]


@pytest.mark.rule("TEN-6.5", "ALL-7")
def test_what_is_equal_in_everything_is_shared_and_the_next_place_skipped(ten: Any) -> None:
    state = over(ten, ["B1", "G2", "O3 O4", ""], [3, 3, 0, 9])
    assert places(state) == [2, 2, 1, 4]


@pytest.mark.rule("TEN-6.5")
def test_currency_comes_before_the_number_of_cards(ten: Any) -> None:
    full = "B1 B2 B3 B4 B5 B6 B7 B8 B9"
    assert places(over(ten, ["G1 G2 G3 G4 G5 O1 O2 O3 O4 O5", full], [4, 3])) == [1, 2]


@pytest.mark.rule("TEN-6.3")
def test_the_outcome_says_which_joker_stands_where(ten: Any) -> None:
    state = over(ten, ["B1 B3 G4 ?2 G#", "O7"], [3, 3])
    assert state.outcome.results[0].notes == (
        "blue 1-3 for 3 points with ?2 as 2",
        "green 3-4 for 2 points with G# as 3",
        "5 points with 5 cards",
    )
    assert state.outcome.results[1].notes == ("orange 7 for 1 point", "1 point with 1 card")


def test_after_the_end_nobody_decides(ten: Any) -> None:
    state = over(ten, ["B1", "G1"], [1, 1])
    assert state.deciders == ()
    assert state.legal(0) == state.legal(1) == ()
    with pytest.raises(IllegalAction, match="the game is over"):
        state.play(0, PASS)
    assert state.view(0).deciding is None
