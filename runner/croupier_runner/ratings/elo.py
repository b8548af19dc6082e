"""Online Elo: a rating after every block, good enough to watch, without intervals.

A block counts as one observation: its games share a deal, so their scores are averaged before anything moves. Within a
table every pair of bots is compared, and all ratings move at once, from what they were before it:

    change of i = K / (N - 1) * sum over j of (mean score of i against j - 1 / (1 + 10 ** ((Rj - Ri) / 400)))
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

from croupier_runner.ratings.comparisons import half_points
from croupier_runner.results import BlockResult

START = 1500.0
K = 16.0
"""The most a rating moves in one block: enough to tell strong from weak in some dozens, and not all noise."""


class Elo:
    """The ratings of a field. Blocks must come in the order of the schedule, never in that of completion."""

    def __init__(self, bots: Sequence[str], *, k: float = K, start: float = START) -> None:
        self._k = k
        self._ratings = dict.fromkeys(bots, start)

    @property
    def ratings(self) -> Mapping[str, float]:
        """The ratings as they stand now, by bot."""
        return self._ratings

    def count(self, result: BlockResult) -> None:
        """Takes in one block as it was played."""
        lineups = result.block.lineups
        self.update(
            [dict(zip(seated, game.places, strict=True)) for seated, game in zip(lineups, result.games, strict=True)]
        )

    def update(self, block: Sequence[Mapping[str, int]]) -> None:
        """Takes in one block: for each of its games the place of every bot at the table."""
        table = sorted(block[0])
        changes = dict.fromkeys(table, 0.0)
        for one, other in combinations(table, 2):
            # Half points are whole numbers, so the sum is exact whatever the order of the games.
            halves = sum(half_points(places[one], places[other]) for places in block)
            surprise = halves / (2 * len(block)) - self.expected(one, other)
            changes[one] += surprise
            changes[other] -= surprise
        for bot, change in changes.items():
            self._ratings[bot] += self._k / (len(table) - 1) * change

    def expected(self, one: str, other: str) -> float:
        """The score that `one` is expected to make against `other`, from 0 to 1."""
        difference = self._ratings[other] - self._ratings[one]
        return float(1 / (1 + 10 ** (difference / 400)))
