"""The published rating: a Bradley-Terry fit over all games at once, with honest intervals.

    P(one is placed before other) = 1 / (1 + 10 ** -((R_one + S_seat of one - R_other - S_seat of other) / 400))

A shared place counts as half of each. A weak prior keeps everything finite: every bot and every seat has, besides what
was played, one drawn comparison with an average one. The order of the results changes nothing, to the last bit.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from croupier_runner.ratings.clustered import block_information, block_pulls, degrees_of_freedom, student_975
from croupier_runner.ratings.comparisons import Comparisons, Floats, compare
from croupier_runner.results import BlockResult

ELO = 400 / math.log(10)
"""Elo points in one unit of log odds."""
MEAN = 1500.0
"""The mean rating of every group of bots that met."""
PRIOR = 1.0
"""How many drawn comparisons with an average opponent every bot is credited with."""
_DIGITS = 6
"""Ratings that agree so far are equal: what differs beyond are the last bits of a float."""
_MOST_STEPS = 100
"""Six are usual; only where the prior is next to nothing and a bot never lost does rounding keep it from settling."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What the games say about one bot."""

    elo: float
    margin: float | None
    """Half the width of the 95 % interval; None where the bot was compared with nobody."""
    games: int
    blocks: int
    one_sided: bool
    """It was never placed before anybody, or nobody before it: how far it is from the rest is the prior's guess."""


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """What sitting there is worth, against the mean of the table's seats."""

    seats: int
    """The size of the table."""
    seat: int
    elo: float
    margin: float


@dataclass(frozen=True, slots=True)
class Fit:
    """Ratings with 95 % intervals, and what they rest on."""

    ratings: Mapping[str, Rating]
    """By bot, best first."""
    seat_effects: tuple[SeatEffect, ...]
    games: int
    blocks: int
    groups: tuple[tuple[str, ...], ...]
    """Bots that met, directly or through others. Ratings of different groups say nothing about each other."""
    freedom: float
    """Student's degrees of freedom of the least sure rating: how many blocks its margin rests on."""
    pulls: Floats = field(repr=False, compare=False)
    """By observation and bot (sorted by name), in Elo: how far each block, and the prior, moved the ratings."""

    @property
    def connected(self) -> bool:
        """Whether every two ratings can be compared."""
        return len(self.groups) <= 1


def fit(bots: Sequence[str], results: Sequence[BlockResult], *, seat_effects: bool = True, prior: float = PRIOR) -> Fit:
    """Fits the ratings of a field to all its blocks; forfeits count as the places say."""
    comparisons = compare(bots, results, seat_effects=seat_effects)
    strengths, expected, hessian = _newton(comparisons, prior)
    centred = _centring(comparisons)
    estimates = centred @ np.linalg.inv(hessian)
    information = block_information(comparisons, expected)
    played = block_pulls(comparisons, expected, hessian, information)
    pulls = ELO * np.concatenate([played, _prior_pulls(strengths, prior)]) @ estimates.T
    freedom = degrees_of_freedom(comparisons, information, estimates)
    margins = student_975(freedom) * np.sqrt((pulls**2).sum(axis=0))
    return _shown(comparisons, ELO * (centred @ strengths), margins, float(freedom[: len(bots)].min()), pulls)


def _newton(comparisons: Comparisons, prior: float) -> tuple[Floats, Floats, Floats]:
    """The strengths (log odds), the expected score by cell, and the curvature there."""
    contrasts, counts, points = comparisons.contrasts, comparisons.counts, comparisons.points

    def loss(strengths: Floats) -> float:
        lead = contrasts @ strengths
        played = points @ np.logaddexp(0, -lead) + (counts - points) @ np.logaddexp(0, lead)
        return float(played + prior / 2 * np.sum(np.logaddexp(0, -strengths) + np.logaddexp(0, strengths)))

    strengths = np.zeros(contrasts.shape[1])
    for _ in range(_MOST_STEPS):
        expected, own = _logistic(contrasts @ strengths), _logistic(strengths)
        gradient = contrasts.T @ (points - counts * expected) - prior * (own - 0.5)
        curvature = contrasts.T @ ((counts * expected * (1 - expected))[:, None] * contrasts)
        hessian = curvature + np.diag(prior * own * (1 - own))
        step = np.linalg.solve(hessian, gradient)
        if np.max(np.abs(contrasts @ step), initial=0.0) < 1e-9:
            break
        # Far from the top a full step may overshoot; the loss is convex, so a shorter one always gains.
        before = loss(strengths)
        while loss(strengths + step) > before * (1 + 1e-12):
            step = step / 2
        strengths = strengths + step
    return strengths, expected, hessian


def _prior_pulls(strengths: Floats, prior: float) -> Floats:
    """The drawn comparison as two halves, one won and one lost: for a bot that never lost, the only doubt there is."""
    own = _logistic(strengths)
    return math.sqrt(prior / 2) * np.concatenate([np.diag(1 - own), np.diag(-own)])


def _centring(comparisons: Comparisons) -> Floats:
    """Takes the mean off every group of bots and off the seats of every size of table."""
    centring = np.eye(comparisons.contrasts.shape[1])
    sizes = np.array([size for size, _ in comparisons.seats], dtype=np.int64)
    seats = [len(comparisons.bots) + np.flatnonzero(sizes == size) for size in np.unique(sizes)]
    for members in [*comparisons.groups(), *seats]:
        centring[np.ix_(members, members)] -= 1 / len(members)
    return centring


def _shown(comparisons: Comparisons, elo: Floats, margins: Floats, freedom: float, pulls: Floats) -> Fit:
    bots = comparisons.bots
    groups = tuple(tuple(bots[number] for number in group) for group in comparisons.groups())
    alone = {group[0] for group in groups if len(group) == 1}
    one_sided = _one_sided(comparisons)
    ratings = {
        bots[number]: Rating(
            elo=MEAN + float(elo[number]),
            margin=None if bots[number] in alone else float(margins[number]),
            games=comparisons.games_of[bots[number]],
            blocks=comparisons.blocks_of[bots[number]],
            one_sided=bool(one_sided[number]),
        )
        for number in sorted(range(len(bots)), key=lambda number: (-round(float(elo[number]), _DIGITS), bots[number]))
    }
    effects = tuple(
        SeatEffect(size, seat, float(elo[at]), float(margins[at]))
        for at, (size, seat) in enumerate(comparisons.seats, start=len(bots))
    )
    return Fit(ratings, effects, comparisons.games, comparisons.blocks, groups, freedom, pulls[:, : len(bots)])


def _one_sided(comparisons: Comparisons) -> NDArray[np.bool_]:
    """By bot: whether it was compared, and it all went one way."""
    signs = comparisons.contrasts[:, : len(comparisons.bots)]
    most = comparisons.counts @ np.abs(signs)
    scored = comparisons.points @ (signs > 0) + (comparisons.counts - comparisons.points) @ (signs < 0)
    return np.asarray((most > 0) & ((scored == 0) | (scored == most)))


def _logistic(lead: Floats) -> Floats:
    return np.asarray(0.5 * (1 + np.tanh(lead / 2)), dtype=float)
