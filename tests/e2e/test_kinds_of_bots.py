"""Bots that speak lines, bots that dial in, and bots that take too much: each with the real program."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from croupier_runner.journal import Journal

GOOD = """
from croupier_client import run
run(lambda turn: 0, view=False, legal="count", events=False)
"""
LINES = """
import json, sys
print(json.dumps({"want": {"view": False, "events": False}}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "turn":
        answer = {key: message[key] for key in ("session", "seat", "decision")}
        print(json.dumps({**answer, "choose": message["legal"][-1]}), flush=True)
"""
BABBLER = """
import json, sys
print(json.dumps({"want": {}}), flush=True)
for line in sys.stdin:
    if '"type":"turn"' in line:
        print("this is no JSON\\n" * 1000, flush=True)
"""
GLUTTON = """
from croupier_client import run
def play(turn):
    bytearray(4 << 30)
    return 0
run(play)
"""


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    for name, code in {"good": GOOD, "lines": LINES, "babbler": BABBLER, "glutton": GLUTTON}.items():
        (tmp_path / f"{name}.py").write_text(code)
    return tmp_path / "cup.toml"


def written(cup: Path, second: str, more: str = "") -> None:
    head = 'name = "cup"\nseed = 5\nblocks = 2\n[game]\nid = "lie"\nseats = 2'
    first = '[[bots]]\nname = "good"\ncommand = ["python", "good.py"]'
    cup.write_text(f'{head}\n{more}\n{first}\n[[bots]]\nname = "other"\n{second}\n')


def rows(cup: Path, *words: str) -> tuple[dict[str, dict[str, Any]], list[dict[str, Any]]]:
    """The rows of the standings by bot, and the faults."""
    program = [sys.executable, "-m", "croupier_runner.cli", "run", "cup.toml", "--json", *words]
    done = subprocess.run(program, cwd=cup.parent, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    happenings = [json.loads(line) for line in done.stdout.splitlines()]
    shown = {row["bot"]: row for row in happenings[-1]["standings"]["events"][0]["rows"]}
    return shown, [each for each in happenings if each["event"] == "fault"]


def test_a_bot_that_speaks_lines_plays_like_any_other(cup: Path) -> None:
    written(cup, 'protocol = "stdio"\ncommand = ["python", "lines.py"]')
    shown, faults = rows(cup)
    assert shown["other"]["games"] == 4
    assert faults == []


def test_a_bot_that_speaks_gibberish_has_a_fault_of_protocol(cup: Path) -> None:
    written(cup, 'protocol = "stdio"\ncommand = ["python", "babbler.py"]')
    shown, faults = rows(cup)
    assert shown["other"]["faults"] == {"protocol": 4}
    assert shown["good"]["wins"] == 4
    assert "this is no JSON" in faults[0]["last_words"]


@pytest.mark.parametrize("protocol", ["grpc"])
def test_a_bot_that_takes_too_much_memory_hurts_only_itself(cup: Path, protocol: str) -> None:
    written(cup, f'protocol = "{protocol}"\ncommand = ["python", "glutton.py"]', '[limits]\nmemory = "1GiB"')
    shown, faults = rows(cup)
    assert shown["other"]["faults"] == {"memory": 4}
    assert shown["good"]["faults"] == {}
    assert "MemoryError" in faults[0]["last_words"]


def test_a_bot_dials_in_with_its_token(cup: Path) -> None:
    """The organiser reads target and token off the terminal and hands them to the bot's owner."""
    port = 20_000 + os.getpid() % 20_000
    written(cup, 'protocol = "remote"', f'[remote]\nlisten = "127.0.0.1:{port}"')
    program = [sys.executable, "-m", "croupier_runner.cli", "run", "cup.toml", "--json"]
    running = subprocess.Popen(program, cwd=cup.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with running:
        assert running.stdout is not None
        assert running.stderr is not None
        told = re.match(r"bot 'other' dials in: CROUPIER_TARGET=(\S+) CROUPIER_TOKEN=(\S+)", running.stderr.readline())
        assert told is not None
        settings = {"CROUPIER_TARGET": told[1], "CROUPIER_TOKEN": told[2]}
        with subprocess.Popen([sys.executable, cup.parent / "good.py"], env={**os.environ, **settings}) as bot:
            end = json.loads(running.stdout.read().splitlines()[-1])
            assert bot.wait() == 0, "it was told that there is nothing more to play"
    assert end["games"] == 4
    assert [row["faults"] for row in end["standings"]["events"][0]["rows"]] == [{}, {}]


CRASHER = """
from croupier_client import run
def play(turn): raise SystemExit(7)
run(play)
"""
NOT_AGAIN = """
import os, pathlib, sys
from croupier_client import run
begun = pathlib.Path("begun")
if begun.exists():
    sys.exit("I have had enough")
begun.touch()
def play(turn): os._exit(7)
run(play)
"""
USURPER = """
import os
from croupier_client import Client, CroupierError, run
def play(turn):
    try:
        Client(os.environ["CROUPIER_TARGET"]).create_session("lie", 2)
    except CroupierError as error:
        print(error.reason, flush=True)
    return 0
run(play)
"""
DIARIST = """
import os
from croupier_client import run
def play(turn):
    if turn.decision_id == 1:
        with open(f"hands-{os.getpid()}", "a") as diary:
            diary.write(f"{turn.seat} {turn.view.hand}\\n".replace("\\n", " ") + "\\n")
    return 0
run(play)
"""


def test_a_bot_that_keeps_crashing_keeps_coming_back(cup: Path) -> None:
    """Each crash costs the games it is in, however many there were; only who cannot be started again is out."""
    (cup.parent / "crasher.py").write_text(CRASHER)
    written(cup, 'command = ["python", "crasher.py"]', "[limits]\nconcurrency = 1")
    cup.write_text(cup.read_text().replace("blocks = 2", "blocks = 3"))
    shown, faults = rows(cup)
    assert shown["other"]["faults"] == {"crash": 6}
    assert {fault["detail"] for fault in faults} == {"its process ended with exit code 7"}


def test_a_bot_that_cannot_be_started_again_is_out_also_after_an_interruption(cup: Path) -> None:
    """It is told once, written into the journal, and loses what it has left; nobody waits for it any more."""
    (cup.parent / "not_again.py").write_text(NOT_AGAIN)
    written(cup, 'command = ["python", "not_again.py"]', "[limits]\nconcurrency = 1")
    shown, faults = rows(cup)
    assert shown["other"]["faults"] == {"crash": 4}
    assert faults[0]["detail"] == "its process ended with exit code 7"
    assert all("could not be started again" in fault["detail"] for fault in faults[1:])
    journal = Journal.open(cup.parent / "cup.results" / "journal.sqlite")
    with journal:
        assert "before it connected" in journal.out()["other"]


def test_no_bot_opens_sessions_of_its_own(cup: Path) -> None:
    """Else it could crowd out the tournament's: the service takes sessions from the runner only."""
    (cup.parent / "usurper.py").write_text(USURPER)
    written(cup, 'command = ["python", "usurper.py"]')
    _, faults = rows(cup, "--logs", "logs")
    assert faults == []
    assert "TOKEN_MISSING" in (cup.parent / "logs" / "other.log").read_text()


def test_twins_are_kept_apart_where_that_is_asked_for(cup: Path) -> None:
    """No process of a bot ever sees a deal twice, so none can remember what it learned about it."""
    (cup.parent / "diarist.py").write_text(DIARIST)
    written(cup, 'command = ["python", "diarist.py"]', "[limits]\nseparate_twins = true")
    shown, faults = rows(cup)
    assert faults == []
    assert shown["other"]["games"] == 4
    diaries = [path.read_text().splitlines() for path in cup.parent.glob("hands-*")]
    assert sorted(map(len, diaries)) == [2, 2]
