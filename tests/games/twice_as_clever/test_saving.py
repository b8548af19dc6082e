"""`save` and `restore`: nothing is lost, and what makes no sense is refused."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from croupier_games.errors import RestoreError
from croupier_games.twice_as_clever import TWICE_AS_CLEVER
from croupier_games.twice_as_clever.data import Bonus
from croupier_games.twice_as_clever.view import Phase, Step, Task


def written(saved: Any) -> bytes:
    return json.dumps(saved, sort_keys=True, separators=(",", ":")).encode()


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_a_restored_state_goes_on_exactly_like_the_saved_one(clever: Any, seats: int) -> None:
    state, chance = clever.open(seats, fox_floor_zero=True), Random(seats)
    while state.deciders:
        twin = TWICE_AS_CLEVER.restore(state.save())
        assert twin.save() == state.save()
        assert twin.events == ()
        assert (twin.deciders, twin.asked, twin.outcome) == (state.deciders, state.asked, state.outcome)
        for seat in (*range(seats), None):
            assert twin.view(seat) == state.view(seat)
        seat = chance.choice(state.deciders)
        action = chance.choice(state.legal(seat))
        twin.play(seat, action)
        state.play(seat, action)
        assert (twin.save(), twin.events) == (state.save(), state.events)
    assert TWICE_AS_CLEVER.restore(state.save()).outcome == state.outcome


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"{}", b"[" * 100_000, b"1" * 9999, b"NaN"])
def test_garbage_is_refused(data: bytes) -> None:
    with pytest.raises(RestoreError):
        TWICE_AS_CLEVER.restore(data)


def changed(part: str, *path: int) -> Callable[[Any, Any], None]:
    def change(saved: Any, value: Any) -> None:
        spot = saved[part]
        for step in path[:-1]:
            spot = spot[step]
        spot[path[-1]] = value

    return change


# An active table: white is chosen, silver lies on the tray, roll 2 of round 3 is to be chosen from.
ACTIVE: list[tuple[str, Callable[[Any, Any], None], Any]] = [
    ("another game", lambda saved, _: saved.update(game="ten"), None),
    ("another version", lambda saved, _: saved.update(version=2), None),
    ("a field too many", lambda saved, _: saved.update(more=1), None),
    ("other seats", lambda saved, _: saved.update(seats=3), None),
    ("a missing option", lambda saved, _: saved["options"].pop("allow_skip"), None),
    ("another start seat", lambda saved, _: saved["options"].update(start_seat=1), None),
    ("a short seed", lambda saved, _: saved.update(seed="00"), None),
    ("an unknown phase", lambda saved, _: saved.update(phase=9), None),
    ("a window that nobody is in", lambda saved, _: saved.update(phase=3), None),
    ("an end with a task", lambda saved, _: saved.update(phase=5), None),
    ("sheets shown", lambda saved, _: saved.update(shown=saved["sheets"]), None),
    ("round 0", changed("turn", 0), 0),
    ("round 7", changed("turn", 0), 7),
    ("other rounds", changed("turn", 1), 5),
    ("no such starter", changed("turn", 2), 2),
    ("no such active seat", changed("turn", 3), 2),
    ("roll 0", changed("turn", 4), 0),
    ("roll 4", changed("turn", 4), 4),
    ("too many re-rolls", changed("turn", 5), 7),
    ("a passive turn of two", changed("turn", 6), True),
    ("a turn before this one", changed("turn", 7), [1]),
    ("a face 7", changed("dice", 0, 0), 7),
    ("too few dice", lambda saved, _: saved["dice"][0].pop(), None),
    ("a die twice", changed("dice", 1), [2, 3, 4, 5, 6]),
    ("a die nowhere", changed("dice", 1), [3, 4, 5]),
    ("unsorted dice", changed("dice", 1), [4, 3, 5, 6]),
    ("a sheet too few", lambda saved, _: saved["sheets"].pop(), None),
    ("a silver row too few", lambda saved, _: saved["sheets"][0][0].pop(), None),
    ("a silver 7", changed("sheets", 0, 0, 0), [7]),
    ("silver unsorted", changed("sheets", 0, 0, 0), [2, 1]),
    ("a yellow cell too few", lambda saved, _: saved["sheets"][0][1].pop(), None),
    ("no such mark", changed("sheets", 0, 1, 0), 4),
    ("blue rising", changed("sheets", 0, 2), [3, 4]),
    ("a single die in blue", changed("sheets", 0, 2), [1]),
    ("too much in pink", changed("sheets", 0, 4), [1] * 13),
    ("a 7 in pink", changed("sheets", 0, 4), [7]),
    ("an odd double in green", changed("sheets", 0, 3), [3]),
    ("too high a double in green", changed("sheets", 0, 3), [14]),
    ("more used than gained", changed("sheets", 0, 5), [2, 0, 0]),
    ("two actions", changed("sheets", 0, 5), [0, 0]),
    ("less than nothing used", changed("sheets", 0, 5), [-1, 0, 0]),
    ("two who are asked", lambda saved, _: saved.update(tasks=[saved["tasks"][0]] * 2), None),
    ("nobody who is asked", lambda saved, _: saved.update(tasks=[None, None]), None),
    ("a task too few", lambda saved, _: saved["tasks"].pop(), None),
    ("no such step", changed("tasks", 0, 0), 7),
    ("nothing but done", changed("tasks", 0, 0), 6),
    ("a bonus step without bonuses", changed("tasks", 0, 0), 4),
    ("bonuses before a choice", changed("tasks", 0, 3), [5]),
    ("a mark of nothing", changed("tasks", 0, 0), 3),
    ("a sweep of nothing", changed("tasks", 0, 0), 5),
    ("a sweep of available dice", changed("tasks", 0, 4), [5]),
    ("extra dice of the active player", changed("tasks", 0, 5), [1]),
    ("an area without a die", changed("tasks", 0, 1), 2),
]


@pytest.mark.parametrize(("change", "value"), [row[1:] for row in ACTIVE], ids=[row[0] for row in ACTIVE])
def test_what_makes_no_sense_is_refused(clever: Any, change: Any, value: Any) -> None:
    state = clever.table(2, "123456", chosen="w", tray="s", roll=2, round_=3)
    saved = json.loads(state.save())
    assert TWICE_AS_CLEVER.restore(written(saved)).save() == state.save()
    change(saved, value)
    with pytest.raises(RestoreError):
        TWICE_AS_CLEVER.restore(written(saved))


@pytest.mark.parametrize(
    ("change", "value"),
    [
        (changed("sheets", 0, 4), [6]),  # the active player is not asked
        (changed("sheets", 1, 4), []),  # what was entered is gone
        (changed("tasks", 0), [2, None, 0, [], [], []]),
        (lambda saved, _: saved.update(tasks=[None] * 3), None),
        (lambda saved, _: saved.update(shown=[]), None),
        (changed("tasks", 2, 0), 1),
        (changed("tasks", 2, 5), [1]),
        (changed("tasks", 2, 4), [1]),
        (changed("dice", 1), [4]),
    ],
)
def test_a_window_that_makes_no_sense_is_refused(clever: Any, change: Any, value: Any) -> None:
    sheets = {1: clever.marks(pink=[3])}
    state = clever.table(3, "123456", chosen="bgp", phase=Phase.PASSIVE, roll=3, sheets=sheets)
    saved = json.loads(clever.say(state, "1 pick white as pink").save())
    assert TWICE_AS_CLEVER.restore(written(saved)).save() == state.save()
    change(saved, value)
    with pytest.raises(RestoreError):
        TWICE_AS_CLEVER.restore(written(saved))


def test_bonuses_that_are_lost_or_unsorted_are_not_pending(clever: Any) -> None:
    task = Task(Step.BONUS, pending=(Bonus.BLUE, Bonus.GREEN))
    saved = json.loads(clever.table(2, "123456", chosen="w", task=task).save())
    assert TWICE_AS_CLEVER.restore(written(saved))
    for pending in ([8, 7], [1], [4]):
        saved["tasks"][0][3] = pending
        with pytest.raises(RestoreError):
            TWICE_AS_CLEVER.restore(written(saved))
    saved["tasks"][0][3] = [9]
    saved["sheets"][0][4] = [1] * 12
    with pytest.raises(RestoreError):
        TWICE_AS_CLEVER.restore(written(saved))


def test_a_sheet_is_saved_as_its_marks_and_the_rest_follows(clever: Any) -> None:
    saved = json.loads(clever.table(2, round_=3, sheets={0: clever.marks(["3"] * 4, blue=[9] * 6)}).save())
    assert saved["sheets"][0] == [[[3]] * 4, [1] * 10, [9] * 6, [], [], [0, 0, 0]]
    sheet = TWICE_AS_CLEVER.restore(written(saved)).sheets[0]
    assert (sheet.foxes, sheet.blue.points, sheet.silver.points) == (1, 21, 8)
    assert (sheet.rerolls.gained, sheet.returns.gained, sheet.extra_dice.gained) == (2, 2, 2)


def test_there_is_one_way_to_write_a_state(clever: Any) -> None:
    state = clever.open(2)
    with pytest.raises(RestoreError, match="one way only"):
        TWICE_AS_CLEVER.restore(json.dumps(json.loads(state.save()), sort_keys=True).encode())
