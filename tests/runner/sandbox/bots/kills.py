"""Kills every process that it finds with MARK on its command line, other than itself, and plays."""

import os
import signal
import sys
from pathlib import Path

from croupier_client import run


def play(turn):
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
            if sys.argv[1].encode() in words and b"innocent.py" in words:
                os.kill(int(process.name), signal.SIGKILL)
        except OSError:
            continue
    return 0


run(play)
