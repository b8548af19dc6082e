"""How many games the duplicate deals saved, measured from the results.

A bot's score in a game is the share of the others it was placed before, a shared place being half. Over a block, luck
of the deal falls on everybody in turn and partly cancels. How much: the variance of a bot's mean score over blocks, as
it was, against what it would be if every game of the block had had a deal of its own, the seats being the same:

    ratio = mean variance with independent deals / mean variance of the block means

With a ratio of 1.5, a hundred games say as much as a hundred and fifty with independent deals. It is below 1 where the
same deal suits the same bot from every seat: then the games of a block repeat each other, and duplicate deals cost
games.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from croupier_runner.ratings.clustered import NORMAL_975
from croupier_runner.ratings.comparisons import Floats, half_points, in_schedule_order
from croupier_runner.results import BlockResult

ENOUGH = 20
"""How many blocks, besides the first of each table, it takes before a variance is worth showing."""
_NOTHING = 1e-9
"""Less than any real difference between scores, more than rounding leaves of none."""


@dataclass(frozen=True, slots=True)
class Luck:
    """What duplicate deals were worth; numbers are None where the data does not give them."""

    ratio: float | None
    low: float | None
    high: float | None
    """The ratio, and its 95 % interval."""
    games: int
    saved: int | None
    """How many games more would have been needed with independent deals; negative if duplicate deals cost games."""
    statement: str
    """The same in a sentence, for people."""


def luck(results: Sequence[BlockResult]) -> Luck:
    """Measures what the duplicate deals were worth."""
    games = sum(len(result.games) for result in results)
    alike: dict[object, list[list[list[float]]]] = defaultdict(list)
    for result in in_schedule_order(results):
        seats, scores = _by_seat(result)
        if len(result.games) > 1:
            alike[result.block.table, seats].append(scores)
    spare = sum(len(blocks) - 1 for blocks in alike.values())
    if spare < ENOUGH:
        return _unknown(games, f"{games} games are too few to tell what the duplicate deals saved")
    together, apart = np.concatenate([_variances(np.array(blocks)) for blocks in alike.values()], axis=1)
    if apart.sum() < _NOTHING:
        return _unknown(games, "every deal ended in the same way, so there was no luck for duplicate deals to cancel")
    if together.sum() < _NOTHING:
        return _unknown(
            games, "the duplicate deals cancelled all luck: every block of a table ended with the same score"
        )
    ratio = float(apart.sum() / together.sum())
    error = float(np.sqrt(np.sum((apart / apart.sum() - together / together.sum()) ** 2)))
    return _known(games, ratio, math.exp(NORMAL_975 * error))


def _by_seat(result: BlockResult) -> tuple[object, list[list[float]]]:
    """By bot of the table, its games in the order of its seats: on which seat, and with what score."""
    played: dict[str, list[tuple[int, int, float]]] = {bot: [] for bot in result.block.table}
    for number, (lineup, game) in enumerate(zip(result.block.lineups, result.games, strict=True)):
        for seat, (bot, place) in enumerate(zip(lineup, game.places, strict=True)):
            halves = sum(half_points(place, other) for other in game.places) - 1  # less the draw with itself
            played[bot].append((seat, number, halves / 2 / (len(lineup) - 1)))
    rows = [sorted(row) for row in played.values()]
    return tuple(tuple(seat for seat, _, _ in row) for row in rows), [[score for _, _, score in row] for row in rows]


def _variances(scores: Floats) -> Floats:
    """Two rows, by block: its part in the variance of the block means, and in that of independent games."""
    off = scores - scores.mean(axis=0)  # by block, bot and game: each game against the same seat's mean
    return np.array([(off.mean(axis=2) ** 2).sum(axis=1), (off**2).sum(axis=(1, 2)) / off.shape[2] ** 2])


def _unknown(games: int, statement: str) -> Luck:
    return Luck(None, None, None, games, None, statement)


def _known(games: int, ratio: float, spread: float) -> Luck:
    low, high = ratio / spread, ratio * spread
    saved = round(games * (ratio - 1))
    worth = f"{games} games said as much as {games + saved} with independent deals would"
    if low > 1:
        verdict = f"duplicate deals saved {saved} games: {worth}"
    elif high < 1:
        verdict = f"duplicate deals cost {-saved} games: {worth}"
    else:
        verdict = "no saving by duplicate deals can be told from chance yet"
    return Luck(ratio, low, high, games, saved, f"{verdict} (ratio {ratio:.2f}, 95 % {low:.2f} to {high:.2f})")
