"""The script of most checks: turns of many games are held until all games wait for the bot, and go out as one batch.

So the kit decides what the bot sees together, and knows at every batch that nothing is under way: what a check does
there, such as cutting the stream, meets the same situation in every run.
"""

from __future__ import annotations

from croupier.v1 import bots_pb2, turns_pb2
from croupier_client.relay import RelayedStream
from croupier_runner.check_bot.watcher import Watcher


class Batcher(Watcher):
    """Merges turns into batches. The bot must have one seat at each of so many tables."""

    def __init__(self, tables: int) -> None:
        super().__init__()
        self.batches = 0
        """How many have gone out."""
        self._over: set[str] = set()
        self._tables = tables
        self._held: dict[str, turns_pb2.Turn] = {}

    @property
    def running(self) -> int:
        """How many of the tables are not over."""
        return self._tables - len(self._over)

    async def opened(self, stream: RelayedStream) -> None:
        """What was held for an earlier stream comes again."""
        self._held.clear()
        await super().opened(stream)

    async def from_service(self, stream: RelayedStream, response: bots_pb2.PlayResponse) -> None:
        """Passes on what is no turn, and holds turns until there is one of every game."""
        for turn in response.turns:
            self._held[turn.session_id] = turn
        for result in response.games_over:
            self._over.add(result.session_id)
            self._held.pop(result.session_id, None)
        del response.turns[:]
        if response.ByteSize():
            await self.tell(stream, response)
        if self._held and len(self._held) >= self.running:
            batch = bots_pb2.PlayResponse(turns=self._held.values())
            self._held.clear()
            self.batches += 1
            await self.send_batch(stream, batch)

    async def send_batch(self, stream: RelayedStream, batch: bots_pb2.PlayResponse) -> None:
        """Everything waits for the bot: here checks do what they are for."""
        await self.tell(stream, batch)
