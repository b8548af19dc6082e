"""Checks of a bot in trouble that is not of its making: a lost stream, refused answers, aborted games."""

import asyncio
from contextlib import suppress

from croupier.v1 import bots_pb2
from croupier_client import WrongMoment
from croupier_client.relay import RelayedStream
from croupier_runner.check_bot.batcher import Batcher
from croupier_runner.check_bot.findings import NotApplicable
from croupier_runner.check_bot.guest import Guest, Opened
from croupier_runner.check_bot.stage import Stage
from croupier_runner.check_bot.tables import many
from croupier_runner.tables import RECONNECT_MS

TABLES = 8
AT_BATCH = 3
"""When trouble begins: every game is under way, and few are over."""
AWAY_S = 0.3
"""How long nobody listens."""


class Troubled(Batcher):
    """A batcher that stops at a batch: `reached` says so, and the check goes on from there."""

    def __init__(self) -> None:
        super().__init__(TABLES)
        self.reached = False
        self.over = False
        """Whether the trouble has been: nothing happens any more."""

    @property
    def due(self) -> bool:
        """Whether this batch is the one."""
        return not self.over and self.batches >= AT_BATCH

    def make_sure(self) -> None:
        """That there was trouble at all: some game may be too short for it."""
        if not (self.reached or self.over):
            raise NotApplicable("these games are over too soon")

    def stop_here(self) -> None:
        """Lets the check go on."""
        self.reached = True
        self.stir()


class Cut(Troubled):
    """The stream ends before a batch goes out."""

    async def send_batch(self, stream: RelayedStream, batch: bots_pb2.PlayResponse) -> None:
        """Keeps the batch that is due."""
        if self.due:
            self.stop_here()
        else:
            await super().send_batch(stream, batch)


class Swallow(Troubled):
    """A batch goes out, and its answers are lost."""

    def __init__(self) -> None:
        super().__init__()
        self._lost = 0

    async def from_bot(self, stream: RelayedStream, request: bots_pb2.PlayRequest) -> None:
        """Keeps the answers that are due; the check goes on when all have come."""
        if not self.due:
            await super().from_bot(stream, request)
            return
        self.note_request(stream, request)
        self._lost += len(request.answers)
        if self._lost >= self.running:
            self.stop_here()


async def reconnect(stage: Stage) -> str:
    """The stream ends with UNAVAILABLE, and for a moment nobody listens."""
    advice = "after UNAVAILABLE connect again, with growing pauses, and greet as at first; the open turns come again"
    return await _cut_off(stage, Cut(), advice)


async def again(stage: Stage) -> str:
    """Answers are lost with the stream; their turns come again."""
    advice = "a turn that comes again after a reconnect has no answer yet: answer it, whatever you remember"
    return await _cut_off(stage, Swallow(), advice)


async def _cut_off(stage: Stage, watcher: Troubled, advice: str) -> str:
    async with stage.guest(watcher, advice=advice) as guest:
        games = await _into_trouble(stage, guest, watcher)
        await guest.relay.close_door()
        await asyncio.sleep(AWAY_S)
        watcher.over = True
        await guest.relay.open_door()
        away = f"its stream was ended with UNAVAILABLE, and it did not greet again within {RECONNECT_MS / 1000:g} s"
        await guest.until(lambda: len(watcher.greetings) > 1, RECONNECT_MS / 1000, away)
        await guest.finish(games)
    return ""


async def _into_trouble(stage: Stage, guest: Guest, watcher: Troubled) -> list[Opened]:
    """The games, once the watcher has stopped at its batch."""
    await guest.comes()
    games = await guest.sit_down(many(stage.subject.games, TABLES))
    limit_s = (AT_BATCH + 1) * stage.patience.answer_s
    slow = f"it has not answered its first turns within {limit_s:g} s"
    await guest.until(lambda: watcher.reached or not watcher.running, limit_s, slow)
    watcher.make_sure()
    return games


class Garble(Troubled):
    """One answer becomes nonsense on its way."""

    async def from_bot(self, stream: RelayedStream, request: bots_pb2.PlayRequest) -> None:
        """Changes the first answer that is due."""
        if self.due and request.answers:
            self.note_request(stream, request)
            request.answers[0].notation = "not an action of any game"
            self.over = True
            await stream.to_service(request)
        else:
            await super().from_bot(stream, request)


async def refused(stage: Stage) -> str:
    """An answer is refused, and its turn comes again."""
    advice = "a refusal ends nothing: its turn comes again with the same decision id, and wants an answer"
    watcher = Garble()
    async with stage.guest(watcher, advice=advice) as guest:
        await guest.comes()
        await guest.finish(await guest.sit_down(many(stage.subject.games, TABLES)), refusals=1)
        watcher.make_sure()
    return ""


class Mistaken(Troubled):
    """The bot hears of refusals that it has no part in, and a copy of an answer is refused."""

    async def from_bot(self, stream: RelayedStream, request: bots_pb2.PlayRequest) -> None:
        """Sends an answer twice."""
        copy = bots_pb2.PlayRequest(answers=request.answers[:1])
        due = self.due and bool(request.answers)
        await super().from_bot(stream, request)
        if due:
            self.over = True
            stranger = bots_pb2.Refusal(
                session_id="a-session-that-it-never-saw",
                seat=5,
                decision_id=12345,
                reason="UNKNOWN_SESSION",
                message="there is no such session; this refusal is a part of croupier check-bot",
            )
            await self.tell(stream, bots_pb2.PlayResponse(refusals=[stranger]))
            await stream.to_service(copy)


async def stranger(stage: Stage) -> str:
    """Refusals that no turn follows."""
    advice = "a refusal may name what a bot does not know, or has done with: note it, and wait for turns"
    watcher = Mistaken()
    async with stage.guest(watcher, advice=advice) as guest:
        await guest.comes()
        await guest.finish(await guest.sit_down(many(stage.subject.games, TABLES)), refusals=2)
        watcher.make_sure()
    return ""


class Late(Troubled):
    """Answers wait on their way until the check lets them go."""

    def __init__(self) -> None:
        super().__init__()
        self._kept = bots_pb2.PlayRequest()

    async def from_bot(self, stream: RelayedStream, request: bots_pb2.PlayRequest) -> None:
        """Keeps the answers that are due."""
        if not self.due:
            await super().from_bot(stream, request)
            return
        self.note_request(stream, request)
        self._kept.answers.extend(request.answers)
        if len(self._kept.answers) >= self.running:
            self.stop_here()

    async def let_go(self, stream: RelayedStream) -> None:
        """Sends on what was kept."""
        self.over = True
        await stream.to_service(self._kept)


async def abort(stage: Stage) -> str:
    """Half of the games are aborted while the bot's answers are under way, and one that was never dealt."""
    advice = "an aborted game ends with a game_over that has no outcome: forget it, and play the others on"
    watcher = Late()
    async with stage.guest(watcher, advice=advice) as guest:
        games = await _into_trouble(stage, guest, watcher)
        aborted = games[::2]
        for game in [*aborted, *([guest.undealt] if guest.undealt else [])]:
            with suppress(WrongMoment):  # it is over already
                await stage.client.abort_session(game.session_id, game.owner_token)
        if guest.relay.streams:  # else it has gone, which is told below
            await watcher.let_go(guest.relay.streams[-1])
        await guest.finish(games, refusals=len(aborted))
    return ""
