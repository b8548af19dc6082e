"""How the game ends, who wins, and how ties are played off: LIE-2.1, LIE-2.2, ALL-7."""

from typing import Any

import pytest

from croupier_games.errors import IllegalAction
from croupier_games.lie.actions import CHALLENGE
from croupier_games.lie.view import Phase, RoundStarted, SeatLeft


def places(state: Any) -> list[int]:
    return [result.place for result in state.outcome.results]


def told(state: Any, kind: type) -> list[Any]:
    return [event.what for event in state.events if isinstance(event.what, kind)]


@pytest.mark.rule("LIE-2.1")
def test_the_game_ends_at_once_when_somebody_would_draw_six(lie: Any) -> None:
    state = lie.lose(lie.with_counts([5, 2, 3]), 0)
    assert state.phase is Phase.OVER
    assert state.deciders == ()
    assert state.turn is None
    assert told(state, RoundStarted) == []
    assert state.round.card_counts == (6, 2, 3)
    assert state.round.last_showdown.loser == 0
    assert places(state) == [3, 1, 2]
    assert all(state.legal(seat) == () for seat in range(3))
    with pytest.raises(IllegalAction, match="the game is over"):
        state.play(1, CHALLENGE)


@pytest.mark.rule("LIE-2.1")
def test_five_cards_are_not_the_end(lie: Any) -> None:
    state = lie.lose(lie.with_counts([4, 2, 3]), 0)
    assert state.outcome is None
    assert state.round.hand_sizes == (5, 2, 3)


@pytest.mark.rule("LIE-2.1", "ALL-7")
def test_equal_counts_below_first_share_a_place_and_the_next_is_skipped(lie: Any) -> None:
    state = lie.lose(lie.with_counts([3, 5, 3, 1, 4]), 1)
    assert places(state) == [2, 5, 2, 1, 4]
    assert [result.tie_breaks for result in state.outcome.results] == [(("lives", lives),) for lives in (3, 0, 3, 5, 2)]
    assert [result.points for result in state.outcome.results] == [None] * 5
    assert state.outcome.results[3].notes == ("stood at 1 card",)


@pytest.mark.rule("LIE-2.1")
def test_with_two_seats_the_other_one_wins(lie: Any) -> None:
    assert places(lie.lose(lie.with_counts([5, 5]), 1)) == [1, 2]


@pytest.mark.rule("LIE-2.2")
def test_those_tied_for_the_fewest_play_on_alone_with_unchanged_hands(lie: Any) -> None:
    state = lie.lose(lie.with_counts([2, 5, 2, 3, 2]), 1)
    assert state.outcome is None
    assert state.round.extra
    assert state.round.hand_sizes == (2, 0, 2, 0, 2)
    assert state.round.card_counts == (2, 6, 2, 3, 2)
    assert state.round.out == ()
    assert state.deciders == (0, 2, 4)
    assert [len(hand.cards) for hand in state.hands] == [2, 0, 2, 0, 2]
    assert state.view(1).hand is None
    assert told(state, RoundStarted)[0].extra
    with pytest.raises(IllegalAction, match="seat 3 is not in this round"):
        state.play(3, CHALLENGE)


@pytest.mark.rule("LIE-2.2", "LIE-1.6")
def test_extra_rounds_skip_the_others_and_bid_on_the_cards_that_are_held(lie: Any) -> None:
    state = lie.arrange_all(lie.lose(lie.with_counts([2, 5, 2, 3, 2]), 1))
    assert str(state.legal(2)[-1]) == "6x6"
    turns = []
    for bid in ("1x1", "2x1", "3x1", "4x1"):
        turns.append(state.turn)
        lie.say(state, f"{state.turn} {bid}")
    assert turns == [2, 4, 0, 2]


