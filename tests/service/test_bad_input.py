"""Bad input, tried: each gets its status, its reason and advice; nothing changes and nothing is revealed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from croupier.games.lie.v1 import lie_pb2
from croupier.v1 import catalog_pb2, games_pb2, records_pb2, sessions_pb2

if TYPE_CHECKING:
    from tests.service.conftest import House, Table

STRANGER = "S" * 30
CHESS = games_pb2.GameAction(other=AnyMessage(type_url="type.googleapis.com/chess.Move", value=b"e4"))
NO_SESSION: dict[str, Any] = {"session_id": "nowhere"}


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


def option(**value: Any) -> dict[str, catalog_pb2.OptionValue]:
    return {name: catalog_pb2.OptionValue(**given) for name, given in value.items()}


def turn_request(table: Table, seat: int | None = None, token: str = "") -> Awaitable[object]:
    request = sessions_pb2.GetTurnRequest(session_id=table.id, seat=seat)
    return table.house.sessions.GetTurn(request, metadata=bearer(token) if token else ())


def listed(house: House, **request: Any) -> Awaitable[object]:
    return house.sessions.ListSessions(sessions_pb2.ListSessionsRequest(**request))


Attempt = Callable[["House", "Table"], Awaitable[object]]

# In `table` both hands are arranged and seat 0 is to bid; seat 1 is out of turn.
ATTEMPTS: dict[str, tuple[str, str, Attempt]] = {
    "unknown game": ("UNKNOWN_GAME", "there are", lambda h, t: h.create("", "", game_id="chess")),
    "no game": ("UNKNOWN_GAME", "there are", lambda h, t: h.create("", "", game_id="")),
    "game in capitals": ("UNKNOWN_GAME", "lie", lambda h, t: h.create("", "", game_id="LIE")),
    "no seats": ("BAD_SEATS", "SeatPlan", lambda h, t: h.create()),
    "one seat": ("BAD_SEATS", "2 to 6", lambda h, t: h.create("")),
    "seven seats": ("BAD_SEATS", "2 to 6", lambda h, t: h.create(*[""] * 7)),
    "unknown option": (
        "BAD_OPTION",
        "joker_ones",
        lambda h, t: h.create("", "", options=option(jokers={"flag": True})),
    ),
    "mistyped option": (
        "BAD_OPTION",
        "true or false",
        lambda h, t: h.create("", "", options=option(joker_ones={"number": 1})),
    ),
    "option out of range": (
        "BAD_OPTION",
        "0 to 5",
        lambda h, t: h.create("", "", options=option(start_seat={"number": 6})),
    ),
    "option for a seat that is not there": (
        "BAD_OPTION",
        "0 to 1",
        lambda h, t: h.create("", "", options=option(start_seat={"number": 2})),
    ),
    "option not among its choices": (
        "BAD_OPTION",
        "one of",
        lambda h, t: h.create("", "", options=option(bid_order={"text": "random"})),
    ),
    "option without a value": (
        "BAD_OPTION",
        "flag, number or text",
        lambda h, t: h.create("", "", options=option(x={})),
    ),
    "salt too short": ("BAD_REQUEST", "32 bytes", lambda h, t: h.create("", "", commitment_salt=b"1234")),
    "seed too short": ("BAD_REQUEST", "32 bytes", lambda h, t: h.create("", "", seed=b"1234")),
    "unknown session": (
        "UNKNOWN_SESSION",
        "check the id",
        lambda h, t: h.sessions.GetSession(sessions_pb2.GetSessionRequest(**NO_SESSION)),
    ),
    "turn of an unknown session": (
        "UNKNOWN_SESSION",
        "check the id",
        lambda h, t: h.sessions.GetTurn(sessions_pb2.GetTurnRequest(**NO_SESSION)),
    ),
    "action in an unknown session": (
        "UNKNOWN_SESSION",
        "check the id",
        lambda h, t: h.sessions.SubmitAction(sessions_pb2.SubmitActionRequest(), metadata=bearer(STRANGER)),
    ),
    "watch of an unknown session": (
        "UNKNOWN_SESSION",
        "check the id",
        lambda h, t: h.sessions.WatchSession(sessions_pb2.WatchSessionRequest(**NO_SESSION)).read(),
    ),
    "claim in an unknown session": (
        "UNKNOWN_SESSION",
        "check the id",
        lambda h, t: h.sessions.ClaimSeat(sessions_pb2.ClaimSeatRequest(**NO_SESSION)),
    ),
    "forfeit in an unknown session": (
        "UNKNOWN_SESSION",
        "check the id",
        lambda h, t: h.sessions.ForfeitSeat(sessions_pb2.ForfeitSeatRequest(**NO_SESSION)),
    ),
    "abort of an unknown session": (
        "UNKNOWN_SESSION",
        "check the id",
        lambda h, t: h.sessions.AbortSession(sessions_pb2.AbortSessionRequest(**NO_SESSION)),
    ),
    "record of an unknown session": (
        "UNKNOWN_SESSION",
        "check the id",
        lambda h, t: h.records.GetRecord(records_pb2.GetRecordRequest(**NO_SESSION)),
    ),
    "record of a running game": ("SESSION_RUNNING", "when the session has ended", lambda h, t: t.record()),
    "turn of a seat without a token": ("TOKEN_MISSING", "Bearer TOKEN", lambda h, t: turn_request(t, 0)),
    "turn with a foreign token": ("TOKEN_NOT_FOR_THIS", "seat", lambda h, t: turn_request(t, 0, STRANGER)),
    "turn with a token and no seat": ("TOKEN_NOT_FOR_THIS", "no seat", lambda h, t: turn_request(t, None, STRANGER)),
    "turn of the other seat": ("TOKEN_NOT_FOR_THIS", "seat 0", lambda h, t: turn_request(t, 0, t.tokens[1])),
    "turn with the owner's token": ("TOKEN_NOT_FOR_THIS", "seat 0", lambda h, t: turn_request(t, 0, t.owner_token)),
    "turn of a seat that is not there": ("BAD_REQUEST", "0 to 1", lambda h, t: turn_request(t, 9, t.tokens[0])),
    "token of bad shape": ("BAD_REQUEST", "22 to 128", lambda h, t: turn_request(t, 0, "tiny")),
    "metadata of bad shape": (
        "TOKEN_MISSING",
        "Bearer TOKEN",
        lambda h, t: h.sessions.GetTurn(
            sessions_pb2.GetTurnRequest(session_id=t.id), metadata=(("authorization", t.tokens[0]),)
        ),
    ),
    "unknown legal detail": ("BAD_REQUEST", "LegalDetail", lambda h, t: t.turn(0, legal=9)),
    "action without a token": (
        "TOKEN_MISSING",
        "Bearer TOKEN",
        lambda h, t: h.sessions.SubmitAction(sessions_pb2.SubmitActionRequest(answer={"session_id": t.id, "index": 0})),
    ),
    "action with a foreign token": (
        "TOKEN_NOT_FOR_THIS",
        "seat 0",
        lambda h, t: t.submit(0, token=STRANGER, decision_id=2, index=0),
    ),
    "action for the other seat": (
        "TOKEN_NOT_FOR_THIS",
        "seat 0",
        lambda h, t: t.submit(0, token=t.tokens[1], decision_id=2, index=0),
    ),
    "action out of turn": ("OUT_OF_TURN", "wait", lambda h, t: t.submit(1, decision_id=2, index=0)),
    "stale decision": ("STALE_DECISION", "decision 2", lambda h, t: t.submit(0, decision_id=1, index=0)),
    "decision made already": ("STALE_DECISION", "wait", lambda h, t: t.submit(1, decision_id=1, index=0)),
    "decision to come": ("STALE_DECISION", "decision 2", lambda h, t: t.submit(0, decision_id=3, index=0)),
    "no decision": ("STALE_DECISION", "decision 2", lambda h, t: t.submit(0, decision_id=0, index=0)),
    "illegal index": ("ILLEGAL_ACTION", "0 to 11", lambda h, t: t.submit(0, index=12)),
    "highest index": ("ILLEGAL_ACTION", "0 to 11", lambda h, t: t.submit(0, index=2**32 - 1)),
    "garbage notation": ("BAD_CHOICE", "expected a bid", lambda h, t: t.submit(0, notation="all in")),
    "empty notation": ("BAD_CHOICE", "expected a bid", lambda h, t: t.submit(0, notation="")),
    "notation of another phase": ("ILLEGAL_ACTION", "must bid", lambda h, t: t.submit(0, notation="clockwise")),
    "bid too high": ("ILLEGAL_ACTION", "1 to 2 cards", lambda h, t: t.submit(0, notation="3x1")),
    "no choice": ("BAD_CHOICE", "set index, notation or action", lambda h, t: t.submit(0)),
    "another game's payload": ("BAD_CHOICE", "croupier.games.lie.v1.Action", lambda h, t: t.submit(0, action=CHESS)),
    "empty payload": ("BAD_CHOICE", "empty", lambda h, t: t.submit(0, action=games_pb2.GameAction())),
    "payload with nothing in it": (
        "BAD_CHOICE",
        "set one of the fields",
        lambda h, t: t.submit(0, action=games_pb2.GameAction(lie=lie_pb2.Action())),
    ),
    "payload with an unknown enum value": (
        "BAD_CHOICE",
        "does not fit",
        lambda h, t: t.submit(0, action=games_pb2.GameAction(lie=lie_pb2.Action(declare={"direction": 9}))),
    ),
    "payload out of range": (
        "ILLEGAL_ACTION",
        "1 to 2 cards",
        lambda h, t: t.submit(0, action=games_pb2.GameAction(lie=lie_pb2.Action(bid={"count": 2**32 - 1}))),
    ),
    "request id too long": ("BAD_REQUEST", "64", lambda h, t: t.submit(0, index=0, request_id="x" * 65)),
    "claim of a taken seat": ("SEAT_TAKEN", "GetSession", lambda h, t: t.claim(seat=0)),
    "claim when all are taken": ("SEAT_TAKEN", "another session", lambda h, t: t.claim()),
    "page token of bad shape": ("BAD_PAGE_TOKEN", "next_page_token", lambda h, t: listed(h, page_token="page 2")),
    "page token of somebody's making": (
        "BAD_PAGE_TOKEN",
        "next_page_token",
        lambda h, t: listed(h, page_token="YmVmb3JlOi01"),
    ),
    "page token not in ASCII": ("BAD_PAGE_TOKEN", "next_page_token", lambda h, t: listed(h, page_token="é" * 9)),
    "page too large": ("BAD_REQUEST", "500", lambda h, t: listed(h, page_size=501)),
    "list of an unknown game": ("UNKNOWN_GAME", "there are", lambda h, t: listed(h, game_id="chess")),
    "list of an unknown state": ("BAD_REQUEST", "state", lambda h, t: listed(h, state=9)),
    "abort without a token": (
        "TOKEN_MISSING",
        "Bearer TOKEN",
        lambda h, t: h.sessions.AbortSession(sessions_pb2.AbortSessionRequest(session_id=t.id)),
    ),
    "abort by a player": ("TOKEN_NOT_FOR_THIS", "CreateSession", lambda h, t: t.abort(t.tokens[0])),
    "forfeit of the other seat": ("TOKEN_NOT_FOR_THIS", "seat 0", lambda h, t: t.forfeit(0, token=t.tokens[1])),
    "forfeit for a cause there is not": ("BAD_REQUEST", "cause", lambda h, t: t.forfeit(0, 9)),  # type: ignore[arg-type]
    "watch of the other seat": (
        "TOKEN_NOT_FOR_THIS",
        "seat 1",
        lambda h, t: h.sessions.WatchSession(
            sessions_pb2.WatchSessionRequest(session_id=t.id, seat=1), metadata=bearer(t.tokens[0])
        ).read(),
    ),
}


@pytest.mark.parametrize(("reason", "advice", "attempt"), ATTEMPTS.values(), ids=ATTEMPTS.keys())
async def test_bad_input_is_refused_and_changes_nothing(
    house: House, reason: str, advice: str, attempt: Attempt
) -> None:
    """Status and reason fit, the message tells what to do, everybody sees what they saw, and the log is as it was."""
    table = await house.table()
    await table.arrange()
    before = await table.everything()
    holders = dict(house.hall._holders)
    with house.refuses(reason) as message:
        await attempt(house, table)
    assert advice in message[0]
    assert await table.everything() == before
    assert house.hall._holders == holders
    for secret in (*table.tokens, table.owner_token):
        assert secret not in message[0]


async def test_a_refusal_does_not_tell_what_others_hold(house: House) -> None:
    """Two tables that differ only in the other's secret arrangement refuse in the same words."""
    messages = []
    for hidden in (0, 1):
        table = await house.table()
        await table.submit(0, index=0)
        await table.submit(1, index=hidden)
        said: list[str] = []
        illegal: list[dict[str, Any]] = [{"index": 99}, {"notation": "show 1"}, {"notation": "3x6"}]
        for choice in (*illegal, {"notation": "9x9"}, {}):
            with house.refuses("ILLEGAL_ACTION" if choice in illegal else "BAD_CHOICE") as message:
                await table.submit(0, **choice)
            said += message
        messages.append(said)
    assert messages[0] == messages[1]
