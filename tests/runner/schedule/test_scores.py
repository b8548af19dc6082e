"""The score of a block is the mean of all comparisons within the table."""

from collections.abc import Callable

import pytest

from croupier_runner.results import Block, BlockResult
from croupier_runner.schedule import block_scores, half_points, lineups

Places = Callable[[tuple[str, ...]], tuple[int, ...]]
Placed = Callable[[Block, Places], BlockResult]


def block(*table: str) -> Block:
    return Block(0, 1, table, bytes(32), lineups(table, bytes(32)))


def test_a_win_counts_one_a_tie_half_and_a_loss_nothing(placed: Placed) -> None:
    where = {"ann": 1, "bob": 2, "cat": 2, "dan": 4}

    scores = block_scores(placed(block(*where), lambda lineup: tuple(where[bot] for bot in lineup)))

    assert scores == {"ann": 1.0, "bob": 0.5, "cat": 0.5, "dan": 0.0}


def test_all_games_of_the_block_count_alike(placed: Placed) -> None:
    """The bot in the first seat wins: over a block, that favours nobody."""
    scores = block_scores(placed(block("ann", "bob", "cat"), lambda _: (1, 2, 3)))

    assert scores == {"ann": 0.5, "bob": 0.5, "cat": 0.5}


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_half_points_of_a_table_always_add_up(seats: int, by_chance: Callable[[Block], BlockResult]) -> None:
    result = by_chance(block(*"abcdef"[:seats]))

    assert sum(half_points(result).values()) == seats * (seats - 1) * len(result.games)
    assert sum(block_scores(result).values()) == pytest.approx(seats / 2)
