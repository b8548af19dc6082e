"""What depends on how many seats a table has: a lone player has the automa TEN for company, and stricter rules."""

from __future__ import annotations

from croupier_games.ten.automa import LEAST_BID
from croupier_games.ten.holdings import Spare


def players(seats: int) -> int:
    """How many play: against a lone seat TEN plays too, as number 1."""
    return max(2, seats)


def spare(seats: int) -> Spare:
    """Which number cards are payment (TEN-4.3, TEN-8.4)."""
    return Spare.DUPLICATES if seats == 1 else Spare.ALL


def least_bid(seats: int) -> int:
    """The lowest first bid (TEN-4.1, TEN-8.4)."""
    return LEAST_BID if seats == 1 else 1


def round_from(player: int, seats: int) -> list[int]:
    """All players in turn, from the left of this one to this one (ALL-3)."""
    count = players(seats)
    return [(player + step) % count for step in range(1, count + 1)]


def last_buyers(player: int, seats: int) -> tuple[int, ...]:
    """Who may make a last purchase after this player's turn; TEN never does (TEN-6.2, TEN-8.8)."""
    return tuple([buyer for buyer in round_from(player, seats) if buyer < seats])
