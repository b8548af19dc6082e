"""What seats and spectators see of LIE: the view, the events, and the view as text for people.

Names and fields are those of the game's proto, which says what each of them means.
"""

from enum import IntEnum
from typing import NamedTuple


class Phase(IntEnum):
    """The part of a round that is being played."""

    ARRANGE = 1
    DECLARE = 2
    BID = 3
    OVER = 4


class Direction(IntEnum):
    """The way the turns go round the table."""

    UNSPECIFIED = 0
    CLOCKWISE = 1
    COUNTER_CLOCKWISE = 2

    @property
    def words(self) -> str:
        """As people write it."""
        return self.name.lower().replace("_", "-")


class Card(NamedTuple):
    """Two dice values, and the one that is turned up (0: not arranged yet)."""

    low: int
    high: int
    showing: int

    def __str__(self) -> str:
        if not self.showing:
            return f"{self.low}/{self.high}"
        return f"[{self.low}]{self.high}" if self.showing == self.low else f"{self.low}[{self.high}]"


class Hand(NamedTuple):
    """The cards of one seat, sorted."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return "  ".join(map(str, self.cards))


class PlacedBid(NamedTuple):
    """A bid on the table."""

    seat: int
    count: int  # type: ignore[assignment]  # the wire's name wins over the method of tuples
    value: int

    def __str__(self) -> str:
        return f"{self.count}x{self.value}"


class Showdown(NamedTuple):
    """A challenge and what it showed."""

    round: int
    bid: PlacedBid
    challenger: int
    hands: tuple[Hand, ...]
    true_count: int
    ones_were_jokers: bool
    winner: int
    loser: int

    def __str__(self) -> str:
        there = "is 1" if self.true_count == 1 else f"are {self.true_count}"
        bid = f"the {self.bid} of seat {self.bid.seat}"
        return f"seat {self.challenger} challenges {bid}, there {there}: seat {self.loser} loses"


class Round(NamedTuple):
    """What stays the same throughout a round; when the game is over, the last round and how things ended."""

    number: int
    extra: bool
    starter: int
    hand_sizes: tuple[int, ...]
    card_counts: tuple[int, ...]
    out: tuple[int, ...]
    last_showdown: Showdown | None


class View(NamedTuple):
    """What a seat, or a spectator, sees."""

    phase: Phase
    round: Round
    hand: Hand | None
    direction: Direction
    bids: tuple[PlacedBid, ...]
    turn: int | None
    ones_are_jokers: bool


class RoundStarted(NamedTuple):
    """A round starts."""

    number: int
    extra: bool
    starter: int
    hand_sizes: tuple[int, ...]

    def __str__(self) -> str:
        kind = "Extra round" if self.extra else "Round"
        hands = ", ".join(f"{_cards(size)} to seat {seat}" for seat, size in enumerate(self.hand_sizes) if size)
        return f"{kind} {self.number} starts with seat {self.starter}: {hands}."


class CardsDealt(NamedTuple):
    """The cards a seat was dealt; only their holder is told."""

    hand: Hand

    def __str__(self) -> str:
        return f"You are dealt {self.hand}."


class HandArranged(NamedTuple):
    """A seat's own arrangement; only its maker is told."""

    hand: Hand

    def __str__(self) -> str:
        return f"You arrange {self.hand}."


class AllArranged(NamedTuple):
    """Everybody in the round has arranged their hand."""

    def __str__(self) -> str:
        return "All hands are arranged."


class DirectionDeclared(NamedTuple):
    """The starter declared the direction of the round."""

    seat: int
    direction: Direction

    def __str__(self) -> str:
        return f"Seat {self.seat} declares {self.direction.words}."


class BidMade(NamedTuple):
    """A seat bid."""

    seat: int
    count: int  # type: ignore[assignment]  # as in PlacedBid
    value: int

    def __str__(self) -> str:
        return f"Seat {self.seat} bids {self.count}x{self.value}."


class HandsRevealed(NamedTuple):
    """A bid was doubted and all hands revealed."""

    showdown: Showdown

    def __str__(self) -> str:
        sentence = str(self.showdown)
        return f"{sentence[0].upper()}{sentence[1:]}."


class SeatLeft(NamedTuple):
    """A seat is out of the game."""

    seat: int

    def __str__(self) -> str:
        return f"Seat {self.seat} is out."


_BIDS_PER_LINE = 4


def render(view: View) -> str:
    """The view as text for people, at most 80 columns wide."""
    round_ = view.round
    lines = [_headline(view), ""]
    lines += [_seat_line(view, seat) for seat in range(len(round_.hand_sizes))]
    if view.hand:
        lines += ["", f"Your hand: {view.hand}"]
    if view.bids:
        bids = [f"seat {bid.seat} {bid}" for bid in view.bids]
        rows = [bids[start : start + _BIDS_PER_LINE] for start in range(0, len(bids), _BIDS_PER_LINE)]
        lines += ["", "Bids, oldest first:", "  " + " <\n  ".join(" < ".join(row) for row in rows)]
    if round_.last_showdown:
        lines += ["", *_showdown_lines(round_.last_showdown)]
    return "\n".join(lines)


def _headline(view: View) -> str:
    kind = "extra round" if view.round.extra else "round"
    doing = {
        Phase.ARRANGE: "everybody arranges their hand",
        Phase.DECLARE: f"seat {view.turn} declares the direction",
        Phase.BID: f"seat {view.turn} to {'answer' if view.bids else 'bid'}",
        Phase.OVER: "the game is over",
    }[view.phase]
    facts = [f"LIE, {kind} {view.round.number}: {doing}"]
    if view.direction is Direction.COUNTER_CLOCKWISE:
        facts.append(view.direction.words)
    if view.ones_are_jokers:
        facts.append("ones are jokers")
    return ", ".join(facts)


def _seat_line(view: View, seat: int) -> str:
    round_ = view.round
    text = f"{'>' if seat == view.turn else ' '} seat {seat}: {_cards(round_.card_counts[seat])}"
    if seat in round_.out:
        return f"{text}, out"
    if not round_.hand_sizes[seat]:
        return f"{text}, not in this round"
    if view.phase is not Phase.OVER and seat == round_.starter:
        return f"{text}, starts this round"
    return text


def _showdown_lines(showdown: Showdown) -> list[str]:
    jokers = " (ones were jokers)" if showdown.ones_were_jokers else ""
    lines = [f"Showdown of round {showdown.round}{jokers}:", f"  {showdown}"]
    lines += [f"  seat {seat}: {hand}" for seat, hand in enumerate(showdown.hands) if hand.cards]
    return lines


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
