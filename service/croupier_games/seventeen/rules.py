"""The rules of 17 – Diciassette: what may be done, and the game itself. Rule numbers: docs/rules/seventeen.md."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import ClassVar, cast

from croupier_games.chance import Chance
from croupier_games.errors import IllegalAction
from croupier_games.game import Action, Event, Game, Option, OptionValue
from croupier_games.game import View as GameView
from croupier_games.seventeen import memory, saved
from croupier_games.seventeen.actions import ANSWERS, CALL, Call, Lay, Pass, lays, lays_or_call, parse
from croupier_games.seventeen.data import HAND, MAX_SEATS, MIN_SEATS, MOST_LAID, Card
from croupier_games.seventeen.rendering import render
from croupier_games.seventeen.rounds import is_over, nearest_caller, outcome, settle, tokens_after
from croupier_games.seventeen.table import HEART, Table
from croupier_games.seventeen.view import (
    CallMade,
    CardLaid,
    CardsRemoved,
    Choice,
    ChoiceMade,
    Direction,
    DirectionChanged,
    HeartLaid,
    NobodyCalled,
    Phase,
    Round,
    RoundEnded,
    RoundStarted,
    View,
    row_card,
)

_CLOCKWISE, _COUNTER_CLOCKWISE = Direction
_NOBODY_CALLED = Event(NobodyCalled())

# Events that come up again and again are made once.
_card_laid = cache(lambda seat, card: Event(CardLaid(seat, card)))
_heart_laid = cache(lambda seat, card: Event(HeartLaid(card), seat))
_choice_made = cache(lambda seat, choice: Event(ChoiceMade(choice), seat))
_call_made = cache(lambda seat: Event(CallMade(seat)))


class SeventeenState(Table):
    """One play of 17: the table, and what may be done at it."""

    __slots__ = ()

    def legal(self, seat: int) -> tuple[Action, ...]:
        """In turn: every way to lay a card, and the call; after somebody's turn: pass and call."""
        if seat not in self.deciders:
            return ()
        if self.phase is Phase.CALLS:
            return ANSWERS
        # SVT-2.8: no call on an empty row. Nor between the two cards of one turn (SVT-3.2).
        may_call = self.row and self.last_to_lay != seat
        return lays_or_call(self.hands[seat]) if may_call else lays(self.hands[seat])

    def play(self, seat: int, action: Action) -> None:
        """Applies the action, or raises IllegalAction and changes nothing."""
        legal = self.legal(seat) if type(seat) is int else ()
        try:
            chosen = legal[legal.index(action)]
        except ValueError:
            raise IllegalAction(self._why_not(seat, action)) from None
        self.events = ()
        if self.phase is Phase.CALLS:
            self._answer(seat, Choice.CALL if chosen is CALL else Choice.PASS)
        elif isinstance(chosen, Lay):
            self._lay(seat, chosen.card, chosen.heart_up)
        else:
            self.events = (_call_made(seat),)
            self._end_round(seat)  # SVT-2.6: a caller draws nothing

    def _lay(self, seat: int, card: Card, heart_up: bool) -> None:
        hand = self.hands[seat]
        at = hand.index(card)
        self.set_hand(seat, hand[:at] + hand[at + 1 :])
        self.set_row((*self.row, row_card(seat, card, heart_up)))
        self.last_to_lay = seat
        self.laid += 1
        self.to_lay -= 1
        self.cards_laid += 1
        if heart_up:
            self.journal += memory.HEART_UP[seat][card]
            self.events = (_card_laid(seat, HEART), _heart_laid(seat, card))
        else:
            self.events = (_card_laid(seat, card),)
            if card < HEART:
                self.journal += memory.FACE_UP[seat][card]
                self._act(seat, card)
        if self.to_lay:
            return
        if self.row:
            self.phase = Phase.CALLS
            self.deciders = tuple([rival for rival in range(self.seats) if rival != seat])
        else:  # SVT-2.5
            self._end_turn(seat)

    def _act(self, seat: int, card: Card) -> None:
        """What a special laid face up does (SVT-2.4)."""
        if card is Card.CHANGE_DIRECTION:  # SVT-3.1
            self.direction = _COUNTER_CLOCKWISE if self.direction is _CLOCKWISE else _CLOCKWISE
            self.events += (Event(DirectionChanged(self.direction)),)
        elif card is Card.PLAY_TWO:  # SVT-3.2
            self.play_two = True
        elif card is Card.REMOVE_LAST:  # SVT-3.3
            removed = self.row[-2:]
            self.set_row(self.row[:-2])
            self.used += tuple([laid.card for laid in removed])
            if removed[0].heart_up:
                self.journal += memory.BURIED
            seen = tuple([HEART if laid.heart_up else laid.card for laid in removed])
            self.events += (Event(CardsRemoved(seat, seen, len(self.used))),)
            self.refill()

    def _answer(self, seat: int, choice: Choice) -> None:
        choices = (*self.choices[:seat], choice, *self.choices[seat + 1 :])
        self.events = (_choice_made(seat, choice),)
        if len(self.deciders) > 1:
            self.choices = choices
            self.deciders = tuple([rival for rival in self.deciders if rival != seat])
            return
        self.choices = (Choice.UNSPECIFIED,) * self.seats
        layer = cast(int, self.turn)  # the one whose lays are being answered
        callers = [rival for rival, chosen in enumerate(choices) if chosen is Choice.CALL]
        if not callers:
            self.events += (_NOBODY_CALLED,)
            self._end_turn(layer)
            return
        caller = nearest_caller(callers, layer, self.seats)
        self.events += (_call_made(caller),)
        self.draw(layer, self.laid)  # SVT-2.6
        self._end_round(caller)

    def _end_turn(self, layer: int) -> None:
        """Nobody called: the layer draws (SVT-2.6), and the next one has their turn."""
        self.draw(layer, self.laid)
        if is_over(self.tokens, self.cards_laid):
            self._end_game()
        else:
            step = 1 if self.direction is _CLOCKWISE else -1
            self._start_turn((layer + step) % self.seats)

    def _end_round(self, caller: int) -> None:
        """SVT-4.1 to SVT-4.8, SVT-5.1."""
        last_to_lay = cast(int, self.last_to_lay)  # the row is not empty
        showdown = settle(self.round.number, self.row, caller, last_to_lay, self.tokens)
        self.tokens = tokens_after(self.tokens, showdown)
        self.events += (Event(RoundEnded(showdown)),)
        self.used += tuple([laid.card for laid in self.row])
        self.journal += memory.REVEALED
        self.set_row(())
        self.last_to_lay = None
        self.play_two = False
        self.refill()
        for after in range(self.seats):  # SVT-4.8
            seat = (showdown.starter + after) % self.seats
            self.draw(seat, HAND - len(self.hands[seat]))
        if is_over(self.tokens, self.cards_laid):
            self.round = self.round._replace(last_showdown=showdown)
            self._end_game()
        else:
            self._start_round(Round(self.round.number + 1, showdown.starter, showdown))

    def _start_round(self, round_: Round) -> None:
        self.round = round_
        self.events += (Event(RoundStarted(round_.number, round_.starter)),)
        self._start_turn(round_.starter)

    def _start_turn(self, seat: int) -> None:
        self.phase = Phase.TURN
        self.turn = seat
        self.deciders = (seat,)
        self.laid = 0
        if not (self.hands[seat] or self.row):
            self.draw(seat, 1)  # SVT-2.7: else there would be neither a card to lay nor a row to call
        self.to_lay = min(2 if self.play_two else 1, len(self.hands[seat]))  # SVT-3.2
        self.play_two = False

    def _end_game(self) -> None:
        self.phase = Phase.OVER
        self.turn = None
        self.laid = self.to_lay = 0
        self.play_two = False
        self.deciders = ()
        self.outcome = outcome(self.tokens)

    def start(self, starter: int) -> None:
        """Deals, and lets the starter begin (SVT-2.1)."""
        self.deal()
        self._start_round(Round(1, starter, None))

    def resume(self) -> None:
        """Works out, from what lies on the table, who decides, or how the game ended."""
        if self.phase is Phase.OVER:
            self.deciders = ()
            self.outcome = outcome(self.tokens)
        elif self.phase is Phase.TURN:
            self.deciders = tuple([seat for seat in range(self.seats) if seat == self.turn])
        else:
            waiting = [seat for seat, choice in enumerate(self.choices) if not choice and seat != self.turn]
            self.deciders = tuple(waiting)

    def _why_not(self, seat: object, action: object) -> str:
        if type(seat) is not int or not 0 <= seat < self.seats:
            return f"the seats are 0 to {self.seats - 1}"
        if self.phase is Phase.OVER:
            return "the game is over"
        if seat in self.deciders:
            got = action if isinstance(action, Action) else type(action).__name__
            return f"seat {seat} may {', '.join(map(str, self.legal(seat)))} now; got {got}"
        if self.phase is Phase.TURN:
            return f"it is the turn of seat {self.turn}, not of seat {seat}"
        if seat == self.turn:
            return f"seat {seat} has laid, and its rivals choose whether to call"
        return f"seat {seat} has chosen, and that is final"


