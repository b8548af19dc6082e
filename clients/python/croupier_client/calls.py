"""Every call of the API, described once: its arguments, its request, and what comes back.

`Client` and `AsyncClient` turn these descriptions into methods; nothing here sends anything.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from google.protobuf.message import Message

from croupier.v1 import bots_pb2, catalog_pb2, records_pb2, sessions_pb2, turns_pb2
from croupier_client.answers import set_choice

CATALOG = "/croupier.v1.CatalogService/"
SESSIONS = "/croupier.v1.SessionService/"
RECORDS = "/croupier.v1.RecordService/"
BOTS = "/croupier.v1.BotService/"

TIMEOUT_S = 10.0
"""How long a call may take unless `timeout_s` says otherwise; `math.inf`: for ever."""

SeatLike: TypeAlias = "str | sessions_pb2.SeatPlan | None"
SeatsLike: TypeAlias = "Sequence[SeatLike] | int"
OptionLike: TypeAlias = "bool | int | str"
Result_co = TypeVar("Result_co", covariant=True)


@dataclass(frozen=True)
class Call(Generic[Result_co]):
    """One call, ready to be sent."""

    path: str
    request: Message
    decode: Callable[[bytes], Result_co]
    """Reads what the caller gets out of the bytes of the response."""
    token: str | None = None
    timeout_s: float = TIMEOUT_S

    @property
    def deadline_s(self) -> float | None:
        """The timeout as gRPC wants it: None is for ever."""
        return None if math.isinf(self.timeout_s) else self.timeout_s


def list_games(*, timeout_s: float = TIMEOUT_S) -> Call[list[catalog_pb2.Game]]:
    """All games of the service, by id."""

    def decode(data: bytes) -> list[catalog_pb2.Game]:
        return list(catalog_pb2.ListGamesResponse.FromString(data).games)

    return Call(CATALOG + "ListGames", catalog_pb2.ListGamesRequest(), decode, timeout_s=timeout_s)


def get_game(game_id: str, *, timeout_s: float = TIMEOUT_S) -> Call[catalog_pb2.Game]:
    """One game: its seats, options and version."""

    def decode(data: bytes) -> catalog_pb2.Game:
        return catalog_pb2.GetGameResponse.FromString(data).game

    request = catalog_pb2.GetGameRequest(game_id=game_id)
    return Call(CATALOG + "GetGame", request, decode, timeout_s=timeout_s)


def create_session(
    game_id: str,
    seats: SeatsLike,
    options: Mapping[str, OptionLike] | None = None,
    *,
    time_control: sessions_pb2.TimeControl | None = None,
    seed: bytes = b"",
    auto_play_forced: bool = False,
    illegal_limit: int = 0,
    commitment_salt: bytes = b"",
    spectators: sessions_pb2.Spectators | None = None,
    operator_token: str | None = None,
    timeout_s: float = TIMEOUT_S,
) -> Call[sessions_pb2.CreateSessionResponse]:
    """Opens a session; a seat is a name, None for whoever comes, or a SeatPlan. Keep its owner_token.

    A number of seats stands for so many that are open to whoever comes. A service that was given an operator's token
    wants to see it."""
    request = sessions_pb2.CreateSessionRequest(
        game_id=game_id,
        seats=_seat_plans(seats),
        options={name: _option(name, value) for name, value in (options or {}).items()},
        time_control=time_control,
        seed=seed,
        auto_play_forced=auto_play_forced,
        illegal_limit=illegal_limit,
        commitment_salt=commitment_salt,
        spectators=spectators,
    )
    decode = sessions_pb2.CreateSessionResponse.FromString
    return Call(SESSIONS + "CreateSession", request, decode, operator_token, timeout_s)


def get_session(
    session_id: str, wait_until_over: bool = False, *, timeout_s: float | None = None
) -> Call[sessions_pb2.Session]:
    """A session as it is now, or when it has ended: that waits for ever unless `timeout_s` is given."""

    def decode(data: bytes) -> sessions_pb2.Session:
        return sessions_pb2.GetSessionResponse.FromString(data).session

    if timeout_s is None:
        timeout_s = math.inf if wait_until_over else TIMEOUT_S
    request = sessions_pb2.GetSessionRequest(session_id=session_id, wait_until_over=wait_until_over)
    return Call(SESSIONS + "GetSession", request, decode, timeout_s=timeout_s)


def list_sessions(
    page_token: str,
    game_id: str,
    state: sessions_pb2.SessionState | None,
    page_size: int,
    operator_token: str | None,
    timeout_s: float,
) -> Call[sessions_pb2.ListSessionsResponse]:
    """One page of sessions."""
    request = sessions_pb2.ListSessionsRequest(page_token=page_token, game_id=game_id, state=state, page_size=page_size)
    decode = sessions_pb2.ListSessionsResponse.FromString
    return Call(SESSIONS + "ListSessions", request, decode, operator_token, timeout_s)


def claim_seat(
    session_id: str,
    seat: int | None = None,
    name: str = "",
    entropy: bytes = b"",
    token: str | None = None,
    *,
    entropy_commitment: bytes = b"",
    timeout_s: float = TIMEOUT_S,
) -> Call[sessions_pb2.ClaimSeatResponse]:
    """Takes an open seat, the first one unless `seat` says which; without a token the service makes one.

    `entropy` goes into the deal; with `entropy_commitment` instead it is revealed later, by `reveal_entropy`."""
    request = sessions_pb2.ClaimSeatRequest(
        session_id=session_id, seat=seat, name=name, entropy=entropy, entropy_commitment=entropy_commitment
    )
    return Call(SESSIONS + "ClaimSeat", request, sessions_pb2.ClaimSeatResponse.FromString, token, timeout_s)


def reveal_entropy(
    session_id: str, token: str, entropy: bytes, seat: int | None = None, *, timeout_s: float = TIMEOUT_S
) -> Call[sessions_pb2.Session]:
    """Reveals what the seat committed to, once every seat is taken; first keep the commitments of all seats."""

    def decode(data: bytes) -> sessions_pb2.Session:
        return sessions_pb2.RevealEntropyResponse.FromString(data).session

    request = sessions_pb2.RevealEntropyRequest(session_id=session_id, seat=seat, entropy=entropy)
    return Call(SESSIONS + "RevealEntropy", request, decode, token, timeout_s)


def get_turn(
    session_id: str,
    token: str | None = None,
    seat: int | None = None,
    detail: turns_pb2.TurnDetail | None = None,
    *,
    timeout_s: float = TIMEOUT_S,
) -> Call[turns_pb2.Turn]:
    """What a seat sees and may do now; without a token what a spectator sees."""

    def decode(data: bytes) -> turns_pb2.Turn:
        return sessions_pb2.GetTurnResponse.FromString(data).turn

    request = sessions_pb2.GetTurnRequest(session_id=session_id, seat=seat, detail=detail)
    return Call(SESSIONS + "GetTurn", request, decode, token, timeout_s)


def submit(
    session_id: str,
    token: str,
    seat: int,
    decision_id: int,
    *,
    index: int | None = None,
    notation: str | None = None,
    action: Message | None = None,
    request_id: str = "",
    dry_run: bool = False,
    timeout_s: float = TIMEOUT_S,
) -> Call[sessions_pb2.SubmitActionResponse]:
    """Plays exactly one of index, notation or action; with a `request_id` it is safe to repeat."""
    given = [choice for choice in (index, notation, action) if choice is not None]
    if len(given) != 1:
        raise TypeError(f"expected exactly one of index=, notation= and action=, got {len(given)}")
    request = sessions_pb2.SubmitActionRequest(dry_run=dry_run)
    answer = request.answer
    answer.session_id, answer.seat, answer.decision_id = session_id, seat, decision_id
    answer.request_id = request_id
    set_choice(answer, given[0])
    return Call(SESSIONS + "SubmitAction", request, sessions_pb2.SubmitActionResponse.FromString, token, timeout_s)


def watch(
    session_id: str,
    token: str | None = None,
    seat: int | None = None,
    from_event: int = 0,
    *,
    timeout_s: float = math.inf,
) -> Call[sessions_pb2.WatchSessionResponse]:
    """Follows a session to its end: the full view first, then every event from `from_event` on."""
    request = sessions_pb2.WatchSessionRequest(session_id=session_id, seat=seat, from_event=from_event)
    return Call(SESSIONS + "WatchSession", request, sessions_pb2.WatchSessionResponse.FromString, token, timeout_s)


def forfeit_seat(
    session_id: str,
    token: str,
    seat: int | None = None,
    cause: sessions_pb2.ForfeitCause = sessions_pb2.FORFEIT_CAUSE_RESIGNED,
    *,
    timeout_s: float = TIMEOUT_S,
) -> Call[sessions_pb2.Session]:
    """Gives up a seat: its holder resigns, or the session's owner says why it cannot go on."""

    def decode(data: bytes) -> sessions_pb2.Session:
        return sessions_pb2.ForfeitSeatResponse.FromString(data).session

    request = sessions_pb2.ForfeitSeatRequest(session_id=session_id, seat=seat, cause=cause)
    return Call(SESSIONS + "ForfeitSeat", request, decode, token, timeout_s)


