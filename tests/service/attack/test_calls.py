"""Calls and streams that last too long, are too many, or are not what they say."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from grpc import aio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from croupier.v1 import bots_pb2, catalog_pb2, sessions_pb2

if TYPE_CHECKING:
    from tests.service.attack.conftest import Until
    from tests.service.conftest import HeldStore, House, OpenHouse

UNARY = [
    "croupier.v1.CatalogService/ListGames",
    "croupier.v1.SessionService/CreateSession",
    "croupier.v1.SessionService/SubmitAction",
    "croupier.v1.RecordService/GetRecord",
    "croupier.v1.BotService/Dismiss",
    "grpc.health.v1.Health/Check",
]


@pytest.mark.parametrize("method", UNARY)
async def test_a_request_that_is_none_is_a_bad_request(house: House, method: str) -> None:
    """INVALID_ARGUMENT with our reason, not UNKNOWN with a traceback in the log."""
    call: Any = house.channel.unary_unary(f"/{method}", None, None)
    with house.refuses("BAD_REQUEST") as message:
        await call(b"\xff\xff\xff")
    assert "protos" in message[0]


async def test_a_watch_that_is_none_is_a_bad_request(house: House) -> None:
    """Streams to the client answer malformed requests in the same way."""
    call: Any = house.channel.unary_stream("/croupier.v1.SessionService/WatchSession", None, None)
    with house.refuses("BAD_REQUEST"):
        await call(b"\xff\xff\xff").read()


async def test_a_request_longer_than_any_is_refused_before_it_is_decoded(house: House) -> None:
    """A hundred thousand empty seats in one message cost nobody else a move."""
    call: Any = house.channel.unary_unary("/croupier.v1.SessionService/CreateSession", None, None)
    with house.refuses("LIMIT_REACHED") as message:
        await call(b"\x12\x00" * 100_000)
    assert "65,536" in message[0]


async def test_the_longest_lists_of_an_action_are_refused_before_they_are_walked(house: House) -> None:
    """A typed action with thousands of values, and a notation of thousands of letters, are bad choices."""
    table = await house.table()
    with house.refuses("BAD_CHOICE"):
        await table.submit(0, notation="x" * 30_000)


async def test_calls_underway_are_limited_per_peer(open_house: OpenHouse, until: Until) -> None:
    """Streams, watches and waits count; when one has ended there is room again."""
    house = await open_house(max_calls_per_peer=3)
    table = await house.table()
    watches = [table.watch() for _ in range(3)]
    for call in watches:
        await call.read()
    with house.refuses("LIMIT_REACHED") as message:
        await table.session()
    assert "max_calls_per_peer" in message[0]
    watches[0].cancel()
    await until(lambda: house.server.gate.underway < 3)
    await table.session()


async def test_calls_underway_are_limited_in_all(open_house: OpenHouse) -> None:
    """The whole service has a limit too."""
    house = await open_house(max_calls=1)
    table = await house.table()
    await table.watch().read()
    with house.refuses("LIMIT_REACHED") as message:
        await table.session()
    assert "max_calls)" in message[0]


async def test_what_is_underway_is_forgotten_when_it_has_ended(
    house: House, tokens: tuple[str, ...], until: Until
) -> None:
    """However calls end, none is counted for ever."""
    table = await house.table()
    await table.play_out()
    with house.refuses("UNKNOWN_GAME"):
        await house.create("", "", game_id="chess")
    bot = await house.connect(tokens[0])
    await bot.leave()
    gone = await house.connect(tokens[1])
    gone.call.cancel()
    await until(lambda: not (house.server.gate.underway))


async def test_a_connection_carries_a_bounded_number_of_calls(open_house: OpenHouse) -> None:
    """What a client starts beyond it waits on its side: the service has not heard of it."""
    house = await open_house(max_calls_per_connection=2)
    table = await house.table()
    watches = [table.watch() for _ in range(2)]
    for call in watches:
        await call.read()
    third = asyncio.ensure_future(table.session())
    others = house.other_channel()
    games: Any = others.unary_unary("/croupier.v1.CatalogService/ListGames", None, None)
    for _ in range(5):
        await games(b"")
    assert not third.done()
    watches[0].cancel()
    await third


async def test_a_stream_without_hello_is_ended(house: House, tokens: tuple[str, ...], until: Until) -> None:
    """Who opens streams and says nothing does not keep them."""
    call = house.bots.Play(metadata=(("authorization", f"Bearer {tokens[0]}"),))
    reading = asyncio.ensure_future(call.read())
    await until(lambda: house.clock.pending)
    house.clock.advance(10)
    with house.refuses("LIMIT_REACHED") as message:
        await reading
    assert "hello" in message[0]


async def test_a_bot_that_has_said_hello_may_be_silent(house: House, tokens: tuple[str, ...]) -> None:
    """Waiting for a game is what bots do."""
    bot = await house.connect(tokens[0])
    house.clock.advance(3 * 86_400)
    await house.create(tokens[0], tokens[0])
    await bot.until(lambda: bot.turns)


async def test_a_call_that_takes_too_long_is_ended(open_house: OpenHouse, held_store: HeldStore) -> None:
    """With no deadline of its own it has the service's; what it has done meanwhile is done."""
    house = await open_house(held_store)
    held_store.hold()
    creating = asyncio.ensure_future(house.create("", ""))
    await held_store.waiting.wait()
    house.clock.advance(30)
    with house.refuses("LIMIT_REACHED") as message:
        await creating
    assert "30 s" in message[0]
    held_store.release()


