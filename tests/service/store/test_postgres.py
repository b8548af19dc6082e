"""The PostgreSQL store: its unique key fences whoever does not know that it lost a session; its schema; its address."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import psycopg
import pytest

from croupier_service.store import Acted, Chooser, Claimed, Created, Fenced, Finished, Retention, StoreError
from croupier_service.store.postgres import PostgresStore

if TYPE_CHECKING:
    from tests.postgres_server import PostgresServer


FOR_EVER = Retention(0, 0)


@pytest.fixture
def address(postgres: PostgresServer) -> str:
    """An empty database."""
    return postgres.new_database()


@asynccontextmanager
async def started(address: str, keep: Retention = FOR_EVER) -> AsyncIterator[PostgresStore]:
    store = PostgresStore(address, keep)
    await store.start()
    try:
        yield store
    finally:
        await store.close()


async def stop_heart(address: str, store: PostgresStore) -> None:
    """From now on it counts as dead; it does not know."""
    assert store.replicas._task is not None
    store.replicas._task.cancel()
    await asyncio.wait({store.replicas._task})
    async with await psycopg.AsyncConnection.connect(address) as connection:
        await connection.execute("UPDATE replicas SET seen_at = '-infinity' WHERE id = %s", (store.replicas.id,))


async def test_the_unique_key_fences_a_stale_owner(address: str, created: Created, claimed: Claimed) -> None:
    """What it writes to a session that was taken over is refused and gone; all else is stored."""
    async with started(address) as stale:
        stale.append("taken", 0, created)
        stale.append("taken", 1, claimed)
        await stale.flush()
        await stop_heart(address, stale)
        async with started(address) as owner:
            assert list(await owner.load("taken")) == [created, claimed]
            stale.append("taken", 2, Finished(1))
            stale.append("other", 0, created)
            with pytest.raises(Fenced) as fenced:
                await stale.flush()
            assert fenced.value.session_ids == {"taken"}
            with pytest.raises(StoreError):
                stale.append("taken", 3, Finished(1))
            await stale.flush()
            acted = Acted(5, 0, "1", Chooser.SEAT, 7)
            owner.append("taken", 2, acted)
            await owner.flush()
            assert list(await stale.load("taken")) == [created, claimed, acted]
            assert list(await owner.load("other")) == [created]


async def test_one_of_those_who_start_takes_what_was_left(address: str, created: Created) -> None:
    """A session has one owner, however many come for it."""
    async with started(address) as former:
        former.append("s", 0, created)
        await former.flush()
    first, second = PostgresStore(address), PostgresStore(address)
    kept = [await store.start() for store in (first, second)]
    assert [len(each) for each in kept] == [1, 0]
    assert await second.owner("s") == first.replicas.id
    for store in (first, second):
        await store.close()


async def test_what_was_committed_without_our_hearing_of_it_is_ours(address: str, created: Created) -> None:
    """The connection broke over a commit: the same entries again are no conflict, and what follows is stored."""
    async with started(address) as store:
        store.append("s", 0, created)
        store.append("s", 1, Acted(1, 0, "1", Chooser.SEAT, 2))
        collected = list(store._collected.rows), list(store._collected.created)
        await store.flush()
        store._collected.rows, store._collected.created = collected
        store.append("s", 2, Finished(3))
        await store.flush()
        assert await store.load("s") == [created, Acted(1, 0, "1", Chooser.SEAT, 2), Finished(3)]


async def test_a_later_schema_is_refused(address: str) -> None:
    """Rather than written to."""
    async with started(address):
        pass
    async with await psycopg.AsyncConnection.connect(address) as connection:
        await connection.execute("INSERT INTO croupier_schema VALUES (99)")
    with pytest.raises(StoreError, match="version 99"):
        await PostgresStore(address).start()


async def test_ended_sessions_are_forgotten(address: str, created: Created) -> None:
    """The oldest, beyond the number that is kept, with their logs."""
    async with started(address, Retention(0, 2)) as store:
        for name in "abcd":
            store.append(name, 0, created)
            store.append(name, 1, Finished(1))
            await store.flush()
        store.append("open", 0, created)
        await store.flush()
        assert await store._sweep() == 2
        left = [name for name in ("a", "b", "c", "d", "open") if await store.load(name)]
    assert left == ["c", "d", "open"]
    async with await psycopg.AsyncConnection.connect(address) as connection:
        found = await (await connection.execute("SELECT count(*) FROM log")).fetchone()
    assert found == (5,)
