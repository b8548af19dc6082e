"""What every format deals from: the settings all of them share, the key, and the blocks that follow from both."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import permutations
from math import factorial

from croupier_games import Chance
from croupier_games.chance import SEED_BYTES
from croupier_runner.errors import ConfigError
from croupier_runner.results import Block

ALL_ORDERS_UP_TO = 3
"""Up to this many seats a block plays every order of the bots; above it, every rotation of one."""


def key_of(seed: int | None) -> bytes:
    """The 32-byte key of a tournament: derived from the seed; or secret and random, and then to be kept for resuming.

    Whoever can guess the seed can compute every deal, so a seed that is published or small suits rehearsals only."""
    if seed is None:
        return secrets.token_bytes(SEED_BYTES)
    return sha256(b"croupier/key/1" + str(seed).encode()).digest()


def block_seed(key: bytes, game_id: str, table: Sequence[str], number: int, stage: str = "") -> bytes:
    """The deal of a block: SHA-256 over its parts, each after its length so that no two blocks collide."""
    digest = sha256(b"croupier/block/2")
    for part in (key, game_id.encode(), stage.encode(), str(number).encode(), *(bot.encode() for bot in table)):
        digest.update(len(part).to_bytes(4, "big") + part)
    return digest.digest()


def lineups(table: tuple[str, ...], seed: bytes) -> tuple[tuple[str, ...], ...]:
    """The orders in which a block seats its table."""
    if len(table) <= ALL_ORDERS_UP_TO:
        return tuple(permutations(table))
    base = Chance(seed).shuffled("schedule/base", table)
    return tuple(base[turn:] + base[:turn] for turn in range(len(base)))


@dataclass(frozen=True, slots=True)
class Cup:
    """The settings that every format shares."""

    bots: tuple[str, ...]
    game_id: str
    seats: int
    blocks: int
    """How many blocks a table plays each time it meets."""
    key: bytes

    def __post_init__(self) -> None:
        if self.seats < 2:
            raise ConfigError(f"seats must be at least 2, got {self.seats}: a rating needs opponents")
        if self.blocks < 1:
            raise ConfigError(f"blocks must be at least 1, got {self.blocks}")
        if len(set(self.bots)) < len(self.bots):
            raise ConfigError("two bots have the same name; give each its own")
        if len(self.bots) < self.seats:
            raise ConfigError(f"{len(self.bots)} bots cannot fill {self.seats} seats; add bots or lower seats")
        if len(self.key) != SEED_BYTES:
            raise ConfigError(f"the key of a tournament has {SEED_BYTES} bytes, got {len(self.key)}; make it by key_of")

    @property
    def games_per_block(self) -> int:
        """How many line-ups each of its blocks has."""
        return factorial(self.seats) if self.seats <= ALL_ORDERS_UP_TO else self.seats

    @property
    def chance(self) -> Chance:
        """Draws for the schedule itself; the deals come from the blocks' own seeds."""
        return Chance(self.key)

    def table(self, bots: Iterable[str]) -> tuple[str, ...]:
        """These bots in the order of the tournament file."""
        return tuple(sorted(bots, key=self.bots.index))

    def block(self, index: int, number: int, table: tuple[str, ...], stage: str) -> Block:
        """The block at that position of the schedule."""
        seed = block_seed(self.key, self.game_id, table, number, stage)
        return Block(index, number, table, seed, lineups(table, seed), stage)
