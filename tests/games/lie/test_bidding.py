"""Bids: who bids, what is higher, where they end: LIE-1.3 to LIE-1.6."""

from itertools import pairwise, product
from typing import Any

import pytest

from croupier_games.errors import IllegalAction
from croupier_games.lie import LIE
from croupier_games.lie.actions import CHALLENGE, Arrange, Bid, Declare
from croupier_games.lie.view import Direction

ORDERS = ("value_first", "count_first")


def legal(state: Any) -> list[str]:
    return [str(action) for action in state.legal(state.turn)]


def ready(lie: Any, counts: list[int], order: str = "value_first", **options: Any) -> Any:
    return lie.arrange_all(lie.with_counts(counts, bid_order=order, **options))


@pytest.mark.rule("LIE-1.3")
def test_the_starter_must_bid(lie: Any) -> None:
    state = ready(lie, [1, 2])
    assert "challenge" not in legal(state)
    with pytest.raises(IllegalAction, match="seat 0 must bid now, got Challenge"):
        state.play(0, CHALLENGE)


@pytest.mark.rule("LIE-1.3", "ALL-3")
def test_turns_go_clockwise_and_wrap_round(lie: Any) -> None:
    state = lie.arrange_all(lie.with_counts([1, 2, 1], starter=1))
    turns = []
    for bid in ("1x1", "2x1", "3x1", "4x1"):
        turns.append(state.turn)
        lie.say(state, f"{state.turn} {bid}")
    assert turns == [1, 2, 0, 1]


@pytest.mark.rule("LIE-1.3")
def test_later_players_bid_higher_or_challenge_and_nobody_else_may(lie: Any) -> None:
    state = lie.say(ready(lie, [1, 1, 2]), "0 2x3")
    assert state.deciders == (1,)
    assert legal(state)[0] == "challenge"
    assert state.legal(0) == state.legal(2) == ()
    for seat in (0, 2):
        with pytest.raises(IllegalAction, match=f"turn of seat 1, not of seat {seat}"):
            state.play(seat, CHALLENGE)


@pytest.mark.rule("LIE-1.3")
def test_only_the_bid_just_before_is_challenged(lie: Any) -> None:
    state = lie.say(ready(lie, [1, 1, 2]), "0 1x1", "1 2x3", "2 1x5", "0 challenge")
    assert state.round.last_showdown.bid == (2, 1, 5)
    assert {state.round.last_showdown.winner, state.round.last_showdown.loser} == {0, 2}


@pytest.mark.rule("LIE-1.5")
def test_by_default_the_written_rule_holds(lie: Any) -> None:
    """After three 4s come four 4s or one 5."""
    assert lie.open(2).options["bid_order"] == "value_first"
    state = lie.say(lie.arrange_all(lie.with_counts([3, 3])), "0 3x4")
    assert legal(state)[:5] == ["challenge", "4x4", "5x4", "6x4", "1x5"]
    for low in ("3x4", "2x4", "6x3", "1x1"):
        with pytest.raises(IllegalAction, match=f"bid higher than 3x4 or challenge, got {low}"):
            lie.say(state, f"1 {low}")
    lie.say(state.clone(), "1 4x4")
    lie.say(state.clone(), "1 1x5")


@pytest.mark.rule("LIE-1.5")
def test_count_first_replays_the_bid_ladder_of_the_rulebook(lie: Any) -> None:
    state = ready(lie, [3, 3], "count_first")
    steps = ["3x4", "3x5", "4x2", "5x2", "5x6", "6x1"]
    for number, bid in enumerate(steps):
        lie.say(state, f"{number % 2} {bid}")
        for lower in steps[: number + 1]:
            with pytest.raises(IllegalAction, match="bid higher"):
                lie.say(state, f"{state.turn} {lower}")