def abort_session(session_id: str, token: str, *, timeout_s: float = TIMEOUT_S) -> Call[sessions_pb2.Session]:
    """Ends a session with no result: its owner's token may, and the operator's."""

    def decode(data: bytes) -> sessions_pb2.Session:
        return sessions_pb2.AbortSessionResponse.FromString(data).session

    request = sessions_pb2.AbortSessionRequest(session_id=session_id)
    return Call(SESSIONS + "AbortSession", request, decode, token, timeout_s)


def rotate_seat_token(
    session_id: str, owner_token: str, seat: int, new_token: str = "", *, timeout_s: float = TIMEOUT_S
) -> Call[str]:
    """Puts a seat under another token, one that the service makes unless you give it; the old one ends at once."""

    def decode(data: bytes) -> str:
        return sessions_pb2.RotateSeatTokenResponse.FromString(data).seat_token

    request = sessions_pb2.RotateSeatTokenRequest(session_id=session_id, seat=seat, token=new_token)
    return Call(SESSIONS + "RotateSeatToken", request, decode, owner_token, timeout_s)


def dismiss(token: str, *, timeout_s: float = TIMEOUT_S) -> Call[int]:
    """Tells the bot of this token that there is nothing more to play; returns how many streams it had open."""

    def decode(data: bytes) -> int:
        return bots_pb2.DismissResponse.FromString(data).streams

    return Call(BOTS + "Dismiss", bots_pb2.DismissRequest(), decode, token, timeout_s)


