"""The README is true: what it shows is run as it stands there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def block(language: str, containing: str) -> str:
    """The README's code block in that language that contains those words."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / "README.md").read_text(), re.M | re.S)
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
    assert all("none" in row for row in rows.values())


def test_the_first_bot_has_at_most_twenty_lines() -> None:
    assert len(block("python", "doubts every second claim").splitlines()) <= 20


def test_the_backend_example_shows_adas_first_turn(tmp_path: Path) -> None:
    """Service and client as in the README: the cards are dealt, and Ada is asked to arrange her hand."""
    address = f"unix:{tmp_path / 'service.sock'}"
    example = block("python", "import Client").replace("127.0.0.1:7017", address)
    ready, to_write = os.pipe()
    arguments = ["--listen", address, "--metrics-listen", "off", "--ready-fd", str(to_write)]
    service = subprocess.Popen([sys.executable, "-m", "croupier_service", *arguments], pass_fds=[to_write])
    try:
        os.close(to_write)
        with open(ready) as line:
            assert line.read() == "ready\n"
        done = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True, check=False)
    finally:
        service.terminate()
        service.wait()
    assert done.returncode == 0, done.stderr
    assert "PHASE_ARRANGE" in done.stdout
    assert re.search(r"\['show \d', 'show \d'\]", done.stdout)


PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("clients/*/*.md")]


@pytest.mark.parametrize("page", sorted(str(page.relative_to(ROOT)) for page in PAGES))
def test_links_between_pages_lead_somewhere(page: str) -> None:
    path = ROOT / page
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text())
    assert [link for link in links if not (path.parent / link).exists()] == []
