"""On a terminal a tournament shows itself while it runs: progress, standings, tables and faults."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

BOT = """
from croupier_client import run
run(lambda turn: 0, view=False, legal="count", events=False)
"""
CRASH = """
import os
from croupier_client import run
run(lambda turn: os._exit(3))
"""


def test_the_live_view_shows_progress_standings_tables_and_faults(tmp_path: Path) -> None:
    for name, code in {"bot": BOT, "crash": CRASH}.items():
        (tmp_path / f"{name}.py").write_text(code)
    bots = [("ann", "bot"), ("bob", "bot"), ("cid", "crash")]
    sections = [f'[[bots]]\nname = "{name}"\ncommand = ["python", "{file}.py"]' for name, file in bots]
    head = 'name = "cup"\nseed = 5\nblocks = 150\n[game]\nid = "lie"\nseats = 2'
    (tmp_path / "cup.toml").write_text("\n".join((head, *sections)))
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "croupier_runner.cli", "run", "cup.toml"]
    settings = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "50"}
    running = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=theirs, env=settings)
    os.close(theirs)
    shown = b""
    try:
        while chunk := os.read(ours, 65_536):
            shown += chunk
    except OSError:  # how a terminal says that nobody writes to it any more
        pass
    finally:
        os.close(ours)
    assert running.wait(timeout=60) == 0
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    assert re.search(r"\d+ of 900 games played, .* left; \w+ leads with online Elo \d+", text)
    assert "Elo ± 95 %" in text
    assert re.search(r"block \d+, game \d: \w+, \w+, \d+\.\d s", text)
    assert "latest faults:" in text
    assert "cid, block" in text
