"""Takes all memory that it gets when it is its turn."""

from croupier_client import run

hoard = []


def play(turn):
    while True:
        hoard.append(bytearray(2**24))


run(play)
