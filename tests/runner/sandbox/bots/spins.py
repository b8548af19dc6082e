"""Thinks for ever."""

from croupier_client import run


def play(turn):
    while True:
        pass


run(play)
