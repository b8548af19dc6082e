"""The lines between bridge and bot: what each says, as values. Each is one JSON object; docs/stdio.md has them all."""

from dataclasses import dataclass

import orjson

from croupier.v1 import bots_pb2, catalog_pb2, sessions_pb2
from croupier_client import Turn
from croupier_client.payloads import unwrap
from croupier_runner.bridge.mapping import Json, as_json

PROTOCOL = 1
MOST_LINE_BYTES = 64 * 1024
"""The longest line a bot may write."""
_SHOWN = 80
"""How much of a wrong line is quoted."""


class NotUnderstood(Exception):
    """A line that is none of ours; its text says what was expected and what came."""


@dataclass(frozen=True, slots=True)
class Want:
    """What a bot wants to hear with every turn."""

    view: bool = True
    legal: bool = True
    events: bool = True


@dataclass(frozen=True, slots=True)
class Reply:
    """What a bot has decided."""

    session: str
    seat: int
    decision: int
    choose: object
    """Whatever it wrote there; whether it is a choice at all is not decided here."""


def line(**values: Json) -> bytes:
    """One line."""
    return orjson.dumps(values, option=orjson.OPT_APPEND_NEWLINE)


def hello(name: str) -> bytes:
    """The first line that a bot gets."""
    return line(type="hello", protocol=PROTOCOL, name=name)


def seated(seating: bots_pb2.Seated) -> bytes:
    """A game has started."""
    return line(
        type="seated",
        session=seating.session_id,
        seat=seating.seat,
        game=seating.game_id,
        version=seating.game_version,
        options={name: _option(value) for name, value in seating.options.items()},
        names=list(seating.seat_names),
        commitment=seating.seed_commitment.hex(),
    )


def _option(value: catalog_pb2.OptionValue) -> Json:
    """Null where a newer service has a kind of option that this bridge does not know."""
    kind = value.WhichOneof("value")
    return None if kind is None else getattr(value, kind)


def turn(asked: Turn, want: Want) -> bytes:
    """A decision to make. The order of the keys is promised: a shell can cut out what the answer must repeat."""
    raw = asked.raw
    values: dict[str, Json] = {
        "type": "turn",
        "session": raw.session_id,
        "seat": raw.seat,
        "decision": raw.decision_id,
        "legal_count": raw.legal_count,
        "time_left_ms": raw.time_left_ms if raw.HasField("time_left_ms") else None,
    }
    if want.legal:
        values["legal"] = [action.notation for action in raw.legal]
    if want.view:
        values["view"] = as_json(asked.view)
    if want.events:
        values["events"] = [as_json(unwrap(event)) for event in raw.events]
    return orjson.dumps(values, option=orjson.OPT_APPEND_NEWLINE)


def refused(session: str, seat: int, decision: int, reason: str, message: str) -> bytes:
    """An answer was not taken."""
    return line(type="refused", session=session, seat=seat, decision=decision, reason=reason, message=message)


def not_understood(message: str) -> bytes:
    """A line was no answer."""
    return line(type="refused", session=None, seat=None, decision=None, reason="NOT_UNDERSTOOD", message=message)


def game_over(result: bots_pb2.GameOver) -> bytes:
    """A game has ended."""
    values: dict[str, Json] = {"type": "game_over", "session": result.session_id, "seat": result.seat}
    if not result.HasField("outcome"):
        return line(**values, places=None, points=None, faults=None, reason="the game was aborted")
    results = result.outcome.results
    return line(
        **values,
        places=[each.place for each in results],
        points=[each.points if each.HasField("points") else None for each in results],
        faults=[_fault(each.forfeit_cause) for each in results],
        reason=result.outcome.reason,
    )


def read_want(text: bytes) -> Want:
    """The first line of a bot, or NotUnderstood."""
    wanted = _object(text).get("want")
    if not isinstance(wanted, dict):
        raise NotUnderstood(f'expected {{"want": {{}}}} as the first line, got {quoted(text)}')
    wrong = [key for key, value in wanted.items() if key not in Want.__slots__ or not isinstance(value, bool)]
    if wrong:
        raise NotUnderstood(
            f'"want" takes "view", "legal" and "events", each true or false; {quoted(wrong[0].encode())} is not so'
        )
    return Want(**wanted)


def read_reply(text: bytes) -> Reply:
    """An answer of a bot, or NotUnderstood."""
    said = _object(text)
    match said:
        case {"session": str(session), "seat": int(seat), "decision": int(decision), "choose": choose}:
            return Reply(session, seat, decision, choose)
    raise NotUnderstood(f'an answer has "session", "seat", "decision" and "choose", got {quoted(text)}')


def quoted(text: bytes) -> str:
    """A line for people: its beginning, and nothing in it that a terminal would obey."""
    shown = ascii(text[:_SHOWN].decode(errors="replace"))
    return shown + (" …" if len(text) > _SHOWN else "")


def _object(text: bytes) -> dict[str, object]:
    try:
        said = orjson.loads(text)
    except orjson.JSONDecodeError:
        raise NotUnderstood(f"expected a JSON object on one line, got {quoted(text)}") from None
    if not isinstance(said, dict):
        raise NotUnderstood(f"expected a JSON object, got {quoted(text)}")
    return said


def _fault(cause: sessions_pb2.ForfeitCause) -> str:
    """The cause in a word, such as "time"; empty for none."""
    if cause == sessions_pb2.FORFEIT_CAUSE_UNSPECIFIED:
        return ""
    if cause not in sessions_pb2.ForfeitCause.values():
        return "unknown"  # a service newer than these stubs has more of them
    return sessions_pb2.ForfeitCause.Name(cause).removeprefix("FORFEIT_CAUSE_").lower()
