"""A seat's token can be replaced: the old one ends at once, everywhere, and for good."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from grpc import aio

from croupier.v1 import sessions_pb2
from croupier_service.store import Created, Rotated
from croupier_service.store.entries import decode, encode

if TYPE_CHECKING:
    from tests.service.conftest import House, OpenHouse, Table, VirtualClock
    from tests.service.security.conftest import Disk

EOF: object = aio.EOF  # type: ignore[attr-defined]  # missing in the stubs


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


async def rotate(table: Table, seat: int, new: str = "", token: str = "") -> str:
    """Puts the seat under another token, which the table then uses."""
    request = sessions_pb2.RotateSeatTokenRequest(session_id=table.id, seat=seat, token=new)
    answer = await table.house.sessions.RotateSeatToken(request, metadata=bearer(token or table.owner_token))
    table.tokens[seat] = answer.seat_token
    return answer.seat_token


async def test_the_old_token_ends_and_the_new_one_plays_on(house: House) -> None:
    """Nothing else changes: the seat sees what it saw, and its open decision stays open."""
    table = await house.table()
    old, before = table.tokens[0], await table.turn(0)
    new = await rotate(table, 0)
    assert len(new) >= 22
    assert new != old
    with house.refuses("TOKEN_NOT_FOR_THIS"):
        await house.sessions.GetTurn(sessions_pb2.GetTurnRequest(session_id=table.id, seat=0), metadata=bearer(old))
    with house.refuses("TOKEN_NOT_FOR_THIS"):
        await table.submit(0, token=old, index=0)
    with house.refuses("TOKEN_NOT_FOR_THIS"):
        await table.forfeit(0, token=old)
    assert await table.turn(0) == before
    assert (await table.play_out()).state == sessions_pb2.SESSION_STATE_FINISHED


async def test_an_open_stream_loses_the_seat_and_keeps_the_others(house: House, tokens: tuple[str, ...]) -> None:
    """For the old bot the game is over with no result; the new one is seated and asked, as if it had been there."""
    table = await house.create(tokens[0], tokens[0])
    old, new = await house.connect(tokens[0]), await house.connect(tokens[1])
    turn = await old.next_turn(table, 0)
    await rotate(table, 0, tokens[1])
    await old.until(lambda: (table.id, 0) in old.over)
    assert not old.over[table.id, 0].HasField("outcome")
    refusal = await old.refused(table.answer(turn))
    assert refusal.reason == "TOKEN_NOT_FOR_THIS"
    asked = await new.next_turn(table, 0)
    assert asked == turn
    assert [(seated.session_id, seated.seat) for seated in new.seated] == [(table.id, 0)]
    await new.answer(table.answer(asked))
    await old.answer(table.answer(await old.next_turn(table, 1)))
    await new.until(lambda: (table.id, 0) in new.turns)
    assert all(key == (table.id, 1) for message in old.messages[2:] for key in _turns(message))


def _turns(message: object) -> list[tuple[str, int]]:
    return [(turn.session_id, turn.seat) for turn in getattr(message, "turns", ())]


async def test_a_watch_with_the_old_token_ends(house: House) -> None:
    """It had the seat's eyes; that of another seat goes on."""
    table = await house.table()
    shut, other = table.watch(0), table.watch(1)
    for watch in (shut, other):
        assert (await watch.read()).HasField("start")
    await rotate(table, 0)
    with house.refuses("TOKEN_NOT_FOR_THIS"):
        while await shut.read() is not EOF:
            pass
    await table.play_out()
    last = None
    while (step := await other.read()) is not EOF:
        last = step
    assert last is not None
    assert last.HasField("over")


async def test_only_the_owner_replaces_tokens(open_house: OpenHouse, tokens: tuple[str, ...]) -> None:
    """Not a seat's holder, who may be the thief, and not the operator, who is not to see hidden cards."""
    operator = "operator-" + "o" * 30
    house = await open_house(operator_token=operator)
    table = await house.table(operator_token=operator)
    before = await table.everything()
    for token in (table.tokens[0], table.tokens[1], operator, tokens[7]):
        with house.refuses("TOKEN_NOT_FOR_THIS"):
            await rotate(table, 0, token=token)
    with house.refuses("TOKEN_MISSING"):
        await house.sessions.RotateSeatToken(sessions_pb2.RotateSeatTokenRequest(session_id=table.id))
    assert await table.everything() == before


