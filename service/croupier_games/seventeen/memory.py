"""What can be known of the cards with a heart on their back, and how the rest of it is drawn anew.

Two-sided cards are seen wherever they are. A heart is seen when it is drawn (by one seat) and when it lies face up or
is turned over (by all); a used pile that is shuffled into a draw pile takes with it cards whose fronts are known, but
no longer their places. So what a seat can exclude depends on all that has happened: whoever has not drawn since a
trap was shuffled back cannot hold it. The journal keeps that, in one byte for each thing that happened to a heart.

`redraw` changes the journal into another one that the viewer could not tell from it: it starts from what did happen
and makes random exchanges, none of which the viewer could have noticed. So whatever it draws is possible. What only
several exchanges at once would lead to is reached by detours.py, so all that is possible may be drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import NamedTuple

from croupier_games.chance import Chance
from croupier_games.seventeen.data import HEARTS, MAX_SEATS, Card
from croupier_games.seventeen.detours import Slot, wander

_KINDS = 3
_DRAWN, _FACE_UP, _HEART_UP = range(_KINDS)
_PER_KIND = MAX_SEATS * len(HEARTS)


def _entries(kind: int) -> tuple[dict[Card, bytes], ...]:
    return tuple(
        {card: bytes((kind * _PER_KIND + seat * len(HEARTS) + at,)) for at, card in enumerate(HEARTS)}
        for seat in range(MAX_SEATS)
    )


DRAWN, FACE_UP, HEART_UP = map(_entries, range(_KINDS))
"""Entries of the journal by seat and card: a heart was drawn, laid face up, laid heart up."""
BURIED, REVEALED, SHUFFLED = (bytes((_KINDS * _PER_KIND + number,)) for number in range(3))
"""The latest heart-up card of the row went to the used pile unseen; all of them were turned over; the used pile
became the draw pile."""

_STILL_HELD = 1 << 30
_IN_THE_PILE = -1
_SWEEPS = 8


class Hearts(NamedTuple):
    """Where the hearts are, as a journal tells it."""

    journal: bytes
    hands: tuple[tuple[Card, ...], ...]
    row: tuple[Card, ...]
    """Those that lie heart up, oldest first."""
    buried: tuple[Card, ...]
    """Those in the used pile that were laid heart up and never turned over."""
    pile: tuple[Card, ...]
    """Those in the draw pile, in no order."""


class _Draw:
    """A heart that came off the draw pile, or that is still in it."""

    __slots__ = ("at", "card", "fate", "seat", "source")

    def __init__(self, at: int, seat: int, card: Card) -> None:
        self.at = at
        self.seat = seat
        self.card = card
        self.fate: _Fate | None = None
        self.source: _Fate | None = None
        """If the card had been buried before the pile was shuffled: that."""


class _Fate:
    """What became of a heart that was drawn: it is still in the hand, or was laid."""

    __slots__ = ("at", "draw", "grave", "next", "shown")

    def __init__(self, at: int, draw: _Draw, shown: bool) -> None:
        self.at = at
        self.draw = draw
        self.shown = shown
        self.grave: int | None = None
        """If it was buried: under how many draw piles."""
        self.next: _Draw | None = None
        """If it was buried and the used pile has been shuffled since: the draw it has become."""
        draw.fate = self


class _History:
    """A journal taken apart: who drew which heart, and what became of it."""

    def __init__(self, journal: bytes, seats: int, pile: tuple[Card, ...]) -> None:
        self.journal = journal
        self.draws: list[list[_Draw]] = [[]]
        """Those of every draw pile there has been."""
        self.fates: list[list[_Fate]] = [[] for _ in range(seats)]
        self.row: list[_Fate] = []
        self.buried: list[_Fate] = []
        shuffled: list[list[_Fate]] = []
        hands: list[list[_Draw]] = [[] for _ in range(seats)]
        for at, code in enumerate(journal):
            if code < _KINDS * _PER_KIND:
                self._move(at, code, hands)
            elif code == BURIED[0]:
                self._bury()
            elif code == REVEALED[0]:
                self._reveal()
            elif code == SHUFFLED[0]:
                shuffled.append(self.buried)
                self.buried = []
                self.draws.append([])
            else:
                raise LookupError(f"no journal has an entry {code}")
        self.held = [[_Fate(_STILL_HELD, draw, False) for draw in hand] for hand in hands]
        for fates, held in zip(self.fates, self.held, strict=True):
            fates += held
        self.draws[-1] += [_Draw(len(journal), _IN_THE_PILE, card) for card in pile]
        for buried, draws in zip(shuffled, self.draws[1:], strict=True):
            _link(buried, draws)

    def _move(self, at: int, code: int, hands: list[list[_Draw]]) -> None:
        kind, seat, card = _read(code)
        if kind == _DRAWN:
            draw = _Draw(at, seat, card)
            hands[seat].append(draw)
            self.draws[-1].append(draw)
            return
        draw = _find(card, hands[seat])
        hands[seat].remove(draw)
        fate = _Fate(at, draw, kind == _FACE_UP)
        self.fates[seat].append(fate)
        if kind == _HEART_UP:
            self.row.append(fate)

    def _bury(self) -> None:
        fate = self.row.pop()
        fate.grave = len(self.draws)
        self.buried.append(fate)

    def _reveal(self) -> None:
        for fate in self.row:
            fate.shown = True
        self.row = []

    def told(self) -> Hearts:
        """Where the hearts are now, with a journal that says so."""
        journal = bytearray(self.journal)
        for draw in chain(*self.draws):
            if draw.seat != _IN_THE_PILE:
                journal[draw.at] = DRAWN[draw.seat][draw.card][0]
        for seat, fates in enumerate(self.fates):
            for fate in fates:
                if fate.at != _STILL_HELD:
                    kind = _read(journal[fate.at])[0]
                    journal[fate.at] = (DRAWN, FACE_UP, HEART_UP)[kind][seat][fate.draw.card][0]
        return Hearts(
            bytes(journal),
            tuple(tuple(_cards(held)) for held in self.held),
            tuple(_cards(self.row)),
            tuple(_cards(self.buried)),
            tuple(draw.card for draw in self.draws[-1] if draw.seat == _IN_THE_PILE),
        )


def recall(journal: bytes, seats: int, pile: tuple[Card, ...]) -> Hearts:
    """Where the hearts are; raises LookupError for a journal that contradicts itself."""
    return _History(journal, seats, pile).told()


def redraw(chance: Chance, viewer: int | None, journal: bytes, seats: int, pile: tuple[Card, ...]) -> Hearts:
    """Where the hearts might be instead, as far as this viewer, remembering everything, can know.

    `pile` has the hearts of the draw pile, of which the journal knows only what was drawn."""
    history = _History(journal, seats, pile)
    # As long as nothing has been shuffled back, all that is unseen is alike, and one sweep mixes it perfectly.
    sweeps = 1
    if len(history.draws) > 1:
        history, sweeps = _after_detours(chance, viewer, history), _SWEEPS
    for sweep in range(sweeps):
        for seat, fates in enumerate(history.fates):
            if seat != viewer and len(fates) > 1:
                _lay_otherwise(chance, f"resample/{sweep}/hand/{seat}", fates, viewer)
        for number, draws in enumerate(history.draws):
            _shuffle_otherwise(chance, f"resample/{sweep}/pile/{number}", draws, viewer)
    return history.told()


def _after_detours(chance: Chance, viewer: int | None, history: _History) -> _History:
    """Another possible history, however many exchanges away."""
    slots = [
        Slot(draw.at, None if draw.seat == _IN_THE_PILE else draw.seat, draw.card, number, True, draw.seat != viewer)
        for number, draws in enumerate(history.draws)
        for draw in draws
    ]
    slots += [
        Slot(fate.at, seat, fate.draw.card, fate.grave if fate.next else None, False, not fate.shown and seat != viewer)
        for seat, fates in enumerate(history.fates)
        for fate in fates
        if fate.at != _STILL_HELD
    ]
    wander(chance, slots)
    journal = bytearray(history.journal)
    for slot in slots:
        if slot.seat is not None:
            journal[slot.at] += HEARTS.index(slot.card) - journal[slot.at] % len(HEARTS)
    left = tuple([slot.card for slot in slots if slot.seat is None])
    return _History(bytes(journal), len(history.fates), left)


def _read(code: int) -> tuple[int, int, Card]:
    kind, rest = divmod(code, _PER_KIND)
    seat, card = divmod(rest, len(HEARTS))
    return kind, seat, HEARTS[card]


def _cards(fates: list[_Fate]) -> Iterator[Card]:
    return (fate.draw.card for fate in fates)


def _find(card: Card, draws: Iterable[_Draw]) -> _Draw:
    for draw in draws:
        if draw.card is card:
            return draw
    raise LookupError(f"there was no {card}")


def _link(buried: list[_Fate], draws: list[_Draw]) -> None:
    """Finds every buried card again among those that came off the next pile."""
    for fate in buried:
        draw = _find(fate.draw.card, (draw for draw in draws if draw.source is None))
        draw.source, fate.next = fate, draw


def _is_open(draw: _Draw | None, viewer: int | None) -> bool:
    """Whether the viewer has seen this card neither when it was drawn nor at any time since."""
    while draw is not None:
        if draw.seat == viewer:
            return False
        fate = draw.fate
        if fate is None:
            return True
        if fate.shown:
            return False
        draw = fate.next
    return True


def _put(draw: _Draw | None, card: Card) -> None:
    """Makes it this card, wherever it went since."""
    while draw is not None:
        draw.card = card
        draw = draw.fate.next if draw.fate else None


def _lay_otherwise(chance: Chance, name: str, fates: list[_Fate], viewer: int | None) -> None:
    """A rival laid other cards of its hand, where nobody could tell the difference."""
    order = chance.shuffled(name, fates)
    coins = chance.rolls(f"{name}/coins", 2, len(order) - 1)
    for (one, other), coin in zip(pairwise(order), coins, strict=True):
        if coin == 1:  # else two sweeps might do nothing but undo each other
            continue
        held_together = one.draw.at < other.at and other.draw.at < one.at
        if held_together and one.grave is not None and one.grave == other.grave:
            one.next, other.next = other.next, one.next  # the same cards were buried, in another order
            _exchange(one, other)
        elif held_together and (one.draw.card is other.draw.card or (_unseen(one, viewer) and _unseen(other, viewer))):
            _exchange(one, other)


def _exchange(one: _Fate, other: _Fate) -> None:
    one.draw, other.draw = other.draw, one.draw
    for fate in (one, other):
        fate.draw.fate = fate
        if fate.next is not None:
            fate.next.source = fate
            _put(fate.next, fate.draw.card)


def _unseen(fate: _Fate, viewer: int | None) -> bool:
    return not fate.shown and _is_open(fate.next, viewer)


def _shuffle_otherwise(chance: Chance, name: str, draws: list[_Draw], viewer: int | None) -> None:
    """The pile lay in another order, as far as nobody saw what came off it."""
    same: dict[Card, list[_Draw]] = {}
    for draw in draws:
        same.setdefault(draw.card, []).append(draw)
    for card, alike in same.items():
        # Which of several equal cards was the buried one makes no difference, but it decides what can move below.
        if any(draw.source for draw in alike):
            sources = chance.shuffled(f"{name}/alike/{card.value}", [draw.source for draw in alike])
            for draw, source in zip(alike, sources, strict=True):
                _come_from(draw, source)
    free = [draw for draw in draws if _is_open(draw, viewer)]
    mixed = chance.shuffled(name, [(draw.card, draw.source) for draw in free])
    for draw, (card, source) in zip(free, mixed, strict=True):
        _come_from(draw, source)
        _put(draw, card)


def _come_from(draw: _Draw, source: _Fate | None) -> None:
    draw.source = source
    if source is not None:
        source.next = draw
