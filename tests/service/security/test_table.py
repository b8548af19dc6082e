"""docs/security.md says who may do what; every cell of its table is held against a running service."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from grpc import aio
from grpc_status import rpc_status

from croupier.v1 import bots_pb2, catalog_pb2, records_pb2, sessions_pb2, turns_pb2
from croupier_service.chain import entropy_commitment

if TYPE_CHECKING:
    from tests.service.conftest import House, OpenHouse, Table

PAGE = Path(__file__).parents[3] / "docs" / "security.md"
ROLES = ("operator", "owner", "holder", "other", "nobody")
OPERATOR = "operator-" + "o" * 30
OTHER = "another-" + "x" * 30
HOLDER = "the-holder-of-a-seat-" + "h" * 20
REFUSED = frozenset({"TOKEN_MISSING", "TOKEN_NOT_FOR_THIS", "NO_SPECTATORS", "SESSION_RUNNING"})
ENTROPY = b"e" * 32

EOF: object = aio.EOF  # type: ignore[attr-defined]  # missing in the stubs


def table_of_the_page() -> dict[str, dict[str, str]]:
    """Cells by row and role, with the rows' markup taken off."""
    rows = re.findall(r"^\| (`\w+`[^|]*) \| (.+) \|$", PAGE.read_text(), re.MULTILINE)
    cells = {call.replace("`", "").strip(): [cell.strip() for cell in rest.split("|")] for call, rest in rows}
    return {call: dict(zip(ROLES, row, strict=True)) for call, row in cells.items() if len(row) == len(ROLES)}


TABLE = table_of_the_page()


class Attempt(NamedTuple):
    """One call by one role."""

    house: House
    table: Table
    metadata: tuple[tuple[str, str], ...]

    @property
    def id(self) -> str:
        return self.table.id

    def sessions(self, name: str, **request: Any) -> Any:
        """A call of SessionService."""
        message = getattr(sessions_pb2, f"{name}Request")(**request)
        return getattr(self.house.sessions, name)(message, metadata=self.metadata)


async def submit(attempt: Attempt) -> None:
    answer = turns_pb2.Answer(session_id=attempt.id, seat=0, decision_id=1, index=0)
    await attempt.sessions("SubmitAction", answer=answer)


async def watch(attempt: Attempt, **request: Any) -> None:
    call = attempt.sessions("WatchSession", session_id=attempt.id, **request)
    assert (await call.read()).HasField("start")
    call.cancel()


async def play(attempt: Attempt) -> None:
    call = attempt.house.bots.Play(metadata=attempt.metadata)
    await call.write(bots_pb2.PlayRequest(hello=bots_pb2.Hello()))
    assert (await call.read()).HasField("welcome")
    await call.done_writing()


async def record(attempt: Attempt) -> None:
    request = records_pb2.GetRecordRequest(session_id=attempt.id)
    await attempt.house.records.GetRecord(request, metadata=attempt.metadata)


async def games(attempt: Attempt, name: str, request: Any) -> None:
    await getattr(attempt.house.catalog, name)(request, metadata=attempt.metadata)


def forfeit(attempt: Attempt, cause: str) -> Awaitable[object]:
    call: Awaitable[object] = attempt.sessions("ForfeitSeat", session_id=attempt.id, seat=0, cause=cause)
    return call


PLAN = [sessions_pb2.SeatPlan(), sessions_pb2.SeatPlan()]

CALLS: Mapping[str, Callable[[Attempt], Awaitable[object]]] = {
    "ListGames": lambda a: games(a, "ListGames", catalog_pb2.ListGamesRequest()),
    "GetGame": lambda a: games(a, "GetGame", catalog_pb2.GetGameRequest(game_id="lie")),
    "CreateSession": lambda a: a.sessions("CreateSession", game_id="lie", seats=PLAN),
    "ListSessions": lambda a: a.sessions("ListSessions"),
    "GetSession": lambda a: a.sessions("GetSession", session_id=a.id),
    "ClaimSeat of an open seat": lambda a: a.sessions("ClaimSeat", session_id=a.id, seat=1),
    "ClaimSeat of a reserved seat": lambda a: a.sessions("ClaimSeat", session_id=a.id, seat=0),
    "RevealEntropy": lambda a: a.sessions("RevealEntropy", session_id=a.id, seat=0, entropy=ENTROPY),
    "GetTurn of a seat": lambda a: a.sessions("GetTurn", session_id=a.id, seat=0),
    "GetTurn with no seat named": lambda a: a.sessions("GetTurn", session_id=a.id),
    "SubmitAction": submit,
    "WatchSession of a seat": lambda a: watch(a, seat=0),
    "WatchSession with no seat named": watch,
    "ForfeitSeat to resign": lambda a: forfeit(a, "FORFEIT_CAUSE_RESIGNED"),
    "ForfeitSeat with another cause": lambda a: forfeit(a, "FORFEIT_CAUSE_CRASHED"),
    "AbortSession": lambda a: a.sessions("AbortSession", session_id=a.id),
    "RotateSeatToken": lambda a: a.sessions("RotateSeatToken", session_id=a.id, seat=0),
    "GetRecord of an ended session": record,
    "GetRecord where the seed was given": record,
    "GetRecord of a running session": record,
    "Play": play,
    "Dismiss": lambda a: a.house.bots.Dismiss(bots_pb2.DismissRequest(), metadata=a.metadata),
}


