"""Which runs to score: the exact search behind the final score (TEN-6.3).

Each colour chooses a span of digits, and needs a joker for every one that it lacks. Jokers of its own colour are its
own; the rest must come from the *shared* jokers, those with a digit and the full one, which fit any colour but serve
only one. Whether they suffice needs no trying out: by Hall's theorem they do if, for every set of colours, at least as
many are of use there as are needed there. For two colours these are three conditions on the jokers that the two are
given.

So the colours are taken in two pairs, and for a pair all ways of sharing out are looked at together, as the bits of one
number: bit s is set if the pair can do with the jokers s, which in turn are a set written as a number, a bit each. What
two colours can reach together is first taken roughly, as if their spans did not compete, and exactly only where that
decides: the highest sum that the rough figures allow is looked at first.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from heapq import heapify, heappop, heapreplace
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
_MOST_NEEDED = 2 * (LONGEST + 1)
"""What a table is asked for at most: each of two colours needs no more than all shared jokers."""


def bit(digit: int) -> int:
    """The set of this digit alone."""
    return 1 << (digit - 1)


class Span(NamedTuple):
    """Consecutive digits that a colour may score."""

    first: int
    last: int
    digits: int
    """All of them, as a set."""
    beside: int
    """Those that would make it longer, as a set: who owns one of them has a better span for the same jokers."""


_PAIRINGS = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2))
"""The ways to take the colours in two pairs."""

NO_SPAN = Span(1, 0, 0, 0)

_Option = tuple[int, int, int, Span]
"""The shared jokers at hand that can be of use in a span, as a set; how many of them it needs; the sets of jokers with
which it gets them; and the span."""

_Cell = tuple[int, list[_Option], list[_Option]]
"""The sets of jokers with which two colours get what they need, each for one of its options here."""

_Table = list[list[int]]
"""Sets of jokers, by which jokers they share (or spare), and how many of them."""


class _Level(NamedTuple):
    """The options of a colour that have one score."""

    score: int
    least: int
    """How many shared jokers are needed at least."""
    useful: int
    """The jokers that are of use in any of them."""
    served: int
    """The sets of jokers that are enough for any of them."""
    options: list[_Option]


def best_spans(owned: Sequence[int], own_jokers: Sequence[int], shared: int) -> list[Span]:
    """For each colour the span to score, given the digits it owns, how many jokers of its own, and the shared ones."""
    # Of equal results people like the one best that adds to what they own: so who owns more comes first.
    order = sorted(range(len(owned)), key=lambda colour: -owned[colour].bit_count())
    # Colours that compete most, because they own much the same, are best taken together.
    colours = min(
        [[order[place] for place in places] for places in _PAIRINGS],
        key=lambda by: (owned[by[0]] ^ owned[by[1]]).bit_count() + (owned[by[2]] ^ owned[by[3]]).bit_count(),
    )
    one, two = [_levels(owned[colour], own_jokers[colour], shared, _SERVING) for colour in colours[:2]]
    three, four = [_levels(owned[colour], own_jokers[colour], shared, _SPARING) for colour in colours[2:]]
    spans = dict(zip(colours, _search(_Pairs(one, two, _SERVING), _Pairs(three, four, _SPARING)), strict=True))
    return [spans[colour] for colour in range(len(owned))]


def _spans() -> list[tuple[int, list[Span]]]:
    """All spans by their score, the highest first."""
    levels = []
    for length in range(LONGEST, 0, -1):
        spans = []
        for first in range(1, LONGEST - length + 2):
            digits = ((1 << length) - 1) * bit(first)
            beside = (digits << 1 | digits >> 1) & ~digits & (FULL - 1)
            spans.append(Span(first, first + length - 1, digits, beside))
        full = length == LONGEST
        levels.append(((length + FULL_RUN_BONUS * full) * _POINT + full, spans))
    return levels


_SPANS = _spans()


def _levels(owned: int, own_jokers: int, shared: int, table: _Table) -> list[_Level]:
    """The spans that a colour can complete if it gets what it needs, by score, the highest first."""
    levels: list[_Level] = []
    for score, spans in _SPANS:
        options: list[_Option] = []
        least, all_useful, all_served = LONGEST, 0, 0
        for span in spans:
            _, _, digits, beside = span
            if beside & owned:
                continue
            lacking = digits & ~owned
            needed = lacking.bit_count() - own_jokers
            if needed <= 0:
                levels.append(_Level(score, 0, 0, _EVERY_SET, [(0, 0, _EVERY_SET, span)]))
                return levels  # all further ones score less and need no less
            useful = (lacking | FULL) & shared
            if served := table[useful][needed]:
                options.append((useful, needed, served, span))
                all_useful |= useful
                all_served |= served
                if needed < least:
                    least = needed
        if options:
            levels.append(_Level(score, least, all_useful, all_served, options))
    levels.append(_Level(0, 0, 0, _EVERY_SET, [(0, 0, _EVERY_SET, NO_SPAN)]))
    return levels


class _Pairs:
    """All that two colours can reach together, by the sets of jokers with which they do: those they get, or, by the
    other table, those that others take."""

    __slots__ = ("_exact", "_rough", "_table", "scores", "sets")

    def __init__(self, ones: list[_Level], twos: list[_Level], table: _Table) -> None:
        self._table = table
        self.sets: dict[int, int] = {}
        """By what they reach: all those sets, and some more until it is `settled`."""
        self._rough: dict[int, list[_Cell]] = {}
        self._exact: dict[int, list[_Cell]] = {}
        all_sets, rough = self.sets, self._rough
        for one, least, useful, served, options in ones:
            for two, least_too, useful_too, served_too, options_too in twos:
                sets = served & served_too & table[useful | useful_too][least + least_too]
                score = one + two
                if not sets:
                    continue
                if score in rough:
                    all_sets[score] |= sets
                    rough[score].append((sets, options, options_too))
                else:
                    all_sets[score] = sets
                    rough[score] = [(sets, options, options_too)]
        self.scores = sorted(all_sets, reverse=True)

    def settled(self, score: int, wanted: int) -> int:
        """Some of the wanted sets with which they reach the score, exactly; none only if there are none."""
        exact = self._exact.setdefault(score, [])
        for cell in exact:
            if found := cell[0] & wanted:
                return found
        found, rough = 0, []
        for cell in self._rough[score]:
            if not found and cell[0] & wanted:
                cell = self._settled(*cell[1:])
                exact.append(cell)
                found = cell[0] & wanted
            else:
                rough.append(cell)
        self._rough[score] = rough
        self.sets[score] = reduce(or_, [cell[0] for cell in rough + exact])
        return found

    def _settled(self, ones: list[_Option], twos: list[_Option]) -> _Cell:
        table, sets = self._table, 0
        for useful, needed, served, _ in ones:
            for useful_too, needed_too, served_too, _ in twos:
                sets |= served & served_too & table[useful | useful_too][needed + needed_too]
        return sets, ones, twos

    def pair(self, score: int, wanted: int) -> tuple[Span, Span, int]:
        """Two spans with this score, and those of the wanted sets with which they are reached; it has been settled."""
        table = self._table
        return next(
            (span, span_too, sets)
            for cell, ones, twos in self._exact[score]
            if cell & wanted
            for useful, needed, served, span in ones
            for useful_too, needed_too, served_too, span_too in twos
            if (sets := served & served_too & table[useful | useful_too][needed + needed_too] & wanted)
        )


def _search(ones: _Pairs, twos: _Pairs) -> tuple[Span, ...]:
    """The best spans of all: of two colours with the jokers they get, and of two while those jokers are taken."""
    heap = [_promise(ones, score, twos, 0) for score in ones.scores]
    heapify(heap)
    while True:
        _, negative, place = heap[0]
        one, two = -negative, twos.scores[place]
        if (sets := ones.settled(one, twos.sets[two])) and (sets := twos.settled(two, sets)):
            *spans, sets = ones.pair(one, sets)
            return (*spans, *twos.pair(two, sets)[:2])
        promise = _promise(ones, one, twos, place)  # the same only if some of it is not settled yet
        if promise[0] > 0:
            heappop(heap)
        else:
            heapreplace(heap, promise)


def _promise(ones: _Pairs, one: int, twos: _Pairs, start: int) -> tuple[int, int, int]:
    """The highest sum of this score and one of the others from that place on, then the score, then the other's place.

    Both are negative so that the highest come first; the sum is positive if there is none."""
    sets, others = ones.sets[one], twos.sets
    for place in range(start, len(twos.scores)):
        two = twos.scores[place]
        if sets & others[two]:
            return -one - two, -one, place
    return 1, -one, start


def _sets_sharing() -> _Table:
    """By jokers and number: the sets that have at least so many of these jokers."""
    table = [[_EVERY_SET] + [0] * _MOST_NEEDED]
    for joker in range(LONGEST + 1):
        with_it = sum(1 << jokers for jokers in range(_SETS) if jokers >> joker & 1)
        table += [
            [_EVERY_SET] + [row[least] | row[least - 1] & with_it for least in range(1, _MOST_NEEDED + 1)]
            for row in table
        ]
    return table


_SERVING = _sets_sharing()
"""The sets that are enough for whom so many of these jokers are needed."""
_SPARING = [
    [_EVERY_SET]
    + [
        _EVERY_SET ^ row[jokers.bit_count() - needed + 1] if needed <= jokers.bit_count() else 0
        for needed in range(1, _MOST_NEEDED + 1)
    ]
    for jokers, row in enumerate(_SERVING)
]
"""The sets whose absence leaves enough for whom so many of these jokers are needed."""
