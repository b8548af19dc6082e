"""Plays Doppelt so clever: weighs every action by what it makes of the sheet, and of the dice that are left.

    python -m croupier_bots.twice_as_clever

It looks one step ahead. What a sheet is worth is what its areas can be expected to bring by the end, given how often
they will be entered in the time that is left, and the bonuses and foxes that they pass on the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from math import exp
from typing import NamedTuple

from croupier_client import Turn, run
from croupier_games.game import Action
from croupier_games.twice_as_clever.actions import DONE, REROLL, ROLL, Extra, FreeEntry, Mark, Pick, ReturnDie, Skip
from croupier_games.twice_as_clever.data import (
    BLUE_BONUSES,
    BLUE_POINTS,
    FACES,
    GREEN_BONUSES,
    GREEN_FACTORS,
    PINK_BONUSES,
    PINK_THRESHOLDS,
    ROLLS,
    SILVER_COLUMN_BONUSES,
    SILVER_ROW_POINTS,
    SILVER_ROWS,
    TRACK_ENDS,
    TRACK_SPACES,
    YELLOW_POINTS,
    Bonus,
    Color,
)
from croupier_games.twice_as_clever.dice import chosen, lower
from croupier_games.twice_as_clever.entries import FREE, YELLOW_LINES, blue_limit, enter, has_entry, spend
from croupier_games.twice_as_clever.offers import entered_number, silver_marks, yellow_marks
from croupier_games.twice_as_clever.sheet import Blue, CellMark, Green, Pink, Sheet, Silver, Track, Yellow
from croupier_games.twice_as_clever.view import Dice, Phase, Step, View


class Weights(NamedTuple):
    """What the bot believes; found by letting it play many games."""

    silver_pace: float = 2.0  # entries to come in a whole game, per row
    yellow_pace: float = 9.0
    blue_pace: float = 8.0
    green_pace: float = 7.0
    pink_pace: float = 7.0
    spread: float = 1.2  # how far the true number of entries lies from that
    column: float = 0.5  # entries to come per cell of a silver column
    line: float = 0.8  # ... of a yellow line
    reroll: float = 2.0  # what actions are worth in time, and free entries at any time
    returning: float = 2.0
    extra_die: float = 6.0
    silver: float = 6.0
    yellow: float = 8.0
    blue: float = 8.0
    green: float = 8.0
    pink: float = 8.0
    green_high: float = 4.7  # what is entered on average in the first and second of a pair
    green_low: float = 1.8
    pink_high: float = 4.3
    pink_hit: float = 0.75  # how often the threshold of a pink slot is met
    fox_share: float = 1.0
    roll_first: float = 3.0  # what one more die to choose from one roll brings
    roll_more: float = 1.2
    blue_shape: float = 0.5


W = Weights()


class Promise(NamedTuple):
    """What an area can be expected to bring."""

    points: float
    bonuses: float
    foxes: float


_SUMS = [sum(one + two <= limit for one in FACES for two in FACES) / len(FACES) ** 2 for limit in range(13)]


def worth(bonus: Bonus | None, time: float, w: Weights) -> float:
    """What a bonus is worth; foxes are counted apart."""
    if bonus is None or bonus == Bonus.FOX:
        return 0.0
    if bonus == Bonus.REROLL:
        return w.reroll * min(1.0, 3 * time)
    if bonus == Bonus.RETURN:
        return w.returning * min(1.0, 3 * time)
    if bonus == Bonus.EXTRA_DIE:
        return w.extra_die
    return {Bonus.SILVER: w.silver, Bonus.YELLOW: w.yellow, Bonus.BLUE: w.blue, Bonus.GREEN: w.green}.get(bonus, w.pink)


@lru_cache(maxsize=100_000)
def reached(steps: int, pace: float, spread: float) -> float:
    """How likely at least so many entries come, if this many are expected."""
    if pace <= 0:
        return 0.0
    return 1 / (1 + exp((steps - 0.5 - pace) / (spread * min(1.0, 0.2 + pace / 4))))


def between(points: Sequence[int], at: float) -> float:
    """The points of a whole number of entries, or between two of them."""
    at = min(at, len(points) - 1)
    below = int(at)
    return points[below] + (at - below) * (points[min(below + 1, len(points) - 1)] - points[below])


@lru_cache(maxsize=50_000)
def silver_promise(area: Silver, time: float, w: Weights) -> Promise:
    points = sum([between(SILVER_ROW_POINTS, len(row) + w.silver_pace * time) for row in area.rows])
    bonuses = foxes = 0.0
    often = 1 - exp(-w.column * 4 * time)
    for value, bonus in zip(FACES, SILVER_COLUMN_BONUSES, strict=True):
        missing = sum([value not in row for row in area.rows])
        if missing:
            likely = often**missing
            if bonus == Bonus.FOX:
                foxes += likely
            bonuses += likely * worth(bonus, time, w)
    return Promise(points, bonuses, foxes)


@lru_cache(maxsize=50_000)
def yellow_promise(area: Yellow, time: float, w: Weights) -> Promise:
    crossed, circled = area.cells.count(CellMark.CROSSED), area.cells.count(CellMark.CIRCLED)
    coming = w.yellow_pace * time
    points = between(YELLOW_POINTS, crossed + min(coming, circled * 0.8) + max(0.0, coming - circled * 0.8) / 2)
    bonuses = foxes = 0.0
    often = 1 - exp(-w.line * 4 * time)
    for cells, bonus in YELLOW_LINES:
        missing = sum([area.cells[cell] == CellMark.OPEN for cell in cells])
        if missing:
            likely = often**missing
            if bonus == Bonus.FOX:
                foxes += likely
            bonuses += likely * worth(bonus, time, w)
    return Promise(points, bonuses, foxes)


def slots_promise(filled: int, printed: Sequence[Bonus | None], odds: Sequence[float], time: float, w: Weights) -> tuple[float, float]:
    bonuses = foxes = 0.0
    for slot in range(filled, len(printed)):
        likely = odds[slot - filled]
        if printed[slot] == Bonus.FOX:
            foxes += likely
        bonuses += likely * worth(printed[slot], time, w)
    return bonuses, foxes


@lru_cache(maxsize=50_000)
def blue_promise(area: Blue, time: float, w: Weights) -> Promise:
    filled = len(area.numbers)
    limit = area.numbers[-1] if area.numbers else 12
    pace = w.blue_pace * time * _SUMS[limit] ** w.blue_shape
    odds = [reached(steps, pace, w.spread) for steps in range(1, 13 - filled)]
    points = area.points + sum([likely * (BLUE_POINTS[filled + step] - BLUE_POINTS[filled + step - 1]) for step, likely in enumerate(odds, 1)])
    return Promise(points, *slots_promise(filled, BLUE_BONUSES, odds, time, w))


@lru_cache(maxsize=50_000)
def green_promise(area: Green, time: float, w: Weights) -> Promise:
    filled = len(area.numbers)
    odds = [reached(steps, w.green_pace * time, w.spread) for steps in range(1, 13 - filled)]
    points: float = area.points
    for slot in range(filled, 12):
        likely = odds[slot - filled]
        if slot % 2:
            first = area.numbers[slot - 1] if slot == filled else w.green_high * GREEN_FACTORS[slot - 1]
            points += likely * (first - w.green_low * GREEN_FACTORS[slot])
    return Promise(points, *slots_promise(filled, GREEN_BONUSES, odds, time, w))


@lru_cache(maxsize=50_000)
def pink_promise(area: Pink, time: float, w: Weights) -> Promise:
    filled = len(area.numbers)
    odds = [reached(steps, w.pink_pace * time, w.spread) for steps in range(1, 13 - filled)]
    points = area.points + w.pink_high * sum(odds)
    bonuses, foxes = slots_promise(filled, PINK_BONUSES, odds, time, w)
    return Promise(points, bonuses * w.pink_hit, foxes * 0.95)


def value(sheet: Sheet, time: float, w: Weights = W) -> float:
    """What the sheet promises to be worth at the end, with this share of the game to come."""
    areas = (
        silver_promise(sheet.silver, time, w),
        yellow_promise(sheet.yellow, time, w),
        blue_promise(sheet.blue, time, w),
        green_promise(sheet.green, time, w),
        pink_promise(sheet.pink, time, w),
    )
    foxes, lowest, total = float(sheet.foxes), 1e9, 0.0
    for points, bonuses, more in areas:
        total += points + bonuses
        foxes += more
        lowest = min(lowest, points)
    return total + foxes * lowest * w.fox_share + actions_value(sheet, time, w)


def actions_value(sheet: Sheet, time: float, w: Weights) -> float:
    left = min(1.0, 3 * time)
    rerolls = w.reroll * left * sheet.rerolls.left
    returns = w.returning * left * sheet.returns.left
    return rerolls + returns + w.extra_die * (sheet.extra_dice.left if time else 0)


def after_entry(sheet: Sheet, area: Color, number: int, row: int, time: float, w: Weights) -> float:
    """What the sheet is worth once something is entered, with the free entries that this gives."""
    entered, gained = enter(sheet, area, number, row)
    free = sum([worth(bonus, time, w) for bonus in gained if bonus in FREE and has_entry(entered, bonus)])
    return value(entered, time, w) + free


def best_entry(sheet: Sheet, area: Color, number: int, time: float, w: Weights) -> float:
    if area == Color.SILVER:
        return max([after_entry(sheet, area, number, mark.row, time, w) for mark in silver_marks(sheet.silver, number)])
    if area == Color.YELLOW:
        return max([after_entry(sheet, area, number, mark.row, time, w) for mark in yellow_marks(sheet.yellow, number)])
    return after_entry(sheet, area, number, 0, time, w)


def rolls_value(rolls: int, dice: int, w: Weights) -> float:
    """What so many more rolls bring, beginning with so many dice."""
    total = 0.0
    left = float(dice)
    for _ in range(rolls):
        if left < 0.5:
            break
        total += w.roll_first + w.roll_more * left
        left -= 1 + left / 4
    return total


def swept_gain(sheet: Sheet, dice: Dice, swept: Sequence[Color], time: float, w: Weights) -> float:
    base = value(sheet, time, w)
    gain = 0.0
    for die in swept:
        number = dice.shows(die)
        rows = [row for row, color in enumerate(SILVER_ROWS, 1) if (color == die or die == Color.WHITE or die == Color.SILVER) and number not in sheet.silver.rows[row - 1]]
        if rows:
            gain += max(0.0, max([after_entry(sheet, Color.SILVER, number, row, time, w) for row in rows]) - base)
    return gain


def weigh(view: View, seat: int, action: Action, time: float, w: Weights) -> float:
    """What things are worth after an action."""
    sheet, dice, turn = view.sheets[seat], view.dice, view.turn
    rolls = ROLLS - turn.roll if view.phase == Phase.ACTIVE else 0
    if isinstance(action, Pick):
        after = best_entry(sheet, action.area, entered_number(dice, action.die, action.area), time, w)
        if view.phase != Phase.ACTIVE:
            return after
        left = chosen(dice, action.die)
        swept = lower(left, action.die)
        if action.area == Color.SILVER:
            after += swept_gain(sheet, dice, swept, time, w)
        return after + rolls_value(rolls, len(left.available) - len(swept), w)
    if isinstance(action, Extra):
        return best_entry(spend(sheet, Bonus.EXTRA_DIE), action.area, entered_number(dice, action.die, action.area), time, w)
    if isinstance(action, Mark | FreeEntry):
        return after_entry(sheet, action.area, action.value, action.row, time, w)
    if isinstance(action, Skip):
        return value(sheet, time, w) + rolls_value(rolls, len(dice.available) - 1, w)
    if action == REROLL:
        return value(spend(sheet, Bonus.REROLL), time, w) + rolls_value(rolls + 1, len(dice.available), w)
    if isinstance(action, ReturnDie):
        return value(spend(sheet, Bonus.RETURN), time, w) + rolls_value(rolls, len(dice.available) + 1, w)
    if action == ROLL:
        return value(sheet, time, w) + rolls_value(rolls, len(dice.available), w)
    return value(sheet, time, w)  # done


def time_left(view: View) -> float:
    """Which share of the own entries is still to come."""
    turn, seats = view.turn, len(view.sheets)
    per_round = max(seats, 2)
    passed = (turn.active - turn.starter) % seats if seats > 1 else int(turn.solo_passive)
    done = (turn.round - 1) * per_round + passed
    if view.phase == Phase.EXTRA:
        done += 1
    return 1 - done / (turn.rounds * per_round)


def choose(view: View, seat: int, legal: Sequence[Action], w: Weights = W) -> Action:
    """The action after which things are worth most."""
    if len(legal) == 1:
        return legal[0]
    time = round(time_left(view), 3)
    return max(legal, key=lambda action: weigh(view, seat, action, time, w))
