"""What a seat may do, how it is written, and which actions a seat has to choose from."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from croupier_games.chain_reaction.data import COLUMNS, LARGEST_SET, NUMBERS, SMALLEST_SET, Bonus, Colour, Symbol, Tile
from croupier_games.errors import NotationError
from croupier_games.game import Action


@dataclass(frozen=True, slots=True)
class Place(Action):
    """Puts the hand tile on a column, turned so that this symbol is on top (CHR-2.1)."""

    column: int
    top: Symbol

    def __str__(self) -> str:
        return f"{self.column}{self.top.name}"


@dataclass(frozen=True, slots=True)
class Claim(Action):
    """Takes a bonus token; the tiles that pay for it are chosen next (CHR-2.8)."""

    numbers: tuple[int, ...]
    points: int

    def __str__(self) -> str:
        return f"claim {''.join(map(str, self.numbers))}={self.points}"


@dataclass(frozen=True, slots=True)
class Discard(Action):
    """Pays with an own tile of the number that is due (CHR-2.8)."""

    number: int
    colour: Colour

    def __str__(self) -> str:
        return f"discard {self.number}{self.colour.letter}"


@dataclass(frozen=True, slots=True)
class EndTurn(Action):
    """Claims no more tokens in this turn (CHR-2.8)."""

    def __str__(self) -> str:
        return "end"


END_TURN = EndTurn()
_PLACES = {(column, top): Place(column, top) for column in range(1, COLUMNS + 1) for top in Symbol}
_DISCARDS = {(number, colour): Discard(number, colour) for number in NUMBERS for colour in Colour}
_PLACEMENTS = {
    tops: tuple(_PLACES[column, top] for column in range(1, COLUMNS + 1) for top in tops)
    for tops in combinations(Symbol, 4)
}

_WORDS: dict[str, Action] = {str(action): action for action in (END_TURN, *_PLACES.values(), *_DISCARDS.values())}
_CLAIM = re.compile(rf"claim ([1-4]{{{SMALLEST_SET},{LARGEST_SET}}})=([1-9][0-9]?)")
_LONGEST_ECHO = 40


def parse(text: str) -> Action:
    """Reads the notation of an action, to the letter."""
    if action := _WORDS.get(text):
        return action
    if match := _CLAIM.fullmatch(text):
        return Claim(tuple(map(int, match[1])), int(match[2]))
    echo = text if len(text) <= _LONGEST_ECHO else text[:_LONGEST_ECHO] + "..."
    raise NotationError(
        "expected a column and the symbol on top like '3A', 'claim' and a token like 'claim 1234=15', "
        f"'discard' and a tile like 'discard 3r', or 'end', got {echo!r}"
    )


# Each list below is one object for all tables where it occurs, so the wire need encode it only once.


def placements(tile: Tile) -> tuple[Place, ...]:
    """Every column with each of the tile's symbols on top."""
    first, second, third, fourth = sorted(tile[:4])
    return _PLACEMENTS[first, second, third, fourth]


@lru_cache(maxsize=4096)
def claims(tokens: tuple[Bonus, ...], counts: tuple[int, ...]) -> tuple[Action, ...]:
    """The end of the turn, and every kind of token that so many tiles of each number can pay for."""
    affordable = [token for token in dict.fromkeys(tokens) if _pays(counts, token.numbers)]
    return (END_TURN, *[Claim(token.numbers, token.points) for token in affordable])


def counted(tiles: Iterable[Tile]) -> tuple[int, ...]:
    """How many of the tiles have each number; as many as any token costs stand for more."""
    numbers = [tile.number for tile in tiles]
    return tuple([min(numbers.count(number), LARGEST_SET) for number in NUMBERS])


@lru_cache(maxsize=64)
def discards(number: int, colours: frozenset[Colour]) -> tuple[Discard, ...]:
    """A tile of the number in each of the colours."""
    return tuple([_DISCARDS[number, colour] for colour in Colour if colour in colours])


def _pays(counts: tuple[int, ...], numbers: tuple[int, ...]) -> bool:
    return all(count >= numbers.count(number) for number, count in zip(NUMBERS, counts, strict=True))
