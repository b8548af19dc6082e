"""The bots that we hold up as examples pass every check."""

import re
import sys
from pathlib import Path

import pytest

from croupier_runner.check_bot import Patience

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(300)]

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "clients" / "python" / "examples"
PLAIN = Path(__file__).with_name("plain_bot.py")
USUAL = Patience(startup_s=60, answer_s=60, ending_s=30, move_s=60)
"""How fast they are is not for a test to say."""


def failures(findings) -> list[str]:
    return [f"{finding.check}: {finding.sentence}" for finding in findings if finding.result == "FAIL"]


async def test_the_random_bot_passes(checked) -> None:
    findings = await checked([sys.executable, str(EXAMPLES / "random_bot.py")], patience=USUAL)

    assert failures(findings) == []
    assert [finding.check for finding in findings if finding.result != "ok"] == ["quiet"]


async def test_the_lie_bot_passes(checked) -> None:
    findings = await checked([sys.executable, str(EXAMPLES / "lie_bot.py")], games=["lie"], patience=USUAL)

    assert failures(findings) == []


async def test_what_the_wrong_bots_are_made_of_passes(checked) -> None:
    """So each of them is wrong by what it does differently."""
    findings = await checked([sys.executable, str(PLAIN)], games=["lie"], patience=USUAL)

    assert failures(findings) == []


@pytest.mark.parametrize("language", ["python", "sh"])
async def test_the_bots_of_the_page_on_lines_pass(checked, tmp_path: Path, language: str) -> None:
    code = re.search(rf"```{language}\n(.*?)```", (ROOT / "docs" / "stdio.md").read_text(), re.DOTALL)[1]
    bot = tmp_path / "bot"
    bot.write_text(code)
    command = [{"python": sys.executable, "sh": "sh"}[language], str(bot)]

    games = ["lie"] if language == "sh" else []  # a shell takes its time

    findings = await checked(command, protocol="stdio", games=games, patience=USUAL)

    assert failures(findings) == []
    assert [finding.check for finding in findings if finding.result != "ok"] == ["detail", "denied"]


async def test_a_bot_may_print_what_it_likes(checked, wrong_command) -> None:
    """A gRPC bot that talks all the time, on stdout and stderr, is not disturbed, and disturbs nobody."""
    noise = "def choose(self, turn):\n  print(9999 * 'o')\n  sys.stderr.write(9999 * 'e')\n  return 0"

    findings = await checked(wrong_command(noise, "grpc"), "games", "batches", games=["lie"], patience=USUAL)

    assert failures(findings) == []
