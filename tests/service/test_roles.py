"""Who may do what: operators, owners, holders of seats, and everybody else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from grpc import aio

from croupier.v1 import bots_pb2, sessions_pb2

if TYPE_CHECKING:
    from tests.service.conftest import House, OpenHouse

EOF: object = aio.EOF  # type: ignore[attr-defined]  # missing in the stubs

OPERATOR = "operator-" + "o" * 30


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


@pytest.fixture
async def guarded(open_house: OpenHouse) -> House:
    """A service that was given an operator's token."""
    return await open_house(operator_token=OPERATOR)


async def test_only_the_operator_opens_sessions(guarded: House, tokens: tuple[str, ...]) -> None:
    """Neither somebody without a token nor the holder of a seat; the refusal leaves nothing behind."""
    with guarded.refuses("TOKEN_MISSING"):
        await guarded.create(*tokens[:2])
    table = await guarded.create(*tokens[:2], operator_token=OPERATOR)
    with guarded.refuses("TOKEN_NOT_FOR_THIS") as message:
        await guarded.create(*tokens[:2], operator_token=tokens[0])
    assert OPERATOR not in message[0]
    assert list(guarded.hall._sessions) == [table.id]


async def test_only_the_operator_sees_the_list_of_sessions(guarded: House, tokens: tuple[str, ...]) -> None:
    """Session ids are what lets one look at a session: they are not handed to everybody."""
    table = await guarded.create(*tokens[:2], operator_token=OPERATOR)
    request = sessions_pb2.ListSessionsRequest()
    with guarded.refuses("TOKEN_MISSING"):
        await guarded.sessions.ListSessions(request)
    with guarded.refuses("TOKEN_NOT_FOR_THIS"):
        await guarded.sessions.ListSessions(request, metadata=bearer(tokens[0]))
    listed = await guarded.sessions.ListSessions(request, metadata=bearer(OPERATOR))
    assert [session.session_id for session in listed.sessions] == [table.id]


async def test_the_operator_may_abort_any_session(guarded: House, tokens: tuple[str, ...]) -> None:
    """Its owner may as well; nobody else."""
    table = await guarded.create(*tokens[:2], operator_token=OPERATOR)
    with guarded.refuses("TOKEN_NOT_FOR_THIS"):
        await table.abort(token=tokens[0])
    assert (await table.abort(token=OPERATOR)).state == sessions_pb2.SESSION_STATE_ABORTED
    owned = await guarded.create(*tokens[:2], operator_token=OPERATOR)
    assert (await owned.abort()).state == sessions_pb2.SESSION_STATE_ABORTED


async def test_the_operator_holds_no_seat(guarded: House, tokens: tuple[str, ...]) -> None:
    """Running a service is no licence to look at its players' cards."""
    table = await guarded.create(*tokens[:2], operator_token=OPERATOR)
    for token in tokens[:2]:
        await guarded.connect(token)
    with guarded.refuses("TOKEN_NOT_FOR_THIS"):
        request = sessions_pb2.GetTurnRequest(session_id=table.id, seat=0)
        await guarded.sessions.GetTurn(request, metadata=bearer(OPERATOR))


async def test_an_open_service_takes_sessions_from_everybody(house: House, tokens: tuple[str, ...]) -> None:
    """With or without a token; and no token is an operator's, so none aborts what others own."""
    table = await house.create(*tokens[:2])
    await house.create(*tokens[:2], operator_token=tokens[5])
    with house.refuses("TOKEN_NOT_FOR_THIS"):
        await table.abort(token=tokens[5])


async def test_a_bot_that_is_dismissed_is_told_so_with_status_ok(house: House, tokens: tuple[str, ...]) -> None:
    """All its streams end well, with what was ready for it; another bot's stays."""
    table = await house.create(*tokens[:2])
    dismissed = [await house.connect(tokens[0]) for _ in range(2)]
    other = await house.connect(tokens[1])
    answer = await house.bots.Dismiss(bots_pb2.DismissRequest(), metadata=bearer(tokens[0]))
    assert answer.streams == 2
    for bot in dismissed:
        seen: list[Any] = []
        while (message := await bot.call.read()) is not EOF:
            seen.append(message)
        assert any(message.seated for message in seen)
        assert (await bot.call.code()).name == "OK"
    await other.next_turn(table, 1)


async def test_dismissing_needs_the_bots_own_token(house: House, tokens: tuple[str, ...]) -> None:
    """Without one it is refused; for a bot that is not there it changes nothing."""
    with house.refuses("TOKEN_MISSING"):
        await house.bots.Dismiss(bots_pb2.DismissRequest())
    assert (await house.bots.Dismiss(bots_pb2.DismissRequest(), metadata=bearer(tokens[0]))).streams == 0
