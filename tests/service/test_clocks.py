"""Time limits, in virtual time: exactly at the limit and not before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from croupier.v1 import sessions_pb2
from croupier.v1.sessions_pb2 import TimeControl
from croupier_service.store import ForfeitCause, Forfeited

if TYPE_CHECKING:
    from tests.service.conftest import House, Table

ALMOST = 0.999


async def lost(house: House, table: Table) -> list[tuple[int, str]]:
    """Who has forfeited, and why."""
    entries = [entry for entry in await house.store.load(table.id) if isinstance(entry, Forfeited)]
    return [(entry.seat, entry.cause.name) for entry in entries]


async def bidding(house: House, pace: TimeControl, seats: int = 2) -> Table:
    """A session in which seat 0 has just been asked to bid."""
    table = await house.table(seats, time_control=pace)
    await table.arrange()
    return table


async def test_a_move_in_time_is_taken_and_one_too_late_is_not(house: House) -> None:
    """move_ms: at 999 of 1000 milliseconds the seat may still move, at 1000 it has forfeited."""
    table = await bidding(house, TimeControl(move_ms=1000))
    house.clock.advance(ALMOST)
    assert (await table.turn(0)).time_left_ms == 1
    await table.play((0, "1x1"))
    house.clock.advance(ALMOST)
    assert await lost(house, table) == []
    house.clock.advance(0.001)
    assert await lost(house, table) == [(1, "TIME")]
    session = await table.session()
    assert session.state == sessions_pb2.SESSION_STATE_FINISHED
    assert session.outcome.results[1].forfeit_cause == sessions_pb2.FORFEIT_CAUSE_TIME
    assert [result.place for result in session.outcome.results] == [1, 2]


async def test_each_move_has_its_full_time(house: House) -> None:
    """Many slow moves, each in time, cost nothing under a limit per move: the alarm that stands rings in vain."""
    table = await bidding(house, TimeControl(move_ms=1000))
    for number in range(1, 7):
        assert (await table.turn((number - 1) % 2)).time_left_ms == 1000
        house.clock.advance(ALMOST)
        await table.play(((number - 1) % 2, f"1x{number}"))
    assert await lost(house, table) == []
    assert len(house.clock.pending) == 1


async def test_the_game_clock_runs_only_in_ones_own_decisions(house: House) -> None:
    """game_ms: what one seat thinks is not charged to the other."""
    table = await bidding(house, TimeControl(game_ms=1000))
    house.clock.advance(0.6)
    await table.play((0, "1x1"))
    assert (await table.turn(1)).time_left_ms == 1000
    house.clock.advance(ALMOST)
    await table.play((1, "1x2"))
    assert (await table.turn(0)).time_left_ms == 400
    house.clock.advance(0.399)
    assert await lost(house, table) == []
    house.clock.advance(0.001)
    assert await lost(house, table) == [(0, "TIME")]


async def test_the_increment_is_added_after_each_decision(house: House) -> None:
    """increment_ms: a seat that answers within it gains time, and it is not there before the decision is made."""
    table = await bidding(house, TimeControl(game_ms=1000, increment_ms=300))
    assert (await table.turn(0)).time_left_ms == 1300
    house.clock.advance(0.1)
    await table.play((0, "1x1"), (1, "1x2"))
    assert (await table.turn(0)).time_left_ms == 1500
    house.clock.advance(1.499)
    assert await lost(house, table) == []
    house.clock.advance(0.001)
    assert await lost(house, table) == [(0, "TIME")]


@pytest.mark.parametrize(
    ("pace", "left_ms"), [(TimeControl(move_ms=500, game_ms=800), 500), (TimeControl(move_ms=500, game_ms=300), 300)]
)
async def test_of_two_limits_the_nearer_counts(house: House, pace: TimeControl, left_ms: int) -> None:
    """move_ms and game_ms together."""
    table = await bidding(house, pace)
    assert (await table.turn(0)).time_left_ms == left_ms
    house.clock.advance((left_ms - 1) / 1000)
    assert await lost(house, table) == []
    house.clock.advance(0.001)
    assert await lost(house, table) == [(0, "TIME")]


async def test_both_limits_over_several_moves(house: House) -> None:
    """The game clock shrinks below the limit per move and then is the one that counts."""
    table = await bidding(house, TimeControl(move_ms=500, game_ms=700))
    house.clock.advance(0.375)
    await table.play((0, "1x1"), (1, "1x2"))
    assert (await table.turn(0)).time_left_ms == 325
    house.clock.advance(0.325)
    assert await lost(house, table) == [(0, "TIME")]


async def test_a_seat_out_of_time_is_played_on_and_the_others_keep_their_clocks(house: House) -> None:
    """With three seats the game goes on; the next to decide has its full time from that moment."""
    table = await bidding(house, TimeControl(move_ms=1000), seats=3)
    house.clock.advance(1.0)
    assert await lost(house, table) == [(0, "TIME")]
    assert (await table.turn(1)).time_left_ms == 1000
    house.clock.advance(ALMOST)
    assert len(await lost(house, table)) == 1
    house.clock.advance(0.001)
    assert await lost(house, table) == [(0, "TIME"), (1, "TIME")]
    assert (await table.session()).state == sessions_pb2.SESSION_STATE_FINISHED


async def test_simultaneous_decisions_have_a_clock_each(house: House) -> None:
    """Of those who arrange, only those who are too slow forfeit."""
    table = await house.table(3, time_control=TimeControl(move_ms=1000))
    house.clock.advance(0.5)
    await table.submit(1, index=0)
    house.clock.advance(0.5)
    assert await lost(house, table) == [(0, "TIME"), (2, "TIME")]
    places = [result.place for result in (await table.session()).outcome.results]
    assert places[1] == 1


async def test_a_refused_answer_does_not_turn_back_the_clock(house: House) -> None:
    """Illegal answers cost the time they take."""
    table = await bidding(house, TimeControl(move_ms=1000))
    house.clock.advance(0.7)
    with house.refuses("ILLEGAL_ACTION"):
        await table.submit(0, index=999)
    assert (await table.turn(0)).time_left_ms == 300
    house.clock.advance(0.3)
    assert await lost(house, table) == [(0, "TIME")]


async def test_no_limits_no_forfeits(house: House, tokens: tuple[str, ...]) -> None:
    """Without a time control nobody ever forfeits, connected or not, and no alarm is set."""
    table = await house.create(tokens[0], "")
    bot = await house.connect(tokens[0])
    await table.claim()
    await bot.next_turn(table, 0)
    await bot.leave()
    house.clock.advance(10**9)
    assert await lost(house, table) == []
    assert not house.clock.pending
    assert not (await table.turn(1)).HasField("time_left_ms")


async def test_no_alarm_outlives_its_session(house: House) -> None:
    """Finished and aborted sessions leave the clock alone."""
    played = await bidding(house, TimeControl(move_ms=1000, reconnect_ms=5000))
    aborted = await bidding(house, TimeControl(game_ms=1000))
    await played.play_out()
    await aborted.abort()
    assert not house.clock.pending
    house.clock.advance(100)


async def test_waiting_for_seats_costs_no_time(house: House) -> None:
    """Clocks start with the deal."""
    table = await house.create("", "", time_control=TimeControl(move_ms=1000, game_ms=1000))
    await table.claim()
    house.clock.advance(100)
    await table.claim()
    assert (await table.turn(0)).time_left_ms == 1000


async def test_a_bot_that_comes_back_in_time_loses_nothing(house: House, tokens: tuple[str, ...]) -> None:
    """reconnect_ms: gone for less, the decision is still open when the stream is back, however long it stays."""
    table = await house.create(tokens[0], tokens[1], time_control=TimeControl(reconnect_ms=1000))
    bots = [await house.connect(token) for token in tokens[:2]]
    turn = await bots[0].next_turn(table, 0)
    house.clock.advance(100)
    assert await lost(house, table) == []
    await bots[0].leave()
    house.clock.advance(ALMOST)
    again = await house.connect(tokens[0])
    house.clock.advance(100)
    assert await lost(house, table) == []
    assert await again.next_turn(table, 0) == turn
    await again.answer(table.answer(turn))
    await bots[1].answer(table.answer(await bots[1].next_turn(table, 1)))
    assert (await again.next_turn(table, 0)).decision_id == 2


async def test_a_bot_that_stays_away_forfeits(house: House, tokens: tuple[str, ...]) -> None:
    """reconnect_ms after its last stream vanished, and not before; the others are told."""
    table = await house.create(tokens[0], tokens[1], time_control=TimeControl(reconnect_ms=1000))
    bots = [await house.connect(token) for token in tokens[:2]]
    await bots[0].next_turn(table, 0)
    bots[0].call.cancel()
    while not house.clock.pending:
        await house.breathe()
    house.clock.advance(ALMOST)
    assert await lost(house, table) == []
    house.clock.advance(0.001)
    assert await lost(house, table) == [(0, "DISCONNECTED")]
    await bots[1].until(lambda: bots[1].over)
    result = bots[1].over[table.id, 1].outcome.results[0]
    assert result.forfeit_cause == sessions_pb2.FORFEIT_CAUSE_DISCONNECTED


async def test_a_seat_that_owes_nothing_may_be_away(house: House, tokens: tuple[str, ...]) -> None:
    """The time to come back runs only while a decision is owed, and from the moment it is."""
    table = await house.create(tokens[0], tokens[1], time_control=TimeControl(reconnect_ms=1000))
    bots = [await house.connect(token) for token in tokens[:2]]
    turns = [await bot.next_turn(table, seat) for seat, bot in enumerate(bots)]
    await bots[0].answer(table.answer(turns[0]))
    while len(await house.store.load(table.id)) < 4:
        await house.breathe()
    await bots[0].leave()
    house.clock.advance(50)
    assert await lost(house, table) == []
    await bots[1].answer(table.answer(turns[1]))
    while not house.clock.pending:
        await house.breathe()
    house.clock.advance(ALMOST)
    assert await lost(house, table) == []
    house.clock.advance(0.001)
    assert await lost(house, table) == [(0, "DISCONNECTED")]


async def test_one_stream_left_is_connected(house: House, tokens: tuple[str, ...]) -> None:
    """A bot with two streams that loses one is still there."""
    table = await house.create(tokens[0], tokens[0], time_control=TimeControl(reconnect_ms=1000))
    first, second = [await house.connect(tokens[0]) for _ in range(2)]
    await second.next_turn(table, 0)
    await first.leave()
    house.clock.advance(100)
    assert await lost(house, table) == []


async def test_the_game_clock_runs_while_a_bot_is_away(house: House, tokens: tuple[str, ...]) -> None:
    """Being away does not stop a limit; the first limit reached is the cause."""
    table = await house.create(tokens[0], tokens[1], time_control=TimeControl(move_ms=500, reconnect_ms=1000))
    bots = [await house.connect(token) for token in tokens[:2]]
    turns = [await bot.next_turn(table, seat) for seat, bot in enumerate(bots)]
    await bots[1].answer(table.answer(turns[1]))
    while len(await house.store.load(table.id)) < 4:
        await house.breathe()
    await bots[0].leave()
    house.clock.advance(0.5)
    assert await lost(house, table) == [(0, ForfeitCause.TIME.name)]


@pytest.mark.parametrize(
    "pace",
    [
        TimeControl(increment_ms=5),
        TimeControl(move_ms=1000, increment_ms=5),
        TimeControl(move_ms=2**64 - 1),
        TimeControl(game_ms=2**64 - 1),
        TimeControl(game_ms=1, increment_ms=2**64 - 1),
        TimeControl(reconnect_ms=2**63),
    ],
)
async def test_time_controls_that_make_no_sense_are_refused(house: House, pace: TimeControl) -> None:
    """An increment needs a game clock, and no limit is longer than a year."""
    with house.refuses("BAD_REQUEST"):
        await house.create("", "", time_control=pace)


async def test_an_answer_after_the_limit_is_too_late_even_if_the_alarm_has_not_rung(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy service may ring late; the seat has lost all the same."""
    table = await bidding(house, TimeControl(move_ms=1000))
    late = house.clock.now() + 1.0
    monkeypatch.setattr(house.clock, "now", lambda: late)
    with house.refuses("SEAT_FORFEITED"):
        await table.submit(0, decision_id=2, index=0)
    assert await lost(house, table) == [(0, "TIME")]
