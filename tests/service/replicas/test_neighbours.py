"""Clients are served by any replica: calls and streams reach the sessions of the others as if they were there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import grpc
import psycopg
import pytest

from croupier.v1 import sessions_pb2, sessions_pb2_grpc
from croupier_client import Stale, Unavailable

if TYPE_CHECKING:
    from tests.service.replicas.conftest import Crowd, Opening, StartReplica


async def test_a_session_is_played_through_another_replica(replica: StartReplica) -> None:
    """Claims, turns, moves, refusals and the record: word for word what its own replica says."""
    one, two = replica(), replica()
    created = await one.client.create_session("lie", 2, {"start_seat": 0})
    session_id = created.session.session_id
    seats = [await two.client.claim_seat(session_id, seat) for seat in range(2)]
    tokens = [seat.seat_token for seat in seats]
    assert await two.client.get_turn(session_id, tokens[0]) == await one.client.get_turn(session_id, tokens[0])
    await two.client.submit(session_id, tokens[0], 0, 1, index=0, request_id="first")
    again = await one.client.submit(session_id, tokens[0], 0, 1, index=0, request_id="first")
    refusals = []
    for each in (one, two):
        with pytest.raises(Stale) as refused:
            await each.client.submit(session_id, tokens[0], 0, 1, index=0)
        refusals.append((refused.value.reason, refused.value.message))
    assert again.notation
    assert refusals[0] == refusals[1]
    await two.client.forfeit_seat(session_id, tokens[1])
    records = [await each.client.get_record(session_id, created.owner_token) for each in (one, two)]
    assert records[0] == records[1]


async def test_a_session_is_watched_through_another_replica(replica: StartReplica) -> None:
    """The view, every event and the end."""
    one, two = replica(), replica()
    created = await one.client.create_session("lie", 2, {"start_seat": 0})
    session_id = created.session.session_id
    token = (await one.client.claim_seat(session_id)).seat_token
    watched = two.client.watch(session_id)
    first = await anext(watched)
    assert first.start.session.session_id == session_id
    await one.client.claim_seat(session_id)
    await one.client.forfeit_seat(session_id, token)
    kinds = [message.WhichOneof("step") async for message in watched]
    assert kinds[-1] == "over"


async def test_a_bot_is_dismissed_through_another_replica(
    replica: StartReplica, crowd: Crowd, opening: Opening, tokens: tuple[str, ...]
) -> None:
    """Once: its stream counts as one, however many replicas know of it."""
    one, two = replica(), replica()
    crowd.join(tokens[0], one)
    await two.logged("bot_connected")
    assert await two.client.dismiss(tokens[0]) == 1
    await crowd.dismissed()


async def test_what_was_forwarded_goes_no_further(replica: StartReplica, database: str) -> None:
    """The mark of a replica counts only with the secret of the database; with it nothing is forwarded again."""
    one, two = replica(), replica()
    created = await one.client.create_session("lie", 2)
    request = sessions_pb2.GetSessionRequest(session_id=created.session.session_id)
    async with await psycopg.AsyncConnection.connect(database) as connection:
        found = await (await connection.execute("SELECT key FROM cluster")).fetchone()
    assert found is not None
    async with grpc.aio.insecure_channel(two.address) as channel:
        sessions = sessions_pb2_grpc.SessionServiceStub(channel)
        assert await sessions.GetSession(request, metadata=(("croupier-forwarded", "guessed"),))
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await sessions.GetSession(request, metadata=(("croupier-forwarded", found[0]),))
        assert refused.value.code() is grpc.StatusCode.UNAVAILABLE


async def test_a_replica_that_stops_leaves_its_sessions_to_the_others(
    replica: StartReplica, crowd: Crowd, opening: Opening, tokens: tuple[str, ...]
) -> None:
    """SIGTERM: nobody waits for a lease to end, and nothing is aborted."""
    one, two = replica(), replica()
    match = await opening.match(one, *tokens[:2])
    one.process.terminate()
    await two.logged("sessions_taken_over")
    for token in tokens[:2]:
        crowd.join(token, two)
    record = await match.record(two)
    assert record.session.state == sessions_pb2.SESSION_STATE_FINISHED


async def test_passwords_are_not_shown(replica: StartReplica, database: str) -> None:
    """Neither in the log nor in what is said of a wrong address."""
    shown = replica("--store", database.replace("croupier@", "croupier:open-sesame@"))
    with pytest.raises(AssertionError) as refused:
        replica("--store", "postgresql://croupier:open-sesame@[/nowhere")
    assert "postgresql://USER@HOST" in str(refused.value)
    assert "sesame" not in str(refused.value).partition("croupier-service: error")[2]
    assert "sesame" not in shown.log_file.read_text()


async def test_a_session_of_a_dead_replica_is_refused_until_it_is_taken_over(
    replica: StartReplica, tokens: tuple[str, ...], opening: Opening
) -> None:
    """A move is never held back or sent twice: it is refused as UNAVAILABLE; what only reads waits."""
    one, two = replica(), replica()
    match = await opening.match(one, *tokens[:2])
    one.process.kill()
    with pytest.raises(Unavailable):
        await two.client.forfeit_seat(match.id, match.owner_token, 0)
    assert (await two.client.get_session(match.id)).session_id == match.id
