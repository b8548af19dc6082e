"""Bots in every language: each passes the conformance kit and its own tests, and all of them play one tournament."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from croupier_games import GAMES

CLIENTS = Path(__file__).resolve().parents[3] / "clients"
PATIENT = ("--startup", "60s", "--patience", "60s", "--hurry", "60s")
"""How fast they are is for the bench to say."""
Absolute = Callable[[tuple[str, ...]], list[str]]


def croupier(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", "croupier_runner.cli", *words]
    return subprocess.run(program, cwd=folder, capture_output=True, text=True, timeout=280, check=False)


def checked(folder: Path, protocol: str, command: list[str], *words: str) -> None:
    done = croupier(folder, "check-bot", "--protocol", protocol, *PATIENT, *words, "--", *command)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


@pytest.mark.timeout(300)
def test_its_random_bot_holds_every_check(language: Any, absolute: Absolute, tmp_path: Path) -> None:
    checked(tmp_path, language.protocol, absolute(language.random))


@pytest.mark.timeout(300)
def test_its_lie_bot_holds_every_check(reasoning: Any, absolute: Absolute, tmp_path: Path) -> None:
    checked(tmp_path, reasoning.protocol, absolute(reasoning.lie), "--game", "lie")


@pytest.mark.timeout(600)
def test_its_own_tests_pass(tested: Any) -> None:
    done = subprocess.run(
        tested.test, cwd=CLIENTS / tested.folder, capture_output=True, text=True, timeout=590, check=False
    )
    assert done.returncode == 0, f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}"


def cup(game: str, seats: int, bots: dict[str, tuple[str, list[str]]]) -> str:
    head = (
        f'name = "all languages"\nseed = 8\nblocks = 1\n[game]\nid = "{game}"\nseats = {seats}\n[clock]\nmove = "20s"\n'
    )
    rounds = "[round_robin]\ntables = 12\n" if seats > 2 else ""
    sections = [
        f'[[bots]]\nname = "{name}"\nprotocol = "{protocol}"\ncommand = {json.dumps(command)}\n'
        for name, (protocol, command) in bots.items()
    ]
    return head + rounds + "\n".join(sections)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("game", "seats"), [("lie", 2), ("ten", 4)])
def test_all_languages_play_one_tournament_with_no_fault(
    languages: list[Any], absolute: Absolute, tmp_path: Path, game: str, seats: int
) -> None:
    """A round robin of one bot per language: the one that reasons where there is one and it is its game."""
    assert game in GAMES
    bots = {
        each.name: (each.protocol, absolute(each.lie if each.lie and game == "lie" else each.random))
        for each in languages
    }
    (tmp_path / "cup.toml").write_text(cup(game, seats, bots))
    done = croupier(tmp_path, "run", "cup.toml", "--json")
    assert done.returncode == 0, done.stderr
    end = json.loads(done.stdout.splitlines()[-1])
    rows = {row["bot"]: row for row in end["standings"]["events"][0]["rows"]}
    assert rows.keys() == {each.name for each in languages}
    assert {name: row["faults"] for name, row in rows.items() if row["faults"]} == {}
    assert all(row["games"] > 0 for row in rows.values())
    if game == "lie":
        reasoning = {each.name for each in languages if each.lie}
        best = sorted(rows, key=lambda name: rows[name]["place"])[: len(reasoning)]
        assert set(best) == reasoning
