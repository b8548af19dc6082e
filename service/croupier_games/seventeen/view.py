"""What seats and spectators see of 17 – Diciassette, and what they are told.

Names and fields are those of the game's proto, which says what each of them means.
"""

from collections.abc import Iterable
from enum import IntEnum
from functools import cache
from typing import NamedTuple

from croupier_games.seventeen.data import Card


class Phase(IntEnum):
    """What is being decided."""

    TURN = 1
    CALLS = 2
    OVER = 3


class Direction(IntEnum):
    """The way the turns go round the table."""

    CLOCKWISE = 1
    COUNTER_CLOCKWISE = 2

    @property
    def words(self) -> str:
        """As people write it."""
        return self.name.lower().replace("_", "-")


class Choice(IntEnum):
    """What a rival secretly chose after a turn's lays."""

    UNSPECIFIED = 0
    PASS = 1
    CALL = 2


class Hand(NamedTuple):
    """The cards of one seat, sorted."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return listed(self.cards) or "no card"


class Player(NamedTuple):
    """What everybody sees of a seat."""

    two_sided: tuple[Card, ...]
    hearts: int
    composure: int
    nerves: int

    def __str__(self) -> str:
        hearts = (counted(self.hearts, "heart"),) if self.hearts else ()
        return ", ".join((*map(str, self.two_sided), *hearts)) or "no card"


class RowCard(NamedTuple):
    """A card in the row, as somebody sees it."""

    seat: int
    card: Card
    heart_up: bool

    def __str__(self) -> str:
        if not self.heart_up:
            return str(self.card)
        return "heart" if self.card is Card.HEART else f"({self.card})"


class Row(NamedTuple):
    """The row, oldest card first."""

    cards: tuple[RowCard, ...]


class DrawPile(NamedTuple):
    """The draw pile: how many cards, and the back of the uppermost."""

    size: int
    top: Card

    def __str__(self) -> str:
        return f"{counted(self.size, 'card')}, {self.top} on top" if self.size else "empty"


class Showdown(NamedTuple):
    """How a round ended."""

    round: int
    caller: int
    last_to_lay: int
    row: Row
    total: int
    trap_owners: tuple[int, ...]
    composure: tuple[int, ...]
    nerves: tuple[int, ...]
    put_back: tuple[int, ...]
    starter: int

    def __str__(self) -> str:
        facts = [f"seat {self.caller} calls after seat {self.last_to_lay}, the row comes to {self.total}"]
        if self.trap_owners:
            facts.append(f"{_seats(self.trap_owners)} hid a trap")
        gains = [(_taking(seats), "1 composure") for seats in [_those_with(self.composure, 1)] if seats]
        gains += [
            (_taking(seats), counted(many, "nerve")) for many in (1, 2) if (seats := _those_with(self.nerves, many))
        ]
        facts += [f"{who} {what}" for who, what in gains]
        facts += [f"seat {seat} puts back 2 nerves, and a composure if any" for seat in self.put_back]
        return "; ".join(facts)


class Round(NamedTuple):
    """What stays the same throughout a round."""

    number: int
    starter: int
    last_showdown: Showdown | None


class View(NamedTuple):
    """What a seat, or a spectator, sees."""

    phase: Phase
    round: Round
    players: tuple[Player, ...]
    hand: Hand | None
    row: Row
    draw_pile: DrawPile
    used_size: int
    direction: Direction
    turn: int | None
    to_lay: int
    play_two: bool
    last_to_lay: int | None
    choice: Choice
    cards_laid: int


class HandsDealt(NamedTuple):
    """The game starts: what everybody sees of the deal."""

    players: tuple[Player, ...]
    draw_pile: DrawPile

    def __str__(self) -> str:
        hands = "; ".join(f"seat {seat}: {player}" for seat, player in enumerate(self.players))
        return f"Hands are dealt. {hands}. The draw pile: {self.draw_pile}."


class HandTaken(NamedTuple):
    """The own hand; only its holder is told."""

    hand: Hand

    def __str__(self) -> str:
        return f"You hold {self.hand}."


class RoundStarted(NamedTuple):
    """A round starts."""

    number: int
    starter: int

    def __str__(self) -> str:
        return f"Round {self.number} starts with seat {self.starter}."


class CardLaid(NamedTuple):
    """A card was laid, as everybody sees it."""

    seat: int
    card: Card

    def __str__(self) -> str:
        return f"Seat {self.seat} lays {'a card heart up' if self.card is Card.HEART else self.card}."


class HeartLaid(NamedTuple):
    """The front of a card that was laid heart up; only its layer is told."""

    card: Card

    def __str__(self) -> str:
        return f"You lay {self.card} heart up."


class DirectionChanged(NamedTuple):
    """The turns go the other way from now on."""

    direction: Direction

    def __str__(self) -> str:
        return f"The turns go {self.direction.words} now."


class CardsRemoved(NamedTuple):
    """Cards went from the row to the used pile."""

    seat: int
    cards: tuple[Card, ...]
    used_size: int

    def __str__(self) -> str:
        return f"Seat {self.seat} removes {listed(self.cards)} from the row."


class ChoiceMade(NamedTuple):
    """The own answer to a turn; only its maker is told."""

    choice: Choice

    def __str__(self) -> str:
        return f"You {self.choice.name.lower()}."


class CallMade(NamedTuple):
    """Somebody ends the round."""

    seat: int

    def __str__(self) -> str:
        return f"Seat {self.seat} calls: check!"


class NobodyCalled(NamedTuple):
    """All rivals have chosen, and no one called."""

    def __str__(self) -> str:
        return "Nobody calls."


class CardDrawn(NamedTuple):
    """A card was drawn, as everybody sees it."""

    seat: int
    card: Card
    draw_pile: DrawPile

    def __str__(self) -> str:
        drawn = "a heart" if self.card is Card.HEART else self.card
        return f"Seat {self.seat} draws {drawn}; the draw pile: {self.draw_pile}."


class FrontSeen(NamedTuple):
    """The front of a card that was drawn; only who drew it is told."""

    card: Card

    def __str__(self) -> str:
        return f"You draw {self.card}."


class PileShuffled(NamedTuple):
    """The used pile was shuffled into a new draw pile."""

    draw_pile: DrawPile

    def __str__(self) -> str:
        return f"The used pile is shuffled into a new draw pile: {self.draw_pile}."


class RoundEnded(NamedTuple):
    """A round was settled."""

    showdown: Showdown

    def __str__(self) -> str:
        sentence = str(self.showdown)
        row = ", ".join(map(str, self.showdown.row.cards))
        return f"The row was {row}. {sentence[0].upper()}{sentence[1:]}."


# The same few values come up again and again, so each is one object for all tables, and the wire need encode it
# only once.
own_hand = cache(Hand)
row_card = cache(RowCard)
draw_pile = cache(DrawPile)


@cache
def player(hand: tuple[Card, ...], composure: int, nerves: int) -> Player:
    """What everybody sees of a seat with this hand: two-sided cards, and how many hearts (SVT-1.1, SVT-1.3)."""
    two_sided = tuple(card for card in hand if card > Card.HEART)
    return Player(two_sided, len(hand) - len(two_sided), composure, nerves)


def public_row(cards: tuple[RowCard, ...]) -> Row:
    """The row as everybody sees it: of heart-up cards, the heart (SVT-1.2)."""
    return Row(tuple([row_card(laid.seat, Card.HEART, True) if laid.heart_up else laid for laid in cards]))


def row_for(seat: int | None, cards: tuple[RowCard, ...], public: Row) -> Row:
    """The row as this seat sees it: it knows what it laid heart up itself (SVT-1.2)."""
    own = [laid.heart_up and laid.seat == seat for laid in cards]
    if not any(own):
        return public
    return Row(tuple([laid if mine else shown for mine, laid, shown in zip(own, cards, public.cards, strict=True)]))


def listed(cards: Iterable[Card]) -> str:
    """Cards in a sentence."""
    return ", ".join(map(str, cards))


def counted(number: int, noun: str) -> str:
    """So many things in a sentence."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _seats(seats: tuple[int, ...]) -> str:
    if len(seats) == 1:
        return f"seat {seats[0]}"
    return f"seats {', '.join(map(str, seats[:-1]))} and {seats[-1]}"


def _taking(seats: tuple[int, ...]) -> str:
    return f"{_seats(seats)} {'takes' if len(seats) == 1 else 'take'}"


def _those_with(figures: tuple[int, ...], figure: int) -> tuple[int, ...]:
    return tuple(seat for seat, own in enumerate(figures) if own == figure)
