"""Keyed chance: every random draw of a game comes from one seed and names its purpose.

Because a draw depends on the seed and its own name only, what a player does never shifts what is dealt later. The
algorithm is specified, with test vectors, in docs/chance.md; change neither without raising every game's version.
"""

from collections.abc import Iterator, Sequence
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
        return _below(self._words(name), bound)

    def rolls(self, name: str, sides: int, count: int) -> tuple[int, ...]:
        """`count` independent dice, each showing 1 to `sides`."""
        words = self._words(name)
        return tuple(_below(words, sides) + 1 for _ in range(count))

    def shuffled(self, name: str, items: Sequence[Item], count: int | None = None) -> tuple[Item, ...]:
        """The items in random order, or just the first `count` of that order."""
        pool = list(items)
        size = len(pool)
        take = size if count is None else count
        words = self._words(name)
        for place in range(min(take, size - 1)):
            other = place + _below(words, size - place)
            pool[place], pool[other] = pool[other], pool[place]
        return tuple(pool[:take])

    def _words(self, name: str) -> Iterator[int]:
        """The endless stream of 32-bit words behind one name."""
        key = sha256(self.seed + name.encode() + b"\0")
        counter = 0
        while True:
            block = key.copy()
            block.update(counter.to_bytes(4, "big"))
            yield from _EIGHT_WORDS.unpack(block.digest())
            counter += 1


def _below(words: Iterator[int], bound: int) -> int:
    """Rejection sampling: words at or above the largest multiple of `bound` are passed over."""
    limit = _WORDS - _WORDS % bound
    for word in words:
        if word < limit:
            return word % bound
    raise AssertionError("the stream of words is endless")
