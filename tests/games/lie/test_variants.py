"""The variants, alone and combined: LIE-3.1 to LIE-3.4."""

from itertools import product
from typing import Any

import pytest

from croupier_games.errors import IllegalAction
from croupier_games.lie.actions import Bid, Declare
from croupier_games.lie.view import Direction, DirectionDeclared, Phase, RoundStarted, SeatLeft


def places(state: Any) -> list[int]:
    return [result.place for result in state.outcome.results]


def jokers(lie: Any, *lines: str, **options: Any) -> Any:
    """Two 1s, two 4s and a 6 lie on this table."""
    state = lie.with_hands(lie.with_counts([2, 3], **options), [(1, 4), (1, 5)], [(2, 4), (3, 4), (5, 6)])
    return lie.say(state, "0 show 1 1", "1 show 4 4 6", *lines)


@pytest.mark.rule("LIE-3.1")
@pytest.mark.parametrize(
    ("joker_ones", "bid", "found"),
    [(True, "1x4", 4), (True, "1x6", 3), (True, "1x2", 2), (True, "1x1", 2), (False, "1x4", 2), (False, "1x1", 2)],
)
def test_ones_count_as_every_value(lie: Any, joker_ones: bool, bid: str, found: int) -> None:
    state = jokers(lie, f"0 {bid}", "1 challenge", joker_ones=joker_ones)
    assert state.round.last_showdown.true_count == found
    assert state.round.last_showdown.ones_were_jokers is (joker_ones and not bid.endswith("x1"))


@pytest.mark.rule("LIE-3.1")
@pytest.mark.parametrize("order", ["value_first", "count_first"])
def test_ones_are_only_ones_in_a_round_that_opens_on_ones(lie: Any, order: str) -> None:
    state = jokers(lie, joker_ones=True, bid_order=order)
    assert state.view(None).ones_are_jokers
    lie.say(state, "0 1x1")
    assert not state.view(None).ones_are_jokers
    lie.say(state, "1 2x4", "0 3x4", "1 challenge")
    assert state.round.last_showdown.true_count == 2
    assert state.round.last_showdown.loser == 0
    assert state.view(None).ones_are_jokers  # the next round starts afresh


@pytest.mark.rule("LIE-3.1")
def test_ones_stay_jokers_after_a_later_bid_on_ones_which_itself_counts_only_ones(lie: Any) -> None:
    options = {"joker_ones": True, "bid_order": "count_first"}
    state = jokers(lie, "0 1x4", "1 2x1", **options)
    assert state.view(0).ones_are_jokers
    later = lie.say(state.clone(), "0 4x4", "1 challenge")
    assert (later.round.last_showdown.true_count, later.round.last_showdown.loser) == (4, 1)
    doubted = lie.say(jokers(lie, "0 1x4", "1 3x1", **options), "0 challenge")
    assert (doubted.round.last_showdown.true_count, doubted.round.last_showdown.loser) == (2, 1)


@pytest.mark.rule("LIE-3.1")
def test_no_later_bid_on_ones_without_count_first(lie: Any) -> None:
    state = jokers(lie, "0 1x2", joker_ones=True)
    with pytest.raises(IllegalAction):
        state.play(1, Bid(5, 1))


@pytest.mark.rule("LIE-3.2")
@pytest.mark.parametrize(("words", "turns"), [("clockwise", [1, 2, 0, 1]), ("counter-clockwise", [1, 0, 2, 1])])
def test_the_starter_declares_the_direction_after_the_arranging(lie: Any, words: str, turns: list[int]) -> None:
    state = lie.with_counts([1, 2, 1], starter=1, choose_direction=True)
    assert state.view(None).direction is Direction.UNSPECIFIED
    lie.arrange_all(state)
    assert (state.phase, state.deciders, state.turn) == (Phase.DECLARE, (1,), 1)
    assert [str(action) for action in state.legal(1)] == ["clockwise", "counter-clockwise"]
    lie.say(state, f"1 {words}")
    assert [event.what for event in state.events] == [DirectionDeclared(1, state.direction)]
    assert state.direction.words == words
    taken = []
    for bid in ("1x1", "2x1", "3x1", "4x1"):
        taken.append(state.turn)
        lie.say(state, f"{state.turn} {bid}")
    assert taken == turns


@pytest.mark.rule("LIE-3.2", "LIE-1.3")
def test_just_before_follows_the_direction(lie: Any) -> None:
    state = lie.arrange_all(lie.with_counts([1, 2, 1], starter=1, choose_direction=True))
    lie.say(state, "1 counter-clockwise", "1 1x1", "0 4x6", "2 challenge")
    showdown = state.round.last_showdown
    assert (showdown.bid.seat, showdown.challenger, showdown.loser) == (0, 2, 0)
    assert state.direction is Direction.UNSPECIFIED  # and the next round's starter declares anew


@pytest.mark.rule("LIE-3.2")
def test_two_players_declare_too_and_nothing_but_a_direction(lie: Any) -> None:
    state = lie.arrange_all(lie.open(2, choose_direction=True, start_seat=0))
    for wrong in (Declare(Direction.UNSPECIFIED), Declare(3), Declare(None), Bid(1, 1)):  # type: ignore[arg-type]
        with pytest.raises(IllegalAction, match="clockwise or counter-clockwise"):
            state.play(0, wrong)
    lie.say(state, "0 counter-clockwise", "0 1x1")
    assert state.turn == 1


