"""What is printed on the sheet: TAC-D1 to D8, and that every printed bonus is really given, once."""

from collections import Counter
from typing import Any

import pytest

from croupier_games.twice_as_clever import data
from croupier_games.twice_as_clever.data import CODES, Bonus, Color
from croupier_games.twice_as_clever.entries import CELLS, YELLOW_LINES, gain
from croupier_games.twice_as_clever.saved import sheets_of, sources
from croupier_games.twice_as_clever.sheet import EMPTY, CellMark, silver, yellow
from croupier_games.twice_as_clever.view import BonusGained, Phase, Step, Task

GREEN = [2, 2, 2, 1, 3, 3, 3, 2, 3, 1, 4, 1]
"""Green, full of 1s."""
CODE_OF = {bonus: code for code, bonus in CODES.items()}


def codes(bonuses: Any) -> str:
    return " ".join(CODE_OF[bonus] for bonus in bonuses)


@pytest.mark.rule("TAC-D1")
def test_rounds_and_what_they_grant() -> None:
    assert {seats: data.ROUNDS[seats] for seats in (1, 2, 3, 4)} == {1: 6, 2: 6, 3: 5, 4: 4}
    assert codes(data.GRANTS) == "R P T ?* - -"


@pytest.mark.rule("TAC-D2")
def test_action_tracks() -> None:
    assert data.TRACK_SPACES == 6
    assert {CODE_OF[action]: CODE_OF[end] for action, end in data.TRACK_ENDS.items()} == {
        "R": "F",
        "T": "?K",
        "P": "?S",
    }


@pytest.mark.rule("TAC-D3")
def test_silver() -> None:
    assert [str(row) for row in data.SILVER_ROWS] == ["yellow", "blue", "green", "pink"]
    assert data.SILVER_ROW_POINTS == (0, 2, 4, 7, 11, 16, 22)
    assert codes(data.SILVER_COLUMN_BONUSES) == "P ?Y F ?B ?G ?K"
    assert silver([(1,), (1, 2), (1, 2, 3), (1, 2, 3, 4, 5, 6)]).points == 2 + 4 + 7 + 22
    assert silver([(2, 3, 4, 5), (2, 3, 4, 5, 6), (), ()]).points == 11 + 16


@pytest.mark.rule("TAC-D4")
def test_yellow() -> None:
    assert data.YELLOW_GRID == ((0, 3, 0, 6), (1, 0, 2, 0), (0, 4, 0, 3), (2, 0, 5, 0), (0, 5, 0, 4))
    assert [tuple(cell) for cell in CELLS] == [
        (1, 3), (1, 6), (2, 1), (2, 2), (3, 4), (3, 3), (4, 2), (4, 5), (5, 5), (5, 4),
    ]  # fmt: skip
    assert codes(data.YELLOW_ROW_BONUSES) == "?B T ?Y ?G ?K"
    assert codes(data.YELLOW_COLUMN_BONUSES) == "R P ?S F"
    lines = {
        CODE_OF[bonus] + str(number): sorted(CELLS[cell].value for cell in cells)
        for number, (cells, bonus) in enumerate(YELLOW_LINES)
    }
    assert lines == {
        "?B0": [3, 6], "T1": [1, 2], "?Y2": [3, 4], "?G3": [2, 5], "?K4": [4, 5],
        "R5": [1, 2], "P6": [3, 4, 5], "?S7": [2, 5], "F8": [3, 4, 6],
    }  # fmt: skip
    points = [yellow(crossed_cells(count)).points for count in range(11)]
    assert points == [0, 3, 10, 21, 36, 55, 75, 96, 118, 141, 165]


def crossed_cells(count: int) -> Any:
    return (CellMark.CROSSED,) * count + (CellMark.CIRCLED,) * (10 - count)


@pytest.mark.rule("TAC-D5")
def test_blue() -> None:
    assert data.BLUE_POINTS == (0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78)
    assert codes(data.BLUE_BONUSES) == "- T ?Y - P R ?K - F T - ?G"


@pytest.mark.rule("TAC-D6")
def test_green() -> None:
    assert data.GREEN_FACTORS == (2, 2, 2, 1, 3, 3, 3, 2, 3, 1, 4, 1)
    assert codes(data.GREEN_BONUSES) == "- R - ?B T - F ?S P - ?K ?Y"


@pytest.mark.rule("TAC-D7")
def test_pink() -> None:
    assert data.PINK_THRESHOLDS == (0, 0, 2, 3, 4, 5, 6, 2, 3, 4, 5, 6)
    assert codes(data.PINK_BONUSES) == "- - R T P ?G ?Y F ?S R ?B ?Y"


