"""Players and watchers that survive the service, and a ledger of all that they were told."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from grpc import StatusCode, aio

from croupier.v1 import (
    bots_pb2,
    bots_pb2_grpc,
    records_pb2,
    records_pb2_grpc,
    sessions_pb2,
    sessions_pb2_grpc,
    turns_pb2,
)
from croupier_runner.records import verify

EOF: object = aio.EOF  # type: ignore[attr-defined]  # missing in the stubs
PROGRAM = Path(__file__).with_name("crashing_service.py")
TAKEN = StatusCode.FAILED_PRECONDITION
GONE = (StatusCode.UNAVAILABLE, StatusCode.CANCELLED)
NEVER = "never"
"""A boundary that no store comes to."""
GAMES = (("lie", 2), ("lie", 4), ("seventeen", 3), ("lie", 3))


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


class Service:
    """The service of one life."""

    def __init__(self, target: str, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.channel = aio.insecure_channel(target, options=[("grpc.use_local_subchannel_pool", 1)])
        self.sessions = sessions_pb2_grpc.SessionServiceStub(self.channel)
        self.records = records_pb2_grpc.RecordServiceStub(self.channel)
        self.bots: Any = bots_pb2_grpc.BotServiceStub(self.channel)


def _started(argv: list[str], ready_fd: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(argv, pass_fds=[ready_fd])


@asynccontextmanager
async def living_service(file: Path, boundary: str, times: int) -> AsyncIterator[Service]:
    """A service on that file, until it dies at the boundary or is ended here."""
    reading, writing = os.pipe()
    target = f"unix:{file.parent}/socket"
    flags = ["--listen", target, "--store", f"sqlite:{file}", "--metrics-listen", "off", "--log-level", "error"]
    argv = [sys.executable, str(PROGRAM), boundary, str(times), *flags, "--ready-fd", str(writing)]
    process = _started(argv, writing)
    os.close(writing)
    try:
        with os.fdopen(reading) as ready:
            assert await asyncio.to_thread(ready.read) == "ready\n"
        service = Service(target, process)
        yield service
        await service.channel.close(None)
    finally:
        process.kill()
        code = process.wait()
    assert code == -signal.SIGKILL, f"the service ended by itself with {code}"


class Ledger:
    """What was acknowledged or announced in one session, to anybody, in any life of the service."""

    def __init__(self, session_id: str, owner_token: str, tokens: list[str]) -> None:
        self.session_id = session_id
        self.owner_token = owner_token
        self.tokens = tokens
        self.acknowledged: dict[tuple[int, int], str] = {}
        """The notation that a seat's decision was answered with, where the service said so."""
        self.sent: dict[tuple[int, int], set[str]] = {}
        """Every notation that was sent for a seat's decision."""
        self.events: dict[int | None, list[bytes]] = {seat: [] for seat in (*range(len(tokens)), None)}
        """By watcher: every event it saw."""
        self.furthest: dict[int, tuple[int, int]] = dict.fromkeys(range(len(tokens)), (0, 0))
        """By seat: the latest decision id and the next event that it was told of."""
        self.over = False

    def told(self, turn: turns_pb2.Turn) -> None:
        """A seat was shown a turn: it never goes back behind that."""
        decision_id, next_event = self.furthest[turn.seat]
        assert turn.next_event >= next_event, "what a seat was shown has not happened any more"
        if turn.decision_id:
            assert turn.decision_id >= decision_id, "a seat is asked again what it has answered"
            decision_id = turn.decision_id
        self.furthest[turn.seat] = decision_id, turn.next_event

    def heard(self, seat: int | None, event: sessions_pb2.WatchEvent) -> None:
        """A watcher saw an event: in every life the same one has the same number."""
        events, data = self.events[seat], event.SerializeToString(deterministic=True)
        if event.number < len(events):
            assert events[event.number] == data, "another event has the number of one that was announced"
        else:
            assert event.number == len(events), "an event was left out"
            events.append(data)


