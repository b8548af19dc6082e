"""The command line: what it prints and which code it exits with."""

from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from croupier_runner.commands import app


def croupier(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "200", "TERM": "dumb"})


def test_version() -> None:
    assert croupier("--version").output == f"croupier {version('croupier')}\n"


@pytest.mark.parametrize(
    "command",
    [(), *((name,) for name in ("run", "resume", "standings", "report", "replay", "verify", "play", "games", "init"))],
)
def test_help_has_an_example(command: tuple[str, ...]) -> None:
    result = croupier(*command, "--help")

    assert result.exit_code == 0
    assert "Example" in result.output


def test_games_lists_every_game_with_its_options() -> None:
    result = croupier("games")

    assert result.exit_code == 0
    assert "lie" in result.output
    assert "joker_ones" in result.output


def test_one_game_is_shown_alone() -> None:
    result = croupier("games", "ten")

    assert result.exit_code == 0
    assert "TEN" in result.output
    assert "joker_ones" not in result.output


def test_a_game_that_does_not_exist_is_a_usage_error_that_names_those_that_do() -> None:
    result = croupier("games", "poker")

    assert result.exit_code == 2
    assert "there is no game 'poker'" in result.stderr
    assert "lie" in result.stderr


def test_a_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    result = croupier("run", str(tmp_path / "nothing.toml"))

    assert result.exit_code == 2
    assert "No such file" in result.stderr


def test_a_wrong_file_is_a_usage_error_and_says_everything_at_once(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('name = "cup"\nblocks = 0\n')
    result = croupier("run", str(file))

    assert result.exit_code == 2
    for sentence in ("blocks must be at least 1", "game is missing", "bots is missing"):
        assert sentence in result.stderr


@pytest.mark.parametrize("arguments", [("run",), ("walk",), ("run", "a.toml", "--fast")])
def test_a_wrong_command_line_is_a_usage_error(arguments: tuple[str, ...]) -> None:
    assert croupier(*arguments).exit_code == 2