@pytest.mark.rule("LIE-3.2")
def test_without_the_variant_nobody_declares(lie: Any) -> None:
    state = lie.open(3)
    assert state.view(None).direction is Direction.CLOCKWISE
    assert lie.arrange_all(state).phase is Phase.BID


@pytest.mark.rule("LIE-3.3")
def test_with_fewer_cards_hands_start_at_five_and_losers_draw_one_fewer(lie: Any) -> None:
    state = lie.open(3, fewer_cards=True)
    assert state.round.hand_sizes == state.round.card_counts == (5, 5, 5)
    lie.lose(lie.lose(state, 1), 1)
    assert state.round.hand_sizes == state.round.card_counts == (5, 3, 5)


@pytest.mark.rule("LIE-3.3", "ALL-7")
def test_with_fewer_cards_who_reaches_none_is_last_and_most_cards_win(lie: Any) -> None:
    state = lie.lose(lie.with_counts([2, 1, 4, 2], fewer_cards=True), 1)
    assert state.phase is Phase.OVER
    assert state.round.card_counts == (2, 0, 4, 2)
    assert places(state) == [2, 4, 1, 2]
    assert [dict(result.tie_breaks)["lives"] for result in state.outcome.results] == [2, 0, 4, 2]
    assert state.outcome.reason == "seat 1 has no card left"


@pytest.mark.rule("LIE-3.3", "LIE-2.2")
def test_with_fewer_cards_those_tied_for_the_most_play_on(lie: Any) -> None:
    state = lie.lose(lie.with_counts([4, 1, 2, 4], fewer_cards=True), 1)
    assert state.round.extra
    assert state.round.hand_sizes == (4, 0, 0, 4)
    assert state.round.starter == 3
    lie.lose(state, 0)
    assert state.round.card_counts == (4, 0, 2, 4)
    assert places(state) == [2, 4, 3, 1]


@pytest.mark.rule("LIE-3.4")
def test_in_a_longer_game_who_would_draw_six_is_out_and_the_others_play_on(lie: Any) -> None:
    state = lie.lose(lie.with_counts([2, 5, 2, 4], longer_game=True), 1)
    assert state.outcome is None
    assert [event.what for event in state.events][1:3] == [SeatLeft(1), RoundStarted(11, False, 2, (2, 0, 2, 4))]
    assert state.round.out == (1,)
    assert state.round.card_counts == (2, 6, 2, 4)
    assert state.deciders == (0, 2, 3)
    assert not state.round.extra


@pytest.mark.rule("LIE-3.4", "ALL-7")
def test_a_longer_game_lasts_until_one_is_left_and_places_are_by_leaving(lie: Any) -> None:
    state = lie.with_counts([5, 5, 1, 5], longer_game=True)
    for loser in (3, 0):
        lie.lose(state, loser)
        assert state.outcome is None
    assert state.round.hand_sizes == (0, 5, 1, 0)
    lie.lose(state, 2)
    assert state.round.hand_sizes == (0, 5, 2, 0)
    assert state.round.starter == 1
    lie.lose(state, 1)
    assert state.round.out == (3, 0, 1)
    assert places(state) == [3, 2, 1, 4]
    assert [result.tie_breaks for result in state.outcome.results] == [
        (("outlived", number),) for number in (1, 2, 3, 0)
    ]
    assert state.outcome.reason == "seat 2 is the last one left"


@pytest.mark.rule("LIE-3.4", "LIE-2.2")
def test_a_longer_game_has_no_extra_rounds(lie: Any) -> None:
    """Where the plain game would go into extra rounds, the losers only draw more."""
    state = lie.lose(lie.with_counts([1, 5, 1], longer_game=True), 1)
    assert not state.round.extra
    lie.lose(state, 0)
    assert state.outcome is None
    assert state.round.hand_sizes == (2, 0, 1)


@pytest.mark.rule("LIE-3.3", "LIE-3.4")
def test_longer_and_fewer_who_has_no_card_is_out(lie: Any) -> None:
    state = lie.lose(lie.with_counts([3, 1, 1], fewer_cards=True, longer_game=True), 2)
    assert state.round.hand_sizes == (3, 1, 0)
    assert state.round.out == (2,)
    lie.lose(state, 0)
    assert state.round.hand_sizes == (2, 1, 0)
    lie.lose(state, 1)
    assert places(state) == [1, 2, 3]


@pytest.mark.rule("LIE-3.4")
@pytest.mark.parametrize("fewer_cards", [False, True])
def test_a_longer_game_of_two_ends_when_one_is_left(lie: Any, fewer_cards: bool) -> None:
    last = 1 if fewer_cards else 5
    state = lie.lose(lie.with_counts([last, last], longer_game=True, fewer_cards=fewer_cards), 0)
    assert places(state) == [2, 1]


@pytest.mark.rule("LIE-3.1", "LIE-3.2", "LIE-3.3", "LIE-3.4")
@pytest.mark.parametrize(("fewer_cards", "choose_direction"), list(product([False, True], repeat=2)))
def test_who_is_out_is_passed_over_in_both_directions(lie: Any, fewer_cards: bool, choose_direction: bool) -> None:
    counts = [2, 0 if fewer_cards else 6, 2]
    options = {"fewer_cards": fewer_cards, "choose_direction": choose_direction, "longer_game": True}
    state = lie.arrange_all(lie.with_counts(counts, out=[1], **options))
    if choose_direction:
        lie.say(state, "0 counter-clockwise")
    lie.say(state, "0 1x1", "2 2x1")
    assert state.turn == 0
