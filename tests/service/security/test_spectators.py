"""Who looks on: everybody, everybody some events late, or nobody but the seats and the owner."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import pytest
from grpc import aio

from croupier.v1 import sessions_pb2, turns_pb2
from croupier_service.spectators import LONGEST_DELAY, Lag
from croupier_service.store import NO_SPECTATORS

if TYPE_CHECKING:
    from tests.service.conftest import House, OpenHouse, Table
    from tests.service.security.conftest import Disk

EOF: object = aio.EOF  # type: ignore[attr-defined]  # missing in the stubs

CLOSED = sessions_pb2.Spectators(access=sessions_pb2.SPECTATOR_ACCESS_CLOSED)
OPEN = sessions_pb2.Spectators(access=sessions_pb2.SPECTATOR_ACCESS_OPEN)


def behind(events: int) -> sessions_pb2.Spectators:
    return sessions_pb2.Spectators(access=sessions_pb2.SPECTATOR_ACCESS_DELAYED, delay_events=events)


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


async def owners_turn(table: Table) -> turns_pb2.Turn:
    request = sessions_pb2.GetTurnRequest(session_id=table.id)
    return (await table.house.sessions.GetTurn(request, metadata=bearer(table.owner_token))).turn


async def actions(table: Table) -> AsyncIterator[None]:
    """Plays the first legal actions to the end, and stops after each."""
    while (await table.session()).state == sessions_pb2.SESSION_STATE_RUNNING:
        for seat in range(len(table.tokens)):
            turn = await table.turn(seat)
            if turn.decision_id:
                await table.submit(seat, decision_id=turn.decision_id, index=0)
                yield


async def everything_seen(watch: Any) -> list[sessions_pb2.WatchSessionResponse]:
    steps = []
    while (step := await watch.read()) is not EOF:
        steps.append(step)
    return steps


async def test_a_closed_session_shows_itself_to_its_seats_and_its_owner_only(
    house: House, tokens: tuple[str, ...]
) -> None:
    """No token is told so by a word of its own; a token that is nobody's is refused as ever. After the end too."""
    table = await house.table(spectators=CLOSED)
    assert table.created.spectators == CLOSED
    request = sessions_pb2.GetTurnRequest(session_id=table.id)
    for _ in range(2):
        with house.refuses("NO_SPECTATORS"):
            await table.turn(None)
        with house.refuses("NO_SPECTATORS"):
            await everything_seen(table.watch())
        with house.refuses("TOKEN_NOT_FOR_THIS"):
            await house.sessions.GetTurn(request, metadata=bearer(tokens[7]))
        assert (await table.turn(0)).HasField("view")
        assert (await owners_turn(table)).HasField("view")
        await table.play_out()


async def test_the_owner_sees_what_lies_open_as_it_happens(house: House) -> None:
    """In a closed and in a delayed session the same as anybody sees of an open one; never a hand."""
    closed, late = await house.table(spectators=CLOSED), await house.table(spectators=behind(3))
    plain = await house.table(spectators=OPEN)
    for table in (closed, late, plain):
        await table.arrange()
    shown = [await owners_turn(table) for table in (closed, late, plain)]
    for turn in shown:
        turn.ClearField("session_id")
    expected = await plain.turn(None)
    expected.ClearField("session_id")
    assert shown == [expected] * 3
    assert not expected.view.lie.HasField("hand")
    watch: Any = house.sessions.WatchSession(
        sessions_pb2.WatchSessionRequest(session_id=late.id), metadata=bearer(late.owner_token)
    )
    assert (await watch.read()).start.view == expected.view
    watch.cancel()


@pytest.mark.parametrize("delay", [1, 4, 9])
async def test_delayed_spectators_see_the_newest_view_that_is_old_enough(house: House, delay: int) -> None:
    """After every action: a view that the seats had before at least so many events; at the end, all of it."""
    table = await house.table(spectators=behind(delay))
    live = [await owners_turn(table)]
    lagged = 0
    async for _ in actions(table):
        shown, now = await table.turn(None), await owners_turn(table)
        live.append(now)
        if (await table.session()).state == sessions_pb2.SESSION_STATE_FINISHED:
            assert shown == now
            break
        old = [turn for turn in live if turn.next_event + delay <= now.next_event]
        if old:
            assert shown == old[-1]
            lagged += 1
        else:
            assert not shown.HasField("view")
            assert shown.next_event == 0
    assert lagged > 3


