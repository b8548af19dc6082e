"""The promises of a game, kept over gRPC: checks that any service and any of its games can be put through.

Each check takes a client and a case, and plays the case's script: what the rules' own suite would play, so that the
rules themselves say what must be seen at every step."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from tests.service.conformance.hosted import Bot, Refused, Wire, token_of
from tests.service.conformance.said import own_message, payload, require_says

from croupier.v1 import games_pb2, records_pb2, sessions_pb2, turns_pb2
from croupier_games import Action, State
from croupier_games.conformance import Case
from croupier_games.conformance.play import Play, seen_events, viewers

TYPED = turns_pb2.TurnDetail(legal=turns_pb2.LEGAL_DETAIL_TYPED)
_tables = count(1)


def script(case: Case) -> Iterator[tuple[int, State, int | None, Action | None]]:
    """Step by step: its number, the state, then who acts and how; nobody in the last."""
    play = Play(case)
    for step, state in enumerate(play.steps()):
        yield (step, state, *(play.choice() if state.deciders else (None, None)))


@dataclass
class Table:
    """A session of a case, every seat with a token of its own or all with one."""

    wire: Wire
    case: Case
    session_id: str
    tokens: list[str]
    owner_token: str

    @classmethod
    async def open(cls, wire: Wire, case: Case, *, shared: bool = False) -> "Table":
        """Creates the session and takes every seat; with `shared` all are reserved for one bot that is to come."""
        number = next(_tables)
        tokens = [token_of(0 if shared else seat, number) for seat in range(case.seats)]
        created = await wire.create(case.game.id, tokens, case.options, case.seed)
        table = cls(wire, case, created.session.session_id, tokens, created.owner_token)
        for seat, token in enumerate(tokens):
            if not shared:
                await wire.claim(table.session_id, seat, token)
        return table

    def answer(self, seat: int, decision_id: int, **choice: Any) -> turns_pb2.Answer:
        """An answer at this table."""
        return turns_pb2.Answer(session_id=self.session_id, seat=seat, decision_id=decision_id, **choice)

    async def submit(self, answer: turns_pb2.Answer, token: str) -> bytes | Refused:
        """Plays an answer by a unary call."""
        request = sessions_pb2.SubmitActionRequest(answer=answer)
        return await self.wire.call("SessionService/SubmitAction", request, token)

    async def turn(self, seat: int | None) -> turns_pb2.Turn:
        """What a seat, or a spectator, is shown."""
        token = "" if seat is None else self.tokens[seat]
        return await self.wire.turn(self.session_id, seat, token, TYPED.legal)

    async def shown(self) -> list[bytes]:
        """What everybody is shown, as bytes that do not name the session."""
        turns = [await self.turn(viewer) for viewer in (*range(self.case.seats), None)]
        return [self.nameless(turn.SerializeToString(deterministic=True)) for turn in turns]

    def nameless(self, data: bytes) -> bytes:
        """The bytes with the session's id made unrecognisable, their length unchanged."""
        return data.replace(self.session_id.encode(), b"-" * len(self.session_id))

    async def watched(self, viewer: int | None) -> list[sessions_pb2.WatchEvent]:
        """Every event of the finished session, as the viewer sees it."""
        request = sessions_pb2.WatchSessionRequest(session_id=self.session_id, seat=viewer)
        watch = self.wire.watch(request, "" if viewer is None else self.tokens[viewer])
        start = sessions_pb2.WatchSessionResponse.FromString(await watch.must_start())
        *events, over = [sessions_pb2.WatchSessionResponse.FromString(data) for data in await watch.rest()]
        assert over.over.state == sessions_pb2.SESSION_STATE_FINISHED
        assert [step.event.number for step in events] == list(range(start.start.next_event))
        return [step.event for step in events]

    async def record(self) -> records_pb2.Record:
        """The record, without what differs from session to session: the id, the times, and the head over them."""
        request = records_pb2.GetRecordRequest(session_id=self.session_id)
        answer = await self.wire.ask("RecordService/GetRecord", request, self.owner_token)
        record = records_pb2.GetRecordResponse.FromString(answer).record
        record.session.ClearField("session_id")
        record.session.ClearField("create_time")
        record.session.ClearField("head")
        for entry in record.entries:
            entry.ClearField("at_ms")
            entry.action.ClearField("think_us")
        return record


