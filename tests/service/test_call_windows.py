"""The call windows of 17 over real gRPC: everybody is asked at once, and nobody learns who was quick, slow or dead.

Where a server has one "current player", this is where it breaks: all rivals of the layer owe an answer, in any order,
and the game goes on when the last has come, whoever that is (SVT-2.5, ALL-4)."""

from __future__ import annotations

import asyncio
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

import pytest
from grpc import aio

from croupier.games.seventeen.v1 import seventeen_pb2 as pb
from croupier.v1 import games_pb2, records_pb2, sessions_pb2, turns_pb2

if TYPE_CHECKING:
    from tests.service.conftest import Bot, House, Table

PASS, CALL = 0, 1
ALL_CHOICES = list(product([PASS, CALL], repeat=3))


async def window(house: House, seats: int = 4, **request: Any) -> Table:
    """A table at which seat 0 has laid the first card and everybody else is asked."""
    table = await house.table(seats, game_id="seventeen", **request)
    await table.submit(0, index=last(await table.turn(0)))
    return table


def last(turn: turns_pb2.Turn) -> int:
    """The last of the legal actions: here to lay the highest card, which is no remove-last."""
    return turn.legal_count - 1


async def asked_bots(house: House, tokens: tuple[str, ...], seats: int = 4, **request: Any) -> tuple[Table, list[Bot]]:
    """The same with a bot of its own stream in each seat; the turns that ask them have been read."""
    table = await house.create(*tokens[:seats], game_id="seventeen", **request)
    bots = [await house.connect(token) for token in tokens[:seats]]
    first = await bots[0].next_turn(table, 0)
    await bots[0].answer(table.answer(first, index=last(first)))
    for seat in range(1, seats):
        turn = await bots[seat].next_turn(table, seat)
        assert turn.view.seventeen.phase == pb.PHASE_CALLS
        bots[seat].turns[table.id, seat] = turn
    return table, bots


def own_turn(table: Table, bots: list[Bot], seat: int) -> turns_pb2.Turn:
    return bots[seat].turns.pop((table.id, seat))


def kinds(turn: turns_pb2.Turn) -> list[str]:
    return [str(event.seventeen.WhichOneof("kind")) for event in turn.events]


def seen(turn: turns_pb2.Turn) -> tuple[object, ...]:
    """A turn without what is different in every session."""
    return turn.view, list(turn.events), turn.decision_id, turn.next_event, [legal.notation for legal in turn.legal]


class Silence:
    """Reads one message ahead of a stream, to know that there is none."""

    def __init__(self, call: Any) -> None:
        self._next = asyncio.ensure_future(call.read())

    async def holds(self, house: House) -> bool:
        await house.breathe()
        return not self._next.done()

    async def broken(self) -> Any:
        return await self._next


@pytest.mark.rule("SVT-2.5", "ALL-4")
async def test_all_rivals_are_asked_at_once_and_the_layer_is_not(house: House, tokens: tuple[str, ...]) -> None:
    """Each with a decision of its own, pass and call, and the same view of the table."""
    table, bots = await asked_bots(house, tokens)
    asked = [own_turn(table, bots, seat) for seat in (1, 2, 3)]
    for turn in asked:
        assert [legal.notation for legal in turn.legal] == ["pass", "call"]
        assert turn.decision_id == 1
        assert turn.view.seventeen.turn == 0
        assert turn.view.seventeen.row == asked[0].view.seventeen.row
    assert await Silence(bots[0].call).holds(house)
    assert (await table.turn(0)).decision_id == 0


@pytest.mark.rule("SVT-2.5", "ALL-3")
@pytest.mark.parametrize("order", list(permutations((1, 2, 3))), ids=str)
async def test_the_nearest_to_the_left_calls_whoever_was_first(house: House, order: tuple[int, ...]) -> None:
    for choices in ALL_CHOICES:
        table = await window(house)
        for seat in order:
            await table.submit(seat, index=choices[seat - 1])
        turn = await table.turn()
        callers = [seat for seat in (1, 2, 3) if choices[seat - 1] == CALL]
        view = turn.view.seventeen
        if callers:
            assert view.round.last_showdown.caller == callers[0]
        else:
            assert (view.phase, view.turn) == (pb.PHASE_TURN, 1)


@pytest.mark.rule("ALL-4")
async def test_racing_answers_lead_to_one_and_the_same_state(house: House) -> None:
    """All rivals answer at the same moment, again and again: every answer is taken, none is stale."""
    ends = []
    for number in range(12):
        table = await window(house)
        seats = [(1, 2, 3), (3, 1, 2), (2, 3, 1)][number % 3]
        answers = [table.submit(seat, decision_id=1, index=CALL if seat > 1 else PASS) for seat in seats]
        assert {answer.notation for answer in await asyncio.gather(*answers)} == {"pass", "call"}
        ends.append([seen(turn) for turn in await table.turns()])
        assert (await table.turn()).view.seventeen.round.last_showdown.caller == 2
    assert all(end == ends[0] for end in ends)


