"""The challenge and what follows it: LIE-1.7, LIE-1.8, LIE-1.9, LIE-2.3."""

from typing import Any

import pytest

from croupier_games.lie.view import CardsDealt, HandsRevealed, Phase, RoundStarted


def table(lie: Any, counts: list[int]) -> Any:
    """Two 4s and a 3 lie on this table."""
    state = lie.with_hands(lie.with_counts(counts), [(1, 4)], [(2, 4), (3, 5)])
    return lie.say(state, "0 show 4", "1 show 4 3")


@pytest.mark.rule("LIE-1.7", "LIE-1.8")
def test_who_doubts_a_true_bid_loses_and_the_bidder_starts_the_next_round(lie: Any) -> None:
    state = lie.say(table(lie, [1, 2]), "0 2x4", "1 challenge")
    showdown = state.round.last_showdown
    assert (showdown.true_count, showdown.winner, showdown.loser) == (2, 0, 1)
    assert state.round.starter == 0
    assert state.round.hand_sizes == state.round.card_counts == (1, 3)


@pytest.mark.rule("LIE-1.7", "LIE-1.8")
def test_who_bids_too_much_loses_and_the_challenger_starts_the_next_round(lie: Any) -> None:
    state = lie.say(table(lie, [1, 2]), "0 3x4", "1 challenge")
    showdown = state.round.last_showdown
    assert (showdown.true_count, showdown.winner, showdown.loser) == (2, 1, 0)
    assert state.round.starter == 1
    assert state.round.hand_sizes == state.round.card_counts == (2, 2)


@pytest.mark.rule("LIE-1.8")
def test_the_loser_draws_one_more_from_then_on(lie: Any) -> None:
    state = lie.open(3)
    sizes = []
    for loser in (0, 1, 0, 2):
        lie.lose(state, loser)
        sizes.append(state.round.hand_sizes)
        assert [len(hand.cards) for hand in state.hands] == list(state.round.hand_sizes)
    assert sizes == [(2, 1, 1), (2, 2, 1), (3, 2, 1), (3, 2, 2)]


@pytest.mark.rule("LIE-1.9")
def test_the_reveal_is_public_and_shows_both_ends_of_every_card(lie: Any) -> None:
    state = lie.say(table(lie, [1, 2]), "0 2x4", "1 challenge")
    revealed, started, *dealt = state.events
    assert revealed.audience is None
    assert isinstance(revealed.what, HandsRevealed)
    hands = (((1, 4, 4),),), (((2, 4, 4), (3, 5, 3)),)
    assert revealed.what.showdown.hands == hands
    assert started.audience is None
    assert started.what == RoundStarted(3, False, 0, (1, 3))
    assert [(event.audience, event.what) for event in dealt] == [(s, CardsDealt(state.hands[s])) for s in (0, 1)]
    assert state.view(None).round.last_showdown.hands == hands


@pytest.mark.rule("LIE-2.3", "LIE-1.5", "LIE-1.7", "LIE-1.8", "LIE-2.1")
def test_both_worked_examples_of_the_rulebook(lie: Any) -> None:
    """Ania, Bartek and Czesio are seats 0, 1 and 2; Bartek holds 5 cards."""
    state = lie.with_hands(
        lie.with_counts([4, 5, 2], bid_order="count_first"),
        [(1, 5), (1, 5), (2, 3), (2, 4)],
        [(2, 5), (2, 5), (1, 3), (1, 4), (3, 6)],
        [(3, 5), (4, 6)],
    )
    lie.say(state, "0 show 5 5 2 2", "1 show 1 1 5 5 3", "2 show 5 4")
    lie.say(state, "0 3x3", "1 3x5", "2 4x1", "0 5x1", "1 5x5", "2 challenge")
    assert state.round.last_showdown.true_count == 5
    assert state.round.last_showdown.loser == 2
    assert state.round.hand_sizes == (4, 5, 3)
    assert state.round.starter == 1

    state = lie.with_hands(
        state,
        [(1, 2), (1, 2), (1, 3), (1, 4)],
        [(2, 3), (2, 3), (3, 4), (4, 5), (5, 6)],
        [(2, 4), (3, 6), (4, 6)],
    )
    lie.say(state, "0 show 2 2 3 4", "1 show 2 2 4 4 5", "2 show 2 3 4")
    lie.say(state, "1 1x4", "2 3x2", "0 4x2", "1 6x2", "2 challenge")
    assert state.phase is Phase.OVER
    assert state.round.last_showdown.true_count == 5
    assert state.round.last_showdown.loser == 1
    assert state.round.card_counts == (4, 6, 3)
    assert [result.place for result in state.outcome.results] == [2, 3, 1]
    assert state.outcome.reason == "seat 1 would have to draw 6 cards"


@pytest.mark.rule("LIE-2.3", "LIE-1.5")
def test_the_worked_examples_cannot_be_played_by_the_written_rule(lie: Any) -> None:
    """Which is why the order of bids is an option."""
    state = lie.say(lie.arrange_all(lie.with_counts([4, 5, 2])), "0 3x3", "1 3x5")
    assert "4x1" not in map(str, state.legal(2))
