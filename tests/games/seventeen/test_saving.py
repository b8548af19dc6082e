"""`save` and `restore`: nothing is lost, and nothing that play cannot reach is taken."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from croupier_games.errors import RestoreError
from croupier_games.seventeen import SEVENTEEN


def written(saved: Any) -> bytes:
    return json.dumps(saved, sort_keys=True, separators=(",", ":")).encode()


@pytest.mark.parametrize("calls", [0.03, 0.2])
def test_a_restored_state_goes_on_exactly_like_the_saved_one(svt: Any, calls: float) -> None:
    for number in range(3):
        state, chance = svt.open(2 + 2 * number, number), Random(number)
        while state.deciders:
            twin = SEVENTEEN.restore(state.save())
            assert twin.save() == state.save()
            assert twin.events == ()
            assert (twin.deciders, twin.outcome) == (state.deciders, state.outcome)
            for seat in (*range(state.seats), None):
                assert twin.view(seat) == state.view(seat)
            step = svt.patient_step(state, chance, calls)
            twin.play(*step)
            state.play(*step)
            assert twin.save() == state.save()
            assert twin.events == state.events
        assert SEVENTEEN.restore(state.save()).outcome == state.outcome


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"{}", b"[" * 100_000, b"1" * 9999, b"NaN"])
def test_garbage_is_refused(data: bytes) -> None:
    with pytest.raises(RestoreError):
        SEVENTEEN.restore(data)


def swap(one: list[Any], at: int, other: list[Any], there: int) -> None:
    one[at], other[there] = other[there], one[at]


CHANGES: dict[str, Callable[[Any], object]] = {
    "another game": lambda saved: saved.update(game="lie"),
    "another version": lambda saved: saved.update(version=2),
    "a field too many": lambda saved: saved.update(more=1),
    "a field too few": lambda saved: saved.pop("used"),
    "seats of another type": lambda saved: saved.update(seats="3"),
    "other seats": lambda saved: saved.update(seats=4),
    "an unknown option": lambda saved: saved["options"].update(more=True),
    "a short seed": lambda saved: saved.update(seed="00"),
    "an unknown phase": lambda saved: saved.update(phase=9),
    "a turn while calls are open": lambda saved: saved.update(phase=1),
    "an end too early": lambda saved: saved.update(phase=3),
    "no direction": lambda saved: saved.update(direction=0),
    "a hand too few": lambda saved: saved["hands"].pop(),
    "a hand that is not sorted": lambda saved: saved["hands"][1].reverse(),
    "a hand too large": lambda saved: saved["hands"][1].append(saved["pile"].pop()),
    "a card twice": lambda saved: saved["pile"].append(11),
    "a card missing": lambda saved: saved["pile"].pop(),
    "a heart as a card": lambda saved: saved["pile"].__setitem__(0, 10),
    "no card as a card": lambda saved: saved["pile"].__setitem__(0, 0),
    "an unknown card": lambda saved: saved["pile"].__setitem__(0, 16),
    "a used pile that is not sorted": lambda saved: saved["used"].reverse(),
    "hearts that changed places": lambda saved: swap(saved["hands"][1], 0, saved["row"][1], 1),
    "a two-sided card heart up": lambda saved: saved["row"][0].__setitem__(2, True),
    "a hidden card face up": lambda saved: saved["row"][1].__setitem__(2, False),
    "a row card of nobody": lambda saved: saved["row"][0].__setitem__(0, 3),
    "a number that should be a flag": lambda saved: saved.update(play_two=0),
    "tokens for a seat too many": lambda saved: saved["tokens"][0].append(0),
    "too much composure": lambda saved: saved["tokens"][0].__setitem__(0, 3),
    "less than no composure": lambda saved: saved["tokens"][0].__setitem__(0, -1),
    "too many nerves": lambda saved: saved["tokens"][1].__setitem__(0, 2),
    "a turn of nobody": lambda saved: saved.update(turn=None),
    "a turn of a stranger": lambda saved: saved.update(turn=3),
    "a layer who was not the last to lay": lambda saved: saved.update(turn=1, choices=[0, 0, 1]),
    "nobody who laid the row": lambda saved: saved.update(last_to_lay=None),
    "a layer who chose": lambda saved: saved["choices"].__setitem__(0, 1),
    "a window in which all have chosen": lambda saved: saved.update(choices=[0, 1, 2]),
    "more to lay in a window": lambda saved: saved.update(to_lay=1),
    "nothing laid in a window": lambda saved: saved.update(laid=0),
    "three cards laid": lambda saved: saved.update(laid=3),
    "cards laid without end": lambda saved: saved.update(cards_laid=3000),
    "fewer than no cards laid": lambda saved: saved.update(cards_laid=-1),
    "a round before the first": lambda saved: saved["round"].__setitem__(0, 0),
    "a second round with none before": lambda saved: saved["round"].__setitem__(0, 2),
    "a starter who is not there": lambda saved: saved["round"].__setitem__(1, 3),
    "a journal that is no hex": lambda saved: saved.update(journal="zz"),
    "a journal in capitals": lambda saved: saved.update(journal=saved["journal"].upper() + "A2"),
    "an empty journal": lambda saved: saved.update(journal=""),
    "a journal that goes on": lambda saved: saved.update(journal=saved["journal"] + "00"),
    "a journal of something else": lambda saved: saved.update(journal="ff" + saved["journal"]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_play_cannot_reach_is_refused(svt: Any, change: str) -> None:
    state = svt.table("trap 2/2 5/5", "1 2 3/3", "4/4 4/4 5", row="1:4/4 1:(3)", used="1 4")
    svt.say(state, "0 lay 2/2", "2 pass")
    saved = json.loads(state.save())
    assert SEVENTEEN.restore(written(saved)).save() == state.save()
    CHANGES[change](saved)
    with pytest.raises(RestoreError):
        SEVENTEEN.restore(written(saved))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (0, 7), (1, 1), (1, 5), (2, 0), (3, [[]]), (3, [[[0, 10, True]]]), (3, [[[9, 1, True]]]), (4, 1), (5, [0]),
        (6, [1, 1, 1]), (7, [0, 0, 0]), (8, []), (9, 2),
    ],
)  # fmt: skip
def test_a_showdown_that_does_not_add_up_is_refused(svt: Any, field: int, value: Any) -> None:
    state = svt.say(svt.table("2/2 2/2 2/2", "3/3 3/3 3/3", "1/1 1/1 1/1", row="2:(trap) 1:5/5"), "0 call")
    saved = json.loads(state.save())
    assert SEVENTEEN.restore(written(saved))
    saved["round"][2][field] = value
    with pytest.raises(RestoreError):
        SEVENTEEN.restore(written(saved))


@pytest.mark.parametrize(
    "changes",
    [
        {"to_lay": 2, "hands": [[1]]},
        {"laid": 1},
        {"to_lay": 0},
        {"play_two": True},
        {"last_to_lay": 0},
        {"choices": [0, 1, 0]},
        {"cards_laid": 2000},
        {"tokens": [[3, 0, 0], [0, 0, 0]]},
        {"pile": [], "used": "the pile"},
    ],
    ids=str,
)
def test_turns_that_play_cannot_reach_are_refused(svt: Any, changes: dict[str, Any]) -> None:
    state = svt.table("1 2/2 5/5", "3 2 3/3", "4/4 4/4 5", row="1:4/4 1:3/3")
    saved = json.loads(state.save())
    if "used" in changes:
        changes = {"pile": [], "used": sorted(saved["pile"])}
    if "hands" in changes:
        saved["pile"] += saved["hands"][0][1:]
        changes = {"to_lay": 2, "hands": [[1], *saved["hands"][1:]]}
    with pytest.raises(RestoreError):
        SEVENTEEN.restore(written(saved | changes))


def test_there_is_one_way_to_write_a_state(svt: Any) -> None:
    state = svt.open(2)
    with pytest.raises(RestoreError, match="one way only"):
        SEVENTEEN.restore(json.dumps(json.loads(state.save()), sort_keys=True).encode())
