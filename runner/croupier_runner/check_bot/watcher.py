"""What passes between the bot and the service: counted, and held against the protocol."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from croupier.v1 import bots_pb2, turns_pb2
from croupier_client.relay import RelayedStream, Script

Decision: TypeAlias = "tuple[str, int, int]"
"""Session, seat and decision id."""


@dataclass(frozen=True, slots=True)
class Greeting:
    """How a bot began a stream."""

    authorization: str
    first: bots_pb2.PlayRequest


class Watcher(Script):
    """Passes everything on, and keeps what the checks ask about."""

    def __init__(self) -> None:
        self.opened_streams = 0
        self.greetings: list[Greeting] = []
        self.refusals: list[bots_pb2.Refusal] = []
        self.asked: Counter[Decision] = Counter()
        """How often the bot was asked each decision."""
        self.answered: Counter[Decision] = Counter()
        self.wrong: list[str] = []
        """What the bot did against the protocol, in sentences."""
        self.answer_messages = 0
        self.simultaneous = 0
        """Messages to the bot in which several of its seats at one table are asked."""
        self._new: set[RelayedStream] = set()
        """Streams on which the bot has not said anything yet."""
        self._news = asyncio.Event()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Returns when the condition holds; looks whenever something has passed."""
        while not condition():
            self._news.clear()
            await self._news.wait()

    def stir(self) -> None:
        """Has the conditions looked at again."""
        self._news.set()

    async def opened(self, stream: RelayedStream) -> None:
        """Counts the stream."""
        self.opened_streams += 1
        self._new.add(stream)
        self.stir()

    async def from_bot(self, stream: RelayedStream, request: bots_pb2.PlayRequest) -> None:
        """Looks at what the bot says, and passes it on."""
        self.note_request(stream, request)
        await stream.to_service(request)

    async def from_service(self, stream: RelayedStream, response: bots_pb2.PlayResponse) -> None:
        """Looks at what the bot is told, and passes it on."""
        await self.tell(stream, response)

    async def tell(self, stream: RelayedStream, response: bots_pb2.PlayResponse) -> None:
        """Sends the bot a message, and remembers what it was asked."""
        self.refusals.extend(response.refusals)
        self.asked.update(map(decision_of, response.turns))
        tables = Counter(turn.session_id for turn in response.turns)
        self.simultaneous += any(seats > 1 for seats in tables.values())
        await stream.to_bot(response)
        self.stir()

    def note_request(self, stream: RelayedStream, request: bots_pb2.PlayRequest) -> None:
        """Holds a message of the bot against the protocol."""
        if stream in self._new:
            self._new.discard(stream)
            first = bots_pb2.PlayRequest()
            first.CopyFrom(request)  # a script may change it
            self.greetings.append(Greeting(stream.authorization, first))
        elif request.HasField("hello"):
            self.wrong.append("it said hello again on the same stream; hello goes into the first message only")
        self.answer_messages += bool(request.answers)
        for answer in request.answers:
            self._note_answer(answer)
        self.stir()

    def _note_answer(self, answer: turns_pb2.Answer) -> None:
        decision = decision_of(answer)
        self.answered[decision] += 1
        if self.answered[decision] <= self.asked[decision]:
            return
        named = named_decision(decision)
        if not self.asked[decision]:
            self.wrong.append(f"it answered {named}, which it was never asked; repeat the ids of the turn as they came")
        else:
            self.wrong.append(f"it answered {named} more often than it was asked; answer every turn exactly once")

    def unanswered(self, session_id: str, seat: int) -> str:
        """The decision of that seat that the bot owes, in words; empty if it owes none."""
        for decision, times in self.asked.items():
            if decision[:2] == (session_id, seat) and times > self.answered[decision]:
                again = " when it came again" if times > 1 else ""
                return f"decision {decision[2]}{again}"
        return ""


def decision_of(message: turns_pb2.Turn | turns_pb2.Answer) -> Decision:
    """Which decision a turn asks for, or an answer names."""
    return message.session_id, message.seat, message.decision_id


def named_decision(decision: Decision) -> str:
    """The decision, for people."""
    session_id, seat, number = decision
    return f"decision {number} of seat {seat} in session {session_id!r}"
