"""Whoever asks too often waits for a turn, then is refused; nobody else notices."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from google.rpc.error_details_pb2 import RetryInfo
from grpc import aio
from grpc_status import rpc_status

from croupier.v1 import bots_pb2, catalog_pb2, sessions_pb2, turns_pb2
from croupier_service.limits import BURST_S, LONGEST_DELAY_S, Rate, peer_key, wasted_answers

if TYPE_CHECKING:
    from tests.service.attack.conftest import Until
    from tests.service.conftest import House, OpenHouse

RATE = 100
BURST = round(RATE * BURST_S)
MORE_THAN_FIT = round(RATE * (BURST_S + LONGEST_DELAY_S)) + 50


def ask(house: House, token: str = "", number: int = 1) -> list[asyncio.Task[Any]]:
    """So many calls at the same time."""
    metadata = (("authorization", f"Bearer {token}"),) if token else ()

    async def one() -> Any:
        return await house.catalog.ListGames(catalog_pb2.ListGamesRequest(), metadata=metadata)

    return [asyncio.ensure_future(one()) for _ in range(number)]


async def held(house: House, calls: list[asyncio.Task[Any]], until: Until) -> int:
    """How many of these calls wait for their turn, once all others have been answered."""
    await until(lambda: sum(call.done() for call in calls) + len(house.clock.pending) == len(calls))
    return len(house.clock.pending)


async def test_calls_beyond_the_rate_wait_for_their_turn(open_house: OpenHouse, until: Until) -> None:
    """A burst is answered at once, the next ones one by one as time passes, all of them in the end."""
    house = await open_house(calls_per_s_per_peer=RATE)
    calls = ask(house, number=BURST + 20)
    assert await held(house, calls, until) in (18, 19, 20)
    house.clock.advance(5 / RATE)
    assert await held(house, calls, until) in (13, 14, 15)
    house.clock.advance(LONGEST_DELAY_S)
    await asyncio.gather(*calls)


async def test_calls_for_which_there_is_no_turn_are_refused_with_a_time_to_come_back(
    open_house: OpenHouse, until: Until
) -> None:
    """LIMIT_REACHED names the limit, says when to try again, and is counted; no sooner than an answer."""
    house = await open_house(calls_per_s_per_peer=RATE)
    calls = ask(house, number=MORE_THAN_FIT)
    await held(house, calls, until)
    assert not [call for call in calls if call.done() and call.exception()]
    house.clock.advance(LONGEST_DELAY_S)
    answers = await asyncio.gather(*calls, return_exceptions=True)
    refused = [answer for answer in answers if isinstance(answer, aio.AioRpcError)]
    assert 40 <= len(refused) <= 50
    assert "calls_per_s_per_peer" in house.explained(refused[0], "LIMIT_REACHED")
    status = rpc_status.from_call(refused[0])  # type: ignore[arg-type]  # written for blocking calls
    again = RetryInfo()
    assert status is not None
    assert status.details[1].Unpack(again)
    assert again.retry_delay.ToTimedelta().total_seconds() >= LONGEST_DELAY_S
    label = {"limit": "calls_per_s_per_peer"}
    assert house.metrics.registry.get_sample_value("croupier_limits_reached_total", label) == len(refused)


async def test_a_token_has_a_rate_of_its_own(open_house: OpenHouse, tokens: tuple[str, ...], until: Until) -> None:
    """One token used too often keeps nobody else of the same address waiting."""
    house = await open_house(calls_per_s_per_token=RATE)
    greedy = ask(house, tokens[0], BURST + 20)
    assert await held(house, greedy, until) in (18, 19, 20)
    await asyncio.gather(*ask(house, tokens[1]), *ask(house))
    house.clock.advance(LONGEST_DELAY_S)
    await asyncio.gather(*greedy)


async def test_strangers_cannot_use_up_the_share_of_those_who_play(open_house: OpenHouse, until: Until) -> None:
    """Behind one address, seats are played while calls without a seat's token wait."""
    house = await open_house(calls_per_s_per_peer=RATE)
    table = await house.table()
    strangers = ask(house, number=BURST + 20)
    await until(lambda: house.clock.pending)
    await table.submit(0, index=0)
    for call in strangers:
        call.cancel()


async def test_the_operator_is_not_limited(open_house: OpenHouse, tokens: tuple[str, ...]) -> None:
    """Who may do everything may do it as often as needed, however busy others keep the service."""
    house = await open_house(operator_token=tokens[0], calls_per_s_per_peer=1, max_calls_per_peer=1)
    await asyncio.gather(*ask(house, tokens[0], 200))


