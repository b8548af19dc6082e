"""A format is chosen by name, refuses what it does not know, and says what it comes to."""

from collections.abc import Callable

import pytest

from croupier_runner.errors import ConfigError
from croupier_runner.results import Block
from croupier_runner.schedule import FORMATS, describe, key_of, scheduler

DESCRIPTIONS = [
    ("round_robin", 4, 3, 40, {}, "round robin: 4 bots, tables of 3, 4 tables x 40 blocks x 6 games = 960 games"),
    (
        "round_robin",
        20,
        4,
        10,
        {"tables": 50},
        "round robin: 20 bots, tables of 4, 50 tables of 4845 possible x 10 blocks x 4 games = 2000 games",
    ),
    ("round_robin", 2, 2, 1, {}, "round robin: 2 bots, tables of 2, 1 table x 1 block x 2 games = 2 games"),
    ("gauntlet", 5, 2, 3, {}, "gauntlet: a against 4 others, tables of 2, 4 tables x 3 blocks x 2 games = 24 games"),
    (
        "gauntlet",
        9,
        3,
        1,
        {"challengers": "bd", "tables": 9},
        "gauntlet: b, d against 7 others, tables of 3, 8 tables of 42 possible x 1 block x 6 games = 48 games",
    ),
    (
        "swiss",
        9,
        2,
        10,
        {"rounds": 5},
        "swiss: 9 bots, tables of 2, 5 rounds x 4 tables x 10 blocks x 2 games = 400 games, byes for 1 in each round",
    ),
    (
        "knockout",
        8,
        2,
        10,
        {},
        "knockout: 8 bots, tables of 2, 3 rounds, 7 tables x 10 blocks x 2 games = 140 games, "
        "more where bots are level",
    ),
    ("sprt", 2, 2, 500, {}, "sprt: a against b, at most 500 blocks x 2 games = 1000 games"),
]


@pytest.mark.parametrize(("format", "bots", "seats", "blocks", "options", "line"), DESCRIPTIONS)
def test_a_line_says_what_it_comes_to(
    format: str, bots: int, seats: int, blocks: int, options: dict[str, object], line: str
) -> None:
    names = "abcdefghijklmnopqrst"[:bots]
    assert describe(format, bots=names, seats=seats, blocks=blocks, **options) == line  # type: ignore[arg-type]


@pytest.mark.parametrize(("format", "bots", "seats", "blocks", "options", "line"), DESCRIPTIONS)
def test_that_many_games_are_played(
    format: str,
    bots: int,
    seats: int,
    blocks: int,
    options: dict[str, object],
    line: str,
    finish: Callable[..., list[Block]],
    by_name: object,
) -> None:
    names = "abcdefghijklmnopqrst"[:bots]
    if format == "sprt":
        options = {"decide": lambda _: False}
    schedule = scheduler(
        format,
        bots=names,
        game_id="lie",
        seats=seats,
        blocks=blocks,
        key=key_of(3),
        **options,  # type: ignore[arg-type]
    )
    expected = schedule.total_blocks

    played = finish(schedule, by_name)

    assert len(played) == expected == schedule.total_blocks
    assert f"= {sum(len(block.lineups) for block in played)} games" in line


def test_an_unknown_format_is_refused_and_the_known_ones_named() -> None:
    with pytest.raises(ConfigError, match="there is no format 'league'; there are round_robin, gauntlet, swiss"):
        describe("league", bots="ab", seats=2, blocks=1)


@pytest.mark.parametrize("format", FORMATS)
def test_an_option_of_another_format_is_refused(format: str) -> None:
    foreign = {"rounds": 3} if format != "swiss" else {"advance": 1}

    with pytest.raises(ConfigError, match=rf"is no option of {format}; it takes {FORMATS[format].options[0]}"):
        describe(format, bots="ab", seats=2, blocks=1, **foreign)  # type: ignore[arg-type]


def test_an_option_that_is_none_is_as_if_left_out() -> None:
    assert describe("swiss", bots="abcd", seats=2, blocks=1, rounds=None, advance=None) == describe(
        "swiss", bots="abcd", seats=2, blocks=1
    )
