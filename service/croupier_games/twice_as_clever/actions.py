"""What a seat may do and how it is written. Every action there is exists once, in `ACTIONS`, by its notation."""

from dataclasses import dataclass

from croupier_games.errors import NotationError
from croupier_games.game import Action
from croupier_games.twice_as_clever.data import AREAS, DICE, FACES, SILVER_ROWS, Color
from croupier_games.twice_as_clever.entries import BLUE_SUMS, CELLS, SILVER_ROW_NUMBERS


@dataclass(frozen=True, slots=True)
class Pick(Action):
    """Chooses a die and the area to enter it in (TAC-1.2, TAC-1.5, TAC-3.1)."""

    die: Color
    area: Color

    def __str__(self) -> str:
        return f"pick {_die_as(self.die, self.area)}"


@dataclass(frozen=True, slots=True)
class Extra(Action):
    """Uses an extra die, and says which and in which area (TAC-4.3)."""

    die: Color
    area: Color

    def __str__(self) -> str:
        return f"extra {_die_as(self.die, self.area)}"


@dataclass(frozen=True, slots=True)
class Mark(Action):
    """Crosses a cell of silver, or circles or crosses one of yellow, for a die (TAC-2.1, TAC-2.3)."""

    area: Color
    value: int
    row: int

    def __str__(self) -> str:
        verb = "cross" if self.area == Color.SILVER else "mark"
        return f"{verb} {_cell(self.area, self.value, self.row)}"


@dataclass(frozen=True, slots=True)
class FreeEntry(Action):
    """Uses a bonus: a number of free choice in its area (TAC-5.1)."""

    area: Color
    value: int
    row: int

    def __str__(self) -> str:
        return f"bonus {_cell(self.area, self.value, self.row)}"


@dataclass(frozen=True, slots=True)
class Skip(Action):
    """Chooses no die of a roll and puts one of it on the tray (TAC-1.4)."""

    die: Color

    def __str__(self) -> str:
        return f"skip {self.die}"


@dataclass(frozen=True, slots=True)
class ReturnDie(Action):
    """Takes a die from the tray to roll it again (TAC-4.2)."""

    die: Color

    def __str__(self) -> str:
        return f"return {self.die}"


@dataclass(frozen=True, slots=True)
class Roll(Action):
    """Rolls, with no further return (TAC-1.6)."""

    def __str__(self) -> str:
        return "roll"


@dataclass(frozen=True, slots=True)
class Reroll(Action):
    """Rolls all available dice again (TAC-4.1)."""

    def __str__(self) -> str:
        return "reroll"


@dataclass(frozen=True, slots=True)
class Done(Action):
    """Wants no more: no further cross, no die of the tray, no extra die, no return."""

    def __str__(self) -> str:
        return "done"


def _die_as(die: Color, area: Color) -> str:
    return f"{die}" if die == area else f"{die} as {area}"


def _cell(area: Color, value: int, row: int) -> str:
    if area == Color.SILVER:
        return f"silver {SILVER_ROWS[row - 1] if 1 <= row <= len(SILVER_ROWS) else f'row {row}'} {value}"
    return f"yellow {value} row {row}" if area == Color.YELLOW else f"{area} {value}"


WAYS = tuple((die, area) for die in DICE for area in (AREAS if die == Color.WHITE else (die,)))
"""Every die with every area it can be entered in (TAC-1.5)."""

ROLL, REROLL, DONE = Roll(), Reroll(), Done()
PICKS = tuple(Pick(*way) for way in WAYS)
EXTRAS = tuple(Extra(*way) for way in WAYS)
SKIPS = tuple(Skip(die) for die in DICE)
RETURNS = tuple(ReturnDie(die) for die in DICE)

_SILVER_CELLS = [(Color.SILVER, value, row) for row in SILVER_ROW_NUMBERS for value in FACES]
_YELLOW_CELLS = [(Color.YELLOW, cell.value, cell.row) for cell in CELLS]
MARKS = {spot: Mark(*spot) for spot in (*_SILVER_CELLS, *_YELLOW_CELLS)}
"""By area, value and row."""
_NUMBERS = [(Color.BLUE, BLUE_SUMS), (Color.GREEN, FACES), (Color.PINK, FACES)]
_FREE_NUMBERS = [(area, number, 0) for area, numbers in _NUMBERS for number in numbers]
FREE_ENTRIES = {spot: FreeEntry(*spot) for spot in (*_SILVER_CELLS, *_YELLOW_CELLS, *_FREE_NUMBERS)}
"""By area, value and row; the row is 0 where there are none."""

ACTIONS: dict[str, Action] = {
    str(action): action
    for action in (
        *PICKS,
        *EXTRAS,
        *MARKS.values(),
        *FREE_ENTRIES.values(),
        *SKIPS,
        *RETURNS,
        ROLL,
        REROLL,
        DONE,
    )
}
_LONGEST_ECHO = 40


def parse(text: str) -> Action:
    """Reads the notation of an action, to the letter."""
    if action := ACTIONS.get(text):
        return action
    echo = text if len(text) <= _LONGEST_ECHO else text[:_LONGEST_ECHO] + "..."
    raise NotationError(
        "expected something like 'pick white as pink', 'extra blue', 'cross silver green 2', 'mark yellow 3 row 1', "
        f"'bonus blue 9', 'return yellow', 'skip pink', 'roll', 'reroll' or 'done', got {echo!r}"
    )