class Table:
    """One session's players and watchers; they go on with whatever service is there."""

    def __init__(self, ledger: Ledger, random: Random, *, by_stream: bool) -> None:
        self.ledger = ledger
        self._random = random
        self._by_stream = by_stream
        self._pending: dict[tuple[int, int], str] = {}
        """Answers that were sent by a call and not acknowledged: they are sent again, under the same request id."""
        self._seated: set[int] = set()

    async def play(self, service: Service) -> None:
        """Until the game is over or the service is gone."""
        if self.ledger.over:
            return
        watching = [asyncio.ensure_future(self._watch(service, seat)) for seat in self.ledger.events]
        try:
            if self._by_stream:
                await asyncio.gather(*(self._stream(service, seat) for seat in range(len(self.ledger.tokens))))
            else:
                await asyncio.gather(*(self._call(service, seat) for seat in range(len(self.ledger.tokens))))
            await asyncio.gather(*watching)
            self.ledger.over = True
        finally:
            for each in watching:
                each.cancel()
            await asyncio.gather(*watching, return_exceptions=True)

    async def _watch(self, service: Service, seat: int | None) -> None:
        """From the first event on, every time: what was announced once must come again."""
        ledger = self.ledger
        request = sessions_pb2.WatchSessionRequest(session_id=ledger.session_id, seat=seat)
        metadata = () if seat is None else bearer(ledger.tokens[seat])
        async for news in service.sessions.WatchSession(request, metadata=metadata):
            if news.HasField("event"):
                ledger.heard(seat, news.event)
        assert news.HasField("over")

    async def _call(self, service: Service, seat: int) -> None:
        """Plays a seat by unary calls."""
        ledger, metadata = self.ledger, bearer(self.ledger.tokens[seat])
        await self._sit_down(service, seat)
        await self._repeat(service, seat)
        while True:
            request = sessions_pb2.GetTurnRequest(session_id=ledger.session_id, seat=seat)
            turn = (await service.sessions.GetTurn(request, metadata=metadata)).turn
            ledger.told(turn)
            if turn.decision_id:
                key = seat, turn.decision_id
                self._pending[key] = self._choice(turn)
                await self._submit(service, key)
                continue
            asking = sessions_pb2.GetSessionRequest(session_id=ledger.session_id)
            state = (await service.sessions.GetSession(asking)).session.state
            if state == sessions_pb2.SESSION_STATE_FINISHED:
                return

    async def _sit_down(self, service: Service, seat: int) -> None:
        """In every life, because what was not acknowledged may not have come to pass."""
        claim = sessions_pb2.ClaimSeatRequest(session_id=self.ledger.session_id, seat=seat)
        try:
            await service.sessions.ClaimSeat(claim, metadata=bearer(self.ledger.tokens[seat]))
            assert seat not in self._seated, "a seat that was taken is free again"
        except aio.AioRpcError as error:
            if error.code() != TAKEN:
                raise
        self._seated.add(seat)

    async def _repeat(self, service: Service, seat: int) -> None:
        """What was sent in the former life and not acknowledged."""
        for key in [key for key in self._pending if key[0] == seat]:
            await self._submit(service, key)

    async def _submit(self, service: Service, key: tuple[int, int]) -> None:
        seat, decision_id = key
        answer = turns_pb2.Answer(
            session_id=self.ledger.session_id,
            seat=seat,
            decision_id=decision_id,
            notation=self._pending[key],
            request_id=f"{seat}/{decision_id}",
        )
        request = sessions_pb2.SubmitActionRequest(answer=answer)
        response = await service.sessions.SubmitAction(request, metadata=bearer(self.ledger.tokens[seat]))
        assert response.notation == self._pending[key]
        self.ledger.acknowledged[key] = response.notation
        self.ledger.told(response.turn)
        del self._pending[key]

    async def _stream(self, service: Service, seat: int) -> None:
        """Plays a seat on a stream of its own, until the game is over: perhaps it has been since before the crash."""
        asking = sessions_pb2.GetSessionRequest(session_id=self.ledger.session_id, wait_until_over=True)
        over = asyncio.ensure_future(_answer(service.sessions.GetSession(asking)))
        playing = asyncio.ensure_future(self._converse(service, seat))
        try:
            done, _ = await asyncio.wait((over, playing), return_when=asyncio.FIRST_COMPLETED)
            for each in done:
                each.result()
        finally:
            for each in (over, playing):
                each.cancel()
            await asyncio.gather(over, playing, return_exceptions=True)

    async def _converse(self, service: Service, seat: int) -> None:
        ledger = self.ledger
        call = service.bots.Play(metadata=bearer(ledger.tokens[seat]))
        await call.write(bots_pb2.PlayRequest(hello=bots_pb2.Hello(name=f"seat {seat}")))
        while True:
            message = await call.read()
            if message is EOF:
                raise ConnectionError("the stream has ended")
            assert not message.refusals, message
            for turn in message.turns:
                ledger.told(turn)
                if turn.decision_id > 1:  # the answer before this one has been taken
                    before = seat, turn.decision_id - 1
                    if len(sent := ledger.sent.get(before, set())) == 1:
                        ledger.acknowledged[before] = min(sent)
                choice = self._choice(turn)
                answer = turns_pb2.Answer(
                    session_id=turn.session_id, seat=seat, decision_id=turn.decision_id, notation=choice
                )
                await call.write(bots_pb2.PlayRequest(answers=[answer]))
            if message.games_over:
                await call.done_writing()
                return

    def _choice(self, turn: turns_pb2.Turn) -> str:
        notation = self._random.choice([each.notation for each in turn.legal])
        self.ledger.sent.setdefault((turn.seat, turn.decision_id), set()).add(notation)
        return notation

    async def check(self, service: Service) -> None:
        """The record holds all that was acknowledged, each decision once, and nothing that nobody sent."""
        ledger = self.ledger
        request = records_pb2.GetRecordRequest(session_id=ledger.session_id)
        record = (await service.records.GetRecord(request, metadata=bearer(ledger.owner_token))).record
        assert verify(record) == []
        decided = dict.fromkeys(range(len(ledger.tokens)), 0)
        played: dict[tuple[int, int], str] = {}
        for entry in record.entries:
            if entry.action.chooser == records_pb2.CHOOSER_SEAT:
                decided[entry.action.seat] += 1
                played[entry.action.seat, decided[entry.action.seat]] = entry.action.notation
        assert played.keys() == ledger.sent.keys()
        assert all(played[key] in ledger.sent[key] for key in played)
        assert {key: played.get(key) for key in ledger.acknowledged} == ledger.acknowledged


