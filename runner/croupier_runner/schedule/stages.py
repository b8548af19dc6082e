"""Formats that play in stages: all blocks of a stage are played before the next is drawn from what they came to.

A format is a generator: it yields its stages, is sent what each came to, and returns its ranking. It never learns
when a block ended, so that can change nothing.
"""

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from croupier_runner.results import Block, BlockResult
from croupier_runner.schedule.deals import Cup
from croupier_runner.schedule.scores import half_points

Tally = Counter[str]
"""The half points of each bot at one table over all blocks of a stage."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Tables that play at the same time; every table plays its first block before any plays its second."""

    name: str
    tables: tuple[tuple[str, ...], ...]
    numbers: range
    """The numbers of the blocks that each table plays."""
    planned: bool = True
    """False for tie-breaks, which nobody could foresee."""

    def __len__(self) -> int:
        return len(self.tables) * len(self.numbers)


Ranking = tuple[tuple[str, str], ...]
"""The bots, best first, each with what it came to in words."""

Stages = Generator[Stage, Sequence[Tally], Ranking]


class Staged:
    """The scheduler of such a format."""

    def __init__(self, cup: Cup, stages: Stages, planned_blocks: int) -> None:
        self._cup = cup
        self._stages = stages
        self._total = planned_blocks
        self._first = 0
        """The index of the stage's first block."""
        self._given = 0
        """How many blocks of the stage were handed out."""
        self._open: dict[int, Block] = {}
        self.over = False
        self.achieved: dict[str, str] = {}
        self._enter(next(stages))

    @property
    def ranking(self) -> tuple[str, ...]:
        """The bots, best first, once it is over."""
        return tuple(self.achieved)

    @property
    def total_blocks(self) -> int:
        """The blocks that were planned and the tie-breaks that came to them."""
        return self._total

    def next(self) -> Block | None:
        """The next block of the stage; None when all are under way."""
        if self.over or self._given == len(self._stage):
            return None
        turn, place = divmod(self._given, len(self._stage.tables))
        block = self._cup.block(
            self._first + self._given, self._stage.numbers[turn], self._stage.tables[place], self._stage.name
        )
        self._given += 1
        self._open[block.index] = block
        return block

    def take(self, result: BlockResult) -> None:
        """Counts a block; the last of a stage draws the next stage."""
        index = result.block.index
        if self._open.get(index) != result.block:
            raise ValueError(f"block {index} is not under way; take each block once, after next() has given it")
        del self._open[index]
        self._tallies[(index - self._first) % len(self._stage.tables)].update(half_points(result))
        if not self._open and self._given == len(self._stage):
            self._go_on()

    def _go_on(self) -> None:
        self._first += self._given
        try:
            self._enter(self._stages.send(self._tallies))
        except StopIteration as end:
            self.over = True
            self.achieved = dict(end.value)

    def _enter(self, stage: Stage) -> None:
        self._stage = stage
        self._given = 0
        self._tallies: list[Tally] = [Counter() for _ in stage.tables]
        if not stage.planned:
            self._total += len(stage)
