"""Keyed chance: every random draw of a game comes from one seed and names its purpose.

Because a draw depends on the seed and its own name only, what a player does never shifts what is dealt later. The
algorithm is specified, with test vectors, in docs/chance.md; change neither without raising every game's version.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from struct import Struct
from typing import TypeVar

SEED_BYTES = 32

Item = TypeVar("Item")

_EIGHT_WORDS = Struct(">8I")
_WORDS = 2**32


class Chance:
    """The draws of one seed. Immutable: asking twice for a name gives the same answer twice."""

    __slots__ = ("seed",)

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, got {len(seed)}")
        self.seed = seed

    def below(self, name: str, bound: int) -> int:
        """One whole number from 0 to bound - 1, each equally likely."""
        return self._draws(name, (bound,))[0]

    def rolls(self, name: str, sides: int, count: int) -> tuple[int, ...]:
        """`count` independent dice, each showing 1 to `sides`."""
        return tuple([number + 1 for number in self._draws(name, (sides,) * count)])

    def shuffled(self, name: str, items: Sequence[Item], count: int | None = None) -> tuple[Item, ...]:
        """The items in random order, or just the first `count` of that order."""
        pool = list(items)
        size = len(pool)
        take = size if count is None else count
        if not 0 <= take <= size:
            raise ValueError(f"{size} items give 0 to {size} in random order, not {take}")
        # The last item of a full shuffle has only one place left, which takes no draw.
        bounds = range(size, size - min(take, size - 1), -1) if size else ()
        for place, ahead in enumerate(self._draws(name, bounds)):
            other = place + ahead
            pool[place], pool[other] = pool[other], pool[place]
        return tuple(pool[:take])

    def _draws(self, name: str, bounds: Iterable[int]) -> list[int]:
        """A number below each bound, in turn, from the one stream of 32-bit words behind the name.

        Rejection sampling: words at or above the largest multiple of the bound are passed over."""
        prefix = self.seed + name.encode() + b"\0"
        counter = 0
        words: list[int] = []  # those of the current block, the next one last
        drawn = []
        for bound in bounds:
            if not 1 <= bound <= _WORDS:
                raise ValueError(f"a bound is 1 to {_WORDS}, got {bound}")
            limit = _WORDS - _WORDS % bound
            word = limit
            while word >= limit:
                if not words:
                    block = sha256(prefix + counter.to_bytes(4, "big")).digest()
                    words = list(_EIGHT_WORDS.unpack(block))[::-1]
                    counter += 1
                word = words.pop()
            drawn.append(word % bound)
        return drawn
