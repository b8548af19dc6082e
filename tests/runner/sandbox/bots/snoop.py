"""Looks for all that is not its own, says what it got, and plays: PORT is that of somebody else's listener."""

import json
import os
import socket
import sys
from pathlib import Path

from croupier_client import run


def got(what):
    try:
        return bool(what())
    except OSError:
        return False


def connects():
    with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=5):
        return True


def tokens_of_others():
    for environ in Path("/proc").glob("[0-9]*/environ"):
        words = environ.read_bytes().split(b"\0") if got(environ.read_bytes) else ()
        for word in words:
            if word.startswith(b"CROUPIER_TOKEN=") and word[15:].decode() != os.environ["CROUPIER_TOKEN"]:
                return True
    return False


found = {
    "shadow": got(lambda: Path("/etc/shadow").read_bytes()),
    "cup": got(lambda: Path("cup.toml").read_bytes()),
    "journal": got(lambda: Path("cup.results/journal.sqlite").read_bytes()),
    "logs": got(lambda: list(Path("logs").iterdir())),
    "tokens": tokens_of_others(),
    "network": got(connects),
    "secret": "SECRET_OF_THE_ORGANISER" in os.environ,
    "writes": got(lambda: Path("written").write_text("here")),
    "own code": got(lambda: Path(__file__).read_bytes()),
    "scratch": got(lambda: (Path.home() / "scratch").write_text("here")),
}
print(json.dumps(found), flush=True)
run(lambda turn: 0, view=False, legal="count", events=False)
