"""WatchSession: the view, then every event once and without gaps, then the end."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from grpc import aio

from croupier.v1 import sessions_pb2

if TYPE_CHECKING:
    from tests.service.conftest import House, OpenHouse


EOF: object = aio.EOF  # type: ignore[attr-defined]  # missing in the stubs


async def read_start(call: Any) -> sessions_pb2.WatchStart:
    step = await call.read()
    assert step.WhichOneof("step") == "start"
    return step.start  # type: ignore[no-any-return]


async def read_event(call: Any) -> sessions_pb2.WatchEvent:
    step = await call.read()
    assert step.WhichOneof("step") == "event", step
    return step.event  # type: ignore[no-any-return]


async def read_to_the_end(call: Any) -> tuple[sessions_pb2.WatchStart, list[sessions_pb2.WatchEvent], Any]:
    """Start, events and end of a watch; nothing may follow the end."""
    start = await read_start(call)
    events = []
    while (step := await call.read()).WhichOneof("step") == "event":
        events.append(step.event)
    assert step.WhichOneof("step") == "over"
    assert await call.read() is EOF
    return start, events, step.over


async def test_a_watch_starts_with_the_view_and_ends_with_the_result(house: House) -> None:
    """start, all events from number 0 without gaps, over."""
    table = await house.table()
    call = table.watch()
    start = await read_start(call)
    assert start.session == await table.session()
    assert start.view == (await table.turn()).view
    assert start.next_event == 1
    session = await table.play_out()
    numbers = []
    while (step := await call.read()).WhichOneof("step") == "event":
        numbers.append(step.event.number)
    assert numbers == list(range(len(numbers)))
    assert len(numbers) == (await table.turn()).next_event
    assert step.over == session
    assert await call.read() is EOF


async def test_a_watch_before_the_deal_sees_the_deal(house: House) -> None:
    """It starts without a view, and the first events come with the deal."""
    table = await house.create("", "")
    call = table.watch()
    start = await read_start(call)
    assert not start.HasField("view")
    assert start.next_event == 0
    await table.claim()
    await table.claim()
    event = await read_event(call)
    assert (event.number, event.event.lie.WhichOneof("kind")) == (0, "round_started")
    call.cancel()


async def test_every_event_arrives_as_it_happens(house: House) -> None:
    """An action is followed by its event at once."""
    table = await house.table()
    await table.arrange()
    call = table.watch(from_event=(await table.turn()).next_event)
    await read_start(call)
    await table.play((0, "1x2"))
    assert (await read_event(call)).event.lie.bid_made.value == 2
    await table.play((1, "1x5"))
    assert (await read_event(call)).event.lie.bid_made.value == 5
    call.cancel()


@pytest.mark.parametrize("seat", [None, 0, 1])
async def test_a_watch_resumes_at_every_number_without_gap_or_duplicate(house: House, seat: int | None) -> None:
    """from_event = n gives exactly the events from n on, in a running and in a finished game."""
    table = await house.table()
    await table.arrange()
    await table.play((0, "1x2"), (1, "challenge"))
    there = (await table.turn(seat)).next_event
    for first in range(there + 1):
        call = table.watch(seat, first)
        start = await read_start(call)
        assert start.next_event == there
        assert [(await read_event(call)).number for _ in range(first, there)] == list(range(first, there))
        call.cancel()
    await table.play_out()
    _, everything, _ = await read_to_the_end(table.watch(seat))
    for first in range(len(everything) + 2):
        assert (await read_to_the_end(table.watch(seat, first)))[1] == everything[first:]


async def test_a_turn_s_next_event_is_where_a_watch_goes_on(house: House) -> None:
    """Turn and watch together tell a seat every event once."""
    table = await house.table()
    turn = await table.turn(0)
    call = table.watch(0, turn.next_event)
    await read_start(call)
    await table.submit(0, index=0)
    event = await read_event(call)
    assert event.number == turn.next_event
    assert event.event.lie.WhichOneof("kind") == "hand_arranged"
    call.cancel()


async def test_numbers_do_not_reveal_what_is_hidden(house: House) -> None:
    """A secret choice moves only its own seat's numbers (ALL-5)."""
    table = await house.table()
    before = [await table.turn(seat) for seat in (None, 1)]
    watches = [table.watch(seat, turn.next_event) for seat, turn in zip((None, 1), before, strict=True)]
    for call in watches:
        await read_start(call)
    own = (await table.turn(0)).next_event
    await table.submit(0, index=0)
    assert [await table.turn(seat) for seat in (None, 1)] == before
    assert (await table.turn(0)).next_event == own + 1
    await table.submit(1, index=0)
    assert (await read_event(watches[0])).event.lie.WhichOneof("kind") == "all_arranged"
    assert (await read_event(watches[1])).event.lie.WhichOneof("kind") == "hand_arranged"
    assert (await read_event(watches[1])).event.lie.WhichOneof("kind") == "all_arranged"
    for call in watches:
        call.cancel()


