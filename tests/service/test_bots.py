"""BotService.Play: greeting, seats, turns, batches, and many games on one stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from grpc import aio

from croupier.v1 import bots_pb2, catalog_pb2, sessions_pb2, turns_pb2

if TYPE_CHECKING:
    from tests.service.conftest import House, OpenHouse


EOF: object = aio.EOF  # type: ignore[attr-defined]  # missing in the stubs


async def test_a_bot_is_welcomed_seated_and_asked(house: House, tokens: tuple[str, ...]) -> None:
    """Connecting takes the reserved seats; seated tells all about the table, before the first turn."""
    names = [sessions_pb2.SeatPlan(name=name, token=tokens[0]) for name in ("Ann", "Bob")]
    table = await house.create(seats=names, options={"joker_ones": catalog_pb2.OptionValue(flag=True)})
    bot = await house.connect(tokens[0], name="robot")
    await bot.until(lambda: len(bot.turns) == 2)
    assert [(seated.seat, seated.session_id) for seated in bot.seated] == [(0, table.id), (1, table.id)]
    session = await table.session()
    for seated in bot.seated:
        assert (seated.game_id, seated.game_version) == ("lie", 1)
        assert list(seated.seat_names) == ["Ann", "Bob"]
        assert seated.seed_commitment == session.seed_commitment
        assert seated.options == session.options
    table.tokens = [tokens[0]] * 2
    for seat in (0, 1):
        assert bot.turns[table.id, seat] == await table.turn(seat)


async def test_a_bot_that_was_there_first_is_seated_when_the_session_opens(
    house: House, tokens: tuple[str, ...]
) -> None:
    """A reserved seat of a connected bot is taken at once."""
    bots = [await house.connect(token) for token in tokens[:2]]
    table = await house.create(*tokens[:2])
    assert table.created.state == sessions_pb2.SESSION_STATE_RUNNING
    for seat, bot in enumerate(bots):
        turn = await bot.next_turn(table, seat)
        assert turn.decision_id == 1
        assert bot.seated[0].seat == seat


@pytest.mark.parametrize(
    "detail",
    [
        turns_pb2.TurnDetail(omit_view=True, omit_events=True, legal=turns_pb2.LEGAL_DETAIL_COUNT),
        turns_pb2.TurnDetail(legal=turns_pb2.LEGAL_DETAIL_TYPED),
    ],
)
async def test_a_bot_gets_as_much_as_it_asked_for(
    house: House, tokens: tuple[str, ...], detail: turns_pb2.TurnDetail
) -> None:
    """The detail of hello holds for every turn of the stream."""
    bot = await house.connect(tokens[0], detail=detail)
    table = await house.create(tokens[0], tokens[0])
    turn = await bot.next_turn(table, 0)
    assert turn.HasField("view") != detail.omit_view
    assert bool(turn.legal) == (detail.legal != turns_pb2.LEGAL_DETAIL_COUNT)
    assert turn.legal_count > 0
    if turn.legal:
        assert turn.legal[0].action.HasField("lie")


async def test_one_stream_plays_many_games_to_their_ends(house: House, tokens: tuple[str, ...]) -> None:
    """Twenty games, both seats of each, on one stream: every game ends, and each end is told once per seat."""
    tables = [await house.create(tokens[0], tokens[0], seed=bytes([number]) * 32) for number in range(20)]
    bot = await house.connect(tokens[0])
    await bot.play_all(40)
    assert not bot.refusals
    assert {key[0] for key in bot.over} == {table.id for table in tables}
    for table in tables:
        outcome = (await table.session()).outcome
        assert bot.over[table.id, 0].outcome == outcome == bot.over[table.id, 1].outcome


async def test_what_is_ready_goes_out_together(house: House, tokens: tuple[str, ...]) -> None:
    """Answers that come in one message are all refereed, and the turns they lead to come in one message."""
    tables = [await house.create(tokens[0], tokens[0]) for _ in range(8)]
    bot = await house.connect(tokens[0])
    await bot.until(lambda: len(bot.turns) == 16)
    assert len(bot.messages) <= 2
    answers = [table.answer(bot.turns[table.id, seat]) for table in tables for seat in (0, 1)]
    bot.turns.clear()
    await bot.answer(*answers)
    message = await bot.read()
    assert len(message.turns) == 8
    assert {turn.session_id for turn in message.turns} == {table.id for table in tables}
    assert all(turn.decision_id == 2 for turn in message.turns)


async def test_a_batch_is_refereed_one_by_one(house: House, tokens: tuple[str, ...]) -> None:
    """A refused answer in the middle neither stops nor undoes the others."""
    tables = [await house.create(tokens[0], tokens[0]) for _ in range(3)]
    bot = await house.connect(tokens[0])
    await bot.until(lambda: len(bot.turns) == 6)
    turns = [bot.turns[table.id, 0] for table in tables]
    await bot.answer(
        tables[0].answer(turns[0]), tables[1].answer(turns[1], index=99), tables[2].answer(turns[2], index=1)
    )
    await bot.until(lambda: bot.refusals)
    assert [refusal.session_id for refusal in bot.refusals] == [tables[1].id]
    assert [len(await house.store.load(table.id)) for table in tables] == [4, 3, 4]


async def test_two_bots_play_each_other(house: House, tokens: tuple[str, ...]) -> None:
    """Each gets its own seat's turns only."""
    table = await house.create(*tokens[:2])
    bots = [await house.connect(token) for token in tokens[:2]]
    done: list[int] = []
    while len(done) < 2:
        for seat, bot in enumerate(bots):
            turn = await table_turn(house, table.id, seat, tokens[seat])
            if turn.decision_id:
                await bot.answer(table.answer(await bot.next_turn(table, seat)))
                await house.breathe()
        session = await table.session()
        if session.state == sessions_pb2.SESSION_STATE_FINISHED:
            break
    for seat, bot in enumerate(bots):
        await bot.until_over()
        assert set(bot.over) == {(table.id, seat)}
        assert {turn.seat for message in bot.messages for turn in message.turns} == {seat}


