"""Which runs to score: the exact search behind the final score (TEN-6.3).

Each colour chooses a run, and needs a joker for every digit that it lacks. Jokers of its own colour are its own; the
rest must come from the *shared* jokers, those with a digit and the full one, which fit any colour but serve only one.
Whether they suffice needs no trying out: by Hall's theorem they do if, for every set of colours, at least as many are
of use there as are needed there. For two colours these are three conditions on the jokers that the two are given.

So the colours are taken in two pairs. For a pair, all ways of sharing out are looked at together, as the bits of one
number: bit s is set if the pair can do with the jokers s, which in turn are a set written as a number, a bit each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache, reduce
from itertools import accumulate, starmap
from operator import or_
from typing import NamedTuple

from croupier_games.ten.data import COLOURS, DIGITS

FULL_RUN_BONUS = 1
LONGEST = len(DIGITS)
FULL = 1 << LONGEST
"""The full joker in a set of shared jokers; those with a digit are `bit(digit)`."""

# A score weighs points first, then full runs: of equal points, those with more full runs need fewer cards.
_POINT = len(COLOURS) + 1

_SETS = 1 << (LONGEST + 1)
_EVERY_SET = (1 << _SETS) - 1
_SETS_WITH = {
    1 << joker: sum(1 << jokers for jokers in range(_SETS) if jokers >> joker & 1) for joker in range(LONGEST + 1)
}


class Choice(NamedTuple):
    """A run that a colour may score."""

    score: int
    first: int
    last: int
    lacking: int
    """Its digits that no number card of the colour has, as a set."""
    useful: int = 0
    """The shared jokers at hand that can stand for one of them, as a set."""
    short: int = 0
    """How many shared jokers it needs."""
    serving: int = _EVERY_SET
    """The sets of shared jokers that are enough for it."""
    sparing: int = _EVERY_SET
    """The sets of shared jokers whose absence leaves enough for it."""


def bit(digit: int) -> int:
    """The set of this digit alone."""
    return 1 << (digit - 1)


def best_choices(owned: Sequence[int], own_jokers: Sequence[int], shared: int) -> list[Choice]:
    """For each colour the run to score, given the digits it owns, the number of its own jokers, and the shared ones."""
    options = [_options(digits, jokers, shared) for digits, jokers in zip(owned, own_jokers, strict=True)]
    # The colour with the fewest options is paired with the one with the most: that makes the fewest pairs.
    order = sorted(range(len(options)), key=lambda colour: len(options[colour]))
    fewest, few, many, most = [options[colour] for colour in order]
    chosen = _Search(few, many, _Pairs(fewest, most, shared.bit_count()), shared.bit_count()).best
    by_colour = dict(zip((order[1], order[2], order[0], order[3]), chosen, strict=True))
    return [by_colour[colour] for colour in range(len(options))]


class _Pairs:
    """All that two colours can choose together, by what is left for them when others have taken their share."""

    def __init__(self, ones: list[Choice], twos: list[Choice], jokers: int) -> None:
        self._pairs: dict[int, list[tuple[Choice, Choice]]] = defaultdict(list)
        self._sets: dict[int, int] = {}
        most = [0] * (jokers + 1)
        for one in ones:
            score, useful, short = one.score, one.useful, one.short
            for two in twos:
                needed = short + two.short
                if needed <= (useful | two.useful).bit_count():
                    both = score + two.score
                    self._pairs[both].append((one, two))
                    if both > most[needed]:
                        most[needed] = both
        self.scores = sorted(self._pairs, reverse=True)
        """What they can reach together if they get what they need, the highest first."""
        self.most = list(accumulate(most, max))
        """By number of jokers: the highest score if any joker fitted anywhere."""

    def sets(self, score: int) -> int:
        """The sets of jokers that others may take while these two reach the score."""
        if score not in self._sets:
            self._sets[score] = reduce(or_, starmap(_sets_sparing_both, self._pairs[score]))
        return self._sets[score]

    def pair(self, score: int, sets: int) -> tuple[Choice, Choice]:
        """A pair that reaches the score when others take one of these sets."""
        return next((one, two) for one, two in self._pairs[score] if _sets_sparing_both(one, two) & sets)


class _Search:
    """Branch and bound over the choices of two colours, each completed with the best pair of the other two."""

    def __init__(self, ones: list[Choice], twos: list[Choice], others: _Pairs, jokers: int) -> None:
        self._others = others
        self._jokers = jokers
        self._score = -1
        most = others.most
        beyond = [
            max([two.score + most[left - two.short] for two in twos if two.short <= left]) for left in range(jokers + 1)
        ]
        for one in ones:
            if one.score + beyond[jokers - one.short] > self._score:
                self._try(one, twos)
        self.best = (*self._pair, *others.pair(self._level, _sets_serving_both(*self._pair)))

    def _try(self, one: Choice, twos: list[Choice]) -> None:
        others, best = self._others, self._score
        left = self._jokers - one.short
        for two in twos:
            score = one.score + two.score
            most = others.most[left - two.short] if two.short <= left else -1
            if score + most <= best or not (sets := _sets_serving_both(one, two)):
                continue
            for level in others.scores:
                if score + level <= best:
                    break
                if level <= most and sets & others.sets(level):
                    self._score = best = score + level
                    self._pair, self._level = (one, two), level
                    break


def _options(owned: int, own_jokers: int, shared: int) -> list[Choice]:
    """The runs that a colour can complete if it gets what it needs, without those that some other one beats."""
    options: list[Choice] = []
    kept: list[tuple[int, int]] = []
    for run in _runs(owned):
        short = run.lacking.bit_count() - own_jokers
        if short <= 0:
            options.append(run)
            break  # all further ones score less and need no less
        useful = (run.lacking | FULL) & shared
        spare = useful.bit_count() - short
        useless = ~useful
        beaten = [other for other, margin in kept if margin >= spare and not other & useless]
        if beaten or spare < 0:
            continue
        kept.append((useful, spare))
        serving, sparing = _sets_sharing(useful, short), _sets_sparing(useful, short)
        options.append(Choice(run.score, run.first, run.last, run.lacking, useful, short, serving, sparing))
    return options


@cache
def _runs(owned: int) -> tuple[Choice, ...]:
    """The runs of a colour with these digits, the best first, the empty one last; none lacks more than a better one."""
    runs = [Choice(0, 1, 0, 0)]
    for first in DIGITS:
        for last in range(first, LONGEST + 1):
            length = last - first + 1
            full = length == LONGEST
            score = (length + FULL_RUN_BONUS * full) * _POINT + full
            runs.append(Choice(score, first, last, sum(map(bit, range(first, last + 1))) & ~owned))
    kept: list[Choice] = []
    for run in sorted(runs, key=lambda run: (-run.score, run.lacking.bit_count(), run.first)):
        if not any(better.lacking & ~run.lacking == 0 for better in kept):
            kept.append(run)
    return tuple(kept)


def _sets_serving_both(one: Choice, two: Choice) -> int:
    """The sets of jokers that are enough for both."""
    return one.serving & two.serving & _sets_sharing(one.useful | two.useful, one.short + two.short)


def _sets_sparing_both(one: Choice, two: Choice) -> int:
    """The sets of jokers whose absence leaves enough for both."""
    return one.sparing & two.sparing & _sets_sparing(one.useful | two.useful, one.short + two.short)


@cache
def _sets_sharing(jokers: int, least: int) -> int:
    """The sets that have at least so many of these jokers."""
    if least <= 0:
        return _EVERY_SET
    if not jokers:
        return 0
    one = jokers & -jokers
    others = jokers ^ one
    return _sets_sharing(others, least) | _sets_sharing(others, least - 1) & _SETS_WITH[one]


@cache
def _sets_sparing(jokers: int, least: int) -> int:
    """The sets that lack at least so many of these jokers."""
    return _EVERY_SET & ~_sets_sharing(jokers, jokers.bit_count() - least + 1)
