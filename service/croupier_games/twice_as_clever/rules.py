"""The rules of Doppelt so clever: one play of it, step by step. Rule numbers: docs/rules/twice_as_clever.md."""

from __future__ import annotations

from itertools import count

from croupier_games.chance import Chance
from croupier_games.errors import IllegalAction
from croupier_games.game import Action
from croupier_games.twice_as_clever import offers
from croupier_games.twice_as_clever.actions import (
    DONE,
    Extra,
    FreeEntry,
    Mark,
    Pick,
    Reroll,
    ReturnDie,
    Roll,
    Skip,
)
from croupier_games.twice_as_clever.data import AREA_OF, DICE, GRANTS, ROLLS, ROUNDS, SILVER_ROWS, Bonus, Color
from croupier_games.twice_as_clever.dice import chosen, lower, returned, throw, throw_for_tray, to_tray
from croupier_games.twice_as_clever.entries import FREE, enter, gain, has_entry, spend
from croupier_games.twice_as_clever.reports import (
    bonus_gained,
    dice_to_tray,
    die_picked,
    die_returned,
    entries_between,
    entry_made,
    not_asked,
    refusal,
    roll_skipped,
)
from croupier_games.twice_as_clever.scoring import outcome
from croupier_games.twice_as_clever.table import Table
from croupier_games.twice_as_clever.view import DiceRolled, Phase, RoundStarted, SheetShown, Step, Task, Turn
from croupier_games.twice_as_clever.windows import CHOOSE, FINISH, WINDOWS, opening

_RETURN = Task(Step.RETURN)
_BONUS_FOR = {area: bonus for bonus, area in AREA_OF.items()}
_MOST_REDRAWN = 4
"""How many actions, at most, resampling lets a seat make that has not finished."""