async def table_turn(house: House, session_id: str, seat: int, token: str) -> turns_pb2.Turn:
    request = sessions_pb2.GetTurnRequest(session_id=session_id, seat=seat)
    return (await house.sessions.GetTurn(request, metadata=(("authorization", f"Bearer {token}"),))).turn


async def test_the_last_answer_s_turn_has_not_changed_when_the_other_seat_answers(
    house: House, tokens: tuple[str, ...]
) -> None:
    """Simultaneous decisions on streams: whoever answers first, the other's decision stays valid."""
    for first, second in ((0, 1), (1, 0)):
        table = await house.create(*tokens[:2])
        bots = [await house.connect(token) for token in tokens[:2]]
        turns = [await bot.next_turn(table, seat) for seat, bot in enumerate(bots)]
        await bots[first].answer(table.answer(turns[first]))
        while len(await house.store.load(table.id)) < 4:
            await house.breathe()
        await bots[second].answer(table.answer(turns[second]))
        assert (await bots[0].next_turn(table, 0)).decision_id == 2
        assert not bots[0].refusals + bots[1].refusals
        await table.abort()
        for bot in bots:
            await bot.leave()


async def test_both_streams_of_a_token_are_told(house: House, tokens: tuple[str, ...]) -> None:
    """A bot may hold two streams; both get the turn, the first answer counts."""
    table = await house.create(tokens[0], "")
    left, right = [await house.connect(tokens[0]) for _ in range(2)]
    await table.claim()
    turns = [await bot.next_turn(table, 0) for bot in (left, right)]
    assert turns[0] == turns[1]
    await left.answer(table.answer(turns[0]))
    while len(await house.store.load(table.id)) < 4:
        await house.breathe()
    assert (await right.refused(table.answer(turns[1], index=1))).reason == "STALE_DECISION"
    await table.abort()
    for bot in (left, right):
        await bot.until_over()


async def test_a_reconnected_bot_gets_its_open_turns_again(house: House, tokens: tuple[str, ...]) -> None:
    """Seated and the same decision come again, and the decision can be answered."""
    table = await house.create(tokens[0], tokens[0])
    bot = await house.connect(tokens[0])
    before = [await bot.next_turn(table, seat) for seat in (0, 1)]
    await bot.answer(table.answer(before[0]))
    while len(await house.store.load(table.id)) < 4:
        await house.breathe()
    await bot.leave()
    again = await house.connect(tokens[0])
    assert await again.next_turn(table, 1) == before[1]
    assert len(again.seated) == 2
    assert not again.turns
    await again.answer(table.answer(before[1]))
    assert (await again.next_turn(table, 0)).decision_id == 2


async def test_nothing_of_ended_games_comes_after_a_reconnect(house: House, tokens: tuple[str, ...]) -> None:
    """Only games that run are told again."""
    await house.create(tokens[0], tokens[0])
    bot = await house.connect(tokens[0])
    await bot.play_all(2)
    await bot.leave()
    again = await house.connect(tokens[0])
    await house.breathe()
    assert again.messages == [bots_pb2.PlayResponse(welcome=again.messages[0].welcome)]


