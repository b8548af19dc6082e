"""As much as the service allows, and clients that ask for more."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import grpc
import pytest
from grpc import aio

from croupier.v1 import bots_pb2, catalog_pb2, sessions_pb2, turns_pb2
from croupier.v1.sessions_pb2 import SeatPlan
from croupier_service.store import ForfeitCause

if TYPE_CHECKING:
    from tests.service.conftest import Bot, House, OpenHouse


async def still_serving(house: House) -> None:
    """Somebody else can open and play a session to its end."""
    table = await house.table()
    assert (await table.play_out()).state == sessions_pb2.SESSION_STATE_FINISHED


async def test_open_sessions_are_limited(open_house: OpenHouse) -> None:
    """One too many is refused; when one has ended there is room again."""
    house = await open_house(max_sessions=2)
    tables = [await house.create("", "") for _ in range(2)]
    with house.refuses("LIMIT_REACHED"):
        await house.create("", "")
    await tables[0].abort()
    await house.create("", "")


async def test_a_message_too_large_is_refused_and_the_service_lives_on(
    open_house: OpenHouse, tokens: tuple[str, ...]
) -> None:
    """RESOURCE_EXHAUSTED for a call and for a stream; other calls on the same connection go on."""
    house = await open_house(max_message_bytes=10_000)
    with pytest.raises(aio.AioRpcError) as caught:
        await house.create("", "", game_id="x" * 20_000)
    assert caught.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    bot = await house.connect(tokens[0])
    await bot.call.write(bots_pb2.PlayRequest(answers=[turns_pb2.Answer(notation="x" * 20_000)]))
    assert (await bot.end()).code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    while house.hall._holders:
        await house.breathe()
    await still_serving(house)


async def test_a_bot_that_floods_garbage_is_shown_the_door(house: House, tokens: tuple[str, ...]) -> None:
    """A thousand refused answers in a row end the stream and cost it its games; others have not noticed."""
    table = await house.create(*tokens[:3])
    bot = await house.connect(tokens[0])
    for token in tokens[1:3]:
        await house.connect(token)
    nonsense = [turns_pb2.Answer(session_id="none", notation="x" * 100)] * 250
    for _ in range(4):
        await bot.answer(*nonsense)
    message = house.explained(await bot.end(), "PROTOCOL_ERROR")
    assert "1000 answers in a row" in message
    session = await table.session()
    assert session.state == sessions_pb2.SESSION_STATE_RUNNING
    assert [seat.state == sessions_pb2.SEAT_STATE_FORFEITED for seat in session.seats] == [True, False, False]
    (running,) = [each for each in house.hall._sessions.values() if each.id == table.id]
    assert running.chairs[0].cause is ForfeitCause.PROTOCOL
    await still_serving(house)


async def test_a_good_answer_between_bad_ones_starts_the_count_anew(house: House, tokens: tuple[str, ...]) -> None:
    """Only an unbroken row of refusals ends the stream."""
    table = await house.create(tokens[0], tokens[0])
    bot = await house.connect(tokens[0])
    turns = [await bot.next_turn(table, seat) for seat in (0, 1)]
    nonsense = [turns_pb2.Answer(session_id="none")] * 600
    await bot.answer(*nonsense, table.answer(turns[0]))
    await bot.answer(*nonsense, table.answer(turns[1]))
    assert (await bot.next_turn(table, 0)).decision_id == 2
    assert len(bot.refusals) == 1200


async def never_reads(house: House, token: str) -> Bot:
    """A bot on a connection of its own whose window is as small as HTTP/2 allows."""
    channel = house.other_channel(("grpc.http2.lookahead_bytes", 1024), ("grpc.http2.bdp_probe", 0))
    return await house.connect(token, channel)


async def test_a_bot_that_never_reads_is_cut_off(open_house: OpenHouse, tokens: tuple[str, ...]) -> None:
    """What waits for it is bounded; its stream ends with LIMIT_REACHED; others have not noticed."""
    house = await open_house(max_outbox_bytes=50_000)
    bot = await never_reads(house, tokens[0])
    running = await house.create(tokens[0], tokens[0])
    (holder,) = house.hall._holders.values()
    plans = [SeatPlan(name="x" * 64, token=tokens[0])] * 6
    while holder.streams:
        await (await house.create(seats=plans)).abort()
    await still_serving(house)
    assert "does not read" in house.explained(await bot.end(), "LIMIT_REACHED")
    again = await house.connect(tokens[0])
    await again.next_turn(running, 1)


async def test_a_bot_that_sends_and_never_reads_holds_up_itself_only(house: House, tokens: tuple[str, ...]) -> None:
    """The service stops reading what it cannot answer, so that nothing piles up; when the bot reads, all is there."""
    bot = await never_reads(house, tokens[0])
    sent = asyncio.ensure_future(send_nonsense(bot, 20))
    await still_serving(house)
    await bot.until(lambda: len(bot.refusals) == 900)
    await sent
    assert {refusal.reason for refusal in bot.refusals} == {"UNKNOWN_SESSION"}


async def send_nonsense(bot: Bot, messages: int) -> None:
    for _ in range(messages):
        await bot.answer(*[turns_pb2.Answer(session_id="none", request_id="x" * 64)] * 45)


@pytest.mark.parametrize("page_size", [501, 2**32 - 1])
async def test_pages_are_no_larger_than_promised(house: House, page_size: int) -> None:
    """More than 500 is refused, not cut down in silence."""
    with house.refuses("BAD_REQUEST"):
        await house.sessions.ListSessions(sessions_pb2.ListSessionsRequest(page_size=page_size))


@pytest.mark.parametrize(
    "seats",
    [
        [SeatPlan(name="x" * 65), SeatPlan()],
        [SeatPlan(name="tab\there"), SeatPlan()],
        [SeatPlan(token="short"), SeatPlan()],
        [SeatPlan(token="x" * 129), SeatPlan()],
        [SeatPlan(token="with spaces in between, long"), SeatPlan()],
        [SeatPlan(token="ü" * 30), SeatPlan()],
    ],
)
async def test_names_and_tokens_of_bad_shape_are_refused(house: House, seats: list[SeatPlan]) -> None:
    """Nothing is opened, and the token is not echoed."""
    with house.refuses("BAD_REQUEST") as message:
        await house.create(seats=seats)
    for plan in seats:
        assert not plan.token or plan.token not in message[0]
    assert not (await house.sessions.ListSessions(sessions_pb2.ListSessionsRequest())).sessions
    assert not house.hall._holders


@pytest.mark.parametrize("seed", [b"x", bytes(31), bytes(33)])
async def test_a_seed_has_32_bytes(house: House, seed: bytes) -> None:
    """Anything else is refused."""
    with house.refuses("BAD_REQUEST"):
        await house.create("", "", seed=seed)


async def test_the_longest_of_everything_is_taken(house: House) -> None:
    """Names of 64 characters, tokens of 22 and 128, entropy of 64 bytes, request ids of 64 characters."""
    table = await house.create(seats=[SeatPlan(token="a" * 22), SeatPlan(token="b" * 128)])
    table.tokens = ["a" * 22, "b" * 128]
    await table.claim(table.tokens[0], name="ü" * 64, entropy=bytes(64))
    await table.claim(table.tokens[1])
    await table.submit(0, index=0, request_id="x" * 64)


async def test_claims_of_bad_shape_are_refused(house: House) -> None:
    """Too long a name, too much entropy, a seat that is not there."""
    table = await house.create("", "")
    before = await table.session()
    for request in ({"name": "x" * 65}, {"entropy": bytes(65)}, {"seat": 2}, {"seat": 2**32 - 1}):
        with house.refuses("BAD_REQUEST"):
            await table.claim(**request)
    assert await table.session() == before


async def test_a_plan_longer_than_any_game_is_refused_before_it_is_walked(house: House) -> None:
    """Half a million seats or options in one message must cost nobody else a move."""
    with house.refuses("BAD_REQUEST"):
        await house.create(*[""] * 65)
    with house.refuses("BAD_REQUEST"):
        await house.create("", "", options={str(number): catalog_pb2.OptionValue(number=1) for number in range(65)})
