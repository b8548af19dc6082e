"""One codec per game: its views, events and actions as bytes of croupier.v1's GameView, GameEvent and GameAction."""

from collections.abc import Callable, Sized
from dataclasses import fields
from enum import IntEnum
from importlib import import_module
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError, Message

from croupier.v1 import games_pb2, turns_pb2
from croupier_games import Action, Game, View
from croupier_service.errors import BadChoice
from croupier_service.wire.encode import Encode, field_bytes, framing, message_encoder

_OF_TURN = {field.name: field.number for field in turns_pb2.Turn.DESCRIPTOR.fields}
_OF_LEGAL = {field.name: field.number for field in turns_pb2.LegalAction.DESCRIPTOR.fields}
_frame_of_notation = framing(_OF_TURN["legal"], _OF_LEGAL["notation"])
"""For a legal list with nothing but notations."""
_MOST_VALUES = 64
_MEMO_SIZE = 32_768
"""More than the different legal lists of a game that are worth keeping: LIE has 20,000."""

Key = TypeVar("Key")


class GameCodec:
    """Encodes what a game shows and decodes what it is told."""

    def __init__(self, game: Game) -> None:
        self.game = game
        module = import_module(f"{game.wire_package}.{game.wire_package.split('.')[-2]}_pb2")
        self._action_message: type[Message] = module.Action
        self._view = _Wrapper(games_pb2.GameView.DESCRIPTOR, module.View.DESCRIPTOR)
        self._event = _Wrapper(games_pb2.GameEvent.DESCRIPTOR, module.Event.DESCRIPTOR)
        self._action = _Wrapper(games_pb2.GameAction.DESCRIPTOR, module.Action.DESCRIPTOR)
        self._encode_view = self._view.encode
        self._frame_of_view = framing(_OF_TURN["view"], self._view.field)
        self._frame_of_event = framing(_OF_TURN["events"], self._event.field)
        self._readers = {kind.__name__: _reader(kind) for kind in game.action_types}
        self._legal: dict[tuple[int, bool], tuple[object, bytes]] = {}
        self._events: dict[int, tuple[object, bytes]] = {}

    def view(self, view: View) -> bytes:
        """A serialised GameView."""
        return self._view.wrapped(view)

    def view_of_turn(self, view: View) -> tuple[bytes, bytes]:
        """The field `view` of a Turn, in two parts."""
        body = self._encode_view(view)
        return self._frame_of_view(len(body)), body

    def event(self, what: tuple[object, ...]) -> bytes:
        """A serialised GameEvent."""
        return self._event.wrapped(what)

    def event_of_turn(self, what: tuple[object, ...]) -> bytes:
        """One entry of the field `events` of a Turn. An event goes to several seats, so its bytes are kept."""
        known = self._events.get(id(what))
        if known is not None:
            return known[1]
        body = self._event.encode(what)
        encoded = self._frame_of_event(len(body)) + body
        _remember(self._events, id(what), what, encoded)
        return encoded

    def action(self, action: Action) -> bytes:
        """A serialised GameAction."""
        return self._action.wrapped(action)

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
            encoded = b"".join([_frame_of_notation(len(notation)) + notation for notation in notations])
        _remember(self._legal, key, actions, encoded)
        return encoded

    def _typed_entry(self, action: Action) -> bytes:
        notation = field_bytes(_OF_LEGAL["notation"], str(action).encode())
        return field_bytes(_OF_TURN["legal"], notation + field_bytes(_OF_LEGAL["action"], self.action(action)))

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


def _remember(memo: dict[Key, tuple[object, bytes]], key: Key, value: object, encoded: bytes) -> None:
    """Keeps the value with its bytes, so that nothing else can get its id."""
    if len(memo) >= _MEMO_SIZE:
        memo.clear()
    memo[key] = (value, encoded)


class _Wrapper:
    """A game's message in the wrapper's field for it, or in `other` for games of other packages."""

    def __init__(self, wrapper: Any, inner: Any) -> None:
        encode = message_encoder(inner)
        own = [field.number for field in wrapper.fields if field.message_type.full_name == inner.full_name]
        if own:
            self.field: int = own[0]
            self.encode: Encode = encode
        else:
            type_url = field_bytes(1, f"type.googleapis.com/{inner.full_name}".encode())
            self.field = wrapper.fields_by_name["other"].number
            self.encode = lambda value: type_url + field_bytes(2, encode(value))

    def wrapped(self, value: object) -> bytes:
        """The serialised wrapper of a value."""
        return field_bytes(self.field, self.encode(value))


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


def _bounded(values: Sized) -> Any:
    """A list that is no longer than any action's: else it is refused before it is walked."""
    if len(values) > _MOST_VALUES:
        raise ValueError(f"a list of it has {len(values):,} entries, and no action has more than {_MOST_VALUES}")
    return values


def _conversion(hint: Any) -> Callable[[Any], Any]:
    """From what a message's field holds to what an action's does: enums by their class, lists as tuples."""
    if isinstance(hint, type) and issubclass(hint, IntEnum):
        return hint
    if get_origin(hint) is tuple:
        one = _conversion(get_args(hint)[0])
        return lambda values: tuple([one(value) for value in _bounded(values)])
    if NoneType in get_args(hint):
        return _conversion(next(part for part in get_args(hint) if part is not NoneType))
    return lambda value: value
