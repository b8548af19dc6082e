"""Lines: cut and bounded, understood or refused; messages mapped as protobuf maps them."""

import json
import tracemalloc

import orjson
import pytest
from google.protobuf import any_pb2, json_format
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

from croupier.games.lie.v1 import lie_pb2
from croupier.v1 import bots_pb2, sessions_pb2, turns_pb2
from croupier_client import Turn
from croupier_runner.bridge.child import Splitter
from croupier_runner.bridge.lines import NotUnderstood, Reply, Want, read_reply, read_want, refused, turn
from croupier_runner.bridge.mapping import as_json

CARD = lie_pb2.Card(low=1, high=6)
SHOWDOWN = lie_pb2.Showdown(bid=lie_pb2.PlacedBid(count=2), hands=[lie_pb2.Hand(cards=[CARD]), lie_pb2.Hand()])


@given(st.lists(st.binary(max_size=12)), st.integers(1, 5))
def test_lines_are_the_same_however_they_arrive(parts: list[bytes], most_bytes: int) -> None:
    """Those that are short enough, that is; and none of them is lost next to one that is too long."""
    whole = b"".join(parts) + b"\n"
    splitter = Splitter(most_bytes)
    heard = [line for part in [*parts, b"\n"] for line in splitter.feed(part) if line is not None]

    texts = (text for text in whole.split(b"\n") if text and not text.isspace())
    assert heard == [text for text in texts if len(text) <= most_bytes]


def test_an_endless_line_takes_no_memory_and_is_told_again_and_again() -> None:
    splitter = Splitter()
    chunk = b"x" * 2**16
    tracemalloc.start()
    told = sum(splitter.feed(chunk).count(None) for _ in range(1_000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert told == 500
    assert peak < 2**20
    assert splitter.feed(b"\nnext\n") == [b"next"]


def test_what_a_bot_says_is_understood() -> None:
    assert read_want(b'{"want": {}}') == Want(view=True, legal=True, events=True)
    assert read_want(b'{"want": {"view": false}, "of": "later"}\r') == Want(view=False)
    assert read_reply(b'{"choose": "2x3", "seat": 1, "session": "s", "decision": 4}') == Reply("s", 1, 4, "2x3")


@pytest.mark.parametrize(
    ("key", "want"), [("view", Want(view=False)), ("legal", Want(legal=False)), ("events", Want(events=False))]
)
def test_a_turn_has_what_was_wanted_and_no_more(key: str, want: Want) -> None:
    asked = turns_pb2.Turn(
        session_id="s", seat=1, decision_id=2, legal_count=1, legal=[turns_pb2.LegalAction(notation="challenge")]
    )
    asked.view.lie.SetInParent()
    asked.events.add().lie.all_arranged.SetInParent()
    everything, less = (json.loads(turn(Turn(asked), wanted)) for wanted in (Want(), want))

    beginning = ["type", "session", "seat", "decision", "legal_count"]
    assert list(everything) == [*beginning, "time_left_ms", "legal", "view", "events"]
    assert (everything["legal"], everything["events"]) == (["challenge"], [{"all_arranged": {}}])
    assert everything["view"]["phase"] == "PHASE_UNSPECIFIED"
    del everything[key]
    assert less == everything


@pytest.mark.parametrize(
    ("first_line", "words"),
    [
        (b"Welcome to my bot!", """expected a JSON object on one line, got 'Welcome to my bot!'"""),
        (b"[1]", "expected a JSON object, got '[1]'"),
        (b'{"choose": 1}', """expected {"want": {}} as the first line, got '{"choose": 1}'"""),
        (
            b'{"want": {"veiw": true}}',
            """"want" takes "view", "legal" and "events", each true or false; 'veiw' is not so""",
        ),
        (
            b'{"want": {"legal": 1}}',
            """"want" takes "view", "legal" and "events", each true or false; 'legal' is not so""",
        ),
    ],
)
def test_a_wrong_first_line_is_told_with_what_was_expected(first_line: bytes, words: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        read_want(first_line)
    assert str(caught.value) == words


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"null",
        b"\xff",
        b'{"session": "s"',
        b'{"session": "s", "seat": 0, "decision": 1}',
        b'{"session": 1, "seat": 0, "decision": 1, "choose": 0}',
        b'{"session": "s", "seat": "0", "decision": 1, "choose": 0}',
        b'{"session": "s", "seat": 0, "decision": 99999999999999999999999, "choose": 0}',
        b"[" * 60_000,
        b"\x1b[2J{}",
    ],
)
def test_anything_else_is_not(text: bytes) -> None:
    """And the sentence that says so is short and holds nothing that a terminal would obey."""
    with pytest.raises(NotUnderstood) as caught:
        read_reply(text)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 200


@given(st.integers(-(2**63), 2**64 - 1), st.text())
def test_whatever_was_understood_can_be_refused(number: int, text: str) -> None:
    said = read_reply(orjson.dumps({"session": text, "seat": number, "decision": number, "choose": None}))
    assert b'"refused"' in refused(said.session, said.seat, said.decision, "STALE_DECISION", "")


def packed(message: Message) -> any_pb2.Any:
    wrapped = any_pb2.Any()
    wrapped.Pack(message)
    return wrapped


@pytest.mark.parametrize(
    "message",
    [
        lie_pb2.View(),
        lie_pb2.View(phase=lie_pb2.PHASE_BID, round=lie_pb2.Round(last_showdown=SHOWDOWN, out=[0, 1]), turn=0),
        lie_pb2.View(phase=99),
        lie_pb2.Event(all_arranged=lie_pb2.AllArranged()),
        lie_pb2.Event(hands_revealed=lie_pb2.HandsRevealed(showdown=SHOWDOWN)),
        packed(CARD),
        sessions_pb2.SeatResult(points=2**40, notes=["ä"]),
        bots_pb2.Seated(seed_commitment=b"\xff"),
        turns_pb2.Turn(),
    ],
    ids=lambda message: message.DESCRIPTOR.name,
)
def test_messages_are_mapped_as_protobuf_maps_them(message: Message) -> None:
    """Enums, what is absent, what is empty, what is newer than the stubs, 64 bits, bytes, maps and Any."""
    assert as_json(message) == json_format.MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
