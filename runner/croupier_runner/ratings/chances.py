"""Who is probably first, and who better than whom: a bootstrap over blocks.

Each resample counts every block a random number of times (0, 1, 2 ... with mean 1) and asks what the ratings would
have been. The fit is not repeated for that: a block counted once more moves the ratings by what it pulled at them, to
first order, so all resamples together are one product of matrices. The spread of the resamples is the covariance of
the fit, by construction. That covariance is itself an estimate, and with few blocks a rough one: each resample is
stretched by as much as it may be wrong, as Student's distribution does it, so that few blocks never look certain.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from croupier_runner.ratings.bradley_terry import Fit
from croupier_runner.ratings.comparisons import Floats

RESAMPLES = 2000
_DIGITS = 6
_AT_A_TIME = 2_000_000
"""How many counts are drawn at once: bounds the memory, whatever the number of blocks."""


@dataclass(frozen=True, slots=True)
class Chances:
    """Shares of the resamples, from 0 to 1."""

    first: Mapping[str, float | None]
    """By bot, in the order of the fit: how often it was rated highest in its group; None if it met nobody."""
    better: Mapping[tuple[str, str], float | None]
    """By ordered pair: how often the first was rated above the second; None if nothing connects the two."""
    resamples: int


def chances(fit: Fit, *, seed: int, resamples: int = RESAMPLES) -> Chances:
    """How often each bot is first and each is better than each, when the blocks are drawn again."""
    ratings = _resampled(fit, np.random.default_rng(seed), resamples)
    names = sorted(fit.ratings)
    first: dict[str, float | None] = dict.fromkeys(fit.ratings)
    better: dict[tuple[str, str], float | None] = {
        (one, other): None for one in names for other in names if one != other
    }
    for group in fit.groups:
        if len(group) == 1:
            continue
        columns = ratings[:, [names.index(bot) for bot in group]]
        top = columns == columns.max(axis=1, keepdims=True)
        shares = (top / top.sum(axis=1, keepdims=True)).mean(axis=0)
        first.update(zip(group, shares.tolist(), strict=True))
        for at, one in enumerate(group):
            lead = columns[:, at, None] - columns
            above = ((lead > 0) + (lead == 0) / 2).mean(axis=0)
            better.update({(one, other): float(above[to]) for to, other in enumerate(group) if other != one})
    return Chances(first, better, resamples)


def _resampled(fit: Fit, random: np.random.Generator, resamples: int) -> Floats:
    """By resample and bot (sorted by name): the rating."""
    observations = len(fit.pulls)
    chunk = max(1, _AT_A_TIME // max(1, observations))
    moved = [
        (random.poisson(1.0, (min(chunk, resamples - start), observations)) - 1.0) @ fit.pulls
        for start in range(0, resamples, chunk)
    ]
    stretch = np.sqrt(fit.freedom / random.chisquare(fit.freedom, (resamples, 1)))
    ratings = np.array([fit.ratings[bot].elo for bot in sorted(fit.ratings)]) + stretch * np.concatenate(moved)
    return np.asarray(
        np.round(ratings, _DIGITS), dtype=float
    )  # equals must be equal, whatever the last bits of a float say