@pytest.mark.rule("LIE-1.5", "LIE-1.6")
@pytest.mark.parametrize(("order", "cards"), list(product(ORDERS, (2, 3, 7))))
def test_exactly_the_higher_bids_may_follow_each_bid(lie: Any, order: str, cards: int) -> None:
    counts = [cards // 2, cards - cards // 2]
    every = list(product(range(1, cards + 1), range(1, 7)))
    for count, value in every:
        state = lie.say(ready(lie, counts, order), f"0 {count}x{value}")
        if order == "value_first":
            higher = [bid for bid in every if bid[1] > value or (bid[1] == value and bid[0] > count)]
        else:
            higher = [bid for bid in every if bid[0] > count or (bid[0] == count and bid[1] > value)]
        offered = [(action.count, action.value) for action in state.legal(1)[1:]]
        assert sorted(offered) == sorted(higher)
        for bid in every:
            if bid not in higher:
                with pytest.raises(IllegalAction):
                    state.clone().play(1, Bid(*bid))
            else:
                state.clone().play(1, Bid(*bid))


@pytest.mark.rule("LIE-1.6")
@pytest.mark.parametrize("order", ORDERS)
def test_counts_run_to_the_cards_in_all_hands_and_the_highest_must_be_challenged(lie: Any, order: str) -> None:
    state = ready(lie, [1, 2, 2], order)
    bids = [str(action) for action in state.legal(0)]
    assert len(bids) == len(set(bids)) == 5 * 6
    assert bids[0] == "1x1"
    assert bids[-1] == "5x6"
    for wrong in (Bid(6, 1), Bid(0, 3), Bid(-1, 3), Bid(1, 7), Bid(1, 0), Bid(1.0, 1), Bid(True, 1), Bid("1", 1)):  # type: ignore[arg-type]
        with pytest.raises(IllegalAction, match="1 to 5 cards of a value from 1 to 6"):
            state.play(0, wrong)
    lie.say(state, "0 5x6")
    assert legal(state) == ["challenge"]


@pytest.mark.rule("LIE-1.6", "LIE-3.4")
def test_cards_of_those_who_are_out_do_not_count(lie: Any) -> None:
    state = lie.arrange_all(lie.with_counts([2, 6, 1], out=[1], longer_game=True))
    assert str(state.legal(0)[-1]) == "3x6"


@pytest.mark.rule("LIE-1.4")
@pytest.mark.parametrize(("bid", "holds"), [("1x4", True), ("3x4", True), ("4x4", False), ("1x5", False)])
def test_a_bid_claims_at_least_so_many_cards_in_all_hands(lie: Any, bid: str, holds: bool) -> None:
    state = lie.with_hands(lie.with_counts([2, 2]), [(1, 4), (2, 4)], [(3, 4), (4, 5)])
    lie.say(state, "0 show 4 4", "1 show 3 4", f"0 {bid}", "1 challenge")
    assert state.round.last_showdown.true_count == (3 if bid.endswith("4") else 0)
    assert state.round.last_showdown.winner == (0 if holds else 1)


def test_legal_lists_are_the_very_same_objects_at_every_table(lie: Any) -> None:
    one = lie.say(ready(lie, [1, 2]), "0 1x2")
    two = lie.say(ready(lie, [2, 1]), "0 1x2")
    assert one.legal(1) is two.legal(1)


def test_what_fits_no_phase_is_refused_and_changes_nothing(lie: Any) -> None:
    arranging = lie.open(2)
    bidding = ready(lie, [1, 2])
    cases = [
        (arranging, [Bid(1, 1), CHALLENGE, Declare(Direction.CLOCKWISE), "show 1", None, object()]),
        (bidding, [Arrange((1,)), Declare(Direction.CLOCKWISE), "1x1", None, object()]),
    ]
    for state, actions in cases:
        before = state.save()
        for action in actions:
            with pytest.raises(IllegalAction, match="must"):
                state.play(0, action)
        for seat in (-1, 2, None, "0", 0.0):
            with pytest.raises(IllegalAction, match="seats are 0 to 1"):
                state.play(seat, state.legal(0)[0])
        assert state.save() == before


@pytest.mark.parametrize("order", ORDERS)
def test_the_longest_round_names_every_bid_once(lie: Any, order: str) -> None:
    """Bids only rise, so a round has at most six per card: part of the bound `max_actions`."""
    state = ready(lie, [5, 5, 5, 5, 5, 5], order)
    made = []
    while len(state.legal(state.turn)) > 1:
        made.append(next(action for action in state.legal(state.turn) if action != CHALLENGE))
        state.play(state.turn, made[-1])
    assert len(made) == 180
    assert all(LIE.parse(str(bid)) is bid for bid in made)
    assert len(set(pairwise(made))) == 179
