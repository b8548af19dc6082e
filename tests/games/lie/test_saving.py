"""`save` and `restore`: nothing is lost, and nothing is taken that makes no sense by the rules."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from croupier_games.errors import RestoreError
from croupier_games.lie import LIE


def written(saved: Any) -> bytes:
    return json.dumps(saved, sort_keys=True, separators=(",", ":")).encode()


def test_a_restored_state_goes_on_exactly_like_the_saved_one(lie: Any) -> None:
    options = {"joker_ones": True, "choose_direction": True, "bid_order": "count_first"}
    state, chance = lie.open(4, **options), Random(1)
    while state.deciders:
        twin = LIE.restore(state.save())
        assert twin.save() == state.save()
        assert twin.events == ()
        assert (twin.deciders, twin.turn, twin.outcome) == (state.deciders, state.turn, state.outcome)
        for seat in (*range(4), None):
            assert twin.view(seat) == state.view(seat)
        seat = chance.choice(state.deciders)
        action = chance.choice(state.legal(seat))
        twin.play(seat, action)
        state.play(seat, action)
        assert twin.save() == state.save()
        assert twin.events == state.events
    assert LIE.restore(state.save()).outcome == state.outcome


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"{}", b"[" * 100_000, b"1" * 9999, b"NaN"])
def test_garbage_is_refused(data: bytes) -> None:
    with pytest.raises(RestoreError):
        LIE.restore(data)


CHANGES: dict[str, Callable[[Any], object]] = {
    "another game": lambda saved: saved.update(game="ten"),
    "another version": lambda saved: saved.update(version=2),
    "a version that is no number": lambda saved: saved.update(version=True),
    "a field too many": lambda saved: saved.update(more=1),
    "a field too few": lambda saved: saved.pop("bids"),
    "seats of another type": lambda saved: saved.update(seats="3"),
    "other seats": lambda saved: saved.update(seats=4),
    "no such seats": lambda saved: saved.update(seats=7),
    "an unknown option": lambda saved: saved["options"].update(more=True),
    "a missing option": lambda saved: saved["options"].pop("joker_ones"),
    "an option of another type": lambda saved: saved["options"].update(joker_ones=1),
    "options that are no object": lambda saved: saved.update(options=[]),
    "a short seed": lambda saved: saved.update(seed="00"),
    "a seed in capitals": lambda saved: saved.update(seed="AB" * 32),
    "an unknown phase": lambda saved: saved.update(phase=9),
    "arranging again": lambda saved: saved.update(phase=1),
    "declaring what is fixed": lambda saved: saved.update(phase=2),
    "an end too early": lambda saved: saved.update(phase=4),
    "another direction": lambda saved: saved.update(direction=2),
    "hands that are no list": lambda saved: saved.update(hands=3),
    "a hand too few": lambda saved: saved["hands"].pop(),
    "a card too many": lambda saved: saved["hands"][0][0].append([5, 6, 5]),
    "a card that shows what it has not": lambda saved: saved["hands"][0][0][0].__setitem__(2, 6),
    "a card that does not exist": lambda saved: saved["hands"][0][0].__setitem__(0, [3, 3, 3]),
    "one card three times": lambda saved: saved.update(hands=[[[[1, 2, 1]]] for _ in range(3)]),
    "a card with a field too many": lambda saved: saved["hands"][0][0][0].append(1),
    "a seat that does not exist": lambda saved: saved["round"].__setitem__(2, 3),
    "a true that should be a number": lambda saved: saved["round"].__setitem__(2, False),
    "another number of the round": lambda saved: saved["round"].__setitem__(0, 2),
    "an extra round before anybody has lost": lambda saved: saved["round"].__setitem__(1, True),
    "other hand sizes": lambda saved: saved["round"].__setitem__(3, [1, 1, 0]),
    "card counts out of range": lambda saved: saved["round"].__setitem__(4, [1, 0, 1]),
    "somebody out": lambda saved: saved["round"].__setitem__(5, [2]),
    "somebody out twice": lambda saved: saved["round"].__setitem__(5, [2, 2]),
    "a bid out of turn": lambda saved: saved["bids"][1].__setitem__(0, 2),
    "a bid that is not higher": lambda saved: saved["bids"][1].__setitem__(2, 1),
    "a bid on too many cards": lambda saved: saved["bids"][1].__setitem__(1, 4),
    "a bid of a missing value": lambda saved: saved["bids"][1].__setitem__(2, 7),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_play_cannot_reach_is_refused(lie: Any, change: str) -> None:
    state = lie.say(lie.arrange_all(lie.open(3, start_seat=0)), "0 1x2", "1 1x3")
    saved = json.loads(state.save())
    assert LIE.restore(written(saved)).save() == state.save()
    CHANGES[change](saved)
    with pytest.raises(RestoreError):
        LIE.restore(written(saved))


@pytest.mark.parametrize(
    ("field", "value"),
    [(0, 7), (1, [0, 9, 1]), (2, 0), (4, 1), (5, 1), (5, True), (6, 1), (7, 0), (3, [[[]], [[]], [[]]])],
)
def test_a_showdown_that_does_not_add_up_is_refused(lie: Any, field: int, value: Any) -> None:
    saved = json.loads(lie.with_counts([1, 2, 1]).save())
    assert LIE.restore(written(saved))
    saved["round"][6][field] = value
    with pytest.raises(RestoreError):
        LIE.restore(written(saved))


def test_there_is_one_way_to_write_a_state(lie: Any) -> None:
    state = lie.open(2)
    with pytest.raises(RestoreError, match="one way only"):
        LIE.restore(json.dumps(json.loads(state.save()), sort_keys=True).encode())


ENDS: dict[str, dict[str, Any]] = {
    "the plain end": {},
    "the end of a longer game": {"longer_game": True},
    "the end of fewer cards": {"fewer_cards": True},
}
CHANGES_OF_AN_END: dict[str, Callable[[Any], object]] = {
    "everybody out": lambda saved: saved["round"].__setitem__(5, [0, 1]),
    "the winner out": lambda saved: saved["round"].__setitem__(5, [1]),
    "no showdown": lambda saved: saved["round"].__setitem__(6, None),
    "no bid": lambda saved: saved.update(bids=[]),
    "another bid than the doubted one": lambda saved: saved["bids"].append([1, 30, 6]),
    "hands that nobody showed": lambda saved: saved["hands"][0][0][0].__setitem__(2, saved["hands"][0][0][0][1]),
    "an extra round": lambda saved: saved["round"].__setitem__(1, True),
    "jokers without the option": lambda saved: saved["round"][6].__setitem__(5, True),
    "nobody who has lost": lambda saved: saved["round"].__setitem__(4, [3, 3]),
    "both have lost": lambda saved: saved["round"].__setitem__(4, [saved["round"][4][0]] * 2),
    "the other one as loser": lambda saved: saved["round"][4].reverse(),
}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("change", CHANGES_OF_AN_END)
def test_an_end_that_play_cannot_reach_is_refused(lie: Any, end: str, change: str) -> None:
    last = 1 if ENDS[end].get("fewer_cards") else 5
    state = lie.lose(lie.with_counts([last, 3], **ENDS[end]), 0)
    saved = json.loads(state.save())
    assert LIE.restore(written(saved)).outcome == state.outcome
    CHANGES_OF_AN_END[change](saved)
    with pytest.raises(RestoreError):
        LIE.restore(written(saved))


def test_an_end_of_extra_rounds_with_nobody_left_is_refused(lie: Any) -> None:
    state = lie.lose(lie.lose(lie.with_counts([1, 5, 1]), 1), 0)
    saved = json.loads(state.save())
    assert LIE.restore(written(saved)).outcome == state.outcome
    saved["round"][5] = [2, 0]
    saved["round"][0] = saved["round"][6][0] = saved["round"][0] + 1
    with pytest.raises(RestoreError):
        LIE.restore(written(saved))
