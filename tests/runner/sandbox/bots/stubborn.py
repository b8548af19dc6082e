"""Ignores SIGTERM, and so does what it starts in a session of its own; both hold the pipe HELD open. Plays."""

import signal
import subprocess
import sys

from croupier_client import Bot, run

signal.signal(signal.SIGTERM, signal.SIG_IGN)
held = open("held", "wb", buffering=0)  # noqa: SIM115  # stays open
code = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: signal.pause()"
subprocess.Popen([sys.executable, "-c", code], start_new_session=True, pass_fds=[held.fileno()])


class Stubborn(Bot):
    def play(self, turn):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        held.write(b"here\n")
        return 0


run(Stubborn)
while True:
    signal.pause()
