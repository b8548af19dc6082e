"""Replicas of the real program on a real database, and bots that play on whichever of them is there."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import pytest

from croupier.v1 import records_pb2, sessions_pb2
from croupier_client import AsyncClient, CroupierError, SeatPlan, Turn, Unavailable, run_async
from croupier_games import GAMES

if TYPE_CHECKING:
    from tests.postgres_server import PostgresServer

GAME = "lie"
OPTIONS = {"start_seat": 0}


def choice(seat: int, decision: int, legal: int) -> int:
    """What every bot here plays: nothing but the number of its decision counts."""
    return (7 * decision + 3 * seat) % legal


class Played(NamedTuple):
    """What a game comes to."""

    actions: list[list[str]]
    """By seat: several may decide at the same time, so only the order of each is fixed."""
    places: list[int]


def played_alone(seed: bytes, seats: int = 2) -> Played:
    """The game as it goes with no service at all."""
    state = GAMES[GAME].new(seats=seats, options=OPTIONS, seed=seed)
    decisions = [0] * seats
    actions: list[list[str]] = [[] for _ in range(seats)]
    while state.deciders:
        seat = state.deciders[0]
        decisions[seat] += 1
        legal = state.legal(seat)
        action = legal[choice(seat, decisions[seat], len(legal))]
        actions[seat].append(str(action))
        state.play(seat, action)
    assert state.outcome is not None
    return Played(actions, [result.place for result in state.outcome.results])


def played(record: records_pb2.Record) -> Played:
    """The game as the service has recorded it."""
    actions: list[list[str]] = [[] for _ in record.session.seats]
    for entry in record.entries:
        actions[entry.action.seat].append(entry.action.notation)
    return Played(actions, [result.place for result in record.session.outcome.results])


class Replica:
    """`croupier-service` on the shared database, as a process of its own."""

    def __init__(self, folder: Path, database: str, *flags: str) -> None:
        folder.mkdir()
        self.log_file = folder / "log"
        read_end, write_end = os.pipe()
        command = [sys.executable, "-m", "croupier_service", "--ready-fd", str(write_end), "--log-format", "json"]
        with self.log_file.open("wb") as log:
            self.process = subprocess.Popen(
                [*command, "--listen", "127.0.0.1:0", "--metrics-listen", "off", "--store", database, *flags],
                stdout=log,
                stderr=log,
                pass_fds=[write_end],
                start_new_session=True,
            )
        os.close(write_end)
        with os.fdopen(read_end) as ready:
            serving = ready.read() == "ready\n"
        if not serving:
            self.process.wait()
        assert serving, self.log_file.read_text()
        self.address: str = self.events("serving")[0]["addresses"][0]
        self.client = AsyncClient(self.address)

    def events(self, name: str) -> list[dict[str, Any]]:
        """The log lines of one event."""
        lines = [json.loads(line) for line in self.log_file.read_text().splitlines() if line.startswith("{")]
        return [line for line in lines if line["event"] == name]

    async def logged(self, name: str) -> dict[str, Any]:
        """Returns when it has logged such an event."""
        while not (found := self.events(name)):
            assert self.process.poll() is None, self.log_file.read_text()
            await asyncio.to_thread(self._look_again)
        return found[0]

    def _look_again(self) -> None:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(0.05)

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    async def close(self) -> None:
        await self.client.close()
        if self.process.poll() is None:
            self.process.kill()
        await asyncio.to_thread(self.process.wait)


class Crowd:
    """Bots that play everywhere, each under a token of its own."""

    def __init__(self) -> None:
        self.moves = 0
        self._reached: list[tuple[int, asyncio.Event]] = []
        self._tasks: list[asyncio.Task[None]] = []

    def join(self, token: str, *replicas: Replica) -> None:
        """A bot that connects to the first of the replicas that is there."""
        target = "ipv4:" + ",".join(replica.address for replica in replicas)
        self._tasks.append(asyncio.create_task(run_async(self._play, target=target, token=token)))

    def _play(self, turn: Turn) -> int:
        self.moves += 1
        for number, event in self._reached:
            if self.moves >= number:
                event.set()
        return choice(turn.seat, turn.decision_id, len(turn.legal))

    async def moved(self, moves: int) -> None:
        """Returns when so many decisions have been made."""
        event = asyncio.Event()
        self._reached.append((self.moves + moves, event))
        await event.wait()

    async def dismissed(self) -> None:
        """Returns when there is nothing more to play for any of them."""
        await asyncio.gather(*self._tasks)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError, CroupierError):
                await task


class Match(NamedTuple):
    """A session that was created, and what it is to come to."""

    id: str
    owner_token: str
    expected: Played

    async def record(self, replica: Replica) -> records_pb2.Record:
        """Its record, once it is over; from any replica."""
        while True:
            with suppress(Unavailable):  # which says: try again
                return await replica.client.get_record(self.id, self.owner_token, wait_until_over=True, timeout_s=60)


class Opening:
    """Opens matches whose deals, and so whose ends, are known beforehand."""

    def __init__(self) -> None:
        self._seeds = iter(bytes([number % 256, number // 256]) * 16 for number in range(10_000))

    async def match(self, replica: Replica, *tokens: str, **more: Any) -> Match:
        seed = next(self._seeds)
        seats = [SeatPlan(token=token) for token in tokens]
        created: sessions_pb2.CreateSessionResponse = await replica.client.create_session(
            GAME, seats, OPTIONS, seed=seed, **more
        )
        return Match(created.session.session_id, created.owner_token, played_alone(seed, len(tokens)))


StartReplica: TypeAlias = "Callable[..., Replica]"


@pytest.fixture
def database(postgres: PostgresServer) -> str:
    """The address of an empty database."""
    return postgres.new_database()


@pytest.fixture
async def replica(tmp_path: Path, database: str) -> AsyncIterator[StartReplica]:
    """Starts replicas on the same database."""
    replicas: list[Replica] = []

    def start(*flags: str) -> Replica:
        replicas.append(Replica(tmp_path / f"replica{len(replicas)}", database, *flags))
        return replicas[-1]

    yield start
    for each in replicas:
        await each.close()


@pytest.fixture
async def crowd() -> AsyncIterator[Crowd]:
    """Bots."""
    crowd = Crowd()
    yield crowd
    await crowd.close()


@pytest.fixture
def opening() -> Opening:
    """Matches."""
    return Opening()


@pytest.fixture
def tokens() -> tuple[str, ...]:
    """Well-formed tokens, one per bot."""
    return tuple(letter * 30 for letter in "ABCDEFGH")


@pytest.fixture
def what_was_played() -> Callable[[records_pb2.Record], Played]:
    """The game as the service has recorded it."""
    return played
