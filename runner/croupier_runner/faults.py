"""What it costs a bot to crash, to be late, or to play what is not allowed.

The rules are applied to whole blocks, in the order of the schedule: so it never matters which game ended first.
"""

from collections import Counter
from dataclasses import replace

from croupier_runner.config import FaultsSection
from croupier_runner.results import Block, BlockResult, GameResult


class FaultRules:
    """Judges the blocks of one event, one after the other."""

    def __init__(self, section: FaultsSection) -> None:
        self._section = section
        self._faults: Counter[str] = Counter()
        self.eliminated: set[str] = set()
        """The bots that are out, as of the last block judged."""

    def judge(self, result: BlockResult) -> BlockResult | None:
        """The block as it counts; None if it counts for nobody, because a bot of the table was out already."""
        if self.eliminated & set(result.block.table):
            return None
        if self._section.cost == "block":
            result = replace(result, games=_all_lost(result))
        for lineup, game in zip(result.block.lineups, result.games, strict=True):
            self._faults.update(bot for bot, fault in zip(lineup, game.faults, strict=True) if fault)
        if limit := self._section.eliminate_after:
            self.eliminated |= {bot for bot, count in self._faults.items() if count >= limit}
        return result


def void(block: Block, eliminated: set[str]) -> BlockResult:
    """What a schedule is told of a block that counts for nobody: whoever is out came last, the others are level."""
    games = []
    for lineup in block.lineups:
        out = [bot in eliminated for bot in lineup]
        places = tuple(1 + out.count(False) * is_out for is_out in out)
        nothing = (None,) * len(lineup)
        games.append(GameResult(places, nothing, ("",) * len(lineup), 0, (0,) * len(lineup)))
    return BlockResult(block, tuple(games))


def _all_lost(result: BlockResult) -> tuple[GameResult, ...]:
    """The games with everybody who had a fault in any of them placed last in all."""
    lineups = result.block.lineups
    guilty = {
        bot
        for lineup, game in zip(lineups, result.games, strict=True)
        for bot, fault in zip(lineup, game.faults, strict=True)
        if fault
    }
    return tuple(_with_last(lineup, game, guilty) for lineup, game in zip(lineups, result.games, strict=True))


def _with_last(lineup: tuple[str, ...], game: GameResult, guilty: set[str]) -> GameResult:
    if not guilty & set(lineup):
        return game
    ranks = [(bot in guilty, place) for bot, place in zip(lineup, game.places, strict=True)]
    return replace(game, places=tuple(1 + sum(other < rank for other in ranks) for rank in ranks))
