"""Bonuses, their order, long chains, and foxes: TAC-5."""

from typing import Any

import pytest

from croupier_games.errors import IllegalAction
from croupier_games.twice_as_clever.data import CODES, Bonus
from croupier_games.twice_as_clever.sheet import total
from croupier_games.twice_as_clever.view import BonusGained, EntryMade, Phase, Step, Task

FULL_GREEN = [2, 2, 2, 1, 3, 3, 3, 2, 3, 1, 4, 1]


def pending(clever: Any, *bonuses: str, **sheet: Any) -> Any:
    """Seat 0, active, with bonuses of these colours to use."""
    kinds = tuple(sorted(Bonus[bonus.upper()] for bonus in bonuses))
    task = Task(Step.BONUS, pending=kinds)
    return clever.table(2, "111111", chosen="w", sheets={0: clever.marks(**sheet)}, task=task)


@pytest.mark.rule("TAC-5.1")
@pytest.mark.parametrize(
    ("bonus", "sheet", "offered"),
    [
        ("green", {}, [f"bonus green {value}" for value in range(1, 7)]),
        ("pink", {}, [f"bonus pink {value}" for value in range(1, 7)]),
        ("blue", {}, [f"bonus blue {value}" for value in range(2, 13)]),
        ("blue", {"blue": [9, 4]}, ["bonus blue 2", "bonus blue 3", "bonus blue 4"]),
        ("blue", {"blue": [2] * 11}, ["bonus blue 2"]),
        (
            "silver",
            {"silver": ["12346", "123456", "", "123456"]},
            ["bonus silver yellow 5", *(f"bonus silver green {value}" for value in range(1, 7))],
        ),
        ("yellow", {"yellow": "xxoxxxxx.x"}, ["bonus yellow 1 row 2", "bonus yellow 5 row 5"]),
    ],
)
def test_a_free_entry_is_anything_that_fits_and_cannot_be_declined(
    clever: Any, bonus: str, sheet: Any, offered: list[str]
) -> None:
    assert clever.legal(pending(clever, bonus, **sheet)) == offered


@pytest.mark.rule("TAC-5.1")
def test_a_free_yellow_circles_or_crosses(clever: Any) -> None:
    state = pending(clever, "yellow", yellow="o.........")
    crossed = clever.say(state.clone(), "0 bonus yellow 3 row 1")
    assert [mark.name for mark in crossed.sheets[0].yellow.cells[:2]] == ["CROSSED", "OPEN"]
    circled = clever.say(state.clone(), "0 bonus yellow 6 row 1")
    assert [mark.name for mark in circled.sheets[0].yellow.cells[:2]] == ["CIRCLED", "CIRCLED"]


@pytest.mark.rule("TAC-5.1", "TAC-2.5", "TAC-2.6")
def test_factor_and_threshold_apply_to_free_entries(clever: Any) -> None:
    state = clever.say(pending(clever, "green", green=[2, 2, 2, 1]), "0 bonus green 6")
    assert state.sheets[0].green.numbers[-1] == 18
    state = clever.say(pending(clever, "pink", pink=[1, 1, 1]), "0 bonus pink 2")
    assert clever.told(state, BonusGained) == []
    state = clever.say(pending(clever, "pink", pink=[1, 1, 1]), "0 bonus pink 3")
    assert clever.told(state, BonusGained) == [(0, Bonus.RETURN)]


@pytest.mark.rule("TAC-5.1")
def test_a_bonus_comes_before_anything_else(clever: Any) -> None:
    state = pending(clever, "green")
    for text in ("done", "roll", "reroll", "pick pink", "skip pink", "bonus blue 2"):
        with pytest.raises(IllegalAction, match="must use a bonus now"):
            clever.say(state, f"0 {text}")


@pytest.mark.rule("TAC-5.2")
def test_of_several_bonuses_the_player_chooses_the_order(clever: Any) -> None:
    state = pending(clever, "blue", "green")
    assert {text.split()[1] for text in clever.legal(state)} == {"blue", "green"}
    one = clever.say(state.clone(), "0 bonus green 6")
    assert one.tasks[0].pending == (Bonus.BLUE,)
    other = clever.say(state.clone(), "0 bonus blue 6")
    assert other.tasks[0].pending == (Bonus.GREEN,)


@pytest.mark.rule("TAC-5.2")
def test_two_bonuses_of_a_colour_are_two_entries(clever: Any) -> None:
    state = clever.say(pending(clever, "pink", "pink"), "0 bonus pink 6")
    assert state.tasks[0].pending == (Bonus.PINK,)
    clever.say(state, "0 bonus pink 5")
    assert state.sheets[0].pink.numbers == (6, 5)
    assert state.turn.roll == 2


@pytest.mark.rule("TAC-5.2")
@pytest.mark.parametrize(
    ("bonus", "sheet", "before", "entry"),
    [
        ("pink", {"pink": [1] * 12}, {"yellow": "......o.o."}, "bonus yellow 4 row 5"),
        ("blue", {"blue": [2] * 12}, {"green": [2, 2, 2]}, "bonus green 1"),
        ("green", {"green": FULL_GREEN}, {"pink": [1] * 5}, "bonus pink 6"),
    ],
)
def test_a_bonus_without_a_legal_entry_is_lost(clever: Any, bonus: str, sheet: Any, before: Any, entry: str) -> None:
    area = entry.split()[1]
    open_ = clever.say(pending(clever, area, **before), f"0 {entry}")
    assert open_.tasks[0].pending == (Bonus[bonus.upper()],)
    full = clever.say(pending(clever, area, **before, **sheet), f"0 {entry}")
    assert Bonus[bonus.upper()] in [what.bonus for what in clever.told(full, BonusGained)]
    assert full.tasks[0] is None or full.tasks[0].pending == ()


