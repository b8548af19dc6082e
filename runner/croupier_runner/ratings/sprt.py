"""Is A better than B? A sequential test on block scores that stops as soon as it knows.

H0 says that A is elo0 points better than B, H1 that it is elo1 points better. Every block gives one score: A's mean
score against B over the block's games. What scatter the scores have is not assumed but estimated from them, under each
hypothesis (the generalised likelihood ratio of a normal mean with unknown variance):

    llr after n blocks = n / 2 * ln(mean square of (score - s0) / mean square of (score - s1))

where s is the score that the Elo difference stands for. Both mean squares count two more blocks of the largest
variance a score can have, so that a handful of equal scores at the start proves nothing. The test ends when the ratio
first leaves (ln(beta / (1 - alpha)), ln((1 - beta) / alpha)), and what comes later does not change its verdict.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from croupier_runner.errors import ConfigError
from croupier_runner.ratings.comparisons import half_points, in_schedule_order
from croupier_runner.results import BlockResult

Decision = Literal["running", "H0", "H1"]

_EXTRA_BLOCKS = 2.0
_LARGEST_VARIANCE = 0.25
"""That of a score which is 0 or 1 with equal chance."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where the test stands, or where it ended."""

    llr: float
    lower: float
    upper: float
    decision: Decision
    blocks: int
    """How many blocks it took; those after a decision are not counted."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of H0 "elo0 better" against H1 "elo1 better"."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """How often H1 may be accepted though H0 holds."""
    beta: float = 0.05
    """How often H0 may be accepted though H1 holds."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ConfigError(f"sprt: elo0 = {self.elo0} must be less than elo1 = {self.elo1}; exchange or change them")
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ConfigError(
                f"sprt: alpha = {self.alpha} and beta = {self.beta} must be above 0 and below 1 together;"
                " 0.05 for both is usual"
            )

    def after(self, scores: Sequence[float]) -> Verdict:
        """The verdict after these block scores (0 to 1), in the order of the schedule."""
        lower, upper = math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)
        ratios = self._ratios(scores)
        crossed = np.flatnonzero((ratios <= lower) | (ratios >= upper))
        blocks = int(crossed[0]) + 1 if len(crossed) else len(ratios)
        llr = float(ratios[blocks - 1]) if blocks else 0.0
        decision: Decision = "running" if not len(crossed) else "H1" if llr >= upper else "H0"
        return Verdict(llr, lower, upper, decision, blocks)

    def _ratios(self, scores: Sequence[float]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """The log likelihood ratio after every block."""
        seen = np.asarray(scores, dtype=float)
        blocks = np.arange(1, len(seen) + 1)
        extra = _EXTRA_BLOCKS * _LARGEST_VARIANCE
        squares0 = np.cumsum((seen - expected_score(self.elo0)) ** 2) + extra
        squares1 = np.cumsum((seen - expected_score(self.elo1)) ** 2) + extra
        return blocks / 2 * np.log(squares0 / squares1)


def expected_score(elo: float) -> float:
    """The mean score that an advantage in Elo stands for."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def duel_scores(results: Sequence[BlockResult], one: str, other: str) -> list[float]:
    """By block in which both sit, in the order of the schedule: the mean score of one bot against another."""
    return [
        _mean_score(result, one, other)
        for result in in_schedule_order(results)
        if one in result.block.table and other in result.block.table
    ]


def _mean_score(result: BlockResult, one: str, other: str) -> float:
    halves = sum(
        half_points(game.places[lineup.index(one)], game.places[lineup.index(other)])
        for lineup, game in zip(result.block.lineups, result.games, strict=True)
    )
    return halves / 2 / len(result.games)
