"""What a sheet of Doppelt so clever is worth: what its areas can be expected to bring by the end.

How often each area will still be entered follows from the time that is left, and with that the points, bonuses and
foxes that it will come by. What is believed about that (`Weights`) was found by letting the house bot play solo games.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import exp
from typing import NamedTuple

from croupier_games.twice_as_clever.data import (
    BLUE_BONUSES,
    BLUE_POINTS,
    DICE,
    FACES,
    GREEN_BONUSES,
    GREEN_FACTORS,
    PINK_BONUSES,
    PINK_THRESHOLDS,
    ROLLS,
    SILVER_COLUMN_BONUSES,
    SILVER_ROW_POINTS,
    SILVER_ROWS,
    YELLOW_GRID,
    YELLOW_POINTS,
    Bonus,
    Color,
)
from croupier_games.twice_as_clever.entries import (
    BLUE_SUMS,
    CELL_AT,
    CELLS,
    YELLOW_LINES,
    Cell,
    numbers_in,
)
from croupier_games.twice_as_clever.sheet import (
    Blue,
    CellMark,
    Green,
    Pink,
    Sheet,
    Silver,
    Yellow,
    blue,
    green,
    pink,
)


class Weights(NamedTuple):
    """What the bot believes."""

    # Entries that a whole game brings: in each row of silver, and in the other areas; and how far that may be off.
    silver_row: float = 2.2
    yellow: float = 7.5
    blue: float = 3.8
    green: float = 5.0
    pink: float = 5.8
    spread: float = 1.0
    # ... and in the cells of each column of silver and of each line of yellow.
    silver_column: float = 2.4
    yellow_line: float = 2.1
    # Low numbers in blue leave less room: by the odds of a fitting sum, to the power of this.
    blue_room: float = 0.3
    # What is usually entered in the first and the second slot of a pair, and in pink; how often pink bonuses are hit.
    first_of_pair: float = 5.5
    second_of_pair: float = 1.3
    pink_value: float = 3.7
    pink_bonus: float = 0.8
    # What an action is worth (the first two fade towards the end), and a free entry in each area.
    reroll: float = 2.2
    return_: float = 2.1
    extra_die: float = 11.7
    free_silver: float = 6.4
    free_yellow: float = 13.0
    free_blue: float = 9.2
    free_green: float = 11.0
    free_pink: float = 9.0
    # How much of the lowest area a fox can be counted for, as long as things may change.
    fox: float = 0.5
    # What a roll to come brings, and more for every die in it.
    roll: float = 5.3
    die: float = 1.3


WEIGHTS = Weights()
FADES = 1 / 3
"""The share of the game at the end in which re-rolls and returns lose their worth."""


class Promise(NamedTuple):
    """What an area can be expected to bring: its points, and the bonuses and foxes it will still come by."""

    points: float
    bonuses: float
    foxes: float


class Outlook:
    """What the bot believes, with this share of the game to come, and tables of what follows from that."""

    __slots__ = ("columns", "lines", "rolls", "rows", "time", "weights", "worth", "yellow")

    def __init__(self, time: float, weights: Weights) -> None:
        lasting = min(1.0, time / FADES)
        w = weights
        extra_die = w.extra_die if time else 0.0
        actions = (w.reroll * lasting, w.return_ * lasting, extra_die, 0.0)  # foxes are counted apart
        free = (w.free_silver, w.free_yellow, w.free_blue, w.free_green, w.free_pink)
        self.time = time
        self.weights = weights
        self.worth = (0.0, *actions, *free, max(free))
        """Of each bonus, by its number."""
        self.rows = [between(SILVER_ROW_POINTS, crosses + w.silver_row * time) for crosses in range(len(FACES) + 1)]
        """The points of a row of silver, by its crosses."""
        self.columns = _line_odds(w.silver_column * time, len(SILVER_ROWS))
        self.lines = _line_odds(w.yellow_line * time, len(YELLOW_GRID))
        """How likely a column of silver, and a line of yellow, is completed, by the cells that it misses."""
        self.yellow = [
            [self._yellow(crossed, circled) for circled in range(len(CELLS) + 1)] for crossed in range(len(CELLS) + 1)
        ]
        """The points of yellow, by its crossed and its circled cells."""
        self.rolls = [[self._rolls(rolls, dice) for dice in range(len(DICE) + 1)] for rolls in range(ROLLS + 1)]
        """What so many rolls to come bring, the first with so many dice."""

    def passed(self, chances: Iterable[tuple[float, Bonus | None]]) -> tuple[float, float]:
        """The bonuses and the foxes that come with these chances."""
        bonuses = foxes = 0.0
        worth = self.worth
        for likely, bonus in chances:
            if bonus == Bonus.FOX:
                foxes += likely
            elif bonus:
                bonuses += likely * worth[bonus]
        return bonuses, foxes

    def _yellow(self, crossed: int, circled: int) -> float:
        """Most circled cells get crossed; what is entered beyond that crosses a cell every second time."""
        coming, easy = self.weights.yellow * self.time, 0.8 * circled
        return between(YELLOW_POINTS, crossed + min(coming, easy) + max(0.0, coming - easy) / 2)

    def _rolls(self, rolls: int, dice: float) -> float:
        """Each later roll has fewer dice."""
        total = 0.0
        while rolls > 0 and dice >= 1:
            total += self.weights.roll + self.weights.die * dice
            rolls, dice = rolls - 1, dice - 1 - dice / 4
        return total


def _line_odds(pace: float, cells: int) -> list[float]:
    """How likely a line is completed that misses 0, 1, … cells; 0 for a complete one, which has given its bonus."""
    often = 1 - exp(-pace)
    return [0.0, *(often**missing for missing in range(1, cells + 1))]


outlook = lru_cache(maxsize=1_000)(Outlook)
"""One for each share and weights, so that what follows from it can be remembered."""


@lru_cache(maxsize=10_000)
def odds(pace: float, slots: int, spread: float) -> tuple[float, ...]:
    """How likely at least 1, 2, … entries come, if so many are expected."""
    if pace <= 0:
        return (0.0,) * slots
    width = spread * min(1.0, 0.2 + pace / 4)
    return tuple([1 / (1 + exp((steps - 0.5 - pace) / width)) for steps in range(1, slots + 1)])


def between(points: Sequence[int], entries: float) -> float:
    """The points of so many entries, also of a part of one."""
    whole = min(int(entries), len(points) - 1)
    rest = entries - whole if whole < len(points) - 1 else 0.0
    return points[whole] + rest * (points[min(whole + 1, len(points) - 1)] - points[whole])


@lru_cache(maxsize=500)
def silver_promise(area: Silver, on: Outlook) -> Promise:
    """Rows grow evenly; a column comes the likelier the fewer of its cells are missing."""
    points = sum([on.rows[len(row)] for row in area.rows])
    likely = [on.columns[missing_in(area, value)] for value in FACES]
    return Promise(points, *on.passed(zip(likely, SILVER_COLUMN_BONUSES, strict=True)))


def missing_in(area: Silver, value: int) -> int:
    """How many cells of a column of silver are not crossed."""
    one, two, three, four, _ = area
    return (value not in one) + (value not in two) + (value not in three) + (value not in four)


@lru_cache(maxsize=500)
def yellow_promise(area: Yellow, on: Outlook) -> Promise:
    """A line comes the likelier the fewer of its cells are open."""
    cells = area.cells
    points = on.yellow[cells.count(CellMark.CROSSED)][cells.count(CellMark.CIRCLED)]
    lines = [(on.lines[sum([cells[cell] == CellMark.OPEN for cell in line])], bonus) for line, bonus in YELLOW_LINES]
    return Promise(points, *on.passed(lines))


def blue_promise(area: Blue, on: Outlook) -> Promise:
    """The star of the last number, and what the slots after it will bring."""
    numbers = area.numbers
    points, bonuses, foxes = blue_hope(len(numbers), numbers[-1] if numbers else BLUE_SUMS[-1], on)
    return Promise(area.points + points, bonuses, foxes)


@lru_cache(maxsize=10_000)
def blue_hope(filled: int, limit: int, on: Outlook) -> Promise:
    """The lower the last number, the fewer sums fit."""
    w = on.weights
    room = sum(one + two <= limit for one in FACES for two in FACES) / len(FACES) ** 2
    likely = odds(w.blue * on.time * room**w.blue_room, len(BLUE_BONUSES) - filled, w.spread)
    steps = [after - before for before, after in pairwise(BLUE_POINTS[filled:])]
    points = sum([chance * step for chance, step in zip(likely, steps, strict=True)])
    return Promise(points, *on.passed(zip(likely, BLUE_BONUSES[filled:], strict=True)))


def green_promise(area: Green, on: Outlook) -> Promise:
    """The whole pairs, and what the slots after them will bring; half a pair waits for its second number."""
    numbers = area.numbers
    points, bonuses, foxes = green_hope(len(numbers), numbers[-1] if len(numbers) % 2 else 0, on)
    return Promise(area.points + points, bonuses, foxes)


@lru_cache(maxsize=10_000)
def green_hope(filled: int, half: int, on: Outlook) -> Promise:
    """A pair counts when its second slot is reached."""
    w = on.weights
    likely = odds(w.green * on.time, len(GREEN_BONUSES) - filled, w.spread)
    points = 0.0
    for slot in range(filled | 1, len(GREEN_BONUSES), 2):
        first = half if slot == filled else w.first_of_pair * GREEN_FACTORS[slot - 1]
        points += likely[slot - filled] * (first - w.second_of_pair * GREEN_FACTORS[slot])
    return Promise(points, *on.passed(zip(likely, GREEN_BONUSES[filled:], strict=True)))


def pink_promise(area: Pink, on: Outlook) -> Promise:
    """The numbers, and what the slots after them will bring."""
    points, bonuses, foxes = pink_hope(len(area.numbers), on)
    return Promise(area.points + points, bonuses, foxes)


@lru_cache(maxsize=10_000)
def pink_hope(filled: int, on: Outlook) -> Promise:
    """Thresholds are met often, not always."""
    w = on.weights
    likely = odds(w.pink * on.time, len(PINK_BONUSES) - filled, w.spread)
    bonuses, foxes = on.passed(zip(likely, PINK_BONUSES[filled:], strict=True))
    return Promise(w.pink_value * sum(likely), w.pink_bonus * bonuses, foxes)


def promises_of(sheet: Sheet, on: Outlook) -> tuple[Promise, ...]:
    """What the areas of a sheet can be expected to bring, silver first."""
    return (
        silver_promise(sheet.silver, on),
        yellow_promise(sheet.yellow, on),
        blue_promise(sheet.blue, on),
        green_promise(sheet.green, on),
        pink_promise(sheet.pink, on),
    )


def value(sheet: Sheet, on: Outlook) -> float:
    """What a sheet can be expected to be worth at the end."""
    areas = promises_of(sheet, on)
    total, foxes = summed(sheet, areas, on)
    return total + on.weights.fox * foxes * min([area.points for area in areas])


def summed(sheet: Sheet, areas: Iterable[Promise], on: Outlook) -> tuple[float, float]:
    """What the areas and actions of a sheet are worth, and how many foxes it has and is promised."""
    worth = on.worth
    total = sheet.rerolls.left * worth[Bonus.REROLL] + sheet.returns.left * worth[Bonus.RETURN]
    total += sheet.extra_dice.left * worth[Bonus.EXTRA_DIE]
    foxes = float(sheet.foxes)
    for points, bonuses, more in areas:
        total += points + bonuses
        foxes += more
    return total, foxes


Prospect = tuple[Promise, Sequence[Bonus]]
"""What an area promises after an entry, and the bonuses that are printed there.

