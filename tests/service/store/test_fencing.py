"""A session that somebody else has taken over: what was not stored by then never happened, and nobody hears of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from croupier_service.store import Entry, Fenced
from croupier_service.store.memory import MemoryStore

if TYPE_CHECKING:
    from tests.service.conftest import House, OpenHouse


class FencingStore(MemoryStore):
    """Finds, when told, that somebody else has written to some sessions."""

    instant = False

    def __init__(self) -> None:
        super().__init__()
        self.taken: set[str] = set()
        self._first_written: dict[str, int] = {}

    def append(self, session_id: str, number: int, entry: Entry) -> None:
        super().append(session_id, number, entry)
        self._first_written.setdefault(session_id, number)

    async def flush(self) -> None:
        written, self._first_written = self._first_written, {}
        if fenced := written.keys() & self.taken:
            for session_id in fenced:
                del self._logs[session_id][written[session_id] :]
            raise Fenced(fenced)


@pytest.fixture
def store() -> FencingStore:
    return FencingStore()


@pytest.fixture
async def fenced_house(open_house: OpenHouse, store: FencingStore) -> House:
    return await open_house(store=store)


async def test_a_move_that_was_fenced_is_not_acknowledged(fenced_house: House, store: FencingStore) -> None:
    """Whoever made it is told to try elsewhere; another session in the same flush goes on."""
    table, other = await fenced_house.table(), await fenced_house.table()
    store.taken.add(table.id)
    lost = asyncio.ensure_future(table.submit(0, decision_id=1, index=0))
    await other.submit(0, decision_id=1, index=0)
    with fenced_house.refuses("UNAVAILABLE"):
        await lost
    assert fenced_house.hall.held(table.id) is None


async def test_an_end_that_was_fenced_never_came(fenced_house: House, store: FencingStore) -> None:
    """The last move of a game too: its record is not given out from memory."""
    table = await fenced_house.table()
    store.taken.add(table.id)
    with fenced_house.refuses("UNAVAILABLE"):
        await table.forfeit(0)
    with fenced_house.refuses("UNAVAILABLE"):
        await table.record()


async def test_bots_and_watchers_do_not_hear_of_what_was_fenced(
    fenced_house: House, store: FencingStore, tokens: tuple[str, ...]
) -> None:
    """The other seat is asked nothing, the watch ends with UNAVAILABLE, and whoever waits for the end as well."""
    table = await fenced_house.create(*tokens[:2])
    bots = [await fenced_house.connect(token) for token in tokens[:2]]
    turns = [await bot.next_turn(table, seat) for seat, bot in enumerate(bots)]
    await bots[0].answer(table.answer(turns[0]))
    watch = table.watch()
    await watch.read()
    waiting = asyncio.ensure_future(table.session(wait_until_over=True))
    await fenced_house.breathe()
    store.taken.add(table.id)
    await bots[1].answer(table.answer(turns[1]))
    with fenced_house.refuses("UNAVAILABLE"):
        while await watch.read():
            pass
    with fenced_house.refuses("UNAVAILABLE"):
        await waiting
    await fenced_house.breathe()
    told = asyncio.ensure_future(bots[0].read())
    await fenced_house.breathe()
    assert not told.done()
    told.cancel()
