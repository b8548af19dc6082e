"""A trivial bot as a process: the real client library, the full default detail, a random choice.

It counts its moves in a file that the bench reads while it runs, and writes a byte to a pipe for every game that ends.
"""

import argparse
import mmap
import os
from random import random

from croupier.v1 import bots_pb2
from croupier_client import Bot, Turn, run

COUNTER_BYTES = 8


class CountingBot(Bot):
    """Chooses at random among all legal actions, each equally likely."""

    def __init__(self, counter: mmap.mmap, over_fd: int | None) -> None:
        self._counter = counter
        self._over_fd = over_fd
        self._moves = 0

    def play(self, turn: Turn) -> int:
        """Counts and chooses."""
        self._moves += 1
        self._counter[:] = self._moves.to_bytes(COUNTER_BYTES, "little")
        return self.choose(turn.legal_count)

    def choose(self, count: int) -> int:
        """A position in a legal list of that length."""
        return int(random() * count)

    def game_over(self, result: bots_pb2.GameOver) -> None:
        """Reports the end of a game."""
        if self._over_fd is not None:
            os.write(self._over_fd, b".")


class PatientBot(CountingBot):
    """Bids one of the three lowest bids and challenges only when it must: its games are about four times as long."""

    def choose(self, count: int) -> int:
        """The legal list of a bidder is the challenge, then the bids, ascending."""
        return min(1 + int(random() * 3), count - 1)


def main() -> None:
    """The program."""
    parser = argparse.ArgumentParser(description="A trivial bot that counts its moves.")
    parser.add_argument("--counter", required=True, help=f"a file of {COUNTER_BYTES} bytes")
    parser.add_argument("--over-fd", type=int)
    parser.add_argument("--patient", action="store_true")
    flags = parser.parse_args()
    with open(flags.counter, "r+b") as file, mmap.mmap(file.fileno(), COUNTER_BYTES) as counter:
        kind = PatientBot if flags.patient else CountingBot
        run(kind(counter, flags.over_fd))


if __name__ == "__main__":
    main()
