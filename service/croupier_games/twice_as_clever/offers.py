"""Which actions are legal: the lists a seat is offered, each of them one object for all tables where that is possible.

The wire encodes a list it has seen before only once, so lists are looked up by what they depend on.
"""

from functools import lru_cache

from croupier_games.game import Action
from croupier_games.twice_as_clever.actions import (
    DONE,
    EXTRAS,
    FREE_ENTRIES,
    MARKS,
    PICKS,
    REROLL,
    RETURNS,
    ROLL,
    SKIPS,
    WAYS,
    Mark,
)
from croupier_games.twice_as_clever.data import AREA_OF, AREAS, DICE, FACES, SILVER_ROWS, SLOTS, Bonus, Color
from croupier_games.twice_as_clever.entries import (
    BLUE_SUMS,
    CELLS,
    CELLS_OF,
    SILVER_ROW_NUMBERS,
    blue_limit,
    can_enter,
    numbers_in,
)
from croupier_games.twice_as_clever.sheet import CellMark, Sheet, Silver, Yellow
from croupier_games.twice_as_clever.view import Dice, Phase, Step, Task

Offer = tuple[Action, ...]

_WAYS_OF = {die: tuple((1 << bit, area) for bit, (one, area) in enumerate(WAYS) if one == die) for die in DICE}
_ONLY_DONE: Offer = (DONE,)
_WHITE, _BLUE = Color.WHITE - 1, Color.BLUE - 1
"""Where these two are among the pips."""


def legal(phase: Phase, task: Task, sheet: Sheet, dice: Dice, allow_skip: bool) -> Offer:
    """What a seat in the middle of this task may do."""
    step = task.step
    if step == Step.CHOOSE:
        if phase == Phase.ACTIVE:
            return active_choices(sheet, dice, allow_skip)
        return passive_choices(sheet, dice) if phase == Phase.PASSIVE else extra_choices(sheet, dice, task.used)
    if step == Step.BONUS:
        return free_entries(sheet, task.pending)
    if step == Step.MARK:
        in_silver = task.area == Color.SILVER
        return silver_marks(sheet.silver, task.value) if in_silver else yellow_marks(sheet.yellow, task.value)
    if step == Step.RETURN:
        return _returns(dice.tray, bool(dice.available))
    return sweep_choices(sheet, dice, task.sweep) if step == Step.SWEEP else _ONLY_DONE


def entered_number(dice: Dice, die: Color, area: Color) -> int:
    """What a die counts in an area: in blue both dice together, wherever they lie (TAC-2.4)."""
    return dice.shows(Color.BLUE) + dice.shows(Color.WHITE) if area == Color.BLUE else dice.shows(die)


def ways(sheet: Sheet, dice: Dice, some: tuple[Color, ...]) -> int:
    """Which of `WAYS` some of the dice can be entered in, as bits."""
    pips, fitting = dice.pips, 0
    for die in some:
        for bit, area in _WAYS_OF[die]:
            number = pips[_WHITE] + pips[_BLUE] if area == Color.BLUE else pips[die - 1]
            if can_enter(sheet, area, number):
                fitting |= bit
    return fitting


def active_choices(sheet: Sheet, dice: Dice, allow_skip: bool) -> Offer:
    """Of a roll: the dice that can be entered, the re-roll, and the dice to skip it with (TAC-1.4, TAC-4.1)."""
    picks = ways(sheet, dice, dice.available)
    return _choices(picks, sheet.rerolls.left > 0, dice.available if allow_skip or not picks else ())


@lru_cache(maxsize=20_000)
def _choices(picks: int, reroll: bool, skips: tuple[Color, ...]) -> Offer:
    again = (REROLL,) if reroll else ()
    return (*_chosen(PICKS, picks), *again, *(SKIPS[die - 1] for die in skips))


def passive_choices(sheet: Sheet, dice: Dice) -> Offer:
    """The dice on the tray; only if none of them can be entered, those on the fields; or none (TAC-3.1, TAC-3.2)."""
    return _picks_or_done(ways(sheet, dice, dice.tray) or ways(sheet, dice, dice.chosen))


def extra_choices(sheet: Sheet, dice: Dice, used: tuple[Color, ...]) -> Offer:
    """Every die not yet used so in this turn, if an extra die is left (TAC-4.3)."""
    if not sheet.extra_dice.left:
        return _ONLY_DONE
    return _extras_or_done(ways(sheet, dice, tuple([die for die in DICE if die not in used])))