async def test_answers_may_come_with_the_greeting(house: House, tokens: tuple[str, ...]) -> None:
    """A bot that reconnects may send what it had thought out."""
    table = await house.create("", "")
    for seat in (0, 1):
        await table.claim(tokens[0], seat=seat)
    turn = await table.turn(0)
    call = house.bots.Play(metadata=(("authorization", f"Bearer {tokens[0]}"),))
    await call.write(bots_pb2.PlayRequest(hello=bots_pb2.Hello(), answers=[table.answer(turn)]))
    assert (await call.read()).HasField("welcome")
    while len(await house.store.load(table.id)) < 4:
        await house.breathe()
    call.cancel()


async def test_a_stream_that_only_says_goodbye_ends_well(house: House, tokens: tuple[str, ...]) -> None:
    """Closing before hello is no error, and leaves nothing behind."""
    call = house.bots.Play(metadata=(("authorization", f"Bearer {tokens[0]}"),))
    await call.done_writing()
    assert await call.read() is EOF
    assert not house.hall._holders


async def test_a_bot_that_leaves_or_vanishes_is_let_go(house: House, tokens: tuple[str, ...]) -> None:
    """Neither a goodbye nor a cancelled call leaves a stream registered."""
    left = await house.connect(tokens[0])
    vanished = await house.connect(tokens[1])
    await left.leave()
    vanished.call.cancel()
    while house.hall._holders:
        await house.breathe()
    assert house.metrics.registry.get_sample_value("croupier_bot_streams") == 0


async def test_a_bot_that_vanishes_mid_turn_costs_the_others_nothing(house: House, tokens: tuple[str, ...]) -> None:
    """Its decision stays open, everybody else plays on, and it may come back."""
    broken, healthy = await house.create(*tokens[:2]), await house.create(tokens[1], tokens[1])
    vanishing, staying = [await house.connect(token) for token in tokens[:2]]
    turn = await vanishing.next_turn(broken, 0)
    vanishing.call.cancel()
    while not (await broken.turn()).view.lie.bids and len(staying.over) < 2:
        await staying.play_all(2)
    assert (await healthy.session()).state == sessions_pb2.SESSION_STATE_FINISHED
    again = await house.connect(tokens[0])
    assert await again.next_turn(broken, 0) == turn


async def test_streams_per_token_are_limited(open_house: OpenHouse, tokens: tuple[str, ...]) -> None:
    """One too many is refused; those that are open stay, and another token is free to come."""
    house = await open_house(max_streams_per_token=2)
    bots = [await house.connect(tokens[0]) for _ in range(2)]
    with house.refuses("LIMIT_REACHED"):
        await house.connect(tokens[0])
    await house.connect(tokens[1])
    await bots[0].leave()
    await house.connect(tokens[0])


async def test_a_bot_with_very_many_seats_gets_messages_it_can_take(
    open_house: OpenHouse, tokens: tuple[str, ...]
) -> None:
    """However much is ready, no message grows far beyond a quarter of a megabyte, and nothing is lost."""
    house = await open_house(max_outbox_bytes=100_000)
    long = "x" * 64
    plans = [sessions_pb2.SeatPlan(name=long, token=tokens[0])] * 6
    for _ in range(300):
        await house.create(seats=plans)
    bot = await house.connect(tokens[0])
    await bot.until(lambda: len(bot.turns) == 1800)
    assert len(bot.seated) == 1800
    await bot.leave()
    again = await house.connect(tokens[0])
    await again.until(lambda: len(again.turns) == 1800)
    assert len(again.seated) == 1800
    assert max(message.ByteSize() for message in again.messages) < 400_000


@pytest.mark.parametrize("first", ["hello twice", "too many answers"])
async def test_a_bot_that_is_wrong_before_it_was_welcomed_is_told_so(
    house: House, tokens: tuple[str, ...], first: str
) -> None:
    """The stream ends with its reason, also when the welcome is still being written."""
    for _ in range(20):
        call = house.bots.Play(metadata=(("authorization", f"Bearer {tokens[0]}"),))
        await call.write(bots_pb2.PlayRequest(hello=bots_pb2.Hello()))
        wrong = (
            bots_pb2.PlayRequest(hello=bots_pb2.Hello())
            if first == "hello twice"
            else bots_pb2.PlayRequest(answers=[turns_pb2.Answer()] * 1025)
        )
        await call.write(wrong)
        with house.refuses("PROTOCOL_ERROR"):
            while await call.read() is not EOF:
                pass
