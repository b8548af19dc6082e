"""What a schedule is to those who play it, and how one that was interrupted is taken up again."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from croupier_runner.errors import ConfigError
from croupier_runner.results import Block, BlockResult


class Scheduler(Protocol):
    """Hands out blocks and takes their results: a pure function of its settings, its key and the results so far.

    The block at an index is the same whatever ends first and wherever a run is interrupted. To resume, make the
    scheduler anew from the same settings and key and `replay` the results of the journal: that calls `next` until
    it has given every block that ended, takes their results, and returns the blocks in between, which are to be
    played (again) first. From there on `next` goes on as if nothing had happened."""

    def next(self) -> Block | None:
        """The next block to start; None if there is none now: some wait for results, or it is over."""
        ...

    def take(self, result: BlockResult) -> None:
        """A block that was handed out has been played; they may come in any order, each once."""
        ...

    @property
    def over(self) -> bool:
        """Whether nothing remains to be played."""
        ...

    @property
    def total_blocks(self) -> int | None:
        """How many blocks there will be as far as is known now; exact once it is over.

        For sprt it is at most that many, for knockout that many and the tie-breaks still to come. Once it is over, a
        block counts if its index is below this."""
        ...

    @property
    def ranking(self) -> tuple[str, ...]:
        """The bots, best first, once a format that ranks by itself (swiss, knockout) is over; otherwise empty."""
        ...

    @property
    def achieved(self) -> Mapping[str, str]:
        """What each bot of the ranking came to, in words: its score, or how far it got."""
        ...


def replay(scheduler: Scheduler, results: Iterable[BlockResult]) -> list[Block]:
    """Tells a new scheduler what was played before; returns the blocks that were skipped, to be played first.

    Results that a sequential test no longer needs are passed over."""
    ended = {result.block.index: result for result in results}
    skipped = []
    while ended and (block := scheduler.next()):
        result = ended.pop(block.index, None)
        if result is None:
            skipped.append(block)
        elif result.block == block:
            scheduler.take(result)
        else:
            raise _foreign(result.block)
    if ended and not scheduler.over:
        raise _foreign(ended[min(ended)].block)
    return skipped


def _foreign(block: Block) -> ConfigError:
    table = ", ".join(block.table)
    return ConfigError(
        f"block {block.index} of the journal ({table}, number {block.number}) is none of this tournament; "
        "resume with the settings and the key it was started with, or begin a new journal"
    )
