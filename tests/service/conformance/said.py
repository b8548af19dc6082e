"""What a message says, held against the NamedTuple or action that it was written from."""

from importlib import import_module
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from croupier_games import Game


def require_says(message: Message, value: Any) -> None:
    """The message holds exactly what the NamedTuple or action holds: presence, enums, lists and parts."""
    assert len(UnknownFieldSet(message)) == 0
    fields = message.DESCRIPTOR.fields
    names = getattr(value, "_fields", None) or tuple(getattr(value, "__dataclass_fields__", ()))
    kind = message.DESCRIPTOR.oneofs_by_name.get("kind")
    if kind is not None and len(kind.fields) == len(fields):
        chosen = message.WhichOneof("kind")
        assert chosen is not None
        assert getattr(message, chosen).DESCRIPTOR.name == type(value).__name__
        require_says(getattr(message, chosen), value)
        return
    assert {field.name for field in fields} == set(names)
    for field in fields:
        said, meant = getattr(message, field.name), getattr(value, field.name)
        if field.is_repeated:
            assert len(said) == len(meant)
            for one, other in zip(said, meant, strict=True):
                require_says_item(one, other)
            continue
        if field.has_presence:
            assert message.HasField(field.name) == (meant is not None), field.full_name
        if meant is not None:
            require_says_item(said, meant)


def require_says_item(said: Any, meant: Any) -> None:
    if isinstance(said, Message):
        require_says(said, meant)
    else:
        assert said == meant


def require_minimal(message: Message, encoded: bytes) -> None:
    """The library would not write a byte more or less."""
    assert len(message.SerializeToString(deterministic=True)) == len(encoded)


def payload(wrapper: Any, own: type[Message]) -> Message:
    """The game's own message, out of its field or out of an Any."""
    message = getattr(wrapper, wrapper.WhichOneof("game"))
    if isinstance(message, AnyMessage):
        unpacked = own()
        assert message.Unpack(unpacked)
        return unpacked
    assert isinstance(message, own)
    return message


def own_message(game: Game, name: str) -> type[Message]:
    """The class of a game's message of that name."""
    module = import_module(f"{game.wire_package}.{game.wire_package.split('.')[-2]}_pb2")
    found: type[Message] = getattr(module, name)
    return found
