"""Sessions that are opened to be in the way: they expire, count as their peer's, and push nobody else's out."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from croupier.v1 import sessions_pb2
from croupier_service.paging import Order
from croupier_service.session import Session
from croupier_service.store import Aborted, Kept
from croupier_service.store.memory import MemoryStore

if TYPE_CHECKING:
    from tests.service.conftest import House, OpenHouse

ABORTED = sessions_pb2.SESSION_STATE_ABORTED
WAITING = sessions_pb2.SESSION_STATE_WAITING


async def test_a_session_whose_seats_are_not_taken_expires(open_house: OpenHouse) -> None:
    """It is aborted, and the log says why; one that was dealt in time goes on."""
    house = await open_house(waiting_s=600)
    lonely, dealt = await house.create("", ""), await house.table()
    watch = lonely.watch()
    await watch.read()
    house.clock.advance(599)
    assert (await lonely.session()).state == WAITING
    house.clock.advance(1)
    assert (await watch.read()).over.state == ABORTED
    assert (await lonely.session()).state == ABORTED
    assert (await house.store.load(lonely.id))[-1] == Aborted(0, "expired")
    house.clock.advance(86_400)
    assert (await dealt.session()).state == sessions_pb2.SESSION_STATE_RUNNING
    assert not house.clock.pending


async def test_expiry_goes_by_the_date_of_creation_also_after_a_restart(open_house: OpenHouse) -> None:
    """A service that was restarted does not give a session all its time again."""
    store = KeptStore()
    first = await open_house(store, waiting_s=600)
    table = await first.create("", "")
    first.clock.advance(400)
    store.kept(table.id)
    first.hall.lose([table.id])
    second = await open_house(store, waiting_s=600)
    session = await second.hall.fetch(table.id)
    second.clock.advance(199)
    assert session.phase.name == "WAITING"
    second.clock.advance(1)
    assert session.phase.name == "ABORTED"


class KeptStore(MemoryStore):
    """A store that has something when it is started."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[Kept] = []

    def kept(self, session_id: str) -> None:
        self._kept.append(Kept(session_id, 1, over=False))

    async def start(self) -> list[Kept]:
        return list(self._kept)


async def test_sessions_are_limited_per_peer(open_house: OpenHouse, tokens: tuple[str, ...]) -> None:
    """One address cannot fill the hall; the operator can; what has ended does not count."""
    house = await open_house(max_sessions_per_peer=2)
    tables = [await house.create("", "") for _ in range(2)]
    with house.refuses("LIMIT_REACHED") as message:
        await house.create("", "")
    assert "max_sessions_per_peer" in message[0]
    await tables[0].abort()
    await house.create("", "")
    run = await open_house(operator_token=tokens[0], max_sessions_per_peer=1)
    for _ in range(3):
        await run.create("", "", operator_token=tokens[0])


async def test_sessions_that_come_to_nothing_push_nothing_out(open_house: OpenHouse) -> None:
    """Opening and aborting sessions, however many, leaves what was played to be looked at."""
    house = await open_house(keep_finished=3)
    played = [await house.table() for _ in range(3)]
    for table in played:
        await table.forfeit(0)
    for _ in range(20):
        await (await house.create("", "")).abort()
    for table in played:
        assert (await table.session()).state == sessions_pb2.SESSION_STATE_FINISHED
        await table.record()


async def test_one_peer_s_ended_sessions_push_out_its_own(open_house: OpenHouse) -> None:
    """Also sessions that were dealt and given up at once leave what others have played alone."""
    house = await open_house(keep_finished=4)
    mine = await house.table()
    house.hall._makers[mine.id] = "somebody else"
    house.hall._made["somebody else"] = 1
    await mine.forfeit(0)
    for _ in range(10):
        await (await house.table()).forfeit(0)
    assert (await mine.session()).state == sessions_pb2.SESSION_STATE_FINISHED
    assert len(house.hall._ended) == 4


async def test_strangers_cannot_take_the_places_of_those_who_watch_their_own_game(open_house: OpenHouse) -> None:
    """With all spectators' places taken, each seat and the owner still watch and wait; each has its own limit."""
    house = await open_house(max_watchers_per_session=2, max_watchers_per_seat=1)
    table = await house.table()
    strangers = [table.watch() for _ in range(2)]
    for call in strangers:
        await call.read()
    with house.refuses("LIMIT_REACHED") as message:
        await table.watch().read()
    assert "max_watchers_per_session" in message[0]
    seats = [table.watch(seat) for seat in (0, 1)]
    for call in seats:
        assert (await call.read()).start.session.session_id == table.id
    with house.refuses("LIMIT_REACHED") as message:
        await table.watch(0).read()
    assert "max_watchers_per_seat" in message[0]
    idle = [asyncio.ensure_future(table.session(wait_until_over=True)) for _ in range(2)]
    while len(house.hall.find(table.id).waiters or ()) < 2:
        await house.breathe()
    request = sessions_pb2.GetSessionRequest(session_id=table.id, wait_until_over=True)
    owner = asyncio.ensure_future(
        house.sessions.GetSession(request, metadata=(("authorization", f"Bearer {table.owner_token}"),))
    )
    while len(house.hall.find(table.id).waiters or ()) < 3:
        await house.breathe()
    await table.abort()
    await asyncio.gather(*idle, owner)


async def test_a_page_is_found_without_sorting_what_there_is(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of one looks at one session and the next, however many there are."""
    for _ in range(50):
        await house.create("", "")
    looked_at: list[int] = []
    before = Order.before

    def counting(self: Order, number: int) -> object:
        for session in before(self, number):
            looked_at.append(session.number)
            yield session

    monkeypatch.setattr(Order, "before", counting)
    page = await house.sessions.ListSessions(sessions_pb2.ListSessionsRequest(page_size=1))
    assert len(page.sessions) == 1
    assert looked_at == [50, 49]


async def test_a_page_looks_at_a_bounded_number_of_sessions(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where few are wanted pages are short, and following their tokens finds every one."""
    monkeypatch.setattr("croupier_service.hall._LOOKED_AT", 10)
    wanted = [
        await house.create("", "", game_id="ten", options={}) if n % 7 == 0 else await house.create("", "")
        for n in range(30)
    ]
    found, token, pages = [], "", 0
    while pages == 0 or token:
        request = sessions_pb2.ListSessionsRequest(game_id="ten", page_token=token)
        page = await house.sessions.ListSessions(request)
        found += [session.session_id for session in page.sessions]
        token, pages = page.next_page_token, pages + 1
    assert found == [table.id for table in wanted[::7]][::-1]
    assert pages == 3


def test_the_order_keeps_what_comes_late_in_its_place() -> None:
    """Sessions that are brought back while others are opened are listed where they belong."""
    order = Order()
    sessions = {number: _numbered(number) for number in (5, 2, 9, 1)}
    for session in sessions.values():
        order.add(session)
    order.remove(sessions[9])
    assert [session.number for session in order.before(100)] == [5, 2, 1]
    assert [session.number for session in order.before(5)] == [2, 1]


def _numbered(number: int) -> Session:
    session = Session.__new__(Session)
    session.number, session.id = number, f"s{number}"
    return session
