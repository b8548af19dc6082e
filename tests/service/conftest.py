"""A real service on a free port with virtual time, and the few words the tests need to talk to it.

Test modules name these classes for their types only; they get them through the fixtures at the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from grpc import aio
from grpc_status import rpc_status

from croupier.v1 import (
    bots_pb2,
    bots_pb2_grpc,
    catalog_pb2,
    catalog_pb2_grpc,
    records_pb2,
    records_pb2_grpc,
    sessions_pb2,
    sessions_pb2_grpc,
    turns_pb2,
)
from croupier_games import GAMES
from croupier_service import errors
from croupier_service.config import Config, Limits
from croupier_service.metrics import Metrics
from croupier_service.rpc.server import Server
from croupier_service.rpc.status import code_of
from croupier_service.store import Store, StoreError
from croupier_service.store.memory import MemoryStore

EOF: object = aio.EOF  # type: ignore[attr-defined]  # missing in the stubs

SEED = bytes(range(32))
"""The seed of every session here, so that all of them deal the same."""
SALT = bytes(32)
"""And the salt of their commitments, so that all of them say the same."""

UNLIMITED = dict.fromkeys(("calls_per_s_per_peer", "calls_per_s_per_token", "refused_per_s_per_token"), 10**9)
"""Rates that nobody reaches: time stands still here, and whoever waits for a turn would wait for ever."""

Metadata: TypeAlias = "tuple[tuple[str, str], ...]"


def error_kinds() -> list[type[errors.ServiceError]]:
    """Every class of the tree in errors.py but its root."""
    kinds: list[type[errors.ServiceError]] = []
    waiting = [errors.ServiceError]
    while waiting:
        children = waiting.pop().__subclasses__()
        kinds += children
        waiting += children
    return kinds


def bearer(token: str | None) -> Metadata:
    """The metadata that presents a token."""
    return (("authorization", f"Bearer {token}"),) if token else ()


class VirtualAlarm:
    """A call on a virtual clock."""

    def __init__(self, when: float, call: Callable[[], None]) -> None:
        self.when = when
        self.call = call
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class VirtualClock:
    """Time that passes only when a test says so; alarms ring in order, each at its own moment."""

    ticking = True

    def __init__(self) -> None:
        self._now = 1_000.0
        self._alarms: list[VirtualAlarm] = []

    def now(self) -> float:
        return self._now

    def wall(self) -> float:
        return 1_700_000_000.0 + self._now

    def call_at(self, when: float, call: Callable[[], None]) -> VirtualAlarm:
        alarm = VirtualAlarm(when, call)
        if when <= self._now:
            asyncio.get_running_loop().call_soon(lambda: None if alarm.cancelled else call())
        else:
            self._alarms.append(alarm)
        return alarm

    def advance(self, seconds: float) -> None:
        """Lets time pass."""
        end = self._now + seconds
        while due := [alarm for alarm in self.pending if alarm.when <= end]:
            alarm = min(due, key=lambda alarm: alarm.when)
            self._alarms.remove(alarm)
            self._now = max(self._now, alarm.when)
            alarm.call()
        self._now = end

    @property
    def pending(self) -> list[VirtualAlarm]:
        """The alarms that may still ring."""
        return [alarm for alarm in self._alarms if not alarm.cancelled]


class HeldStore(MemoryStore):
    """A store whose flush returns, or fails, when the test lets it."""

    instant = False

    def __init__(self) -> None:
        super().__init__()
        self.failing = False
        self.waiting = asyncio.Event()
        """Set once somebody waits for a flush."""
        self._held: list[asyncio.Event] | None = None

    def hold(self) -> None:
        self.waiting.clear()
        self._held = []

    def let_one_pass(self) -> None:
        """Lets the oldest flush that waits return; later ones wait on."""
        assert self._held
        self._held.pop(0).set()

    def release(self) -> None:
        held, self._held = self._held, None
        for gate in held or ():
            gate.set()

    async def flush(self) -> None:
        self.waiting.set()
        if self._held is not None:
            gate = asyncio.Event()
            self._held.append(gate)
            await gate.wait()
        if self.failing:
            raise StoreError("the disk is full")


class Table:
    """One session, as those who play and own it see it."""

    def __init__(self, house: House, created: sessions_pb2.CreateSessionResponse, tokens: list[str]) -> None:
        self.house = house
        self.id = created.session.session_id
        self.created = created.session
        self.owner_token = created.owner_token
        self.tokens = tokens
        """By seat; empty where nobody sits yet."""

    async def session(self, wait_until_over: bool = False) -> sessions_pb2.Session:
        request = sessions_pb2.GetSessionRequest(session_id=self.id, wait_until_over=wait_until_over)
        return (await self.house.sessions.GetSession(request)).session

    async def claim(self, token: str | None = None, **request: Any) -> sessions_pb2.ClaimSeatResponse:
        claimed = await self.house.sessions.ClaimSeat(
            sessions_pb2.ClaimSeatRequest(session_id=self.id, **request), metadata=bearer(token)
        )
        self.tokens[claimed.seat] = claimed.seat_token
        return claimed

    async def turn(self, seat: int | None = None, **detail: Any) -> turns_pb2.Turn:
        """What a seat sees; None: what a spectator sees."""
        request = sessions_pb2.GetTurnRequest(session_id=self.id, seat=seat, detail=turns_pb2.TurnDetail(**detail))
        token = None if seat is None else self.tokens[seat]
        return (await self.house.sessions.GetTurn(request, metadata=bearer(token))).turn

    async def turns(self) -> list[turns_pb2.Turn]:
        """What every seat, and last a spectator, sees."""
        return [await self.turn(seat) for seat in (*range(len(self.tokens)), None)]

    async def everything(self) -> tuple[object, ...]:
        """All that there is to know of the session: equal before and after means that nothing has changed."""
        return (*await self.turns(), await self.session(), tuple(await self.house.store.load(self.id)))

    async def submit(
        self,
        seat: int,
        *,
        token: str | None = None,
        decision_id: int | None = None,
        dry_run: bool = False,
        **answer: Any,
    ) -> sessions_pb2.SubmitActionResponse:
        """Answers the seat's open decision, unless told another one."""
        if decision_id is None:
            decision_id = (await self.turn(seat)).decision_id
        full = turns_pb2.Answer(session_id=self.id, seat=seat, decision_id=decision_id, **answer)
        return await self.house.sessions.SubmitAction(
            sessions_pb2.SubmitActionRequest(answer=full, dry_run=dry_run), metadata=bearer(token or self.tokens[seat])
        )

    async def play(self, *moves: tuple[int, str]) -> None:
        """Plays these notations by seat."""
        for seat, notation in moves:
            await self.submit(seat, notation=notation)

    async def arrange(self) -> None:
        """Every seat arranges its hand the first way there is."""
        for seat in range(len(self.tokens)):
            await self.submit(seat, index=0)

    async def play_out(self) -> sessions_pb2.Session:
        """Every seat takes its first legal action until the game is over."""
        while (session := await self.session()).state == sessions_pb2.SESSION_STATE_RUNNING:
            for seat in range(len(self.tokens)):
                turn = await self.turn(seat)
                if turn.decision_id:
                    await self.submit(seat, decision_id=turn.decision_id, index=0)
        return session

    def watch(self, seat: int | None = None, from_event: int = 0) -> Any:
        request = sessions_pb2.WatchSessionRequest(session_id=self.id, seat=seat, from_event=from_event)
        token = None if seat is None else self.tokens[seat]
        return self.house.sessions.WatchSession(request, metadata=bearer(token))

    async def forfeit(
        self, seat: int | None, cause: sessions_pb2.ForfeitCause | str = "FORFEIT_CAUSE_RESIGNED", token: str = ""
    ) -> sessions_pb2.Session:
        request = sessions_pb2.ForfeitSeatRequest(session_id=self.id, seat=seat, cause=cause)
        response = await self.house.sessions.ForfeitSeat(request, metadata=bearer(token or self.tokens[seat or 0]))
        return response.session

    async def abort(self, token: str | None = None) -> sessions_pb2.Session:
        request = sessions_pb2.AbortSessionRequest(session_id=self.id)
        response = await self.house.sessions.AbortSession(request, metadata=bearer(token or self.owner_token))
        return response.session

    async def record(self, token: str | None = None) -> records_pb2.Record:
        request = records_pb2.GetRecordRequest(session_id=self.id)
        metadata = bearer(self.owner_token if token is None else token)
        return (await self.house.records.GetRecord(request, metadata=metadata)).record

    def answer(self, turn: turns_pb2.Turn, **choice: Any) -> turns_pb2.Answer:
        """An answer to a turn; its first legal action if no other choice is given."""
        choice = choice or {"index": 0}
        return turns_pb2.Answer(session_id=self.id, seat=turn.seat, decision_id=turn.decision_id, **choice)


