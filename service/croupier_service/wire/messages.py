"""Sessions, outcomes, games and records as protobuf messages; requests back into the service's own values."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256

from croupier.v1 import bots_pb2, catalog_pb2, records_pb2, sessions_pb2
from croupier_games import Game, Option, OptionValue, Outcome
from croupier_service.chain import entropy_commitment, head_of
from croupier_service.errors import BadOption, BadRequest
from croupier_service.plans import Plan
from croupier_service.seats import Chair
from croupier_service.session import Phase, Session
from croupier_service.spectators import LONGEST_DELAY
from croupier_service.store import NO_SPECTATORS, Acted, Entry, ForfeitCause, Forfeited, TimeControl

_OPTION_TYPES: Mapping[type, catalog_pb2.OptionType] = {
    bool: catalog_pb2.OPTION_TYPE_FLAG,
    int: catalog_pb2.OPTION_TYPE_NUMBER,
    str: catalog_pb2.OPTION_TYPE_TEXT,
}


_MOST_ENTRIES = 64
"""Far more seats and options than any game has: a longer list is refused before it is walked."""


def game_message(game: Game) -> catalog_pb2.Game:
    """What the catalog says of a game."""
    return catalog_pb2.Game(
        game_id=game.id,
        title=game.title,
        summary=game.summary,
        version=game.version,
        min_seats=game.min_seats,
        max_seats=game.max_seats,
        options=[_option(option) for option in game.options],
        max_actions=game.max_actions,
        wire_package=game.wire_package,
    )


def _option(option: Option) -> catalog_pb2.GameOption:
    return catalog_pb2.GameOption(
        name=option.name,
        type=_OPTION_TYPES[option.kind],
        default_value=None if option.default is None else option_value(option.default),
        minimum=option.minimum,
        maximum=option.maximum,
        choices=option.choices,
        meaning=option.meaning,
        max_length=option.max_length,
        examples=option.examples,
    )


def option_value(value: OptionValue) -> catalog_pb2.OptionValue:
    """An option's value, by type."""
    if isinstance(value, bool):
        return catalog_pb2.OptionValue(flag=value)
    if isinstance(value, int):
        return catalog_pb2.OptionValue(number=value)
    return catalog_pb2.OptionValue(text=value)


def read_options(options: Mapping[str, catalog_pb2.OptionValue]) -> dict[str, OptionValue]:
    """The options of a request as plain values."""
    plain: dict[str, OptionValue] = {}
    for name, value in options.items():
        kind = value.WhichOneof("value")
        if kind is None:
            raise BadOption(f"option {name[:64]!r} has no value: set flag, number or text, or leave the option out")
        plain[name] = getattr(value, kind)
    return plain


def read_plan(request: sessions_pb2.CreateSessionRequest, spectator_delay: int = 0) -> Plan:
    """The session that a request asks for; `spectator_delay` is for one that does not say."""
    if len(request.seats) > _MOST_ENTRIES or len(request.options) > _MOST_ENTRIES:
        raise BadRequest(f"no game has more than {_MOST_ENTRIES} seats or options; GetGame tells what it has")
    pace = request.time_control
    return Plan(
        game_id=request.game_id,
        seats=[(seat.name, seat.token) for seat in request.seats],
        options=read_options(request.options),
        time_control=TimeControl(pace.move_ms, pace.game_ms, pace.increment_ms, pace.reconnect_ms),
        auto_play_forced=request.auto_play_forced,
        seed=request.seed,
        illegal_limit=request.illegal_limit,
        commitment_salt=request.commitment_salt,
        spectator_delay=_spectator_delay(request.spectators, spectator_delay),
    )


def _spectator_delay(spectators: sessions_pb2.Spectators, default: int) -> int:
    access, delay = spectators.access, spectators.delay_events
    if access not in sessions_pb2.SpectatorAccess.values():
        raise BadRequest(f"there is no SpectatorAccess {access}; leave it out for the service's default")
    if access == sessions_pb2.SPECTATOR_ACCESS_DELAYED:
        if not 1 <= delay <= LONGEST_DELAY:
            raise BadRequest(f"spectators are 1 to {LONGEST_DELAY} events behind, got delay_events {delay}")
        return delay
    if delay:
        raise BadRequest("delay_events goes with SPECTATOR_ACCESS_DELAYED only; set that, or leave it out")
    return {sessions_pb2.SPECTATOR_ACCESS_OPEN: 0, sessions_pb2.SPECTATOR_ACCESS_CLOSED: NO_SPECTATORS}.get(
        access, default
    )


def _spectators(delay: int) -> sessions_pb2.Spectators:
    if delay == NO_SPECTATORS:
        return sessions_pb2.Spectators(access=sessions_pb2.SPECTATOR_ACCESS_CLOSED)
    return sessions_pb2.Spectators(access=sessions_pb2.SPECTATOR_ACCESS_DELAYED, delay_events=delay)


