"""GetTurn and SubmitAction: what seats and spectators see, and how a seat plays."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from croupier.games.lie.v1 import lie_pb2
from croupier.v1 import catalog_pb2, games_pb2, records_pb2, sessions_pb2, turns_pb2
from croupier_games import GAMES

if TYPE_CHECKING:
    from tests.service.conftest import House, Table


async def test_before_the_deal_there_is_nothing_to_see(house: House, tokens: tuple[str, ...]) -> None:
    """A waiting session's turn names session and seat only."""
    table = await house.create(tokens[0], "")
    assert await table.turn(0) == turns_pb2.Turn(session_id=table.id)
    assert await table.turn() == turns_pb2.Turn(session_id=table.id)


async def test_a_seat_sees_its_hand_and_a_spectator_does_not(house: House) -> None:
    """Each seat gets its own cards and decisions; spectators get what lies on the table."""
    table = await house.table()
    own = [await table.turn(seat) for seat in (0, 1)]
    assert [turn.seat for turn in own] == [0, 1]
    assert [turn.decision_id for turn in own] == [1, 1]
    assert all(turn.view.lie.hand.cards for turn in own)
    public = await table.turn()
    assert public.view.HasField("lie")
    assert not public.view.lie.HasField("hand")
    assert (public.decision_id, public.legal_count, len(public.events)) == (0, 0, 0)


async def test_a_turn_tells_what_happened_and_what_may_be_done(house: House) -> None:
    """Events since the last decision, the legal list, its length, and where a watch would go on."""
    table = await house.table()
    await table.arrange()
    await table.play((0, "1x3"))
    turn = await table.turn(1)
    assert turn.decision_id == 2
    assert [event.lie.WhichOneof("kind") for event in turn.events] == ["hand_arranged", "all_arranged", "bid_made"]
    assert turn.legal[0].notation == "challenge"
    assert turn.legal_count == len(turn.legal)
    assert turn.next_event == 5
    assert not turn.HasField("time_left_ms")


async def test_somebody_with_nothing_to_decide_has_no_decision(house: House) -> None:
    """Out of turn the decision id is 0 and the legal list empty, but the view is there."""
    table = await house.table()
    await table.arrange()
    turn = await table.turn(1)
    assert (turn.decision_id, turn.legal_count, len(turn.legal)) == (0, 0, 0)
    assert turn.view.lie.hand.cards


@pytest.mark.parametrize(
    ("detail", "left_out"),
    [
        ({"omit_view": True}, {"view"}),
        ({"omit_events": True}, {"events"}),
        ({"legal": turns_pb2.LEGAL_DETAIL_COUNT}, {"legal"}),
        ({"omit_view": True, "omit_events": True, "legal": turns_pb2.LEGAL_DETAIL_COUNT}, {"view", "events", "legal"}),
        ({"legal": turns_pb2.LEGAL_DETAIL_NOTATION}, set()),
    ],
)
async def test_details_leave_out_what_is_not_wanted(house: House, detail: dict[str, int], left_out: set[str]) -> None:
    """A turn with less detail is the full turn without those fields, and nothing else differs."""
    table = await house.table()
    expected = await table.turn(0)
    for field in left_out:
        expected.ClearField(field)
    assert await table.turn(0, **detail) == expected


async def test_typed_legal_actions_say_the_same_as_the_notations(house: House) -> None:
    """LEGAL_DETAIL_TYPED adds the typed action to every notation."""
    table = await house.table()
    turn = await table.turn(0, legal=turns_pb2.LEGAL_DETAIL_TYPED)
    plain = await table.turn(0)
    assert [legal.notation for legal in turn.legal] == [legal.notation for legal in plain.legal]
    for legal in turn.legal:
        values = " ".join(str(value) for value in legal.action.lie.arrange.values)
        assert legal.notation == f"show {values}"


async def same_action(table: Table, form: str) -> dict[str, Any]:
    turn = await table.turn(0, legal=turns_pb2.LEGAL_DETAIL_TYPED)
    wrapped = AnyMessage()
    wrapped.Pack(turn.legal[1].action.lie)
    forms: dict[str, dict[str, Any]] = {
        "index": {"index": 1},
        "notation": {"notation": turn.legal[1].notation},
        "action": {"action": turn.legal[1].action},
        "any": {"action": games_pb2.GameAction(other=wrapped)},
    }
    return forms[form]