class Bot:
    """A bot's stream, and all it has been told."""

    def __init__(self, call: Any) -> None:
        self.call = call
        self.messages: list[bots_pb2.PlayResponse] = []
        self.seated: list[bots_pb2.Seated] = []
        self.turns: dict[tuple[str, int], turns_pb2.Turn] = {}
        """The latest turn of each seat."""
        self.refusals: list[bots_pb2.Refusal] = []
        self.over: dict[tuple[str, int], bots_pb2.GameOver] = {}

    async def read(self) -> bots_pb2.PlayResponse:
        """The next message; the stream must not end."""
        message: bots_pb2.PlayResponse = await self.call.read()
        assert message is not EOF, "the stream has ended"
        self.messages.append(message)
        self.seated += message.seated
        self.turns |= {(turn.session_id, turn.seat): turn for turn in message.turns}
        self.refusals += message.refusals
        self.over |= {(over.session_id, over.seat): over for over in message.games_over}
        return message

    async def until(self, reached: Callable[[], object]) -> None:
        """Reads until it is so."""
        while not reached():
            await self.read()

    async def next_turn(self, table: Table, seat: int) -> turns_pb2.Turn:
        """The next turn of a seat that has not been asked for yet, or the one after the last."""
        await self.until(lambda: (table.id, seat) in self.turns)
        return self.turns.pop((table.id, seat))

    async def until_over(self) -> None:
        """Reads until some game is over."""
        await self.until(lambda: self.over)

    async def answer(self, *answers: turns_pb2.Answer) -> None:
        """Sends answers in one message."""
        await self.call.write(bots_pb2.PlayRequest(answers=answers))

    async def refused(self, answer: turns_pb2.Answer) -> bots_pb2.Refusal:
        """Sends an answer that must be refused."""
        before = len(self.refusals)
        await self.answer(answer)
        await self.until(lambda: len(self.refusals) > before)
        assert len(self.refusals) == before + 1
        return self.refusals[-1]

    async def play_all(self, games: int) -> None:
        """Takes the first legal action everywhere until so many seats' games are over."""
        while len(self.over) < games:
            if not self.turns:
                await self.read()
                continue
            turns, self.turns = self.turns, {}
            answers = [
                turns_pb2.Answer(session_id=turn.session_id, seat=turn.seat, decision_id=turn.decision_id, index=0)
                for turn in turns.values()
            ]
            await self.answer(*answers)

    async def leave(self) -> None:
        """Ends the stream and waits until the service has let go of it."""
        await self.call.done_writing()
        await self._drained()

    async def end(self) -> aio.AioRpcError:
        """Reads until the service ends the stream with an error."""
        with pytest.raises(aio.AioRpcError) as caught:
            await self._drained()
        return caught.value

    async def _drained(self) -> None:
        while await self.call.read() is not EOF:
            pass


