"""Who sees what, and what is drawn anew for whom: LIE-1.9, ALL-4, ALL-5."""

from collections import Counter
from typing import Any

import pytest

from croupier_games.lie import LIE
from croupier_games.lie.data import DECK
from croupier_games.lie.view import CardsDealt, HandArranged, Phase

OTHER_SEED = bytes(range(32))


def cards(state: Any) -> Counter[tuple[int, int]]:
    return Counter((card.low, card.high) for hand in state.hands for card in hand.cards)


@pytest.mark.rule("LIE-1.9", "ALL-5")
def test_a_view_shows_the_own_hand_alone_and_all_hand_sizes(lie: Any) -> None:
    state = lie.with_counts([2, 3, 1])
    for _ in range(2):
        for seat in range(3):
            assert state.view(seat).hand is state.hands[seat]
            assert state.view(seat)._replace(hand=None) == state.view(None)
            assert state.view(seat).round.hand_sizes == (2, 3, 1)
        assert state.view(None).hand is None
        if state.phase is Phase.ARRANGE:
            lie.arrange_all(state)
    with pytest.raises(ValueError, match="seats are 0 to 2"):
        state.view(-1)


@pytest.mark.rule("LIE-1.9", "ALL-5")
def test_cards_and_arrangements_are_told_to_their_holder_alone(lie: Any) -> None:
    state = lie.open(3)
    dealt = [event for event in state.events if isinstance(event.what, CardsDealt)]
    assert [(event.audience, event.what.hand) for event in dealt] == list(enumerate(state.hands))
    for seat in range(3):
        state.play(seat, state.legal(seat)[-1])
        [arranged] = [event for event in state.events if isinstance(event.what, HandArranged)]
        assert (arranged.audience, arranged.what.hand) == (seat, state.hands[seat])


@pytest.mark.rule("ALL-4", "LIE-1.2")
def test_nobody_can_tell_whether_another_has_arranged(lie: Any) -> None:
    state = lie.open(3)
    before = [state.view(seat) for seat in (0, 2, None)]
    offered = [state.legal(seat) for seat in (0, 2)]
    state.play(1, state.legal(1)[0])
    assert [state.view(seat) for seat in (0, 2, None)] == before
    assert [state.legal(seat) for seat in (0, 2)] == offered
    assert [event.audience for event in state.events] == [1]


@pytest.mark.rule("LIE-1.9", "ALL-5")
@pytest.mark.parametrize("seat", [0, 1, 2, None])
@pytest.mark.parametrize("steps", [0, 1, 2, 3, 4])
def test_resampling_redraws_exactly_what_a_seat_cannot_know(lie: Any, seat: int | None, steps: int) -> None:
    state = lie.with_counts([4, 5, 4])
    for step in range(steps):
        decider = state.deciders[0]
        state.play(decider, state.legal(decider)[step % 2])
    redrawn = set()
    for number in range(20):
        twin = state.resample(seat, lie.seed(number))
        assert twin.view(seat) == state.view(seat)
        assert twin.deciders == state.deciders
        assert seat is None or twin.hands[seat] is state.hands[seat]
        assert not cards(twin) - Counter(DECK)
        for other in range(3):
            shown = {bool(card.showing) for card in twin.hands[other].cards}
            assert shown == {bool(state.hands[other].cards[0].showing)}
            redrawn |= {other} if twin.hands[other] != state.hands[other] else set()
        assert LIE.restore(twin.save()).save() == twin.save()
    assert redrawn == {0, 1, 2} - {seat}


def test_resampling_turns_arranged_cards_either_way_and_changes_the_future(lie: Any) -> None:
    state = lie.arrange_all(lie.with_counts([1, 2]))
    twins = [state.resample(0, lie.seed(number)) for number in range(40)]
    assert {card.showing == card.low for twin in twins for card in twin.hands[1].cards} == {True, False}
    futures = set()
    for twin in twins:
        lie.say(twin, "0 3x6", "1 challenge")
        futures.add(twin.hands)
    assert len(futures) > 20


def test_resampling_tells_no_event_meant_for_others(lie: Any) -> None:
    twin = lie.open(3).resample(1, OTHER_SEED)
    assert [event.audience for event in twin.events] == [None, 1]


@pytest.mark.rule("ALL-5")
def test_after_the_end_nothing_is_hidden_so_nothing_is_redrawn(lie: Any) -> None:
    state = lie.lose(lie.with_counts([5, 2]), 0)
    assert state.resample(None, OTHER_SEED).hands == state.hands == state.view(None).round.last_showdown.hands


@pytest.mark.rule("ALL-6")
def test_a_forced_challenge_is_still_a_decision(lie: Any) -> None:
    state = lie.say(lie.arrange_all(lie.with_counts([1, 2])), "0 3x6")
    assert state.deciders == (1,)
    assert [str(action) for action in state.legal(1)] == ["challenge"]


def test_parts_of_a_view_that_did_not_change_are_the_same_objects(lie: Any) -> None:
    state = lie.arrange_all(lie.with_counts([2, 2]))
    lie.say(state, "0 1x1")
    before = state.view(0)
    lie.say(state, "1 2x1")
    after = state.view(0)
    assert after.round is before.round
    assert after.hand is before.hand
    assert after.bids[0] is before.bids[0]


def test_a_clone_goes_its_own_way(lie: Any) -> None:
    state = lie.arrange_all(lie.with_counts([2, 2]))
    before, events = state.save(), state.events
    copy = state.clone()
    assert (copy.save(), copy.events, copy.deciders) == (before, events, state.deciders)
    lie.say(copy, "0 4x6", "1 challenge")
    assert (state.save(), state.events, state.deciders) == (before, events, (0,))
