"""What lies on the table in one play of Doppelt so clever: the parts, who sees them, copies of them, and saves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self, cast

from croupier_games import saving
from croupier_games.chance import Chance
from croupier_games.game import Action, Event, OptionValue, State
from croupier_games.twice_as_clever import offers
from croupier_games.twice_as_clever.dice import IN_HAND
from croupier_games.twice_as_clever.saved import Saved, marks_of
from croupier_games.twice_as_clever.sheet import EMPTY, Sheet
from croupier_games.twice_as_clever.view import Dice, Phase, Task, Turn, View
from croupier_games.twice_as_clever.windows import WINDOWS, Tasks


class Table(State):
    """The dice, all sheets, what each seat is in the middle of, and the chance of what is to come.

    Every part is immutable and replaced as a whole, so a clone shares them all. `shown` holds the sheets as they were
    when the open window opened, which is how all but their owners see them; outside windows nothing is hidden."""

    __slots__ = (
        "_legal",
        "asked",
        "chance",
        "deciders",
        "dice",
        "events",
        "options",
        "outcome",
        "phase",
        "seats",
        "sheets",
        "shown",
        "tasks",
        "turn",
    )

    chance: Chance
    phase: Phase
    turn: Turn
    dice: Dice
    sheets: tuple[Sheet, ...]
    shown: tuple[Sheet, ...]
    asked: tuple[int, ...]
    tasks: Tasks
    _legal: dict[int, tuple[Action, ...]]

    def __init__(self, seats: int, options: Mapping[str, OptionValue], chance: Chance) -> None:
        self.seats = seats
        self.options = options
        self.chance = chance
        self.outcome = None
        self.events = ()
        self.dice = IN_HAND
        self.sheets = self.shown = (EMPTY,) * seats
        self._legal = {}

    def legal(self, seat: int) -> tuple[Action, ...]:
        """What the seat's task offers: dice first, then re-rolls, skips and being done."""
        if seat not in self.deciders:
            return ()
        known = self._legal.get(seat)
        if known is None:
            skips = self.options["allow_skip"] is True
            known = offers.legal(self.phase, self._task(seat), self.sheets[seat], self.dice, skips)
            self._legal[seat] = known
        return known

    def view(self, seat: int | None) -> View:
        """The table; in an open window with the sheets as they were when it opened, all but the own (TAC-3.1)."""
        if seat is not None and not 0 <= seat < self.seats:
            raise ValueError(f"the seats are 0 to {self.seats - 1}, got {seat}")
        sheets, task = self.sheets, None
        if self.phase == Phase.ACTIVE:
            task = self.tasks[self.turn.active]
        elif self.phase != Phase.OVER:
            sheets = self.shown
            if seat is not None:
                sheets = (*sheets[:seat], self.sheets[seat], *sheets[seat + 1 :])
                task = self.tasks[seat]
        return View(self.phase, self.turn, self.dice, sheets, self.asked, task)

    def clone(self) -> Self:
        """An independent copy."""
        copy = type(self)(self.seats, self.options, self.chance)
        copy.deciders = self.deciders
        copy.outcome = self.outcome
        copy.events = self.events
        copy.phase = self.phase
        copy.turn = self.turn
        copy.dice = self.dice
        copy.sheets = self.sheets
        copy.shown = self.shown
        copy.asked = self.asked
        copy.tasks = self.tasks
        copy._legal = self._legal.copy()
        return copy

    def save(self) -> bytes:
        """The whole state as JSON."""
        return saving.dump(
            Saved(
                self.game.id,
                self.game.version,
                self.seats,
                self.options,
                self.chance.seed.hex(),
                self.phase,
                self.turn,
                self.dice,
                tuple(map(marks_of, self.sheets)),
                tuple(map(marks_of, self.shown)) if self.phase in WINDOWS else (),
                self.tasks,
            )
        )

    def _task(self, seat: int) -> Task:
        return cast("Task", self.tasks[seat])  # whoever is asked has one

    def _set_task(self, seat: int, task: Task | None) -> None:
        self.tasks = (*self.tasks[:seat], task, *self.tasks[seat + 1 :])

    def _set_sheet(self, seat: int, sheet: Sheet) -> None:
        self.sheets = (*self.sheets[:seat], sheet, *self.sheets[seat + 1 :])

    def _ask_active(self, seat: int, task: Task) -> None:
        self._ask((None,) * seat + (task,) + (None,) * (self.seats - seat - 1))

    def _ask(self, tasks: Tasks) -> None:
        self.tasks = tasks
        self.deciders = tuple([seat for seat, task in enumerate(tasks) if task])
        self._legal = {}

    def _tell(self, seat: int, what: tuple[object, ...]) -> None:
        """Tells everybody, or in an open window the seat alone (ALL-4)."""
        self.events = (*self.events, Event(what, None if self.phase == Phase.ACTIVE else seat))

    def _tell_all(self, what: tuple[object, ...]) -> None:
        self.events = (*self.events, Event(what))
