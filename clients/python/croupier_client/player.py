"""One bot on one stream: turns in, answers out, in batches. How they travel is not its concern."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable
from functools import partial
from types import coroutine
from typing import TypeAlias

from croupier.v1 import bots_pb2, turns_pb2
from croupier_client.answers import Choice, add_answer
from croupier_client.bot import Bot
from croupier_client.entropy import Entropy
from croupier_client.turn import Turn

MAX_ANSWERS = 1024
"""The most answers that the service takes in one message."""

HOLD_S = 0.01
"""Answers wait for the rest of their batch no longer than this: a slow bot's clocks would run meanwhile."""

Key: TypeAlias = "tuple[str, int]"


class Player:
    """Plays the turns of one stream; answers of one received batch go out together.

    Where `play` returns an awaitable, a task awaits it and the answer goes out with others that are ready."""

    def __init__(
        self,
        bot: Bot,
        send: Callable[[bots_pb2.PlayRequest], Awaitable[None]],
        tasks: asyncio.TaskGroup,
        clock: Callable[[], float] = time.perf_counter,
        entropy: Entropy | None = None,
    ) -> None:
        self._bot = bot
        self._send = send
        self._tasks = tasks
        self._clock = clock
        self._entropy = entropy
        self._seated: dict[Key, bots_pb2.Seated] = {}
        self._thinking: dict[Key, asyncio.Task[None]] = {}
        self._ready = bots_pb2.PlayRequest()
        self._flusher: asyncio.Task[None] | None = None
        self._sending = False
        """Whether somebody sends, or is about to: one message at a time, as gRPC wants it."""

    async def receive(self, response: bots_pb2.PlayResponse) -> None:
        """Tells the bot all that a message says, and sends what the bot answers."""
        for seating in response.seated:
            self._seated[seating.session_id, seating.seat] = seating
            await _heard(self._bot.seated(seating))
        for refusal in response.refusals:
            await _heard(self._bot.refused(refusal))
        if response.entropy_wanted and self._entropy is not None:
            await self._contribute(self._entropy, response.entropy_wanted)
        if response.turns:
            await self._play(response.turns)
        for result in response.games_over:
            key = result.session_id, result.seat
            self._forget(key)
            if self._entropy is not None:
                self._entropy.forget(*key)
            await _heard(self._bot.game_over(result))
            self._seated.pop(key, None)

    async def _contribute(self, entropy: Entropy, wanted: Iterable[bots_pb2.EntropyWanted]) -> None:
        for each in wanted:
            answer = entropy.answer(each)
            if answer is not None:
                if each.entropy_commitments:
                    await _heard(self._bot.revealing(each))
                self._ready.entropy.append(answer)
        self._flush_soon()

    def stop(self) -> None:
        """Gives up all thinking that is under way, and answers that nobody waits for any more."""
        for key in list(self._thinking):
            self._forget(key)
        if self._flusher is not None:
            self._flusher.cancel()

    async def _play(self, turns: Iterable[turns_pb2.Turn]) -> None:
        """The hot path: nothing here may cost a task, a lock or a message per turn."""
        play, clock, seated, ready = self._bot.play, self._clock, self._seated, self._ready
        due = clock() + HOLD_S
        for raw in turns:
            choice = play(Turn(raw, seated.get((raw.session_id, raw.seat))))
            if isinstance(choice, int | str) or not isinstance(choice, Awaitable):
                add_answer(ready, raw, choice)
            else:
                self._think(raw, choice)
            if clock() > due:
                self._flush_soon()
                await asyncio.sleep(0)  # sends; and lets a signal through, however long a batch of slow turns is
                ready, due = self._ready, clock() + HOLD_S
        if self._thinking:
            await asyncio.sleep(0)  # thoughts that need no waiting are ready after this
        self._flush_now()

    def _think(self, raw: turns_pb2.Turn, pending: Awaitable[Choice]) -> None:
        key = raw.session_id, raw.seat
        self._forget(key)
        self._thinking[key] = self._tasks.create_task(self._thought(key, raw, pending))

    async def _thought(self, key: Key, raw: turns_pb2.Turn, pending: Awaitable[Choice]) -> None:
        choice = await pending
        del self._thinking[key]
        add_answer(self._ready, raw, choice)
        self._flush_soon()

    def _forget(self, key: Key) -> None:
        thought = self._thinking.pop(key, None)
        if thought is not None:
            thought.cancel()

    def _flush_soon(self) -> None:
        """Has what is ready sent by a task of its own.

        Were reading to wait for writing, a service doing the same and the bot could wait for each other for ever; and
        were a thought to write, forgetting it could cancel a message half sent."""
        if (self._ready.answers or self._ready.entropy) and not self._sending:
            self._sending = True
            self._flusher = self._tasks.create_task(self._flush())

    def _flush_now(self) -> None:
        """Sends what is ready, here and now as far as that needs no waiting, and the rest by a task.

        A message is under way before the next one is asked for: that saves a bot with one game a fifth of its time."""
        if self._ready.answers and not self._sending:
            self._sending = True
            flushing = self._flush()
            try:
                awaited = flushing.send(None)
            except StopIteration:
                return
            self._flusher = self._tasks.create_task(_rest_of(flushing, awaited))

    async def _flush(self) -> None:
        """Sends what is ready, one message at a time; what becomes ready meanwhile goes with the next."""
        try:
            while self._ready.answers or self._ready.entropy:
                request, self._ready = self._ready, bots_pb2.PlayRequest()
                for start in range(0, max(len(request.answers), len(request.entropy)), MAX_ANSWERS):
                    await self._send(_part(request, start))
        finally:
            self._sending = False


@coroutine
def _rest_of(begun: Coroutine[object, None, None], awaited: object) -> Generator[object, None, None]:
    """What is left of a coroutine that has begun and awaits something: Python 3.12 calls it an eager task."""
    while True:
        try:
            yield awaited
        except BaseException as error:  # cancelled
            step = partial(begun.throw, error)
        else:
            step = partial(begun.send, None)
        try:
            awaited = step()
        except StopIteration:
            return


def _part(request: bots_pb2.PlayRequest, start: int) -> bots_pb2.PlayRequest:
    if len(request.answers) <= MAX_ANSWERS and len(request.entropy) <= MAX_ANSWERS:
        return request
    part = slice(start, start + MAX_ANSWERS)
    return bots_pb2.PlayRequest(answers=request.answers[part], entropy=request.entropy[part])


async def _heard(listening: Awaitable[None] | None) -> None:
    if listening is not None:
        await listening