async def test_of_racing_answers_of_one_seat_one_is_taken(house: House) -> None:
    """Two connections of one seat disagree: the first to arrive counts, and the other is told that it is stale.

    It is not taken for the seat's next decision, which with two seats is asked at the same moment."""
    for _ in range(8):
        table = await window(house, 2)
        racers = [table.submit(1, decision_id=1, index=index) for index in (PASS, CALL, PASS, CALL)]
        results = await asyncio.gather(*racers, return_exceptions=True)
        taken = [result for result in results if isinstance(result, sessions_pb2.SubmitActionResponse)]
        stale = [result for result in results if isinstance(result, aio.AioRpcError)]
        assert (len(taken), len(stale)) == (1, 3)
        for error in stale:
            house.explained(error, "STALE_DECISION")
        view = (await table.turn()).view.seventeen
        assert (view.round.number == 2) == (taken[0].notation == "call")
        assert view.cards_laid == 1


async def test_racing_answers_on_one_stream_are_sorted_out_in_their_order(
    house: House, tokens: tuple[str, ...]
) -> None:
    """The same seat twice in one message, and the turn that follows is asked under a new decision."""
    table, bots = await asked_bots(house, tokens, 2)
    turn = own_turn(table, bots, 1)
    await bots[1].answer(table.answer(turn, index=PASS), table.answer(turn, index=CALL))
    after = await bots[1].next_turn(table, 1)
    await bots[1].until(lambda: bots[1].refusals)
    assert [refusal.reason for refusal in bots[1].refusals] == ["STALE_DECISION"]
    assert (after.decision_id, after.view.seventeen.phase) == (2, pb.PHASE_TURN)


@pytest.mark.rule("ALL-4")
@pytest.mark.parametrize("choice", [PASS, CALL])
async def test_while_somebody_is_slow_nobody_hears_anything(house: House, tokens: tuple[str, ...], choice: int) -> None:
    """Not the layer, not who has answered, not who hesitates, not who watches; and nothing can be asked out either."""
    table, bots = await asked_bots(house, tokens)
    watches = [table.watch(), table.watch(0), table.watch(3)]
    for watch in watches:
        while (await watch.read()).event.number < (1 if watch is watches[0] else 3):
            pass
    before = [seen(await table.turn(seat)) for seat in (0, 2, 3, None)]
    session = await table.session()
    silences = [Silence(stream) for stream in (bots[0].call, bots[2].call, bots[3].call, watches[2])]
    await bots[1].answer(table.answer(own_turn(table, bots, 1), index=choice))
    for silence in silences:
        assert await silence.holds(house)
    assert [seen(await table.turn(seat)) for seat in (0, 2, 3, None)] == before
    assert await table.session() == session
    assert (await table.turn(1)).view.seventeen.choice == (pb.CHOICE_CALL if choice else pb.CHOICE_PASS)
    for seat in (2, 3):
        await bots[seat].answer(table.answer(own_turn(table, bots, seat), index=PASS))
    told = await silences[3].broken()
    assert told.event.event.seventeen.WhichOneof("kind") == "choice_made"  # its own, and only then the rest
    news = await watches[2].read()
    assert news.event.event.seventeen.WhichOneof("kind") == ("call_made" if choice else "nobody_called")


async def test_nobody_can_go_on_without_the_slow_one(house: House) -> None:
    """The layer has nothing to decide, whoever has answered cannot change it, and the next player must wait."""
    table = await window(house)
    await table.submit(1, index=PASS)
    await table.submit(2, index=CALL)
    before = await table.everything()
    for seat, decision_id, reason in [
        (0, 1, "STALE_DECISION"),
        (0, 2, "OUT_OF_TURN"),
        (1, 1, "STALE_DECISION"),
        (1, 2, "OUT_OF_TURN"),
        (2, 1, "STALE_DECISION"),
    ]:
        with house.refuses(reason):
            await table.submit(seat, decision_id=decision_id, index=PASS)
    assert await table.everything() == before
    await table.submit(3, index=PASS)
    assert (await table.turn()).view.seventeen.round.last_showdown.caller == 2