@lru_cache(maxsize=1 << len(WAYS))
def _picks_or_done(which: int) -> Offer:
    return (*_chosen(PICKS, which), DONE)


@lru_cache(maxsize=1 << len(WAYS))
def _extras_or_done(which: int) -> Offer:
    return (*_chosen(EXTRAS, which), DONE)


def _chosen(actions: tuple[Action, ...], which: int) -> Offer:
    return tuple(action for bit, action in enumerate(actions) if which >> bit & 1)


@lru_cache(maxsize=128)
def _returns(tray: tuple[Color, ...], any_available: bool) -> Offer:
    return (*(RETURNS[die - 1] for die in tray), ROLL if any_available else DONE)


@lru_cache(maxsize=4_096)
def silver_marks(silver: Silver, value: int) -> tuple[Mark, ...]:
    """The rows in which a value is not crossed (TAC-2.1)."""
    open_rows = [row for row, crossed in enumerate(silver.rows, 1) if value not in crossed]
    return tuple(MARKS[Color.SILVER, value, row] for row in open_rows)


@lru_cache(maxsize=4_096)
def yellow_marks(yellow: Yellow, value: int) -> tuple[Mark, ...]:
    """The cells of a value that can be circled or crossed (TAC-2.3)."""
    cells = [CELLS[place] for place in CELLS_OF[value] if yellow.cells[place] != CellMark.CROSSED]
    return tuple(MARKS[Color.YELLOW, value, cell.row] for cell in cells)


def sweep_choices(sheet: Sheet, dice: Dice, sweep: tuple[Color, ...]) -> Offer:
    """The cells that the dice swept to the tray can cross, row by row; then no more (TAC-2.1)."""
    return _sweep_choices(sheet.silver, tuple([(die, dice.shows(die)) for die in sweep]))


@lru_cache(maxsize=4_096)
def _sweep_choices(silver: Silver, swept: tuple[tuple[Color, int], ...]) -> Offer:
    """A coloured die crosses in its row, white and silver in any."""
    spots = {
        (row, value)
        for die, value in swept
        for row, color in enumerate(SILVER_ROWS, 1)
        if (color == die or die not in SILVER_ROWS) and value not in silver.rows[row - 1]
    }
    return (*(MARKS[Color.SILVER, value, row] for row, value in sorted(spots)), DONE)


def free_entries(sheet: Sheet, pending: tuple[Bonus, ...]) -> Offer:
    """All that the pending bonuses can be used for, area by area (TAC-5.1, TAC-5.2)."""
    if len(pending) == 1 and pending[0] != Bonus.ANY:
        return _free_in(sheet, AREA_OF[pending[0]])
    wanted = AREAS if Bonus.ANY in pending else [AREA_OF[bonus] for bonus in sorted(set(pending))]
    return tuple([action for area in wanted for action in _free_in(sheet, area)])


def _free_in(sheet: Sheet, area: Color) -> Offer:
    if area == Color.SILVER:
        return _free_silver(sheet.silver)
    if area == Color.YELLOW:
        return _free_yellow(sheet.yellow)
    if area == Color.BLUE:
        return _FREE_BLUE[blue_limit(sheet)]
    return _FREE_FACES[area] if len(numbers_in(sheet, area)) < SLOTS[area] else ()


@lru_cache(maxsize=4_096)
def _free_silver(silver: Silver) -> Offer:
    cells = [(row, value) for row in SILVER_ROW_NUMBERS for value in FACES if value not in silver.rows[row - 1]]
    return tuple(FREE_ENTRIES[Color.SILVER, value, row] for row, value in cells)


@lru_cache(maxsize=4_096)
def _free_yellow(yellow: Yellow) -> Offer:
    cells = [cell for cell, mark in zip(CELLS, yellow.cells, strict=True) if mark != CellMark.CROSSED]
    return tuple(FREE_ENTRIES[Color.YELLOW, cell.value, cell.row] for cell in cells)


_FREE_BLUE: dict[int, Offer] = {0: ()} | {
    limit: tuple(FREE_ENTRIES[Color.BLUE, number, 0] for number in BLUE_SUMS if number <= limit) for limit in BLUE_SUMS
}
_FREE_FACES: dict[Color, Offer] = {
    area: tuple(FREE_ENTRIES[area, value, 0] for value in FACES) for area in (Color.GREEN, Color.PINK)
}
