"""One codec per game: its views, events and actions as bytes of croupier.v1's GameView, GameEvent and GameAction."""

from collections.abc import Callable
from dataclasses import fields
from enum import IntEnum
from functools import cache
from importlib import import_module
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError, Message

from croupier.v1 import games_pb2, turns_pb2
from croupier_games import Action, Game, View
from croupier_service.errors import BadChoice
from croupier_service.wire.encode import Encode, field_bytes, message_encoder, tag, varint, with_length

_LEGAL = turns_pb2.Turn.DESCRIPTOR.fields_by_name["legal"].number
_NOTATION = turns_pb2.LegalAction.DESCRIPTOR.fields_by_name["notation"].number
_ACTION = turns_pb2.LegalAction.DESCRIPTOR.fields_by_name["action"].number
_EVENTS = turns_pb2.Turn.DESCRIPTOR.fields_by_name["events"].number
_MEMO_SIZE = 32_768
"""More than the different legal lists of a game that are worth keeping: LIE has 20,000."""

Key = TypeVar("Key")


class GameCodec:
    """Encodes what a game shows and decodes what it is told."""

    def __init__(self, game: Game) -> None:
        self.game = game
        module = import_module(f"{game.wire_package}.{game.wire_package.split('.')[-2]}_pb2")
        self._action_message: type[Message] = module.Action
        self._encode_view = _wrapped(games_pb2.GameView.DESCRIPTOR, module.View.DESCRIPTOR)
        self._encode_event = _wrapped(games_pb2.GameEvent.DESCRIPTOR, module.Event.DESCRIPTOR)
        self._encode_action = _wrapped(games_pb2.GameAction.DESCRIPTOR, module.Action.DESCRIPTOR)
        self._readers = {kind.__name__: _reader(kind) for kind in game.action_types}
        self._legal: dict[tuple[int, bool], tuple[object, bytes]] = {}
        self._events: dict[int, tuple[object, bytes]] = {}

    def view(self, view: View) -> bytes:
        """A serialised GameView."""
        return self._encode_view(view)

    def event(self, what: tuple[object, ...]) -> bytes:
        """A serialised GameEvent."""
        return self._encode_event(what)

    def event_of_turn(self, what: tuple[object, ...]) -> bytes:
        """One entry of the field `events` of a Turn. An event goes to several seats, so its bytes are kept."""
        known = self._events.get(id(what))
        if known is not None:
            return known[1]
        encoded = field_bytes(_EVENTS, self._encode_event(what))
        _remember(self._events, id(what), what, encoded)
        return encoded

    def action(self, action: Action) -> bytes:
        """A serialised GameAction."""
        return self._encode_action(action)

    def legal(self, actions: tuple[Action, ...], typed: bool) -> bytes:
        """The field `legal` of a Turn. Games hand out the same tuple again and again, so its bytes are kept."""
        key = (id(actions), typed)
        known = self._legal.get(key)
        if known is not None:
            return known[1]
        if typed:
            encoded = b"".join([self._typed_entry(action) for action in actions])
        else:
            notations = [str(action).encode() for action in actions]
            encoded = b"".join([_entry_head(len(notation)) + notation for notation in notations])
        _remember(self._legal, key, actions, encoded)
        return encoded

    def _typed_entry(self, action: Action) -> bytes:
        entry = field_bytes(_NOTATION, str(action).encode()) + field_bytes(_ACTION, self.action(action))
        return field_bytes(_LEGAL, entry)

    def read_action(self, wrapper: games_pb2.GameAction) -> Action:
        """The action in a GameAction, or BadChoice if it is of another game or makes no sense."""
        message = self._unwrap(wrapper)
        kind = message.WhichOneof("kind")
        if kind is None:
            raise BadChoice(f"the typed action is empty: set one of the fields of {self._name}")
        payload = getattr(message, kind)
        try:
            return self._readers[payload.DESCRIPTOR.name](payload)
        except ValueError as error:
            raise BadChoice(f"the typed action does not fit {payload.DESCRIPTOR.full_name}: {error}") from error

    @property
    def _name(self) -> str:
        return str(self._action_message.DESCRIPTOR.full_name)

    def _unwrap(self, wrapper: games_pb2.GameAction) -> Any:
        field = wrapper.WhichOneof("game")
        expected = f"this session plays {self.game.id!r}: send a {self._name}"
        if field is None:
            raise BadChoice(f"the typed action is empty; {expected}")
        message = getattr(wrapper, field)
        if isinstance(message, AnyMessage):
            unpacked = self._action_message()
            try:
                fits = message.Unpack(unpacked)
            except DecodeError as error:
                raise BadChoice(f"the typed action cannot be decoded; {expected}") from error
            message = unpacked if fits else None
        if not isinstance(message, self._action_message):
            raise BadChoice(f"the typed action is of another game; {expected}")
        return message


@cache
def _entry_head(length: int) -> bytes:
    """What stands before a notation of that length in a legal list with nothing but notations."""
    head = tag(_NOTATION, 2) + varint(length)
    return tag(_LEGAL, 2) + varint(len(head) + length) + head


def _remember(memo: dict[Key, tuple[object, bytes]], key: Key, value: object, encoded: bytes) -> None:
    """Keeps the value with its bytes, so that nothing else can get its id."""
    if len(memo) >= _MEMO_SIZE:
        memo.clear()
    memo[key] = (value, encoded)


def _wrapped(wrapper: Any, inner: Any) -> Encode:
    """Encodes a game's message into the wrapper's field for it, or into `other` for games of other packages."""
    encode = message_encoder(inner)
    own = [field.number for field in wrapper.fields if field.message_type.full_name == inner.full_name]
    if own:
        key = tag(own[0], 2)

        return lambda value: key + with_length(encode(value))
    other = wrapper.fields_by_name["other"].number
    type_url = field_bytes(1, f"type.googleapis.com/{inner.full_name}".encode())
    return lambda value: field_bytes(other, type_url + field_bytes(2, encode(value)))


def _reader(kind: type[Action]) -> Callable[[Any], Action]:
    """Makes an action of this class from the message of the same name."""
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    plan = [(name, NoneType in get_args(hints[name]), _conversion(hints[name])) for name in names]

    def read(message: Any) -> Action:
        values = {}
        for name, optional, convert in plan:
            absent = optional and not message.HasField(name)
            values[name] = None if absent else convert(getattr(message, name))
        return kind(**values)

    return read


def _conversion(hint: Any) -> Callable[[Any], Any]:
    """From what a message's field holds to what an action's does: enums by their class, lists as tuples."""
    if isinstance(hint, type) and issubclass(hint, IntEnum):
        return hint
    if get_origin(hint) is tuple:
        one = _conversion(get_args(hint)[0])
        return lambda values: tuple([one(value) for value in values])
    if NoneType in get_args(hint):
        return _conversion(next(part for part in get_args(hint) if part is not NoneType))
    return lambda value: value