@pytest.mark.rule("ALL-4")
async def test_refusals_in_a_window_do_not_tell_how_far_it_is(house: House) -> None:
    """Who tries something at the wrong moment hears the same whether others have answered or not, and what."""
    tried: list[tuple[int, dict[str, Any]]] = [(0, {"index": 0}), (3, {"notation": "lay 3/3"}), (3, {"index": 2})]
    heard = []
    for answers in [(), ((1, PASS),), ((1, CALL),), ((1, CALL), (2, PASS)), ((1, PASS), (2, CALL))]:
        table = await window(house)
        for seat, index in answers:
            await table.submit(seat, index=index)
        messages = []
        for seat, choice in tried:
            with pytest.raises(aio.AioRpcError) as refused:
                await table.submit(seat, decision_id=1, **choice)
            messages.append((refused.value.code(), refused.value.details()))
        heard.append(messages)
    assert all(messages == heard[0] for messages in heard)


@pytest.mark.rule("ALL-4", "SVT-2.5")
async def test_afterwards_nobody_learns_who_else_would_have_called(house: House) -> None:
    """Seat 1 calls. Whatever 2 and 3 chose, seats 0 and 1 and the spectators see and hear the very same."""
    heard = []
    for two, three in product([PASS, CALL], repeat=2):
        table = await window(house)
        watch = table.watch()
        for seat, index in ((3, three), (1, CALL), (2, two)):
            await table.submit(seat, index=index)
        events: list[pb.Event] = []
        while not events or events[-1].WhichOneof("kind") != "round_started" or len(events) < 4:
            step = await watch.read()
            if step.WhichOneof("step") == "event":
                events.append(step.event.event.seventeen)
        heard.append(([seen(await table.turn(seat)) for seat in (0, 1, None)], events))
        callers = [event.call_made.seat for event in events if event.WhichOneof("kind") == "call_made"]
        assert callers == [1]
    assert all(one == heard[0] for one in heard)


@pytest.mark.rule("ALL-4")
async def test_the_order_of_answers_leaves_no_trace_in_anybody_s_turn(house: House) -> None:
    """Not even in a number: whoever was last, every turn reads the same."""
    for choices in ALL_CHOICES:
        ends = []
        for order in ((1, 2, 3), (3, 2, 1), (2, 1, 3)):
            table = await window(house)
            for seat in order:
                await table.submit(seat, index=choices[seat - 1])
            ends.append([seen(turn) for turn in await table.turns()])
        assert all(end == ends[0] for end in ends)


async def test_a_slow_client_that_runs_out_of_time_is_answered_for_by_the_house(
    house: House, tokens: tuple[str, ...]
) -> None:
    """The window closes, the others go on, and who answered in time is charged nothing."""
    pace = sessions_pb2.TimeControl(move_ms=1_000)
    table, bots = await asked_bots(house, tokens, time_control=pace)
    for seat in (1, 3):
        await bots[seat].answer(table.answer(own_turn(table, bots, seat), index=PASS))
    await house.breathe()
    assert (await table.turn(2)).time_left_ms == 1_000
    house.clock.advance(0.5)
    assert (await table.turn()).view.seventeen.phase == pb.PHASE_CALLS
    house.clock.advance(0.5)
    turn = await table.turn()
    assert turn.view.seventeen.phase == pb.PHASE_TURN
    session = await table.session()
    assert [seat.state for seat in session.seats].count(sessions_pb2.SEAT_STATE_FORFEITED) == 1
    assert session.seats[2].state == sessions_pb2.SEAT_STATE_FORFEITED
    with house.refuses("SEAT_FORFEITED"):
        await table.submit(2, decision_id=1, index=CALL)
    following = turn.view.seventeen.turn
    assert (await bots[following].next_turn(table, following)).time_left_ms == 1_000


async def test_a_dead_client_holds_nobody_up_for_longer_than_its_time_to_come_back(
    house: House, tokens: tuple[str, ...]
) -> None:
    """Its process is gone in the middle of a window; the others are not told before its time is over."""
    pace = sessions_pb2.TimeControl(reconnect_ms=5_000)
    table, bots = await asked_bots(house, tokens, time_control=pace)
    for seat in (1, 2):
        await bots[seat].answer(table.answer(own_turn(table, bots, seat), index=PASS))
    before = seen(await table.turn(0))
    await bots[3].leave()
    house.clock.advance(4.9)
    assert seen(await table.turn(0)) == before
    house.clock.advance(0.2)
    view = (await table.turn()).view.seventeen
    assert view.phase == pb.PHASE_TURN
    session = await table.session()
    assert session.seats[3].state == sessions_pb2.SEAT_STATE_FORFEITED


