"""Whether 95 % intervals hold the truth 95 times in a hundred, on simulated tournaments whose truth is known."""

import pytest

from croupier_runner.ratings.simulation import (
    SMALL_WORLDS,
    WORLDS,
    World,
    coverage,
    coverage_if_independent,
)

REPEATING = World(3, 12, style=0.5)
"""Tables of three where a bot's luck lasts through the block: one block says much less than its eighteen pairs."""


def test_intervals_hold_where_counting_pairs_as_independent_does_not() -> None:
    """150 tournaments of four bots, 600 intervals: a quick look at what the slow tests measure."""
    ratings, seats = coverage(REPEATING, runs=150, seed=2)

    assert 0.92 <= ratings <= 0.98
    assert 0.92 <= seats <= 0.98
    assert coverage_if_independent(REPEATING, runs=50, seed=2) < 0.90


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
def test_95_percent_intervals_hold_the_true_rating_94_to_96_times_in_a_hundred(name: str) -> None:
    ratings, seats = coverage(WORLDS[name], runs=1500, seed=3)

    assert 0.94 <= ratings <= 0.96
    assert 0.935 <= seats <= 0.965  # as many intervals, but for two seats they are all one


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL_WORLDS)
def test_with_very_few_blocks_intervals_are_rather_too_wide_than_too_narrow(name: str) -> None:
    ratings, _ = coverage(SMALL_WORLDS[name], runs=1000, seed=3)

    assert 0.94 <= ratings <= 0.98


@pytest.mark.slow
def test_counting_pairs_as_independent_makes_intervals_that_are_too_narrow() -> None:
    assert coverage_if_independent(REPEATING, runs=1000, seed=3) < 0.88
