"""`save` and `restore`: nothing is lost, and nothing that play cannot reach is taken."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from croupier_games.errors import RestoreError
from croupier_games.ten import TEN
from croupier_games.ten.data import Kind


def written(saved: Any) -> bytes:
    return json.dumps(saved, sort_keys=True, separators=(",", ":")).encode()


@pytest.mark.parametrize(("seats", "options"), [(1, {"limit": 8}), (2, {"fiasco": True}), (4, {})])
def test_a_restored_state_goes_on_exactly_like_the_saved_one(ten: Any, seats: int, options: Any) -> None:
    state, chance = ten.open(seats, **options), Random(1)
    while state.deciders:
        twin = TEN.restore(state.save())
        assert (twin.save(), twin.events, twin.deciders) == (state.save(), (), state.deciders)
        assert twin.view(None) == state.view(None)
        seat = state.deciders[0]
        action = chance.choice(state.legal(seat))
        twin.play(seat, action)
        state.play(seat, action)
        assert (twin.save(), twin.events) == (state.save(), state.events)
    assert TEN.restore(state.save()).outcome == state.outcome


DRAWING: dict[str, Callable[[Any], object]] = {
    "another game": lambda saved: saved.update(game="lie"),
    "another version": lambda saved: saved.update(version=2),
    "other seats": lambda saved: saved.update(seats=3),
    "a limit for two": lambda saved: saved["options"].update(limit=4),
    "an unknown phase": lambda saved: saved.update(phase=9),
    "an auction without a joker": lambda saved: saved.update(phase=2),
    "a payment of nothing": lambda saved: saved.update(phase=3),
    "a bust without the variant": lambda saved: saved.update(phase=4),
    "a purchase while cards lie in the area": lambda saved: saved.update(phase=5),
    "the end before the end of the deck": lambda saved: saved.update(phase=6),
    "a turn of nobody": lambda saved: saved.update(active=2),
    "a turn of somebody before the first": lambda saved: saved.update(active=-1),
    "a card too few": lambda saved: saved["deck"].pop(),
    "a card too many": lambda saved: saved["deck"].append([1, 1, 1]),
    "a card that does not exist": lambda saved: saved["deck"].__setitem__(0, [1, 1, 10]),
    "a card of no colour": lambda saved: saved["deck"].__setitem__(0, [1, 5, 1]),
    "a card of a wrong shape": lambda saved: saved["deck"].__setitem__(0, [1, 1]),
    "an area that does not add up": lambda saved: saved["area"].__setitem__(1, 9),
    "other currency in the area": lambda saved: saved["area"].__setitem__(2, 9),
    "too many tokens": lambda saved: saved["holdings"][0].__setitem__(0, 11),
    "a debt": lambda saved: saved["holdings"][0].__setitem__(0, -1),
    "a debt of bust tokens": lambda saved: saved["holdings"][0].__setitem__(1, -1),
    "a true that should be a number": lambda saved: saved["holdings"][0].__setitem__(0, True),
    "a player too many": lambda saved: saved["holdings"].append([5, 0, [], []]),
    "last purchases too early": lambda saved: saved.update(last_buyers=[1, 0]),
    "an automa where there is none": lambda saved: saved.update(automa_revealed=[[1, 1, 3]]),
    "cards out of order": lambda saved: saved["holdings"][0][2].reverse(),
    "a joker among the numbers": lambda saved: saved["holdings"][0][2].append(saved["holdings"][0][3].pop()),
    "a number among the jokers": lambda saved: saved["holdings"][0][3].insert(0, saved["holdings"][0][2].pop()),
    "a joker on sale": lambda saved: saved["market"][0].append(saved["holdings"][0][3].pop()),
    "a joker in the area": lambda saved: saved["area"][0].append(saved["holdings"][0][3].pop()),
    "a bust in the area": lambda saved: saved.update(area=[[[1, 1, 3], [1, 2, 9]], 12, 0]),
}


@pytest.mark.parametrize("change", DRAWING)
def test_what_play_cannot_reach_is_refused(ten: Any, change: str) -> None:
    state = ten.table(2, area="B3 $2", own=["B1 G9 ?3"], market="O1")
    saved = json.loads(state.save())
    assert TEN.restore(written(saved)).save() == state.save()
    DRAWING[change](saved)
    with pytest.raises(RestoreError):
        TEN.restore(written(saved))


AUCTION: dict[str, Callable[[Any], object]] = {
    "a bid too high": lambda saved: saved["auction"][1][0].__setitem__(1, 6),
    "a bid out of turn": lambda saved: saved["auction"][1][0].__setitem__(0, 2),
    "a bid that is not higher": lambda saved: saved["auction"][1].append([2, 2]),
    "everybody has bid": lambda saved: saved["auction"].__setitem__(1, [[1, 0], [2, 0], [0, 0]]),
    "a negative bid": lambda saved: saved["auction"][1][0].__setitem__(1, -1),
    "no phase of an auction": lambda saved: saved.update(phase=1),
    "another joker": lambda saved: saved["auction"].__setitem__(0, [3, 0, 8]),
    "a number card": lambda saved: saved["auction"].__setitem__(0, [1, 1, 8]),
}


@pytest.mark.parametrize("change", AUCTION)
def test_an_auction_that_cannot_be_is_refused(ten: Any, change: str) -> None:
    state = ten.say(ten.table(3, deck="?7 G1"), "0 draw", "1 bid 2")
    saved = json.loads(state.save())
    assert TEN.restore(written(saved)).save() == state.save()
    AUCTION[change](saved)
    with pytest.raises(RestoreError):
        TEN.restore(written(saved))


PAYMENT: dict[str, Callable[[Any], object]] = {
    "a price that is covered": lambda saved: saved["payment"].__setitem__(3, 4),
    "a negative payment": lambda saved: saved["payment"].__setitem__(3, -1),
    "another price": lambda saved: saved["payment"].__setitem__(2, 3),
    "another payer": lambda saved: saved["payment"].__setitem__(0, 1),
    "a payer who does not exist": lambda saved: saved["payment"].__setitem__(0, 2),
    "more than can be paid": lambda saved: saved["holdings"][0].__setitem__(0, 1),
    "another card": lambda saved: saved["payment"].__setitem__(1, [1, 1, 5]),
    "a currency card": lambda saved: saved["payment"].__setitem__(1, [2, 0, 4]),
    "no phase of a payment": lambda saved: saved.update(phase=5),
}


@pytest.mark.parametrize("change", PAYMENT)
def test_a_payment_that_cannot_be_is_refused(ten: Any, change: str) -> None:
    state = ten.say(ten.table(2, area="O9", deck="G1", market="B4"), "0 take numbers", "0 buy B4", "0 pay token")
    saved = json.loads(state.save())
    assert TEN.restore(written(saved)).save() == state.save()
    PAYMENT[change](saved)
    with pytest.raises(RestoreError):
        TEN.restore(written(saved))


LAST: dict[str, Callable[[Any], object]] = {
    "another order": lambda saved: saved.update(last_buyers=[0, 2]),
    "a stranger": lambda saved: saved.update(last_buyers=[3]),
    "once more round": lambda saved: saved.update(last_buyers=[1, 2, 0, 1]),
    "the turn of another": lambda saved: saved.update(active=1),
    "a card left in the deck": lambda saved: saved["deck"].append(saved["discards"][0].pop()),
    "drawing": lambda saved: saved.update(phase=1),
}


@pytest.mark.parametrize("change", LAST)
def test_last_purchases_that_cannot_be_are_refused(ten: Any, change: str) -> None:
    state = ten.say(ten.table(3, area="$1", deck=""), "0 take currency", "1 pass")
    saved = json.loads(state.save())
    assert saved["last_buyers"] == [2, 0]
    assert TEN.restore(written(saved)).save() == state.save()
    LAST[change](saved)
    with pytest.raises(RestoreError):
        TEN.restore(written(saved))


SOLO: dict[str, Callable[[Any], object]] = {
    "another area than was revealed": lambda saved: saved.update(automa_revealed=[[3, 0, 7]]),
    "a turn that is over": lambda saved: saved["options"].update(limit=3),
    "a decision of TEN": lambda saved: saved.update(phase=1),
    "a revealed card that is in the deck": lambda saved: saved.update(
        automa_revealed=[*saved["automa_revealed"], saved["deck"][0]]
    ),
    "TEN still to bid": lambda saved: saved["auction"].__setitem__(1, [[0, 0]]),
}


@pytest.mark.parametrize("change", SOLO)
def test_a_turn_of_ten_that_cannot_be_is_refused(ten: Any, change: str) -> None:
    state = ten.say(ten.table(1, area="B9", deck="B3 ?7 G1 ?8"), "0 take numbers", "0 pass")
    saved = json.loads(state.save())
    assert TEN.restore(written(saved)).save() == state.save()
    SOLO[change](saved)
    with pytest.raises(RestoreError):
        TEN.restore(written(saved))


def test_the_order_of_the_deck_is_part_of_what_is_saved(ten: Any) -> None:
    state = ten.open(3)
    saved = json.loads(state.save())
    assert [tuple(card) for card in saved["deck"]] == list(state.deck)
    saved["deck"].reverse()
    assert TEN.restore(written(saved)).deck == state.deck[::-1]


def test_a_clone_goes_its_own_way(ten: Any) -> None:
    state = ten.say(ten.table(2, deck="B3 ?7 G1"), "0 draw")
    before, events = state.save(), state.events
    copy = state.clone()
    assert (copy.save(), copy.events, copy.deciders) == (before, events, state.deciders)
    ten.say(copy, "0 draw", "1 bid 5", "0 pass", "1 pay token")
    assert (state.save(), state.events, state.deciders) == (before, events, (0,))
    assert all(card.kind is not Kind.JOKER for card in state.area.cards)
