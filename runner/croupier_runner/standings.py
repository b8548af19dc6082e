"""The standings while a tournament runs: online Elo and what can be counted, block by block in schedule order."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from croupier_runner.ratings import Elo
from croupier_runner.results import BlockResult, GameResult


@dataclass(slots=True)
class Tally:
    """What one bot has done so far."""

    blocks: int = 0
    games: int = 0
    wins: int = 0
    """First place alone."""
    shared: int = 0
    """First place shared."""
    places: int = 0
    """All its places added up."""
    points: int = 0
    scored: int = 0
    """The games in which it made points, and what it made."""
    faults: Counter[str] = field(default_factory=Counter)

    @property
    def mean_place(self) -> float | None:
        """None before the first game."""
        return self.places / self.games if self.games else None

    @property
    def mean_points(self) -> float | None:
        """None where there are none."""
        return self.points / self.scored if self.scored else None


class Standings:
    """The running standings of one event. Blocks must come in the order of the schedule."""

    def __init__(self, bots: Sequence[str]) -> None:
        self._elo = Elo(bots)
        self.tallies = {bot: Tally() for bot in bots}
        self.blocks = 0
        self.games = 0

    @property
    def elo(self) -> dict[str, float]:
        """Online Elo, best first."""
        ratings = self._elo.ratings
        return dict(sorted(ratings.items(), key=lambda item: (-item[1], item[0])))

    def count(self, result: BlockResult) -> None:
        """Takes in a block."""
        lineups = result.block.lineups
        self._elo.update(
            [dict(zip(lineup, game.places, strict=True)) for lineup, game in zip(lineups, result.games, strict=True)]
        )
        self.blocks += 1
        for bot in result.block.table:
            self.tallies[bot].blocks += 1
        for lineup, game in zip(lineups, result.games, strict=True):
            self.games += 1
            for seat, bot in enumerate(lineup):
                _tally(self.tallies[bot], game, seat)


def _tally(tally: Tally, game: GameResult, seat: int) -> None:
    place, points, fault = game.places[seat], game.points[seat], game.faults[seat]
    tally.games += 1
    tally.places += place
    if place == 1:
        alone = game.places.count(1) == 1
        tally.wins += alone
        tally.shared += not alone
    if points is not None:
        tally.points += points
        tally.scored += 1
    if fault:
        tally.faults[fault] += 1
