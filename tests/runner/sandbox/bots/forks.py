"""Forks as often as it can when it is its turn."""

import os
import signal

from croupier_client import run


def play(turn):
    while True:
        if os.fork() == 0:
            signal.pause()


run(play)
