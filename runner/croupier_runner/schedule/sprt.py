"""The sequential test: two bots meet until the results so far decide which hypothesis holds, or a maximum is reached.

The results are looked at in the order of the schedule, one more each time. The first time they decide, that stands:
blocks beyond it that were already under way change nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from croupier_runner.errors import ConfigError
from croupier_runner.results import Block, BlockResult
from croupier_runner.schedule.deals import Cup
from croupier_runner.schedule.scores import block_scores
from croupier_runner.schedule.words import amount

Decide = Callable[[Sequence[float]], bool]
"""Whether the first bot's scores in the blocks so far, in schedule order, are enough."""


class Sprt:
    """The scheduler of a sequential test."""

    ranking: tuple[str, ...] = ()
    achieved: Mapping[str, str] = MappingProxyType({})

    def __init__(self, cup: Cup, *, decide: Decide) -> None:
        _check(cup)
        self._cup = cup
        self._decide = decide
        self._given = 0
        self._open: dict[int, Block] = {}
        self._waiting: dict[int, float] = {}
        """Scores of blocks whose turn has not come, by index."""
        self._scores: list[float] = []
        self.over = False

    @property
    def scores(self) -> Sequence[float]:
        """The first bot's scores in the blocks that count, in schedule order."""
        return tuple(self._scores)

    @property
    def total_blocks(self) -> int:
        """The maximum; once it is over, how many blocks count."""
        return len(self._scores) if self.over else self._cup.blocks

    def next(self) -> Block | None:
        """The next block, until the maximum or the decision."""
        if self.over or self._given == self._cup.blocks:
            return None
        block = self._cup.block(self._given, self._given + 1, self._cup.bots, "")
        self._given += 1
        self._open[block.index] = block
        return block

    def take(self, result: BlockResult) -> None:
        """Looks at every block whose turn has come; after the decision at none."""
        index = result.block.index
        if self._open.get(index) != result.block:
            raise ValueError(f"block {index} is not under way; take each block once, after next() has given it")
        del self._open[index]
        self._waiting[index] = block_scores(result)[self._cup.bots[0]]
        while not self.over and len(self._scores) in self._waiting:
            self._scores.append(self._waiting.pop(len(self._scores)))
            self.over = self._decide(self._scores) or len(self._scores) == self._cup.blocks


def describe(cup: Cup, *, decide: Decide | None = None) -> str:
    """What it comes to at most, for people."""
    _check(cup)
    return f"{' against '.join(cup.bots)}, at most {amount(cup, tables=1)}"


def _check(cup: Cup) -> None:
    if len(cup.bots) != 2 or cup.seats != 2:
        raise ConfigError(
            f"sprt compares two bots at tables of 2, got {len(cup.bots)} bots and {cup.seats} seats; "
            "for more use round_robin or gauntlet"
        )
