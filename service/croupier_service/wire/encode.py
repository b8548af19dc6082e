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


def with_length(body: bytes) -> bytes:
    """The bytes with their length in front."""
    length = len(body)
    return (_ONE_BYTE[length] if length < 0x80 else varint(length)) + body


def varint_field(number: int) -> Callable[[int], bytes]:
    """Encodes a field that holds a whole number, a flag or an enum."""
    key = tag(number, 0)
    small = [key + one_byte for one_byte in _ONE_BYTE]

    def encode(value: int) -> bytes:
        return small[value] if 0 <= value < 0x80 else key + varint(value)

    return encode


def tag(number: int, wire_type: int) -> bytes:
    """The key in front of a field's value."""
    return varint(number << 3 | wire_type)


def field_bytes(number: int, body: bytes) -> bytes:
    """A field that holds a message, a text or bytes."""
    return tag(number, 2) + with_length(body)


def message_encoder(descriptor: Descriptor) -> Encode:
    """The encoder of a message: a union if all its fields stand in one oneof, else a record.

    Raises TypeError at once if the message, or one inside it, has a field that views and events cannot have."""
    _check(descriptor, set())
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
        encoded = with_length(encode(value))
        if len(memo) >= _MEMO_SIZE:
            memo.clear()
        memo[id(value)] = (value, encoded)
        return encoded

    return encode_delimited


def _check(descriptor: Any, seen: set[str]) -> None:
    seen.add(descriptor.full_name)
    for field in descriptor.fields:
        if field.type not in (*_VARINTS, FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_MESSAGE):
            raise TypeError(f"{field.full_name}: views and events hold whole numbers, flags, enums, texts and messages")
        if field.message_type is not None and field.message_type.full_name not in seen:
            _check(field.message_type, seen)


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
    compiled: dict[type, Encode] = {}

    def encode(value: Any) -> bytes:
        kind = type(value)
        encode_kind = compiled.get(kind)
        if encode_kind is None:
            encode_kind = compiled[kind] = _compile(kind, descriptor)
        return encode_kind(value)

    return encode


def _compile(kind: type, descriptor: Descriptor) -> Encode:
    """The encoder of one class, written out as a single expression: half the time of a loop over its fields."""
    names = _field_names(kind)
    if set(names) != {field.name for field in descriptor.fields}:
        raise TypeError(
            f"{kind.__qualname__} has the fields {sorted(names)}, but {descriptor.full_name} has "
            f"{sorted(field.name for field in descriptor.fields)}"
        )
    parts = []
    encoders: dict[str, Encode] = {}
    for place, field in enumerate(descriptor.fields):
        item, encoder = f"value.{field.name}", f"encode_{place}"
        encoders[encoder] = _field_encoder(field)
        given = f"(item := {item}) is not None" if field.has_presence else f"(item := {item})"
        parts.append(f"{encoder}(item) if {given} else b''")
    source = f"lambda value: b''.join(({', '.join(parts)},))" if parts else "lambda value: b''"
    encode: Encode = eval(source, encoders)  # noqa: S307  # made of descriptors only, as dataclasses make __init__
    return encode


def _field_names(kind: type) -> tuple[str, ...]:
    """Those of a NamedTuple or a dataclass."""
    return getattr(kind, "_fields", None) or tuple(getattr(kind, "__dataclass_fields__", ()))


def _field_encoder(field: FieldDescriptor) -> Encode:
    if field.type == FieldDescriptor.TYPE_MESSAGE:
        one = _message_field(field)
    elif field.type in _VARINTS:
        return _packed_field(field) if field.is_repeated else varint_field(field.number)
    else:
        one = _text_field(field)
    if not field.is_repeated:
        return one
    return lambda values: b"".join([one(value) for value in values])


def _packed_field(field: FieldDescriptor) -> Encode:
    key = tag(field.number, 2)

    def encode(values: Sequence[int]) -> bytes:
        if min(values) >= 0 and max(values) < 0x80:
            return key + with_length(bytes(values))
        return key + with_length(b"".join([varint(value) for value in values]))

    return encode


def _text_field(field: FieldDescriptor) -> Encode:
    key = tag(field.number, 2)

    def encode(value: str) -> bytes:
        return key + with_length(value.encode())

    return encode


def _message_field(field: FieldDescriptor) -> Encode:
    message_type: Any = field.message_type
    key = tag(field.number, 2)
    encode = delimited_encoder(message_type)
    return lambda value: key + encode(value)
