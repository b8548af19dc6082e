"""How dice and bonuses are entered on a sheet, and what that gives (TAC-2, TAC-5). Sheets are values: none changes."""

from typing import NamedTuple

from croupier_games.twice_as_clever.data import (
    AREA_OF,
    AREAS,
    BLUE_BONUSES,
    FACES,
    GREEN_BONUSES,
    GREEN_FACTORS,
    PINK_BONUSES,
    PINK_THRESHOLDS,
    SILVER_COLUMN_BONUSES,
    SILVER_ROWS,
    SLOTS,
    TRACK_ENDS,
    TRACK_SPACES,
    YELLOW_COLUMN_BONUSES,
    YELLOW_GRID,
    YELLOW_ROW_BONUSES,
    Bonus,
    Color,
)
from croupier_games.twice_as_clever.sheet import CellMark, Sheet, Track, blue, green, pink, silver, yellow

FREE = frozenset({*AREA_OF, Bonus.ANY})
"""The bonuses that are entries; the others are actions and foxes."""
BLUE_SUMS = range(2 * FACES[0], 2 * FACES[-1] + 1)
"""What a free entry in blue may be (TAC-5.1)."""


class Cell(NamedTuple):
    """A cell of the yellow area: its row, counted from 1 at the top, and its value."""

    row: int
    value: int


CELLS = tuple(Cell(row, value) for row, values in enumerate(YELLOW_GRID, 1) for value in values if value)
"""The cells of the yellow area in reading order."""
CELL_AT = {cell: place for place, cell in enumerate(CELLS)}
CELLS_OF = {face: tuple(place for place, cell in enumerate(CELLS) if cell.value == face) for face in FACES}
"""Where the cells of each value are."""
SILVER_ROW_NUMBERS = range(1, len(SILVER_ROWS) + 1)


def _yellow_lines() -> tuple[tuple[tuple[int, ...], Bonus], ...]:
    """The cells of every row and column, with the bonus of the line."""
    columns = [
        [(row, values[column]) for row, values in enumerate(YELLOW_GRID, 1)]
        for column in range(len(YELLOW_COLUMN_BONUSES))
    ]
    rows = [[(row, value) for value in values] for row, values in enumerate(YELLOW_GRID, 1)]
    bonuses = (*YELLOW_ROW_BONUSES, *YELLOW_COLUMN_BONUSES)
    places = [tuple(CELL_AT[Cell(*spot)] for spot in line if spot[1]) for line in (*rows, *columns)]
    return tuple((cells, bonus) for cells, bonus in zip(places, bonuses, strict=True) if bonus)


YELLOW_LINES = _yellow_lines()
_LINES_OF = tuple(tuple(line for line in YELLOW_LINES if place in line[0]) for place in range(len(CELLS)))


class Entered(NamedTuple):
    """What an entry leads to: the sheet after it, and all it gave, ends of action tracks included."""

    sheet: Sheet
    gained: tuple[Bonus, ...]


def can_enter(sheet: Sheet, area: Color, number: int) -> bool:
    """Whether a die can be entered in the area: a sum in blue, a value elsewhere (TAC-2)."""
    if area == Color.SILVER:
        rows = sheet.silver
        return not (number in rows[0] and number in rows[1] and number in rows[2] and number in rows[3])
    if area == Color.YELLOW:
        cells = sheet.yellow.cells
        return any(cells[place] != CellMark.CROSSED for place in CELLS_OF[number])
    if area == Color.BLUE:
        return number <= blue_limit(sheet)
    return len(numbers_in(sheet, area)) < SLOTS[area]


def numbers_in(sheet: Sheet, area: Color) -> tuple[int, ...]:
    """What is written in one of the areas that are filled from left to right (TAC-2.7)."""
    if area == Color.PINK:
        return sheet.pink.numbers
    return sheet.green.numbers if area == Color.GREEN else sheet.blue.numbers


def blue_limit(sheet: Sheet) -> int:
    """The highest number that can be written in blue; 0 if no slot is open (TAC-2.4)."""
    numbers = sheet.blue.numbers
    if not numbers:
        return BLUE_SUMS[-1]
    return numbers[-1] if len(numbers) < SLOTS[Color.BLUE] else 0


def has_entry(sheet: Sheet, bonus: Bonus) -> bool:
    """Whether a free entry is possible; if not, the bonus is lost (TAC-5.1, TAC-5.2)."""
    if bonus == Bonus.ANY:
        return any(_is_open(sheet, area) for area in AREAS)
    return _is_open(sheet, AREA_OF[bonus])


