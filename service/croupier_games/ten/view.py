"""What everybody sees of TEN, and what they are told. Only the deck is hidden (TEN-1.2), so all views are alike.

Names and fields are those of the game's proto, which says what each of them means.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple

from croupier_games.ten.data import Card, Kind

AUTOMA = "TEN"


class Phase(IntEnum):
    """What is being decided."""

    DRAW = 1
    AUCTION = 2
    PAY = 3
    BUST = 4
    BUY = 5
    OVER = 6


class Reward(IntEnum):
    """What a player takes at the end of the draw phase."""

    NUMBERS = 1
    CURRENCY = 2
    BUST_TOKEN = 3
    PURCHASE = 4

    @property
    def words(self) -> str:
        """As people write it."""
        return self.name.lower().replace("_", " ")


class Piece(IntEnum):
    """What one can pay with."""

    TOKEN = 1
    BUST_TOKEN = 2
    CARD = 3


class Holding(NamedTuple):
    """What lies in front of a player; cards are sorted."""

    tokens: int
    bust_tokens: int
    numbers: tuple[Card, ...]
    jokers: tuple[Card, ...]


class Area(NamedTuple):
    """The play area: the cards revealed this turn, and what they add up to."""

    cards: tuple[Card, ...]
    total: int
    currency_sum: int

    def with_card(self, card: Card) -> Area:
        """The area with one more number or currency card (TEN-2.2)."""
        if card.kind is Kind.NUMBER:
            return Area((*self.cards, card), self.total + card.value, self.currency_sum)
        return Area((*self.cards, card), self.total - card.value, self.currency_sum + card.value)

    def of(self, kind: Kind) -> tuple[Card, ...]:
        """Its cards of one kind."""
        return tuple([card for card in self.cards if card.kind is kind])


class Pile(NamedTuple):
    """Cards that belong to nobody, sorted."""

    cards: tuple[Card, ...]


EMPTY_AREA = Area((), 0, 0)
EMPTY_PILE = Pile(())


class Offer(NamedTuple):
    """What a player, or TEN (no seat), offered for a joker; 0: nothing."""

    seat: int | None
    amount: int


class Auction(NamedTuple):
    """A joker under the hammer."""

    joker: Card
    offers: tuple[Offer, ...]


class Payment(NamedTuple):
    """A price that is being paid."""

    seat: int
    card: Card
    price: int
    paid: int


class Automa(NamedTuple):
    """TEN, who plays against a lone seat: its limit, its things, and the cards of its latest turn as they came."""

    limit: int
    holding: Holding
    revealed: tuple[Card, ...]


class View(NamedTuple):
    """What everybody sees."""

    phase: Phase
    active: int | None
    deciding: int | None
    deck_size: int
    area: Area
    auction: Auction | None
    payment: Payment | None
    last_buyers: tuple[int, ...]
    market: Pile
    discards: Pile
    holdings: tuple[Holding, ...]
    automa: Automa | None


class TurnStarted(NamedTuple):
    """A turn begins."""

    seat: int | None

    def __str__(self) -> str:
        return f"{name(self.seat)} begins a turn."


class CardRevealed(NamedTuple):
    """The top card of the deck was turned over."""

    card: Card

    def __str__(self) -> str:
        what = " is up for auction" if self.card.kind is Kind.JOKER else " is revealed"
        return f"{self.card}{what}."


class BidMade(NamedTuple):
    """Somebody bid."""

    seat: int | None
    amount: int

    def __str__(self) -> str:
        return f"{name(self.seat)} bids {self.amount}."


class BidPassed(NamedTuple):
    """Somebody did not bid."""

    seat: int | None

    def __str__(self) -> str:
        return f"{name(self.seat)} does not bid."


class AuctionWon(NamedTuple):
    """The highest bidder has to pay for the joker."""

    seat: int | None
    joker: Card
    price: int

    def __str__(self) -> str:
        return f"{name(self.seat)} wins {self.joker} for {self.price}."


class JokerDiscarded(NamedTuple):
    """Nobody wanted the joker."""

    joker: Card

    def __str__(self) -> str:
        return f"Nobody bids: {self.joker} is discarded."


class CardChosen(NamedTuple):
    """A card of the market has to be paid for."""

    seat: int
    card: Card

    def __str__(self) -> str:
        return f"{name(self.seat)} buys {self.card} for {self.card.value}."


class PiecePaid(NamedTuple):
    """A token went to the bank, or a card to the discards."""

    seat: int | None
    piece: Piece
    card: Card | None

    def __str__(self) -> str:
        what = self.card if self.card else "a token" if self.piece is Piece.TOKEN else "a bust token"
        return f"{name(self.seat)} pays {what}."


class CardReceived(NamedTuple):
    """A card that was paid for went to its buyer."""

    seat: int | None
    card: Card

    def __str__(self) -> str:
        return f"{name(self.seat)} receives {self.card}."


class PurchaseDeclined(NamedTuple):
    """A seat bought nothing."""

    seat: int

    def __str__(self) -> str:
        return f"{name(self.seat)} buys nothing."


class NumbersTaken(NamedTuple):
    """The number cards of the area went to a player."""

    seat: int | None
    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return f"{name(self.seat)} takes {listed(self.cards) or 'no numbers'}."


class CurrencyTaken(NamedTuple):
    """A player took currency, and the number cards of the area went to the market."""

    seat: int
    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return f"{name(self.seat)} takes the currency{_to_market(self.cards)}."


class Busted(NamedTuple):
    """A player busted; the number cards of the area went to the market, or to TEN if it was TEN's turn."""

    seat: int | None
    by: Kind
    cards: tuple[Card, ...]

    def __str__(self) -> str:
        fate = _to_market(self.cards) if self.seat is not None else ""
        return f"{name(self.seat)} busts by {self.by.name.lower()}{fate}."


class TokensGained(NamedTuple):
    """A player got tokens, as many as the limit allows."""

    seat: int | None
    tokens: int

    def __str__(self) -> str:
        return f"{name(self.seat)} gets {counted(self.tokens, 'token')}."


class BustTokenGained(NamedTuple):
    """A player got a bust token."""

    seat: int | None

    def __str__(self) -> str:
        return f"{name(self.seat)} gets a bust token."


class PurchaseChosen(NamedTuple):
    """A player who busted goes to the market instead of taking a bust token."""

    seat: int

    def __str__(self) -> str:
        return f"{name(self.seat)} goes to the market instead of taking a bust token."


class DeckFinished(NamedTuple):
    """The last turn is over: last purchases, in this order."""

    buyers: tuple[int, ...]

    def __str__(self) -> str:
        return f"The deck is used up: last purchases, seat {', '.join(map(str, self.buyers))}."


def name(seat: int | None) -> str:
    """A player at the start of a sentence; the automa has no seat."""
    return AUTOMA if seat is None else f"Seat {seat}"


def listed(cards: Iterable[Card]) -> str:
    """Cards one after the other."""
    return " ".join(map(str, cards))


def counted(number: int, noun: str) -> str:
    """A number of things."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _to_market(cards: tuple[Card, ...]) -> str:
    return f"; to the market: {listed(cards)}" if cards else ""
