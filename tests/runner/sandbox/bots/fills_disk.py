"""Writes as much as it can when it is its turn: into one file, or into MANY."""

import sys
import tempfile

from croupier_client import run

held = []


def play(turn):
    while True:
        held.append(tempfile.TemporaryFile())  # noqa: SIM115  # stays open
        while "many" not in sys.argv or held[-1].tell() < 2**20:
            held[-1].write(bytes(2**16))


run(play)
