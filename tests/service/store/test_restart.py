"""A service that is started again goes on where it stopped, and nobody can tell that it was away."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from croupier.v1 import sessions_pb2, turns_pb2
from croupier.v1.sessions_pb2 import TimeControl
from croupier_games import GAMES

if TYPE_CHECKING:
    from tests.service.conftest import House, OpenHouse, Table
    from tests.service.store.conftest import Restart


def moved_to(house: House, table: Table) -> Table:
    """The same session at another service."""
    table.house = house
    return table


async def seated(house: House, tokens: tuple[str, ...], **request: Any) -> Table:
    """A running session with a seat for each of these tokens, all of them claimed."""
    table = await house.create(*tokens, **request)
    for seat, token in enumerate(tokens):
        await table.claim(token=token, seat=seat)
    return table


class RandomPlay:
    """Plays a session with one call per move, the same moves whenever it is begun anew."""

    def __init__(self) -> None:
        self._random = Random(9)
        self.moves = 0

    async def play(self, table: Table, moves: int = 10_000) -> None:
        """So many moves, or to the end."""
        session = await table.house.hall.fetch(table.id)
        while moves and session.state is not None and session.state.deciders:
            seat = self._random.choice(session.state.deciders)
            index = self._random.randrange(len(session.state.legal(seat)))
            await table.submit(seat, decision_id=session.chairs[seat].decisions, index=index)
            moves -= 1
            self.moves += 1


async def seen(table: Table) -> list[bytes]:
    """Every byte that every seat and a spectator are shown: views, legal lists, events since, event numbers."""
    turns = await table.turns()
    return [each.SerializeToString(deterministic=True) for each in (*turns, await table.session())]


@pytest.mark.parametrize("game_id", GAMES)
async def test_half_a_game_then_a_restart_then_the_rest(
    open_house: OpenHouse, restart: Restart, tokens: tuple[str, ...], game_id: str
) -> None:
    """What every seat sees after the restart, and the record at the end, are those of an uninterrupted run."""
    tables = []
    for house in (await open_house(), await open_house(), await restart()):
        house.hall.make_id = lambda: "the-session-of-all-runs"
        seats = tokens[: min(3, GAMES[game_id].max_seats)]
        tables.append(await seated(house, seats, game_id=game_id, auto_play_forced=True))
    whole, plain, broken = tables
    trial, uninterrupted, interrupted = RandomPlay(), RandomPlay(), RandomPlay()
    await trial.play(whole)
    half = trial.moves // 2
    await uninterrupted.play(plain, half)
    await interrupted.play(broken, half)
    moved_to(await restart(), broken)
    assert await seen(broken) == await seen(plain)
    await uninterrupted.play(plain)
    await interrupted.play(broken)
    assert await seen(broken) == await seen(plain)
    record, expected = await broken.record(), await plain.record()
    assert record.SerializeToString(deterministic=True) == expected.SerializeToString(deterministic=True)
    moved_to(await restart(), broken)
    assert await broken.record() == expected


async def test_pending_choices_are_still_there(restart: Restart, tokens: tuple[str, ...]) -> None:
    """Of seats that choose at the same time, one that has chosen is not asked again, and the others are."""
    table = await seated(await restart(), tokens[:3])
    await table.submit(1, index=1)
    before = await table.turns()
    moved_to(await restart(), table)
    assert await table.turns() == before
    assert [bool(turn.decision_id) for turn in before[:3]] == [True, False, True]
    with table.house.refuses("STALE_DECISION"):
        await table.submit(1, decision_id=1, index=0)


async def test_a_request_that_was_answered_before_gets_the_same_answer(
    restart: Restart, tokens: tuple[str, ...]
) -> None:
    """A client that never got its answer repeats itself after the restart, and plays once."""
    table = await seated(await restart(), tokens[:2])
    first = await table.submit(0, decision_id=1, index=1, request_id="mine")
    moved_to(await restart(), table)
    again = await table.submit(0, decision_id=1, index=0, request_id="mine")
    assert again.notation == first.notation
    assert [type(entry).__name__ for entry in await table.house.store.load(table.id)].count("Acted") == 1


async def test_banks_are_exact_and_open_decisions_get_their_time_anew(
    restart: Restart, tokens: tuple[str, ...]
) -> None:
    """What a seat has used up before is gone; nobody pays for a service that was not there."""
    control = TimeControl(game_ms=10_000, increment_ms=500)
    table = await seated(await restart(), tokens[:2], time_control=control)
    table.house.clock.advance(3.25)
    await table.submit(0, index=0)
    table.house.clock.advance(2)
    moved_to(await restart(), table)
    await table.house.hall.archive.complete.wait()
    table.house.clock.advance(1)
    assert (await table.turn(1)).time_left_ms == 9_000
    await table.submit(1, index=0)
    assert (await table.turn(0)).time_left_ms == 10_000 - 3_250 + 500
    moved_to(await restart(), table)
    await table.house.hall.archive.complete.wait()
    table.house.clock.advance(7.249)
    assert (await table.session()).state == sessions_pb2.SESSION_STATE_RUNNING
    table.house.clock.advance(0.001)
    (loser, winner) = (await table.session()).outcome.results
    assert (loser.forfeit_cause, winner.place) == (sessions_pb2.FORFEIT_CAUSE_TIME, 1)


async def test_a_session_that_waits_still_waits_for_the_same(restart: Restart, tokens: tuple[str, ...]) -> None:
    """Reserved seats stay reserved, claimed ones claimed, open ones open."""
    table = await (await restart()).create(tokens[0], tokens[1], "")
    await table.claim(token=tokens[0], name="Ada")
    moved_to(await restart(), table)
    assert (await table.session()).seats[0].name == "Ada"
    with table.house.refuses("SEAT_TAKEN"):
        await table.claim(token=tokens[0], seat=0)
    with table.house.refuses("TOKEN_NOT_FOR_THIS"):
        await table.claim(token=tokens[2], seat=1)
    await table.claim(token=tokens[2], seat=2)
    bot = await table.house.connect(tokens[1])
    assert (await bot.next_turn(table, 1)).decision_id == 1


async def test_bots_that_connect_again_get_their_turns(restart: Restart, tokens: tuple[str, ...]) -> None:
    """Whether they come before or after their sessions are back, and they play on to the end."""
    house = await restart()
    tables = [await seated(house, tokens[:2]) for _ in range(5)]
    house = await restart()
    bots = [await house.connect(token) for token in tokens[:2]]
    for bot, seat in ((bots[0], 0), (bots[1], 1)):
        await bot.until(lambda bot=bot: len(bot.turns) == len(tables))  # type: ignore[misc]
        assert {key[1] for key in bot.turns} == {seat}
        assert len(bot.seated) == len(tables)


async def test_a_watcher_goes_on_from_the_event_it_had(restart: Restart, tokens: tuple[str, ...]) -> None:
    """Event numbers mean the same before and after: none is missing and none comes twice."""
    table = await seated(await restart(), tokens[:2])
    await table.arrange()
    await table.submit(0, index=1)

    async def events(from_event: int, until: int) -> list[sessions_pb2.WatchEvent]:
        watch = table.watch(0, from_event=from_event)
        await watch.read()
        got = [(await watch.read()).event for _ in range(until - from_event)]
        watch.cancel()
        return got

    count = (await table.turn(0)).next_event
    before = await events(0, count)
    moved_to(await restart(), table)
    assert await events(0, count) == before
    await table.submit(1, index=1)
    later = await events(count, (await table.turn(0)).next_event)
    assert [event.number for event in later] == list(range(count, count + len(later)))
    assert later


async def test_forfeits_and_ended_sessions_are_remembered(restart: Restart, tokens: tuple[str, ...]) -> None:
    """A seat that gave up stays given up and the house plays it; results, records and lists are there as before."""
    house = await restart()
    running, over, aborted = [await seated(house, tokens[:3]) for _ in range(3)]
    for table in (running, over):
        await table.forfeit(2)
    await over.play_out()
    await aborted.abort()
    before = [await each.session() for each in (running, over, aborted)]
    record = await over.record()
    house = await restart()
    for table in (running, over, aborted):
        moved_to(house, table)
    assert [await each.session() for each in (running, over, aborted)] == before
    assert await over.record() == record
    listed = await house.sessions.ListSessions(sessions_pb2.ListSessionsRequest())
    assert [each.session_id for each in listed.sessions] == [aborted.id, over.id, running.id]
    with house.refuses("SEAT_FORFEITED"):
        await running.submit(2, decision_id=1, index=0)
    assert (await running.play_out()).outcome.results[2].forfeit_cause == sessions_pb2.FORFEIT_CAUSE_RESIGNED


async def test_stopping_leaves_sessions_open(restart: Restart, tokens: tuple[str, ...]) -> None:
    """Neither those that wait nor those that run are aborted; the bots are told to connect again."""
    house = await restart()
    running, waiting = await seated(house, tokens[:2]), await house.create("", "")
    bot = await house.connect(tokens[0])
    await bot.next_turn(running, 0)
    assert await house.server.drain(60) == 0
    house.explained(await bot.end(), "UNAVAILABLE")
    house = await restart()
    assert (await moved_to(house, running).session()).state == sessions_pb2.SESSION_STATE_RUNNING
    assert (await moved_to(house, waiting).session()).state == sessions_pb2.SESSION_STATE_WAITING


async def test_a_stopped_service_plays_nothing_more(restart: Restart, tokens: tuple[str, ...]) -> None:
    """No clock of it runs out any more: whoever has the session now would be contradicted."""
    house = await restart()
    table = await seated(house, tokens[:2], time_control=TimeControl(move_ms=1_000))
    await house.close()
    house.clock.advance(10)
    moved_to(await restart(), table)
    assert (await table.session()).state == sessions_pb2.SESSION_STATE_RUNNING


async def test_a_record_that_was_forgotten_is_not_made_up(
    restart: Restart, tokens: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the store has let go of a session that is still in memory, there is no record, rather than an empty one."""
    table = await seated(await restart(), tokens[:2])
    await table.play_out()
    house = table.house

    async def nothing(session_id: str) -> tuple[()]:
        return ()

    monkeypatch.setattr(house.store, "load", nothing)
    with house.refuses("UNKNOWN_SESSION"):
        await table.record()


async def test_more_ended_sessions_than_fit_are_looked_at_one_by_one(restart: Restart, tokens: tuple[str, ...]) -> None:
    """Each is there when it is asked for, and memory holds no more of them than it may."""
    house = await restart(keep_finished=2)
    tables = [await seated(house, tokens[:2]) for _ in range(6)]
    for table in tables:
        await table.abort()
    house = await restart(keep_finished=2)
    for table in tables:
        assert (await moved_to(house, table).session()).state == sessions_pb2.SESSION_STATE_ABORTED
        assert len(house.hall._ended) <= 2


def test_turns_have_what_is_compared() -> None:
    """The comparisons above are worth something only while a turn holds views and legal lists."""
    names = {field.name for field in turns_pb2.Turn.DESCRIPTOR.fields}
    assert {"view", "legal", "decision_id", "next_event", "events"} <= names