@pytest.mark.rule("TAC-D8")
def test_the_checksum_of_all_bonuses() -> None:
    printed = Counter(
        bonus
        for bonuses in (
            data.GRANTS,
            data.TRACK_ENDS.values(),
            data.SILVER_COLUMN_BONUSES,
            data.YELLOW_ROW_BONUSES,
            data.YELLOW_COLUMN_BONUSES,
            data.BLUE_BONUSES,
            data.GREEN_BONUSES,
            data.PINK_BONUSES,
        )
        for bonus in bonuses
        if bonus and bonus != Bonus.ANY
    )
    expected = {"R": 6, "T": 6, "P": 6, "F": 6, "?Y": 6, "?K": 5, "?B": 4, "?G": 4, "?S": 4}
    assert {CODE_OF[bonus]: count for bonus, count in printed.items()} == expected


@pytest.mark.rule("TAC-D2", "TAC-D8")
def test_a_full_sheet_has_filled_every_track_and_none_overflows(clever: Any) -> None:
    full = clever.marks(["123456"] * 4, "x" * 10, [12] * 12, [12, 12, 12, 6, 18, 18, 18, 12, 18, 6, 24, 6], [6] * 12)
    given = Counter(sources(full, 6))
    assert all(given[action] == data.TRACK_SPACES for action in data.TRACK_ENDS)
    [sheet] = sheets_of((full,), 6)
    assert (sheet.rerolls.gained, sheet.returns.gained, sheet.extra_dice.gained, sheet.foxes) == (6, 6, 6, 6)


@pytest.mark.rule("TAC-D2")
def test_a_seventh_action_of_a_kind_would_be_a_misprint() -> None:
    sheet = EMPTY
    for _ in range(6):
        sheet = gain(sheet, Bonus.RETURN).sheet
    with pytest.raises(AssertionError, match="more than 6 sources of a return"):
        gain(sheet, Bonus.RETURN)


# Every bonus slot: a sheet that is one entry short of it, the entry, and what it gives.

SLOTS = [
    *(("blue", slot, bonus) for slot, bonus in enumerate(data.BLUE_BONUSES)),
    *(("green", slot, bonus) for slot, bonus in enumerate(data.GREEN_BONUSES)),
    *(("pink", slot, bonus) for slot, bonus in enumerate(data.PINK_BONUSES)),
]


def gained(clever: Any, state: Any, line: str) -> list[Bonus]:
    clever.say(state, line)
    return [what.bonus for what in clever.told(state, BonusGained)]


def before_slot(clever: Any, area: str, slot: int) -> Any:
    """A seat that may enter a number of its choice in an area of which so many slots are filled."""
    numbers = {
        "blue": [7] * slot,
        "green": list(data.GREEN_FACTORS[:slot]),
        "pink": [1] * slot,
    }[area]
    bonus = Bonus[area.upper()]
    return clever.table(
        2, chosen="w", sheets={0: clever.marks(**{area: numbers})}, task=Task(Step.BONUS, pending=(bonus,))
    )


@pytest.mark.rule("TAC-D5", "TAC-D6", "TAC-D7")
@pytest.mark.parametrize(("area", "slot", "bonus"), SLOTS, ids=lambda value: str(value))
def test_every_slot_gives_what_is_printed_under_it(clever: Any, area: str, slot: int, bonus: Bonus | None) -> None:
    state = before_slot(clever, area, slot)
    before = state.sheets[0]
    got = gained(clever, state, f"0 bonus {area} 6")
    assert got == ([bonus] if bonus else [])
    after = state.sheets[0]
    grew = {
        Bonus.REROLL: after.rerolls.gained - before.rerolls.gained,
        Bonus.RETURN: after.returns.gained - before.returns.gained,
        Bonus.EXTRA_DIE: after.extra_dice.gained - before.extra_dice.gained,
        Bonus.FOX: after.foxes - before.foxes,
    }
    assert grew == {kind: int(kind == bonus) for kind in grew}
    pending = state.tasks[0].pending if state.tasks[0] else ()
    assert pending == ((bonus,) if bonus and bonus not in grew else ())


@pytest.mark.rule("TAC-D3")
@pytest.mark.parametrize("value", data.FACES)
@pytest.mark.parametrize("last", [1, 2, 3, 4])
def test_a_silver_column_gives_its_bonus_when_the_last_of_four_cells_is_crossed(
    clever: Any, value: int, last: int
) -> None:
    rows = [str(value) if row != last else "" for row in (1, 2, 3, 4)]
    other = ("yellow", "blue", "green", "pink")
    task = Task(Step.BONUS, pending=(Bonus.SILVER,))
    state = clever.table(2, chosen="w", sheets={0: clever.marks(rows)}, task=task)
    expected = data.SILVER_COLUMN_BONUSES[value - 1]
    assert gained(clever, state, f"0 bonus silver {other[last - 1]} {value}") == [expected]


