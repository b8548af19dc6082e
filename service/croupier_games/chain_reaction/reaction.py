"""The chain reaction: what a tile takes when it is put on a column (CHR-2.2 to CHR-2.6)."""

from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from croupier_games.chain_reaction.data import Tile


class Side(IntEnum):
    """On which side of the placed tile another one was taken."""

    LEFT = 1
    RIGHT = 2
    BELOW = 3


class Column(NamedTuple):
    """The tiles of one column, the lowest first."""

    tiles: tuple[Tile, ...]


class Take(NamedTuple):
    """A tile that was taken: on which side, and from where; columns and heights count from 1."""

    side: Side
    column: int
    height: int
    tile: Tile


@lru_cache(maxsize=8192)
def turns(tile: Tile) -> tuple[Tile, Tile, Tile, Tile]:
    """The tile, and the tile turned clockwise by one, two and three quarters; each is one object for all tables."""
    first, second, third, fourth, number, colour = tile
    return (
        tile,
        Tile(fourth, first, second, third, number, colour),
        Tile(third, fourth, first, second, number, colour),
        Tile(second, third, fourth, first, number, colour),
    )


@lru_cache(maxsize=8192)
def upright(tile: Tile) -> Tile:
    """The tile with the first of its symbols on top: as it is kept off the board."""
    return turns(min(turns(tile)))[0]


def react(columns: tuple[Column, ...], column: int, tile: Tile) -> tuple[tuple[Column, ...], list[Take]]:
    """Puts the tile on a column (1 to 5) and takes what matches, in order; columns that stay are the same objects."""
    at = column - 1
    own = list(columns[at].tiles)
    left = list(columns[at - 1].tiles) if at else []
    right = list(columns[at + 1].tiles) if column < len(columns) else []
    takes: list[Take] = []
    while True:
        height = len(own)  # counted from 0: the placed tile rests on its own column
        while height < len(left) and left[height].right == tile.left:  # CHR-2.3
            takes.append(Take(Side.LEFT, column - 1, height + 1, left.pop(height)))
        while height < len(right) and right[height].left == tile.right:  # CHR-2.4
            takes.append(Take(Side.RIGHT, column + 1, height + 1, right.pop(height)))
        if not own or own[-1].top != tile.bottom:  # CHR-2.6
            break
        takes.append(Take(Side.BELOW, column, height, own.pop()))  # CHR-2.5
    after = list(columns)
    after[at] = Column((*own, tile))
    if any(take.side is Side.LEFT for take in takes):
        after[at - 1] = Column(tuple(left))
    if any(take.side is Side.RIGHT for take in takes):
        after[at + 1] = Column(tuple(right))
    return tuple(after), takes
