"""Tables of Chain Reaction as a test wants them: particular boards, hands and collections, set up through `restore`.

A tile is named by its symbols clockwise from the top, as it lies: "ABCD". Its number and colour follow from the table.
"""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

import pytest

from croupier_games.chain_reaction import CHAIN_REACTION
from croupier_games.chain_reaction.data import Colour, Symbol, Tile
from croupier_games.chain_reaction.reaction import Column, Take, react, upright
from croupier_games.chain_reaction.rules import ChainReactionState
from croupier_games.chain_reaction.table import BUILT_IN, read_table
from croupier_games.game import OptionValue

TILES = read_table(BUILT_IN).tiles
BY_RING = {tile[:4]: tile for tile in TILES}
OUT_OF_THE_WAY = 50
"""Tiles in the stack and in hands before the first turn."""


def seed(number: int) -> bytes:
    return sha256(b"chain reaction/%d" % number).digest()


def open_table(seats: int = 2, number: int = 0, **options: OptionValue) -> ChainReactionState:
    state = CHAIN_REACTION.new(seats=seats, options=options, seed=seed(number))
    assert isinstance(state, ChainReactionState)
    return state


def edges(name: str) -> tuple[Symbol, Symbol, Symbol, Symbol]:
    top, right, bottom, left = (Symbol[letter] for letter in name)
    return top, right, bottom, left


def blank(name: str) -> Tile:
    """A tile for boards where only edges matter; any four symbols will do."""
    return Tile(*edges(name), 1, Colour.RED)


def tile(name: str) -> Tile:
    """The tile of the table, turned like this."""
    turned = edges(name)
    face = BY_RING[min(turned[turn:] + turned[:turn] for turn in range(4))]
    return Tile(*turned, face.number, face.colour)


def take_all(columns: Sequence[Sequence[str]], column: int, placed: str) -> tuple[list[list[str]], list[str]]:
    """Puts a blank tile on a board of blank tiles: the board afterwards, and the takes as "LEFT 2.1 ABCD"."""
    board = tuple(Column(tuple(map(blank, names))) for names in columns)
    after, takes = react(board, column, blank(placed))
    return [[_name(one) for one in column.tiles] for column in after], [_take(take) for take in takes]


def _name(one: Tile) -> str:
    return "".join(symbol.name for symbol in one[:4])


def _take(take: Take) -> str:
    return f"{take.side.name} {take.column}.{take.height} {_name(take.tile)}"


def find(number: int, colour: str, skip: int = 0) -> Tile:
    """The tile of the table with this number and colour; `skip` passes over the first ones."""
    return [one for one in TILES if one.number == number and one.colour.letter == colour][skip]


def collection(text: str, used: Sequence[Tile] = ()) -> list[Tile]:
    """Different tiles of the table such as "1r 1r 3b", none of them used."""
    found: list[Tile] = []
    for word in text.split():
        free = [one for one in TILES if one not in used and one not in found]
        found.append(next(one for one in free if faces([one]) == word))
    return found


def rewrite(state: ChainReactionState, **changes: Any) -> ChainReactionState:
    """The state with fields of its save replaced."""
    saved = json.loads(state.save()) | changes
    return CHAIN_REACTION.restore(json.dumps(saved, sort_keys=True, separators=(",", ":")).encode())


def lay(
    columns: Sequence[Sequence[str]] | None = None,
    hand: str = "ADCF",
    collected: Mapping[int, str] | None = None,
    stack: int | None = None,
    holding: Sequence[int] | None = None,
    seats: int = 2,
    turn: int = 0,
    colours: str = "rgby",
    **options: OptionValue,
) -> ChainReactionState:
    """Seat `turn` to place this hand tile on this board; tiles that are nowhere else lie in front of the last seat.

    `stack` is how many tiles are left to draw, `holding` who has a tile."""
    base = open_table(seats, 0, **options)
    hands: list[Tile | None] = [None] * seats
    hands[turn] = upright(tile(hand))
    board = [[tile(name) for name in names] for names in columns or ()]
    used = [upright(tile(hand)), *[upright(one) for column in board for one in column]]
    mine: dict[int, list[Tile]] = {}
    for seat, text in (collected or {}).items():
        mine[seat] = collection(text, used)
        used += mine[seat]
    if not board:
        spare = [one for one in TILES if one not in used][:20]
        board = [spare[first : first + 4] for first in range(0, 20, 4)]
        used += spare
    assert len(set(used)) == len(used), "a tile is used twice"
    free = [one for one in TILES if one not in used]
    for seat in range(seats) if holding is None else holding:
        hands[seat] = hands[seat] or free.pop()
    count = OUT_OF_THE_WAY - seats if stack is None else stack
    pile, rest = free[:count], free[count:]
    mine[seats - 1] = [*mine.get(seats - 1, []), *rest]
    return rewrite(
        base,
        turn=turn,
        columns=[[column] for column in board],
        hands=hands,
        stack=pile,
        players=[[mine.get(seat, []), []] for seat in range(seats)],
        colours=[int(next(colour for colour in Colour if colour.letter == letter)) for letter in colours[:seats]],
    )


def say(state: ChainReactionState, *lines: str) -> ChainReactionState:
    """Plays lines such as "0 3A": a seat and a notation."""
    for line in lines:
        seat, notation = line.split(" ", 1)
        state.play(int(seat), CHAIN_REACTION.parse(notation))
    return state


def legal(state: ChainReactionState) -> list[str]:
    return [str(action) for action in state.legal(state.deciders[0])]


def faces(tiles: Sequence[Tile]) -> str:
    """Numbers and colours, sorted: "1r 1r 3b"."""
    return " ".join(sorted(f"{one.number}{one.colour.letter}" for one in tiles))


@pytest.fixture
def chr_() -> Any:
    """The ways above, under one name."""

    class Ways:
        pass

    for way in (seed, tile, take_all, find, collection, rewrite, lay, say, legal, faces):
        setattr(Ways, way.__name__, staticmethod(way))
    Ways.open = staticmethod(open_table)  # type: ignore[attr-defined]
    Ways.tiles = TILES  # type: ignore[attr-defined]
    return Ways
