"""How tiles and colours are dealt, and drawn anew for somebody who cannot see them."""

from typing import NamedTuple

from croupier_games.chain_reaction.data import BOARD_TILES, START_HEIGHT, Colour, Tile
from croupier_games.chain_reaction.reaction import Column, turns
from croupier_games.chance import Chance

Hands = tuple[Tile | None, ...]


class Deal(NamedTuple):
    """What lies where before the first turn."""

    columns: tuple[Column, ...]
    hands: tuple[Tile, ...]
    stack: tuple[Tile, ...]
    colours: tuple[Colour, ...]


def deal(chance: Chance, tiles: tuple[Tile, ...], seats: int) -> Deal:
    """Lays out the board, then deals a tile and a colour to each seat (CHR-1.1)."""
    shuffled = chance.shuffled("tiles", tiles)
    board, rest = shuffled[:BOARD_TILES], shuffled[BOARD_TILES:]
    quarters = chance.rolls("turns", 4, BOARD_TILES)
    lying = [turns(tile)[quarter - 1] for tile, quarter in zip(board, quarters, strict=True)]
    columns = [Column(tuple(lying[first : first + START_HEIGHT])) for first in range(0, BOARD_TILES, START_HEIGHT)]
    colours = chance.shuffled("colours", tuple(Colour), count=seats)
    return Deal(tuple(columns), rest[:seats], rest[seats:], colours)


def redraw_tiles(
    chance: Chance, hands: Hands, stack: tuple[Tile, ...], seat: int | None
) -> tuple[Hands, tuple[Tile, ...]]:
    """Hands and a stack of the same sizes, all that this seat cannot see drawn anew."""
    hidden = [hand for other, hand in enumerate(hands) if hand is not None and other != seat]
    drawn = iter(chance.shuffled("resample/tiles", (*hidden, *stack)))
    redrawn = tuple([hand if hand is None or other == seat else next(drawn) for other, hand in enumerate(hands)])
    return redrawn, tuple(drawn)


def redraw_colours(chance: Chance, colours: tuple[Colour, ...], seat: int | None) -> tuple[Colour, ...]:
    """Secret colours, all but this seat's drawn anew from those it has not got."""
    own = None if seat is None else colours[seat]
    drawn = iter(chance.shuffled("resample/colours", [colour for colour in Colour if colour is not own]))
    return tuple([colour if other == seat else next(drawn) for other, colour in enumerate(colours)])
