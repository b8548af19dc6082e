"""Whatever is changed in a real record is found: every field, every entry, every byte."""

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeAlias

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from croupier.v1 import records_pb2
from croupier_games import GAMES
from croupier_runner.records import verify

Find: TypeAlias = "Callable[[Message], Message]"
Changes: TypeAlias = "Iterator[tuple[str, Callable[[Message], object]]]"
"""What is changed, in words, and how."""

UNKNOWN_FIELD = b"\xfa\x3f\x01x"
"""Field 1023, as a later version, or a forger, may write it."""


def changes(message: Message, find: Find, name: str) -> Changes:
    """Every way to change one thing of a message, or of one inside it; `find` leads to it in a copy of the whole."""
    yield f"{name}: an unknown field", lambda whole: _append(find(whole), UNKNOWN_FIELD)
    fields: Any = message.DESCRIPTOR.fields
    for field in fields:
        path = f"{name}.{field.name}"
        value = getattr(message, field.name)
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            yield from _map_changes(value, field, find, path)
        elif field.is_repeated:
            yield from _list_changes(value, field, find, path)
        elif field.message_type is not None:
            yield from _message_changes(message, field, find, path)
        else:
            yield from _scalar_changes(message, field, find, path)


def _append(message: Message, data: bytes) -> None:
    message.MergeFromString(data)


def _scalar_changes(message: Message, field: FieldDescriptor, find: Find, path: str) -> Changes:
    value = getattr(message, field.name)

    def assign(other: Any, whole: Message) -> None:
        setattr(find(whole), field.name, other)

    for other in _others(value, field):
        yield f"{path} = {other!r}", partial(assign, other)
    if field.has_presence and message.HasField(field.name):
        yield f"{path} cleared", lambda whole: find(whole).ClearField(field.name)
    elif field.has_presence:
        yield f"{path} set to nothing", partial(assign, field.default_value)


def _others(value: Any, field: FieldDescriptor) -> list[Any]:
    """Other values that it might have had."""
    if field.enum_type is not None:
        return [number for number in (*field.enum_type.values_by_number, 99) if number != value]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, *([0, value - 1] if value else [])]
    if isinstance(value, str):
        return [value + "x", value + " ", *([""] if value else [])]
    return [value + b"\0", *([b"", bytes([value[0] ^ 1]) + value[1:], value[:-1]] if value else [])]


def _message_changes(message: Message, field: FieldDescriptor, find: Find, path: str) -> Changes:
    if not message.HasField(field.name):
        yield f"{path} added", lambda whole: getattr(find(whole), field.name).SetInParent()
        return
    yield f"{path} cleared", lambda whole: find(whole).ClearField(field.name)
    yield from changes(getattr(message, field.name), lambda whole: getattr(find(whole), field.name), path)


def _list_changes(items: Any, field: FieldDescriptor, find: Find, path: str) -> Changes:
    def listed(whole: Message) -> Any:
        return getattr(find(whole), field.name)

    def drop(number: int, whole: Message) -> None:
        del listed(whole)[number]

    def double(number: int, whole: Message) -> None:
        listed(whole).insert(number, listed(whole)[number])

    def swap(number: int, whole: Message) -> None:
        listed(whole).insert(number - 1, listed(whole).pop(number))

    def assign(number: int, other: Any, whole: Message) -> None:
        listed(whole)[number] = other

    def inside(number: int, whole: Message) -> Message:
        found: Message = listed(whole)[number]
        return found

    new = _new_item(field)
    yield f"{path} with one more", lambda whole: listed(whole).append(new)
    for number in sorted({0, 1, len(items) // 2, len(items) - 1} & set(range(len(items)))):
        here = f"{path}[{number}]"
        yield f"{here} dropped", partial(drop, number)
        yield f"{here} twice", partial(double, number)
        if number and items[number] != items[number - 1]:
            yield f"{here} swapped", partial(swap, number)
        if field.message_type is not None:
            yield from changes(items[number], partial(inside, number), here)
        else:
            yield f"{here} longer", partial(assign, number, items[number] + new)
            if items[number]:
                yield f"{here} empty", partial(assign, number, items[number][:0])


def _new_item(field: FieldDescriptor) -> Any:
    if field.message_type is not None:
        return GetMessageClass(field.message_type)()
    return b"new" if field.type == FieldDescriptor.TYPE_BYTES else "new"


def _map_changes(items: Any, field: FieldDescriptor, find: Find, path: str) -> Changes:
    def drop(key: str, whole: Message) -> None:
        del getattr(find(whole), field.name)[key]

    def inside(key: str, whole: Message) -> Message:
        found: Message = getattr(find(whole), field.name)[key]
        return found

    yield f"{path} with one more", lambda whole: inside("new", whole).SetInParent()
    for key in items:
        yield f"{path}[{key}] dropped", partial(drop, key)
        yield from changes(items[key], partial(inside, key), f"{path}[{key}]")


def _copy(record: records_pb2.Record) -> records_pb2.Record:
    return records_pb2.Record.FromString(record.SerializeToString())


@pytest.mark.parametrize("game_id", sorted(GAMES))
async def test_every_field_of_a_record_that_is_changed_is_found(played_game: Any, game_id: str) -> None:
    """Also what is dropped, added, swapped or doubled, and fields that nobody knows."""
    settings = {"seats": 3, "forfeit": 1} if game_id == "lie" else {}
    record = (await played_game(game_id, **settings)).record
    assert verify(record) == []
    overlooked, tried = [], 0
    for name, change in changes(record, lambda whole: whole, "record"):
        changed = _copy(record)
        change(changed)
        assert changed != record, name
        tried += 1
        if not verify(changed):
            overlooked.append(name)
    assert not overlooked
    assert tried > 150


async def test_every_byte_of_a_record_that_is_changed_is_found(played_game: Any) -> None:
    """Or it cannot be read any more, or it reads the same, such as a number written with leading zeros."""
    record = (await played_game("lie")).record
    assert overlooked_bytes(record, range(len(record.SerializeToString()))) == []


@pytest.mark.slow
@pytest.mark.parametrize("game_id", sorted(GAMES))
async def test_every_byte_of_records_of_all_games_is_held(played_game: Any, game_id: str) -> None:
    record = (await played_game(game_id)).record
    assert overlooked_bytes(record, range(len(record.SerializeToString()))) == []


def overlooked_bytes(record: records_pb2.Record, places: range) -> list[int]:
    """The places of bytes that may be changed to another value, and nobody sees it."""
    data, chance = record.SerializeToString(), random.Random(1)
    overlooked = []
    for place in places:
        changed = bytearray(data)
        changed[place] ^= 1 << chance.randrange(8)
        try:
            read = records_pb2.Record.FromString(bytes(changed))
        except DecodeError:
            continue
        if read != record and not verify(read):
            overlooked.append(place)
    return overlooked
