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
    small = _small_numbers(key)

    def encode(value: int) -> bytes:
        return small[value] if 0 <= value < 0x80 else key + varint(value)

    return encode


def _small_numbers(key: bytes) -> list[bytes]:
    """The field of that key for every number that takes one byte."""
    return [key + one_byte for one_byte in _ONE_BYTE]


def tag(number: int, wire_type: int) -> bytes:
    """The key in front of a field's value."""
    return varint(number << 3 | wire_type)


def field_bytes(number: int, body: bytes) -> bytes:
    """A field that holds a message, a text or bytes."""
    return tag(number, 2) + with_length(body)


@cache
def framing(*numbers: int) -> Callable[[int], bytes]:
    """For messages inside each other: from the length of the innermost body to all that stands in front of it.

    The numbers are those of the fields they stand in, the outermost first."""
    keys = [tag(number, 2) for number in reversed(numbers)]

    @cache
    def frame(length: int) -> bytes:
        front = b""
        for key in keys:
            front = key + varint(length + len(front)) + front
        return front

    return frame


@cache
def message_encoder(descriptor: Descriptor) -> Encode:
    """The encoder of a message: a union if all its fields stand in one oneof, else a record.

    Raises TypeError at once if the message, or one inside it, has a field that views and events cannot have."""
    _check(descriptor, set())
    oneofs = [oneof for oneof in descriptor.oneofs if not _is_synthetic(oneof)]
    if len(oneofs) == 1 and len(oneofs[0].fields) == len(descriptor.fields):
        return _union_encoder(descriptor)
    return _record_encoder(descriptor)


class Memo:
    """The bytes, with their length in front, of the messages of one type that were encoded lately.

    There is one per message type, so that what stands in a view and in an event is encoded once. A value is kept with
    its bytes, so that nothing else can get its id."""

    def __init__(self, descriptor: Descriptor) -> None:
        self._descriptor = descriptor
        self._known: dict[int, tuple[object, bytes]] = {}
        self.known = self._known.get
        """By id: a value and its bytes, or None. Whoever is in a hurry asks here first."""

    def learn(self, value: Any) -> tuple[object, bytes]:
        """Encodes a value; returns it with its bytes."""
        encode = message_encoder(self._descriptor)  # looked up late, because messages may contain themselves
        pair = value, with_length(encode(value))
        if len(self._known) >= _MEMO_SIZE:
            self._known.clear()
        self._known[id(value)] = pair
        return pair


memo_of = cache(Memo)
"""The one memo of a message type."""


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
    by_name: dict[str, tuple[bytes, Descriptor]] = {}
    for field in descriptor.fields:
        message_type: Any = field.message_type
        if message_type is None:
            raise TypeError(f"{field.full_name}: every alternative of a oneof must be a message")
        by_name[message_type.name] = tag(field.number, 2), message_type

    def encode(value: Any) -> bytes:
        try:
            key, inner = by_name[type(value).__name__]
        except KeyError:
            kind = type(value).__qualname__
            raise TypeError(f"{kind} is none of {sorted(by_name)}, the messages of {descriptor.full_name}") from None
        return key + with_length(message_encoder(inner)(value))

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
    """The encoder of one class, written out as a single expression with no call per field: a third of the time of a
    loop over its fields."""
    names = _field_names(kind)
    if set(names) != {field.name for field in descriptor.fields}:
        raise TypeError(
            f"{kind.__qualname__} has the fields {sorted(names)}, but {descriptor.full_name} has "
            f"{sorted(field.name for field in descriptor.fields)}"
        )
    known: dict[str, object] = {"join": b"".join, "varint": varint, "packed": _packed, "text": _text}
    parts = []
    for field in descriptor.fields:
        known |= _known_to(field)
        given = " is not None" if field.has_presence else ""
        parts.append(f"({_expression(field)}) if (item := value.{field.name}){given} else b''")
    source = f"lambda value: join(({', '.join(parts)},))" if parts else "lambda value: b''"
    encode: Encode = eval(source, known)  # noqa: S307  # made of descriptors only, as dataclasses make __init__
    return encode


def _field_names(kind: type) -> tuple[str, ...]:
    """Those of a NamedTuple or a dataclass."""
    return getattr(kind, "_fields", None) or tuple(getattr(kind, "__dataclass_fields__", ()))


def _known_to(field: FieldDescriptor) -> dict[str, object]:
    """What the expression of a field makes use of, by names that end in the field's number."""
    number, is_number = field.number, field.type in _VARINTS
    key = tag(number, 0 if is_number and not field.is_repeated else 2)
    known: dict[str, object] = {f"key_{number}": key}
    if is_number:
        known[f"small_{number}"] = _small_numbers(key)
    if field.message_type is not None:
        memo = memo_of(field.message_type)
        known |= {f"known_{number}": memo.known, f"learn_{number}": memo.learn}
    return known


def _expression(field: FieldDescriptor) -> str:
    """How the bytes of a field come from its value, `item`."""
    number = field.number
    if field.type in _VARINTS:
        if field.is_repeated:
            return f"packed(key_{number}, item)"
        return f"small_{number}[item] if 0 <= item < 0x80 else key_{number} + varint(item)"
    if field.type == FieldDescriptor.TYPE_MESSAGE:
        one = f"key_{number} + (known_{number}(id(item)) or learn_{number}(item))[1]"
    else:
        one = f"text(key_{number}, item)"
    return f"join([{one} for item in item])" if field.is_repeated else one


def _packed(key: bytes, values: Sequence[int]) -> bytes:
    if min(values) >= 0 and max(values) < 0x80:
        return key + with_length(bytes(values))
    return key + with_length(b"".join([varint(value) for value in values]))


def _text(key: bytes, value: str) -> bytes:
    return key + with_length(value.encode())
