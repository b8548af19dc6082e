"""CreateSession, GetSession and ListSessions."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from croupier.v1 import catalog_pb2, sessions_pb2

if TYPE_CHECKING:
    from tests.service.conftest import House, OpenHouse


async def test_a_new_session_is_what_was_asked_for(house: House, tokens: tuple[str, ...]) -> None:
    """The answer shows game, options with their defaults, seats, limits and the commitment, and no secret."""
    table = await house.create(
        seats=[sessions_pb2.SeatPlan(name="Ann", token=tokens[0]), sessions_pb2.SeatPlan(name="Bob")],
        options={"joker_ones": catalog_pb2.OptionValue(flag=True)},
        time_control=sessions_pb2.TimeControl(move_ms=1500, reconnect_ms=9),
        auto_play_forced=True,
    )
    session = table.created
    assert (session.game_id, session.game_version) == ("lie", 1)
    assert session.state == sessions_pb2.SESSION_STATE_WAITING
    assert [(seat.name, seat.state) for seat in session.seats] == [
        ("Ann", sessions_pb2.SEAT_STATE_RESERVED),
        ("Bob", sessions_pb2.SEAT_STATE_OPEN),
    ]
    assert session.options["joker_ones"].flag
    assert session.options["bid_order"].text == "value_first"
    assert session.time_control == sessions_pb2.TimeControl(move_ms=1500, reconnect_ms=9)
    assert session.auto_play_forced
    assert session.create_time.ToMilliseconds() == int(house.clock.wall() * 1000)
    assert not session.HasField("outcome")
    for secret in (tokens[0], table.owner_token):
        assert secret.encode() not in session.SerializeToString()
    assert await table.session() == session


async def test_a_given_seed_is_marked_and_committed_to(house: House) -> None:
    """Whoever gives a seed could know the deal, so the session says so."""
    given = await house.create("", "", seed=bytes(32), commitment_salt=b"s" * 32)
    assert given.created.seed_was_given
    assert given.created.seed_commitment == sha256(b"croupier/commitment/1" + b"s" * 32 + bytes(32)).digest()


async def test_a_drawn_seed_is_committed_to_and_shown_at_the_end(house: House) -> None:
    """seed_commitment follows from the record's salt and service_seed, and every session draws its own of both."""
    tables = [await house.table(seed=b"", commitment_salt=b"") for _ in range(2)]
    for table in tables:
        await table.play_out()
        record = await table.record()
        assert not record.session.seed_was_given
        committed = sha256(b"croupier/commitment/1" + record.commitment_salt + record.service_seed).digest()
        assert committed == table.created.seed_commitment
    assert tables[0].created.seed_commitment != tables[1].created.seed_commitment


async def test_twins_cannot_be_told_by_their_commitments(house: House) -> None:
    """Sessions with one seed are committed to with salts of their own, unless the creator gives one."""
    twins = [await house.create("", "", commitment_salt=b"") for _ in range(2)]
    assert twins[0].created.seed_commitment != twins[1].created.seed_commitment


async def test_get_session_can_wait_for_the_end(house: House) -> None:
    """wait_until_over answers when the session has ended, and at once if it already has."""
    table = await house.table()
    waiting = house.sessions.GetSession(sessions_pb2.GetSessionRequest(session_id=table.id, wait_until_over=True))
    await table.play_out()
    assert (await waiting).session.state == sessions_pb2.SESSION_STATE_FINISHED
    assert (await table.session(wait_until_over=True)).outcome.results


async def test_whoever_stops_waiting_is_forgotten(house: House) -> None:
    """A cancelled wait leaves nobody behind."""
    table = await house.table()
    waiting = house.sessions.GetSession(sessions_pb2.GetSessionRequest(session_id=table.id, wait_until_over=True))
    session = house.hall.find(table.id)
    while not session.waiters:
        await house.breathe()
    waiting.cancel()
    while session.waiters:
        await house.breathe()


async def pages(house: House, page_size: int, **filters: object) -> list[list[str]]:
    found, token = [], ""
    while True:
        request = sessions_pb2.ListSessionsRequest(page_size=page_size, page_token=token, **filters)  # type: ignore[arg-type]
        page = await house.sessions.ListSessions(request)
        found.append([session.session_id for session in page.sessions])
        token = page.next_page_token
        if not token:
            return found


@pytest.mark.parametrize("page_size", [1, 2, 3, 7, 8, 500])
async def test_pages_are_complete_disjoint_and_newest_first(house: House, page_size: int) -> None:
    """All pages together are all sessions, each once, the latest created first."""
    created = [(await house.create("", "")).id for _ in range(7)]
    found = await pages(house, page_size)
    assert all(len(page) == page_size for page in found[:-1])
    assert 0 < len(found[-1]) <= page_size
    assert [session for page in found for session in page] == created[::-1]


async def test_new_sessions_do_not_shift_the_pages_to_come(house: House) -> None:
    """Sessions created while somebody pages appear neither twice nor instead of others."""
    created = [(await house.create("", "")).id for _ in range(4)]
    first = await house.sessions.ListSessions(sessions_pb2.ListSessionsRequest(page_size=2))
    await house.create("", "")
    request = sessions_pb2.ListSessionsRequest(page_size=2, page_token=first.next_page_token)
    second = await house.sessions.ListSessions(request)
    assert [session.session_id for session in second.sessions] == [created[1], created[0]]
    assert not second.next_page_token


async def test_sessions_can_be_listed_by_state_and_game(house: House) -> None:
    """Filters choose, across pages."""
    waiting = [(await house.create("", "")).id for _ in range(3)]
    running = (await house.table()).id
    aborted = await house.table()
    await aborted.abort()
    finished = await house.table()
    await finished.play_out()
    states = {
        sessions_pb2.SESSION_STATE_WAITING: waiting[::-1],
        sessions_pb2.SESSION_STATE_RUNNING: [running],
        sessions_pb2.SESSION_STATE_FINISHED: [finished.id],
        sessions_pb2.SESSION_STATE_ABORTED: [aborted.id],
    }
    for state, expected in states.items():
        found = await pages(house, 1, state=state, game_id="lie")
        assert [session for page in found for session in page] == expected


async def test_only_the_latest_ended_sessions_are_kept(open_house: OpenHouse) -> None:
    """keep_finished bounds what can be looked at; the oldest goes first, with its log."""
    house = await open_house(keep_finished=2)
    tables = [await house.create("", "") for _ in range(3)]
    for table in tables:
        await table.abort()
    with house.refuses("UNKNOWN_SESSION"):
        await tables[0].session()
    assert not await house.store.load(tables[0].id)
    assert await pages(house, 10) == [[tables[2].id, tables[1].id]]
