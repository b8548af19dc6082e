"""ClaimSeat: open, reserved and taken seats, tokens, names and entropy."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from grpc import aio

from croupier.v1 import sessions_pb2

if TYPE_CHECKING:
    from tests.service.conftest import SEED, House, OpenHouse
else:
    SEED = bytes(range(32))


async def test_an_open_seat_gives_out_a_token(house: House) -> None:
    """Whoever claims without a token gets one that nobody else has."""
    table = await house.create("", "")
    first = await table.claim(seat=1, name="Bob")
    second = await table.claim(seat=0)
    assert first.seat == 1
    assert first.session.seats[1].name == "Bob"
    assert first.session.seats[1].state == sessions_pb2.SEAT_STATE_TAKEN
    assert first.session.state == sessions_pb2.SESSION_STATE_WAITING
    assert second.session.state == sessions_pb2.SESSION_STATE_RUNNING
    assert len({first.seat_token, second.seat_token}) == 2
    assert first.seat_token.encode() not in first.session.SerializeToString()


async def test_without_a_number_the_first_open_seat_is_given(house: House, tokens: tuple[str, ...]) -> None:
    """Reserved seats are passed over, unless the token is the one they wait for."""
    table = await house.create(tokens[0], "", tokens[1], "")
    assert (await table.claim()).seat == 1
    assert (await table.claim(tokens[1])).seat == 2
    assert (await table.claim(tokens[1])).seat == 3
    assert (await table.claim(tokens[0])).seat == 0


async def test_a_token_of_ones_own_is_kept(house: House, tokens: tuple[str, ...]) -> None:
    """A seat claimed with a token is put under it."""
    table = await house.create("", "")
    assert (await table.claim(tokens[0], seat=0)).seat_token == tokens[0]
    await table.claim()
    assert (await table.turn(0)).decision_id == 1


async def test_a_reserved_seat_is_for_its_token_only(house: House, tokens: tuple[str, ...]) -> None:
    """Neither a stranger nor another token gets it; its own does, and may give name and entropy."""
    table = await house.create(tokens[0], "")
    before = await table.session()
    for stranger in (None, tokens[1]):
        with house.refuses("TOKEN_NOT_FOR_THIS"):
            await table.claim(stranger, seat=0)
    assert await table.session() == before
    claimed = await table.claim(tokens[0], seat=0, name="Ann", entropy=b"mine")
    assert claimed.session.seats[0].name == "Ann"


async def test_a_taken_seat_stays_taken(house: House) -> None:
    """Neither its number nor "any" gets a seat that is not free, and the refused leave no trace."""
    table = await house.create("", "")
    await table.claim(seat=0)
    with house.refuses("SEAT_TAKEN"):
        await table.claim(seat=0)
    await table.claim(seat=1)
    holders = len(house.hall._holders)
    for seat in (0, 1, None):
        with house.refuses("SEAT_TAKEN"):
            await table.claim(seat=seat)
    assert len(house.hall._holders) == holders


async def test_of_two_who_claim_at_once_one_gets_the_seat(house: House) -> None:
    """A race has one winner; the other is told that the seat is taken."""
    table = await house.create("", "")
    results = await asyncio.gather(table.claim(seat=0), table.claim(seat=0), return_exceptions=True)
    (lost,) = [result for result in results if isinstance(result, BaseException)]
    assert isinstance(lost, aio.AioRpcError)
    house.explained(lost, "SEAT_TAKEN")


async def test_the_planned_name_stands_unless_another_is_given(house: House) -> None:
    """Names: the claim's, else the plan's, else the seat's number."""
    plans = [sessions_pb2.SeatPlan(name=name) for name in ("Ann", "Bob", "")]
    table = await house.create(seats=plans)
    table.tokens = [""] * 3
    await table.claim(name="Zoe")
    await table.claim()
    session = (await table.claim()).session
    assert [seat.name for seat in session.seats] == ["Zoe", "Bob", "seat 2"]


async def test_entropy_goes_into_the_deal_as_documented(house: House) -> None:
    """deal_seed = SHA-256("croupier/deal/1", service seed, then length and bytes of each seat's entropy)."""
    table = await house.create("", "", "")
    for seat, entropy in enumerate((b"abc", b"", bytes(64))):
        await table.claim(seat=seat, entropy=entropy)
    await table.play_out()
    record = await table.record()
    assert list(record.seat_entropy) == [b"abc", b"", bytes(64)]
    mixed = b"\x03abc" + b"\x00" + b"\x40" + bytes(64)
    assert record.deal_seed == sha256(b"croupier/deal/1" + SEED + mixed).digest()
    assert record.service_seed == SEED


async def test_without_entropy_the_deal_seed_is_the_services(house: House) -> None:
    """So duplicate deals can be made by giving the same seed."""
    table = await house.table()
    await table.play_out()
    assert (await table.record()).deal_seed == SEED


async def test_seats_can_be_claimed_when_no_more_sessions_can_be_opened(open_house: OpenHouse) -> None:
    """max_sessions limits new sessions, not sitting down in one that is there."""
    house = await open_house(max_sessions=1)
    table = await house.table()
    assert (await table.session()).state == sessions_pb2.SESSION_STATE_RUNNING


async def test_a_seat_can_not_be_claimed_when_all_is_over(house: House) -> None:
    """Ended sessions say how they ended."""
    aborted = await house.create("", "")
    await aborted.abort()
    with house.refuses("SESSION_ABORTED"):
        await aborted.claim()
    finished = await house.table()
    await finished.play_out()
    with house.refuses("SESSION_OVER"):
        await finished.claim(seat=0)


@pytest.mark.parametrize("games", [1, 3])
async def test_holders_are_let_go_with_their_last_game(house: House, games: int) -> None:
    """The service remembers a token no longer than it is of use, however the game ended."""
    tables = [await house.table() for _ in range(games)]
    await tables[0].play_out()
    for table in tables[1:]:
        await table.abort()
    assert not house.hall._holders


async def test_a_seat_is_known_by_its_token_after_the_end(house: House) -> None:
    """Whoever played may still look at the end with the seat's own eyes."""
    table = await house.table()
    await table.play_out()
    for seat in (0, 1):
        turn = await table.turn(seat)
        assert (turn.decision_id, turn.seat) == (0, seat)
        assert turn.view.lie.hand.cards
