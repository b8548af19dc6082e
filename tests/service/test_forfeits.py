"""Giving up: who may, what happens to the game, and where it leaves everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from grpc import aio

from croupier.v1 import records_pb2, sessions_pb2

if TYPE_CHECKING:
    from tests.service.conftest import House

EOF: object = aio.EOF  # type: ignore[attr-defined]  # missing in the stubs

CAUSES = ["RESIGNED", "TIME", "ILLEGAL", "DISCONNECTED", "CRASHED", "PROTOCOL"]


def places(session: sessions_pb2.Session) -> list[int]:
    return [result.place for result in session.outcome.results]


async def test_with_two_seats_resigning_ends_the_game_at_once(house: House) -> None:
    """The other seat wins; the outcome says why there are no figures."""
    table = await house.table()
    session = await table.forfeit(1)
    assert session.state == sessions_pb2.SESSION_STATE_FINISHED
    assert places(session) == [1, 2]
    assert session.outcome.reason == "every seat but 0 was forfeited"
    assert not session.outcome.results[0].HasField("points")
    assert session.outcome.results[0].forfeit_cause == sessions_pb2.FORFEIT_CAUSE_UNSPECIFIED
    assert session.outcome.results[1].forfeit_cause == sessions_pb2.FORFEIT_CAUSE_RESIGNED
    assert session.seats[1].state == sessions_pb2.SEAT_STATE_FORFEITED


@pytest.mark.parametrize("cause", CAUSES)
async def test_the_owner_may_give_any_cause(house: House, cause: str) -> None:
    """The session's creator says why a seat cannot go on, and it stands in the outcome."""
    table = await house.table()
    session = await table.forfeit(0, f"FORFEIT_CAUSE_{cause}", token=table.owner_token)
    assert session.outcome.results[0].forfeit_cause == sessions_pb2.ForfeitCause.Value(f"FORFEIT_CAUSE_{cause}")
    assert places(session) == [2, 1]


@pytest.mark.parametrize("cause", CAUSES[1:])
async def test_a_holder_may_only_resign(house: House, cause: str) -> None:
    """Other causes are the owner's to give; nothing changes."""
    table = await house.table()
    before = await table.everything()
    with house.refuses("TOKEN_NOT_FOR_THIS"):
        await table.forfeit(0, f"FORFEIT_CAUSE_{cause}")
    assert await table.everything() == before


async def test_nobody_else_may_give_up_a_seat(house: House, tokens: tuple[str, ...]) -> None:
    """Neither the other seat, nor a stranger, nor somebody without a token."""
    table = await house.table()
    before = await table.everything()
    for token in (table.tokens[1], tokens[0]):
        with house.refuses("TOKEN_NOT_FOR_THIS"):
            await table.forfeit(0, token=token)
    with house.refuses("TOKEN_MISSING"):
        await house.sessions.ForfeitSeat(sessions_pb2.ForfeitSeatRequest(session_id=table.id, seat=0))
    assert await table.everything() == before


async def test_the_owner_must_say_which_seat(house: House) -> None:
    """An owner has no seat of its own to mean."""
    table = await house.table()
    for seat in (None, 2):
        with house.refuses("BAD_REQUEST"):
            await table.forfeit(seat, token=table.owner_token)
    with house.refuses("BAD_REQUEST"):
        await table.forfeit(0, 99, token=table.owner_token)  # type: ignore[arg-type]


async def test_a_seat_gives_up_once_and_only_while_the_game_runs(house: House) -> None:
    """Twice, too early and too late are refused."""
    waiting = await house.create("", "")
    await waiting.claim()
    with house.refuses("SESSION_WAITING"):
        await waiting.forfeit(0)
    table = await house.table(3)
    await table.forfeit(0)
    with house.refuses("SEAT_FORFEITED"):
        await table.forfeit(0)
    await table.forfeit(1)
    with house.refuses("SESSION_OVER"):
        await table.forfeit(2)


async def test_the_others_finish_and_those_who_gave_up_are_last(house: House) -> None:
    """With four seats two give up, the house plays them, and the earliest to go is placed last."""
    table = await house.table(4)
    await table.forfeit(2)
    await table.submit(0, index=0)
    await table.forfeit(0)
    assert (await table.session()).state == sessions_pb2.SESSION_STATE_RUNNING
    session = await table.play_out()
    result = places(session)
    assert (result[2], result[0]) == (4, 3)
    assert sorted((result[1], result[3])) in ([1, 1], [1, 2])
    assert session.outcome.reason != "every seat but 0 was forfeited"
    entries = (await table.record()).entries
    forfeits = [entry.forfeit.seat for entry in entries if entry.HasField("forfeit")]
    assert forfeits == [2, 0]
    house_played = {entry.action.seat for entry in entries if entry.action.chooser == records_pb2.CHOOSER_HOUSE}
    assert house_played == {0, 2}