async def test_a_seat_watches_with_its_own_eyes(house: House) -> None:
    """The seat's watch has its hand and its private events; the spectator's is the same without them."""
    table = await house.table()
    await table.play_out()
    watched = {seat: await read_to_the_end(table.watch(seat)) for seat in (None, 0, 1)}
    public = [event.event for event in watched[None][1]]
    for seat in (0, 1):
        start, events, _ = watched[seat]
        assert start.view.lie.hand.cards
        kinds = [event.event.lie.WhichOneof("kind") for event in events]
        assert "cards_dealt" in kinds
        shown_to_all = [event.event for event in events if event.event in public]
        assert shown_to_all == public
        assert [event.number for event in events] == list(range(len(events)))
    assert not {event.lie.WhichOneof("kind") for event in public} & {"cards_dealt", "hand_arranged"}


async def test_a_watch_of_an_aborted_session_ends(house: House) -> None:
    """Watchers are told that there is no result, before the deal and after it."""
    for table in (await house.create("", ""), await house.table()):
        call = table.watch()
        await read_start(call)
        await table.abort()
        step = await call.read()
        while step.WhichOneof("step") == "event":
            step = await call.read()
        assert step.over.state == sessions_pb2.SESSION_STATE_ABORTED
        assert await call.read() is EOF


async def test_a_slow_watcher_misses_nothing_and_holds_up_nobody(house: House) -> None:
    """The game goes on to its end while nobody reads; then all of it is there to be read."""
    table = await house.table()
    channel = house.other_channel()
    request = sessions_pb2.WatchSessionRequest(session_id=table.id)
    watch = channel.unary_stream(
        "/croupier.v1.SessionService/WatchSession",
        request_serializer=sessions_pb2.WatchSessionRequest.SerializeToString,
        response_deserializer=sessions_pb2.WatchSessionResponse.FromString,
    )
    call = watch(request)
    session = await table.play_out()
    _, events, over = await read_to_the_end(call)
    assert over == session
    assert [event.number for event in events] == list(range(len(events)))


async def test_watchers_are_limited_and_those_who_leave_make_room(open_house: OpenHouse) -> None:
    """The limit refuses, and a watcher that cancels is let go."""
    house = await open_house(max_watchers_per_session=2)
    table = await house.table()
    calls = [table.watch() for _ in range(2)]
    for call in calls:
        await read_start(call)
    with house.refuses("LIMIT_REACHED"):
        await table.watch().read()
    calls[0].cancel()
    while len(house.hall.find(table.id).watchers or ()) == 2:
        await house.breathe()
    again = table.watch()
    await read_start(again)


async def test_those_who_wait_for_the_end_are_limited_too(open_house: OpenHouse) -> None:
    """They cost as much as watchers."""
    house = await open_house(max_watchers_per_session=1)
    table = await house.table()
    waiting = asyncio.ensure_future(table.session(wait_until_over=True))
    while not house.hall.find(table.id).waiters:
        await house.breathe()
    with house.refuses("LIMIT_REACHED"):
        await table.session(wait_until_over=True)
    await table.abort()
    assert (await waiting).state == sessions_pb2.SESSION_STATE_ABORTED


async def test_watchers_are_let_go_at_the_end(house: House) -> None:
    """When the session is over and its watchers have been told, none is left."""
    table = await house.table()
    calls = [asyncio.ensure_future(read_to_the_end(table.watch(seat))) for seat in (None, 0, 1)]
    await table.play_out()
    await asyncio.gather(*calls)
    assert not house.hall.find(table.id).watchers


async def test_only_its_holder_watches_with_a_seat_s_eyes(house: House, tokens: tuple[str, ...]) -> None:
    """No token, a foreign token and somebody else's seat are refused before anything is shown."""
    table = await house.table()
    request = sessions_pb2.WatchSessionRequest(session_id=table.id, seat=0)
    with house.refuses("TOKEN_MISSING"):
        await house.sessions.WatchSession(request).read()
    for token in (tokens[0], table.tokens[1]):
        with house.refuses("TOKEN_NOT_FOR_THIS"):
            await house.sessions.WatchSession(request, metadata=(("authorization", f"Bearer {token}"),)).read()
