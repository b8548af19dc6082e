"""Results written down by hand."""

from collections.abc import Callable, Sequence
from itertools import count

import pytest

from croupier_runner.results import Block, BlockResult, GameResult

Game = tuple[str, tuple[int, ...]]
Play = Callable[..., BlockResult]


@pytest.fixture
def block() -> Play:
    """Makes a block from its games, each as the bots by seat (one letter each) and their places."""
    index = count()

    def play(*games: Game, faults: Sequence[str] = ()) -> BlockResult:
        lineups = tuple(tuple(bots) for bots, _ in games)
        return BlockResult(
            Block(next(index), 1, tuple(sorted(lineups[0])), b"", lineups),
            tuple(
                GameResult(places, (None,) * len(places), tuple(faults) or ("",) * len(places), 1, (0,) * len(places))
                for _, places in games
            ),
        )

    return play