async def test_a_seat_that_was_given_up_can_play_no_more(house: House) -> None:
    """Its answers are refused, its turn asks nothing, and it may still look on."""
    table = await house.table(3)
    await table.forfeit(0)
    with house.refuses("SEAT_FORFEITED"):
        await table.submit(0, decision_id=1, index=0)
    turn = await table.turn(0)
    assert turn.decision_id == 0
    assert turn.HasField("view")


async def test_the_house_plays_the_same_for_the_same_seed_and_forfeits(house: House) -> None:
    """Same seed, same actions, same forfeits: the same record, and another seed deals and plays otherwise."""
    records = []
    for seed in (bytes(32), bytes(32), bytes([1]) * 32):
        table = await house.table(3, seed=seed)
        await table.submit(2, index=0)
        await table.forfeit(1)
        await table.play_out()
        record = await table.record()
        records.append([entry.SerializeToString() for entry in record.entries])
    assert records[0] == records[1]
    assert records[0] != records[2]


async def test_streams_are_told_how_a_forfeited_game_ended(house: House, tokens: tuple[str, ...]) -> None:
    """Both bots get the outcome, the one that resigned too."""
    table = await house.create(*tokens[:2])
    bots = [await house.connect(token) for token in tokens[:2]]
    for seat, bot in enumerate(bots):
        await bot.next_turn(table, seat)
    session = await table.forfeit(0)
    for seat, bot in enumerate(bots):
        await bot.until_over()
        assert bot.over[table.id, seat].outcome == session.outcome


async def test_whoever_is_next_is_asked_when_a_seat_gives_up(house: House, tokens: tuple[str, ...]) -> None:
    """The seat that holds up the game gives up; the house decides for it, and the next one's turn arrives."""
    table = await house.create(*tokens[:3])
    bots = [await house.connect(token) for token in tokens[:3]]
    for seat, bot in enumerate(bots):
        await bot.answer(table.answer(await bot.next_turn(table, seat)))
    await bots[0].next_turn(table, 0)
    await table.forfeit(0)
    turn = await bots[1].next_turn(table, 1)
    assert turn.decision_id == 2
    assert turn.view.lie.bids[0].seat == 0


async def test_only_the_owner_aborts(house: House, tokens: tuple[str, ...]) -> None:
    """Players, strangers and the nameless may not; nothing changes."""
    table = await house.table()
    before = await table.everything()
    for token in (table.tokens[0], tokens[0]):
        with house.refuses("TOKEN_NOT_FOR_THIS"):
            await table.abort(token)
    with house.refuses("TOKEN_MISSING"):
        await house.sessions.AbortSession(sessions_pb2.AbortSessionRequest(session_id=table.id))
    other = await house.table()
    with house.refuses("TOKEN_NOT_FOR_THIS"):
        await table.abort(other.owner_token)
    assert await table.everything() == before


async def test_everybody_is_told_of_an_abort(house: House, tokens: tuple[str, ...]) -> None:
    """Streams get a game over with no outcome, those who wait an aborted session, later moves a refusal."""
    table = await house.create(*tokens[:2])
    bots = [await house.connect(token) for token in tokens[:2]]
    turn = await bots[0].next_turn(table, 0)
    waiting = house.sessions.GetSession(sessions_pb2.GetSessionRequest(session_id=table.id, wait_until_over=True))
    watching = table.watch()
    await watching.read()
    session = await table.abort()
    assert session.state == sessions_pb2.SESSION_STATE_ABORTED
    assert not session.HasField("outcome")
    assert (await waiting).session == session
    for seat, bot in enumerate(bots):
        await bot.until_over()
        assert not bot.over[table.id, seat].HasField("outcome")
    while (step := await watching.read()).WhichOneof("step") == "event":
        pass
    assert step.over == session
    assert await watching.read() is EOF
    assert (await bots[0].refused(table.answer(turn))).reason == "SESSION_ABORTED"
    with house.refuses("SESSION_ABORTED"):
        await table.abort()


async def test_an_aborted_game_has_a_record_if_it_was_dealt(house: House) -> None:
    """What was played can be seen; before the deal there is nothing to record."""
    table = await house.table()
    await table.submit(0, index=0)
    await table.abort()
    record = await table.record()
    assert len(record.entries) == 1
    assert record.session.state == sessions_pb2.SESSION_STATE_ABORTED
    waiting = await house.create("", "")
    await waiting.abort()
    with house.refuses("SESSION_ABORTED"):
        await waiting.record()


async def test_a_finished_session_cannot_be_aborted(house: House) -> None:
    """A result stays."""
    table = await house.table()
    finished = await table.play_out()
    with house.refuses("SESSION_OVER"):
        await table.abort()
    assert await table.session() == finished
