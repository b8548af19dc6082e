"""The leak gate at the wire: no byte that a viewer is sent depends on what the viewer must not know.

Two services stand side by side. One is dealt a state, the other the same state with all that the viewer cannot know
drawn anew. The viewer then does in both whatever a client can do, looks on while the same things happen, and must hear
the very same bytes. A game gets through this gate by being installed; it need not know of it.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from google.protobuf.message import Message
from tests.service.conformance.hosted import Bot, Watch, Wire, besides_barrier, serving, token_of

from croupier.v1 import bots_pb2, games_pb2, records_pb2, sessions_pb2, turns_pb2
from croupier_games import Action, Chance, Game, OptionValue, State, View
from croupier_games.conformance import Case, cases
from croupier_games.conformance.play import Play, name_of, sight, viewers
from croupier_service.wire.games import GameCodec

LOCK_STEPS = 5
_TRIED = 4
"""Legal actions, of each kind of seat, that are tried at the wrong moment."""
_SEED = bytes(range(32))
_PACE = sessions_pb2.TimeControl(move_ms=60_000, game_ms=600_000, increment_ms=1_000)

Heard = list[tuple[str, object]]
"""What the viewer did, and what it heard."""


class Leak(AssertionError):
    """A viewer heard something that depends on what it must not know."""


class Rigged(Game):
    """A game that deals a prepared state; in everything else the game it stands in for."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.prepared: State | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def check(self, seats: int, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """As the game does."""
        return self._game.check(seats, options)

    def deal(self, seats: int, options: Mapping[str, OptionValue], seed: bytes) -> State:
        """A copy of the prepared state."""
        assert self.prepared is not None
        return self.prepared.clone()

    def parse(self, text: str) -> Action:
        """As the game does."""
        return self._game.parse(text)

    def restore(self, data: bytes) -> State:
        """As the game does."""
        return self._game.restore(data)

    def render(self, view: View) -> str:
        """As the game does."""
        return self._game.render(view)


class Placement(NamedTuple):
    """A state of a play, and whose eyes to see it with."""

    case: Case
    step: int
    state: State
    viewer: int | None

    def __str__(self) -> str:
        return f"{self.case}, step {self.step}, seen by {name_of(self.viewer)}"

    def chance(self, purpose: str) -> Chance:
        """What is drawn for this placement."""
        return Chance(self.case.seed_for(f"leak gate/{self.step}/{self.viewer}/{purpose}"))


def placements(game: Game, count: int) -> Iterator[Placement]:
    """So many placements, spread over tables, options, viewers and moments: deals, open windows, and any other."""
    tables = list(cases(game))
    for number in range(count):
        case = tables[number * len(tables) // count]
        chance = Chance(case.seed_for(f"leak gate/{number}"))
        states = [(step, state.clone()) for step, state in enumerate(Play(case).steps()) if state.deciders]
        shared = [(step, state) for step, state in states if len(state.deciders) > 1]
        chosen = (states[:1], shared or states, states)[number % 3]
        step, state = chosen[chance.below("step", len(chosen))]
        viewer = viewers(state)[chance.below("viewer", state.seats + 1)]
        yield Placement(case, step, state, viewer)


@dataclass
class World:
    """One of the two services, with the session that is being compared."""

    wire: Wire
    game: Rigged
    table: int = 0
    """Counts the sessions: tokens and ids differ from one to the next, but not between the worlds."""
    session_id: str = ""
    viewer: int | None = None
    token: str = ""
    owner_token: str = ""
    bot: Bot | None = None
    watches: list[Watch] = field(default_factory=list)
    heads: set[bytes] = field(default_factory=set)
    """What bound the service to the records of the sessions that have ended."""

    async def open(self, state: State, viewer: int | None) -> Heard:
        """Deals the state to a new table, the viewer arriving last, and listens."""
        self.game.prepared = state
        self.table += 1
        self.viewer = viewer
        self.token = "" if viewer is None else token_of(viewer, self.table)
        tokens = [token_of(seat, self.table) for seat in range(state.seats)]
        created = await self.wire.create(self.game.id, tokens, state.options, _SEED, time_control=_PACE)
        self.session_id, self.owner_token = created.session.session_id, created.owner_token
        for seat, token in enumerate(tokens):
            if seat != viewer:
                await self.wire.claim(self.session_id, seat, token)
        detail = turns_pb2.TurnDetail(legal=turns_pb2.LEGAL_DETAIL_TYPED)
        self.bot = None if viewer is None else await self.wire.bot(self.token, detail)
        self.watches = []
        return [("connects", await self._pushed())]

    async def look(self) -> Heard:
        """Everything that the viewer can ask to be shown."""
        heard: Heard = []
        for method, request in _questions(self.session_id):
            heard.append((f"asks {method}", await self.wire.call(method, request, self.token)))
        for token in dict.fromkeys((self.token, "")):
            watch = self.wire.watch(sessions_pb2.WatchSessionRequest(session_id=self.session_id), token)
            heard.append(("begins to watch" + " as a spectator" * (not token), await watch.start()))
            self.watches.append(watch)
        return heard

    async def pry(self, answers: list[turns_pb2.Answer], other: int) -> Heard:
        """Everything that the viewer may not do: answers that must be refused, and another's rights."""
        heard: Heard = []
        for answer in answers:
            for dry_run in (True, False):
                submit = sessions_pb2.SubmitActionRequest(answer=answer, dry_run=dry_run)
                words = f"{'tries' if dry_run else 'answers'} {_brief(answer)}"
                heard.append((words, await self.wire.call("SessionService/SubmitAction", submit, self.token)))
        for method, request in _intrusions(self.session_id, other):
            heard.append((f"intrudes with {method}", await self.wire.call(method, request, self.token)))
        watch = self.wire.watch(sessions_pb2.WatchSessionRequest(session_id=self.session_id, seat=other), self.token)
        heard.append(("watches with another's eyes", await watch.start()))
        if self.bot is not None:
            await self.bot.answer(*answers)
            heard.append(("sends all that on its stream", await self._pushed()))
        return heard

    async def act(self, seat: int, decision_id: int, action: Action) -> Heard:
        """A seat acts: the viewer on its stream, anybody else with a call of which the viewer hears nothing."""
        answer = turns_pb2.Answer(session_id=self.session_id, seat=seat, decision_id=decision_id, notation=str(action))
        if self.bot is not None and seat == self.viewer:
            await self.bot.answer(answer)
        else:
            request = sessions_pb2.SubmitActionRequest(answer=answer)
            await self.wire.ask("SessionService/SubmitAction", request, token_of(seat, self.table))
        return [(f"hears after seat {seat} has acted", await self._pushed())]

    async def close(self) -> Heard:
        """The owner ends the session; the viewer hears how all its streams end."""
        request = sessions_pb2.AbortSessionRequest(session_id=self.session_id)
        await self.wire.call("SessionService/AbortSession", request, self.owner_token)
        heard: Heard = [("hears at the end", await self._pushed())]
        for watch in self.watches:
            heard.append(("has seen while it watched", await watch.rest()))
        if self.bot is not None:
            await self.bot.leave()
        return heard

    async def _pushed(self) -> list[bytes]:
        return [] if self.bot is None else await self.bot.heard()

    async def headless(self, heard: Heard) -> Heard:
        """What was heard, with zeros for heads: these are hashes of all there is, keyed with what no viewer knows."""
        request = sessions_pb2.GetSessionRequest(session_id=self.session_id)
        answer = await self.wire.ask("SessionService/GetSession", request, self.owner_token)
        self.heads.add(sessions_pb2.GetSessionResponse.FromString(answer).session.head)
        return [(what, self._masked(said)) for what, said in heard]

    def _masked(self, said: object) -> object:
        if isinstance(said, list):
            return [self._masked(each) for each in said]
        if isinstance(said, bytes):
            for head in filter(None, self.heads):
                said = said.replace(head, bytes(len(head)))
        return said


