"""Checks of a bot under load: many games in one batch, and little time."""

import asyncio
from statistics import median

from croupier.v1 import bots_pb2, records_pb2
from croupier_client.relay import RelayedStream
from croupier_runner.check_bot.batcher import Batcher
from croupier_runner.check_bot.stage import Stage
from croupier_runner.check_bot.tables import many

BATCH = 64
HURRIED = 32
LARGE = 16
"""Batches of fewer turns, when most games are over, say little."""
SINGLE = 1.1
"""Fewer answers than this in a message of a large batch, on average, are no batches."""
_QUICK_S = 0.005
"""Messages that follow each other faster than this could have been one; a bot that thinks longer sends what it has."""


class Timer(Batcher):
    """Counts the answers to large batches, and notes how closely their messages follow each other."""

    def __init__(self, tables: int) -> None:
        super().__init__(tables)
        self.large_batches = 0
        self.answers = 0
        self.messages = 0
        self.gaps_s: list[float] = []
        self._large = False
        self._last_s: float | None = None

    async def send_batch(self, stream: RelayedStream, batch: bots_pb2.PlayResponse) -> None:
        """From here to the first answer is thinking, and no gap."""
        self._large = len(batch.turns) >= LARGE
        self._last_s = None
        self.large_batches += self._large
        await super().send_batch(stream, batch)

    async def from_bot(self, stream: RelayedStream, request: bots_pb2.PlayRequest) -> None:
        """Notes when it came."""
        now_s = asyncio.get_running_loop().time()
        if self._large and request.answers:
            self.answers += len(request.answers)
            self.messages += 1
            if self._last_s is not None:
                self.gaps_s.append(now_s - self._last_s)
            self._last_s = now_s
        await super().from_bot(stream, request)


async def batches(stage: Stage) -> str:
    """64 games whose turns come in one message: all are answered, once, and not one by one."""
    advice = "answer every turn of a message once, and put the answers that are ready into one PlayRequest"
    watcher = Timer(BATCH)
    async with stage.guest(watcher, advice=advice) as guest:
        await guest.comes()
        await guest.play(many(stage.subject.games[:1], BATCH))
        answers, messages = watcher.answers, watcher.messages
        in_quick_succession = bool(watcher.gaps_s) and median(watcher.gaps_s) < _QUICK_S
        if stage.subject.protocol == "grpc" and answers / messages < SINGLE and in_quick_succession:
            raise guest.fault(f"it sent {messages} messages with {answers} answers though {BATCH} turns came at a time")
        return (
            f"{answers / messages:.1f} answers per message, to {answers / watcher.large_batches:.1f} turns per message"
        )


async def hurry(stage: Stage) -> str:
    """32 games with little time for each decision, by the service's clock and with nothing of ours in between."""
    move_s = stage.patience.move_s
    advice = f"it has {HURRIED} games at once and {move_s:g} s for each decision: think less, or in parallel"
    async with stage.direct_guest(advice=advice) as guest:
        await guest.comes()
        opened = await guest.sit_down(many(stage.subject.games, HURRIED), move_s)
        await guest.finish(opened)
        records = [await stage.client.get_record(game.session_id, game.owner_token) for game in opened]
        slowest = max(_slowest_us(record) for record in records)
        return f"the slowest answer took {slowest / 1000:.0f} ms"


def _slowest_us(record: records_pb2.Record) -> int:
    """The longest that the bot, in seat 0, took for a decision."""
    actions = [entry.action for entry in record.entries if entry.HasField("action") and entry.action.seat == 0]
    return max((action.think_us for action in actions), default=0)