@pytest.mark.rule("TAC-D3")
def test_rows_of_silver_give_no_bonus(clever: Any) -> None:
    task = Task(Step.BONUS, pending=(Bonus.SILVER,))
    state = clever.table(2, chosen="w", sheets={0: clever.marks(["", "12345", "", ""])}, task=task)
    assert gained(clever, state, "0 bonus silver blue 6") == []
    assert state.sheets[0].silver.points == 22


@pytest.mark.rule("TAC-D4")
@pytest.mark.parametrize("line", range(9))
def test_every_yellow_line_gives_its_bonus_when_its_last_cell_is_circled(clever: Any, line: int) -> None:
    cells, bonus = YELLOW_LINES[line]
    for last in cells:
        before = "".join("o" if cell in cells and cell != last else "." for cell in range(10))
        task = Task(Step.BONUS, pending=(Bonus.YELLOW,))
        state = clever.table(2, chosen="w", sheets={0: clever.marks(yellow=before)}, task=task)
        row, value = CELLS[last]
        got = gained(clever, state, f"0 bonus yellow {value} row {row}")
        assert bonus in got
        # Column 1 holds the same cells as row 2 and 4 in part: only whole lines count.
        full = [one for places, one in YELLOW_LINES if set(places) <= {*cells}]
        assert sorted(got) == sorted(full)


@pytest.mark.rule("TAC-D1")
@pytest.mark.parametrize(("seats", "rounds"), [(1, 6), (2, 6), (3, 5), (4, 4)])
def test_everybody_gets_the_grants_of_all_rounds(clever: Any, seats: int, rounds: int) -> None:
    state = clever.open(seats)
    rounds_seen = {}
    while state.deciders:
        if state.turn.round not in rounds_seen:
            gained_so_far = [(s.rerolls.gained, s.extra_dice.gained, s.returns.gained) for s in state.sheets]
            rounds_seen[state.turn.round] = (gained_so_far, state.phase, state.asked)
        seat = state.deciders[0]
        frugal = [action for action in state.legal(seat) if str(action).split()[0] in ("skip", "done")]
        state.play(seat, (frugal or state.legal(seat))[0])
    assert list(rounds_seen) == list(range(1, rounds + 1))
    assert rounds_seen[1][0] == [(1, 0, 0)] * seats
    assert rounds_seen[2][0] == [(1, 1, 0)] * seats
    assert rounds_seen[3][0] == [(1, 1, 1)] * seats
    assert rounds_seen[4][1:] == (Phase.GRANT, tuple(range(seats)))
    if rounds == 6:
        assert all(phase == Phase.ACTIVE for _, phase, _ in (rounds_seen[5], rounds_seen[6]))


@pytest.mark.rule("TAC-D1", "TAC-D2", "TAC-5.1")
@pytest.mark.parametrize(
    ("round_", "filled", "bonus"),
    [
        # All other sources of extra dice are used up before round 2, or of returns before round 3: rare, but possible.
        (
            2,
            {"silver": ["1"] * 4, "yellow": "o...o...o.", "blue": [7] * 5, "green": GREEN[:9], "pink": [6] * 5},
            "silver",
        ),
        (3, {"yellow": "..oo......", "blue": [7] * 10, "green": GREEN[:5], "pink": [6] * 4}, "pink"),
    ],
)
def test_a_grant_that_fills_a_track_gives_the_end_of_it(clever: Any, round_: int, filled: Any, bonus: str) -> None:
    state = clever.table(2, chosen="w", phase=Phase.GRANT, round_=round_, roll=0, sheets={1: clever.marks(**filled)})
    assert state.asked == (1,)
    assert state.tasks[1] == Task(Step.BONUS, pending=(Bonus[bonus.upper()],))
    assert all(text.startswith(f"bonus {bonus}") for text in clever.legal(state, 1))
    before = state.sheets[1]
    clever.say(state, f"1 {clever.legal(state, 1)[0]}", "1 done")
    assert state.phase == Phase.ACTIVE
    assert state.sheets[1] != before


def test_colours_and_areas_are_named_alike() -> None:
    assert [str(color) for color in Color] == ["white", "silver", "yellow", "blue", "green", "pink"]
    assert all(str(area) == bonus.name.lower() for bonus, area in data.AREA_OF.items())
