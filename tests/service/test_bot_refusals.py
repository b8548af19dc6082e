"""What a bot's stream refuses: always with a reason, changing nothing, and disturbing nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from grpc import aio

from croupier.games.lie.v1 import lie_pb2
from croupier.v1 import bots_pb2, games_pb2, sessions_pb2, turns_pb2
from croupier_service.session import Session

if TYPE_CHECKING:
    from tests.service.conftest import House, Table

BAD_CHOICES: dict[str, tuple[dict[str, Any], str]] = {
    "index beyond the list": ({"index": 99}, "ILLEGAL_ACTION"),
    "garbage notation": ({"notation": "win"}, "BAD_CHOICE"),
    "notation of another phase": ({"notation": "challenge"}, "ILLEGAL_ACTION"),
    "empty choice": ({}, "BAD_CHOICE"),
    "empty payload": ({"action": games_pb2.GameAction()}, "BAD_CHOICE"),
    "empty action": ({"action": games_pb2.GameAction(lie=lie_pb2.Action())}, "BAD_CHOICE"),
    "another game's payload": (
        {"action": games_pb2.GameAction(other=AnyMessage(type_url="type.googleapis.com/chess.Move", value=b"e4"))},
        "BAD_CHOICE",
    ),
    "undecodable payload": (
        {
            "action": games_pb2.GameAction(
                other=AnyMessage(type_url="type.googleapis.com/croupier.games.lie.v1.Action", value=b"\xff\xff")
            )
        },
        "BAD_CHOICE",
    ),
    "payload of another phase": (
        {"action": games_pb2.GameAction(lie=lie_pb2.Action(bid=lie_pb2.Bid(count=1, value=1)))},
        "ILLEGAL_ACTION",
    ),
}


@pytest.fixture(params=list(BAD_CHOICES.values()), ids=list(BAD_CHOICES))
def bad_choice(request: pytest.FixtureRequest) -> tuple[dict[str, Any], str]:
    return request.param  # type: ignore[no-any-return]


def bad_answer(table: Table, turn: turns_pb2.Turn, choice: dict[str, Any]) -> turns_pb2.Answer:
    return turns_pb2.Answer(session_id=table.id, seat=turn.seat, decision_id=turn.decision_id, **choice)


async def test_a_bad_choice_is_refused_and_asked_again(
    house: House, tokens: tuple[str, ...], bad_choice: tuple[dict[str, Any], str]
) -> None:
    """The refusal names the answer and says why; the turn comes again, unchanged; the log has nothing of it."""
    choice, reason = bad_choice
    table = await house.create(tokens[0], tokens[0])
    bot = await house.connect(tokens[0])
    turn = await bot.next_turn(table, 0)
    table.tokens = [tokens[0]] * 2
    before = await table.everything()
    answer = bad_answer(table, turn, choice)
    answer.request_id = "r1"
    refusal = await bot.refused(answer)
    assert (refusal.session_id, refusal.seat, refusal.decision_id) == (table.id, 0, turn.decision_id)
    assert (refusal.request_id, refusal.reason) == ("r1", reason)
    assert refusal.message
    assert await bot.next_turn(table, 0) == turn
    assert await table.everything() == before


async def test_too_many_bad_choices_of_any_kind_forfeit(
    house: House, tokens: tuple[str, ...], bad_choice: tuple[dict[str, Any], str]
) -> None:
    """The illegal_limit-th is one too many; the stream lives on, and its other games too."""
    choice, reason = bad_choice
    table = await house.create(*tokens[:3], illegal_limit=3)
    other = await house.create(tokens[0], tokens[1])
    bots = [await house.connect(token) for token in tokens[:3]]
    for _ in range(3):
        turn = await bots[0].next_turn(table, 0)
        assert (await bots[0].refused(bad_answer(table, turn, choice))).reason == reason
    seat = (await table.session()).seats[0]
    assert seat.state == sessions_pb2.SEAT_STATE_FORFEITED
    assert seat.forfeit_cause == sessions_pb2.FORFEIT_CAUSE_ILLEGAL
    assert (await bots[0].refused(bad_answer(table, turn, {"index": 0}))).reason == "SEAT_FORFEITED"
    await bots[0].answer(other.answer(await bots[0].next_turn(other, 0)))
    await bots[1].answer(other.answer(await bots[1].next_turn(other, 1)))
    assert (await bots[0].next_turn(other, 0)).decision_id == 2


async def test_a_second_answer_is_stale_and_changes_nothing(house: House, tokens: tuple[str, ...]) -> None:
    """The same decision answered twice, in one message or two: the first counts, and being late is not illegal."""
    table = await house.create(tokens[0], tokens[0], illegal_limit=1)
    bot = await house.connect(tokens[0])
    turn = await bot.next_turn(table, 0)
    await bot.answer(table.answer(turn, index=0), table.answer(turn, index=1))
    await bot.until(lambda: bot.refusals)
    assert bot.refusals[0].reason == "STALE_DECISION"
    assert (await bot.refused(table.answer(turn, index=1))).reason == "STALE_DECISION"
    table.tokens = [tokens[0]] * 2
    assert (await table.turn(0)).view.lie.hand.cards[0].showing == int(turn.legal[0].notation.split()[1])
    assert len(await house.store.load(table.id)) == 4


async def test_a_repeated_request_id_is_no_second_answer(house: House, tokens: tuple[str, ...]) -> None:
    """Repeating it is neither refused nor played."""
    table = await house.create(tokens[0], tokens[0])
    bot = await house.connect(tokens[0])
    turns = [await bot.next_turn(table, seat) for seat in (0, 1)]
    answer = table.answer(turns[0], index=0, request_id="a")
    await bot.answer(answer, answer, answer)
    await bot.answer(table.answer(turns[1]))
    assert (await bot.next_turn(table, 0)).decision_id == 2
    assert not bot.refusals
    assert len(await house.store.load(table.id)) == 5


@pytest.mark.parametrize(
    ("session", "seat", "decision", "reason"),
    [
        ("own", 1, 1, "TOKEN_NOT_FOR_THIS"),
        ("own", 7, 1, "TOKEN_NOT_FOR_THIS"),
        ("own", 2**32 - 1, 1, "TOKEN_NOT_FOR_THIS"),
        ("foreign", 0, 1, "TOKEN_NOT_FOR_THIS"),
        ("none", 0, 1, "UNKNOWN_SESSION"),
        ("", 0, 1, "UNKNOWN_SESSION"),
        ("x" * 5000, 0, 1, "UNKNOWN_SESSION"),
        ("own", 0, 0, "STALE_DECISION"),
        ("own", 0, 2, "STALE_DECISION"),
        ("own", 0, 2**64 - 1, "STALE_DECISION"),
    ],
)
async def test_answers_for_what_is_not_ones_own_or_not_now_are_refused(
    house: House, tokens: tuple[str, ...], session: str, seat: int, decision: int, reason: str
) -> None:
    """Other seats, other sessions, other decisions: refused, nothing changed, and it does not count as illegal."""
    own = await house.create(*tokens[:2], illegal_limit=1)
    foreign = await house.create(tokens[1], tokens[1], illegal_limit=1)
    bots = [await house.connect(token) for token in tokens[:2]]
    turn = await bots[0].next_turn(own, 0)
    before = [await own.everything(), await foreign.session()]
    session_id = {"own": own.id, "foreign": foreign.id}.get(session, session)
    answer = turns_pb2.Answer(session_id=session_id, seat=seat, decision_id=decision, index=0)
    assert (await bots[0].refused(answer)).reason == reason
    assert [await own.everything(), await foreign.session()] == before
    bots[0].turns.clear()
    await bots[0].answer(own.answer(turn))
    await bots[1].answer(own.answer(await bots[1].next_turn(own, 1)))
    assert (await bots[0].next_turn(own, 0)).decision_id == 2


async def test_out_of_turn_and_after_the_end(house: House, tokens: tuple[str, ...]) -> None:
    """A seat that has nothing to decide is told to wait; one whose game is over, that it is over."""
    table = await house.create(tokens[0], tokens[0])
    bot = await house.connect(tokens[0])
    turns = [await bot.next_turn(table, seat) for seat in (0, 1)]
    await bot.answer(*[table.answer(turn) for turn in turns])
    await bot.next_turn(table, 0)
    late = turns_pb2.Answer(session_id=table.id, seat=1, decision_id=2, index=0)
    assert (await bot.refused(late)).reason == "OUT_OF_TURN"
    await table.abort()
    assert (await bot.refused(late)).reason == "SESSION_ABORTED"
    waiting = await house.create(tokens[0], "")
    early = turns_pb2.Answer(session_id=waiting.id, seat=0, decision_id=1, index=0)
    assert (await bot.refused(early)).reason == "SESSION_WAITING"


async def test_a_game_that_was_over_is_still_ones_own_after_a_reconnect(house: House, tokens: tuple[str, ...]) -> None:
    """A bot that lost its line with the last answer is told that the game is over, not that the seat is foreign."""
    table = await house.create(tokens[0], tokens[0])
    bot = await house.connect(tokens[0])
    await bot.play_all(2)
    await bot.leave()
    again = await house.connect(tokens[0])
    answer = turns_pb2.Answer(session_id=table.id, seat=0, decision_id=1, index=0)
    assert (await again.refused(answer)).reason == "SESSION_OVER"


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        (bots_pb2.PlayRequest(), None, "PROTOCOL_ERROR"),
        (bots_pb2.PlayRequest(answers=[turns_pb2.Answer()]), None, "PROTOCOL_ERROR"),
        (bots_pb2.PlayRequest(hello=bots_pb2.Hello(name="x" * 65)), None, "BAD_REQUEST"),
        (bots_pb2.PlayRequest(hello=bots_pb2.Hello(name="a\nb")), None, "BAD_REQUEST"),
        (
            bots_pb2.PlayRequest(hello=bots_pb2.Hello()),
            bots_pb2.PlayRequest(hello=bots_pb2.Hello()),
            "PROTOCOL_ERROR",
        ),
        (
            bots_pb2.PlayRequest(hello=bots_pb2.Hello()),
            bots_pb2.PlayRequest(answers=[turns_pb2.Answer()] * 1025),
            "PROTOCOL_ERROR",
        ),
        (
            bots_pb2.PlayRequest(hello=bots_pb2.Hello(detail=turns_pb2.TurnDetail(legal=77))),  # type: ignore[arg-type]
            None,
            "BAD_REQUEST",
        ),
    ],
)
async def test_a_stream_used_wrongly_ends_with_a_reason(
    house: House,
    tokens: tuple[str, ...],
    first: bots_pb2.PlayRequest,
    second: bots_pb2.PlayRequest | None,
    reason: str,
) -> None:
    """hello first and once, within its limits; the stream that breaks this ends, and nothing of it is left."""
    call = house.bots.Play(metadata=(("authorization", f"Bearer {tokens[0]}"),))
    await call.write(first)
    if second is not None:
        assert (await call.read()).HasField("welcome")
        await call.write(second)
    with house.refuses(reason):
        await call.read()
    assert not house.hall._holders
    await house.connect(tokens[0])


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        ((), "TOKEN_MISSING"),
        ((("authorization", "Basic abc"),), "TOKEN_MISSING"),
        ((("authorization", "Bearer short"),), "BAD_REQUEST"),
        ((("authorization", "Bearer " + "x" * 129),), "BAD_REQUEST"),
        ((("authorization", "Bearer " + "ab c!" * 6),), "BAD_REQUEST"),
    ],
)
async def test_a_bot_needs_a_token(house: House, metadata: tuple[tuple[str, str], ...], reason: str) -> None:
    """Without a well-formed token there is no stream."""
    call = house.bots.Play(metadata=metadata)
    with house.refuses(reason) as message:
        await call.write(bots_pb2.PlayRequest(hello=bots_pb2.Hello()))
        await call.read()
    assert "short" not in message[0]


async def test_a_defect_of_ours_keeps_nothing_from_the_others(
    house: House, tokens: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One answer of a batch hits a bug: it is refused and logged, and what the others led to is announced."""
    broken, sound = await house.create(tokens[0], tokens[1]), await house.create(tokens[0], tokens[1])
    ada, bob = await house.connect(tokens[0]), await house.connect(tokens[1])
    await bob.answer(sound.answer(await bob.next_turn(sound, 1)))
    answers = [table.answer(await ada.next_turn(table, 0)) for table in (sound, broken)]
    submit = Session.submit

    def fails(session: Session, *arguments: Any) -> str:
        if session.id == broken.id:
            raise IndexError("a bug")
        return submit(session, *arguments)

    monkeypatch.setattr(Session, "submit", fails)
    await ada.answer(*answers)
    await ada.until(lambda: ada.refusals)
    assert (ada.refusals[0].session_id, ada.refusals[0].reason) == (broken.id, "UNAVAILABLE")
    assert "a bug" not in ada.refusals[0].message
    assert (await ada.next_turn(sound, 0)).decision_id == 2


async def test_bytes_that_are_no_message_end_the_stream_with_a_clear_status(
    house: House, tokens: tuple[str, ...]
) -> None:
    """Not our defect, so not INTERNAL."""
    play: Any = house.channel.stream_stream("/croupier.v1.BotService/Play", None, None)
    call = play(metadata=(("authorization", f"Bearer {tokens[0]}"),))
    await call.write(b"\xff\xff\xff")
    with pytest.raises(aio.AioRpcError) as caught:
        await call.read()
    house.explained(caught.value, "PROTOCOL_ERROR")


async def test_a_request_id_is_for_one_decision_only(house: House, tokens: tuple[str, ...]) -> None:
    """Used again for the next decision it is refused, not taken for a repetition."""
    table = await house.create(tokens[0], tokens[0])
    bot = await house.connect(tokens[0])
    answers = [table.answer(await bot.next_turn(table, seat), index=0) for seat in (0, 1)]
    answers[0].request_id = "once"
    await bot.answer(*answers)
    again = table.answer(await bot.next_turn(table, 0), index=0)
    again.request_id = "once"
    assert (await bot.refused(again)).reason == "BAD_REQUEST"
    assert (await bot.next_turn(table, 0)).decision_id == 2
