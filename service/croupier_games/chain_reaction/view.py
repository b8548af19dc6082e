"""What seats and spectators see of Chain Reaction, and what they are told.

Names and fields are those of the game's proto, which says what each of them means.
"""

from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from croupier_games.chain_reaction.data import Bonus, Colour, Tile
from croupier_games.chain_reaction.reaction import Column, Side
from croupier_games.game import Event


class Phase(IntEnum):
    """What is being decided."""

    PLACE = 1
    CLAIM = 2
    DISCARD = 3
    OVER = 4


class Player(NamedTuple):
    """What lies in front of a seat: the tiles it collected, in that order, and the tokens it claimed."""

    tiles: tuple[Tile, ...]
    tokens: tuple[Bonus, ...]


class Supply(NamedTuple):
    """The bonus tokens that nobody has claimed, sorted."""

    tokens: tuple[Bonus, ...]


class Payment(NamedTuple):
    """A token that was claimed and is being paid for, and the numbers still due, the next one first."""

    token: Bonus
    due: tuple[int, ...]


class View(NamedTuple):
    """What a seat, or a spectator, sees."""

    phase: Phase
    turn: int | None
    columns: tuple[Column, ...]
    players: tuple[Player, ...]
    supply: Supply
    hand_sizes: tuple[int, ...]
    stack_size: int
    payment: Payment | None
    hand: Tile | None
    secret: Colour | None
    colours: tuple[Colour, ...]


class GameStarted(NamedTuple):
    """The board is laid out and everybody has a tile and a secret colour."""

    starter: int
    stack_size: int

    def __str__(self) -> str:
        return f"Seat {self.starter} starts; {_tiles(self.stack_size)} in the stack."


class ColourDealt(NamedTuple):
    """A secret colour; only its holder is told."""

    colour: Colour

    def __str__(self) -> str:
        return f"Your secret colour is {self.colour.word}."


class TileDrawn(NamedTuple):
    """The tile a seat drew; only its holder is told."""

    tile: Tile

    def __str__(self) -> str:
        return f"You draw {self.tile}."


class TilePlaced(NamedTuple):
    """A seat put its tile on a column."""

    seat: int
    column: int
    height: int
    tile: Tile

    def __str__(self) -> str:
        return f"Seat {self.seat} puts {self.tile} on column {self.column}, at height {self.height}."


class TileTaken(NamedTuple):
    """The placed tile took another one."""

    seat: int
    side: Side
    column: int
    height: int
    tile: Tile

    def __str__(self) -> str:
        where = {Side.LEFT: "on its left", Side.RIGHT: "on its right", Side.BELOW: "below it"}[self.side]
        return f"Seat {self.seat} takes {self.tile} {where}, from column {self.column}, height {self.height}."


class BonusClaimed(NamedTuple):
    """A seat claimed a bonus token."""

    seat: int
    token: Bonus

    def __str__(self) -> str:
        return f"Seat {self.seat} claims {self.token}."


class TileDiscarded(NamedTuple):
    """A seat paid with a tile, which left the game."""

    seat: int
    tile: Tile

    def __str__(self) -> str:
        return f"Seat {self.seat} discards {self.tile}."


class TurnEnded(NamedTuple):
    """A seat's turn is over."""

    seat: int
    drew: bool
    stack_size: int

    def __str__(self) -> str:
        draws = f" and draws; {_tiles(self.stack_size)} in the stack" if self.drew else ""
        return f"Seat {self.seat} ends its turn{draws}."


class ColoursRevealed(NamedTuple):
    """The game is over and all secret colours are revealed."""

    colours: tuple[Colour, ...]

    def __str__(self) -> str:
        shown = ", ".join(f"seat {seat} had {colour.word}" for seat, colour in enumerate(self.colours))
        return f"The game is over: {shown}."


# Every turn tells these, and there are few of them: so each is one object for all tables, and encoded once.


@lru_cache(maxsize=1024)
def turn_ended(seat: int, drew: bool, stack_size: int) -> Event:
    """Tells everybody that a turn is over."""
    return Event(TurnEnded(seat, drew, stack_size))


@lru_cache(maxsize=1024)
def tile_drawn(seat: int, tile: Tile) -> Event:
    """Tells the seat which tile it drew."""
    return Event(TileDrawn(tile), seat)


def _tiles(count: int) -> str:
    return "1 tile is" if count == 1 else f"{count} tiles are"
