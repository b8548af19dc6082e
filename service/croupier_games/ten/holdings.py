"""What players own: how much it is worth as payment, and how it grows and shrinks.

`spare` says which number cards may be spent: any of them, or with one seat only duplicates (TEN-8.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import Enum

from croupier_games.ten.data import BUST_TOKEN_WORTH, START_TOKENS, TOKEN_LIMIT, Card, Kind
from croupier_games.ten.view import Holding, Piece

WORTH = {Piece.TOKEN: 1, Piece.BUST_TOKEN: BUST_TOKEN_WORTH, Piece.CARD: 1}
"""What each piece is good for (TEN-4.3)."""

FIRST_HOLDING = Holding(START_TOKENS, 0, (), ())


class Spare(Enum):
    """Which of the own number cards are payment."""

    ALL = "all"
    DUPLICATES = "duplicates"


def with_cards(cards: tuple[Card, ...], more: Iterable[Card]) -> tuple[Card, ...]:
    """Sorted cards with more of them."""
    return tuple(sorted((*cards, *more)))


def without_card(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """Sorted cards with one fewer."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def with_tokens(holding: Holding, gain: int) -> Holding:
    """The holding with more tokens, up to the limit (TEN-3.3)."""
    tokens = min(TOKEN_LIMIT, holding.tokens + gain)
    return holding if tokens == holding.tokens else holding._replace(tokens=tokens)


def with_card(holding: Holding, card: Card) -> Holding:
    """The holding with one more number card or joker."""
    if card.kind is Kind.JOKER:
        return holding._replace(jokers=with_cards(holding.jokers, (card,)))
    return holding._replace(numbers=with_cards(holding.numbers, (card,)))


def resources(holding: Holding, spare: Spare) -> int:
    """The most this holding can pay (TEN-4.2, TEN-8.4)."""
    tokens, bust_tokens, numbers, _ = holding
    cards = len(numbers)
    if spare is Spare.DUPLICATES:
        cards -= len(set(numbers))
    return tokens + BUST_TOKEN_WORTH * bust_tokens + cards


def spare_cards(holding: Holding, spare: Spare) -> list[Card]:
    """The different cards that may be spent, sorted."""
    if spare is Spare.ALL:
        return list(dict.fromkeys(holding.numbers))
    return [card for card, copies in Counter(holding.numbers).items() if copies > 1]


def without_piece(holding: Holding, piece: Piece, card: Card | None) -> Holding:
    """The holding after one piece was paid."""
    if card is not None:
        return holding._replace(numbers=without_card(holding.numbers, card))
    if piece is Piece.TOKEN:
        return holding._replace(tokens=holding.tokens - 1)
    return holding._replace(bust_tokens=holding.bust_tokens - 1)
