"""A seat's sheet as it is shown: what is crossed, circled and written in each area, and what that is worth.

Names and fields are those of the game's proto. How things are entered is in entries.py; what is printed, in data.py.
"""

from collections.abc import Sequence
from enum import IntEnum
from itertools import islice
from typing import NamedTuple

from croupier_games.twice_as_clever.data import (
    BLUE_POINTS,
    SILVER_ROW_POINTS,
    SILVER_ROWS,
    YELLOW_GRID,
    YELLOW_POINTS,
)


class CellMark(IntEnum):
    """What is done to a cell of the yellow area."""

    OPEN = 1
    CIRCLED = 2
    CROSSED = 3


class Silver(NamedTuple):
    """The silver area: the values crossed in each row, ascending."""

    yellow: tuple[int, ...]
    blue: tuple[int, ...]
    green: tuple[int, ...]
    pink: tuple[int, ...]
    points: int

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The four rows from the top."""
        return (self.yellow, self.blue, self.green, self.pink)


class Yellow(NamedTuple):
    """The yellow area: its cells in reading order."""

    cells: tuple[CellMark, ...]
    points: int


class Blue(NamedTuple):
    """The blue area: the numbers written, from the left."""

    numbers: tuple[int, ...]
    points: int


class Green(NamedTuple):
    """The green area: the products written, from the left."""

    numbers: tuple[int, ...]
    points: int


class Pink(NamedTuple):
    """The pink area: the values written, from the left."""

    numbers: tuple[int, ...]
    points: int


class Track(NamedTuple):
    """An action track: spaces circled, and how many of them are crossed."""

    gained: int
    used: int

    @property
    def left(self) -> int:
        """How many times the action can still be used."""
        return self.gained - self.used


class Sheet(NamedTuple):
    """All that a seat has on its sheet."""

    silver: Silver
    yellow: Yellow
    blue: Blue
    green: Green
    pink: Pink
    rerolls: Track
    returns: Track
    extra_dice: Track
    foxes: int

    @property
    def area_points(self) -> tuple[int, ...]:
        """The points of the five areas, silver first."""
        return tuple([area.points for area in self[:5]])


def silver(rows: Sequence[tuple[int, ...]]) -> Silver:
    """The silver area with these crosses (TAC-D3)."""
    one, two, three, four = rows
    points = SILVER_ROW_POINTS
    return Silver(one, two, three, four, points[len(one)] + points[len(two)] + points[len(three)] + points[len(four)])


def yellow(cells: tuple[CellMark, ...]) -> Yellow:
    """The yellow area with these cells: only crossed ones score (TAC-2.3, TAC-D4)."""
    return Yellow(cells, YELLOW_POINTS[cells.count(CellMark.CROSSED)])


def blue(numbers: tuple[int, ...]) -> Blue:
    """The blue area with these numbers: the star of the last one counts (TAC-2.4, TAC-D5)."""
    return Blue(numbers, BLUE_POINTS[len(numbers)])


def green(numbers: tuple[int, ...]) -> Green:
    """The green area with these products: first minus second of every whole pair (TAC-2.5, TAC-D6)."""
    return Green(numbers, sum(numbers[: len(numbers) // 2 * 2 : 2]) - sum(islice(numbers, 1, None, 2)))


def pink(numbers: tuple[int, ...]) -> Pink:
    """The pink area with these values: their sum (TAC-2.6)."""
    return Pink(numbers, sum(numbers))


def total(sheet: Sheet, fox_floor_zero: bool) -> int:
    """What the sheet is worth: the areas, and each fox as much as the lowest of them (TAC-5.3, TAC-6.1)."""
    points = sheet.area_points
    fox = max(0, min(points)) if fox_floor_zero else min(points)
    return sum(points) + sheet.foxes * fox


NO_TRACK = Track(0, 0)
CELLS = sum(value > 0 for row in YELLOW_GRID for value in row)
EMPTY = Sheet(
    silver(((),) * len(SILVER_ROWS)),
    yellow((CellMark.OPEN,) * CELLS),
    blue(()),
    green(()),
    pink(()),
    NO_TRACK,
    NO_TRACK,
    NO_TRACK,
    0,
)
"""The sheet of everybody before the first round."""
