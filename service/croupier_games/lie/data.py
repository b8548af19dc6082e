"""What LIE is made of: the cards, the values on them and the limits of a hand. No rule of play is here."""

from itertools import combinations
from typing import NamedTuple

MIN_SEATS, MAX_SEATS = 2, 6

VALUES = (1, 2, 3, 4, 5, 6)
JOKER = 1
"""The value that can stand for every value (LIE-3.1)."""

DECK: tuple[tuple[int, int], ...] = tuple(pair for pair in combinations(VALUES, 2) for _copy in range(2))
"""Both ends of each of the 30 cards, lower value first (LIE-D1; reconstructed pairing)."""

LARGEST_HAND = 5


class Counting(NamedTuple):
    """How card counts run: from `start`, by `step` per lost round, to `end`, where a seat has lost."""

    start: int
    step: int
    end: int

    def lives(self, count: int) -> int:
        """How many more rounds a seat at this card count must lose to have lost."""
        return (self.end - count) * self.step


GROWING = Counting(start=1, step=+1, end=LARGEST_HAND + 1)
"""LIE-1.1, LIE-1.8, LIE-2.1."""
SHRINKING = Counting(start=LARGEST_HAND, step=-1, end=0)
"""LIE-3.3."""
