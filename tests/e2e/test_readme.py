"""The README is true: what it shows is run as it stands there."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.games.lie.v1 import lie_pb2
from croupier.v1 import games_pb2, turns_pb2
from croupier_client import Turn

ROOT = Path(__file__).parents[2]


CLIENT_PAGE = "clients/python/README.md"


def block(language: str, containing: str, page: str = "README.md") -> str:
    """The page's code block in that language that contains those words."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / page).read_text(), re.M | re.S)
    (found,) = [text for text in blocks if containing in text]
    return str(found)


def test_the_first_bot_plays_the_first_cup(tmp_path: Path) -> None:
    """Whoever copies bot and cup gets standings with both bots in them and no fault."""
    (tmp_path / "my_bot.py").write_text(block("python", "doubts every second claim"))
    cup = block("toml", "my first cup").replace("clients/python", str(ROOT / "clients" / "python"))
    (tmp_path / "cup.toml").write_text(cup.replace("blocks = 50", "blocks = 3"))
    done = subprocess.run(
        [Path(sys.executable).parent / "croupier", "run", "cup.toml"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = {line.split("│")[2].strip(): line for line in done.stdout.splitlines() if line.startswith("│")}
    assert rows.keys() == {"mine", "random"}
    assert "faults" not in done.stdout


def test_the_first_bot_has_at_most_twenty_lines() -> None:
    assert len(block("python", "doubts every second claim").splitlines()) <= 20


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The address of a service that is ready."""
    address = f"unix:{tmp_path / 'service.sock'}"
    ready, to_write = os.pipe()
    arguments = ["--listen", address, "--store", "memory", "--metrics-listen", "off", "--drain-s", "0"]
    arguments += ["--ready-fd", str(to_write)]
    service = subprocess.Popen([sys.executable, "-m", "croupier_service", *arguments], pass_fds=[to_write])
    try:
        os.close(to_write)
        with open(ready) as line:
            assert line.read() == "ready\n"
        yield address
    finally:
        service.terminate()
        service.wait()


def outcome_of(example: str) -> subprocess.CompletedProcess[str]:
    """How a program of that text ends, run from the top of the repository."""
    return subprocess.run([sys.executable, "-c", example], cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_backend_example_shows_adas_first_turn(address: str) -> None:
    """Service and client as in the README: the cards are dealt, and Ada is asked to arrange her hand."""
    done = outcome_of(block("python", "import Client").replace("127.0.0.1:7017", address))
    assert done.returncode == 0, done.stderr
    assert "PHASE_ARRANGE" in done.stdout
    assert re.search(r"\['show \d', 'show \d'\]", done.stdout)


def test_the_seating_example_plays_a_game_to_its_end(address: str) -> None:
    """Backend and bot meet by the token alone."""
    done = outcome_of(block("python", "SeatPlan(", CLIENT_PAGE).replace("localhost:7017", address))
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split()) == sorted(["left", "is", "placed", "1", "right", "is", "placed", "2"])


def test_the_events_example_reads_an_event(capsys: pytest.CaptureFixture[str]) -> None:
    example: dict[str, Any] = {"Turn": Turn}
    exec(block("python", "WhichOneof", CLIENT_PAGE), example)
    bid = lie_pb2.Event(bid_made=lie_pb2.BidMade(seat=1, count=3, value=4))
    example["play"](Turn(turns_pb2.Turn(events=[games_pb2.GameEvent(lie=bid)])))
    assert capsys.readouterr().out == "seat 1 bid 3x4\n"


PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("clients/*/*.md")]


@pytest.mark.parametrize("page", sorted(str(page.relative_to(ROOT)) for page in PAGES))
def test_links_between_pages_lead_somewhere(page: str) -> None:
    path = ROOT / page
    text = re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)
    prose = re.sub(r"(?<!\[)`[^`\n]*`", "", text)
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", prose)
    assert [link for link in links if not (path.parent / link).exists()] == []