@pytest.mark.rule("LIE-2.2", "ALL-7")
def test_an_extra_rounds_loser_is_out_at_once_and_the_last_one_left_wins(lie: Any) -> None:
    state = lie.lose(lie.with_counts([2, 5, 2, 3, 2]), 1)
    lie.lose(state, 4)
    assert told(state, SeatLeft) == [SeatLeft(4)]
    assert state.round.out == (4,)
    assert state.round.hand_sizes == (2, 0, 2, 0, 0)
    assert state.round.card_counts == (2, 6, 2, 3, 2)
    assert state.round.starter == 0  # the winner of the extra round: it challenged seat 4
    lie.lose(state, 0)
    assert state.phase is Phase.OVER
    assert told(state, SeatLeft) == [SeatLeft(0)]
    assert state.round.out == (4, 0)
    assert places(state) == [2, 5, 1, 4, 3]
    assert [dict(result.tie_breaks) for result in state.outcome.results] == [
        {"lives": 4, "outlived": 1},
        {"lives": 0, "outlived": 0},
        {"lives": 4, "outlived": 2},
        {"lives": 3, "outlived": 0},
        {"lives": 4, "outlived": 0},
    ]
    assert state.outcome.reason == "seat 2 is the last one left of those who tied for the win"


@pytest.mark.rule("LIE-2.2")
def test_an_extra_round_with_five_cards_each_puts_only_its_loser_out(lie: Any) -> None:
    """Who is at five cards leaves by losing, not by drawing six."""
    state = lie.lose(lie.lose(lie.with_counts([5, 5, 5, 5]), 3), 1)
    assert state.outcome is None
    assert state.round.hand_sizes == (5, 0, 5, 0)
    assert state.round.card_counts == (5, 5, 5, 6)


@pytest.mark.rule("LIE-2.2", "ALL-3")
@pytest.mark.parametrize(
    ("counts", "loser", "winner", "starter"),
    [
        ([1, 5, 1, 3], 1, 2, 2),  # the winner is among them
        ([1, 5, 3, 1], 1, 2, 3),  # else the next of them clockwise
        ([1, 1, 3, 5], 2, 3, None),  # no end yet: seat 2 may still lose
        ([1, 1, 5, 3], 2, 3, 0),  # clockwise wraps round
        ([3, 1, 1, 5], 3, 0, 1),
    ],
)
def test_who_starts_the_first_extra_round(
    lie: Any, counts: list[int], loser: int, winner: int, starter: int | None
) -> None:
    state = lie.lose(lie.with_counts(counts), loser)
    assert state.round.last_showdown.winner == winner
    if starter is None:
        assert not state.round.extra
        assert state.round.starter == winner
    else:
        assert state.round.extra
        assert state.round.starter == starter


@pytest.mark.rule("LIE-2.2", "LIE-3.2")
def test_the_first_extra_starter_is_found_clockwise_even_after_a_round_the_other_way(lie: Any) -> None:
    state = lie.arrange_all(lie.with_counts([1, 3, 1, 5], starter=3, choose_direction=True))
    lie.say(state, "3 counter-clockwise", "3 1x1", "2 1x2", "1 1x3", "0 2x3", "3 10x6", "2 challenge")
    assert state.round.last_showdown.winner == state.round.starter == 2
    state = lie.arrange_all(lie.with_counts([1, 1, 3, 5], starter=3, choose_direction=True))
    lie.say(state, "3 counter-clockwise", "3 10x6", "2 challenge")
    assert state.round.extra
    assert state.round.starter == 0  # clockwise from seat 2 by way of 3; the other way it would be seat 1


@pytest.mark.rule("LIE-2.2", "LIE-3.1", "LIE-3.2")
def test_variants_stay_in_force_in_extra_rounds(lie: Any) -> None:
    state = lie.with_counts([1, 5, 1], choose_direction=True, joker_ones=True)
    state = lie.lose(lie.with_hands(state, [(2, 3)], [(2, 4), (2, 5), (2, 6), (3, 4), (3, 5)], [(2, 3)]), 1)
    assert state.round.extra
    state = lie.with_hands(state, [(1, 2)], [], [(4, 5)])
    lie.say(state, "0 show 1", "2 show 4")
    assert state.phase is Phase.DECLARE
    lie.say(state, "2 counter-clockwise", "2 2x4", "0 challenge")
    assert state.round.last_showdown.true_count == 2
    assert places(state) == [2, 3, 1]