async def test_what_cannot_be_replaced_is_refused_and_changes_nothing(house: House) -> None:
    """A seat that there is not, an open one, the same token again, a token that is none, an ended session."""
    table = await house.create("", "")
    with house.refuses("BAD_REQUEST"):
        await rotate(table, 0)
    for seat in range(2):
        await table.claim(seat=seat)
    tokens = list(table.tokens)
    for seat, new in ((2, ""), (0, tokens[0]), (0, "short")):
        with house.refuses("BAD_REQUEST"):
            await rotate(table, seat, new)
    assert table.tokens == tokens
    await table.turns()
    await table.abort()
    with house.refuses("SESSION_ABORTED"):
        await rotate(table, 0)


async def test_a_reserved_seat_waits_for_the_new_token(house: House, tokens: tuple[str, ...]) -> None:
    """The old one can no longer take it; whoever has the new one does, and the game is dealt."""
    table = await house.create(tokens[0], "")
    await table.claim(seat=1)
    await rotate(table, 0, tokens[1])
    with house.refuses("TOKEN_NOT_FOR_THIS"):
        await table.claim(tokens[0], seat=0)
    assert (await table.session()).state == sessions_pb2.SESSION_STATE_WAITING
    bot = await house.connect(tokens[1])
    await bot.next_turn(table, 0)


async def test_a_reserved_seat_is_taken_at_once_by_a_bot_that_is_there(house: House, tokens: tuple[str, ...]) -> None:
    """As at the creation of a session."""
    table = await house.create(tokens[0], "")
    await table.claim(seat=1)
    bot = await house.connect(tokens[1])
    await rotate(table, 0, tokens[1])
    await bot.next_turn(table, 0)


async def test_a_new_token_has_all_the_time_to_connect(house: House, clock: VirtualClock) -> None:
    """The reconnect limit counts from the change on, and then holds."""
    table = await house.table(time_control=sessions_pb2.TimeControl(reconnect_ms=10_000))
    clock.advance(9)
    await rotate(table, 0)
    clock.advance(9)
    seats = (await table.session()).seats
    assert seats[0].state == sessions_pb2.SEAT_STATE_TAKEN
    assert seats[1].forfeit_cause == sessions_pb2.FORFEIT_CAUSE_DISCONNECTED


async def test_a_restored_session_knows_only_the_new_token(disk: Disk, open_house: OpenHouse) -> None:
    """The change is in the log like everything else: another service that reads it refuses the old token."""
    house = await open_house(store=disk.store)
    table = await house.table()
    old = table.tokens[0]
    await table.submit(0, index=0)
    await rotate(table, 0)
    await table.submit(1, index=0)
    expected = await table.turns()
    table.house = again = await open_house(store=disk.as_left_by_a_crash())
    assert await table.turns() == expected
    with again.refuses("TOKEN_NOT_FOR_THIS"):
        await table.submit(0, token=old, decision_id=1, index=0)
    assert (await table.play_out()).state == sessions_pb2.SESSION_STATE_FINISHED
    assert not again.hall._holders


async def test_records_say_nothing_of_tokens(house: House) -> None:
    """The record has the actions, and neither the change nor a hash."""
    table = await house.table()
    await rotate(table, 0)
    await table.play_out()
    record = await table.record()
    entries = await house.store.load(table.id)
    (rotated,) = [entry for entry in entries if isinstance(entry, Rotated)]
    assert rotated.token_hash not in record.SerializeToString()
    assert all(entry.WhichOneof("entry") in ("action", "forfeit") for entry in record.entries)


@pytest.mark.parametrize("entry", [Rotated(1_234, 1, bytes(range(32))), Rotated(0, 0, bytes(32))])
def test_the_entry_is_read_as_it_was_written(entry: Rotated) -> None:
    """Bit for bit."""
    assert decode(encode(entry)) == entry


async def test_logs_of_before_spectators_had_a_policy_are_still_read(house: House) -> None:
    """What was written without the field is open to spectators."""
    table = await house.table()
    created = (await house.store.load(table.id))[0]
    assert isinstance(created, Created)
    fields = json.loads(encode(created))
    older = fields[: 1 + Created._fields.index("spectator_delay")]
    assert len(older) < len(fields)
    assert decode(json.dumps(older).encode()) == created