async def test_large_requests_cost_more(open_house: OpenHouse, until: Until) -> None:
    """Sixteen calls' worth of bytes in one message count as such."""
    house = await open_house(calls_per_s_per_peer=RATE)
    request = sessions_pb2.GetSessionRequest(session_id="x" * 60_000)
    with house.refuses("UNKNOWN_SESSION"):
        await house.sessions.GetSession(request)
    waiting = ask(house)
    assert await held(house, waiting, until) == 1
    house.clock.advance(LONGEST_DELAY_S)
    await asyncio.gather(*waiting)


async def test_a_stream_that_plays_nothing_is_read_no_faster_than_its_rate(
    open_house: OpenHouse, tokens: tuple[str, ...], until: Until
) -> None:
    """Refused answers and empty messages hold up their own stream until time has passed; what was refused is told."""
    house = await open_house(refused_per_s_per_token=RATE)
    bot = await house.connect(tokens[0])
    await bot.answer(*[turns_pb2.Answer(session_id="none")] * 50)
    await bot.answer(turns_pb2.Answer(session_id="none"))
    await bot.answer(turns_pb2.Answer(session_id="next"))
    await bot.until(lambda: len(bot.refusals) == 51)
    await until(lambda: house.clock.pending)
    await house.breathe()
    house.clock.advance(1.0)
    await bot.until(lambda: len(bot.refusals) == 52)
    for _ in range(2 * RATE):
        await bot.call.write(bots_pb2.PlayRequest())
    await until(lambda: house.clock.pending)
    bot.call.cancel()


async def test_a_bot_that_plays_is_never_slowed_down(open_house: OpenHouse, tokens: tuple[str, ...]) -> None:
    """Moves cost nothing: a whole game is played with a rate of one wasted answer a second and no time passing."""
    house = await open_house(refused_per_s_per_token=1)
    await house.create(tokens[0], tokens[0])
    bot = await house.connect(tokens[0])
    await bot.play_all(2)


async def test_a_stream_ended_for_what_it_sent_costs_its_peer_dearly(
    open_house: OpenHouse, tokens: tuple[str, ...], until: Until
) -> None:
    """Who breaks the protocol again and again waits longer and longer before each try."""
    house = await open_house(calls_per_s_per_peer=RATE)
    bots: Any = house.bots
    call = bots.Play(metadata=(("authorization", f"Bearer {tokens[0]}"),))
    await call.write(bots_pb2.PlayRequest())
    with house.refuses("PROTOCOL_ERROR"):
        await call.read()
    refused = ask(house)
    assert await held(house, refused, until) == 1
    house.clock.advance(LONGEST_DELAY_S)
    with house.refuses("LIMIT_REACHED"):
        await refused[0]


@pytest.mark.parametrize(
    ("peer", "key"),
    [
        ("ipv4:10.1.2.3:4567", "10.1.2.3"),
        ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:4567", "2001:db8:1:2::"),
        ("ipv6:[2001:db8:1:2::9]:1", "2001:db8:1:2::"),
        ("ipv6:%5B::ffff:10.1.2.3%5D:1", "10.1.2.3"),
        ("ipv6:nonsense:1", "nonsense"),
        ("unix:", "unix"),
        ("unix:/run/croupier.sock", "unix"),
    ],
)
def test_a_peer_is_an_address_without_its_port(peer: str, key: str) -> None:
    """All connections of a machine are one peer; of IPv6 its whole network is."""
    assert peer_key(peer) == key


def test_a_rate_remembers_a_bounded_number_of_keys() -> None:
    """However many tokens somebody makes up, memory does not grow; the one in use is not forgotten."""
    rate = Rate(1, most_keys=100)
    for number in range(10_000):
        rate.charge("busy", 1.0, 0.0)
        rate.charge(number, 1.0, 0.0)
    assert len(rate) == 100
    assert rate.charge("busy", 1.0, 0.0) > 1_000


@pytest.mark.parametrize(
    ("answers", "played", "size", "wasted"),
    [(0, 0, 1, 1), (5, 5, 300, 0), (5, 7, 300, 0), (5, 2, 300, 3), (1, 1, 512 * 11, 10), (0, 0, 512 * 11, 11)],
)
def test_what_counts_as_wasted(answers: int, played: int, size: int, wasted: float) -> None:
    """Answers that played nothing, messages with none, and padding."""
    assert wasted_answers(answers, played, size) == wasted
