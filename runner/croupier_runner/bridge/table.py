"""The decisions that a bot owes: passes turns on to it, and what it answers back to the service.

An answer to a decision that is open goes to the service whatever it is, so that a wrong one counts as such. What cannot
be an answer is refused here.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Protocol

from croupier.v1 import bots_pb2
from croupier_client import Bot, Turn
from croupier_runner.bridge import lines
from croupier_runner.bridge.child import BotFault, Line
from croupier_runner.bridge.lines import MOST_LINE_BYTES, NotUnderstood, Reply, Want, quoted

MOST_IDLE_LINES = 1_000
"""How many lines in a row may answer nothing."""
_COMPLAINTS_SHOWN = 5
_MOST_CHOICE = 256
"""Characters of a choice that are passed on: no notation is so long, and many that are might not fit a message."""


class Ear(Protocol):
    """Where the bot is told things."""

    def say(self, text: bytes) -> None:
        """Sends it the line."""


class Table(Bot):
    """The bot as the service sees it."""

    def __init__(self, ear: Ear, want: Want) -> None:
        self._ear = ear
        self._want = want
        self._open: dict[tuple[str, int], tuple[int, int, asyncio.Future[int | str]]] = {}
        """By session and seat: the decision, its number of legal actions, and where its answer is awaited."""
        self._idle_lines = 0
        self._complaints = 0

    def play(self, turn: Turn) -> asyncio.Future[int | str]:
        """Passes the turn on; the answer comes when the bot gives it."""
        raw = turn.raw
        answer: asyncio.Future[int | str] = asyncio.get_running_loop().create_future()
        self._open[raw.session_id, raw.seat] = raw.decision_id, raw.legal_count, answer
        self._ear.say(lines.turn(turn, self._want))
        return answer

    def seated(self, seating: bots_pb2.Seated) -> None:
        """A game has started."""
        self._ear.say(lines.seated(seating))

    def refused(self, refusal: bots_pb2.Refusal) -> None:
        """The service did not take an answer."""
        super().refused(refusal)
        said = refusal
        self._ear.say(lines.refused(said.session_id, said.seat, said.decision_id, said.reason, said.message))

    def game_over(self, result: bots_pb2.GameOver) -> None:
        """A game has ended."""
        self._open.pop((result.session_id, result.seat), None)
        self._ear.say(lines.game_over(result))

    def hear(self, text: Line) -> None:
        """Takes a line of the bot; raises BotFault when too many in a row were no answers."""
        try:
            if text is None:
                raise NotUnderstood(f"a line is longer than {MOST_LINE_BYTES} bytes; it was thrown away")
            reply = lines.read_reply(text)
        except NotUnderstood as error:
            self._ear.say(lines.not_understood(str(error)))
            self._complain(str(error))
            return
        decision, legal_count, answer = self._open.get((reply.session, reply.seat), (None, 0, None))
        if answer is None or decision != reply.decision or answer.done():
            self._refuse_stale(reply)
            return
        self._idle_lines = 0
        answer.set_result(_choice(reply.choose, legal_count))

    def _refuse_stale(self, reply: Reply) -> None:
        message = "this decision is not open: it was answered already, or its time is over, or it never was"
        refusal = lines.refused(reply.session, reply.seat, reply.decision, "STALE_DECISION", message)
        self._ear.say(refusal)
        self._complain(
            f"{message} (session {quoted(reply.session.encode())}, seat {reply.seat}, decision {reply.decision})"
        )

    def _complain(self, sentence: str) -> None:
        self._idle_lines += 1
        self._complaints += 1
        if self._complaints <= _COMPLAINTS_SHOWN:
            complain(sentence)
        elif self._complaints == _COMPLAINTS_SHOWN + 1:
            complain("more lines that answer nothing; they are not shown")
        if self._idle_lines > MOST_IDLE_LINES:
            raise BotFault(f"wrote {MOST_IDLE_LINES} lines in a row that answer nothing")


def complain(sentence: str) -> None:
    """Says it where the bot's own last words are kept."""
    sys.stderr.write(f"croupier bridge: {sentence}\n")


def _choice(choose: object, legal_count: int) -> int | str:
    """What the service is told: what is no choice becomes a text that is no notation, so that it counts as wrong."""
    if isinstance(choose, str):
        return choose[:_MOST_CHOICE]
    if isinstance(choose, int) and not isinstance(choose, bool):
        return choose if 0 <= choose < legal_count else f"position {choose} of {legal_count}"
    return f"neither a position nor a notation: {choose!r}"[:_MOST_CHOICE]
