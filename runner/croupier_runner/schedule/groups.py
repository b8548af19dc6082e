"""Tables of bots that are alike and have not met: the drawing of a swiss round."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from croupier_games import Chance

_MOST_KICKS = 40
"""How often a drawing is shaken up in search of a better one."""
_MOST_PAIRS = 40_000
"""How many pairs of bots are looked at for that at most, so that a large field does not wait for its drawing."""

Meetings = Counter[frozenset[str]]


def alike(
    ranked: Sequence[str], size: int, *, level: Mapping[str, int], met: Meetings, chance: Chance, name: str
) -> list[list[str]]:
    """Splits the ranked bots into tables: as few meet again as can be found, and those who sit together are close."""
    drawing = _Drawing(ranked, size, level, met)
    drawing.settle()
    kicks = min(_MOST_KICKS, _MOST_PAIRS // len(ranked) ** 2)
    places = [roll - 1 for roll in chance.rolls(name, len(ranked), 4 * kicks)]
    for kick in range(0, len(places), 4):
        if drawing.price == 0:
            break
        drawing.kick(places[kick : kick + 4])
    return drawing.tables()


class _Drawing:
    """Bots in places; each run of `size` places is a table, and every pair at a table has its price."""

    def __init__(self, bots: Sequence[str], size: int, level: Mapping[str, int], met: Meetings) -> None:
        self._bots = bots
        self._size = size
        self._seated = list(range(len(bots)))
        """Which bot is in each place, by its position among the bots."""
        furthest = max(level.values()) - min(level.values())
        # A single repeat is dearer than all differences of level together.
        repeat = 1 + len(bots) * size * furthest**2
        self._prices = [
            [repeat * met[frozenset((one, other))] + (level[one] - level[other]) ** 2 for other in bots] for one in bots
        ]
        places = range(len(bots))
        # Neighbours first: they are most alike.
        self._swaps = [
            (one, one + far) for far in places[1:] for one in places[:-far] if one // size != (one + far) // size
        ]

    def tables(self) -> list[list[str]]:
        return [[self._bots[bot] for bot in table] for table in self._tables()]

    @property
    def price(self) -> int:
        return sum(self._prices[one][other] for table in self._tables() for one, other in combinations(table, 2))

    def swap(self, one: int, other: int) -> None:
        self._seated[one], self._seated[other] = self._seated[other], self._seated[one]

    def settle(self) -> None:
        """Swaps two bots for as long as some swap makes the tables cheaper."""
        better = True
        while better:
            better = False
            for one, other in self._swaps:
                if self._growth(one, other) < 0:
                    self.swap(one, other)
                    better = True

    def kick(self, swaps: Sequence[int]) -> None:
        """Makes the swaps, settles, and goes back to what was if that is dearer."""
        before, price = self._seated.copy(), self.price
        for one, other in zip(swaps[::2], swaps[1::2], strict=True):
            self.swap(one, other)
        self.settle()
        if self.price > price:
            self._seated = before

    def _tables(self) -> list[list[int]]:
        return [self._seated[first : first + self._size] for first in range(0, len(self._seated), self._size)]

    def _growth(self, one: int, other: int) -> int:
        """By how much the price would grow if the two changed places."""
        here, there = self._prices[self._seated[one]], self._prices[self._seated[other]]
        growth = 0
        for bot in self._company(one):
            growth += there[bot] - here[bot]
        for bot in self._company(other):
            growth += here[bot] - there[bot]
        return growth

    def _company(self, place: int) -> list[int]:
        first = place - place % self._size
        return self._seated[first:place] + self._seated[place + 1 : first + self._size]
