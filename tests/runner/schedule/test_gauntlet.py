"""The challengers meet everybody else, and all opponents equally often."""

from collections import Counter
from itertools import combinations

import pytest

from croupier_runner.errors import ConfigError
from croupier_runner.schedule import key_of, scheduler

BOTS = tuple("abcdefgh")


def tables(
    seats: int, *, bots: tuple[str, ...] = BOTS, challengers: list[str] | None = None, limit: int | None = None
) -> list[tuple[str, ...]]:
    schedule = scheduler(
        "gauntlet",
        bots=bots,
        game_id="lie",
        seats=seats,
        blocks=1,
        key=key_of(1),
        challengers=challengers,
        tables=limit,
    )
    chosen = [block.table for block in iter(schedule.next, None)]
    assert schedule.total_blocks == len(chosen) == len(set(chosen))
    return chosen


def test_the_first_bot_meets_every_other() -> None:
    assert tables(2) == [("a", other) for other in BOTS[1:]]


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_with_more_seats_it_meets_every_set_of_opponents(seats: int) -> None:
    assert set(tables(seats)) == {("a", *others) for others in combinations(BOTS[1:], seats - 1)}


def test_named_challengers_meet_all_others_and_not_one_another() -> None:
    assert set(tables(2, challengers=["h", "c"])) == {
        tuple(sorted((challenger, other))) for challenger in "ch" for other in "abdefg"
    }


def test_all_challengers_meet_the_same_sets_of_opponents() -> None:
    met = {
        bot: {frozenset(table) - {bot} for table in tables(3, challengers=["a", "b"], limit=20) if bot in table}
        for bot in "ab"
    }

    assert met["a"] == met["b"]
    assert len(met["a"]) == 10


@pytest.mark.parametrize(("seats", "limit"), [(3, 19), (4, 13), (6, 40)])
def test_a_sample_gives_all_opponents_as_many_games(seats: int, limit: int) -> None:
    field = tuple(f"bot {number:02}" for number in range(20))

    chosen = tables(seats, bots=field, limit=limit)

    plays = Counter(bot for table in chosen for bot in table)
    assert plays.pop(field[0]) == len(chosen) == limit
    assert set(plays) == set(field[1:])
    assert max(plays.values()) - min(plays.values()) <= 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"challengers": ["zoe"]}, "there is no bot 'zoe'; there are a, b"),
        ({"challengers": []}, "challengers is empty"),
        ({"challengers": list("abcdefg")}, "1 opponents cannot fill the 2 other seats"),
        ({"limit": 3}, "tables = 3 is too few: for every challenger to meet all 7 opponents it takes 4"),
    ],
)
def test_what_cannot_be_played_is_refused(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        tables(3, **options)  # type: ignore[arg-type]