class Evening:
    """Several tables at once, at a service that dies again and again."""

    def __init__(self, file: Path, seed: int) -> None:
        self._file = file
        self._random = Random(seed)
        self._tables: list[Table] = []
        self.deaths = 0

    async def live(self, boundary: str, tables: int) -> None:
        """One life: opens so many tables more and plays at all of them until the service is dead or all is over."""
        times = self._random.randint(1, 120 if "append" in boundary else 60)
        async with living_service(self._file, boundary, times) as service:
            works = [self._open_and_play(service) for _ in range(tables)]
            works += [table.play(service) for table in self._tables]
            results = await asyncio.gather(*works, return_exceptions=True)
            for error in results:
                if isinstance(error, BaseException) and not _is_gone(error):
                    raise error
            if any(results):
                self.deaths += 1
                assert await asyncio.to_thread(service.process.wait) == -signal.SIGKILL
            if boundary == NEVER:
                assert not any(results)
                for table in self._tables:
                    await table.check(service)

    async def _open_and_play(self, service: Service) -> None:
        game_id, seats = self._random.choice(GAMES)
        tokens = [f"{self._random.getrandbits(160):040x}" for _ in range(seats)]
        request = sessions_pb2.CreateSessionRequest(
            game_id=game_id, seats=[sessions_pb2.SeatPlan(token=token) for token in tokens], auto_play_forced=True
        )
        created = await service.sessions.CreateSession(request)
        ledger = Ledger(created.session.session_id, created.owner_token, tokens)
        by_stream = bool(self._random.getrandbits(1))
        table = Table(ledger, Random(self._random.getrandbits(64)), by_stream=by_stream)
        self._tables.append(table)
        await table.play(service)

    @property
    def tables(self) -> int:
        """How many sessions were opened and acknowledged."""
        return len(self._tables)


async def _answer(call: Any) -> Any:
    return await call


def _is_gone(error: BaseException) -> bool:
    if not isinstance(error, aio.AioRpcError):
        return isinstance(error, ConnectionError)
    # What our own gRPC says to a write on a connection that has just been lost:
    return error.code() in GONE or error.details() == "Internal error from Core"


@pytest.fixture
def open_evening(tmp_path: Path) -> Callable[[int], Evening]:
    """An evening with the given seed."""

    def start(seed: int) -> Evening:
        folder = tmp_path / str(seed)
        folder.mkdir()
        return Evening(folder / "sessions.sqlite", seed)

    return start


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    """A service that does not die by itself."""
    async with living_service(tmp_path / "sessions.sqlite", NEVER, 1) as service:
        yield service