@pytest.mark.parametrize("form", ["index", "notation", "action", "any"])
async def test_index_notation_and_typed_action_are_the_same_move(house: House, form: str) -> None:
    """Whichever form is handy leads to the same state and the same log."""
    table = await house.table()
    notation = (await table.turn(0)).legal[1].notation
    response = await table.submit(0, **await same_action(table, form))
    assert response.notation == notation
    assert response.turn == await table.turn(0)
    cards = response.turn.view.lie.hand.cards
    assert notation == "show " + " ".join(str(card.showing) for card in cards)


async def test_a_request_id_repeated_gets_the_first_answer_and_plays_once(house: House) -> None:
    """A client that does not know whether its request arrived may send it again, even when the game has moved on."""
    table = await house.table()
    first = await table.submit(0, decision_id=1, index=1, request_id="a")
    after = await table.everything()
    again = await table.submit(0, decision_id=1, index=1, request_id="a")
    assert again == first
    assert await table.everything() == after
    await table.submit(1, index=0)
    await table.play_out()
    assert (await table.submit(0, decision_id=1, index=1, request_id="a")).notation == first.notation


async def test_request_ids_are_of_one_seat(house: House) -> None:
    """Two seats may use the same request id for different answers."""
    table = await house.table()
    await table.submit(0, index=0, request_id="a")
    await table.submit(1, index=1, request_id="a")
    assert (await table.turn(0)).decision_id == 2


async def test_a_refused_request_id_may_be_used_again(house: House) -> None:
    """Only what was played is remembered."""
    table = await house.table()
    with house.refuses("ILLEGAL_ACTION"):
        await table.submit(0, index=99, request_id="a")
    await table.submit(0, index=0, request_id="a")


async def test_a_dry_run_changes_nothing(house: House) -> None:
    """It says what would be played, and afterwards the decision is as open as before."""
    table = await house.table()
    before = await table.everything()
    response = await table.submit(0, index=1, dry_run=True, request_id="a")
    assert response.notation == (await table.turn(0)).legal[1].notation
    assert not response.HasField("turn")
    assert await table.everything() == before
    await table.submit(0, index=0, request_id="a")


async def test_an_illegal_dry_run_does_not_count(house: House) -> None:
    """Trying out costs nothing, however often."""
    table = await house.table(illegal_limit=2)
    for _ in range(5):
        with house.refuses("ILLEGAL_ACTION"):
            await table.submit(0, index=99, dry_run=True)
        with house.refuses("BAD_CHOICE"):
            await table.submit(0, notation="?", dry_run=True)
    assert (await table.turn(0)).decision_id == 1


@pytest.mark.rule("ALL-6")
@pytest.mark.parametrize("forced", [False, True])
async def test_forced_decisions_are_played_by_the_engine_if_asked(house: House, forced: bool) -> None:
    """After the highest bid there is only the challenge: asked for, or played at once."""
    table = await house.table(auto_play_forced=forced)
    await table.arrange()
    await table.play((0, "2x6"))
    assert (await table.turn(1)).legal_count == (2 if forced else 1)
    last = (await house.store.load(table.id))[-1]
    assert str(getattr(last, "notation", "")) == ("challenge" if forced else "2x6")
    if forced:
        await table.play_out()
        choosers = [entry.action.chooser for entry in (await table.record()).entries]
        assert choosers[3] == records_pb2.CHOOSER_FORCED
        assert set(choosers) <= {records_pb2.CHOOSER_SEAT, records_pb2.CHOOSER_FORCED}


@pytest.mark.rule("ALL-6")
@pytest.mark.parametrize("forced", [False, True])
async def test_turns_tell_every_event_once(house: House, forced: bool) -> None:
    """The events of a seat's turns, one after the other, are all it may see, also when the engine played for it."""
    table = await house.table(auto_play_forced=forced)
    told = [0, 0]
    for _ in range(3):
        for seat in (0, 1, 0, 1):
            turn = await table.turn(seat)
            if not turn.decision_id:
                continue
            assert turn.next_event - len(turn.events) == told[seat]
            told[seat] = turn.next_event
            highest = turn.legal[-1].notation
            await table.submit(seat, notation=highest)


