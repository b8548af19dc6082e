"""TEN, the automa that plays against a lone seat: when it stops, what it bids, and what it pays with (TEN-8.x)."""

from __future__ import annotations

from croupier_games.ten.data import Card
from croupier_games.ten.holdings import WORTH, Spare, spare_cards, without_piece
from croupier_games.ten.view import Area, Holding, Piece

DEFAULT_LIMIT, MIN_LIMIT, MAX_LIMIT = 4, 4, 10
LEAST_BID = 5
"""TEN-8.4."""


def is_bust(area: Area, limit: int) -> bool:
    """Whether TEN busts: by currency only (TEN-8.2)."""
    return area.currency_sum > limit


def is_done(area: Area, limit: int) -> bool:
    """Whether TEN reveals no more (TEN-8.2)."""
    return area.total >= limit or is_bust(area, limit)


def first_bid(own: int, other: int) -> int:
    """TEN's bid in the player's turn, given both resources; 0: it passes (TEN-8.5)."""
    return max(LEAST_BID, min(own, other)) if own >= LEAST_BID else 0


def last_bid(own: int, highest: int) -> int:
    """TEN's bid in its own turn, after the player's; 0: it passes (TEN-8.6)."""
    wanted = max(LEAST_BID, highest + 1)
    return wanted if own >= wanted else 0


def payment(holding: Holding, price: int) -> list[tuple[Piece, Card | None]]:
    """What TEN pays with: tokens, then bust tokens, then duplicates (TEN-8.7)."""
    pieces: list[tuple[Piece, Card | None]] = []
    while price > 0:
        piece: tuple[Piece, Card | None]
        if holding.tokens:
            piece = (Piece.TOKEN, None)
        elif holding.bust_tokens:
            piece = (Piece.BUST_TOKEN, None)
        else:
            spares = spare_cards(holding, Spare.DUPLICATES)
            piece = (Piece.CARD, min(spares, key=lambda card: (card.value, card.colour)))
        pieces.append(piece)
        holding = without_piece(holding, *piece)
        price -= WORTH[piece[0]]
    return pieces
