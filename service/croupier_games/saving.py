"""States as bytes: what a game saves, as compact JSON in one way only, and read back with every type checked.

A game lists all that it writes of a state in one NamedTuple. Whether the values make sense together is for the game
to check; that they are of the right types, game, version and options is checked here.
"""

import json
from collections.abc import Mapping
from enum import IntEnum
from functools import cache
from types import UnionType
from typing import Any, Protocol, TypeVar, get_args, get_origin, get_type_hints

from croupier_games.chance import SEED_BYTES
from croupier_games.errors import GameError, RestoreError
from croupier_games.game import Game, OptionValue


class Savable(Protocol):
    """What the NamedTuple of every game has."""

    @property
    def game(self) -> str:
        """The id of the game."""
        ...

    @property
    def version(self) -> int:
        """Its version."""
        ...

    @property
    def seats(self) -> int:
        """How many seats the table has."""
        ...

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """All options, defaults included."""
        ...

    @property
    def seed(self) -> str:
        """The seed of the chance to come, in hex."""
        ...


Saved = TypeVar("Saved", bound=Savable)


def dump(saved: Savable) -> bytes:
    """The one way to write this as JSON."""
    fields: dict[str, object] = saved._asdict()  # type: ignore[attr-defined]  # a NamedTuple has it
    return json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()


def load(kind: type[Saved], game: Game, data: bytes) -> Saved:
    """What `dump` wrote of this game, as the NamedTuple `kind`, or RestoreError."""
    try:
        fields = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise RestoreError(f"a saved state is JSON: {error}") from None
    demand(isinstance(fields, dict), "a saved state is a JSON object")
    demand(fields.get("game") == game.id, f"the saved state is not one of {game.id}")
    demand(fields.get("version") == game.version, f"the saved state is not of version {game.version}")
    names = tuple(_hints(kind))
    demand(fields.keys() == set(names), f"a saved state has {', '.join(names)}")
    saved: Saved = _read(kind, [fields[name] for name in names])
    try:
        complete = game.check(saved.seats, saved.options)
    except GameError as error:
        raise RestoreError(f"the saved options do not fit: {error}") from None
    demand(complete == saved.options, "a saved state has all its options")
    demand(len(saved.seed) == 2 * SEED_BYTES and set(saved.seed) <= set("0123456789abcdef"), "a seed is in hex")
    demand(dump(saved) == data, "a saved state is written in one way only")
    return saved


def demand(holds: object, sentence: str) -> None:
    """Raises RestoreError with the sentence unless it holds."""
    if not holds:
        raise RestoreError(sentence)


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _read(kind: Any, value: Any) -> Any:
    """A JSON value as this annotated type: plain values, enums, tuples, and NamedTuples written as lists."""
    origin = get_origin(kind)
    if origin is UnionType:
        return None if value is None else _read(get_args(kind)[0], value)
    if origin is tuple:
        demand(type(value) is list, f"expected a list, got {type(value).__name__}")
        item_kind = get_args(kind)[0]
        return tuple([_read(item_kind, item) for item in value])
    if origin is Mapping:
        demand(type(value) is dict, f"expected an object, got {type(value).__name__}")
        return value
    if issubclass(kind, tuple):
        demand(type(value) is list, f"expected a {kind.__name__}, got {type(value).__name__}")
        hints = _hints(kind)
        demand(len(value) == len(hints), f"a {kind.__name__} has {len(hints)} fields, got {len(value)}")
        return kind(*map(_read, hints.values(), value))
    if issubclass(kind, IntEnum):
        demand(type(value) is int and value in set(kind), f"expected a {kind.__name__}")
        return kind(value)
    demand(type(value) is kind, f"expected {kind.__name__}, got {type(value).__name__}")
    return value