class LeakGate:
    """The two worlds, and the comparison."""

    def __init__(self, real: World, redrawn: World) -> None:
        self._worlds = (real, redrawn)

    async def check(self, placement: Placement) -> int:
        """Puts one placement through the gate; returns how many answers and streams were compared, or raises Leak."""
        here, there = _two_worlds(placement)
        compared = await self._same(
            placement,
            lambda: self._worlds[0].open(here, placement.viewer),
            lambda: self._worlds[1].open(there, placement.viewer),
        )
        compared += await self._both(placement, World.look)
        answers, other = _bad_answers(placement, self._worlds[0].session_id)
        compared += await self._both(placement, lambda world: world.pry(answers, other))
        compared += await self._lock_step(placement, here, there)
        compared += await self._both(placement, World.look)
        return compared + await self._both(placement, World.close)

    async def _lock_step(self, placement: Placement, here: State, there: State) -> int:
        """Plays on in both worlds for as long as the rules show the viewer the same."""
        decisions = dict.fromkeys(here.deciders, 1)
        compared = 0
        for number in range(LOCK_STEPS):
            step = _common_step(placement.chance(f"lock/{number}"), here, there, placement.viewer)
            if step is None:
                break
            seat, action, twin_action = step
            asked_before = set(here.deciders) - {seat}
            decision_id = decisions[seat]
            here.play(seat, action)
            there.play(seat, twin_action)
            for asked in set(here.deciders) - asked_before:
                decisions[asked] = decisions.get(asked, 0) + 1
            compared += await self._same(
                placement,
                lambda: self._worlds[0].act(seat, decision_id, action),  # noqa: B023  # awaited at once
                lambda: self._worlds[1].act(seat, decision_id, twin_action),  # noqa: B023
                expected=_Expected(placement.viewer in set(here.deciders) - asked_before, not here.deciders),
            )
        return compared

    async def _both(self, placement: Placement, step: Callable[[World], Awaitable[Heard]]) -> int:
        real, redrawn = self._worlds
        return await self._same(placement, lambda: step(real), lambda: step(redrawn))

    async def _same(
        self,
        placement: Placement,
        real: Callable[[], Awaitable[Heard]],
        redrawn: Callable[[], Awaitable[Heard]],
        expected: "_Expected | None" = None,
    ) -> int:
        both = await asyncio.gather(real(), redrawn())
        heard, twin_heard = [await world.headless(each) for world, each in zip(self._worlds, both, strict=True)]
        for (what, said), (_, twin_said) in zip(heard, twin_heard, strict=True):
            if said != twin_said:
                raise Leak(
                    f"{placement}: the viewer {what}, and hears\n{said!r}\nbut if hidden things differ\n{twin_said!r}"
                )
            if expected is not None and placement.viewer is not None:
                expected.require(placement, what, said)
        return len(heard)


