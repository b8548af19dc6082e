"""The report says the same to people and to programs."""

import io
import json

import pytest
from rich.console import Console

from croupier_runner.clock import Clock
from croupier_runner.report import Report, as_json, show
from croupier_runner.standings import Standing


@pytest.fixture
def report() -> Report:
    ann = Standing(1, "ann [x]", 1516.004, 4, 2, 1, 1, mean_place=1.25, faults={})
    bob = Standing(2, "bob", 1483.996, 4, 1, 1, 2, mean_place=1.5, faults={"time": 1, "crashed": 2})
    return Report(
        name="cup",
        game_id="lie",
        seats=2,
        blocks=2,
        games=4,
        clock=Clock(move_ms=2000, game_ms=60_000, increment_ms=500),
        standings=(ann, bob),
        crashes={"bob": ("ended with exit code 3. Its last words:\nKeyError: [nothing]",)},
        last_words={"ann [x]": "a chatty bot", "bob": "\n".join(f"line {number}" for number in range(40))},
        records_verified=2,
        moves_per_game=50,
        seconds=0.5,
    )


def printed(report: Report) -> str:
    console = Console(file=io.StringIO(), width=120)
    show(report, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_people_see_standings_faults_and_that_elo_is_an_estimate(report: Report) -> None:
    text = printed(report)

    assert "ann [x]" in text
    assert "62.5" in text
    assert "time 1, crashed 2" in text
    assert "KeyError: [nothing]" in text
    assert "a first estimate" in text
    assert "8 games/s, about 400 moves/s" in text


def test_people_see_the_last_lines_of_bots_with_faults_and_the_limit_that_was_in_force(report: Report) -> None:
    text = printed(report)

    assert "bob wrote last to stderr:\nline 28\n" in text
    assert "line 39\n" in text
    assert "a chatty bot" not in text
    limit = "2 s for each decision, 60 s for the game and 0.5 s more for each decision"
    assert f"bob ran out of time; the limit was {limit}" in text


def test_what_bots_wrote_is_not_wrapped(report: Report) -> None:
    path = "/a/long/path" * 20
    long = Report(**{name: getattr(report, name) for name in report.__slots__} | {"crashes": {"bob": (path,)}})

    assert f"bob {path}\n" in printed(long)


def test_larger_tables_show_the_mean_place_instead_of_a_percentage(report: Report) -> None:
    three = Report(**{name: getattr(report, name) for name in report.__slots__} | {"seats": 3})

    assert "mean place" in printed(three)
    assert "win %" not in printed(three)


def test_programs_get_json(report: Report) -> None:
    data = json.loads(as_json(report))

    assert data["standings"][0] == {
        "place": 1,
        "bot": "ann [x]",
        "elo": 1516.0,
        "games": 4,
        "wins": 2,
        "draws": 1,
        "losses": 1,
        "mean_place": 1.25,
        "win_percent": 62.5,
        "faults": {},
    }
    assert data["rating"]["intervals"] is False
    assert data["games_per_second"] == 8.0
    assert list(data["crashes"]) == ["bob"]
    assert list(data["last_words"]) == ["bob"]
