"""Which tables to play when there are too many to play them all: everybody equally often, and every pair too."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import ceil, comb, gcd

from croupier_games import Chance

MOST_TABLES = 500
"""Up to this many sets of bots all are played, unless the organiser sets another limit."""
_SWAPS_PER_SEAT = 40
"""How many swaps are tried for each seat of a sample; more than this evens out very little."""
_MOST_SWAPS = 200_000
"""How many are tried at most: a large sample is nearly even from the start."""

Tables = list[list[int]]


def number_of_tables(bots: int, size: int, limit: int | None) -> int:
    """How many of the sets of `size` bots are played: all, or as many as the limit says.

    Without a limit a sample is as large as it takes for every bot to play exactly as often as every other."""
    every = comb(bots, size)
    if limit is not None:
        return min(every, limit)
    if every <= MOST_TABLES:
        return every
    step = bots // gcd(bots, size)
    return min(every, ceil(max(MOST_TABLES, bots) / step) * step)


def balanced(bots: Sequence[str], size: int, count: int, chance: Chance) -> tuple[tuple[str, ...], ...]:
    """`count` different sets of `size` bots: each bot in equally many or one more, each pair as equally as can be."""
    every = comb(len(bots), size)
    if count < every and 2 * count > every:  # what is left out of a balanced whole must be balanced too
        left_out = set(balanced(bots, size, every - count, chance))
        return tuple(table for table in combinations(bots, size) if table not in left_out)
    if count == every:
        return tuple(combinations(bots, size))
    tables = _one_by_one(len(bots), size, count)
    sample = _Sample(tables, len(bots))
    sample.make_different()
    sample.even_out(chance)
    names = chance.shuffled("schedule/tables/names", range(len(bots)))
    return tuple(tuple(bots[place] for place in sorted(names[bot] for bot in table)) for table in tables)


def connected(tables: Sequence[tuple[str, ...]], bots: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The tables with as few bots exchanged as it takes that results compare every bot with every other.

    Every bot must be at two tables or more: then exchanging some bot of one part with any of another joins them."""
    while len(parts := _parts(tables)) > 1:
        tables = next(
            swapped for swapped in _exchanges(tables, parts[0], parts[1]) if len(_parts(swapped)) < len(parts)
        )
    return tuple(tuple(sorted(table, key=bots.index)) for table in tables)


def _one_by_one(bots: int, size: int, count: int) -> Tables:
    """Seats at every table those who have played least, and of these those who have met the others least."""
    played = [0] * bots
    met = _meetings([], bots)
    tables: Tables = []
    seen: set[frozenset[int]] = set()
    for _ in range(count):
        table: list[int] = []
        while len(table) < size:
            free = [bot for bot in range(bots) if bot not in table]
            fewest = min(played[bot] for bot in free)
            rested = [bot for bot in free if played[bot] == fewest]
            table.append(
                min(rested, key=lambda bot: (frozenset([*table, bot]) in seen, sum(met[bot][x] for x in table)))
            )
        _count_meetings(met, table)
        for bot in table:
            played[bot] += 1
        seen.add(frozenset(table))
        tables.append(table)
    return tables


class _Sample:
    """Tables among which bots can be exchanged: how often each plays stays, whom it meets changes."""

    def __init__(self, tables: Tables, bots: int) -> None:
        self._tables = tables
        self._met = _meetings(tables, bots)
        self._known = Counter(frozenset(table) for table in tables)

    def make_different(self) -> None:
        """Exchanges a bot of every table that comes twice, at whatever price."""
        for one in self._tables:
            ways = ((other, leaving, coming) for other in self._tables for leaving in one for coming in other)
            while self._known[frozenset(one)] > 1 and (way := next(ways, None)):
                self._exchange(one, *way, even_if_uneven=True)

    def even_out(self, chance: Chance) -> None:
        """Exchanges bots wherever that makes the meetings of pairs no less even."""
        size = len(self._tables[0])
        places = size * len(self._tables)
        picks = chance.rolls("schedule/tables/swaps", places, 2 * min(_SWAPS_PER_SEAT * places, _MOST_SWAPS))
        for here, there in zip(picks[::2], picks[1::2], strict=True):
            one, other = self._tables[(here - 1) // size], self._tables[(there - 1) // size]
            self._exchange(one, other, one[(here - 1) % size], other[(there - 1) % size])

    def _exchange(
        self, one: list[int], other: list[int], leaving: int, coming: int, *, even_if_uneven: bool = False
    ) -> None:
        """Exchanges the two if no table then comes twice and the sum of the squares of all meetings does not grow."""
        if leaving in other or coming in one:
            return
        rest, others = set(one) - {leaving}, set(other) - {coming}
        company, other_company = rest - others, others - rest  # whoever is at both tables meets both as before
        gone, came = self._met[leaving], self._met[coming]
        growth = sum(came[bot] - gone[bot] + 1 for bot in company)
        growth += sum(gone[bot] - came[bot] + 1 for bot in other_company)
        new = (frozenset(rest | {coming}), frozenset(others | {leaving}))
        if (growth > 0 and not even_if_uneven) or self._known[new[0]] or self._known[new[1]]:
            return
        self._known.subtract((frozenset(one), frozenset(other)))
        self._known.update(new)
        self._count(leaving, coming, company)
        self._count(coming, leaving, other_company)
        one[one.index(leaving)] = coming
        other[other.index(coming)] = leaving

    def _count(self, left: int, joined: int, company: set[int]) -> None:
        """The company meets one bot less and another more."""
        met = self._met
        for bot in company:
            met[left][bot] -= 1
            met[bot][left] -= 1
            met[joined][bot] += 1
            met[bot][joined] += 1


def _meetings(tables: Tables, bots: int) -> list[list[int]]:
    met = [[0] * bots for _ in range(bots)]
    for table in tables:
        _count_meetings(met, table)
    return met


def _count_meetings(met: list[list[int]], table: list[int]) -> None:
    for one, other in combinations(table, 2):
        met[one][other] += 1
        met[other][one] += 1


def _parts(tables: Sequence[tuple[str, ...]]) -> list[list[int]]:
    """The tables, by position, that hang together through the bots they share."""
    parts: list[tuple[set[str], list[int]]] = []
    for position, table in enumerate(tables):
        touched = [part for part in parts if part[0] & set(table)]
        parts = [part for part in parts if part not in touched]
        bots = set(table).union(*(part[0] for part in touched))
        parts.append((bots, sorted([position, *(place for part in touched for place in part[1])])))
    return sorted(part[1] for part in parts)


def _exchanges(
    tables: Sequence[tuple[str, ...]], part: list[int], other_part: list[int]
) -> Iterator[list[tuple[str, ...]]]:
    """The tables with one bot of the first part and one of the other in each other's place, every way."""
    there = other_part[0]
    coming = tables[there][0]
    for here in part:
        for leaving in tables[here]:
            swapped = list(tables)
            swapped[here] = tuple(coming if bot == leaving else bot for bot in tables[here])
            swapped[there] = tuple(leaving if bot == coming else bot for bot in tables[there])
            yield swapped
