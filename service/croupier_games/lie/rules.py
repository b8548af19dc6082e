"""The rules of LIE: one play of it, step by step, and the game itself. Rule numbers: docs/rules/lie.md."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar

from croupier_games import saving
from croupier_games.chance import Chance
from croupier_games.errors import IllegalAction
from croupier_games.game import Action, Event, Game, Option, OptionValue, State
from croupier_games.game import View as GameView
from croupier_games.lie import hands, saved
from croupier_games.lie.actions import (
    DIRECTIONS,
    Arrange,
    Bid,
    Challenge,
    Declare,
    answers,
    arrangements,
    ladder,
    parse,
    rank,
)
from croupier_games.lie.data import DECK, LARGEST_HAND, MAX_SEATS, MIN_SEATS, VALUES
from croupier_games.lie.rounds import (
    counting,
    ones_are_jokers,
    outcome,
    round_after,
    seat_after,
    settle,
    standing_after,
)
from croupier_games.lie.saved import Saved
from croupier_games.lie.view import (
    AllArranged,
    BidMade,
    CardsDealt,
    Direction,
    DirectionDeclared,
    Hand,
    HandArranged,
    HandsRevealed,
    Phase,
    PlacedBid,
    Round,
    RoundStarted,
    SeatLeft,
    View,
    render,
)

_ALL_ARRANGED = Event(AllArranged())


class LieState(State):
    """One play of LIE: what lies on the table, all hands, and the chance of what is to come.

    Every part is immutable and replaced as a whole, so a clone shares them all."""

    __slots__ = (
        "bids",
        "chance",
        "deciders",
        "direction",
        "events",
        "hands",
        "options",
        "outcome",
        "phase",
        "round",
        "seats",
        "turn",
    )

    chance: Chance
    phase: Phase
    round: Round
    hands: tuple[Hand, ...]
    direction: Direction
    bids: tuple[PlacedBid, ...]
    turn: int | None

    def __init__(self, seats: int, options: Mapping[str, OptionValue], chance: Chance) -> None:
        self.seats = seats
        self.options = options
        self.chance = chance
        self.outcome = None
        self.events = ()

    def legal(self, seat: int) -> tuple[Action, ...]:
        """All arrangements of the hand, or both directions, or the challenge and then the bids, ascending."""
        if seat not in self.deciders:
            return ()
        if self.phase is Phase.BID:
            order, cards = self._bidding()
            if not self.bids:
                return ladder(order, cards)  # LIE-1.3: the starter must bid
            standing = self.bids[-1]
            return answers(order, cards, standing.count, standing.value)
        if self.phase is Phase.ARRANGE:
            return arrangements(self.hands[seat].cards)
        return DIRECTIONS

    def play(self, seat: int, action: Action) -> None:
        """Applies the action, or raises IllegalAction and changes nothing."""
        if type(seat) is not int or seat not in self.deciders:
            raise IllegalAction(self._why_not(seat))
        if self.phase is Phase.BID:
            if type(action) is Bid:
                return self._bid(seat, action)
            if type(action) is Challenge and self.bids:
                return self._challenge(seat)
        elif self.phase is Phase.ARRANGE:
            if type(action) is Arrange:
                return self._arrange(seat, action)
        elif type(action) is Declare:
            return self._declare(seat, action)
        raise IllegalAction(f"seat {seat} must {self._task()} now, got {type(action).__name__}")

    def view(self, seat: int | None) -> View:
        """What lies on the table, and the seat's own hand (LIE-1.9)."""
        hand = None
        if seat is not None:
            if not 0 <= seat < self.seats:
                raise ValueError(f"the seats are 0 to {self.seats - 1}, got {seat}")
            if self.round.hand_sizes[seat]:
                hand = self.hands[seat]
        jokers = ones_are_jokers(self.options, self.bids)
        return View(self.phase, self.round, hand, self.direction, self.bids, self.turn, jokers)

    def clone(self) -> LieState:
        """An independent copy."""
        copy = LieState(self.seats, self.options, self.chance)
        copy.deciders = self.deciders
        copy.outcome = self.outcome
        copy.events = self.events
        copy.phase = self.phase
        copy.round = self.round
        copy.hands = self.hands
        copy.direction = self.direction
        copy.bids = self.bids
        copy.turn = self.turn
        return copy

    def resample(self, seat: int | None, seed: bytes) -> LieState:
        """A copy in which the others' hands, and all deals to come, are drawn from another seed."""
        copy = self.clone()
        copy.chance = Chance(seed)
        copy.events = tuple(event for event in self.events if event.audience is None or event.audience == seat)
        if self.phase is not Phase.OVER:  # then the showdown has shown all hands
            copy.hands = hands.redraw(copy.chance, self.hands, seat)
        return copy

    def save(self) -> bytes:
        """The whole state as JSON."""
        return saving.dump(
            Saved(
                LIE.id,
                LIE.version,
                self.seats,
                self.options,
                self.chance.seed.hex(),
                self.phase,
                self.round,
                self.hands,
                self.direction,
                self.bids,
            )
        )

    def start_round(self, round_: Round, before: tuple[Event, ...] = ()) -> None:
        """Deals a round (LIE-1.1) and lets everybody in it arrange their hand (LIE-1.2)."""
        self.phase = Phase.ARRANGE
        self.round = round_
        self.hands = hands.deal(self.chance, round_)
        chosen = self.options["choose_direction"]
        self.direction = Direction.UNSPECIFIED if chosen else Direction.CLOCKWISE
        self.bids = ()
        self.turn = None
        self.deciders = tuple([seat for seat, size in enumerate(round_.hand_sizes) if size])
        started = Event(RoundStarted(round_.number, round_.extra, round_.starter, round_.hand_sizes))
        dealt = [Event(CardsDealt(self.hands[seat]), seat) for seat in self.deciders]
        self.events = (*before, started, *dealt)

    def resume(self) -> None:
        """Works out, from what lies on the table, who decides, or how the game ended."""
        self.turn = None
        showdown = self.round.last_showdown
        if self.phase is Phase.OVER and showdown:
            self.deciders = ()
            self.outcome = outcome(self.round, showdown, self.options)
        elif self.phase is Phase.ARRANGE:
            waiting = [seat for seat, hand in enumerate(self.hands) if hand.cards and not hand.cards[0].showing]
            self.deciders = tuple(waiting)
        elif self.bids:
            self._give_turn(seat_after(self.bids[-1].seat, self.round.hand_sizes, self.direction))
        else:
            self._give_turn(self.round.starter)

    def _arrange(self, seat: int, action: Arrange) -> None:
        hand = hands.turn(self.hands[seat], action)
        self.hands = (*self.hands[:seat], hand, *self.hands[seat + 1 :])
        self.deciders = tuple([other for other in self.deciders if other != seat])
        arranged = Event(HandArranged(hand), seat)
        if self.deciders:
            self.events = (arranged,)
            return
        self.events = (arranged, _ALL_ARRANGED)
        self.phase = Phase.DECLARE if self.options["choose_direction"] else Phase.BID
        self._give_turn(self.round.starter)

    def _declare(self, seat: int, action: Declare) -> None:
        if action not in DIRECTIONS:
            raise IllegalAction(f"seat {seat} must declare clockwise or counter-clockwise")
        self.direction = Direction(action.direction)
        self.events = (Event(DirectionDeclared(seat, self.direction)),)
        self.phase = Phase.BID
        self._give_turn(seat)

    def _bid(self, seat: int, action: Bid) -> None:
        count, value = action.count, action.value
        order, cards = self._bidding()
        whole = type(count) is int and type(value) is int
        if not (whole and 1 <= count <= cards and value in VALUES):  # LIE-1.6
            raise IllegalAction(f"a bid in this round is 1 to {cards} cards of a value from 1 to 6")
        if self.bids:
            standing = self.bids[-1]
            if rank(order, cards, count, value) <= rank(order, cards, standing.count, standing.value):  # LIE-1.5
                raise IllegalAction(f"seat {seat} must {self._task()}, got {count}x{value}")
        placed, self.events = _placed(seat, count, value)
        self.bids = (*self.bids, placed)
        self._give_turn(seat_after(seat, self.round.hand_sizes, self.direction))

    def _challenge(self, seat: int) -> None:
        jokers = ones_are_jokers(self.options, self.bids)
        showdown = settle(self.round.number, self.hands, self.bids[-1], seat, jokers)
        ended = standing_after(self.round, showdown, self.options)
        events: tuple[Event, ...] = (Event(HandsRevealed(showdown)),)
        if len(ended.out) > len(self.round.out):
            events = (*events, Event(SeatLeft(showdown.loser)))
        following = round_after(ended, showdown, self.options)
        if following is not None:
            self.start_round(following, events)
            return
        self.phase = Phase.OVER
        self.round = ended
        self.turn = None
        self.deciders = ()
        self.events = events
        self.outcome = outcome(ended, showdown, self.options)

    def _give_turn(self, seat: int) -> None:
        self.turn = seat
        self.deciders = (seat,)

    def _bidding(self) -> tuple[bool, int]:
        """What bids are measured by: whether their count comes first, and the cards in all hands."""
        return self.options["bid_order"] == "count_first", sum(self.round.hand_sizes)

    def _task(self) -> str:
        if self.phase is Phase.ARRANGE:
            return "arrange its hand"
        if self.phase is Phase.DECLARE:
            return "declare clockwise or counter-clockwise"
        return f"bid higher than {self.bids[-1]} or challenge" if self.bids else "bid"

    def _why_not(self, seat: object) -> str:
        if type(seat) is not int or not 0 <= seat < self.seats:
            return f"the seats are 0 to {self.seats - 1}"
        if self.phase is Phase.OVER:
            return "the game is over"
        if not self.round.hand_sizes[seat]:
            return f"seat {seat} is not in this round"
        if self.phase is Phase.ARRANGE:
            return f"seat {seat} has arranged its hand, and that is final"
        return f"it is the turn of seat {self.turn}, not of seat {seat}"