def get_record(
    session_id: str,
    owner_token: str | None = None,
    wait_until_over: bool = False,
    *,
    timeout_s: float | None = None,
) -> Call[records_pb2.Record]:
    """The record of a finished session: enough to deal and play it again, and to verify it.

    Of a session whose seed was given only the owner gets it. Waiting for the end lasts for ever unless
    `timeout_s` is given."""

    def decode(data: bytes) -> records_pb2.Record:
        return records_pb2.GetRecordResponse.FromString(data).record

    if timeout_s is None:
        timeout_s = math.inf if wait_until_over else TIMEOUT_S
    request = records_pb2.GetRecordRequest(session_id=session_id, wait_until_over=wait_until_over)
    return Call(RECORDS + "GetRecord", request, decode, owner_token, timeout_s=timeout_s)


def _seat_plans(seats: SeatsLike) -> list[sessions_pb2.SeatPlan]:
    if isinstance(seats, int) and not isinstance(seats, bool):
        return [sessions_pb2.SeatPlan() for _ in range(seats)]
    if isinstance(seats, str | bytes) or not isinstance(seats, Sequence):
        raise TypeError(f"expected a list with an entry for each seat, or their number, got {seats!r}")
    return [_seat_plan(seat) for seat in seats]


def _seat_plan(seat: SeatLike) -> sessions_pb2.SeatPlan:
    if isinstance(seat, sessions_pb2.SeatPlan):
        return seat
    if seat is None or isinstance(seat, str):
        return sessions_pb2.SeatPlan(name=seat or "")
    raise TypeError(f"expected a name, None or a SeatPlan for each seat, got {seat!r}")


def _option(name: str, value: OptionLike) -> catalog_pb2.OptionValue:
    if isinstance(value, bool):
        return catalog_pb2.OptionValue(flag=value)
    if isinstance(value, int):
        return catalog_pb2.OptionValue(number=value)
    if isinstance(value, str):
        return catalog_pb2.OptionValue(text=value)
    raise TypeError(f"expected a bool, int or str for option {name!r}, got {value!r}")