async def test_a_delayed_watch_brings_events_late_and_at_the_end_all_of_them(house: House) -> None:
    """Whoever starts to watch at any moment gets no event that is too young; the whole is what others have seen."""
    delay = 3
    table = await house.table(spectators=behind(delay))
    from_the_start = table.watch()
    async for _ in actions(table):
        watch = table.watch()
        start = (await watch.read()).start
        assert start.HasField("view") == bool(start.next_event)
        public = (await owners_turn(table)).next_event
        over = (await table.session()).state == sessions_pb2.SESSION_STATE_FINISHED
        assert over or start.next_event + delay <= public or not start.next_event
        numbers = [(await watch.read()).event.number for _ in range(start.next_event)]
        assert numbers == list(range(start.next_event))
        watch.cancel()
    plain = await house.table(spectators=OPEN)
    await plain.play_out()
    steps, expected = await everything_seen(from_the_start), await everything_seen(plain.watch())
    assert [step.event for step in steps[1:-1]] == [step.event for step in expected[1:-1]]
    assert steps[-1].HasField("over")


async def test_a_watch_that_waits_gets_an_event_only_when_others_have_happened(house: House) -> None:
    """What a running watch has been sent is never younger than the delay."""
    table = await house.table(spectators=behind(2))
    watch = table.watch()
    await watch.read()
    async for _ in actions(table):
        if (shown := (await table.turn(None)).next_event) > 0:
            break
    arrived = [(await watch.read()).event.number for _ in range(shown)]
    assert arrived == list(range(shown))
    assert shown + 2 <= (await owners_turn(table)).next_event
    watch.cancel()


@pytest.mark.parametrize("spectators", [CLOSED, behind(2)])
async def test_a_restored_session_keeps_its_policy(
    disk: Disk, open_house: OpenHouse, spectators: sessions_pb2.Spectators
) -> None:
    """Another service that takes it from the store shows neither more nor less."""
    house = await open_house(store=disk.store)
    table = await house.table(spectators=spectators)
    await table.arrange()
    for _ in range(3):
        for seat in range(2):
            if (await table.turn(seat)).decision_id:
                await table.submit(seat, index=0)
    expected = await seen(table)
    table.house = await open_house(store=disk.as_left_by_a_crash())
    assert (await table.session()).spectators == spectators
    assert await seen(table) == expected


async def seen(table: Table) -> turns_pb2.Turn | str:
    """What a spectator sees, or the reason why nothing."""
    try:
        return await table.turn(None)
    except aio.AioRpcError as error:
        return table.house.explained(error, "NO_SPECTATORS")


@pytest.mark.parametrize(("default", "told"), [(0, None), (5, behind(5)), (NO_SPECTATORS, CLOSED)])
async def test_the_service_has_a_default_and_sessions_may_say_otherwise(
    open_house: OpenHouse, default: int, told: sessions_pb2.Spectators | None
) -> None:
    """The session tells which it is; an open one needs no word."""
    house = await open_house(settings={"spectator_delay": default})
    session = (await house.create("", "")).created
    assert (session.spectators if session.HasField("spectators") else None) == told
    assert not (await house.create("", "", spectators=OPEN)).created.HasField("spectators")
    assert (await house.create("", "", spectators=behind(7))).created.spectators == behind(7)
    assert (await house.create("", "", spectators=CLOSED)).created.spectators == CLOSED


@pytest.mark.parametrize(
    "spectators",
    [
        behind(0),
        behind(LONGEST_DELAY + 1),
        sessions_pb2.Spectators(access=sessions_pb2.SPECTATOR_ACCESS_OPEN, delay_events=3),
        sessions_pb2.Spectators(delay_events=3),
        sessions_pb2.Spectators(access=9),  # type: ignore[arg-type]
    ],
)
async def test_a_policy_that_makes_no_sense_is_refused(house: House, spectators: sessions_pb2.Spectators) -> None:
    """Rather than guessed at: the guess might show too much."""
    with house.refuses("BAD_REQUEST"):
        await house.create("", "", spectators=spectators)


def test_no_more_views_are_kept_than_the_delay_needs() -> None:
    """However long the game, and whether or not every action has public events."""
    lag = Lag(5)
    for step in range(1_000):
        lag.add(step // 2, (step,))
        assert len(lag._views) <= 6
        shown = max(0, step // 2 - 5)
        assert lag.events == shown
        assert lag.view == (None if step < 10 else (2 * shown + 1,))
