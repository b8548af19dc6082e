"""Doppelt so clever as bytes: what is saved of a state, and read back only if it makes sense.

Of a sheet only the marks and the used actions are written: points, foxes and gained actions follow from them.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from croupier_games import saving
from croupier_games.game import Game, OptionValue
from croupier_games.saving import demand
from croupier_games.twice_as_clever import offers
from croupier_games.twice_as_clever.data import (
    BLUE_BONUSES,
    DICE,
    FACES,
    GRANTS,
    GREEN_BONUSES,
    GREEN_FACTORS,
    PINK_BONUSES,
    PINK_THRESHOLDS,
    ROLLS,
    ROUNDS,
    SILVER_COLUMN_BONUSES,
    SILVER_ROWS,
    SLOTS,
    TRACK_ENDS,
    TRACK_SPACES,
    Bonus,
    Color,
)
from croupier_games.twice_as_clever.entries import BLUE_SUMS, FREE, YELLOW_LINES, has_entry
from croupier_games.twice_as_clever.sheet import (
    CELLS,
    CellMark,
    Sheet,
    Track,
    blue,
    green,
    pink,
    silver,
    yellow,
)
from croupier_games.twice_as_clever.view import Dice, Phase, Step, Task, Turn
from croupier_games.twice_as_clever.windows import WINDOWS, opening


class Marks(NamedTuple):
    """All that is written of a sheet."""

    silver: tuple[tuple[int, ...], ...]
    yellow: tuple[CellMark, ...]
    blue: tuple[int, ...]
    green: tuple[int, ...]
    pink: tuple[int, ...]
    used: tuple[int, ...]


class Saved(NamedTuple):
    """All that is written of a state."""

    game: str
    version: int
    seats: int
    options: Mapping[str, OptionValue]
    seed: str
    phase: Phase
    turn: Turn
    dice: Dice
    sheets: tuple[Marks, ...]
    shown: tuple[Marks, ...]
    tasks: tuple[Task | None, ...]


def marks_of(sheet: Sheet) -> Marks:
    """What is written of a sheet."""
    used = (sheet.rerolls.used, sheet.returns.used, sheet.extra_dice.used)
    return Marks(
        sheet.silver.rows, sheet.yellow.cells, sheet.blue.numbers, sheet.green.numbers, sheet.pink.numbers, used
    )


def sheets_of(marks: tuple[Marks, ...], round_: int) -> tuple[Sheet, ...]:
    """The sheets of which these marks were written in this round."""
    return tuple(_sheet_of(one, round_) for one in marks)


def _sheet_of(marks: Marks, round_: int) -> Sheet:
    given = list(sources(marks, round_))
    ends = [end for action, end in TRACK_ENDS.items() if given.count(action) == TRACK_SPACES]
    foxes = [*given, *ends].count(Bonus.FOX)
    rerolls, returns, extra_dice = map(Track, map(given.count, TRACK_ENDS), marks.used)
    return Sheet(
        silver(marks.silver),
        yellow(marks.yellow),
        blue(marks.blue),
        green(marks.green),
        pink(marks.pink),
        rerolls,
        returns,
        extra_dice,
        foxes,
    )


def sources(marks: Marks, round_: int) -> Iterator[Bonus]:
    """Every printed bonus that these marks and the rounds up to this one have given, ends of tracks aside."""
    columns = [all(value in row for row in marks.silver) for value in FACES]
    lines = [all(marks.yellow[cell] != CellMark.OPEN for cell in cells) for cells, _ in YELLOW_LINES]
    reached = [value >= threshold for value, threshold in zip(marks.pink, PINK_THRESHOLDS, strict=False)]
    given = (
        *GRANTS[:round_],
        *(bonus for bonus, full in zip(SILVER_COLUMN_BONUSES, columns, strict=True) if full),
        *(bonus for (_, bonus), full in zip(YELLOW_LINES, lines, strict=True) if full),
        *BLUE_BONUSES[: len(marks.blue)],
        *GREEN_BONUSES[: len(marks.green)],
        *(bonus for bonus, enough in zip(PINK_BONUSES, reached, strict=False) if enough),
    )
    return (bonus for bonus in given if bonus)


def load(game: Game, data: bytes) -> Saved:
    """What was saved, or RestoreError: the types are right and the parts fit together."""
    saved = saving.load(Saved, game, data)
    _check_turn(saved)
    _check_dice(saved)
    for marks in (*saved.sheets, *saved.shown):
        _check_marks(marks)
    demand(len(saved.sheets) == saved.seats, "every seat has a sheet")
    sheets = sheets_of(saved.sheets, saved.turn.round)
    for sheet in (*sheets, *sheets_of(saved.shown, saved.turn.round)):
        demand(all(0 <= track.used <= track.gained for track in sheet[5:8]), "only what is gained can be used")
    demand(len(saved.tasks) == saved.seats, "tasks are listed by seat")
    if saved.phase in WINDOWS:
        _check_window(saved)
    else:
        asked = [seat for seat, task in enumerate(saved.tasks) if task]
        demand(asked == ([saved.turn.active] if saved.phase is Phase.ACTIVE else []), "who is asked has a task")
        demand(not saved.shown, "nothing is hidden outside windows")
    for task, sheet in zip(saved.tasks, sheets, strict=True):
        if task:
            _check_task(saved, task, sheet)
    return saved


def _check_turn(saved: Saved) -> None:
    turn, seats = saved.turn, saved.seats
    demand(turn.rounds == ROUNDS[seats] and 1 <= turn.round <= turn.rounds, "the round is one of the game")
    demand(0 <= turn.starter < seats and 0 <= turn.active < seats, "seats are seats of the table")
    demand(saved.options.get("start_seat", turn.starter) == turn.starter, "the start seat starts")
    demand(not turn.solo_passive or seats == 1, "only solo games have passive turns of their own")
    before = turn.chosen_before
    demand(turn.solo_passive or not before, "only there is a turn before this one")
    demand(len(set(before)) == len(before) <= ROLLS, "a die is chosen once")
    rolling = saved.phase is Phase.ACTIVE
    demand((1 if rolling else 0) <= turn.roll <= ROLLS and 0 <= turn.rerolls <= TRACK_SPACES, "rolls are counted")
    demand(not turn.solo_passive or saved.phase in (Phase.PASSIVE, Phase.EXTRA, Phase.OVER), "nobody is active")


def _check_dice(saved: Saved) -> None:
    dice = saved.dice
    demand(len(dice.pips) == len(DICE) and set(dice.pips) <= set(FACES), "every die shows a face")
    lying = (*dice.available, *dice.chosen, *dice.tray)
    demand(sorted(lying) == list(DICE), "every die lies in one place")
    demand(list(dice.available) == sorted(dice.available), "available dice are sorted")
    demand(list(dice.tray) == sorted(dice.tray), "dice on the tray are sorted")
    demand(len(dice.chosen) <= ROLLS, "there are no more fields than rolls")
    demand(saved.phase is Phase.ACTIVE or not dice.available, "what is not chosen goes to the tray")


def _check_marks(marks: Marks) -> None:
    demand(len(marks.silver) == len(SILVER_ROWS), "silver has its rows")
    for row in marks.silver:
        demand(set(row) <= set(FACES) and list(row) == sorted(set(row)), "a row of silver is crossed in order")
    demand(len(marks.yellow) == CELLS, "yellow has its cells")
    for area, numbers in ((Color.BLUE, marks.blue), (Color.GREEN, marks.green), (Color.PINK, marks.pink)):
        demand(len(numbers) <= SLOTS[area], f"{area} has no more slots")
    falling = all(one >= two for one, two in pairwise(marks.blue))
    demand(set(marks.blue) <= set(BLUE_SUMS) and falling, "the numbers in blue are sums and do not rise")
    products = zip(marks.green, GREEN_FACTORS, strict=False)
    demand(all(number % factor == 0 and number // factor in FACES for number, factor in products), "green is filled")
    demand(set(marks.pink) <= set(FACES), "pink holds faces")
    demand(len(marks.used) == len(TRACK_ENDS), "there are three actions")


def _check_window(saved: Saved) -> None:
    demand(len(saved.shown) == saved.seats, "in a window every seat shows a sheet")
    shown = sheets_of(saved.shown, saved.turn.round)
    first = opening(saved.phase, saved.turn, shown)
    demand(any(saved.tasks), "a window is open while somebody is asked")
    for before, after, task, start in zip(saved.shown, saved.sheets, saved.tasks, first, strict=True):
        demand(start or (task is None and before == after), "who is not asked does nothing")
        demand(_grew(before, after), "what is entered stays")


def _grew(before: Marks, after: Marks) -> bool:
    silver_grew = all(set(one) <= set(two) for one, two in zip(before.silver, after.silver, strict=True))
    yellow_grew = all(one <= two for one, two in zip(before.yellow, after.yellow, strict=True))
    return (
        silver_grew
        and yellow_grew
        and all(now[: len(was)] == was for was, now in zip(before[2:5], after[2:5], strict=True))
    )


def _check_task(saved: Saved, task: Task, sheet: Sheet) -> None:
    step, active = task.step, saved.phase is Phase.ACTIVE
    fitting = {
        Phase.ACTIVE: set(Step) - {Step.FINISH},
        Phase.GRANT: {Step.BONUS, Step.FINISH},
        Phase.PASSIVE: {Step.CHOOSE, Step.MARK, Step.BONUS, Step.FINISH},
        Phase.EXTRA: {Step.CHOOSE, Step.MARK, Step.BONUS},
    }[saved.phase]
    demand(step in fitting, "the step is one of the phase")
    entering = step in (Step.MARK, Step.BONUS)
    demand(entering or (task.area is None and not task.value), "a die is entered before anything else")
    demand(not active or task.area is None or saved.dice.chosen, "the die that is entered has been chosen")
    demand(len(set(task.used)) == len(task.used), "an extra die is used once")
    demand(not task.used or saved.phase is Phase.EXTRA, "extra dice come last")
    demand(set(task.sweep) <= set(saved.dice.tray) and (active or not task.sweep), "swept dice are on the tray")
    demand((step is Step.BONUS) == bool(task.pending), "bonuses are used at once")
    possible = all(bonus in FREE and has_entry(sheet, bonus) for bonus in task.pending)
    demand(possible and list(task.pending) == sorted(task.pending), "pending bonuses are entries that can be made")
    if step is Step.MARK:
        demand(task.area in (Color.SILVER, Color.YELLOW) and task.value in FACES, "cells are marked with a face")
    if step is Step.RETURN:
        demand(sheet.returns.left and saved.dice.tray and saved.turn.roll < ROLLS, "a return is possible")
    if step is Step.CHOOSE and active:
        demand(saved.dice.available, "dice are rolled")
    legal = offers.legal(saved.phase, task, sheet, saved.dice, saved.options["allow_skip"] is True)
    demand(len(legal) > (step is Step.SWEEP), "there is something to do")
