"""The table of what is printed on tiles and tokens: read from text, and refused in words where it is wrong.

A table is words between blanks and line ends. Each set of four symbols, `ABCD`, is followed by the numbers and
colours of its six tiles, `1r 2g 3b 4y 1g 2b`: in the order ABCD ABDC ACBD ACDB ADBC ADCB of their edges, clockwise.
The sets may come in any order. A bonus token is `1234=15`: the numbers it costs, its points; `1234=15x4` is four.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from croupier_games.chain_reaction.data import (
    LARGEST_SET,
    LONGEST_TABLE,
    MOST_POINTS,
    MOST_TOKENS,
    RINGS,
    RINGS_PER_SET,
    SMALLEST_SET,
    TABLE,
    Bonus,
    Colour,
    Symbol,
    Tile,
)
from croupier_games.errors import OptionError
from croupier_games.game import OptionValue

_SETS = tuple("".join(symbol.name for symbol in symbols) for symbols in combinations(Symbol, 4))
_COLOURS = {colour.letter: colour for colour in Colour}
_TILE = re.compile(r"([1-4])([rgby])")
_TOKEN = re.compile(rf"([1-4]{{{SMALLEST_SET},{LARGEST_SET}}})=([1-9][0-9]?)(?:x([1-9][0-9]?))?")
_LONGEST_ECHO = 20

BUILT_IN = " ".join(TABLE.split())
"""The table of this file's neighbour `data.py` on one line."""


def without_tokens(text: str) -> str:
    """The table in this text with its tiles alone, on one line."""
    return " ".join([word for word in text.split() if not _TOKEN.fullmatch(word)])


WITHOUT_TOKENS = without_tokens(TABLE)
"""The same tiles and no bonus tokens: the smallest table there is."""


class Table(NamedTuple):
    """All tiles, in the order of their rings and with its first symbol on top, and all bonus tokens, sorted."""

    tiles: tuple[Tile, ...]
    tokens: tuple[Bonus, ...]


def table_of(options: Mapping[str, OptionValue]) -> Table:
    """The table that these options name, or OptionError."""
    text = options.get("table")
    return read_table(text if isinstance(text, str) else TABLE)


@lru_cache(maxsize=16)
def read_table(text: str) -> Table:
    """The table in this text, or OptionError with what would have been right."""
    if len(text) > LONGEST_TABLE:
        raise OptionError(f"option 'table' has at most {LONGEST_TABLE} characters, got {len(text)}")
    printed: dict[str, list[tuple[int, Colour]]] = {}
    tokens: list[Bonus] = []
    current: list[tuple[int, Colour]] = []
    for word in text.split():
        if word in _SETS and word not in printed:
            current = printed[word] = []
        elif (match := _TILE.fullmatch(word)) and printed:
            current.append((int(match[1]), _COLOURS[match[2]]))
        elif match := _TOKEN.fullmatch(word):
            tokens += _tokens(*match.groups())
        else:
            raise _wrong(f"a word it cannot be: {word[:_LONGEST_ECHO]!r}")
    if len(tokens) > MOST_TOKENS:
        raise _wrong(f"{len(tokens)} bonus tokens, where {MOST_TOKENS} is the most")
    return Table(tuple(_tiles(printed)), tuple(sorted(tokens)))


def _tiles(printed: Mapping[str, list[tuple[int, Colour]]]) -> Iterable[Tile]:
    rings = iter(RINGS)
    for symbols in _SETS:
        faces = printed.get(symbols, [])
        if len(faces) != RINGS_PER_SET:
            raise _wrong(f"{len(faces)} tiles of {symbols}, where there are {RINGS_PER_SET}")
        for number, colour in faces:
            yield Tile(*next(rings), number, colour)


def _tokens(numbers: str, points: str, copies: str | None) -> list[Bonus]:
    ascending = "".join(sorted(numbers))
    if numbers != ascending:
        raise _wrong(f"the token {numbers}, whose numbers ascend when written {ascending}")
    return [Bonus(tuple(map(int, numbers)), int(points))] * int(copies or 1)


def _wrong(what: str) -> OptionError:
    return OptionError(
        "option 'table' takes each set of symbols with its six tiles, 'ABCD 1r 2g 3b 4y 1g 2b', and bonus tokens, "
        f"'1234=15x4' ({SMALLEST_SET} to {LARGEST_SET} numbers, 1 to {MOST_POINTS} points); it has {what}"
    )
