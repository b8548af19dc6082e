"""Entries of a session's log as bytes, and back: a JSON list that begins with the kind of the entry.

What is written here is read by later versions: a new field goes to the end and has a default, a kind keeps its letter.
"""

from collections.abc import Callable, Mapping
from typing import Any

import orjson

from croupier_service.store import (
    Aborted,
    Acted,
    Chooser,
    Claimed,
    Created,
    Entry,
    Finished,
    ForfeitCause,
    Forfeited,
    Revealed,
    Rotated,
    StoreError,
    TimeControl,
)

_LETTERS: Mapping[type[Entry], str] = {
    Created: "c",
    Claimed: "s",
    Revealed: "r",
    Rotated: "t",
    Acted: "a",
    Forfeited: "f",
    Aborted: "x",
    Finished: "e",
}


def encode(entry: Entry) -> bytes:
    """The entry as bytes."""
    return orjson.dumps((_LETTERS[type(entry)], *entry), default=_plain)


def decode(data: bytes) -> Entry:
    """The entry that `encode` wrote, or StoreError."""
    try:
        letter, *fields = orjson.loads(data)
        return _READ[letter](*fields)
    except (KeyError, TypeError, ValueError) as error:
        raise StoreError(f"an entry of a session's log cannot be read: {error}") from None


def _plain(value: object) -> object:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return list(value)
    raise TypeError(f"an entry holds {value!r}")


def _created(*fields: Any) -> Created:
    values = Created(*fields)._asdict()
    for name in ("owner_hash", "service_seed", "commitment_salt"):
        values[name] = bytes.fromhex(values[name])
    values["token_hashes"] = tuple(each and bytes.fromhex(each) for each in values["token_hashes"])
    values["seat_names"] = tuple(values["seat_names"])
    values["time_control"] = TimeControl(*values["time_control"])
    return Created(**values)


def _claimed(seat: int, name: str, token_hash: str, entropy: str, entropy_commitment: str = "") -> Claimed:
    values = [bytes.fromhex(value) for value in (token_hash, entropy, entropy_commitment)]
    return Claimed(seat, name, *values)


def _revealed(seat: int, entropy: str) -> Revealed:
    return Revealed(seat, bytes.fromhex(entropy))


def _rotated(at_ms: int, seat: int, token_hash: str) -> Rotated:
    return Rotated(at_ms, seat, bytes.fromhex(token_hash))


def _acted(at_ms: int, seat: int, notation: str, chooser: int, think_us: int, request_id: str = "") -> Acted:
    return Acted(at_ms, seat, notation, Chooser(chooser), think_us, request_id)


def _forfeited(at_ms: int, seat: int, cause: int) -> Forfeited:
    return Forfeited(at_ms, seat, ForfeitCause(cause))


_READ: Mapping[str, Callable[..., Entry]] = {
    "c": _created,
    "s": _claimed,
    "r": _revealed,
    "t": _rotated,
    "a": _acted,
    "f": _forfeited,
    "x": Aborted,
    "e": Finished,
}