Form = Callable[[turns_pb2.Turn, Action], dict[str, Any]]


def by_index(turn: turns_pb2.Turn, action: Action) -> dict[str, Any]:
    """Answers with the position in the list."""
    return {"index": [entry.notation for entry in turn.legal].index(str(action))}


def by_notation(turn: turns_pb2.Turn, action: Action) -> dict[str, Any]:
    """Answers with the notation."""
    return {"notation": str(action)}


def by_payload(turn: turns_pb2.Turn, action: Action) -> dict[str, Any]:
    """Answers with the typed action."""
    return {"action": next(entry.action for entry in turn.legal if entry.notation == str(action))}


async def calls(table: Table, form: Form) -> AsyncIterator[State]:
    """Plays the script by unary calls; yields the state before each step and at the end."""
    for _, state, seat, action in script(table.case):
        yield state
        if seat is not None and action is not None:
            turn = await table.turn(seat)
            answer = table.answer(seat, turn.decision_id, **form(turn, action))
            played = await table.submit(answer, table.tokens[seat])
            assert isinstance(played, bytes), played
            assert sessions_pb2.SubmitActionResponse.FromString(played).notation == str(action)


async def stream(table: Table, bot: Bot, pushed: Callable[[State, turns_pb2.Turn], Awaitable[None]]) -> None:
    """Plays the script on one stream for all seats, showing every turn that is pushed when its moment comes."""
    waiting: dict[int, turns_pb2.Turn] = {}
    for _, state, seat, action in script(table.case):
        while not set(state.deciders) <= waiting.keys():
            message = await bot.read()
            assert not message.refusals
            for turn in message.turns:
                assert turn.seat not in waiting, "a turn was pushed twice"
                waiting[turn.seat] = turn
        assert waiting.keys() == set(state.deciders)
        for turn in waiting.values():
            await pushed(state, turn)
        if seat is not None and action is not None:
            turn = waiting.pop(seat)
            await bot.answer(table.answer(seat, turn.decision_id, **by_index(turn, action)))
    over = 0
    while over < table.case.seats:
        over += len((await bot.read()).games_over)
    await bot.leave()


async def every_way_to_play_is_the_same(wire: Wire, case: Case) -> None:
    """Index, notation, typed action and bot stream give the same turns, events and record, byte for byte."""
    tellings, records = [], []
    for form in (by_index, by_notation, by_payload):
        table = await Table.open(wire, case)
        step, shown = 0, []
        async for _ in calls(table, form):
            if step % 5 == 0:
                shown.append(await table.shown())
            step += 1
        tellings.append((shown, [await table.watched(viewer) for viewer in (*range(case.seats), None)]))
        records.append(await table.record())
    assert tellings[0] == tellings[1] == tellings[2]
    table = await Table.open(wire, case, shared=True)
    await stream(table, await wire.bot(table.tokens[0], TYPED), _look_away)
    records.append(await table.record())
    assert all(record == records[0] for record in records)
    assert [entry.action.notation for entry in records[0].entries] == [str(step[3]) for step in script(case) if step[3]]


async def _look_away(state: State, turn: turns_pb2.Turn) -> None:
    """Not every play is looked at."""


async def pushed_turns_are_what_the_rules_say(wire: Wire, case: Case) -> None:
    """A pushed turn is the one that GetTurn gives until it is answered, and holds the view and actions of the rules."""
    table = await Table.open(wire, case, shared=True)
    view_type, action_type = own_message(case.game, "View"), own_message(case.game, "Action")
    decisions = dict.fromkeys(range(case.seats), 0)

    async def look(state: State, turn: turns_pb2.Turn) -> None:
        assert turn.decision_id in (decisions[turn.seat], decisions[turn.seat] + 1)
        if turn.decision_id > decisions[turn.seat]:
            decisions[turn.seat] = turn.decision_id
            assert await table.turn(turn.seat) == turn
            require_says(payload(turn.view, view_type), state.view(turn.seat))
            for entry, action in zip(turn.legal, state.legal(turn.seat), strict=True):
                assert entry.notation == str(action)
                require_says(payload(entry.action, action_type), action)
        elif len(state.deciders) > 1:  # others have decided in the meantime, and that changes nothing
            assert await table.turn(turn.seat) == turn

    await stream(table, await wire.bot(table.tokens[0], TYPED), look)