async def staged(house: House, row: str, **more: Any) -> Table:
    """A session in which the call of that row is possible for whoever may make it; HOLDER has seat 0, or it is kept."""
    if "GetRecord" in row and "seed" not in row:
        more["seed"] = b""
    table = await house.create(HOLDER if "reserved" in row else "", "", operator_token=OPERATOR, **more)
    if row == "ClaimSeat of a reserved seat":
        return table
    committed = {"entropy_commitment": entropy_commitment(table.id, ENTROPY)} if row == "RevealEntropy" else {}
    await table.claim(HOLDER, seat=0, **committed)
    if row != "ClaimSeat of an open seat":
        await table.claim(seat=1)
    if row in ("GetRecord of an ended session", "GetRecord where the seed was given"):
        await table.play_out()
    return table


async def may(house: House, table: Table, row: str, role: str) -> bool:
    """Whether the service lets that role make that call; it must be refused for the right reason, if at all."""
    token = {"operator": OPERATOR, "owner": table.owner_token, "holder": HOLDER, "other": OTHER, "nobody": ""}[role]
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    try:
        await CALLS[row](Attempt(house, table, metadata))
    except aio.AioRpcError as error:
        status = rpc_status.from_call(error)  # type: ignore[arg-type]  # written for blocking calls
        info = ErrorInfo()
        if status is None or not status.details[0].Unpack(info) or info.reason not in REFUSED:
            raise
        return False
    return True


def test_the_table_has_every_call_there_is() -> None:
    """No call of the API is without a row, and no row without a call."""
    services = (catalog_pb2, sessions_pb2, bots_pb2, records_pb2)
    offered = {
        method.name
        for module in services
        for service in module.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    }
    assert {row.split()[0] for row in TABLE} == offered
    assert set(TABLE) == set(CALLS)
    assert {cell for row in TABLE.values() for cell in row.values()} == {"yes", "no", "open", "policy"}


@pytest.mark.parametrize("row", CALLS)
async def test_with_an_operator_every_role_may_do_what_the_table_says(open_house: OpenHouse, row: str) -> None:
    """What is open at other services is not here."""
    house = await open_house(operator_token=OPERATOR)
    allowed = {role: await may(house, await staged(house, row), row, role) for role in ROLES}
    assert allowed == {role: cell in ("yes", "policy") for role, cell in TABLE[row].items()}


@pytest.mark.parametrize("row", CALLS)
async def test_without_an_operator_what_is_open_is_open_to_all(house: House, row: str) -> None:
    """And nobody has an operator's rights: its token is one like any other."""
    allowed = {role: await may(house, await staged(house, row), row, role) for role in ROLES[1:]}
    assert allowed == {role: TABLE[row][role] in ("yes", "open", "policy") for role in ROLES[1:]}
    assert await may(house, await staged(house, row), row, "operator") == allowed["other"]


@pytest.mark.parametrize("row", [row for row, cells in TABLE.items() if "policy" in cells.values()])
async def test_a_closed_session_refuses_only_those_with_no_token(house: House, row: str) -> None:
    """The policy changes no other cell."""
    closed = sessions_pb2.Spectators(access=sessions_pb2.SPECTATOR_ACCESS_CLOSED)
    allowed = {role: await may(house, await staged(house, row, spectators=closed), row, role) for role in ROLES[1:]}
    assert allowed == {role: TABLE[row][role] == "yes" for role in ROLES[1:]}