class _Expected(NamedTuple):
    """What may be pushed to the viewer after an action: its turn if it is newly asked, the end if it is the end."""

    turn: bool
    end: bool

    def require(self, placement: Placement, what: str, said: object) -> None:
        assert isinstance(said, list)
        heard = besides_barrier(said)
        pushed = bots_pb2.PlayResponse(turns=heard.turns[: self.turn], games_over=heard.games_over[: self.end])
        complete = len(heard.turns) == self.turn and len(heard.games_over) == self.end
        if heard != pushed or not complete:
            raise Leak(f"{placement}: the viewer {what} what it need not or cannot know to have happened: {heard}")


@asynccontextmanager
async def leak_gate(game: Game) -> AsyncIterator[LeakGate]:
    """The gate for one game."""
    real, redrawn = Rigged(game), Rigged(game)
    async with serving({game.id: real}) as one, serving({game.id: redrawn}) as other:
        yield LeakGate(World(one, real), World(other, redrawn))


def _two_worlds(placement: Placement) -> tuple[State, State]:
    """The state, and one that the viewer cannot tell from it.

    Both begin with what the viewer was told last. What others were told on that occasion comes in one of them only:
    it must leave no trace, not even in a number."""
    state, viewer = placement.state, placement.viewer
    here = state.clone()
    there = state.resample(viewer, placement.chance("redraw").seed)
    told = tuple(event for event in here.events if event.audience is None or event.audience == viewer)
    there.events = told  # type: ignore[misc]  # the slot is that of the game's own class
    return here, there


