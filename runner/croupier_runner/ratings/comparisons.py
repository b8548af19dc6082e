"""Who was placed before whom: the games of a tournament as pairwise comparisons, in arrays.

Every pair of seats of a game is one comparison. What was compared (two bots, on two seats) is a *cell*; within a cell
only the number of half points counts, a whole number, so that no sum depends on the order in which it is taken. Blocks
are put in the order of the schedule first: everything that is computed from here is the same whatever the order of the
results.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from croupier_runner.results import BlockResult

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Comparisons:
    """All comparisons of a tournament. Parameters are numbered: first the bots, then the seats."""

    bots: tuple[str, ...]
    """Sorted, so that the order in which they were named changes nothing."""
    seats: tuple[tuple[int, int], ...]
    """Each seat of each size of table as (size, seat): the first of two seats is not the first of four."""
    games: int
    blocks: int
    games_of: Counter[str]
    blocks_of: Counter[str]
    pattern: Integers
    """By block: what it compared. Blocks of one table with the same line-ups have the same number."""
    contrasts: Floats
    """By cell and parameter: 1 for the bot and seat that score, -1 for those they score against."""
    block: Integers
    """By comparison: the block it belongs to."""
    cell: Integers
    """By comparison: what was compared."""
    halves: Integers
    """By comparison: half points of the first of the two; 2 for the better place, 1 for a shared one."""

    @property
    def counts(self) -> Floats:
        """By cell: how often it was compared."""
        return np.bincount(self.cell, minlength=len(self.contrasts)).astype(float)

    @property
    def points(self) -> Floats:
        """By cell: the sum of the scores, exact because half points are whole numbers."""
        return np.bincount(self.cell, weights=self.halves, minlength=len(self.contrasts)) / 2

    def groups(self) -> list[Integers]:
        """The numbers of the bots that are connected by games, directly or through others, group by group."""
        reach = np.eye(len(self.bots), dtype=bool)
        pairs = self.contrasts[:, : len(self.bots)] != 0
        reach |= (pairs.T.astype(float) @ pairs.astype(float)) > 0
        for _ in range(len(self.bots).bit_length()):  # each squaring doubles the length of the paths that are seen
            reach = (reach.astype(float) @ reach.astype(float)) > 0
        return [np.flatnonzero(row) for number, row in enumerate(reach) if not row[:number].any()]


def compare(bots: Sequence[str], results: Sequence[BlockResult], *, seat_effects: bool) -> Comparisons:
    """Takes all games apart into comparisons."""
    names = tuple(sorted(set(bots)))
    number = {name: at for at, name in enumerate(names)}
    ordered = in_schedule_order(results)
    strangers = {bot for result in ordered for bot in result.block.table} - set(names)
    if strangers:
        raise ValueError(f"the results are of bots that are not to be rated: {sorted(strangers)}; name all that played")
    sizes = sorted({len(lineup) for result in ordered for lineup in result.block.lineups})
    seats = tuple((size, seat) for size in sizes for seat in range(size)) if seat_effects else ()
    parts = [_table_size(ordered, number, size, seats) for size in sizes]
    block, first, second, here, there, halves = np.concatenate([np.zeros((6, 0), np.int64), *parts], axis=1)
    shape = (len(names), len(names), max(1, len(seats)), max(1, len(seats)))
    cells, cell = np.unique(np.ravel_multi_index((first, second, here, there), shape), return_inverse=True)
    return Comparisons(
        bots=names,
        seats=seats,
        games=sum(len(result.games) for result in ordered),
        blocks=len(ordered),
        games_of=Counter(bot for result in ordered for lineup in result.block.lineups for bot in lineup),
        blocks_of=Counter(bot for result in ordered for bot in result.block.table),
        pattern=_patterns(ordered),
        contrasts=_contrasts(np.unravel_index(cells, shape), len(names), len(seats)),
        block=block,
        cell=cell,
        halves=halves,
    )


def in_schedule_order(results: Sequence[BlockResult]) -> list[BlockResult]:
    """The blocks as they were scheduled; where two share an index (two tournaments in one) by what they are."""
    return sorted(results, key=lambda result: (result.block.index, _content(result)))


def half_points(place: int, other: int) -> int:
    """2 for the better place, 1 for a shared one, 0 for the worse."""
    return 1 + (place < other) - (place > other)


def _content(result: BlockResult) -> tuple[object, ...]:
    block = result.block
    return block.stage, block.table, block.seed, block.lineups, tuple(game.places for game in result.games)


def _patterns(results: Sequence[BlockResult]) -> Integers:
    seen: dict[object, int] = {}
    return np.array([seen.setdefault(result.block.lineups, len(seen)) for result in results], dtype=np.int64)


def _table_size(
    results: Sequence[BlockResult], number: dict[str, int], size: int, seats: tuple[tuple[int, int], ...]
) -> Integers:
    """The comparisons of all games with so many seats, as columns: block, two bots, their seats, half points."""
    rows = [
        (block, *(number[bot] for bot in lineup), *game.places)
        for block, result in enumerate(results)
        for lineup, game in zip(result.block.lineups, result.games, strict=True)
        if len(lineup) == size
    ]
    table = np.array(rows, dtype=np.int64).T
    block, bots, places = table[0], table[1 : 1 + size], table[1 + size :]
    start = seats.index((size, 0)) if seats else 0
    parts = []
    for one, other in combinations(range(size), 2):
        halves = 1 + (places[one] < places[other]).astype(np.int64) - (places[one] > places[other])
        swap = bots[one] > bots[other]  # a pair of bots is always seen from the one with the lower number
        here, there = (start + one, start + other) if seats else (0, 0)
        parts.append(
            [
                block,
                np.where(swap, bots[other], bots[one]),
                np.where(swap, bots[one], bots[other]),
                np.where(swap, there, here),
                np.where(swap, here, there),
                np.where(swap, 2 - halves, halves),
            ]
        )
    return np.concatenate([np.array(part, dtype=np.int64) for part in parts], axis=1)


def _contrasts(cells: Sequence[NDArray[np.intp]], bots: int, seats: int) -> Floats:
    first, second, here, there = cells
    row = np.arange(len(first))
    contrasts = np.zeros((len(first), bots + seats))
    contrasts[row, first] = 1.0
    contrasts[row, second] = -1.0
    if seats:
        contrasts[row, bots + here] = 1.0
        contrasts[row, bots + there] = -1.0
    return contrasts
