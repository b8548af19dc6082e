"""The values of SEALED that go over the wire, named as in sealed.proto."""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from croupier_games import Action

DECK = tuple(value for value in range(1, 7) for _ in range(4))
PASSED = 0


@dataclass(frozen=True, slots=True)
class Offer(Action):
    """Offers a card of the own hand."""

    card: int

    def __str__(self) -> str:
        return f"offer {self.card}"


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Offers nothing in this round."""

    def __str__(self) -> str:
        return "pass"


class Phase(IntEnum):
    """The part of the game that is being played."""

    OFFER = 1
    OVER = 2


class Hand(NamedTuple):
    """The cards of one seat, ascending."""

    cards: tuple[int, ...]


class Reveal(NamedTuple):
    """How a round ended; an offer of 0 is a pass."""

    round: int
    offers: tuple[int, ...]
    pot: int
    winner: int | None


class View(NamedTuple):
    """What a seat, or a spectator, sees."""

    phase: Phase
    round: int
    pot: int
    points: tuple[int, ...]
    reveals: tuple[Reveal, ...]
    hand: Hand | None
    sealed: int | None


class HandDealt(NamedTuple):
    """The cards a seat was dealt."""

    hand: Hand

    def __str__(self) -> str:
        return f"You hold {', '.join(map(str, self.hand.cards))}."


class RoundStarted(NamedTuple):
    """A round starts."""

    round: int
    pot: int

    def __str__(self) -> str:
        return f"Round {self.round} starts with {self.pot} in the pot."


class OfferSealed(NamedTuple):
    """The seat's own offer."""

    card: int

    def __str__(self) -> str:
        return f"You offer {self.card or 'nothing'}."


class OffersRevealed(NamedTuple):
    """All offers were turned up."""

    reveal: Reveal

    def __str__(self) -> str:
        offers = ", ".join(str(card or "-") for card in self.reveal.offers)
        winner = self.reveal.winner
        taker = "nobody takes" if winner is None else f"seat {winner} takes"
        return f"The offers are {offers}: {taker} the pot of {self.reveal.pot}."
