"""Replicas that share a database: whoever dies, every game goes on, and ends as if nothing had happened."""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING

import pytest

from croupier_client import CroupierError, Stale
from croupier_runner.records import verify

if TYPE_CHECKING:
    from tests.postgres_server import PostgresServer
    from tests.service.replicas.conftest import Crowd, Match, Opening, Replica, StartReplica

PlayedOf = "Callable[[records_pb2.Record], Played]"


async def check_all(matches: list[Match], replica: Replica, what_was_played: PlayedOf) -> None:
    for match in matches:
        record = await match.record(replica)
        assert verify(record) == []
        assert what_was_played(record) == match.expected


async def test_bots_play_wherever_their_games_are(
    replica: StartReplica, crowd: Crowd, opening: Opening, tokens: tuple[str, ...], what_was_played: PlayedOf
) -> None:
    """Two bots at two replicas play the games of both, and either replica has every record."""
    one, two = replica(), replica()
    matches = [await opening.match(each, tokens[0], tokens[1]) for each in (one, two) for _ in range(4)]
    crowd.join(tokens[0], one)
    crowd.join(tokens[1], two)
    await check_all(matches, one, what_was_played)
    await check_all(matches, two, what_was_played)


async def test_every_game_outlives_its_replica(
    replica: StartReplica, crowd: Crowd, opening: Opening, tokens: tuple[str, ...], what_was_played: PlayedOf
) -> None:
    """kill -9 in the middle of games: the other replica ends them, move for move as with no replica at all."""
    one, two = replica(), replica()
    pairs = [(tokens[0], tokens[1]), (tokens[2], tokens[3]), (tokens[0], tokens[3])]
    matches = [await opening.match(each, *pair) for each in (one, two) for pair in pairs for _ in range(6)]
    for token in tokens[:2]:
        crowd.join(token, one, two)
    for token in tokens[2:4]:
        crowd.join(token, two, one)
    await crowd.moved(100)
    one.signal(signal.SIGKILL)
    await check_all(matches, two, what_was_played)
    taken = await two.logged("sessions_taken_over")
    assert taken["sessions"] > 0


async def test_a_stale_owner_is_fenced(replica: StartReplica, opening: Opening, tokens: tuple[str, ...]) -> None:
    """A replica that was away for longer than its lease: what it is told is not acknowledged, and it asks the other."""
    one, two = replica(), replica()
    created = await one.client.create_session("lie", 2, {"start_seat": 0})
    session_id = created.session.session_id
    token = (await one.client.claim_seat(session_id, 0)).seat_token
    await one.client.claim_seat(session_id, 1)
    one.signal(signal.SIGSTOP)
    late = asyncio.create_task(one.client.submit(session_id, token, 0, 1, index=0, timeout_s=30))
    await two.logged("sessions_taken_over")
    played = await two.client.submit(session_id, token, 0, 1, index=1)
    one.signal(signal.SIGCONT)
    with pytest.raises(CroupierError):
        await late
    await one.logged("session_lost")
    with pytest.raises(Stale):
        await one.client.submit(session_id, token, 0, 1, index=0)
    await one.client.forfeit_seat(session_id, token)
    record = await one.client.get_record(session_id, created.owner_token)
    assert [entry.action.notation for entry in record.entries if entry.HasField("action")][:1] == [played.notation]
    assert verify(record) == []


async def test_nothing_is_lost_when_the_database_is_gone_for_a_while(
    postgres: PostgresServer,
    replica: StartReplica,
    crowd: Crowd,
    opening: Opening,
    tokens: tuple[str, ...],
    what_was_played: PlayedOf,
) -> None:
    """Nobody plays meanwhile; when it is back, all go on where they were, and nobody takes anything over."""
    one, two = replica(), replica()
    matches = [await opening.match(each, *tokens[:2]) for each in (one, two) for _ in range(8)]
    crowd.join(tokens[0], one, two)
    crowd.join(tokens[1], two, one)
    await crowd.moved(50)
    postgres.stop()
    try:
        for each in (one, two):
            await each.logged("replica_not_heard")
    finally:
        postgres.start()
    await check_all(matches, one, what_was_played)
    assert not one.events("session_lost") + two.events("session_lost")
