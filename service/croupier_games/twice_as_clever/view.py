"""What seats and spectators see of Doppelt so clever: the view and the events.

Names and fields are those of the game's proto, which says what each of them means. The sheet is in sheet.py, the view
as text for people in rendering.py.
"""

from enum import IntEnum
from typing import NamedTuple

from croupier_games.twice_as_clever.data import SILVER_ROWS, Bonus, Color
from croupier_games.twice_as_clever.sheet import Sheet


class Phase(IntEnum):
    """The part of a turn that is being played."""

    GRANT = 1
    ACTIVE = 2
    PASSIVE = 3
    EXTRA = 4
    OVER = 5


class Step(IntEnum):
    """What a seat has to do next."""

    RETURN = 1
    CHOOSE = 2
    MARK = 3
    BONUS = 4
    SWEEP = 5
    FINISH = 6


class Turn(NamedTuple):
    """Where the game is: the round, whose turn it is, and which roll."""

    round: int
    rounds: int
    starter: int
    active: int
    roll: int
    rerolls: int
    solo_passive: bool
    chosen_before: tuple[Color, ...]


class Dice(NamedTuple):
    """The six dice: what they show, in the order of `Color`, and where they lie."""

    pips: tuple[int, ...]
    available: tuple[Color, ...]
    chosen: tuple[Color, ...]
    tray: tuple[Color, ...]

    def shows(self, die: Color) -> int:
        """The pips of a die."""
        return self.pips[die - 1]


class Task(NamedTuple):
    """What a seat is in the middle of."""

    step: Step
    area: Color | None = None
    value: int = 0
    pending: tuple[Bonus, ...] = ()
    sweep: tuple[Color, ...] = ()
    used: tuple[Color, ...] = ()


class View(NamedTuple):
    """What a seat, or a spectator, sees."""

    phase: Phase
    turn: Turn
    dice: Dice
    sheets: tuple[Sheet, ...]
    asked: tuple[int, ...]
    task: Task | None


class Entry(NamedTuple):
    """One thing entered on a sheet: a cell of silver or yellow with its row, or a number in a slot."""

    area: Color
    number: int
    row: int
    circled: bool

    def __str__(self) -> str:
        if self.area == Color.SILVER:
            return f"silver {SILVER_ROWS[self.row - 1]} {self.number} crossed"
        if self.area == Color.YELLOW:
            return f"yellow {self.number} row {self.row} {'circled' if self.circled else 'crossed'}"
        return f"{self.area} {self.number}"


class RoundStarted(NamedTuple):
    """A round starts, and everybody gets what it grants."""

    round: int
    granted: Bonus | None

    def __str__(self) -> str:
        granted = f"everybody gets {self.granted}" if self.granted else "it grants nothing"
        return f"Round {self.round} starts: {granted}."


class DiceRolled(NamedTuple):
    """Dice were rolled: by the active player, or all six for the passive turn of a solo game."""

    seat: int
    roll: int
    rerolls: int
    dice: tuple[Color, ...]
    pips: tuple[int, ...]

    def __str__(self) -> str:
        shown = ", ".join(f"{die} {pips}" for die, pips in zip(self.dice, self.pips, strict=True))
        if not self.roll:
            return f"Seat {self.seat} rolls for the tray: {shown}."
        return f"Seat {self.seat} {'re-rolls' if self.rerolls else 'rolls'} (roll {self.roll}): {shown}."


class DieReturned(NamedTuple):
    """The active player took a die back from the tray."""

    seat: int
    die: Color

    def __str__(self) -> str:
        return f"Seat {self.seat} returns {self.die}."


class DiePicked(NamedTuple):
    """A seat chose a die and the area to enter it in."""

    seat: int
    die: Color
    area: Color

    def __str__(self) -> str:
        return f"Seat {self.seat} picks {self.die}{f' as {self.area}' if self.area != self.die else ''}."


class RollSkipped(NamedTuple):
    """The active player chose no die of a roll."""

    seat: int
    roll: int

    def __str__(self) -> str:
        return f"Seat {self.seat} chooses no die of roll {self.roll}."


class DiceToTray(NamedTuple):
    """Dice went to the silver tray."""

    dice: tuple[Color, ...]

    def __str__(self) -> str:
        return f"To the tray: {', '.join(map(str, self.dice))}."


class EntryMade(NamedTuple):
    """A seat entered something; while several decide at once, only that seat is told."""

    seat: int
    entry: Entry

    def __str__(self) -> str:
        return f"Seat {self.seat} enters {self.entry}."


class BonusGained(NamedTuple):
    """A seat gained a bonus; while several decide at once, only that seat is told."""

    seat: int
    bonus: Bonus

    def __str__(self) -> str:
        return f"Seat {self.seat} gains {self.bonus}."


class SheetShown(NamedTuple):
    """All have finished: what a seat has entered meanwhile, area by area."""

    seat: int
    entries: tuple[Entry, ...]

    def __str__(self) -> str:
        return f"Seat {self.seat} has entered {', '.join(map(str, self.entries)) or 'nothing'}."