def _common_step(chance: Chance, here: State, there: State, viewer: int | None) -> tuple[int, Action, Action] | None:
    """A seat and its action in each world, after which the viewer is shown the same; different ones if possible."""
    for seat in chance.shuffled("seat", here.deciders):
        legal, twin_legal = here.legal(seat), there.legal(seat)
        tried = chance.shuffled("action", legal, min(_TRIED, len(legal)))
        twins = chance.shuffled("twin", twin_legal, min(_TRIED, len(twin_legal)))
        different = [(action, twin) for action in tried for twin in twins if action != twin and seat != viewer]
        for action, twin in (*different, *((action, action) for action in tried if action in twin_legal)):
            if _looks_same(here, action, there, twin, seat, viewer):
                return seat, action, twin
    return None


def _looks_same(here: State, action: Action, there: State, twin: Action, seat: int, viewer: int | None) -> bool:
    after, twin_after = here.clone(), there.clone()
    after.play(seat, action)
    twin_after.play(seat, twin)
    return sight(after, viewer) == sight(twin_after, viewer)


def _questions(session_id: str) -> Iterator[tuple[str, Message]]:
    for legal in (turns_pb2.LEGAL_DETAIL_NOTATION, turns_pb2.LEGAL_DETAIL_TYPED, turns_pb2.LEGAL_DETAIL_COUNT):
        detail = turns_pb2.TurnDetail(legal=legal)
        yield "SessionService/GetTurn", sessions_pb2.GetTurnRequest(session_id=session_id, detail=detail)
    bare = turns_pb2.TurnDetail(omit_view=True, omit_events=True)
    yield "SessionService/GetTurn", sessions_pb2.GetTurnRequest(session_id=session_id, detail=bare)
    yield "SessionService/GetSession", sessions_pb2.GetSessionRequest(session_id=session_id)
    yield "SessionService/ListSessions", sessions_pb2.ListSessionsRequest(page_size=2)
    yield "RecordService/GetRecord", records_pb2.GetRecordRequest(session_id=session_id)


def _intrusions(session_id: str, other: int) -> Iterator[tuple[str, Message]]:
    yield "SessionService/GetTurn", sessions_pb2.GetTurnRequest(session_id=session_id, seat=other)
    yield "SessionService/ClaimSeat", sessions_pb2.ClaimSeatRequest(session_id=session_id, seat=other)
    yield "SessionService/ForfeitSeat", sessions_pb2.ForfeitSeatRequest(session_id=session_id, seat=other)
    yield "SessionService/AbortSession", sessions_pb2.AbortSessionRequest(session_id=session_id)


def _bad_answers(placement: Placement, session_id: str) -> tuple[list[turns_pb2.Answer], int]:
    """Answers that must be refused to the viewer, among them what others may do; and one of those others."""
    state, viewer = placement.state, placement.viewer
    own = state.legal(viewer) if viewer is not None else ()
    codec = GameCodec(placement.case.game)
    chance = placement.chance("bad answers")
    others = [action for seat in state.deciders for action in state.legal(seat) if action not in own]
    foreign = chance.shuffled("foreign", tuple(dict.fromkeys(others)))[:_TRIED]
    seats = [seat for seat in range(state.seats) if seat != viewer] or [state.seats]  # alone, one that is not there
    other = chance.shuffled("other", seats)[0]

    def answer(decision_id: int = 1, seat: int = viewer or 0, **choice: Any) -> turns_pb2.Answer:
        return turns_pb2.Answer(session_id=session_id, seat=seat, decision_id=decision_id, **choice)

    answers = [
        answer(),
        answer(index=len(own)),
        answer(index=2**32 - 1),
        answer(notation="garbage"),
        answer(action=games_pb2.GameAction()),
        answer(decision_id=0, index=0),
        answer(decision_id=2, index=0),
        answer(decision_id=2**64 - 1, index=0),
        answer(seat=other, index=0),
        *(answer(notation=str(action)) for action in foreign),
        *(answer(action=games_pb2.GameAction.FromString(codec.action(action))) for action in foreign[:1]),
    ]
    return answers, other


def _brief(answer: turns_pb2.Answer) -> str:
    return " ".join(str(answer).split())
