"""The game itself: what it is called, which options it takes, and the door to its states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from croupier_games.chance import Chance
from croupier_games.errors import OptionError
from croupier_games.game import Action, Game, Option, OptionValue
from croupier_games.game import View as GameView
from croupier_games.twice_as_clever import saved
from croupier_games.twice_as_clever.actions import (
    Done,
    Extra,
    FreeEntry,
    Mark,
    Pick,
    Reroll,
    ReturnDie,
    Roll,
    Skip,
    parse,
)
from croupier_games.twice_as_clever.data import (
    FACES,
    MAX_SEATS,
    MIN_SEATS,
    ROLLS,
    ROUNDS,
    SILVER_ROWS,
    SLOTS,
    TRACK_SPACES,
)
from croupier_games.twice_as_clever.rendering import render
from croupier_games.twice_as_clever.rules import TwiceAsCleverState
from croupier_games.twice_as_clever.sheet import CELLS
from croupier_games.twice_as_clever.view import View

MOST_ENTRIES = len(SILVER_ROWS) * len(FACES) + 2 * CELLS + sum(SLOTS.values())
"""How often something can be entered on one sheet: 24 crosses in silver, 20 marks in yellow, 36 numbers."""


def _most_actions(seats: int) -> int:
    """No game with so many seats has more actions.

    On each sheet an entry takes at most two, the die and the cell, and every re-roll and return one. Besides, in a turn
    of its own a seat can at each roll skip it, end a sweep and go on with no further return; and it says `done` once in
    every window: at the grant of a round, when passive, and after its extra dice."""
    rounds = ROUNDS[seats]
    turns = max(seats, 2) * rounds  # a solo game has passive turns
    return seats * (2 * MOST_ENTRIES + 2 * TRACK_SPACES + rounds * 3 * ROLLS + rounds + 2 * turns)


class TwiceAsClever(Game):
    """Doppelt so clever: choose dice, fill five areas, set off chains of bonuses."""

    id = "twice_as_clever"
    title = "Doppelt so clever"
    summary = (
        "Roll six dice, choose up to three and enter them in five coloured areas, where each entry can set off a "
        "chain of bonuses; what you leave on the silver tray, the others may use."
    )
    version = 1
    action_types = (Pick, Skip, ReturnDie, Roll, Reroll, Mark, FreeEntry, Extra, Done)
    min_seats = MIN_SEATS
    max_seats = MAX_SEATS
    options = (
        Option("allow_skip", bool, True, "A roll with usable dice may be skipped for one of its dice (TAC-1.4)."),
        Option("fox_floor_zero", bool, False, "A fox is worth nothing if the lowest area is negative (TAC-5.3)."),
        Option(
            "start_seat",
            int,
            None,
            "The seat that starts every round; random if not set; not in solo games (ALL-2).",
            minimum=0,
            maximum=MAX_SEATS - 1,
        ),
    )
    max_actions: ClassVar[int] = max(map(_most_actions, ROUNDS))
    wire_package = "croupier.games.twice_as_clever.v1"

    def check(self, seats: int, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """The complete options; a solo game has nobody else to start (ALL-2)."""
        complete = super().check(seats, options)
        if seats == 1 and "start_seat" in complete:
            raise OptionError("option 'start_seat' is not for solo games: leave it out")
        return complete

    def deal(self, seats: int, options: Mapping[str, OptionValue], seed: bytes) -> TwiceAsCleverState:
        """Opens a state at the first roll (TAC-1.1)."""
        state = TwiceAsCleverState(seats, options, Chance(seed))
        given = options.get("start_seat")
        starter = given if isinstance(given, int) else state.chance.below("start", seats)
        state.begin_round(1, starter)
        return state

    def parse(self, text: str) -> Action:
        """Reads a notation, or raises NotationError with what was expected."""
        return parse(text)

    def restore(self, data: bytes) -> TwiceAsCleverState:
        """The state that `TwiceAsCleverState.save` wrote, or RestoreError."""
        was = saved.load(self, data)
        state = TwiceAsCleverState(was.seats, was.options, Chance(bytes.fromhex(was.seed)))
        state.phase = was.phase
        state.turn = was.turn
        state.dice = was.dice
        state.sheets = saved.sheets_of(was.sheets, was.turn.round)
        state.shown = saved.sheets_of(was.shown, was.turn.round) or state.sheets
        state.tasks = was.tasks
        state.resume()
        return state

    def render(self, view: GameView) -> str:
        """The view as text for people, at most 80 columns wide."""
        if not isinstance(view, View):
            raise TypeError(f"expected a view of Doppelt so clever, got {type(view).__name__}")
        return render(view)


TWICE_AS_CLEVER = TwiceAsClever()
TwiceAsCleverState.game = TWICE_AS_CLEVER
