"""The hand-made protobuf writer, held against the protobuf library, with messages made up for it.

Whatever the writer writes, the library must read as exactly the values that went in, with nothing left over.
test_encode_games.py does the same with the games there are."""

from collections import namedtuple
from collections.abc import Iterator
from dataclasses import make_dataclass
from enum import IntEnum
from typing import Any, NamedTuple

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.service.conformance.said import require_minimal, require_says

from croupier_service.wire.encode import memo_of, message_encoder, tag, varint

FILE = descriptor_pb2.FileDescriptorProto(name="made_up.proto", package="made_up", syntax="proto3")
FIELD = descriptor_pb2.FieldDescriptorProto


def add_message(name: str, *fields: tuple[str, int, str, str]) -> None:
    """Adds a message to the made-up file; a field is name, type, one/optional/many/kind, and message type."""
    message = FILE.message_type.add(name=name)
    for number, (field_name, kind, label, type_name) in enumerate(fields, start=1):
        field = message.field.add(name=field_name, number=number * 7, type=kind, type_name=type_name or None)
        field.label = FIELD.LABEL_REPEATED if label == "many" else FIELD.LABEL_OPTIONAL
        if label in ("optional", "kind"):
            oneof = "kind" if label == "kind" else f"_{field_name}"
            names = [one.name for one in message.oneof_decl]
            if oneof not in names:
                message.oneof_decl.add(name=oneof)
                names.append(oneof)
            field.oneof_index = names.index(oneof)
            field.proto3_optional = label == "optional"


SCALARS = (
    ("u32", FIELD.TYPE_UINT32),
    ("u64", FIELD.TYPE_UINT64),
    ("i32", FIELD.TYPE_INT32),
    ("i64", FIELD.TYPE_INT64),
    ("flag", FIELD.TYPE_BOOL),
    ("colour", FIELD.TYPE_ENUM),
    ("text", FIELD.TYPE_STRING),
)


def scalar_fields(label: str) -> Iterator[tuple[str, int, str, str]]:
    for name, kind in SCALARS:
        yield name, kind, label, ".made_up.Colour" if name == "colour" else ""


colours = FILE.enum_type.add(name="Colour")
for number, colour_name in enumerate(("NONE", "RED", "BLUE")):
    colours.value.add(name=colour_name, number=number)
add_message("Plain", *scalar_fields("one"))
add_message("Maybe", *scalar_fields("optional"))
add_message("Many", *scalar_fields("many"))
add_message("Nothing")
add_message(
    "Nested",
    ("plain", FIELD.TYPE_MESSAGE, "one", ".made_up.Plain"),
    ("maybes", FIELD.TYPE_MESSAGE, "many", ".made_up.Maybe"),
    ("nothing", FIELD.TYPE_MESSAGE, "one", ".made_up.Nothing"),
    ("nothings", FIELD.TYPE_MESSAGE, "many", ".made_up.Nothing"),
    ("inner", FIELD.TYPE_MESSAGE, "one", ".made_up.Nested"),
    ("union", FIELD.TYPE_MESSAGE, "one", ".made_up.Union"),
)
add_message("Union", *((name.lower(), FIELD.TYPE_MESSAGE, "kind", f".made_up.{name}") for name in ("Many", "Nothing")))
add_message("Sole", ("u32", FIELD.TYPE_UINT32, "optional", ""))
add_message("Bad", ("raw", FIELD.TYPE_BYTES, "one", ""))
add_message("BadUnion", ("number", FIELD.TYPE_UINT32, "kind", ""), ("other", FIELD.TYPE_UINT32, "kind", ""))
POOL = descriptor_pool.DescriptorPool()
POOL.Add(FILE)


class Colour(IntEnum):
    NONE = 0
    RED = 1
    BLUE = 2


class Plain(NamedTuple):
    u32: int
    u64: int
    i32: int
    i64: int
    flag: bool
    colour: Colour
    text: str


