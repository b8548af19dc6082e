"""The log is the truth: nothing is announced before it is stored, and a store keeps its numbers straight."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from croupier.v1 import sessions_pb2
from croupier.v1.sessions_pb2 import TimeControl
from croupier_service.store import Aborted, StoreError
from croupier_service.store.memory import MemoryStore
from croupier_service.tokens import hash_token

if TYPE_CHECKING:
    from tests.service.conftest import HeldStore, House, OpenHouse


@pytest.fixture
async def held_house(open_house: OpenHouse, held_store: HeldStore) -> House:
    return await open_house(store=held_store)


async def test_the_memory_store_refuses_a_number_it_has() -> None:
    """A second entry of the same number, or one that leaves a gap, is refused and changes nothing."""
    store = MemoryStore()
    store.append("s", 0, Aborted(0))
    for number in (0, 2):
        with pytest.raises(StoreError):
            store.append("s", number, Aborted(1))
    store.append("s", 1, Aborted(2))
    store.append("t", 0, Aborted(3))
    assert list(await store.load("s")) == [Aborted(0), Aborted(2)]
    store.let_go("s")
    assert not await store.load("s")
    assert await store.load("t")


async def test_an_answer_waits_for_the_store(held_house: House, held_store: HeldStore) -> None:
    """No unary answer leaves before what it tells is durable."""
    table = await held_house.table()
    held_store.hold()
    calls = [
        asyncio.ensure_future(table.submit(0, decision_id=1, index=0)),
        asyncio.ensure_future(held_house.create("", "")),
        asyncio.ensure_future(table.turn(0)),
        asyncio.ensure_future(table.session()),
    ]
    await held_store.waiting.wait()
    await held_house.breathe()
    assert not any(call.done() for call in calls)
    held_store.release()
    await asyncio.gather(*calls)


async def test_lists_and_records_wait_for_the_store(held_house: House, held_store: HeldStore) -> None:
    """Neither a list nor a record tells of an end that could still be lost."""
    table = await held_house.table()
    held_store.hold()
    aborting = asyncio.ensure_future(table.abort())
    await held_store.waiting.wait()
    listing = asyncio.ensure_future(held_house.sessions.ListSessions(sessions_pb2.ListSessionsRequest()))
    recording = asyncio.ensure_future(table.record())
    await held_house.breathe()
    assert not any(call.done() for call in (aborting, listing, recording))
    held_store.release()
    assert (await listing).sessions[0].state == sessions_pb2.SESSION_STATE_ABORTED
    await asyncio.gather(aborting, recording)


async def test_streams_and_watchers_wait_for_the_store(
    held_house: House, held_store: HeldStore, tokens: tuple[str, ...]
) -> None:
    """An action is neither shown to the next bot nor to a watcher before it is durable."""
    table = await held_house.create(*tokens[:2])
    bots = [await held_house.connect(token) for token in tokens[:2]]
    for seat, bot in enumerate(bots):
        await bot.answer(table.answer(await bot.next_turn(table, seat)))
    watch = table.watch(from_event=2)
    await watch.read()
    turn = await bots[0].next_turn(table, 0)
    held_store.hold()
    await bots[0].answer(table.answer(turn))
    reads = [asyncio.ensure_future(bots[1].next_turn(table, 1)), asyncio.ensure_future(watch.read())]
    await held_store.waiting.wait()
    await held_house.breathe()
    assert not any(read.done() for read in reads)
    held_store.release()
    asked, seen = await asyncio.gather(*reads)
    assert asked.decision_id == 2
    assert seen.event.event.lie.bid_made.seat == 0


async def test_a_forfeit_by_time_waits_for_the_store(
    held_house: House, held_store: HeldStore, tokens: tuple[str, ...]
) -> None:
    """What an alarm does is announced like everything else: when it is durable."""
    table = await held_house.create(*tokens[:2], time_control=TimeControl(move_ms=1000))
    bots = [await held_house.connect(token) for token in tokens[:2]]
    for seat, bot in enumerate(bots):
        await bot.next_turn(table, seat)
    held_store.hold()
    held_house.clock.advance(1)
    told = asyncio.ensure_future(bots[1].until(lambda: bots[1].over))
    await held_store.waiting.wait()
    await held_house.breathe()
    assert not told.done()
    held_store.release()
    await told


async def test_what_happens_during_a_flush_waits_for_the_next(held_house: House, held_store: HeldStore) -> None:
    """A watcher woken by the first of two actions is not shown the second, which is not durable yet."""
    table = await held_house.table()
    watch = table.watch(0, from_event=(await table.turn(0)).next_event)
    await watch.read()
    held_store.hold()
    first = asyncio.ensure_future(table.submit(0, decision_id=1, index=0))
    await held_store.waiting.wait()
    second = asyncio.ensure_future(table.submit(1, decision_id=1, index=0))
    while len(await held_store.load(table.id)) < 5:
        await held_house.breathe()
    seen: list[str] = []

    async def read_both() -> None:
        while len(seen) < 2:
            seen.append((await watch.read()).event.event.lie.WhichOneof("kind"))

    reading = asyncio.ensure_future(read_both())
    held_store.let_one_pass()
    await held_house.breathe()
    assert "all_arranged" not in seen
    held_store.release()
    await asyncio.gather(reading, first, second)
    assert seen == ["hand_arranged", "all_arranged"]


async def test_a_turn_that_waited_shows_nothing_that_is_not_stored(
    held_house: House, held_store: HeldStore, tokens: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot is asked while it thinks elsewhere; meanwhile its rival acts: the turn goes out when that is durable."""
    monkeypatch.setattr("croupier_service.rpc.bots._HOLD_S", 3600.0)
    elsewhere = await held_house.create("", tokens[1])
    await elsewhere.claim(seat=0)
    bot = await held_house.connect(tokens[1])
    await bot.next_turn(elsewhere, 1)
    table = await held_house.create("", tokens[1])
    await table.claim(seat=0)
    held_store.hold()
    acting = asyncio.ensure_future(table.submit(0, decision_id=1, index=0))
    await held_store.waiting.wait()
    (stream,) = held_house.hall._holders[hash_token(tokens[1])].streams
    stream._release()  # type: ignore[attr-defined]
    asked = asyncio.ensure_future(bot.next_turn(table, 1))
    await held_house.breathe()
    assert not asked.done()
    held_store.release()
    assert (await asked).next_event == (await table.turn(1)).next_event
    await acting


