"""Every installed game keeps every promise, and its golden play-throughs replay."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from outside_sealed import SEALED

from croupier_games import GAMES, Game, installed_games
from croupier_games.conformance import CHECKS, Case, cases, golden_cases, playthrough, run
from croupier_games.conformance.__main__ import main
from croupier_games.conformance.case import settings, values
from croupier_games.conformance.golden import differences, file_name, write

GOLDEN = Path(__file__).parent / "golden"
INSTALLED = installed_games()
SEALED_BY_NAME = "outside_sealed:SEALED"


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("game", INSTALLED)
def test_the_game_keeps_the_promise(game: str, check: str) -> None:
    for case in cases(INSTALLED[game]):
        run(CHECKS[check], case)


@pytest.mark.parametrize("game", GAMES)
def test_golden_playthroughs_are_there_and_replay(game: str) -> None:
    """Run `make golden` after a change of behaviour, read the diff, and raise the game's version."""
    assert list(differences(GAMES[game], GOLDEN)) == []


def test_every_golden_file_belongs_to_a_game() -> None:
    expected = {file_name(case) for game in GAMES.values() for case in golden_cases(game)}
    assert {path.name for path in GOLDEN.iterdir()} == expected


@pytest.mark.parametrize("game", [*INSTALLED.values(), SEALED], ids=lambda game: game.id)
def test_cases_cover_every_seat_count_and_every_value_of_every_option(game: Game) -> None:
    covered = list(cases(game))
    assert {case.seats for case in covered} == set(range(game.min_seats, game.max_seats + 1))
    for option in game.options:
        taken = {case.options[option.name] for case in covered if option.name in case.options}
        assert taken == set(values(option))
        assert any(option.name not in case.options for case in covered)
    assert len({case.seed for case in covered}) == len(covered)


def test_cases_cover_every_pair_of_changed_options() -> None:
    pairs = [setting for setting in settings(SEALED) if len(setting) == 2]
    # cards 2 or 5, low_wins, ties lost: 2 * 1 + 2 * 1 + 1 * 1.
    assert len(pairs) == 5
    covered = [case.options for case in cases(SEALED)]
    assert all(pair in covered for pair in pairs)


def test_thorough_cases_put_every_setting_on_every_table() -> None:
    tables = SEALED.max_seats - SEALED.min_seats + 1
    assert len(list(cases(SEALED, thorough=True))) == tables * (1 + len(list(settings(SEALED))))
    assert len(list(cases(SEALED, seeds=3))) == 3 * len(list(cases(SEALED)))


def test_golden_files_are_written_compared_and_cleared(tmp_path: Path) -> None:
    names = write(SEALED, tmp_path)
    assert names == [
        "sealed-2-seats.txt",
        "sealed-3-seats.txt",
        "sealed-4-seats.txt",
        "sealed-3-seats-cards-5.txt",
        "sealed-3-seats-low_wins-true.txt",
        "sealed-3-seats-ties-lost.txt",
    ]
    assert list(differences(SEALED, tmp_path)) == []
    kept = tmp_path / names[0]
    kept.write_text(kept.read_text().replace("seat 0", "seat 9", 1))
    (tmp_path / names[1]).unlink()
    (tmp_path / "sealed-9-seats.txt").write_text("from an earlier version\n")
    stale, changed, missing = list(differences(SEALED, tmp_path))
    assert stale.startswith("sealed-9-seats.txt: the game has no such")
    assert changed.startswith("sealed-2-seats.txt: plays otherwise now")
    assert missing == "sealed-3-seats.txt: missing"
    write(SEALED, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)


@pytest.mark.parametrize("text", ["a table / with blanks", "x" * 500, "ü"])
def test_golden_files_have_short_names_whatever_an_option_says(text: str) -> None:
    names = {file_name(Case(SEALED, 2, {"ties": value})) for value in (text, text + "!")}
    assert len(names) == 2
    assert all(re.fullmatch(r"sealed-2-seats-ties-[0-9a-f]{8}\.txt", name) for name in names)


def test_a_playthrough_reads_as_documentation() -> None:
    text = playthrough(next(golden_cases(SEALED)))
    assert text.startswith("# Sealed, 2 seats\ngame    sealed, version 1\n")
    for part in (
        "options cards=3, low_wins=False, ties=carry",
        "## Step 1",
        "  to seat 0: You hold",
        "## Outcome after",
    ):
        assert part in text
    assert max(map(len, text.splitlines())) <= 120


def test_the_command_checks_a_game_by_module_and_attribute(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", SEALED_BY_NAME, "--only", "renders_fit", "--only", "places_are_consistent"]) == 0
    output = capsys.readouterr().out
    assert "sealed, version 1: 15 cases" in output
    assert "renders_fit" in output
    assert "2 of 2 checks passed" in output


def test_the_command_fails_with_the_problem(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(SEALED), "max_actions", 3)
    assert main(["check", SEALED_BY_NAME, "--only", "play_ends_in_time"]) == 1
    output = capsys.readouterr().out
    assert "BROKEN" in output
    assert "the game goes on after 3 actions" in output
    assert "0 of 1 checks passed" in output


def test_the_command_writes_and_compares_golden_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["golden", "--check", str(tmp_path), SEALED_BY_NAME]) == 1
    assert "sealed-2-seats.txt: missing" in capsys.readouterr().out
    assert main(["golden", "--write", str(tmp_path), SEALED_BY_NAME]) == 0
    assert main(["golden", "--check", str(tmp_path), SEALED_BY_NAME]) == 0
    assert "every play-through replays" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "no_such_game"], "no game 'no_such_game' is installed"),
        (["check", "no_such_module:GAME"], "cannot load 'no_such_module:GAME'"),
        (["check", "outside_sealed:SealedGame"], "is no Game"),
        (["check", "--seeds", "0"], "expected a whole number from 1, got '0'"),
        (["golden"], "one of the arguments --write --check is required"),
    ],
)
def test_wrong_usage_ends_with_exit_code_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_playthroughs_do_not_depend_on_the_hash_seed() -> None:
    """Another process, whose sets have another order, plays the very same game."""
    code = "from outside_sealed import SEALED; from croupier_games.conformance import *; " + (
        "print(*map(playthrough, golden_cases(SEALED)), sep='', end='')"
    )
    path = os.pathsep.join(sys.path)
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        assert done.stdout == "".join(map(playthrough, golden_cases(SEALED)))