@pytest.mark.rule("TAC-5.2")
def test_a_bonus_is_lost_when_another_takes_the_last_place(clever: Any) -> None:
    """Two free pinks and one open slot; the second is lost, not kept."""
    state = pending(clever, "pink", "pink", pink=[1] * 11)
    clever.say(state, "0 bonus pink 1")
    assert len(state.sheets[0].pink.numbers) == 12
    assert state.tasks[0].pending == ()


@pytest.mark.rule("TAC-5.1", "TAC-5.2")
def test_one_die_sets_off_a_chain_of_eight_entries(clever: Any) -> None:
    """Every bonus at once, in the player's order; the comments say what each entry gives."""
    before = clever.marks(
        ["", "2", "2", "2"], "...oooo...", blue=[12, 12, 12, 12, 12, 12], green=[2, 2, 2], pink=[6] * 5
    )
    state = clever.table(2, "666666", sheets={0: before})
    chain = [
        "pick pink",  # slot 6: green
        "bonus green 6",  # slot 4: blue
        "bonus blue 12",  # slot 7: pink
        "bonus pink 6",  # slot 7: yellow
        "bonus yellow 5 row 4",  # row 4: green, column 3: silver
        "bonus silver yellow 2",  # column 2: yellow
        "bonus yellow 3 row 1",  # nothing
        "bonus green 1",  # slot 5: a return
    ]
    made = 0
    for number, text in enumerate(chain):
        assert number == 0 or state.tasks[0].step == Step.BONUS
        clever.say(state, f"0 {text}")
        made += len(clever.told(state, EntryMade))
    assert made == 8
    assert state.tasks[0].step != Step.BONUS
    sheet = state.sheets[0]
    assert (len(sheet.pink.numbers), len(sheet.green.numbers), len(sheet.blue.numbers)) == (7, 5, 7)
    assert clever.crossed(sheet) >= {"yellow 2"}


@pytest.mark.rule("TAC-5.1", "TAC-D2")
@pytest.mark.parametrize(
    ("sheet", "entry", "gains"),
    [
        # All sources of an action but one; the last one circles the sixth space.
        ({"yellow": "..o...o...", "blue": [7] * 6, "pink": [6] * 10, "green": [2]}, "bonus green 1", ["R", "F"]),
        (
            {"yellow": "..oo......", "blue": [7] * 9, "pink": [6] * 4, "green": [2, 2, 2, 1, 3]},
            "bonus blue 2",
            ["T", "?K"],
        ),
        (
            {"silver": ["1"] * 4, "yellow": "o...o...o.", "pink": [6] * 5, "green": FULL_GREEN[:9], "blue": [7] * 4},
            "bonus blue 2",
            ["P", "?S"],
        ),
    ],
)
def test_the_last_space_of_an_action_track_gives_its_end(clever: Any, sheet: Any, entry: str, gains: list[str]) -> None:
    area = entry.split()[1]
    task = Task(Step.BONUS, pending=(Bonus[area.upper()],))
    state = clever.table(2, "111111", chosen="w", round_=6, sheets={0: clever.marks(**sheet)}, task=task)
    before = state.sheets[0].foxes
    clever.say(state, f"0 {entry}")
    assert [what.bonus for what in clever.told(state, BonusGained)] == [CODES[code] for code in gains]
    if gains[1] == "F":
        assert state.sheets[0].foxes == before + 1
    else:
        assert state.tasks[0].pending == (CODES[gains[1]],)


FOXY = {"silver": ["3"] * 4, "yellow": "xo...o...o", "blue": [12], "green": [12, 2], "pink": [6]}
"""Two foxes: silver column 3 and yellow column 4. Areas: 8, 3, 1, 10, 6."""


@pytest.mark.rule("TAC-5.3", "TAC-6.1")
def test_a_fox_is_worth_the_lowest_area(clever: Any) -> None:
    sheet = clever.table(2, sheets={0: clever.marks(**FOXY)}).sheets[0]
    assert (sheet.area_points, sheet.foxes) == ((8, 3, 1, 10, 6), 2)
    assert total(sheet, fox_floor_zero=False) == 28 + 2 * 1


@pytest.mark.rule("TAC-5.3")
@pytest.mark.parametrize("floor", [True, False])
@pytest.mark.parametrize(("green", "worth"), [([2], 0), ([2, 12], -10)])
def test_foxes_with_a_lowest_area_of_zero_or_less(clever: Any, floor: bool, green: list[int], worth: int) -> None:
    """Zero makes them worthless; less makes them cost points, unless the option says otherwise."""
    marks = clever.marks(**{**FOXY, "green": green})
    state = clever.table(
        2, chosen="bgp", phase=Phase.EXTRA, roll=3, round_=6, active=1, sheets={0: marks}, fox_floor_zero=floor
    )
    areas = sum(state.sheets[0].area_points)
    clever.say(state, "0 done", "1 done")
    result = state.outcome.results[0]
    assert result.points == areas + (0 if floor else 2 * worth)
    assert result.notes[1] == f"2 foxes worth {0 if floor else 2 * worth}"
