"""What Chain Reaction is made of: symbols, colours, rings, and what is printed on tiles and tokens. No rule is here.

`TABLE` is reconstructed. Whoever owns the printed game corrects it here, or opens a session with another one in the
option `table`; `table.py` says how it is written.
"""

from enum import IntEnum
from itertools import combinations, permutations
from typing import NamedTuple

MIN_SEATS, MAX_SEATS = 2, 4

COLUMNS = 5
START_HEIGHT = 8
BOARD_TILES = COLUMNS * START_HEIGHT

NUMBERS = (1, 2, 3, 4)


class Symbol(IntEnum):
    """One of the six symbols on the edges of tiles; the letters are ours."""

    A = 1
    B = 2
    C = 3
    D = 4
    E = 5
    F = 6


class Colour(IntEnum):
    """One of the four colours of numbers; their names are ours."""

    RED = 1
    GREEN = 2
    BLUE = 3
    YELLOW = 4

    @property
    def letter(self) -> str:
        """As it is written on a tile: r, g, b, y."""
        return self.name[0].lower()

    @property
    def word(self) -> str:
        """As people write it."""
        return self.name.lower()


class Tile(NamedTuple):
    """A tile as it lies: the symbols on its edges, and the number in the middle with its colour."""

    top: Symbol
    right: Symbol
    bottom: Symbol
    left: Symbol
    number: int
    colour: Colour

    def __str__(self) -> str:
        edges = "".join([symbol.name for symbol in self[:4]])
        return f"{self.number}{self.colour.letter}[{edges}]"


class Bonus(NamedTuple):
    """A bonus token: the numbers it costs, ascending, and the points it brings."""

    numbers: tuple[int, ...]
    points: int

    def __str__(self) -> str:
        return f"{''.join(map(str, self.numbers))}={self.points}"


RINGS: tuple[tuple[Symbol, Symbol, Symbol, Symbol], ...] = tuple(
    (first, *others) for first, *rest in combinations(Symbol, 4) for others in permutations(rest, 3)
)
"""Four different symbols clockwise, the first in the alphabet on top: so no ring is another one turned (CHR-D1)."""

RINGS_PER_SET = 6
"""So many rings have the same four symbols."""

TABLE = """
ABCD 1r 2g 3b 4y 1g 2b
ABCE 3y 4r 1b 2y 3r 4g
ABCF 1y 2r 3g 4b 1r 2g
ABDE 3b 4y 1g 2b 3y 4r
ABDF 1b 2y 3r 4g 1y 2r
ABEF 3g 4b 1r 2g 3b 4y
ACDE 1g 2b 3y 4r 1b 2y
ACDF 3r 4g 1y 2r 3g 4b
ACEF 1r 2g 3b 4y 1g 2b
ADEF 3y 4r 1b 2y 3r 4g
BCDE 1y 2r 3g 4b 1r 2g
BCDF 3b 4y 1g 2b 3y 4r
BCEF 1b 2y 3r 4g 1y 2r
BDEF 3g 4b 1r 2g 3b 4y
CDEF 1g 1b 2y 3r 4g 2r
1234=15x4
111=8 222=11 333=14 444=17
1111=12 2222=16 3333=20 4444=24
1122=10 1133=12 2244=16 3344=18
123=9x2 234=12x2
"""
"""The numbers and colours of the 90 tiles and the 20 bonus tokens (CHR-D2, CHR-D3; reconstructed)."""

LONGEST_TABLE = 2000
MOST_TOKENS = 40
SMALLEST_SET, LARGEST_SET = 2, 6
MOST_POINTS = 99
"""What another table may hold: its length in characters, its tokens, the numbers and the points of one."""
