"""Row F: what a flood from one client does to the p99 of another who plays LIE, by calls and on a stream.

Who plays asks at a steady pace, far below any limit; the flood sends as much as it gets answers for, on connections of
its own, as a process that gives way to all others. Both come from the same address, which is the worse case.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from statistics import median, quantiles
from typing import Any

from grpc import aio
from tests.bench.flooder import FLOODS
from tests.bench.match import CREATE_SESSION, LIE, token
from tests.bench.processes import Served, program, service
from tests.bench.room import Room
from tests.bench.table import Row, Target

from croupier.v1 import bots_pb2, bots_pb2_grpc, sessions_pb2, sessions_pb2_grpc, turns_pb2

FAIR = Target(2.0)
PACE_S = 0.002
"""Between two moves."""
WARM_UP_S = 0.5
"""How long a flood goes on before anything is measured."""
STOCK = 40
"""Games opened before a flood, so that nobody has to open one in it."""
NAME = "steady"


class Player:
    """Holds both seats of every game, plays one decision at a time, and takes the time of each."""

    def __init__(self, channel: aio.Channel, metadata: tuple[tuple[str, str], ...]) -> None:
        self._open: Any = channel.unary_unary(CREATE_SESSION, None, sessions_pb2.CreateSessionResponse.FromString)
        self._sessions: Any = sessions_pb2_grpc.SessionServiceStub(channel)
        self._metadata = metadata
        self.games: dict[str, list[turns_pb2.Turn]] = {}
        """The open decisions of each game: in LIE both seats arrange their hands at the same time."""
        bots: Any = bots_pb2_grpc.BotServiceStub(channel)
        self.call = bots.Play(metadata=metadata)

    async def start(self) -> None:
        """Says hello: seats are taken from here on."""
        await self.call.write(bots_pb2.PlayRequest(hello=bots_pb2.Hello(name=NAME)))
        await self.call.read()

    async def stock(self) -> None:
        """Opens games; their first turns arrive on the stream."""
        before = self._open_turns
        for _ in range(STOCK):
            await self._open(LIE.request(NAME))
        while self._open_turns < before + LIE.seats * STOCK:
            await self._read()

    @property
    def _open_turns(self) -> int:
        return sum(map(len, self.games.values()))

    async def _read(self) -> set[str]:
        """Takes what comes on the stream; returns the games it was about."""
        message = await self.call.read()
        for turn in message.turns:
            self.games.setdefault(turn.session_id, []).append(turn)
        return {each.session_id for each in (*message.turns, *message.games_over)}

    async def by_stream(self) -> float:
        """Decides in a game and waits for what is next there; returns how long that took, in microseconds."""
        session_id, turns = self.games.popitem()
        begun = time.perf_counter()
        await self.call.write(bots_pb2.PlayRequest(answers=map(_first, turns)))
        while session_id not in await self._read():
            pass
        return (time.perf_counter() - begun) * 1e6

    async def by_call(self) -> float:
        """The same with calls, of which the last counts; what comes on the stream meanwhile is taken later."""
        session_id, turns = self.games.popitem()
        for turn in turns:
            begun = time.perf_counter()
            request = sessions_pb2.SubmitActionRequest(answer=_first(turn))
            await self._sessions.SubmitAction(request, metadata=self._metadata)
            elapsed_us = (time.perf_counter() - begun) * 1e6
        while session_id not in await self._read():
            pass
        return elapsed_us


def _first(turn: turns_pb2.Turn) -> turns_pb2.Answer:
    """The lowest bid there is: games are long then."""
    choice = min(1, turn.legal_count - 1)
    return turns_pb2.Answer(session_id=turn.session_id, seat=turn.seat, decision_id=turn.decision_id, index=choice)


WAYS: Sequence[tuple[str, Callable[[Player], Any]]] = (("call", Player.by_call), ("stream", Player.by_stream))


async def measure(room: Room) -> list[Row]:
    """Rounds of: quiet, then each flood, by call and by stream; a service of its own for each kind of flood."""
    quiet: dict[str, list[float]] = {way: [] for way, _ in WAYS}
    loud: dict[tuple[str, str], list[float]] = {(kind, way): [] for kind in FLOODS for way, _ in WAYS}
    for number in range(room.plan.rounds):
        for kind in FLOODS:
            room.say(f"row F: a flood of {kind}, round {number + 1} of {room.plan.rounds}")
            async with service(limited=True) as server, playing(server) as player:
                for way, move in WAYS:
                    quiet[way].append(await _p99(player, move, room.plan.window_s))
                await player.stock()
                async with program("tests.bench.flooder", "--target", server.target, "--kind", kind):
                    await asyncio.sleep(WARM_UP_S)
                    for way, move in WAYS:
                        loud[kind, way].append(await _p99(player, move, room.plan.window_s))
    return [
        Row(
            f"F{letter}",
            f"p99 of a move by {way} in a flood of {kind}",
            median(loud[kind, way]),
            "µs",
            f"one bot, a move each {PACE_S * 1e3:g} ms; the flood is a process of nice 19 with 2 × 64 at once; "
            "floor: the same without the flood, median of all rounds",
            median(quiet[way]),
            FAIR,
            floor_is=f"{way}, quiet",
        )
        for letter, (kind, way) in zip("abcdefghij", loud, strict=True)
    ]


@asynccontextmanager
async def playing(server: Served) -> AsyncIterator[Player]:
    """The steady player, connected, with games to play."""
    async with aio.insecure_channel(server.target) as channel:
        player = Player(channel, (("authorization", f"Bearer {token(NAME)}"),))
        await player.start()
        await player.stock()
        yield player
        player.call.cancel()


async def _p99(player: Player, move: Callable[[Player], Any], seconds: float) -> float:
    until = time.perf_counter() + seconds
    took: list[float] = []
    while (time.perf_counter() < until or len(took) < 2) and player.games:
        took.append(await move(player))
        await asyncio.sleep(PACE_S)
    return quantiles(took, n=100)[98]