def _is_open(sheet: Sheet, area: Color) -> bool:
    if area == Color.SILVER:
        return any(len(row) < len(FACES) for row in sheet.silver.rows)
    if area == Color.YELLOW:
        return sheet.yellow.cells.count(CellMark.CROSSED) < len(CELLS)
    return len(numbers_in(sheet, area)) < SLOTS[area]


def enter(sheet: Sheet, area: Color, number: int, row: int = 0) -> Entered:
    """Enters a number that fits: a sum in blue, a value elsewhere, with its row in silver and yellow."""
    if area == Color.SILVER:
        return _cross_silver(sheet, row, number)
    if area == Color.YELLOW:
        return _mark_yellow(sheet, CELL_AT[Cell(row, number)])
    if area == Color.BLUE:
        numbers = sheet.blue.numbers
        return gain(sheet._replace(blue=blue((*numbers, number))), BLUE_BONUSES[len(numbers)])
    if area == Color.GREEN:
        numbers = sheet.green.numbers
        slot = len(numbers)
        return gain(sheet._replace(green=green((*numbers, number * GREEN_FACTORS[slot]))), GREEN_BONUSES[slot])
    numbers = sheet.pink.numbers
    slot = len(numbers)
    bonus = PINK_BONUSES[slot] if number >= PINK_THRESHOLDS[slot] else None  # TAC-2.6
    return gain(sheet._replace(pink=pink((*numbers, number))), bonus)


def _cross_silver(sheet: Sheet, row: int, value: int) -> Entered:
    rows = list(sheet.silver.rows)
    rows[row - 1] = tuple(sorted((*rows[row - 1], value)))
    full = all(value in crossed for crossed in rows)
    return gain(sheet._replace(silver=silver(rows)), SILVER_COLUMN_BONUSES[value - 1] if full else None)


def _mark_yellow(sheet: Sheet, place: int) -> Entered:
    """Circles an open cell or crosses a circled one; only circling completes lines (TAC-2.3)."""
    cells = sheet.yellow.cells
    crossing = cells[place] == CellMark.CIRCLED
    mark = CellMark.CROSSED if crossing else CellMark.CIRCLED
    cells = (*cells[:place], mark, *cells[place + 1 :])
    sheet = sheet._replace(yellow=yellow(cells))
    if crossing:
        return Entered(sheet, ())
    complete = [bonus for line, bonus in _LINES_OF[place] if all(cells[cell] != CellMark.OPEN for cell in line)]
    return gain(sheet, *complete)


def gain(sheet: Sheet, *bonuses: Bonus | None) -> Entered:
    """Circles actions and counts foxes; free entries are for the player to make (TAC-5.1)."""
    if not any(bonuses):
        return Entered(sheet, ())
    gained: list[Bonus] = []
    for bonus in bonuses:
        if bonus is None:
            continue
        gained.append(bonus)
        if bonus in TRACK_ENDS:
            sheet, last = _circle(sheet, bonus)
            if last:
                gained.append(TRACK_ENDS[bonus])
                bonus = TRACK_ENDS[bonus]
        if bonus == Bonus.FOX:
            sheet = sheet._replace(foxes=sheet.foxes + 1)
    return Entered(sheet, tuple(gained))


def _circle(sheet: Sheet, action: Bonus) -> tuple[Sheet, bool]:
    """Circles the next space of an action track; says whether it was the last (TAC-D2)."""
    track = action_track(sheet, action)
    if track.gained == TRACK_SPACES:
        raise AssertionError(f"the sheet has more than {TRACK_SPACES} sources of {action}")
    return _with_track(sheet, action, Track(track.gained + 1, track.used)), track.gained + 1 == TRACK_SPACES


def action_track(sheet: Sheet, action: Bonus) -> Track:
    """The track of an action."""
    if action == Bonus.REROLL:
        return sheet.rerolls
    return sheet.returns if action == Bonus.RETURN else sheet.extra_dice


def spend(sheet: Sheet, action: Bonus) -> Sheet:
    """The sheet with one more use of an action crossed."""
    track = action_track(sheet, action)
    return _with_track(sheet, action, Track(track.gained, track.used + 1))


def _with_track(sheet: Sheet, action: Bonus, track: Track) -> Sheet:
    if action == Bonus.REROLL:
        return sheet._replace(rerolls=track)
    if action == Bonus.RETURN:
        return sheet._replace(returns=track)
    return sheet._replace(extra_dice=track)