class House:
    """A running service and the stubs to call it."""

    def __init__(self, server: Server, clock: VirtualClock, store: Store, metrics: Metrics) -> None:
        self.server = server
        self.hall = server.hall
        self.clock = clock
        self.store = store
        self.metrics = metrics
        self.channel = aio.insecure_channel(server.addresses[0])
        self.catalog = catalog_pb2_grpc.CatalogServiceStub(self.channel)
        self.sessions = sessions_pb2_grpc.SessionServiceStub(self.channel)
        self.records = records_pb2_grpc.RecordServiceStub(self.channel)
        self.bots: Any = bots_pb2_grpc.BotServiceStub(self.channel)
        self._others: list[aio.Channel] = []

    async def create(self, *tokens: str, operator_token: str | None = None, **request: Any) -> Table:
        """Opens a session of LIE with seats reserved for these tokens; empty ones leave a seat open."""
        fields: dict[str, Any] = {"game_id": "lie", "seed": SEED, "commitment_salt": SALT, "options": {}} | request
        fields["options"] = {"start_seat": catalog_pb2.OptionValue(number=0)} | fields["options"]
        fields.setdefault("seats", [sessions_pb2.SeatPlan(token=token) for token in tokens])
        plan = sessions_pb2.CreateSessionRequest(**fields)
        created = await self.sessions.CreateSession(plan, metadata=bearer(operator_token))
        return Table(self, created, list(tokens))

    async def table(self, seats: int = 2, **request: Any) -> Table:
        """A running session whose seats have been claimed one by one, each under a token of its own."""
        table = await self.create(*([""] * seats), **request)
        for seat in range(seats):
            await table.claim(seat=seat)
        return table

    async def connect(self, token: str, channel: aio.Channel | None = None, **hello: Any) -> Bot:
        """A bot that has been welcomed."""
        stub: Any = self.bots if channel is None else bots_pb2_grpc.BotServiceStub(channel)
        bot = Bot(stub.Play(metadata=bearer(token)))
        await bot.call.write(bots_pb2.PlayRequest(hello=bots_pb2.Hello(**hello)))
        first = await bot.read()
        assert first.welcome.service_version
        return bot

    def other_channel(self, *options: tuple[str, int]) -> aio.Channel:
        """A connection of its own, for a client that misbehaves."""
        channel = aio.insecure_channel(
            self.server.addresses[0], options=[("grpc.use_local_subchannel_pool", 1), *options]
        )
        self._others.append(channel)
        return channel

    async def breathe(self) -> None:
        """Round trips that touch no session: whatever was going to be sent before has arrived after."""
        for _ in range(5):
            await self.catalog.ListGames(catalog_pb2.ListGamesRequest())

    @contextmanager
    def refuses(self, reason: str) -> Iterator[list[str]]:
        """The call inside fails with this reason and its status; the list gets the message."""
        message: list[str] = []
        with pytest.raises(aio.AioRpcError) as caught:
            yield message
        message.append(self.explained(caught.value, reason))

    @staticmethod
    def explained(error: aio.AioRpcError, reason: str) -> str:
        """Checks an error's code and ErrorInfo; returns its message."""
        status = rpc_status.from_call(error)  # type: ignore[arg-type]  # written for blocking calls
        assert status is not None, error
        info = ErrorInfo()
        assert status.details[0].Unpack(info)
        assert (info.domain, info.reason) == ("croupier", reason), error.details()
        (kind,) = [kind for kind in error_kinds() if kind.reason == reason]
        assert error.code() == code_of(kind)
        assert status.message == error.details()
        return str(error.details())

    async def close(self) -> None:
        for channel in (self.channel, *self._others):
            await channel.close(None)
        await self.server.drain(0)


