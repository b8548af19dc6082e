"""One bot, one game at a time: it holds all seats and takes the time of every answer, from sent to next turn."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from statistics import mean

from tests.bench.floor import Sizes
from tests.bench.match import LIE, Match, token
from tests.bench.processes import Served

from croupier.games.lie.v1 import lie_pb2
from croupier.v1 import bots_pb2
from croupier_client import AsyncClient, Bot, Turn, run_async

NAME = "lone"
GAME_S = 30.0
FRAME_BYTES = 3
"""The key and the length that a turn has in front of it in its message."""


@dataclass(slots=True)
class Timings:
    """What one bot met in some games."""

    latencies_us: list[float] = field(default_factory=list)
    games_ms: list[float] = field(default_factory=list)
    moves: int = 0
    turn_bytes: list[int] = field(default_factory=list)
    answer_bytes: list[int] = field(default_factory=list)

    @property
    def sizes(self) -> Sizes:
        """The average message with one answer, and the average message with one turn."""
        return Sizes(round(mean(self.answer_bytes)), round(mean(self.turn_bytes)))


class LoneBot(Bot):
    """A random bot with a stopwatch."""

    def __init__(self) -> None:
        self.timings = Timings()
        self.over = asyncio.Event()
        self._random = Random(1)
        self._sent = 0.0

    def play(self, turn: Turn) -> int:
        """Stops the watch, chooses, starts it again."""
        now = time.perf_counter()
        # In LIE both seats arrange at once: the second one's turn came with the first's, and nothing was waited for.
        together = turn.seat == 1 and turn.raw.view.lie.phase == lie_pb2.PHASE_ARRANGE
        if self._sent and not together:
            self.timings.latencies_us.append((now - self._sent) * 1e6)
        choice = self._random.randrange(turn.legal_count)
        self._note(turn, choice)
        self._sent = time.perf_counter()
        return choice

    def _note(self, turn: Turn, choice: int) -> None:
        raw = turn.raw
        self.timings.moves += 1
        self.timings.turn_bytes.append(raw.ByteSize() + FRAME_BYTES)
        request = bots_pb2.PlayRequest()
        request.answers.add(session_id=raw.session_id, seat=raw.seat, decision_id=raw.decision_id, index=choice)
        self.timings.answer_bytes.append(request.ByteSize())

    def seated(self, seating: bots_pb2.Seated) -> None:
        """A new game: its first turn answers nothing."""
        self._sent = 0.0

    def game_over(self, result: bots_pb2.GameOver) -> None:
        """Lets the next game begin."""
        self.over.set()


class Lone:
    """The bot, and the driver that opens one game after the other."""

    def __init__(self, bot: LoneBot, client: AsyncClient, match: Match) -> None:
        self._bot = bot
        self._client = client
        self._match = match

    async def play(self, games: int) -> Timings:
        """Plays that many games to their ends."""
        bot = self._bot
        bot.timings = Timings()
        seats = self._match.plans(NAME)
        for _ in range(games):
            bot.over.clear()
            begun = time.perf_counter()
            await self._client.create_session(self._match.game_id, seats)
            await asyncio.wait_for(bot.over.wait(), GAME_S)
            bot.timings.games_ms.append((time.perf_counter() - begun) * 1e3)
        return bot.timings


@asynccontextmanager
async def running_lone(server: Served, match: Match = LIE) -> AsyncIterator[Lone]:
    """The bot is connected for as long as the context lasts, in this process."""
    bot = LoneBot()
    playing = asyncio.ensure_future(run_async(bot, target=server.target, token=token(NAME), name=NAME))
    try:
        async with AsyncClient(server.target) as client:
            lone = Lone(bot, client, match)
            await lone.play(1)
            yield lone
    finally:
        playing.cancel()
        await asyncio.wait([playing])
