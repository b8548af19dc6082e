"""What is said of a play: events that recur, entries as they are told, and why something is refused."""

from collections.abc import Iterator
from functools import lru_cache

from croupier_games.game import Action
from croupier_games.twice_as_clever.data import Color
from croupier_games.twice_as_clever.entries import CELL_AT, CELLS, Cell, numbers_in
from croupier_games.twice_as_clever.sheet import CellMark, Sheet
from croupier_games.twice_as_clever.view import (
    BonusGained,
    DiceToTray,
    DiePicked,
    DieReturned,
    Entry,
    EntryMade,
    Phase,
    RollSkipped,
    Step,
    Turn,
)

# These are told again and again: one object for all tables, so that the wire need encode it only once.
bonus_gained = lru_cache(maxsize=64)(BonusGained)
dice_to_tray = lru_cache(maxsize=256)(DiceToTray)
die_picked = lru_cache(maxsize=64)(DiePicked)
die_returned = lru_cache(maxsize=64)(DieReturned)
roll_skipped = lru_cache(maxsize=64)(RollSkipped)

_TASKS = {
    Step.RETURN: "return a die from the tray, or go on without",
    Step.CHOOSE: "choose among the dice it is offered",
    Step.MARK: "say which cell it marks",
    Step.BONUS: "use a bonus",
    Step.SWEEP: "cross a cell for a die on its way to the tray, or be done",
    Step.FINISH: "say that it is done",
}


def refusal(seat: int, step: Step, action: object) -> str:
    """Why an action is refused to a seat that is asked for something else."""
    got = str(action) if isinstance(action, Action) else type(action).__name__
    return f"seat {seat} must {_TASKS[step]} now, got {got}"


def not_asked(seat: object, seats: int, phase: Phase, turn: Turn) -> str:
    """Why somebody may do nothing now."""
    if type(seat) is not int or not 0 <= seat < seats:
        return f"the seats are 0 to {seats - 1}"
    if phase == Phase.OVER:
        return "the game is over"
    if phase == Phase.ACTIVE:
        return f"it is the turn of seat {turn.active}, not of seat {seat}"
    return f"seat {seat} has finished, or is not asked now"


def entry_made(seat: int, sheet: Sheet, area: Color, number: int, row: int) -> EntryMade:
    """Tells of the entry that has just been made on a sheet, with the number as it is written there."""
    if area == Color.GREEN:
        number = sheet.green.numbers[-1]
    circled = area == Color.YELLOW and sheet.yellow.cells[CELL_AT[Cell(row, number)]] == CellMark.CIRCLED
    return _entry_made(seat, area, number, row, circled)


@lru_cache(maxsize=1_024)
def _entry_made(seat: int, area: Color, number: int, row: int, circled: bool) -> EntryMade:
    return EntryMade(seat, Entry(area, number, row, circled))


def entries_between(before: Sheet, after: Sheet) -> tuple[Entry, ...]:
    """What was entered on a sheet meanwhile, area by area: it says nothing about the order or the dice used."""
    return tuple(_entries_between(before, after))


def _entries_between(before: Sheet, after: Sheet) -> Iterator[Entry]:
    if after.silver is not before.silver:
        for row, (was, now) in enumerate(zip(before.silver.rows, after.silver.rows, strict=True), 1):
            for value in now:
                if value not in was:
                    yield Entry(Color.SILVER, value, row, False)
    if after.yellow is not before.yellow:
        for cell, old, new in zip(CELLS, before.yellow.cells, after.yellow.cells, strict=True):
            if old == CellMark.OPEN != new:
                yield Entry(Color.YELLOW, cell.value, cell.row, True)
            if old != CellMark.CROSSED == new:
                yield Entry(Color.YELLOW, cell.value, cell.row, False)
    for area in (Color.BLUE, Color.GREEN, Color.PINK):
        filled = len(numbers_in(before, area))
        for number in numbers_in(after, area)[filled:]:
            yield Entry(area, number, 0, False)
