"""What the service sends of a game, as the values of the rules again, so that the rules can show it to people.

The messages and the rules' own types have the same names and fields (croupier_games.game says so), so the annotations
of the types tell how to read the messages. Nothing is known here but what the service sent.
"""

import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from google.protobuf.message import Message

from croupier.v1 import games_pb2
from croupier_client.payloads import unwrap
from croupier_games import Game, OptionValue, View
from croupier_games.chance import SEED_BYTES


class Reader:
    """Reads the views and events of one game."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, OptionValue]) -> None:
        self._game = game
        # So that messages of a game from another package, which travel as Any, can be unpacked.
        import_module(f"{game.wire_package}.{game.wire_package.split('.')[-2]}_pb2")
        # Any deal will do: only the type of what it shows is wanted.
        self._view_type = type(game.new(seats=seats, options=options, seed=bytes(SEED_BYTES)).view(None))

    def view(self, message: games_pb2.GameView) -> View:
        """The view that was sent."""
        view: View = _record(self._view_type, unwrap(message))
        return view

    def shown(self, message: games_pb2.GameView) -> str:
        """The view as text for people."""
        return self._game.render(self.view(message))

    def sentence(self, message: games_pb2.GameEvent) -> str:
        """The event as a sentence for people."""
        event = unwrap(message)
        (oneof,) = event.DESCRIPTOR.oneofs
        field = event.WhichOneof(oneof.name)
        if field is None:
            return "Something happened that this version cannot tell."
        what: Message = getattr(event, field)
        return str(_record(getattr(sys.modules[self._view_type.__module__], what.DESCRIPTOR.name), what))


def _record(kind: Any, message: Message) -> Any:
    """A NamedTuple from the message of the same fields."""
    hints = _hints(kind)
    return kind(**{name: _field(hints[name], message, name) for name in kind._fields})


def _field(hint: Any, message: Message, name: str) -> Any:
    if get_origin(hint) in (Union, UnionType):  # X | None: the only union there is
        if not _is_set(message, name):
            return None
        (hint,) = [each for each in get_args(hint) if each is not NoneType]
    return _value(hint, getattr(message, name))


def _is_set(message: Message, name: str) -> bool:
    """Where a field cannot be absent, such as an enum whose 0 says nothing, 0 is what None was sent as."""
    if message.DESCRIPTOR.fields_by_name[name].has_presence:
        return message.HasField(name)
    return bool(getattr(message, name))


def _value(hint: Any, value: Any) -> Any:
    if get_origin(hint) is tuple:
        return tuple([_value(get_args(hint)[0], each) for each in value])
    return _record(hint, value) if isinstance(value, Message) else hint(value)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)