class Maybe(NamedTuple):
    u32: int | None
    u64: int | None
    i32: int | None
    i64: int | None
    flag: bool | None
    colour: Colour | None
    text: str | None


class Many(NamedTuple):
    u32: tuple[int, ...]
    u64: tuple[int, ...]
    i32: tuple[int, ...]
    i64: tuple[int, ...]
    flag: tuple[bool, ...]
    colour: tuple[Colour, ...]
    text: tuple[str, ...]


class Nothing(NamedTuple):
    pass


class Nested(NamedTuple):
    plain: Plain | None
    maybes: tuple[Maybe, ...]
    nothing: Nothing | None
    nothings: tuple[Nothing, ...]
    inner: Any
    union: Many | Nothing | None


class Sole(NamedTuple):
    u32: int | None


def edges(low: int, high: int) -> st.SearchStrategy[int]:
    """Whole numbers of a range, most often those where their length changes."""
    corners = [0, 1, 127, 128, 16_383, 16_384, 2**31 - 1, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1, -1, low, high]
    return st.sampled_from([corner for corner in corners if low <= corner <= high]) | st.integers(low, high)


VALUES: tuple[st.SearchStrategy[Any], ...] = (
    edges(0, 2**32 - 1),
    edges(0, 2**64 - 1),
    edges(-(2**31), 2**31 - 1),
    edges(-(2**63), 2**63 - 1),
    st.booleans(),
    st.sampled_from(Colour),
    st.text(max_size=200) | st.sampled_from(["", "ß", "äöü" * 30, "日本語", "🎲" * 40, "\0"]),
)
PLAIN = st.builds(Plain, *VALUES)
MAYBE = st.builds(Maybe, *(st.none() | value for value in VALUES))
MANY = st.builds(Many, *(st.lists(value, max_size=40).map(tuple) for value in VALUES))
NOTHING = st.builds(Nothing)
NESTED = st.recursive(
    st.builds(
        Nested,
        st.none() | PLAIN,
        st.lists(MAYBE, max_size=3).map(tuple),
        st.none() | NOTHING,
        st.lists(NOTHING, max_size=3).map(tuple),
        st.none(),
        st.none() | MANY | NOTHING,
    ),
    lambda inner: st.builds(Nested, st.none(), st.just(()), st.none(), st.just(()), inner, st.none()),
    max_leaves=4,
)


def made_up(name: str) -> Any:
    return POOL.FindMessageTypeByName(f"made_up.{name}")


def require_written(name: str, value: Any) -> None:
    encoded = message_encoder(made_up(name))(value)
    message = message_factory.GetMessageClass(made_up(name)).FromString(encoded)
    require_says(message, value)
    require_minimal(message, encoded)
    assert memo_of(made_up(name)).learn(value) == (value, varint(len(encoded)) + encoded)


@given(PLAIN | MAYBE | MANY | NOTHING | NESTED | st.builds(Sole, st.none() | VALUES[0]))
@settings(max_examples=120, deadline=None)
def test_made_up_records_say_what_they_hold(value: Any) -> None:
    """Any NamedTuple with the fields of its message is written as the library would read and write it."""
    require_written(type(value).__name__, value)


@given(MANY | NOTHING)
@settings(max_examples=50, deadline=None)
def test_made_up_unions_say_which_and_what(value: Any) -> None:
    """A value of a union is written into the field of its own type, also when it is empty."""
    require_written("Union", value)


@given(edges(-(2**63), 2**64 - 1))
def test_varints_are_those_of_protobuf(number: int) -> None:
    """Whole numbers have the bytes that the library writes, negative ones ten."""
    name = "u64" if number >= 0 else "i64"
    message = message_factory.GetMessageClass(made_up("Maybe"))()
    setattr(message, name, number)
    assert message.SerializeToString() == tag(made_up("Maybe").fields_by_name[name].number, 0) + varint(number)


