"""What a bot is: something that plays turns, and may listen to what else happens at its tables."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from croupier.v1 import bots_pb2
from croupier_client.answers import Choice
from croupier_client.turn import Turn

REFUSALS_SHOWN = 5


class Bot(ABC):
    """Override `play`, and whatever else you want to hear of. Every method may be `async`.

    One bot plays any number of games at once: keep what it remembers of a game under (session_id, seat)."""

    _refusals = 0  # not set in __init__, which a bot need not call

    @abstractmethod
    def play(self, turn: Turn) -> Choice | Awaitable[Choice]:
        """Decides: returns a position in `turn.legal`, a notation, or the game's own message `Action`."""

    def seated(self, seating: bots_pb2.Seated) -> Awaitable[None] | None:
        """A game has started; also called again after a reconnect."""
        return None

    def revealing(self, wanted: bots_pb2.EntropyWanted) -> Awaitable[None] | None:
        """Every seat is bound, and this one reveals its entropy (`gives_entropy`). Keep this, to check the record."""
        return None

    def game_over(self, result: bots_pb2.GameOver) -> Awaitable[None] | None:
        """A game has ended; an aborted one has no outcome."""
        return None

    def refused(self, refusal: bots_pb2.Refusal) -> Awaitable[None] | None:
        """An answer was not taken; if the decision is still open, its turn follows again.

        Unless you override it, the first few are written to stderr."""
        self._refusals += 1
        if self._refusals <= REFUSALS_SHOWN:
            sys.stderr.write(
                f"croupier: refused {refusal.reason} (session {refusal.session_id}, seat {refusal.seat}, "
                f"decision {refusal.decision_id}): {refusal.message}\n"
            )
        elif self._refusals == REFUSALS_SHOWN + 1:
            sys.stderr.write("croupier: refused again; further refusals are not shown\n")
        return None


PlayFunction: TypeAlias = Callable[[Turn], "Choice | Awaitable[Choice]"]


class FunctionBot(Bot):
    """A bot that is nothing but a function."""

    def __init__(self, function: PlayFunction) -> None:
        self._function = function

    def play(self, turn: Turn) -> Choice | Awaitable[Choice]:
        """Asks the function."""
        return self._function(turn)


def as_bot(bot: Bot | type[Bot] | PlayFunction) -> Bot:
    """A bot from whatever `run` was given."""
    if isinstance(bot, Bot):
        return bot
    if isinstance(bot, type):
        if issubclass(bot, Bot):
            return bot()
    elif callable(bot):
        return FunctionBot(bot)
    raise TypeError(f"expected a function that plays a Turn, or a Bot, got {bot!r}")
