"""Knockout: the best of every table go on, until one table is left, and its best bot has won.

Before each round the bots that are left are seeded anew, in the order of the file or in one drawn from the key, and
dealt out to the tables so that the best seeds are kept apart until the end. Every table is full, the last one too:
in the first round the best seeds rest so that later ones come out even, and where they cannot, bots with the fewest
byes rest, or one table lets more of its bots go on.

Bots that are level where it matters play further blocks, all of the table together; these blocks only part those who
are level. If they are still level after the last one, the better seed goes on.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from croupier_runner.errors import ConfigError
from croupier_runner.schedule.deals import Cup
from croupier_runner.schedule.stages import Stage, Staged, Stages
from croupier_runner.schedule.words import amount, counted, field_of

TIEBREAKS = 4
"""How many further blocks a table that is level plays at most, unless set."""
SEEDINGS = ("file", "draw")


def knockout(cup: Cup, *, advance: int | None = None, seeding: str = "file", tiebreaks: int = TIEBREAKS) -> Staged:
    """Of each table the best `advance`, by default half, go on."""
    _check(seeding, tiebreaks)
    rounds = tuple(_rounds(cup, advance))
    stages = _Bracket(cup, seeding, tiebreaks).stages(rounds)
    return Staged(cup, stages, sum(len(cuts) for cuts in rounds) * cup.blocks)


def describe(cup: Cup, *, advance: int | None = None, seeding: str = "file", tiebreaks: int = TIEBREAKS) -> str:
    """What it comes to, for people."""
    _check(seeding, tiebreaks)
    rounds = tuple(_rounds(cup, advance))
    tables = sum(len(cuts) for cuts in rounds)
    more = ", more where bots are level" if tiebreaks else ""
    each = f"{counted(len(rounds), 'round')}, {counted(tables, 'table')}"
    return f"{field_of(cup)}, {each} x {amount(cup, tables)}{more}"


def _check(seeding: str, tiebreaks: int) -> None:
    if seeding not in SEEDINGS:
        raise ConfigError(f"seeding must be one of {', '.join(SEEDINGS)}, got {seeding!r}")
    if tiebreaks < 0:
        raise ConfigError(f"tiebreaks must be at least 0, got {tiebreaks}")


def _rounds(cup: Cup, advance: int | None) -> Iterator[tuple[int, ...]]:
    """For each round, how many go on from each of its tables; the final is the last, and one has won it."""
    go_on = max(1, cup.seats // 2) if advance is None else advance
    if not 1 <= go_on < cup.seats:
        raise ConfigError(f"advance must be 1 to {cup.seats - 1} at tables of {cup.seats}, got {go_on}")
    left = len(cup.bots)
    while left > cup.seats:
        surplus = left - _even_field(left, cup.seats, go_on)
        out = cup.seats - go_on
        tables = min(left // cup.seats, -(-surplus // out))
        leave = min(surplus, tables * out)
        # Only the last table may let more go on: it makes up what does not divide.
        yield (*[go_on] * (tables - 1), cup.seats - (leave - out * (tables - 1)))
        left -= leave
    yield (1,)


def _even_field(left: int, seats: int, go_on: int) -> int:
    """The largest smaller number of bots from which rounds without byes lead to the final."""
    even = seats
    while even % go_on == 0 and (larger := even // go_on * seats) < left:
        even = larger
    return even


@dataclass(slots=True)
class _Match:
    """One table of a round: who is ahead, first by its blocks, then by each tie-break in turn."""

    seats: tuple[str, ...]
    """The bots, the best seed first."""
    go_on: int
    scores: dict[str, list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.scores = {bot: [] for bot in self.seats}

    def add(self, tally: Counter[str]) -> None:
        for bot in self.seats:
            self.scores[bot].append(tally[bot])

    @property
    def ranked(self) -> list[str]:
        """Best first; of level bots the better seed."""
        return sorted(self.seats, key=self.scores.__getitem__, reverse=True)

    @property
    def level(self) -> bool:
        """Whether the last bot to go on is level with the first that does not."""
        ranked = self.ranked
        return self.scores[ranked[self.go_on - 1]] == self.scores[ranked[self.go_on]]


class _Bracket:
    """The bots that are left, and those that are out."""

    def __init__(self, cup: Cup, seeding: str, tiebreaks: int) -> None:
        self._cup = cup
        self._tiebreaks = tiebreaks
        seeds = cup.bots if seeding == "file" else cup.chance.shuffled("schedule/knockout", cup.bots)
        self._seed = {bot: place for place, bot in enumerate(seeds)}
        self._byes: Counter[str] = Counter()

    def stages(self, rounds: Sequence[tuple[int, ...]]) -> Stages:
        left = sorted(self._cup.bots, key=self._seed.__getitem__)
        out: list[tuple[str, str]] = []
        """Those that are out and where it happened, the best first."""
        for number, cuts in enumerate(rounds, start=1):
            name = "final" if number == len(rounds) else f"round {number}"
            resting, matches = self._drawn(left, cuts)
            yield from self._played(name, matches)
            left = resting + [bot for match in matches for bot in match.ranked[: match.go_on]]
            left.sort(key=self._seed.__getitem__)
            out = [
                (bot, f"out in {name}" if number < len(rounds) else "lost the final") for bot in self._behind(matches)
            ] + out
        return (*((bot, "won the final") for bot in left), *out)

    def _drawn(self, left: Sequence[str], cuts: Sequence[int]) -> tuple[list[str], list[_Match]]:
        """Who rests, and the tables: the seeds dealt out to them to and fro, so that the best meet the last."""
        byes = len(left) - len(cuts) * self._cup.seats
        resting = sorted(left, key=lambda bot: self._byes[bot])[:byes]
        self._byes.update(resting)
        playing = [bot for bot in left if bot not in resting]
        groups: list[list[str]] = [[] for _ in cuts]
        for first in range(0, len(playing), len(cuts)):
            turn = groups if first // len(cuts) % 2 == 0 else groups[::-1]
            for group, bot in zip(turn, playing[first : first + len(cuts)], strict=True):
                group.append(bot)
        return resting, [_Match(tuple(group), cut) for group, cut in zip(groups, cuts, strict=True)]

    def _played(self, name: str, matches: Sequence[_Match]) -> Stages:
        """The blocks of a round, then one more at a time for the tables where it is not decided."""
        numbers = range(1, self._cup.blocks + 1)
        playing = list(matches)
        for tiebreak in range(self._tiebreaks + 1):
            tables = tuple(self._cup.table(match.seats) for match in playing)
            tallies = yield Stage(name, tables, numbers, planned=tiebreak == 0)
            for match, tally in zip(playing, tallies, strict=True):
                match.add(tally)
            playing = [match for match in playing if match.level]
            if not playing:
                break
            numbers = range(numbers.stop, numbers.stop + 1)
        return ()

    def _behind(self, matches: Sequence[_Match]) -> list[str]:
        """Those that do not go on, by their place at their table, and of equal places the better seed first."""
        places = {bot: place for match in matches for place, bot in enumerate(match.ranked) if place >= match.go_on}
        return sorted(places, key=lambda bot: (places[bot], self._seed[bot]))
