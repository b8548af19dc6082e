"""The final score: the runs that cards make when every joker stands where it helps most (TEN-6.3, TEN-6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from croupier_games.ten.data import COLOUR_JOKERS, COLOURS, DIGITS, FULL_JOKER, Card, Colour
from croupier_games.ten.jokers import FULL, FULL_RUN_BONUS, LONGEST, best_spans, bit


class Run(NamedTuple):
    """The run that scores in one colour, and which of its digits a joker stands for."""

    colour: Colour
    first: int
    last: int
    stand_ins: tuple[tuple[int, Card], ...]
    """Pairs of a digit and the joker in its place."""

    @property
    def length(self) -> int:
        """How many cards it has."""
        return self.last - self.first + 1

    @property
    def is_full(self) -> bool:
        """Whether it goes from 1 to 9."""
        return self.length == LONGEST

    @property
    def points(self) -> int:
        """What it is worth (TEN-6.4)."""
        return self.length + FULL_RUN_BONUS * self.is_full

    def __str__(self) -> str:
        digits = str(self.first) if self.length == 1 else f"{self.first}-{self.last}"
        points = "1 point" if self.points == 1 else f"{self.points} points"
        jokers = ", ".join(f"{joker} as {digit}" for digit, joker in self.stand_ins)
        return f"{self.colour.words} {digits} for {points}" + (f" with {jokers}" if jokers else "")


class Score(NamedTuple):
    """The best that a player's cards can do: a run in each colour that has one."""

    runs: tuple[Run, ...]

    @property
    def points(self) -> int:
        """The points of all runs."""
        return sum([run.points for run in self.runs])

    @property
    def full_runs(self) -> int:
        """How many runs go from 1 to 9."""
        return sum([run.is_full for run in self.runs])

    @property
    def cards_used(self) -> int:
        """How many cards the runs are made of."""
        return sum([run.length for run in self.runs])


def best_score(numbers: Sequence[Card], jokers: Sequence[Card]) -> Score:
    """The most points, and among equal points the fewest cards used, that these cards allow."""
    owned = [0] * len(COLOURS)
    for card in numbers:
        owned[card.colour - 1] |= bit(card.value)
    shared = FULL if FULL_JOKER in jokers else 0
    for joker in jokers:
        shared |= bit(joker.value) if joker.value else 0
    own_jokers = [jokers.count(COLOUR_JOKERS[colour]) for colour in COLOURS]
    spans = best_spans(owned, own_jokers, shared)
    lacking = [span.digits & ~digits for span, digits in zip(spans, owned, strict=True)]
    stand_ins = _stand_ins(lacking, jokers)
    return Score(
        tuple(
            Run(colour, span.first, span.last, tuple(stand_ins[colour]))
            for colour, span in zip(COLOURS, spans, strict=True)
            if span.digits
        )
    )


def _stand_ins(lacking: Sequence[int], jokers: Sequence[Card]) -> dict[Colour, list[tuple[int, Card]]]:
    """Which joker stands for which digit of each colour. There is a way: the search saw to it.

    Each gap takes a free joker, or one whose own gap can take another instead."""
    ready = sorted(jokers, reverse=True)  # the full joker, which fits everywhere, last
    gap_of: dict[int, tuple[Colour, int]] = {}  # by the joker's position in `ready`

    def fill(gap: tuple[Colour, int], tried: set[int]) -> bool:
        for position, joker in enumerate(ready):
            if position in tried or joker.colour not in (Colour.NONE, gap[0]) or joker.value not in (0, gap[1]):
                continue
            tried.add(position)
            if position not in gap_of or fill(gap_of[position], tried):
                gap_of[position] = gap
                return True
        return False

    for colour, missing in zip(COLOURS, lacking, strict=True):
        for digit in DIGITS:
            if missing & bit(digit):
                fill((colour, digit), set())
    placed: dict[Colour, list[tuple[int, Card]]] = {colour: [] for colour in COLOURS}
    for position, (colour, digit) in sorted(gap_of.items(), key=lambda item: item[1]):
        placed[colour].append((digit, ready[position]))
    return placed
