"""Writes to stdout without end while it plays."""

import os
import threading

from croupier_client import run


def flood():
    while True:
        os.write(1, b"x" * 2**16)


threading.Thread(target=flood, daemon=True).start()
run(lambda turn: 0, view=False, legal="count", events=False)
