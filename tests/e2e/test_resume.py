"""A tournament that is killed anywhere is finished by `resume`, and nobody can tell that it was interrupted."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

BOT = """
import hashlib, os
from croupier_client import run

SEED = os.environ["CROUPIER_BOT_SEED"].encode()

def play(turn):
    key = b"%b/%b/%d/%d" % (SEED, turn.seating.seed_commitment, turn.seat, turn.decision_id)
    return int.from_bytes(hashlib.sha256(key).digest()[:4], "big") % turn.legal_count

run(play, view=False, legal="count", events=False)
"""
BLOCKS = 12
GAMES = 3 * 2 * BLOCKS


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A cup of three bots whose choices follow from the deal alone."""
    (tmp_path / "bot.py").write_text(BOT)
    bots = "\n".join(f'[[bots]]\nname = "{name}"\ncommand = ["python", "bot.py"]' for name in ("ann", "bob", "cid"))
    head = f'name = "cup"\nseed = 5\nblocks = {BLOCKS}\n[game]\nid = "lie"\nseats = 2\n[limits]\nconcurrency = 3'
    path = tmp_path / "cup.toml"
    path.write_text(f"{head}\n{bots}\n")
    return path


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "croupier_runner.cli", *words]


def croupier(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*words), cwd=folder, capture_output=True, text=True, timeout=100, check=False)


def killed_after(file: Path, games: int, *words: str) -> None:
    """Runs a command until it has told of so many games, then kills it."""
    running = subprocess.Popen(command(*words, "--json"), cwd=file.parent, stdout=subprocess.PIPE, text=True)
    with running:
        assert running.stdout is not None
        for line in running.stdout:
            happening = json.loads(line)
            if happening["event"] == "game":
                games -= 1
                if not games:
                    running.send_signal(signal.SIGKILL)
                    break


def test_killed_at_many_points_the_standings_are_the_same_bytes(file: Path) -> None:
    """kill -9 after 1, 2, 20 and 40 more games, then once more while it resumes; each time `resume` goes on."""
    assert croupier(file.parent, "run", "cup.toml", "--into", "straight").returncode == 0
    straight = (file.parent / "straight" / "standings.json").read_bytes()
    assert json.loads(straight)["complete"]
    killed_after(file, 1, "run", "cup.toml")
    for games in (2, 20, 40):
        killed_after(file, games, "resume", "cup.results")
    end = croupier(file.parent, "resume", "cup.results", "--json")
    assert end.returncode == 0, end.stderr
    happenings = [json.loads(line) for line in end.stdout.splitlines()]
    assert happenings[0]["resumed"] > 0
    assert happenings[-1]["games"] == GAMES - happenings[0]["resumed"]
    assert (file.parent / "cup.results" / "standings.json").read_bytes() == straight


def test_what_is_over_is_only_shown(file: Path) -> None:
    """Resuming a finished tournament plays nothing; a second run refuses to throw it away."""
    assert croupier(file.parent, "run", "cup.toml").returncode == 0
    again = croupier(file.parent, "resume", "cup.toml", "--json")
    assert [json.loads(line)["event"] for line in again.stdout.splitlines()] == ["begin", "end"]
    refused = croupier(file.parent, "run", "cup.toml")
    assert refused.returncode == 2
    assert "holds a tournament already: go on with it by croupier resume cup.results" in refused.stderr
    shown = croupier(file.parent, "standings", "cup.results")
    assert shown.returncode == 0, shown.stderr
    assert "Elo ± 95 %" in shown.stdout
    for name in ("report.html", "standings.csv"):
        (file.parent / "cup.results" / name).unlink()
    written = croupier(file.parent, "report", "cup.results")
    assert "report.html" in written.stdout
    assert (file.parent / "cup.results" / "standings.csv").exists()


@pytest.mark.parametrize("words", [("resume", "nothing.results"), ("standings", "cup.toml"), ("report", "bot.py")])
def test_what_is_no_tournament_is_said(file: Path, words: tuple[str, str]) -> None:
    refused = croupier(file.parent, *words)
    assert refused.returncode == 2
    assert "there is no journal" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_bot_that_does_not_come_any_more_can_be_mended_or_withdrawn(file: Path) -> None:
    """`resume` stops with what to do and loses nothing; without the bot it loses the games it has left."""
    killed_after(file, 20, "run", "cup.toml")
    bot = (file.parent / "bot.py").read_text()
    (file.parent / "bot.py").write_text(
        "import os, sys\nif os.environ['CROUPIER_NAME'] == 'cid': sys.exit('no')\n" + bot
    )
    stopped = croupier(file.parent, "resume", "cup.results")
    assert stopped.returncode == 3
    assert "bot 'cid' ended with exit code 1 before it connected" in stopped.stderr
    assert "croupier resume --withdraw NAME" in stopped.stderr
    unknown = croupier(file.parent, "resume", "cup.results", "--withdraw", "dan")
    assert unknown.returncode == 2
    assert "there is no bot 'dan' to withdraw; there are ann, bob, cid" in " ".join(
        unknown.stderr.replace("│", " ").split()
    )
    killed_after(file, 5, "resume", "cup.results", "--withdraw", "cid")
    end = croupier(file.parent, "resume", "cup.results", "--json")
    assert end.returncode == 0, end.stderr
    rows = json.loads(end.stdout.splitlines()[-1])["standings"]["events"][0]["rows"]
    assert sum(row["games"] for row in rows) == 2 * GAMES
    assert {row["bot"]: bool(row["faults"]) for row in rows} == {"ann": False, "bob": False, "cid": True}
    faults = json.loads((file.parent / "cup.results" / "standings.json").read_text())["events"][0]["faults"]
    assert {fault["detail"] for fault in faults} == {"it was withdrawn"}