async def test_a_client_that_comes_back_in_time_is_asked_again(house: House, tokens: tuple[str, ...]) -> None:
    """The same decision, the same view; its answer closes the window."""
    pace = sessions_pb2.TimeControl(reconnect_ms=5_000)
    table, bots = await asked_bots(house, tokens, 3, time_control=pace)
    asked = own_turn(table, bots, 2)
    await bots[1].answer(table.answer(own_turn(table, bots, 1), index=PASS))
    await bots[2].leave()
    house.clock.advance(4.0)
    back = await house.connect(tokens[2])
    again = await back.next_turn(table, 2)
    assert seen(again) == seen(asked)
    await back.answer(table.answer(again, index=CALL))
    turn = await bots[0].next_turn(table, 0)
    assert turn.view.seventeen.round.last_showdown.caller == 2


async def test_who_has_answered_and_comes_back_sees_its_own_choice_and_waits(
    house: House, tokens: tuple[str, ...]
) -> None:
    """A choice is kept by the service; nobody has to remember, or may choose again."""
    table, bots = await asked_bots(house, tokens, 3)
    await bots[1].answer(table.answer(own_turn(table, bots, 1), index=CALL))
    await bots[1].leave()
    back = await house.connect(tokens[1])
    await back.until(lambda: back.seated)
    silence = Silence(back.call)
    assert (await table.turn(1)).view.seventeen.choice == pb.CHOICE_CALL
    assert (await table.turn(1)).decision_id == 0
    assert (await table.turn(2)).view.seventeen.choice == pb.CHOICE_UNSPECIFIED
    assert not back.turns
    assert await silence.holds(house)


async def test_a_seat_that_gives_up_in_a_window_does_not_block_it(house: House) -> None:
    """The house answers for it at once; the others' answers stand."""
    table = await window(house)
    await table.submit(1, index=CALL)
    await table.submit(3, index=PASS)
    await table.forfeit(2)
    assert (await table.turn()).view.seventeen.round.last_showdown.caller == 1


async def test_an_answer_by_index_notation_or_message_is_the_same(house: House) -> None:
    ends = []
    call = games_pb2.GameAction(seventeen=pb.Action(call=pb.Call()))
    for choice in ({"index": CALL}, {"notation": "call"}, {"action": call}):
        table = await window(house, 3)
        await table.submit(2, index=PASS)
        await table.submit(1, **choice)
        ends.append([seen(turn) for turn in await table.turns()])
    assert ends[0] == ends[1] == ends[2]


async def test_a_typed_lay_names_the_card_and_its_side(house: House) -> None:
    table = await house.table(2, game_id="seventeen")
    turn = await table.turn(0, legal=turns_pb2.LEGAL_DETAIL_TYPED)
    laid = next(legal.action for legal in turn.legal if legal.action.seventeen.lay.heart_up)
    response = await table.submit(0, action=laid)
    assert response.notation.endswith("heart-up")
    assert response.turn.view.seventeen.row.cards[0].card == laid.seventeen.lay.card
    assert (await table.turn(1)).view.seventeen.row.cards[0].card == pb.CARD_HEART
    assert (await table.turn()).view.seventeen.row.cards[0].card == pb.CARD_HEART
    assert kinds(response.turn) == ["card_laid", "heart_laid"]
    assert "heart_laid" not in kinds(await table.turn(1))


@pytest.mark.parametrize("card", [0, 10, 16, 99])
async def test_a_typed_lay_of_no_card_is_refused(house: House, card: int) -> None:
    """0 is no card, 10 the back of one, and there is no 16."""
    table = await house.table(2, game_id="seventeen")
    before = await table.everything()
    lay = pb.Action(lay=pb.Lay(card=card, heart_up=True))  # type: ignore[arg-type]
    with house.refuses("ILLEGAL_ACTION" if card in (0, 10) else "BAD_CHOICE"):
        await table.submit(0, action=games_pb2.GameAction(seventeen=lay))
    assert await table.everything() == before


async def test_one_bot_in_every_seat_of_many_tables_answers_all_windows(house: House, tokens: tuple[str, ...]) -> None:
    """Windows of many sessions are open at once on one stream; all games finish, and the records replay."""
    tables = [
        await house.create(*[tokens[0]] * seats, game_id="seventeen", seed=bytes([seats]) * 32)
        for seats in (2, 3, 4, 5, 6)
    ]
    bot = await house.connect(tokens[0])
    calls = 0
    while len(bot.over) < 2 + 3 + 4 + 5 + 6:
        turns, bot.turns = bot.turns, {}
        answers = []
        for turn in turns.values():
            calls += 1
            index = last(turn) if calls % 5 == 0 else 0
            answers.append(
                turns_pb2.Answer(session_id=turn.session_id, seat=turn.seat, decision_id=turn.decision_id, index=index)
            )
        if answers:
            await bot.answer(*answers)
        await bot.read()
    assert not bot.refusals
    for table in tables:
        record = await table.record()
        assert {entry.action.chooser for entry in record.entries} == {records_pb2.CHOOSER_SEAT}
        assert "3 composure" in record.session.outcome.reason
