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
    AREAS,
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
    TRACK_ENDS,
    TRACK_SPACES,
    YELLOW_GRID,
    YELLOW_POINTS,
    Bonus,
    Color,
)
from croupier_games.twice_as_clever.dice import lower
from croupier_games.twice_as_clever.entries import (
    BLUE_SUMS,
    CELL_AT,
    CELLS,
    FREE,
    YELLOW_LINES,
    Cell,
    action_track,
    has_entry,
    numbers_in,
)
from croupier_games.twice_as_clever.offers import entered_number, silver_marks, sweep_choices, yellow_marks
from croupier_games.twice_as_clever.sheet import (
    Blue,
    CellMark,
    Green,
    Pink,
    Sheet,
    Silver,
    Track,
    Yellow,
    blue,
    green,
    pink,
)
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


class Judge:
    """A seat with what it sees, its own sheet, and what it thinks of what it could do."""

    __slots__ = ("now", "on", "others", "promises", "sheet", "view")

    def __init__(self, view: View, sheet: Sheet, on: Outlook) -> None:
        self.view = view
        self.sheet = sheet
        self.on = on
        self.promises = promises_of(sheet, on)
        total, foxes = summed(sheet, self.promises, on)
        low, next_low = sorted([area.points for area in self.promises])[:2]
        self.now = total + on.weights.fox * foxes * low
        """What the sheet is worth."""
        self.others = [
            (total - area.points - area.bonuses, foxes - area.foxes, next_low if area.points == low else low)
            for area in self.promises
        ]
        """By area, as an entry changes only one: the worth, foxes and lowest points of all the rest."""

    def weigh(self, action: Action) -> float:
        """What things are worth after an action."""
        # Not isinstance, which takes its time with abstract classes.
        if type(action) is Pick:
            return self.after_pick(action)
        if type(action) is Mark or type(action) is FreeEntry:
            return self.after_entry(action.area, action.value, action.row)
        if type(action) is Extra:
            return self.after_die(action.die, action.area) - self.on.worth[Bonus.EXTRA_DIE]
        available, rolls = len(self.view.dice.available), ROLLS - self.view.turn.roll
        if type(action) is Skip:
            return self.now + self.on.rolls[rolls][available - 1]
        if type(action) is ReturnDie:
            return self.now - self.on.worth[Bonus.RETURN] + self.on.rolls[rolls][available + 1]
        if action == REROLL:
            return self.now - self.on.worth[Bonus.REROLL] + self.on.rolls[rolls + 1][available]
        return self.now + (self.on.rolls[rolls][available] if action == ROLL else 0.0)

    def after_pick(self, action: Pick) -> float:
        """The entry, the dice that it leaves, and what silver sweeps."""
        worth = self.after_die(action.die, action.area)
        if self.view.phase != Phase.ACTIVE:
            return worth
        dice = self.view.dice
        swept = lower(dice, action.die)
        if action.area == Color.SILVER:
            worth += self.sweep(dice, swept)
        return worth + self.on.rolls[ROLLS - self.view.turn.roll][len(dice.available) - 1 - len(swept)]

    def after_die(self, die: Color, area: Color) -> float:
        """The best way to enter a die in an area."""
        number = entered_number(self.view.dice, die, area)
        if area == Color.SILVER:
            marks = silver_marks(self.sheet.silver, number)
        elif area == Color.YELLOW:
            marks = yellow_marks(self.sheet.yellow, number)
        else:
            return self.after_entry(area, number, 0)
        return max([self.after_entry(area, number, mark.row) for mark in marks])

    def after_entry(self, color: Color, number: int, row: int) -> float:
        """What the sheet is worth after an entry, with the bonuses that it gives."""
        sheet, place = self.sheet, color - AREAS[0]
        if color == Color.SILVER:
            promise, printed = silver_prospect(sheet.silver, self.promises[place], self.on, number, row)
        elif color == Color.YELLOW:
            promise, printed = yellow_prospect(sheet.yellow, self.promises[place], self.on, number, row)
        else:
            promise, printed = slot_prospect(sheet, self.on, color, number)
        (points, bonuses, more), (total, foxes, lowest) = promise, self.others[place]
        total += points + bonuses
        foxes += more
        for bonus in self.gained(printed) if printed else ():
            foxes += bonus == Bonus.FOX
            if bonus not in FREE or has_entry(sheet, bonus):
                total += self.on.worth[bonus]
        return total + self.on.weights.fox * foxes * min(points, lowest)

    def gained(self, printed: Sequence[Bonus]) -> list[Bonus]:
        """All that comes with these bonuses: an action may be the last of its track."""
        last = [TRACK_ENDS[bonus] for bonus in printed if bonus in TRACK_ENDS and self.is_last(bonus)]
        return [*printed, *last]

    def is_last(self, action: Bonus) -> bool:
        """Whether one more circle fills the track of an action."""
        return action_track(self.sheet, action).gained == TRACK_SPACES - 1

    def sweep(self, dice: Dice, swept: tuple[Color, ...]) -> float:
        """What crossing silver for each of the swept dice brings."""
        total = 0.0
        for die in swept:
            marks = [mark for mark in sweep_choices(self.sheet, dice, (die,)) if type(mark) is Mark]
            total += max([self.after_entry(mark.area, mark.value, mark.row) - self.now for mark in marks], default=0.0)
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