async def test_the_record_replays_to_the_same_outcome(house: House) -> None:
    """Seed and notations of a record, played in the rules alone, end the same way."""
    table = await house.table(3, options={"joker_ones": catalog_pb2.OptionValue(flag=True)}, auto_play_forced=True)
    session = await table.play_out()
    record = await table.record()
    assert record.session == session
    options = {name: getattr(value, str(value.WhichOneof("value"))) for name, value in session.options.items()}
    game = GAMES[session.game_id]
    state = game.new(seats=len(session.seats), options=options, seed=record.deal_seed)
    for entry in record.entries:
        state.play(entry.action.seat, game.parse(entry.action.notation))
    assert state.outcome is not None
    places = [result.place for result in state.outcome.results]
    assert places == [result.place for result in session.outcome.results]
    assert state.outcome.reason == session.outcome.reason
    figures = [dict(result.tie_breaks) for result in state.outcome.results]
    assert figures == [
        {figure.name: figure.value for figure in result.tie_breaks} for result in session.outcome.results
    ]


async def test_a_record_is_given_only_at_the_end(house: House) -> None:
    """While a game waits or runs its record would show what is hidden."""
    for table in (await house.create("", ""), await house.table()):
        with house.refuses("SESSION_RUNNING"):
            await table.record()


async def test_records_tell_when_things_happened(house: House) -> None:
    """at_ms counts from the deal, think_us from the moment the seat was asked."""
    table = await house.create("", "")
    await table.claim()
    house.clock.advance(5)
    await table.claim()
    house.clock.advance(1.5)
    await table.submit(0, index=0)
    house.clock.advance(0.25)
    await table.submit(1, index=0)
    house.clock.advance(0.125)
    await table.submit(1 if (await table.turn(1)).decision_id else 0, index=0)
    await table.abort()
    entries = (await table.record()).entries
    assert [entry.at_ms for entry in entries] == [1500, 1750, 1875]
    assert [entry.action.think_us for entry in entries] == [1_500_000, 1_750_000, 125_000]


async def test_a_record_can_be_waited_for(house: House) -> None:
    """wait_until_over answers with the record of a session that was still running when it was asked."""
    table = await house.table()
    request = records_pb2.GetRecordRequest(session_id=table.id, wait_until_over=True)
    owner = (("authorization", f"Bearer {table.owner_token}"),)
    waiting = asyncio.ensure_future(house.records.GetRecord(request, metadata=owner))
    await table.play_out()
    record = (await waiting).record
    assert record == await table.record()
    assert record.session.state == sessions_pb2.SESSION_STATE_FINISHED


async def test_simultaneous_decisions_do_not_grow_stale(house: House) -> None:
    """Whoever answers first, the other's decision, view and legal list stay as they were (ALL-4)."""
    for order in ((0, 1), (1, 0)):
        table = await house.table()
        first, second = order
        before = await table.turn(second)
        await table.submit(first, decision_id=1, index=0)
        assert await table.turn(second) == before
        await table.submit(second, decision_id=1, index=0)
        assert (await table.turn(0)).decision_id == 2


async def test_a_token_with_two_seats_must_say_which(house: House, tokens: tuple[str, ...]) -> None:
    """One token may hold several seats; calls that name none are refused with the seats it holds."""
    table = await house.create("", "")
    for seat in (0, 1):
        await table.claim(tokens[0], seat=seat)
    request = sessions_pb2.GetTurnRequest(session_id=table.id)
    with house.refuses("BAD_REQUEST") as message:
        await house.sessions.GetTurn(request, metadata=(("authorization", f"Bearer {tokens[0]}"),))
    assert "[0, 1]" in message[0]
    for seat in (0, 1):
        assert (await table.turn(seat)).seat == seat


async def test_the_wrong_phase_s_action_is_illegal_by_any_name(house: House) -> None:
    """A well-formed action that is not legal now is refused whichever way it is written."""
    table = await house.table()
    before = await table.everything()
    bid = games_pb2.GameAction(lie=lie_pb2.Action(bid=lie_pb2.Bid(count=1, value=1)))
    for choice in ({"notation": "1x1"}, {"action": bid}):
        with house.refuses("ILLEGAL_ACTION"):
            await table.submit(0, **choice)
    assert await table.everything() == before


async def test_the_record_of_a_given_seed_is_its_owners(house: House) -> None:
    """It would tell the deal of every session that is dealt from the seed, now or later."""
    given = await house.table()
    await given.play_out()
    with house.refuses("TOKEN_MISSING"):
        await given.record(token="")
    with house.refuses("TOKEN_NOT_FOR_THIS"):
        await given.record(token=given.tokens[0])
    assert (await given.record()).session.session_id == given.id
    drawn = await house.table(seed=b"")
    await drawn.play_out()
    assert (await drawn.record(token="")).session.session_id == drawn.id
