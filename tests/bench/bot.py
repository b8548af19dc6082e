"""A trivial bot as a process: the real client library, the full default detail, a random choice.

It keeps a tally in a file that the bench reads while it runs. One bot of each pair is the host: it sees to it that so
many games are in play and no more, and writes a byte to a pipe for every game that ends.
"""

import argparse
import asyncio
import mmap
import os
from collections.abc import Awaitable, Callable
from random import random
from struct import Struct

from croupier.v1 import bots_pb2
from croupier_client import Bot, Turn, run

TALLY = Struct("<QQ")
"""The moves made so far, and the games in play now as far as the host knows."""


def anything(count: int) -> int:
    """A position in a legal list of that length, each equally likely."""
    return int(random() * count)


def patiently(count: int) -> int:
    """For LIE: one of the three lowest bids, the challenge only when there is no other; games last four times as long.

    The legal list of a bidder is the challenge, then the bids, ascending."""
    return min(1 + int(random() * 3), count - 1)


class CountingBot(Bot):
    """Counts its moves."""

    def __init__(self, tally: mmap.mmap, choose: Callable[[int], int]) -> None:
        self._tally = tally
        self._choose = choose
        self._moves = 0
        self._in_play: set[str] = set()

    def play(self, turn: Turn) -> int | Awaitable[int]:
        """Counts and chooses."""
        return self._move(turn)

    def _move(self, turn: Turn) -> int:
        self._moves += 1
        TALLY.pack_into(self._tally, 0, self._moves, len(self._in_play))
        return self._choose(turn.legal_count)


class HostBot(CountingBot):
    """Plays so many games at once; those opened beyond that wait in reserve, and one starts the moment another ends.

    So however long it takes to open a session, the number of games in play stays the same."""

    def __init__(self, tally: mmap.mmap, choose: Callable[[int], int], at_once: int, over_fd: int) -> None:
        super().__init__(tally, choose)
        self._at_once = at_once
        self._over_fd = over_fd
        self._reserve: dict[str, asyncio.Event] = {}

    def seated(self, seating: bots_pb2.Seated) -> None:
        """A game is in play, or in reserve, from here on; a host with several seats hears it several times."""
        session = seating.session_id
        if len(self._in_play) < self._at_once:
            self._in_play.add(session)
        elif session not in self._in_play:
            self._reserve.setdefault(session, asyncio.Event())

    def play(self, turn: Turn) -> int | Awaitable[int]:
        """Moves, unless the game is in reserve: then when it starts."""
        start = self._reserve.get(turn.session_id)
        return self._move(turn) if start is None else self._move_after(start, turn)

    async def _move_after(self, start: asyncio.Event, turn: Turn) -> int:
        await start.wait()
        return self._move(turn)

    def game_over(self, result: bots_pb2.GameOver) -> None:
        """Starts another game and reports the end. The host has seat 0 of every game."""
        if result.seat != 0:
            return
        self._in_play.discard(result.session_id)
        self._reserve.pop(result.session_id, None)
        if self._reserve and len(self._in_play) < self._at_once:
            session = next(iter(self._reserve))
            self._in_play.add(session)
            self._reserve.pop(session).set()
        os.write(self._over_fd, b".")


def main() -> None:
    """The program."""
    parser = argparse.ArgumentParser(description="A trivial bot that counts its moves.")
    parser.add_argument("--tally", required=True, help=f"a file of {TALLY.size} bytes")
    parser.add_argument("--patient", action="store_true", help="play LIE patiently")
    parser.add_argument("--host", type=int, metavar="GAMES", help="keep so many games in play")
    parser.add_argument("--over-fd", type=int, help="where a host reports the end of a game")
    flags = parser.parse_args()
    choose = patiently if flags.patient else anything
    with open(flags.tally, "r+b") as file, mmap.mmap(file.fileno(), TALLY.size) as tally:
        run(HostBot(tally, choose, flags.host, flags.over_fd) if flags.host else CountingBot(tally, choose))


if __name__ == "__main__":
    main()