async def test_who_waits_for_an_end_may_wait_long_but_not_for_ever(house: House, until: Until) -> None:
    """A day by default; then it is told to ask again."""
    table = await house.table()
    waiting = asyncio.ensure_future(table.session(wait_until_over=True))
    await until(lambda: house.hall.find(table.id).waiters)
    house.clock.advance(86_399)
    await house.breathe()
    assert not waiting.done()
    house.clock.advance(1)
    with house.refuses("LIMIT_REACHED") as message:
        await waiting
    assert "ask again" in message[0]
    assert not house.hall.find(table.id).waiters


async def test_a_watcher_that_does_not_read_is_cut_off_and_can_go_on(house: House) -> None:
    """It frees its place, is told why once it reads, and misses nothing with from_event."""
    table = await house.table()
    request = sessions_pb2.WatchSessionRequest(session_id=table.id)
    small = house.other_channel(("grpc.http2.lookahead_bytes", 1024), ("grpc.http2.bdp_probe", 0))
    calls = [_watch(small)(request) for _ in range(40)]
    await table.play_out()
    while not house.clock.pending:
        await house.breathe()
    blocked = len(house.clock.pending)
    house.clock.advance(30)
    while house.clock.pending:
        await house.breathe()
    ends = await asyncio.gather(*[_read_all(call) for call in calls])
    cut = [(events, error) for events, error in ends if error is not None]
    assert len(cut) == blocked
    assert "from_event" in house.explained(cut[0][1], "LIMIT_REACHED")
    everything, _ = await _read_all(table.watch())
    for events, _ in cut:
        rest, error = await _read_all(table.watch(from_event=len(events)))
        assert error is None
        assert events + rest == everything


def _watch(channel: aio.Channel) -> Any:
    return channel.unary_stream(
        "/croupier.v1.SessionService/WatchSession",
        request_serializer=sessions_pb2.WatchSessionRequest.SerializeToString,
        response_deserializer=sessions_pb2.WatchSessionResponse.FromString,
    )


async def _read_all(call: Any) -> tuple[list[int], Any]:
    """The numbers of the events, and the error that ended the watch."""
    numbers: list[int] = []
    try:
        async for step in call:
            numbers += [step.event.number] * (step.WhichOneof("step") == "event")
    except aio.AioRpcError as error:
        return numbers, error
    return numbers, None


async def test_a_health_watcher_that_leaves_silences_nobody(house: House, until: Until) -> None:
    """The others are still told that the service drains."""
    stub = health_pb2_grpc.HealthStub(house.channel)
    leaver, stayer = (stub.Watch(health_pb2.HealthCheckRequest()) for _ in range(2))
    for call in (leaver, stayer):
        assert (await call.read()).status == health_pb2.HealthCheckResponse.SERVING
    leaver.cancel()
    await until(lambda: not (house.server.gate.underway > 1))
    await house.server._health.enter_graceful_shutdown()
    assert (await stayer.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING


async def test_reflection_counts_as_any_other_stream(open_house: OpenHouse) -> None:
    """It is the libraries', and still limited."""
    house = await open_house(max_calls_per_peer=1)
    stub = reflection_pb2_grpc.ServerReflectionStub(house.channel)
    call = stub.ServerReflectionInfo()
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    await call.write(request)
    assert (await call.read()).list_services_response.service
    with house.refuses("LIMIT_REACHED"):
        await house.catalog.ListGames(catalog_pb2.ListGamesRequest())
    call.cancel()


async def test_unknown_methods_are_unimplemented(house: House) -> None:
    """And leave nothing behind."""
    call: Any = house.channel.unary_unary("/croupier.v1.SessionService/Nothing", None, None)
    with pytest.raises(aio.AioRpcError) as caught:
        await call(b"")
    assert caught.value.code() == grpc.StatusCode.UNIMPLEMENTED


async def test_a_full_batch_of_one_bot_lets_others_have_their_turn(house: House, tokens: tuple[str, ...]) -> None:
    """A thousand answers are refereed in slices: a call that came later is answered before the batch is done."""
    bot = await house.connect(tokens[0])
    nonsense = [sessions_pb2.SubmitActionRequest().answer] * 999
    refused = house.metrics.registry

    def so_far() -> float:
        return refused.get_sample_value("croupier_refusals_total", {"reason": "UNKNOWN_SESSION"}) or 0.0

    seen: list[float] = []
    await bot.call.write(bots_pb2.PlayRequest(answers=nonsense))
    while so_far() < 999:
        seen.append(so_far())
        await asyncio.sleep(0)
    assert len({count for count in seen if 0 < count < 999}) > 5
