"""`croupier check-bot` as a program: what it prints, and its exit codes."""

import asyncio
import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier_runner.commands import app

PLAIN = [sys.executable, str(Path(__file__).with_name("plain_bot.py"))]
QUITTER = [sys.executable, "-c", "raise SystemExit('not today')"]


async def check_bot(*arguments: str) -> tuple[int | None, str, str]:
    """Exit code, stdout and stderr."""
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "croupier_runner.cli", "check-bot", *arguments,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    stdout, stderr = await program.communicate()
    return program.returncode, stdout.decode(), stderr.decode()


async def test_a_line_for_each_check_and_a_summary() -> None:
    code, stdout, _ = await check_bot("--game", "lie", "--only", "closes", "--only", "quiet", "--", *PLAIN)

    assert code == 0
    assert stdout.splitlines() == [
        "-    quiet      not applicable: a bot that speaks gRPC may print what it likes",
        "ok   closes     When the service closes the stream it ends by itself, with exit code 0.",
        "1 check holds: this bot can be seated.",
    ]


async def test_a_failure_is_told_with_what_to_do_and_the_last_words() -> None:
    code, stdout, _ = await check_bot("--only", "closes", "--", *QUITTER)

    assert code == 1
    first, sentence, last_words, summary = stdout.splitlines()
    assert first.startswith("FAIL closes ")
    assert sentence.strip().startswith("its process ended with exit code 1 though the stream was still open; when the")
    assert last_words.strip() == "not today"
    assert summary == "0 checks hold, 1 does not: closes."


async def test_json_for_machines() -> None:
    code, stdout, _ = await check_bot("--json", "--only", "closes", "--only", "quiet", "--", *QUITTER)

    quiet, closes, end = map(json.loads, stdout.splitlines())
    assert code == 1
    assert (quiet["event"], quiet["check"], quiet["result"]) == ("check", "quiet", "not applicable")
    assert (closes["event"], closes["check"], closes["result"]) == ("check", "closes", "FAIL")
    assert "ended with exit code 1" in closes["sentence"]
    assert end == {"event": "end", "ok": 0, "failed": 1, "not_applicable": 1}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "which bot? name its command after --"),
        (["--only", "charm", "--", "true"], "there is no check 'charm'; there are greets, games,"),
        (["--game", "chess", "--", "true"], "there is no game 'chess'"),
        (["--patience", "long", "--", "true"], "'long' is no duration"),
        (["--", "./no-such-bot"], "there is no program './no-such-bot'; correct the command after --"),
    ],
)
def test_a_wrong_command_line_is_exit_code_2(arguments: list[str], words: str) -> None:
    result = CliRunner().invoke(app, ["check-bot", *arguments])

    assert result.exit_code == 2
    assert words in " ".join(result.stderr.replace("│", "").split())


def test_the_list_names_every_check_of_the_page() -> None:
    result = CliRunner().invoke(app, ["check-bot", "--list"])

    page = (Path(__file__).parents[3] / "docs" / "check-bot.md").read_text()
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == page.count("| `")
    for line in result.stdout.splitlines():
        name, promise = line.split(maxsplit=1)
        assert f"| `{name}` | {promise}" in page