def test_zero_and_nothing_differ_where_presence_counts() -> None:
    """An optional 0 is sent; an optional None is not; a plain 0 is not sent either."""
    empty = Maybe(*[None] * len(SCALARS))
    assert message_encoder(made_up("Maybe"))(empty) == b""
    assert message_encoder(made_up("Plain"))(Plain(0, 0, 0, 0, False, Colour.NONE, "")) == b""
    zero = Maybe(0, 0, 0, 0, False, Colour.NONE, "")
    message: Any = message_factory.GetMessageClass(made_up("Maybe")).FromString(message_encoder(made_up("Maybe"))(zero))
    assert all(message.HasField(name) for name, _ in SCALARS)


@pytest.mark.parametrize("fields", [(), ("u32", "u64"), ("u33",)], ids=["none", "more", "other"])
def test_a_mismatch_of_fields_names_both(fields: tuple[str, ...]) -> None:
    """A NamedTuple or action whose fields are not those of the message is an error that shows both lists."""
    for kind in (namedtuple("Wrong", fields), make_dataclass("Wrong", fields)):
        wrong: Any = kind(*[1] * len(fields))
        with pytest.raises(TypeError) as caught:
            message_encoder(made_up("Sole"))(wrong)
        for expected in ("Wrong", "made_up.Sole", "'u32'", *(f"{name!r}" for name in fields)):
            assert expected in str(caught.value)


def test_a_value_that_is_no_alternative_names_both() -> None:
    """A value that is of none of a union's types is an error that names it and the union."""
    with pytest.raises(TypeError, match=r"Sole.*made_up\.Union"):
        message_encoder(made_up("Union"))(Sole(1))


@pytest.mark.parametrize(("name", "field"), [("Bad", "raw"), ("BadUnion", "number")])
def test_types_that_cannot_be_written_are_named(name: str, field: str) -> None:
    """A message with a field of a type that the writer does not know is refused at once, and the field named."""
    with pytest.raises(TypeError, match=rf"made_up\.{name}\.{field}"):
        message_encoder(made_up(name))


# ---- what is remembered ----


def test_what_is_remembered_is_never_stale() -> None:
    """Far more values than are remembered, each let go at once so that ids are used again, all come out right."""
    encode = message_encoder(made_up("Nested"))
    parse = message_factory.GetMessageClass(made_up("Nested")).FromString
    for number in range(3 * 4096 + 7):
        value = Nested(Plain(number, 0, 0, 0, False, Colour.NONE, ""), (), None, (), None, None)
        message: Any = parse(encode(value))
        assert message.plain.u32 == number
        del value


def test_equal_values_need_not_be_the_same_object() -> None:
    """Equal parts are written alike whether they are one object or several, and again after others came between."""
    encode = message_encoder(made_up("Nested"))
    parts = [Plain(7, 7, 7, 7, True, Colour.RED, "seven") for _ in range(3)]
    written = {encode(Nested(part, (), None, (), None, None)) for part in (*parts, *parts)}
    assert len(written) == 1
    for number in range(5000):
        encode(Nested(Plain(number, 0, 0, 0, False, Colour.NONE, ""), (), None, (), None, None))
    assert {encode(Nested(part, (), None, (), None, None)) for part in parts} == written


def test_values_that_compare_equal_but_are_not_the_same_are_kept_apart() -> None:
    """True and 1, or an enum and its number, are equal to Python but not to a message: each is written as it is."""
    encode = message_encoder(made_up("Nested"))
    for flag, number in ((True, 1), (1, True), (False, 0), (0, False)):
        value = Nested(Plain(number, 0, 0, 0, flag, Colour(int(flag)), ""), (), None, (), None, None)  # type: ignore[arg-type]
        message: Any = message_factory.GetMessageClass(made_up("Nested")).FromString(encode(value))
        assert (message.plain.u32, message.plain.flag) == (int(number), bool(flag))
