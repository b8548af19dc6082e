"""Swiss: in every round bots of similar score meet, as far as possible those who have not met before.

A bot's score is the mean of its scores in the rounds it played. Where the bots do not fill all tables some rest: a bye
counts as if the bot had played at its own mean, so it neither lifts nor lowers it (before its first round the mean is
½). Byes go first to those who had the fewest, so nobody has two more than another, and then to the lowest score.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from croupier_runner.errors import ConfigError
from croupier_runner.schedule.deals import Cup
from croupier_runner.schedule.groups import Meetings, alike
from croupier_runner.schedule.scores import most_half_points
from croupier_runner.schedule.stages import Stage, Staged, Stages
from croupier_runner.schedule.words import amount, counted, field_of


def swiss(cup: Cup, *, rounds: int | None = None) -> Staged:
    """Plays that many rounds; unless set, as many as a knockout of pairs would need."""
    count = _rounds(cup, rounds)
    return Staged(cup, _stages(cup, count), count * (len(cup.bots) // cup.seats) * cup.blocks)


def describe(cup: Cup, *, rounds: int | None = None) -> str:
    """What it comes to, for people."""
    tables, resting = divmod(len(cup.bots), cup.seats)
    count = _rounds(cup, rounds)
    byes = f", byes for {resting} in each round" if resting else ""
    each = f"{counted(count, 'round')} x {counted(tables, 'table')}"
    return f"{field_of(cup)}, {each} x {amount(cup, count * tables)}{byes}"


def _rounds(cup: Cup, rounds: int | None) -> int:
    if rounds is not None and rounds < 1:
        raise ConfigError(f"rounds must be at least 1, got {rounds}")
    return rounds or (len(cup.bots) - 1).bit_length()


def _stages(cup: Cup, rounds: int) -> Stages:
    scores = _Scores(cup)
    byes: Counter[str] = Counter()
    met: Meetings = Counter()
    for number in range(1, rounds + 1):
        ranked = scores.ranked(cup.chance.shuffled(f"schedule/swiss/{number}", cup.bots))
        resting = sorted(ranked, key=lambda bot: (byes[bot], -ranked.index(bot)))[: len(cup.bots) % cup.seats]
        byes.update(resting)
        groups = alike(
            [bot for bot in ranked if bot not in resting],
            cup.seats,
            level=scores.levels(),
            met=met,
            chance=cup.chance,
            name=f"schedule/swiss/{number}/kicks",
        )
        tables = tuple(cup.table(group) for group in groups)
        met.update(frozenset(pair) for table in tables for pair in combinations(table, 2))
        for tally in (yield Stage(f"round {number}", tables, range(1, cup.blocks + 1))):
            scores.add(tally)
    return tuple((bot, f"{float(scores.of(bot)):.3f}") for bot in scores.ranked(cup.bots))


class _Scores:
    """The scores so far, as exact fractions: equal ones must be equal on every machine."""

    def __init__(self, cup: Cup) -> None:
        self._most = most_half_points(cup.seats, cup.games_per_block * cup.blocks)
        self._halves = dict.fromkeys(cup.bots, 0)
        self._rounds = dict.fromkeys(cup.bots, 0)

    def add(self, tally: Counter[str]) -> None:
        for bot, halves in tally.items():
            self._halves[bot] += halves
            self._rounds[bot] += 1

    def of(self, bot: str) -> Fraction:
        rounds = self._rounds[bot]
        return Fraction(self._halves[bot], self._most * rounds) if rounds else Fraction(1, 2)

    def ranked(self, bots: Sequence[str]) -> tuple[str, ...]:
        """Best first; equal ones stay in the order they are given in."""
        return tuple(sorted(bots, key=self.of, reverse=True))

    def levels(self) -> dict[str, int]:
        """The place of every bot's score among all different scores."""
        scores = {bot: self.of(bot) for bot in self._halves}
        places = {score: place for place, score in enumerate(sorted(set(scores.values())))}
        return {bot: places[score] for bot, score in scores.items()}
