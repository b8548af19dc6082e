"""Plays Doppelt so clever: weighs every action by what it makes of the sheet, and of the dice that are left.

    python -m croupier_bots.twice_as_clever

It looks one step ahead. A sheet is worth what its areas can be expected to bring by the end: how often each will still
be entered follows from the time that is left, and with that the points, bonuses and foxes that it will come by. What
it believes about that (`Weights`) was found by letting it play solo games.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import exp
from typing import NamedTuple

from croupier.games.twice_as_clever.v1 import twice_as_clever_pb2 as pb
from croupier_client import Turn, run
from croupier_games.game import Action
from croupier_games.twice_as_clever.actions import REROLL, ROLL, Extra, FreeEntry, Mark, Pick, ReturnDie, Skip, parse
from croupier_games.twice_as_clever.data import (
    BLUE_BONUSES,
    BLUE_POINTS,
    FACES,
    GREEN_BONUSES,
    GREEN_FACTORS,
    PINK_BONUSES,
    ROLLS,
    SILVER_COLUMN_BONUSES,
    SILVER_ROW_POINTS,
    YELLOW_POINTS,
    Bonus,
    Color,
)
from croupier_games.twice_as_clever.dice import chosen, lower
from croupier_games.twice_as_clever.entries import BLUE_SUMS, FREE, YELLOW_LINES, enter, has_entry, spend
from croupier_games.twice_as_clever.offers import entered_number, silver_marks, sweep_choices, yellow_marks
from croupier_games.twice_as_clever.sheet import Blue, CellMark, Green, Pink, Sheet, Silver, Track, Yellow
from croupier_games.twice_as_clever.view import Dice, Phase, View
from croupier_games.twice_as_clever.view import Turn as Where


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
    """What the bot believes, with this share of the game to come."""

    __slots__ = ("time", "weights", "worth")

    def __init__(self, time: float, weights: Weights) -> None:
        lasting = min(1.0, time / FADES)
        w = weights
        actions = (w.reroll * lasting, w.return_ * lasting, w.extra_die, 0.0)  # foxes are counted apart
        free = (w.free_silver, w.free_yellow, w.free_blue, w.free_green, w.free_pink)
        self.time = time
        self.weights = weights
        self.worth = (0.0, *actions, *free, max(free))
        """Of each bonus, by its number."""

    def passed(self, chances: Iterable[tuple[float, Bonus | None]]) -> tuple[float, float]:
        """The bonuses and the foxes that come with these chances."""
        bonuses = foxes = 0.0
        for likely, bonus in chances:
            if bonus == Bonus.FOX:
                foxes += likely
            elif bonus:
                bonuses += likely * self.worth[bonus]
        return bonuses, foxes


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


@lru_cache(maxsize=20_000)
def silver_promise(area: Silver, on: Outlook) -> Promise:
    """Rows grow evenly; a column comes the likelier the fewer of its cells are missing."""
    w, time = on.weights, on.time
    points = sum([between(SILVER_ROW_POINTS, len(row) + w.silver_row * time) for row in area.rows])
    often = 1 - exp(-w.silver_column * time)
    missing = [sum([value not in row for row in area.rows]) for value in FACES]
    columns = [(often**cells, bonus) for cells, bonus in zip(missing, SILVER_COLUMN_BONUSES, strict=True) if cells]
    return Promise(points, *on.passed(columns))


@lru_cache(maxsize=20_000)
def yellow_promise(area: Yellow, on: Outlook) -> Promise:
    """Most circled cells get crossed; what is entered beyond that crosses a cell every second time."""
    w, time = on.weights, on.time
    crossed, circled = area.cells.count(CellMark.CROSSED), area.cells.count(CellMark.CIRCLED)
    coming, easy = w.yellow * time, 0.8 * circled
    points = between(YELLOW_POINTS, crossed + min(coming, easy) + max(0.0, coming - easy) / 2)
    often = 1 - exp(-w.yellow_line * time)
    missing = [sum([area.cells[cell] == CellMark.OPEN for cell in cells]) for cells, _ in YELLOW_LINES]
    lines = [(often**cells, bonus) for cells, (_, bonus) in zip(missing, YELLOW_LINES, strict=True) if cells]
    return Promise(points, *on.passed(lines))


@lru_cache(maxsize=20_000)
def blue_promise(area: Blue, on: Outlook) -> Promise:
    """The lower the last number, the fewer sums fit."""
    w, time = on.weights, on.time
    filled = len(area.numbers)
    limit = area.numbers[-1] if area.numbers else BLUE_SUMS[-1]
    room = sum(one + two <= limit for one in FACES for two in FACES) / len(FACES) ** 2
    likely = odds(w.blue * time * room**w.blue_room, len(BLUE_BONUSES) - filled, w.spread)
    steps = [after - before for before, after in pairwise(BLUE_POINTS[filled:])]
    points = area.points + sum([chance * step for chance, step in zip(likely, steps, strict=True)])
    return Promise(points, *on.passed(zip(likely, BLUE_BONUSES[filled:], strict=True)))


@lru_cache(maxsize=20_000)
def green_promise(area: Green, on: Outlook) -> Promise:
    """A pair counts when its second slot is reached."""
    w, time = on.weights, on.time
    filled = len(area.numbers)
    likely = odds(w.green * time, len(GREEN_BONUSES) - filled, w.spread)
    points = float(area.points)
    for slot in range(filled | 1, len(GREEN_BONUSES), 2):
        first = area.numbers[slot - 1] if slot == filled else w.first_of_pair * GREEN_FACTORS[slot - 1]
        points += likely[slot - filled] * (first - w.second_of_pair * GREEN_FACTORS[slot])
    return Promise(points, *on.passed(zip(likely, GREEN_BONUSES[filled:], strict=True)))


@lru_cache(maxsize=20_000)
def pink_promise(area: Pink, on: Outlook) -> Promise:
    """Thresholds are met often, not always."""
    w, time = on.weights, on.time
    filled = len(area.numbers)
    likely = odds(w.pink * time, len(PINK_BONUSES) - filled, w.spread)
    bonuses, foxes = on.passed(zip(likely, PINK_BONUSES[filled:], strict=True))
    return Promise(area.points + w.pink_value * sum(likely), w.pink_bonus * bonuses, foxes)


def value(sheet: Sheet, on: Outlook) -> float:
    """What a sheet can be expected to be worth at the end."""
    areas = (
        silver_promise(sheet.silver, on),
        yellow_promise(sheet.yellow, on),
        blue_promise(sheet.blue, on),
        green_promise(sheet.green, on),
        pink_promise(sheet.pink, on),
    )
    total, foxes, lowest = 0.0, float(sheet.foxes), areas[0].points
    for points, bonuses, more in areas:
        total += points + bonuses
        foxes += more
        lowest = min(lowest, points)
    worth = on.worth
    total += sheet.rerolls.left * worth[Bonus.REROLL] + sheet.returns.left * worth[Bonus.RETURN]
    if on.time:
        total += sheet.extra_dice.left * worth[Bonus.EXTRA_DIE]
    return total + on.weights.fox * foxes * lowest


class Judge(NamedTuple):
    """A seat with what it sees, its own sheet, and what it thinks of what it could do."""

    view: View
    sheet: Sheet
    on: Outlook

    def weigh(self, action: Action) -> float:
        """What things are worth after an action."""
        dice, rolls = self.view.dice, ROLLS - self.view.turn.roll
        if isinstance(action, Pick):
            return self.after_pick(action)
        if isinstance(action, Mark | FreeEntry):
            return self.after_entry(self.sheet, action.area, action.value, action.row)
        if isinstance(action, Extra):
            return self.after_die(spend(self.sheet, Bonus.EXTRA_DIE), action.die, action.area)
        if isinstance(action, Skip):
            return self.value(self.sheet) + self.rolls(rolls, len(dice.available) - 1)
        if isinstance(action, ReturnDie):
            return self.value(spend(self.sheet, Bonus.RETURN)) + self.rolls(rolls, len(dice.available) + 1)
        if action == REROLL:
            return self.value(spend(self.sheet, Bonus.REROLL)) + self.rolls(rolls + 1, len(dice.available))
        return self.value(self.sheet) + (self.rolls(rolls, len(dice.available)) if action == ROLL else 0.0)

    def after_pick(self, action: Pick) -> float:
        """The entry, the dice that it leaves, and what silver sweeps."""
        worth = self.after_die(self.sheet, action.die, action.area)
        if self.view.phase != Phase.ACTIVE:
            return worth
        left = chosen(self.view.dice, action.die)
        swept = lower(left, action.die)
        if action.area == Color.SILVER:
            worth += self.sweep(self.view.dice, swept)
        return worth + self.rolls(ROLLS - self.view.turn.roll, len(left.available) - len(swept))

    def after_die(self, sheet: Sheet, die: Color, area: Color) -> float:
        """The best way to enter a die in an area."""
        number = entered_number(self.view.dice, die, area)
        if area == Color.SILVER:
            return max([self.after_entry(sheet, area, number, mark.row) for mark in silver_marks(sheet.silver, number)])
        if area == Color.YELLOW:
            return max([self.after_entry(sheet, area, number, mark.row) for mark in yellow_marks(sheet.yellow, number)])
        return self.after_entry(sheet, area, number, 0)

    def after_entry(self, sheet: Sheet, area: Color, number: int, row: int) -> float:
        """The sheet after an entry, and the free entries that it gives."""
        entered, gained = enter(sheet, area, number, row)
        free = [self.on.worth[bonus] for bonus in gained if bonus in FREE and has_entry(entered, bonus)]
        return self.value(entered) + sum(free)

    def sweep(self, dice: Dice, swept: tuple[Color, ...]) -> float:
        """What crossing silver for each of the swept dice brings."""
        now = self.value(self.sheet)
        total = 0.0
        for die in swept:
            marks = [mark for mark in sweep_choices(self.sheet, dice, (die,)) if isinstance(mark, Mark)]
            gains = [self.after_entry(self.sheet, mark.area, mark.value, mark.row) - now for mark in marks]
            total += max(gains, default=0.0)
        return total

    def value(self, sheet: Sheet) -> float:
        """What a sheet is worth to this seat now."""
        return value(sheet, self.on)

    def rolls(self, rolls: int, dice: float) -> float:
        """What so many rolls to come bring, the first with so many dice and each later one with fewer."""
        total = 0.0
        while rolls > 0 and dice >= 1:
            total += self.on.weights.roll + self.on.weights.die * dice
            rolls, dice = rolls - 1, dice - 1 - dice / 4
        return total


def time_left(view: View) -> float:
    """Which share of all turns is still to come, this one included until its extra dice."""
    turn, seats = view.turn, len(view.sheets)
    turns = max(seats, 2)  # a solo game has a passive turn in every round
    gone = int(turn.solo_passive) if seats == 1 else (turn.active - turn.starter) % seats
    gone += (turn.round - 1) * turns + (view.phase == Phase.EXTRA)
    return 1 - gone / (turn.rounds * turns)


def choose(view: View, seat: int, legal: Sequence[Action], weights: Weights = WEIGHTS) -> Action:
    """The action after which things are worth most; of equal ones the first."""
    if len(legal) == 1:
        return legal[0]
    return max(legal, key=Judge(view, view.sheets[seat], outlook(time_left(view), weights)).weigh)


def play(turn: Turn) -> str:
    """One decision."""
    view = turn.view
    if not isinstance(view, pb.View):
        raise TypeError(f"this bot plays twice_as_clever, not {turn.seating.game_id}")
    return str(choose(seen(view), turn.seat, [parse(notation) for notation in turn.legal]))


def seen(view: pb.View) -> View:
    """What a bot is sent, as the values that the rules work with; what a seat is in the middle of is left out."""
    turn, dice = view.turn, view.dice
    return View(
        Phase(view.phase),
        Where(
            turn.round,
            turn.rounds,
            turn.starter,
            turn.active,
            turn.roll,
            turn.rerolls,
            turn.solo_passive,
            _colors(turn.chosen_before),
        ),
        Dice(tuple(dice.pips), _colors(dice.available), _colors(dice.chosen), _colors(dice.tray)),
        tuple([_sheet(sheet) for sheet in view.sheets]),
        tuple(view.asked),
        None,
    )


def _sheet(sheet: pb.Sheet) -> Sheet:
    silver = sheet.silver
    return Sheet(
        Silver(tuple(silver.yellow), tuple(silver.blue), tuple(silver.green), tuple(silver.pink), silver.points),
        Yellow(tuple([CellMark(mark) for mark in sheet.yellow.cells]), sheet.yellow.points),
        Blue(tuple(sheet.blue.numbers), sheet.blue.points),
        Green(tuple(sheet.green.numbers), sheet.green.points),
        Pink(tuple(sheet.pink.numbers), sheet.pink.points),
        _track(sheet.rerolls),
        _track(sheet.returns),
        _track(sheet.extra_dice),
        sheet.foxes,
    )


def _track(track: pb.Track) -> Track:
    return Track(track.gained, track.used)


def _colors(colors: Iterable[int]) -> tuple[Color, ...]:
    return tuple([Color(color) for color in colors])


if __name__ == "__main__":
    run(play, events=False)
