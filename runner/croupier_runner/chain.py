"""The chain of hashes that binds a service to a record, from the record alone; docs/records.md specifies it."""

from collections.abc import Iterator
from hashlib import sha256

from croupier.v1 import records_pb2, sessions_pb2

_CHAIN_LABEL = b"croupier/chain/1"
_HEAD_LABEL = b"croupier/head/1"
_ENTROPY_LABEL = b"croupier/entropy/1"


def heads(record: records_pb2.Record) -> list[bytes]:
    """The head after each line of the record: the last is the one of the record, others may have been told in play."""
    link = sha256(_CHAIN_LABEL + record.commitment_salt + record.service_seed).digest()
    told = []
    for line in lines(record):
        link = sha256(_CHAIN_LABEL + link + line.encode()).digest()
        told.append(sha256(_HEAD_LABEL + link).digest())
    return told


def entropy_commitment(session_id: str, entropy: bytes) -> bytes:
    """What binds a seat to its entropy; empty where there is none."""
    return sha256(_ENTROPY_LABEL + session_id.encode() + b"\0" + entropy).digest() if entropy else b""


def lines(record: records_pb2.Record) -> Iterator[str]:
    """The record as it is linked, line by line."""
    yield from _opening(record.session)
    for entropy in record.seat_entropy:
        yield f"entropy {entropy.hex()}"
    for entry in record.entries:
        yield from _entry(entry)
    yield from _ending(record.session)


def _opening(session: sessions_pb2.Session) -> Iterator[str]:
    yield f"session {session.session_id}"
    yield f"game {session.game_id}"
    yield f"version {session.game_version}"
    for name in sorted(session.options, key=str.encode):
        yield f"option {name}"
        kind = session.options[name].WhichOneof("value")
        if kind is not None:
            value: bool | int | str = getattr(session.options[name], kind)
            yield f"{kind} {int(value) if isinstance(value, bool) else value}"
    if session.HasField("time_control"):
        pace = session.time_control
        yield f"time {pace.move_ms} {pace.game_ms} {pace.increment_ms} {pace.reconnect_ms}"
    if session.HasField("spectators"):
        yield f"spectators {session.spectators.access} {session.spectators.delay_events}"
    if session.HasField("create_time"):
        yield f"created {session.create_time.seconds} {session.create_time.nanos}"
    yield f"seed_was_given {session.seed_was_given:d}"
    yield f"auto_play_forced {session.auto_play_forced:d}"
    for seat in session.seats:
        yield f"seat {seat.name}"


def _entry(entry: records_pb2.RecordEntry) -> Iterator[str]:
    kind = entry.WhichOneof("entry")
    if kind == "action":
        action = entry.action
        yield f"act {entry.at_ms} {action.seat} {action.chooser} {action.think_us} {action.notation}"
    elif kind == "forfeit":
        yield f"forfeit {entry.at_ms} {entry.forfeit.seat} {entry.forfeit.cause}"


def _ending(session: sessions_pb2.Session) -> Iterator[str]:
    yield f"end {session.state}"
    if not session.HasField("outcome"):
        return
    yield f"outcome {session.outcome.reason}"
    for result in session.outcome.results:
        points = result.points if result.HasField("points") else "-"
        yield f"result {result.place} {points} {result.forfeit_cause}"
        for tie in result.tie_breaks:
            yield f"tie {tie.value} {tie.name}"
        for note in result.notes:
            yield f"note {note}"
