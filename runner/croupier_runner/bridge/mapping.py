"""The games' messages as plain values for JSON: protobuf's own mapping, with proto names and with defaults written out.

`google.protobuf.json_format` looks at every field of every message anew. Here a function is written and compiled for
each type of message, as `dataclasses` does it: it takes a seventh of the time, and that is most of what a turn costs.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable
from typing import TypeAlias

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
_Mapper: TypeAlias = Callable[[Message], Json]

_PLAIN = (
    FieldDescriptor.TYPE_BOOL,
    FieldDescriptor.TYPE_INT32,
    FieldDescriptor.TYPE_SINT32,
    FieldDescriptor.TYPE_UINT32,
    FieldDescriptor.TYPE_STRING,
)
"""What is the same in Python and in JSON."""

_mappers: dict[Descriptor, _Mapper] = {}


def as_json(message: Message) -> Json:
    """The message as JSON has it; a field that may be absent, and is, is left out."""
    return _mapper(message.DESCRIPTOR)(message)  # type: ignore[arg-type]  # the same class under two names


def _mapper(kind: Descriptor) -> _Mapper:
    if kind not in _mappers:
        _mappers[kind] = as_json  # for the parts of a type that contains itself: looks it up when it is complete
        _mappers[kind] = _compiled(kind) if _can_be_compiled(kind) else _by_the_library
    return _mappers[kind]


def _can_be_compiled(kind: Descriptor) -> bool:
    """Not so well-known types, maps, bytes, floats and 64 bits, which all look different in JSON."""
    if kind.file.package == "google.protobuf":
        return False
    return all(
        (field.type in _PLAIN or field.enum_type is not None or _is_message(field))
        and not keyword.iskeyword(field.name)
        for field in kind.fields
    )


def _is_message(field: FieldDescriptor) -> bool:
    return field.message_type is not None and not field.message_type.GetOptions().map_entry


def _compiled(kind: Descriptor) -> _Mapper:
    names: dict[str, _Mapper | _EnumNames] = {}
    values = {field: _expression(field, names) for field in kind.fields}
    always = ", ".join(f"{field.name!r}: {value}" for field, value in values.items() if not field.has_presence)
    source = f"def mapped(message):\n    values = {{{always}}}\n"
    for field, value in values.items():
        if field.has_presence:
            source += f"    if message.HasField({field.name!r}):\n        values[{field.name!r}] = {value}\n"
    exec(source + "    return values\n", names)  # noqa: S102  # nothing in it but names of fields
    mapped = names["mapped"]
    assert not isinstance(mapped, _EnumNames)  # noqa: S101  # it is what the source defines
    return mapped


def _expression(field: FieldDescriptor, names: dict[str, _Mapper | _EnumNames]) -> str:
    """The Python that maps the field, and the names that it needs."""
    value, converter = f"message.{field.name}", f"convert_{field.name}"
    if field.type in _PLAIN:
        return f"list({value})" if field.is_repeated else value
    if field.enum_type is not None:
        names[converter] = _EnumNames({number: each.name for number, each in field.enum_type.values_by_number.items()})
        return f"[{converter}[each] for each in {value}]" if field.is_repeated else f"{converter}[{value}]"
    if field.message_type is not None:
        names[converter] = _mapper(field.message_type)
    return f"[{converter}(each) for each in {value}]" if field.is_repeated else f"{converter}({value})"


class _EnumNames(dict[int, str | int]):
    """The names of an enum's values; a value newer than these stubs stays a number."""

    def __missing__(self, number: int) -> int:
        return number


def _by_the_library(message: Message) -> Json:
    mapped: Json = json_format.MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return mapped