OpenHouse: TypeAlias = "Callable[..., Awaitable[House]]"


@pytest.fixture
def clock() -> VirtualClock:
    """The service's time."""
    return VirtualClock()


@pytest.fixture
async def open_house(clock: VirtualClock) -> AsyncIterator[OpenHouse]:
    """Starts a service with the given limits, store, operator and other settings."""
    houses: list[House] = []

    async def start(
        store: Store | None = None, operator_token: str = "", settings: dict[str, Any] | None = None, **limits: int
    ) -> House:
        metrics = Metrics()
        store = store or MemoryStore()
        given: dict[str, Any] = {"listen": ("127.0.0.1:0",)} | (settings or {})
        config = Config(limits=Limits(**UNLIMITED | limits), operator_token=operator_token, **given)
        server = Server(config, GAMES, store, clock, metrics)
        await server.start()
        houses.append(House(server, clock, store, metrics))
        return houses[-1]

    yield start
    for house in houses:
        await house.close()


@pytest.fixture
async def house(open_house: OpenHouse) -> House:
    """A service with the usual limits."""
    return await open_house()


@pytest.fixture
async def held_store() -> AsyncIterator[HeldStore]:
    """A store that makes durable when the test says so; at the end it lets everything go."""
    store = HeldStore()
    yield store
    store.failing = False
    store.release()


@pytest.fixture
def all_errors() -> Sequence[type[errors.ServiceError]]:
    """Every class of the tree in errors.py but its root."""
    return error_kinds()


@pytest.fixture
def tokens() -> tuple[str, ...]:
    """Well-formed tokens, one per bot."""
    return tuple(letter * 30 for letter in "ABCDEFGH")