It is asked for every cell and number that could be entered, so it does not take a new sheet to tell."""


def silver_prospect(area: Silver, now: Promise, on: Outlook, value: int, row: int) -> Prospect:
    """One more cross in its row, and one less missing in its column."""
    crosses, missing = len(area.rows[row - 1]), missing_in(area, value)
    points = now.points + on.rows[crosses + 1] - on.rows[crosses]
    bonuses, foxes = on.passed([(on.columns[missing - 1] - on.columns[missing], SILVER_COLUMN_BONUSES[value - 1])])
    return Promise(points, now.bonuses + bonuses, now.foxes + foxes), COLUMN_GIVES[value - 1] if missing == 1 else ()


def yellow_prospect(area: Yellow, now: Promise, on: Outlook, value: int, row: int) -> Prospect:
    """A cell more that is crossed, or one that is circled and no longer missing in its lines."""
    cells, place = area.cells, CELL_AT[Cell(row, value)]
    crossed, circled = cells.count(CellMark.CROSSED), cells.count(CellMark.CIRCLED)
    if cells[place] == CellMark.CIRCLED:
        return Promise(on.yellow[crossed + 1][circled - 1], now.bonuses, now.foxes), ()
    missing = [(sum([cells[cell] == CellMark.OPEN for cell in line]), bonus) for line, bonus in LINES_OF[place]]
    bonuses, foxes = on.passed([(on.lines[count - 1] - on.lines[count], bonus) for count, bonus in missing])
    promise = Promise(on.yellow[crossed][circled + 1], now.bonuses + bonuses, now.foxes + foxes)
    return promise, [bonus for count, bonus in missing if count == 1]


def slot_prospect(sheet: Sheet, on: Outlook, color: Color, number: int) -> Prospect:
    """One more number in blue, green or pink."""
    numbers = numbers_in(sheet, color)
    slot = len(numbers)
    if color == Color.BLUE:
        return blue_promise(blue((*numbers, number)), on), BLUE_GIVES[slot]
    if color == Color.GREEN:
        return green_promise(green((*numbers, number * GREEN_FACTORS[slot])), on), GREEN_GIVES[slot]
    return pink_promise(pink((*numbers, number)), on), PINK_GIVES[slot] if number >= PINK_THRESHOLDS[slot] else ()


def _gives(bonuses: Iterable[Bonus | None]) -> tuple[tuple[Bonus, ...], ...]:
    return tuple([(bonus,) if bonus else () for bonus in bonuses])


COLUMN_GIVES, BLUE_GIVES = _gives(SILVER_COLUMN_BONUSES), _gives(BLUE_BONUSES)
GREEN_GIVES, PINK_GIVES = _gives(GREEN_BONUSES), _gives(PINK_BONUSES)
LINES_OF = tuple([[line for line in YELLOW_LINES if place in line[0]] for place in range(len(CELLS))])
"""The lines of each cell of yellow."""
