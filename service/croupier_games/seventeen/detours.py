"""From one possible history of the hearts to another, through some that are not possible.

Single exchanges (memory.py) do not lead everywhere: a rival may have buried another card only if another card came
off the next pile and a third was held back from the one after that. So a detour changes one card that the viewer has
not seen and mends what that broke, which may break something else, until all is well again or the detour is given up.
Whatever is broken, among the ways to mend it is one that leads nearer to any given possible history: so none is out of
reach, but for those that differ from what happened in more cards than a detour has steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from croupier_games.chance import Chance
from croupier_games.seventeen.data import Card

_DETOURS = 12
_STEPS = 24  # most detours that end well end within ten
_NUMBERS = 2 * (_STEPS + 1)
"""A detour chooses twice at first and at every step."""
_BOUND = 1 << 32

Item = TypeVar("Item")


class Slot:
    """A heart at one moment: coming off a draw pile (or still in it), or being laid."""

    __slots__ = ("at", "card", "free", "is_draw", "pile", "seat")

    def __init__(self, at: int, seat: int | None, card: Card, pile: int | None, is_draw: bool, free: bool) -> None:
        self.at = at
        self.seat = seat
        """Whose hand it came to or left; None: nobody's yet."""
        self.card = card
        self.pile = pile
        """The draw pile it came off, or, if it was buried, the one it was shuffled into."""
        self.is_draw = is_draw
        self.free = free
        """Whether the viewer did not see the front."""


def wander(chance: Chance, slots: Sequence[Slot]) -> None:
    """Makes the slots another history that is possible, too."""
    walk = _Walk(slots)
    for number in range(_DETOURS if walk.free else 0):
        walk.detour(iter(chance.rolls(f"resample/detour/{number}", _BOUND, _NUMBERS)))


class _Walk:
    def __init__(self, slots: Sequence[Slot]) -> None:
        self.free = [slot for slot in slots if slot.free]
        self.cards = sorted({slot.card for slot in self.free})
        self.hands: dict[int | None, list[Slot]] = {}
        self.piles: dict[int | None, list[Slot]] = {}
        for slot in sorted(slots, key=lambda slot: slot.at):
            self.hands.setdefault(slot.seat, []).append(slot)
            self.piles.setdefault(slot.pile, []).append(slot)
        self.surplus: dict[int | None, Counter[Card]] = {pile: Counter() for pile in self.piles}
        """Of each card, how many more came off a pile than were in it."""
        self.changed: list[tuple[Slot, Card]] = []
        """What the present detour has done, and the cards that were there before."""

    def detour(self, numbers: Iterator[int]) -> None:
        """Changes one card and mends the rest, or leaves everything as it was."""
        self.changed = []
        self._put(_pick(self.free, numbers), _pick(self.cards, numbers))
        for _ in range(_STEPS):
            mends = self._mends(numbers)
            if mends is None:
                return
            if not mends:
                break
            self._put(*_pick(mends, numbers))
        for slot, card in reversed(self.changed):
            self._put(slot, card)

    def _put(self, slot: Slot, card: Card) -> None:
        self.changed.append((slot, slot.card))
        if slot.pile is not None:
            surplus, one = self.surplus[slot.pile], 1 if slot.is_draw else -1
            surplus[slot.card] -= one
            surplus[card] += one
        slot.card = card

    def _mends(self, numbers: Iterator[int]) -> list[tuple[Slot, Card]] | None:
        """Changes that might mend something that is broken; None if nothing is.

        Only what has been changed can have broken anything, and what was changed last is not changed again at once."""
        last = self.changed[-1][0]
        any_card = _pick(self.cards, numbers)
        for slot, _ in reversed(self.changed):
            if slot.seat is not None and (lacking := _lacking(self.hands[slot.seat])):
                mends = _mends_of_hand(self.hands[slot.seat], lacking, any_card)
                return [(mend, card) for mend, card in mends if mend is not last]
            if slot.pile is not None and any(self.surplus[slot.pile].values()):
                mends = _mends_of_pile(self.piles[slot.pile], self.surplus[slot.pile], any_card)
                return [(mend, card) for mend, card in mends if mend is not last]
        return None


def _pick(items: Sequence[Item], numbers: Iterator[int]) -> Item:
    return items[next(numbers) % len(items)]


def _lacking(hand: Iterable[Slot]) -> Slot | None:
    """The first card that was laid but not held."""
    held: Counter[Card] = Counter()
    for slot in hand:
        if slot.is_draw:
            held[slot.card] += 1
        elif held[slot.card]:
            held[slot.card] -= 1
        else:
            return slot
    return None


def _mends_of_hand(hand: Iterable[Slot], lacking: Slot, any_card: Card) -> Iterator[tuple[Slot, Card]]:
    """The card was drawn before, or another was laid: this time, or when the card was laid before."""
    for slot in hand:
        if slot.free and slot.is_draw and slot.card is not lacking.card:
            yield slot, lacking.card
        elif slot.free and not slot.is_draw and slot.card is lacking.card and any_card is not lacking.card:
            yield slot, any_card
        if slot is lacking:
            return


def _mends_of_pile(pile: Iterable[Slot], surplus: Counter[Card], any_card: Card) -> Iterator[tuple[Slot, Card]]:
    """A card of which too many came off was another one of which too few did, or any; or more of it were buried."""
    many = {card for card, number in surplus.items() if number > 0}
    few = [card for card, number in surplus.items() if number < 0]
    for slot in pile:
        if not slot.free:
            continue
        if slot.is_draw and slot.card in many:
            yield from ((slot, card) for card in few)
            if any_card not in few and any_card is not slot.card:
                yield slot, any_card
        elif not slot.is_draw:
            yield from ((slot, card) for card in many if card is not slot.card)
