"""Ways to play blocks without a game: results by strength, by chance, or as a test says."""

from collections.abc import Callable
from random import Random

import pytest

from croupier_runner.results import Block, BlockResult, GameResult
from croupier_runner.schedule import Scheduler

Play = Callable[[Block], BlockResult]


def result_of(block: Block, places: Callable[[tuple[str, ...]], tuple[int, ...]]) -> BlockResult:
    """The block with every line-up placed by the function."""
    seats = len(block.table)
    return BlockResult(
        block,
        tuple(
            GameResult(places(lineup), points=(None,) * seats, faults=("",) * seats, moves=1, think_ms=(0,) * seats)
            for lineup in block.lineups
        ),
    )


@pytest.fixture(scope="session")
def placed() -> Callable[[Block, Callable[[tuple[str, ...]], tuple[int, ...]]], BlockResult]:
    return result_of


@pytest.fixture(scope="session")
def by_name() -> Play:
    """The bot whose name comes first in the alphabet wins every game, and so on down."""
    return lambda block: result_of(block, lambda lineup: tuple(1 + sum(o < bot for o in lineup) for bot in lineup))


@pytest.fixture(scope="session")
def all_level() -> Play:
    """Every game is a tie."""
    return lambda block: result_of(block, lambda lineup: (1,) * len(lineup))


@pytest.fixture(scope="session")
def by_chance() -> Play:
    """Results that follow from the block's seed alone, with many ties."""

    def play(block: Block) -> BlockResult:
        dice = Random(block.seed)

        def places(lineup: tuple[str, ...]) -> tuple[int, ...]:
            rolls = [dice.randrange(2) for _ in lineup]
            return tuple(1 + sum(other > roll for other in rolls) for roll in rolls)

        return result_of(block, places)

    return play


@pytest.fixture(scope="session")
def finish() -> Callable[[Scheduler, Play], list[Block]]:
    """Plays one block after the other to the end, and returns them."""

    def finish(scheduler: Scheduler, play: Play) -> list[Block]:
        blocks = []
        while block := scheduler.next():
            blocks.append(block)
            scheduler.take(play(block))
        assert scheduler.over
        return blocks

    return finish
