"""Who plays whom on which deal: pure, and the same for the same tournament file on every machine.

Every set of bots that fits the seats is a table. A block is one deal played by one table with the bots
rotated through the seats, so that luck of the deal and of the seat falls on everybody alike.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations, permutations

from croupier_games import Chance

ALL_ORDERS_UP_TO = 3
"""Up to this many seats a block plays every order of the bots; above it, every rotation of one."""


@dataclass(frozen=True, slots=True)
class Block:
    """One deal for one table."""

    index: int
    """Its position among all blocks of the schedule, counting from 0."""
    number: int
    """Which of the table's own blocks it is, counting from 1."""
    table: tuple[str, ...]
    seed: bytes
    lineups: tuple[tuple[str, ...], ...]
    """The games of the block: each names the bots by seat."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to play."""

    block: Block
    order: int
    """Its position within the block, counting from 0."""

    @property
    def lineup(self) -> tuple[str, ...]:
        """The bots by seat."""
        return self.block.lineups[self.order]


class Schedule:
    """The round-robin of a tournament, handed out game by game."""

    def __init__(self, *, bots: Sequence[str], game_id: str, seats: int, blocks: int, seed: int) -> None:
        self._game_id = game_id
        self._seed = seed
        self.tables = tuple(combinations(bots, seats))
        self.blocks = blocks * len(self.tables)
        self.games = self.blocks * len(lineups(tuple(bots[:seats]), bytes(32)))
        self._pairings = self._all(blocks)

    def next(self) -> Pairing | None:
        """The next game, or None when all have been handed out."""
        return next(self._pairings, None)

    def _all(self, blocks: int) -> Iterator[Pairing]:
        """Every table plays its first block before any plays its second: a run cut short stays balanced."""
        index = 0
        for number in range(1, blocks + 1):
            for table in self.tables:
                seed = block_seed(self._seed, self._game_id, table, number)
                block = Block(index, number, table, seed, lineups(table, seed))
                for order in range(len(block.lineups)):
                    yield Pairing(block, order)
                index += 1


def block_seed(seed: int, game_id: str, table: Sequence[str], number: int) -> bytes:
    """The deal of a block: SHA-256 over its parts, each after its length so that no two blocks collide."""
    digest = sha256(b"croupier/block/1")
    for part in (str(seed), game_id, str(number), *table):
        data = part.encode()
        digest.update(len(data).to_bytes(4, "big") + data)
    return digest.digest()


def lineups(table: tuple[str, ...], seed: bytes) -> tuple[tuple[str, ...], ...]:
    """The orders in which a block seats its table."""
    if len(table) <= ALL_ORDERS_UP_TO:
        return tuple(permutations(table))
    base = Chance(seed).shuffled("schedule/base", table)
    return tuple(base[turn:] + base[:turn] for turn in range(len(base)))