async def only_deciders_have_choices(wire: Wire, case: Case) -> None:
    """Whoever must decide has at least one legal action, everybody else none; at the end nobody has."""
    table = await Table.open(wire, case)
    async for state in calls(table, by_notation):
        for seat in range(case.seats):
            turn = await table.turn(seat)
            assert bool(turn.decision_id) == (seat in state.deciders)
            assert len(turn.legal) == turn.legal_count
            assert bool(turn.legal_count) == (seat in state.deciders)
        spectator = await table.turn(None)
        assert (spectator.decision_id, spectator.legal_count, len(spectator.legal)) == (0, 0, 0)


async def watchers_see_what_the_rules_tell(wire: Wire, case: Case) -> None:
    """Every seat and every spectator can watch exactly the events that the rules made for them, numbered from 0."""
    table = await Table.open(wire, case)
    told: dict[int | None, list[tuple[object, ...]]] = {viewer: [] for viewer in (*range(case.seats), None)}
    async for state in calls(table, by_notation):
        for viewer in viewers(state):
            told[viewer] += seen_events(state, viewer)
    event_type = own_message(case.game, "Event")
    for viewer, expected in told.items():
        for seen, what in zip(await table.watched(viewer), expected, strict=True):
            require_says(payload(seen.event, event_type), what)


async def what_is_refused_changes_nothing(wire: Wire, case: Case) -> None:
    """Foreign, stale, out-of-turn, illegal and senseless answers are refused, and everybody sees what they saw."""
    table = await Table.open(wire, case)
    step = 0
    async for state in calls(table, by_notation):
        if step % 6 == 0:
            before = await table.shown()
            for answer, token in await _bad_answers(table, state):
                refused = await table.submit(answer, token)
                assert isinstance(refused, Refused), f"step {step}: {answer} was taken"
            assert await table.shown() == before, f"step {step}"
        step += 1


async def _bad_answers(table: Table, state: State) -> list[tuple[turns_pb2.Answer, str]]:
    bad: list[tuple[turns_pb2.Answer, str]] = []
    for seat in range(state.seats):
        own, other = table.tokens[seat], table.tokens[seat - 1]
        now = (await table.turn(seat)).decision_id
        legal = [str(action) for action in state.legal(seat)]
        others = [str(action) for asked in state.deciders for action in state.legal(asked)]
        foreign = [notation for notation in others if notation not in legal][:2]
        answers = [
            table.answer(seat, now + 1, index=0),
            table.answer(seat, max(0, now - 1), index=0) if now else table.answer(seat, 0, index=0),
            table.answer(seat, 2**64 - 1, index=0),
            table.answer(seat, now, index=len(legal)),
            table.answer(seat, now, notation="garbage"),
            table.answer(seat, now, notation=""),
            table.answer(seat, now, action=games_pb2.GameAction()),
            table.answer(seat, now),
            *(table.answer(seat, now, notation=notation) for notation in foreign),
        ]
        bad += [(answer, own) for answer in answers]
        strangers = [token for token in (other, token_of(99), "", "short") if token != own]
        bad += [(table.answer(seat, now, index=0), token) for token in strangers]
    nowhere = table.answer(0, 1, index=0)
    nowhere.session_id = "nowhere"
    return [*bad, (nowhere, table.tokens[0]), (table.answer(state.seats, 1, index=0), table.tokens[0])]


CHECKS = (
    every_way_to_play_is_the_same,
    pushed_turns_are_what_the_rules_say,
    only_deciders_have_choices,
    watchers_see_what_the_rules_tell,
    what_is_refused_changes_nothing,
)
