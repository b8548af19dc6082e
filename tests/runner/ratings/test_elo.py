"""Online Elo against figures worked out by hand."""

from collections.abc import Callable
from itertools import permutations

import pytest

from croupier_runner.ratings import Elo
from croupier_runner.results import BlockResult


def test_equal_bots_a_win_moves_half_of_k_each_way() -> None:
    elo = Elo(["ann", "bob"], k=32)
    elo.update([{"ann": 1, "bob": 2}])

    assert elo.ratings == {"ann": 1516, "bob": 1484}


def test_an_expected_result_moves_little() -> None:
    """400 points ahead the expectation is 10/11: a win brings 32/11, a loss costs 320/11."""
    elo = Elo(["ann", "bob"], k=32)
    elo._ratings["ann"] = 1900.0
    elo.update([{"ann": 1, "bob": 2}])

    assert elo.ratings["ann"] == pytest.approx(1900 + 32 / 11)
    assert elo.ratings["bob"] == pytest.approx(1500 - 32 / 11)


def test_a_block_won_once_each_moves_nothing() -> None:
    elo = Elo(["ann", "bob"])
    elo.update([{"ann": 1, "bob": 2}, {"ann": 2, "bob": 1}])

    assert elo.ratings == {"ann": 1500, "bob": 1500}


def test_a_shared_place_is_half_a_win() -> None:
    """One win and one draw score 3/4: 32 * (3/4 - 1/2) = 8."""
    elo = Elo(["ann", "bob"], k=32)
    elo.update([{"ann": 1, "bob": 2}, {"ann": 1, "bob": 1}])

    assert elo.ratings == {"ann": 1508, "bob": 1492}


def test_at_a_table_of_three_every_pair_counts_with_half_of_k() -> None:
    """The first beats two equals: 32/2 * (1/2 + 1/2) = 16; the second beats one and loses to one: 0."""
    elo = Elo(["ann", "bob", "cat"], k=32)
    elo.update([{"ann": 1, "bob": 2, "cat": 3}])

    assert elo.ratings == {"ann": 1516, "bob": 1500, "cat": 1484}


def test_ratings_move_simultaneously() -> None:
    """All expectations come from the ratings before the block, so the sum of ratings never changes."""
    elo = Elo(["ann", "bob", "cat"], k=32)
    for _ in range(50):
        elo.update([{"ann": 1, "bob": 1, "cat": 3}, {"cat": 1, "ann": 2, "bob": 3}])

    assert sum(elo.ratings.values()) == pytest.approx(4500)


def test_the_order_of_games_within_a_block_changes_nothing_to_the_last_bit() -> None:
    games = [{"ann": 1, "bob": 2, "cat": 3}, {"bob": 1, "ann": 1, "cat": 3}, {"cat": 1, "bob": 2, "ann": 3}]
    seen = set()
    for order in permutations(games):
        elo = Elo(["ann", "bob", "cat"])
        elo.update(games)
        elo.update(list(order))
        seen.add(tuple(elo.ratings[bot] for bot in ("ann", "bob", "cat")))

    assert len(seen) == 1


def test_a_block_as_it_was_played_counts_like_its_places(block: Callable[..., BlockResult]) -> None:
    played, told = Elo(["a", "b"]), Elo(["a", "b"])
    played.count(block(("ab", (1, 2)), ("ba", (1, 1))))
    told.update([{"a": 1, "b": 2}, {"a": 1, "b": 1}])

    assert played.ratings == told.ratings != {"a": 1500, "b": 1500}