def session_message(session: Session) -> sessions_pb2.Session:
    """What anybody may know of a session."""
    created = session.created
    message = sessions_pb2.Session(
        session_id=session.id,
        game_id=session.game.id,
        game_version=created.game_version,
        seats=[_seat(session, chair) for chair in session.chairs],
        state=sessions_pb2.SessionState.Name(session.phase),
        seed_commitment=commitment(session),
        seed_was_given=created.seed_was_given,
        auto_play_forced=created.auto_play_forced,
        outcome=outcome_message(session),
        head=final_head(session),
    )
    message.MergeFromString(_options_of(sessions_pb2.Session, created.game_id, tuple(created.options.items())))
    if any(created.time_control):
        message.time_control.CopyFrom(sessions_pb2.TimeControl(**created.time_control._asdict()))
    if created.spectator_delay:
        message.spectators.CopyFrom(_spectators(created.spectator_delay))
    message.create_time.FromMilliseconds(int(created.wall_s * 1000))
    return message


def commitment(session: Session) -> bytes:
    """What binds the service to its seed, and tells nothing about it (docs/chance.md)."""
    created = session.created
    return sha256(b"croupier/commitment/1" + created.commitment_salt + created.service_seed).digest()


def seated_message(session: Session, seat: int) -> bots_pb2.Seated:
    """What a bot is told of a game that has started."""
    created = session.created
    message = bots_pb2.Seated(
        session_id=session.id,
        seat=seat,
        game_id=session.game.id,
        game_version=created.game_version,
        seat_names=[chair.name for chair in session.chairs],
        seed_commitment=commitment(session),
    )
    message.MergeFromString(_options_of(bots_pb2.Seated, created.game_id, tuple(created.options.items())))
    return message


@lru_cache(maxsize=1024)
def _options_of(
    message: type[sessions_pb2.Session] | type[bots_pb2.Seated],
    game_id: str,
    options: tuple[tuple[str, OptionValue], ...],
) -> bytes:
    """The field `options` of such a message: maps are dear to build, and most sessions have the same.

    `game_id` is part of the key because 1 and True are equal, but not of one type: that is the game's to say."""
    return message(options={name: option_value(value) for name, value in options}).SerializeToString(deterministic=True)


def final_head(session: Session) -> bytes:
    """What binds the service to the record of a session that has ended; empty before that (docs/records.md)."""
    return head_of(session.chain.link) if session.phase in (Phase.FINISHED, Phase.ABORTED) else b""


def entropy_commitments(session: Session) -> list[bytes]:
    """What the seats are bound to contribute to the deal, whether they have shown it or not; by seat."""
    return [_entropy_commitment(session, chair) for chair in session.chairs]


def _entropy_commitment(session: Session, chair: Chair) -> bytes:
    return chair.entropy_commitment or entropy_commitment(session.id, chair.entropy)


def entropy_wanted_message(session: Session, seat: int) -> bots_pb2.EntropyWanted:
    """Asks a bot to commit to its entropy or, once every seat is taken, to reveal it."""
    commitments = entropy_commitments(session) if session.revealing else ()
    return bots_pb2.EntropyWanted(
        session_id=session.id, seat=seat, seed_commitment=commitment(session), entropy_commitments=commitments
    )


def _seat(session: Session, chair: Chair) -> sessions_pb2.Seat:
    if chair.cause:
        state = sessions_pb2.SEAT_STATE_FORFEITED
    elif chair.taken:
        state = sessions_pb2.SEAT_STATE_TAKEN
    else:
        state = sessions_pb2.SEAT_STATE_OPEN if chair.holder is None else sessions_pb2.SEAT_STATE_RESERVED
    return sessions_pb2.Seat(
        name=chair.name,
        state=state,
        forfeit_cause=_cause(chair.cause),
        entropy_commitment=_entropy_commitment(session, chair),
        entropy_revealed=bool(chair.entropy),
    )


def _cause(cause: ForfeitCause) -> str:
    return sessions_pb2.ForfeitCause.Name(cause)


def outcome_message(session: Session) -> sessions_pb2.Outcome | None:
    """The result of a finished session; None if there is none."""
    outcome: Outcome | None = session.outcome
    if outcome is None:
        return None
    results = [
        sessions_pb2.SeatResult(
            place=result.place,
            points=result.points,
            tie_breaks=[sessions_pb2.TieBreak(name=name, value=value) for name, value in result.tie_breaks],
            notes=result.notes,
            forfeit_cause=_cause(chair.cause),
        )
        for result, chair in zip(outcome.results, session.chairs, strict=True)
    ]
    return sessions_pb2.Outcome(results=results, reason=outcome.reason)


def record_message(session: Session, entries: Sequence[Entry]) -> records_pb2.Record:
    """The record of an ended session."""
    return records_pb2.Record(
        session=session_message(session),
        service_seed=session.created.service_seed,
        seat_entropy=[chair.entropy for chair in session.chairs],
        deal_seed=session.deal_seed,
        entries=[message for entry in entries if (message := _record_entry(entry)) is not None],
        commitment_salt=session.created.commitment_salt,
    )


def _record_entry(entry: Entry) -> records_pb2.RecordEntry | None:
    if isinstance(entry, Acted):
        action = records_pb2.ActionTaken(
            seat=entry.seat,
            notation=entry.notation,
            chooser=records_pb2.Chooser.Name(entry.chooser),
            think_us=entry.think_us,
        )
        return records_pb2.RecordEntry(at_ms=entry.at_ms, action=action)
    if isinstance(entry, Forfeited):
        forfeit = records_pb2.SeatForfeited(seat=entry.seat, cause=_cause(entry.cause))
        return records_pb2.RecordEntry(at_ms=entry.at_ms, forfeit=forfeit)
    return None
