"""Standings depend on the results and the schedule, never on when a game happened to finish."""

import random

import pytest

from croupier_runner.schedule import Pairing, Schedule
from croupier_runner.standings import Result, Standings


def schedule(bots: tuple[str, ...], seats: int, blocks: int) -> list[Pairing]:
    return list(iter(Schedule(bots=bots, game_id="lie", seats=seats, blocks=blocks, seed=3).next, None))


def result(pairing: Pairing, places: tuple[int, ...], faults: tuple[str, ...] | None = None) -> Result:
    return Result(pairing, "session", places, faults or ("",) * len(places))


def test_the_order_of_completion_does_not_change_the_standings() -> None:
    chance = random.Random(5)
    bots = ("ann", "bob", "cat", "dan")
    results = [result(pairing, tuple(chance.sample((1, 2, 3), 3))) for pairing in schedule(bots, seats=3, blocks=5)]
    in_order = Standings(bots)
    for each in results:
        in_order.add(each)
    for _ in range(5):
        chance.shuffle(results)
        shuffled = Standings(bots)
        for each in results:
            shuffled.add(each)
        assert shuffled.rows() == in_order.rows()


def test_a_block_counts_only_when_it_is_complete_and_its_turn_has_come() -> None:
    first, second, third, fourth = schedule(("ann", "bob"), seats=2, blocks=2)
    standings = Standings(("ann", "bob"))
    for early in (third, fourth, first):
        standings.add(result(early, (1, 2)))
        assert standings.games == 0

    standings.add(result(second, (1, 2)))

    assert standings.games == 4


def test_wins_draws_losses_places_and_faults_are_counted() -> None:
    first, second = schedule(("ann", "bob"), seats=2, blocks=1)
    standings = Standings(("ann", "bob"))
    standings.add(result(first, (1, 2), ("", "time")))
    standings.add(result(second, (1, 1)))

    ann, bob = standings.rows()

    assert (ann.bot, ann.place, ann.wins, ann.draws, ann.losses) == ("ann", 1, 1, 1, 0)
    assert (ann.win_percent, ann.mean_place, ann.faults) == (75.0, 1.0, {})
    assert (bob.bot, bob.place, bob.wins, bob.draws, bob.losses) == ("bob", 2, 0, 1, 1)
    assert (bob.win_percent, bob.mean_place, bob.faults) == (25.0, 1.5, {"time": 1})


def test_equal_ratings_share_a_place() -> None:
    assert [row.place for row in Standings(("ann", "bob")).rows()] == [1, 1]


def test_before_the_first_game_there_is_no_percentage() -> None:
    row = Standings(("ann", "bob")).rows()[0]

    assert row.win_percent is None
    assert row.mean_place is None
    assert row.elo == pytest.approx(1500)
