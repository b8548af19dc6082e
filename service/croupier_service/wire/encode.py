"""Writes NamedTuples as protobuf bytes, guided by message descriptors.

A NamedTuple stands for the message whose fields have the same names. Building protobuf objects in Python only to
serialise them is most of the cost of a move, so bytes are written directly, and those of a part that is the very same
object as last time are not written again. tests/service/test_encode.py holds this against the protobuf library.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeAlias

from google.protobuf.descriptor import Descriptor, FieldDescriptor

Encode: TypeAlias = Callable[[Any], bytes]
"""Any, because a field's value has the type that its descriptor says."""

_MEMO_SIZE = 4096
_VARINTS = (
    FieldDescriptor.TYPE_UINT32,
    FieldDescriptor.TYPE_UINT64,
    FieldDescriptor.TYPE_INT32,
    FieldDescriptor.TYPE_INT64,
    FieldDescriptor.TYPE_BOOL,
    FieldDescriptor.TYPE_ENUM,
)


def varint(number: int) -> bytes:
    """A whole number as protobuf writes it; negative ones as 64-bit two's complement."""
    number &= 0xFFFFFFFFFFFFFFFF
    if number < 0x80:
        return _ONE_BYTE[number]
    groups = bytearray()
    while number >= 0x80:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    groups.append(number)
    return bytes(groups)


_ONE_BYTE = [bytes((number,)) for number in range(0x80)]


def tag(number: int, wire_type: int) -> bytes:
    """The key in front of a field's value."""
    return varint(number << 3 | wire_type)


def field_bytes(number: int, body: bytes) -> bytes:
    """A field that holds a message, a text or bytes."""
    return tag(number, 2) + varint(len(body)) + body


def message_encoder(descriptor: Descriptor) -> Encode:
    """The encoder of a message: a union if all its fields stand in one oneof, else a record."""
    oneofs = [oneof for oneof in descriptor.oneofs if not _is_synthetic(oneof)]
    if len(oneofs) == 1 and len(oneofs[0].fields) == len(descriptor.fields):
        return _union_encoder(descriptor)
    return _record_encoder(descriptor)


@cache
def delimited_encoder(descriptor: Descriptor) -> Encode:
    """Encodes a message with its length in front, and remembers the bytes of values it has seen.

    There is one per message type, so that what stands in a view and in an event is encoded once. A value is kept with
    its bytes, so that nothing else can get its id."""
    encode: Encode | None = None
    memo: dict[int, tuple[object, bytes]] = {}

    def encode_delimited(value: Any) -> bytes:
        nonlocal encode
        known = memo.get(id(value))
        if known is not None:
            return known[1]
        if encode is None:  # made late, because messages may contain themselves
            encode = message_encoder(descriptor)
        body = encode(value)
        encoded = varint(len(body)) + body
        if len(memo) >= _MEMO_SIZE:
            memo.clear()
        memo[id(value)] = (value, encoded)
        return encoded

    return encode_delimited


def _is_synthetic(oneof: Any) -> bool:
    """`optional` fields stand in a oneof of their own that protoc makes up."""
    return len(oneof.fields) == 1 and oneof.name == f"_{oneof.fields[0].name}"


def _union_encoder(descriptor: Descriptor) -> Encode:
    """A value's class has the name of the message type of one of the oneof's fields."""
    by_name: dict[str, Encode] = {}
    for field in descriptor.fields:
        if field.message_type is None:
            raise TypeError(f"{field.full_name}: every alternative of a oneof must be a message")
        by_name[field.message_type.name] = _field_encoder(field)

    def encode(value: Any) -> bytes:
        try:
            encode_kind = by_name[type(value).__name__]
        except KeyError:
            kind = type(value).__qualname__
            raise TypeError(f"{kind} is none of {sorted(by_name)}, the messages of {descriptor.full_name}") from None
        return encode_kind(value)

    return encode


def _record_encoder(descriptor: Descriptor) -> Encode:
    plans: dict[type, list[tuple[str, bool, Encode]]] = {}
    encoders = [(field.name, field.has_presence, _field_encoder(field)) for field in descriptor.fields]

    def plan_for(kind: type) -> list[tuple[str, bool, Encode]]:
        names = getattr(kind, "_fields", None) or tuple(getattr(kind, "__dataclass_fields__", ()))
        if set(names) != {name for name, _, _ in encoders}:
            raise TypeError(
                f"{kind.__qualname__} has the fields {sorted(names)}, but {descriptor.full_name} has "
                f"{sorted(name for name, _, _ in encoders)}"
            )
        plans[kind] = encoders
        return encoders

    def encode(value: Any) -> bytes:
        kind = type(value)
        parts = []
        for name, has_presence, encode_field in plans.get(kind) or plan_for(kind):
            item = getattr(value, name)
            if item or (has_presence and item is not None):
                parts.append(encode_field(item))
        return b"".join(parts)

    return encode


def _field_encoder(field: FieldDescriptor) -> Encode:
    if field.type == FieldDescriptor.TYPE_MESSAGE:
        one = _message_field(field)
    elif field.type in _VARINTS:
        return _packed_field(field) if field.is_repeated else _varint_field(field)
    elif field.type == FieldDescriptor.TYPE_STRING:
        one = _text_field(field)
    else:
        raise TypeError(f"{field.full_name}: views and events hold whole numbers, flags, enums, texts and messages")
    if not field.is_repeated:
        return one
    return lambda values: b"".join([one(value) for value in values])


def _varint_field(field: FieldDescriptor) -> Encode:
    key = tag(field.number, 0)
    small = [key + _ONE_BYTE[number] for number in range(0x80)]

    def encode(value: int) -> bytes:
        return small[value] if 0 <= value < 0x80 else key + varint(value)

    return encode


def _packed_field(field: FieldDescriptor) -> Encode:
    key = tag(field.number, 2)

    def encode(values: Sequence[int]) -> bytes:
        body = b"".join([varint(value) for value in values])
        return key + varint(len(body)) + body

    return encode


def _text_field(field: FieldDescriptor) -> Encode:
    key = tag(field.number, 2)

    def encode(value: str) -> bytes:
        body = value.encode()
        return key + varint(len(body)) + body

    return encode


def _message_field(field: FieldDescriptor) -> Encode:
    message_type: Any = field.message_type
    key = tag(field.number, 2)
    encode = delimited_encoder(message_type)
    return lambda value: key + encode(value)