@lru_cache(maxsize=2_000)
def _placed(seat: int, count: int, value: int) -> tuple[PlacedBid, tuple[Event, ...]]:
    """A bid on the table and the news of it: the same objects at all tables, so that the wire encodes them once."""
    return PlacedBid(seat, count, value), (Event(BidMade(seat, count, value)),)


def _switch(name: str, meaning: str) -> Option:
    return Option(name, bool, False, meaning)


class Lie(Game):
    """LIE: everybody bids on what all hands show together, until somebody doubts it."""

    id = "lie"
    title = "LIE"
    summary = (
        "Everybody secretly turns their cards to one of two values and bids on how many cards in all hands "
        "show the same; whoever doubts a true bid or is caught at a false one comes a card closer to losing."
    )
    version = 1
    action_types = (Arrange, Declare, Bid, Challenge)
    min_seats = MIN_SEATS
    max_seats = MAX_SEATS
    options = (
        Option(
            "bid_order",
            str,
            "value_first",
            "Which bid is higher: the one with the higher value, or the one with the higher count (LIE-1.5).",
            choices=("value_first", "count_first"),
        ),
        _switch("joker_ones", "Cards showing 1 count as every value, unless a round opens on ones (LIE-3.1)."),
        _switch("choose_direction", "The starter of a round declares which way the turns go (LIE-3.2)."),
        _switch("fewer_cards", "Hands start at 5 cards and shrink; whoever has none has lost (LIE-3.3)."),
        _switch("longer_game", "Whoever has lost is out and the others play on until one is left (LIE-3.4)."),
        Option(
            "start_seat",
            int,
            None,
            "The seat that starts the first round; random if not set (ALL-2).",
            minimum=0,
            maximum=MAX_SEATS - 1,
        ),
    )
    # A seat has 5 lives, and a round takes one of them or, if it is an extra round, puts a seat out. One seat
    # has lost after at most 6 x 4 + 1 rounds, and then at most 5 tie and play 4 extra rounds. A longer game
    # takes 5 x 5 lives of those who leave and at most 4 of the winner. Either way: 29 rounds at most. In each, up
    # to 6 seats arrange, one declares, bids rise through up to 6 values of 30 cards, and one challenges.
    max_actions: ClassVar[int] = (LARGEST_HAND * MAX_SEATS - 1) * (MAX_SEATS + 1 + len(VALUES) * len(DECK) + 1)
    wire_package = "croupier.games.lie.v1"

    def deal(self, seats: int, options: Mapping[str, OptionValue], seed: bytes) -> LieState:
        """Opens a state at the first deal (LIE-1.1)."""
        state = LieState(seats, options, Chance(seed))
        given = options.get("start_seat")
        starter = given if isinstance(given, int) else state.chance.below("start", seats)
        sizes = (counting(options).start,) * seats
        state.start_round(Round(1, False, starter, sizes, sizes, (), None))
        return state

    def parse(self, text: str) -> Action:
        """Reads a notation, or raises NotationError with what was expected."""
        return parse(text)

    def restore(self, data: bytes) -> LieState:
        """The state that `LieState.save` wrote, or RestoreError."""
        was = saved.load(self, data)
        state = LieState(was.seats, was.options, Chance(bytes.fromhex(was.seed)))
        state.phase = was.phase
        state.round = was.round
        state.hands = was.hands
        state.direction = was.direction
        state.bids = was.bids
        state.resume()
        return state

    def render(self, view: GameView) -> str:
        """The view as text for people, at most 80 columns wide."""
        if not isinstance(view, View):
            raise TypeError(f"expected a view of LIE, got {type(view).__name__}")
        return render(view)


LIE = Lie()
LieState.game = LIE