async def test_a_caller_who_leaves_takes_no_news_along(
    held_house: House, held_store: HeldStore, tokens: tuple[str, ...]
) -> None:
    """Whoever played and vanished before the store was done: the next seat is asked all the same."""
    table = await held_house.create("", tokens[1])
    await table.claim(seat=0)
    bot = await held_house.connect(tokens[1])
    await bot.answer(table.answer(await bot.next_turn(table, 1)))
    await table.submit(0, index=0)
    held_store.hold()
    bidding = asyncio.ensure_future(table.submit(0, decision_id=2, index=0))
    await held_store.waiting.wait()
    bidding.cancel()
    await held_house.breathe()
    held_store.release()
    assert (await bot.next_turn(table, 1)).decision_id == 2


async def test_when_the_store_fails_nothing_is_announced(
    held_house: House, held_store: HeldStore, tokens: tuple[str, ...]
) -> None:
    """Callers get UNAVAILABLE, streams end with it, and nobody hears of what was not stored."""
    table = await held_house.create(*tokens[:2])
    bots = [await held_house.connect(token) for token in tokens[:2]]
    turns = [await bot.next_turn(table, seat) for seat, bot in enumerate(bots)]
    watch = table.watch(from_event=1)
    await watch.read()
    held_store.failing = True
    await bots[0].answer(table.answer(turns[0]))
    held_house.explained(await bots[0].end(), "UNAVAILABLE")
    with held_house.refuses("UNAVAILABLE"):
        await table.submit(1, decision_id=1, index=0)
    with held_house.refuses("UNAVAILABLE"):
        await held_house.create("", "")
    with held_house.refuses("UNAVAILABLE"):
        await table.turn(1)
    with held_house.refuses("UNAVAILABLE"):
        await table.session()
    with held_house.refuses("UNAVAILABLE"):
        await held_house.connect(tokens[2])
    nothing = asyncio.ensure_future(watch.read())
    await held_house.breathe()
    assert not nothing.done()
    watch.cancel()


async def test_a_service_with_a_broken_store_still_drains(held_house: House, held_store: HeldStore) -> None:
    """It cannot tell anybody, but it ends."""
    await held_house.table()
    held_store.failing = True
    with held_house.refuses("UNAVAILABLE"):
        await held_house.create("", "")
    assert await held_house.server.drain(0) == 1


async def test_a_store_that_refuses_an_entry_stops_that_session(
    held_house: House, held_store: HeldStore, tokens: tuple[str, ...]
) -> None:
    """Another owner has written this session's next entry: its calls are refused, other sessions go on."""
    table, other = await held_house.table(), await held_house.table()
    held_store.append(table.id, 3, Aborted(0))
    for _ in range(2):
        with held_house.refuses("UNAVAILABLE"):
            await table.submit(0, decision_id=1, index=0)
    await other.submit(0, decision_id=1, index=0)