class Seventeen(Game):
    """17 – Diciassette: lay cards, some of them hidden, and say when the row has reached 17."""

    id = "seventeen"
    title = "17 – Diciassette"
    summary = (
        "Everybody adds cards to one row, some of them hidden. Whoever says in time that it has come to 17 gains "
        "composure, and whoever laid last gets nervous; if it has not, it is the other way round."
    )
    version = 1
    action_types = (Lay, Call, Pass)
    min_seats = MIN_SEATS
    max_seats = MAX_SEATS
    options = (
        Option(
            "start_seat",
            int,
            None,
            "The seat that starts the first round; random if not set (ALL-2).",
            minimum=0,
            maximum=MAX_SEATS - 1,
        ),
    )
    # The last turn may lay two cards. Every turn that lays is answered by at most 5 rivals, and every round, in which
    # something is laid, is ended by at most one call in turn.
    max_actions: ClassVar[int] = (MOST_LAID + 1) * (1 + (MAX_SEATS - 1) + 1)
    wire_package = "croupier.games.seventeen.v1"

    def deal(self, seats: int, options: Mapping[str, OptionValue], seed: bytes) -> SeventeenState:
        """Opens a state at the first turn (SVT-2.1)."""
        state = SeventeenState(seats, options, Chance(seed))
        given = options.get("start_seat")
        state.start(given if isinstance(given, int) else state.chance.below("start", seats))
        return state

    def parse(self, text: str) -> Action:
        """Reads a notation, or raises NotationError with what was expected."""
        return parse(text)

    def restore(self, data: bytes) -> SeventeenState:
        """The state that `SeventeenState.save` wrote, or RestoreError."""
        was = saved.load(self, data)
        state = SeventeenState(was.seats, was.options, Chance(bytes.fromhex(was.seed)))
        state.put(was)
        state.resume()
        return state

    def render(self, view: GameView) -> str:
        """The view as text for people, at most 80 columns wide."""
        if not isinstance(view, View):
            raise TypeError(f"expected a view of 17, got {type(view).__name__}")
        return render(view)


SEVENTEEN = Seventeen()
SeventeenState.game = SEVENTEEN
