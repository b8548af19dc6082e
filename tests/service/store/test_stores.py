"""What every store promises: logs come back as they were written, numbers are kept straight, nothing is lost."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from croupier_service.store import (
    Aborted,
    Acted,
    Chooser,
    Claimed,
    Created,
    Entry,
    Finished,
    ForfeitCause,
    Forfeited,
    Kept,
    Store,
    StoreError,
)

if TYPE_CHECKING:
    from tests.service.store.conftest import MakeStore


@pytest.fixture
def log(created: Created, claimed: Claimed) -> list[Entry]:
    """A session's log with every kind of entry that a game has."""
    return [
        created,
        claimed,
        Acted(5, 0, "3x4", Chooser.SEAT, 1_234_567, "request 1"),
        Acted(5, 1, "ü", Chooser.FORCED, 0),
        Forfeited(6, 1, ForfeitCause.TIME),
        Finished(7),
    ]


def write(store: Store, session_id: str, entries: list[Entry], start: int = 0) -> None:
    for number, entry in enumerate(entries, start):
        store.append(session_id, number, entry)


async def test_a_log_comes_back_as_it_was_written(store: Store, log: list[Entry]) -> None:
    """Equal entries of equal types, in their order; other sessions have no part in it."""
    write(store, "s", log)
    write(store, "t", log[:2])
    await store.flush()
    assert list(await store.load("s")) == log
    assert [type(entry) for entry in await store.load("s")] == [type(entry) for entry in log]
    assert list(await store.load("t")) == log[:2]


async def test_there_is_no_log_of_an_unknown_session(store: Store) -> None:
    """That is no error: whoever asks may have the wrong id."""
    assert not await store.load("nobody")


async def test_a_number_that_is_there_already_is_refused(store: Store, log: list[Entry]) -> None:
    """So is one that leaves a gap; neither changes anything."""
    write(store, "s", log[:3])
    for number in (0, 2, 4):
        with pytest.raises(StoreError):
            store.append("s", number, Aborted(1))
    write(store, "s", log[3:], start=3)
    await store.flush()
    assert list(await store.load("s")) == log


async def test_flushes_that_come_together_share_their_work(store: Store, created: Created) -> None:
    """Each returns only when what was appended before it is durable, whoever wrote it."""

    async def play(session_id: str) -> None:
        for number in range(20):
            store.append(session_id, number, created if not number else Acted(number, 0, "a", Chooser.SEAT, 0))
            await store.flush()
            assert len(await store.load(session_id)) == number + 1

    await asyncio.gather(*(play(f"session {number}") for number in range(8)))


async def test_more_than_fits_into_one_statement_is_one_flush(store: Store, created: Created) -> None:
    """A long batch is written whole."""
    write(store, "s", [created, *(Acted(number, 0, "a", Chooser.SEAT, 0) for number in range(1_000))])
    await store.flush()
    assert [entry.at_ms for entry in await store.load("s") if isinstance(entry, Acted)] == list(range(1_000))


async def test_a_caller_who_is_cancelled_ends_no_other_flush(store: Store, created: Created) -> None:
    """What one has begun to write is written for all."""
    write(store, "s", [created])
    one, other = asyncio.ensure_future(store.flush()), asyncio.ensure_future(store.flush())
    await asyncio.sleep(0)
    one.cancel()
    await other
    assert await store.load("s")


# ---- stores that outlive the process ----


async def test_what_was_flushed_is_there_for_the_next_process(make_store: MakeStore, log: list[Entry]) -> None:
    """With its logs, and told apart: what is open, and what has ended; in the order of creation."""
    first = make_store()
    assert not await first.start()
    write(first, "ended", log)
    write(first, "open", log[:4])
    await first.flush()
    await first.close()
    second = make_store()
    assert list(await second.start()) == [Kept("ended", 1, over=True), Kept("open", 2, over=False)]
    assert list(await second.load("ended")) == log
    assert list(await second.load("open")) == log[:4]
    await second.close()


async def test_the_next_process_writes_on_where_the_log_ends(make_store: MakeStore, log: list[Entry]) -> None:
    """It takes the next number of an open session and no other; new sessions get new numbers."""
    first = make_store()
    await first.start()
    write(first, "s", log[:3])
    await first.close()
    second = make_store()
    await second.start()
    await second.load("s")
    with pytest.raises(StoreError):
        second.append("s", 2, log[2])
    write(second, "s", log[3:], start=3)
    write(second, "t", log)
    await second.close()
    third = make_store()
    assert [each[:2] for each in await third.start()] == [("s", 1), ("t", 2)]
    assert list(await third.load("s")) == log
    await third.close()


async def test_what_was_appended_and_not_flushed_is_written_at_the_end(make_store: MakeStore, created: Created) -> None:
    """Closing a store flushes it."""
    first = make_store()
    await first.start()
    write(first, "s", [created])
    await first.close()
    second = make_store()
    assert [each.session_id for each in await second.start()] == ["s"]
    await second.close()
