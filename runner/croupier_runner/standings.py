"""What the results add up to.

Results are held until their block's turn in the schedule, so that the order in which games happen to finish
changes nothing.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from croupier_runner.ratings import Elo
from croupier_runner.schedule import Block, Pairing


@dataclass(frozen=True, slots=True)
class Result:
    """How one game of the schedule ended."""

    pairing: Pairing
    session_id: str
    places: tuple[int, ...]
    """By seat; 1 is best."""
    faults: tuple[str, ...]
    """By seat: the cause of a forfeit, such as "time"; empty where there was none."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of the standings."""

    place: int
    bot: str
    elo: float
    games: int
    wins: int
    draws: int
    losses: int
    """Wins: first alone; draws: first place shared; losses: the rest."""
    mean_place: float | None
    faults: dict[str, int]
    """How often, by cause."""

    @property
    def win_percent(self) -> float | None:
        """The share of points won, draws counting half; None before the first game."""
        return 100 * (self.wins + self.draws / 2) / self.games if self.games else None


@dataclass(slots=True)
class _Tally:
    games: int = 0
    wins: int = 0
    draws: int = 0
    places: int = 0
    faults: Counter[str] = field(default_factory=Counter)


class Standings:
    """The running standings of a tournament."""

    def __init__(self, bots: Sequence[str]) -> None:
        self._elo = Elo(bots)
        self._tallies = {bot: _Tally() for bot in bots}
        self._held: dict[int, list[Result]] = {}
        self._next_block = 0
        self.games = 0
        """Games that have been counted: those of complete blocks whose turn has come."""

    def add(self, result: Result) -> None:
        """Takes a result whenever it comes, and counts every block that is complete and next in turn."""
        self._held.setdefault(result.pairing.block.index, []).append(result)
        while self._complete(self._held.get(self._next_block, [])):
            self._count(self._held.pop(self._next_block))
            self._next_block += 1

    def rows(self) -> tuple[Standing, ...]:
        """The standings, best first; equal ratings share a place."""
        ratings = self._elo.ratings
        ranked = sorted(self._tallies, key=lambda bot: (-ratings[bot], bot))
        return tuple(self._row(bot, 1 + sum(ratings[other] > ratings[bot] for other in ranked)) for bot in ranked)

    @staticmethod
    def _complete(results: Sequence[Result]) -> bool:
        return bool(results) and len(results) == len(_block(results).lineups)

    def _count(self, results: Sequence[Result]) -> None:
        self._elo.update(
            [dict(zip(result.pairing.lineup, result.places, strict=True)) for result in results],
        )
        for result in results:
            self.games += 1
            for bot, place, fault in zip(result.pairing.lineup, result.places, result.faults, strict=True):
                self._tally(bot, place, shared=result.places.count(1) > 1, fault=fault)

    def _tally(self, bot: str, place: int, *, shared: bool, fault: str) -> None:
        tally = self._tallies[bot]
        tally.games += 1
        tally.places += place
        tally.wins += place == 1 and not shared
        tally.draws += place == 1 and shared
        if fault:
            tally.faults[fault] += 1

    def _row(self, bot: str, place: int) -> Standing:
        tally = self._tallies[bot]
        return Standing(
            place=place,
            bot=bot,
            elo=self._elo.ratings[bot],
            games=tally.games,
            wins=tally.wins,
            draws=tally.draws,
            losses=tally.games - tally.wins - tally.draws,
            mean_place=tally.places / tally.games if tally.games else None,
            faults=dict(sorted(tally.faults.items())),
        )


def _block(results: Sequence[Result]) -> Block:
    return results[0].pairing.block
