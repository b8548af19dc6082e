"""The games' own messages inside the wire's GameView, GameEvent and GameAction, whichever game it is."""

from __future__ import annotations

from collections.abc import Mapping

from google.protobuf import any_pb2, descriptor_pool, message_factory
from google.protobuf.message import Message

from croupier.v1 import games_pb2

_FIELDS: Mapping[str, str] = {
    field.message_type.full_name: field.name
    for field in games_pb2.GameAction.DESCRIPTOR.oneofs_by_name["game"].fields
    if field.message_type is not None and field.name != "other"
}
"""For the `Action` of each game in the oneof, by its full name: the field that holds it."""


def unwrap(payload: games_pb2.GameView | games_pb2.GameEvent | games_pb2.GameAction) -> Message:
    """The game's own message; an Any is unpacked when its type is known here, else returned as it is."""
    field = payload.WhichOneof("game")
    if field is None:
        raise LookupError(f"this {type(payload).__name__} is empty, or of a game newer than these stubs")
    message: Message = getattr(payload, field)
    return _unpacked(message) if isinstance(message, any_pb2.Any) else message


def wrap(action: Message) -> games_pb2.GameAction:
    """The wire's form of a game's own `Action`."""
    if isinstance(action, games_pb2.GameAction):
        return action
    name = action.DESCRIPTOR.full_name
    if name in _FIELDS:
        wrapped = games_pb2.GameAction()
        getattr(wrapped, _FIELDS[name]).CopyFrom(action)
        # An action such as `Challenge {}` may be empty all the way down: it is still the chosen one.
        getattr(wrapped, _FIELDS[name]).SetInParent()
        return wrapped
    if isinstance(action, any_pb2.Any):
        return games_pb2.GameAction(other=action)
    if action.DESCRIPTOR.name != "Action":
        raise TypeError(f"expected a game's message Action, got {name}")
    packed = any_pb2.Any()
    packed.Pack(action)
    return games_pb2.GameAction(other=packed)


def _unpacked(packed: any_pb2.Any) -> Message:
    try:
        kind = descriptor_pool.Default().FindMessageTypeByName(packed.TypeName())
    except KeyError:
        return packed
    message: Message = message_factory.GetMessageClass(kind)()
    packed.Unpack(message)
    return message
