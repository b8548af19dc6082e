"""Plays Doppelt so clever: weighs every action by what it makes of the sheet, and of the dice that are left.

    python -m croupier_bots.twice_as_clever

It looks one step ahead. What a sheet is worth is in twice_as_clever_worth.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from croupier.games.twice_as_clever.v1 import twice_as_clever_pb2 as pb
from croupier_bots.twice_as_clever_worth import (
    WEIGHTS,
    Outlook,
    Weights,
    outlook,
    promises_of,
    silver_prospect,
    slot_prospect,
    summed,
    yellow_prospect,
)
from croupier_client import Turn, run
from croupier_games.game import Action
from croupier_games.twice_as_clever.actions import REROLL, ROLL, Extra, FreeEntry, Mark, Pick, ReturnDie, Skip, parse
from croupier_games.twice_as_clever.data import (
    AREAS,
    ROLLS,
    TRACK_ENDS,
    TRACK_SPACES,
    Bonus,
    Color,
)
from croupier_games.twice_as_clever.dice import lower
from croupier_games.twice_as_clever.entries import (
    FREE,
    action_track,
    has_entry,
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
)
from croupier_games.twice_as_clever.view import Dice, Phase, View
from croupier_games.twice_as_clever.view import Turn as Where


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