class TwiceAsCleverState(Table):
    """One play, from the first roll to the outcome."""

    __slots__ = ()

    def play(self, seat: int, action: Action) -> None:
        """Applies the action, or raises IllegalAction and changes nothing."""
        if type(seat) is not int or seat not in self.deciders:
            raise IllegalAction(not_asked(seat, self.seats, self.phase, self.turn))
        legal = self.legal(seat)
        try:
            action = legal[legal.index(action)]  # ours, whatever stands for an enum in theirs
        except ValueError:
            raise IllegalAction(refusal(seat, self._task(seat).step, action)) from None
        self.events = ()
        self._act(seat, action)
        if not self.deciders:
            self._close_window()

    def resample(self, seat: int | None, seed: bytes) -> TwiceAsCleverState:
        """A copy with other dice to come, in which the others do otherwise in the window that is open."""
        copy = self.clone()
        copy.chance = Chance(seed)
        if self.phase in WINDOWS:
            for other in self.asked:
                if other != seat:
                    copy._redraw(other)
        copy.events = tuple([event for event in self.events if event.audience is None or event.audience == seat])
        return copy

    def begin_round(self, number: int, starter: int) -> None:
        """Everybody gets what the round grants, then the starter's turn begins (TAC-D1)."""
        bonus = GRANTS[number - 1]
        self.turn = Turn(number, ROUNDS[self.seats], starter, starter, 0, 0, False, ())
        self._tell_all(RoundStarted(number, bonus))
        self.sheets = tuple([gain(sheet, bonus).sheet for sheet in self.sheets])
        self._open_window(Phase.GRANT)

    def resume(self) -> None:
        """Works out, from what lies on the table, who is asked, or how the game ended."""
        self._ask(self.tasks)
        self.asked = self.deciders
        if self.phase in WINDOWS:
            first = opening(self.phase, self.turn, self.shown)
            self.asked = tuple([seat for seat, task in enumerate(first) if task])
        elif self.phase == Phase.OVER:
            self.outcome = outcome(self.sheets, self.options["fox_floor_zero"] is True)

    # Windows: several seats decide at once, unseen by the others.

    def _open_window(self, phase: Phase) -> None:
        self.phase = phase
        self.shown = self.sheets
        self._ask(opening(phase, self.turn, self.shown))
        self.asked = self.deciders
        if not self.asked:
            self._close_window()

    def _close_window(self) -> None:
        """All have finished: now everybody sees what they entered (TAC-3.1, TAC-4.3)."""
        for seat in self.asked:
            self._tell_all(SheetShown(seat, entries_between(self.shown[seat], self.sheets[seat])))
        if self.phase == Phase.GRANT:
            self._begin_turn(self.turn.active)
        elif self.phase == Phase.PASSIVE:
            self._open_window(Phase.EXTRA)
        else:
            self._end_turn()

    def _redraw(self, seat: int) -> None:
        """Lets a seat act otherwise in the open window; it ends up finished or not, as it really is."""
        finished = self.tasks[seat] is None
        self._set_sheet(seat, self.shown[seat])
        self._set_task(seat, opening(self.phase, self.turn, self.shown)[seat])
        self._ask(self.tasks)
        name = f"resample/seat/{seat}"
        for number in count() if finished else range(self.chance.below(name, _MOST_REDRAWN)):
            legal = [action for action in self.legal(seat) if finished or action != DONE]
            if not legal:
                break
            action = legal[self.chance.below(f"{name}/{number}", len(legal))]
            self._act(seat, action)
            if action == DONE:
                break

    # Turns: one seat rolls and chooses, and everybody looks on.

    def _begin_turn(self, active: int) -> None:
        self.phase = Phase.ACTIVE
        self.turn = self.turn._replace(active=active, roll=0, rerolls=0)
        self.dice = self.dice._replace(available=DICE, chosen=(), tray=())
        self.asked = (active,)
        self._next_roll(active)

    def _next_roll(self, seat: int) -> None:
        """What follows a settled roll: the choice of returns, the next roll, or the end of choosing (TAC-1.3)."""
        if self.turn.roll == ROLLS:
            self._end_choosing()
        elif self.sheets[seat].returns.left and self.dice.tray:
            self._ask_active(seat, _RETURN)
        elif self.dice.available:
            self._throw(self.turn._replace(roll=self.turn.roll + 1, rerolls=0))
        else:
            self._end_choosing()

    def _throw(self, turn: Turn) -> None:
        self.turn = turn
        self.dice = throw(self.chance, turn, self.dice)
        rolled = self.dice.available
        pips = tuple([self.dice.shows(die) for die in rolled])
        self._tell_all(DiceRolled(turn.active, turn.roll, turn.rerolls, rolled, pips))
        self._ask_active(turn.active, CHOOSE)

    def _settle(self, seat: int, task: Task) -> None:
        """All is entered: lower dice go to the tray, silver sweeps them, or the roll is settled (TAC-1.6 f, g)."""
        sweep = task.sweep
        if task.area is not None:
            swept = lower(self.dice, self.dice.chosen[-1])
            self._put_on_tray(swept)
            sweep = swept if task.area == Color.SILVER else ()
        if len(offers.sweep_choices(self.sheets[seat], self.dice, sweep)) > 1:
            self._ask_active(seat, Task(Step.SWEEP, sweep=sweep))
        else:
            self._next_roll(seat)

    def _end_choosing(self) -> None:
        self._put_on_tray(self.dice.available)
        self._open_window(Phase.PASSIVE if self.seats > 1 else Phase.EXTRA)

    def _end_turn(self) -> None:
        """The next seat's turn, the passive turn of a solo game, the next round, or the end (TAC-6.2, TAC-7.1)."""
        turn = self.turn
        following = (turn.active + 1) % self.seats
        if self.seats == 1 and not turn.solo_passive:
            self._begin_solo_passive()
        elif following != turn.starter:
            self._begin_turn(following)
        elif turn.round < turn.rounds:
            self.begin_round(turn.round + 1, turn.starter)
        else:
            self.phase = Phase.OVER
            self._ask((None,) * self.seats)
            self.asked = ()
            self.outcome = outcome(self.sheets, self.options["fox_floor_zero"] is True)

    def _begin_solo_passive(self) -> None:
        self.turn = self.turn._replace(roll=0, rerolls=0, solo_passive=True, chosen_before=self.dice.chosen)
        self.dice = throw_for_tray(self.chance, self.turn.round)
        self._tell_all(DiceRolled(self.turn.active, 0, 0, DICE, self.dice.pips))
        self._tell_all(dice_to_tray(self.dice.tray))
        self._open_window(Phase.PASSIVE)

    # Actions

    def _act(self, seat: int, action: Action) -> None:
        """Applies a legal action. A window that it leaves with nobody to ask stays open."""
        self._legal.pop(seat, None)
        # Not isinstance, which takes its time with abstract classes.
        if type(action) is Pick or type(action) is Extra:
            self._take(seat, action)
        elif type(action) is Mark:
            self._mark(seat, action)
        elif type(action) is FreeEntry:
            self._use_bonus(seat, action)
        elif type(action) is Skip:
            self._skip(seat, action.die)
        elif type(action) is Reroll:
            self._spend(seat, Bonus.REROLL)
            self._throw(self.turn._replace(rerolls=self.turn.rerolls + 1))
        elif type(action) is ReturnDie:
            self._return(seat, action.die)
        elif type(action) is Roll:
            self._throw(self.turn._replace(roll=self.turn.roll + 1, rerolls=0))
        else:
            self._be_done(seat)

    def _take(self, seat: int, action: Pick | Extra) -> None:
        """A die is chosen, with the area to enter it in; in silver and yellow the cell comes next."""
        die, area = action.die, action.area
        used: tuple[Color, ...] = ()
        if type(action) is Extra:
            self._spend(seat, Bonus.EXTRA_DIE)
            task = self.tasks[seat]
            used = (*(task.used if task else ()), die)
        elif self.phase == Phase.ACTIVE:
            self.dice = chosen(self.dice, die)
        self._tell(seat, die_picked(seat, die, area))
        number = offers.entered_number(self.dice, die, area)
        task = Task(Step.MARK, area, number, used=used)
        if area in (Color.SILVER, Color.YELLOW):
            self._set_task(seat, task)
        else:
            self._enter(seat, task, area, number)

    def _mark(self, seat: int, action: Mark) -> None:
        task = self._task(seat)
        if task.step == Step.SWEEP:
            # A coloured die if it can; so white, or silver, is kept for a cell that no other can cross.
            own = SILVER_ROWS[action.row - 1]
            fits = [die for die in task.sweep if self.dice.shows(die) == action.value]
            spent = own if own in fits else next(die for die in fits if die not in SILVER_ROWS)
            task = task._replace(sweep=tuple([die for die in task.sweep if die != spent]))
        self._enter(seat, task, action.area, action.value, action.row)

    def _use_bonus(self, seat: int, action: FreeEntry) -> None:
        task = self._task(seat)
        pending = list(task.pending)
        pending.remove(Bonus.ANY if Bonus.ANY in pending else _BONUS_FOR[action.area])
        self._enter(seat, task._replace(pending=tuple(pending)), action.area, action.value, action.row)

    def _enter(self, seat: int, task: Task, area: Color, number: int, row: int = 0) -> None:
        """Enters a number, then goes on with the bonuses that can be used (TAC-5.1, TAC-5.2)."""
        sheet, gained = enter(self.sheets[seat], area, number, row)
        self._set_sheet(seat, sheet)
        self._tell(seat, entry_made(seat, sheet, area, number, row))
        for bonus in gained:
            self._tell(seat, bonus_gained(seat, bonus))
        pending = [*task.pending, *(bonus for bonus in gained if bonus in FREE)]
        possible = tuple(sorted([bonus for bonus in pending if has_entry(sheet, bonus)]))
        if possible:
            self._set_task(seat, task._replace(step=Step.BONUS, pending=possible))
        elif self.phase == Phase.ACTIVE:
            self._settle(seat, task)
        else:
            self._set_task(seat, CHOOSE._replace(used=task.used) if self.phase == Phase.EXTRA else FINISH)

    def _skip(self, seat: int, die: Color) -> None:
        self._tell_all(roll_skipped(seat, self.turn.roll))
        if self.turn.roll < ROLLS:  # else all dice go there together
            self._put_on_tray((die,))
        self._next_roll(seat)

    def _return(self, seat: int, die: Color) -> None:
        self._spend(seat, Bonus.RETURN)
        self.dice = returned(self.dice, die)
        self._tell_all(die_returned(seat, die))
        self._next_roll(seat)

    def _be_done(self, seat: int) -> None:
        if self.phase != Phase.ACTIVE:
            self._set_task(seat, None)
            self._ask(self.tasks)
        elif self._task(seat).step == Step.SWEEP:
            self._next_roll(seat)
        else:
            self._end_choosing()

    def _spend(self, seat: int, action: Bonus) -> None:
        self._set_sheet(seat, spend(self.sheets[seat], action))

    def _put_on_tray(self, dice: tuple[Color, ...]) -> None:
        if dice:
            self.dice = to_tray(self.dice, dice)
            self._tell_all(dice_to_tray(dice))
