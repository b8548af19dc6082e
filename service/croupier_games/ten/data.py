"""What TEN is made of: the cards, how many of each for so many seats, and the tokens. No rule of play is here."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

MIN_SEATS, MAX_SEATS = 1, 5

DIGITS = range(1, 10)

START_TOKENS = 5
"""TEN-1.1."""
BUST_LIMIT = 10
"""More than this is a bust (TEN-2.6)."""
TOKEN_LIMIT = 10
"""The most currency tokens of one player (TEN-3.3)."""
TOKENS = TOKEN_LIMIT * MAX_SEATS
"""All currency tokens there are (TEN-D5)."""
BUST_TOKEN_WORTH = 3
"""A currency token, or a number card, is worth 1 (TEN-D5, TEN-4.3)."""


class Kind(IntEnum):
    """What a card is for."""

    NUMBER = 1
    CURRENCY = 2
    JOKER = 3

    # Cards are hashed all the time, and an enum's own hash goes the long way round, through its name.
    __hash__ = int.__hash__


class Colour(IntEnum):
    """The colour of a card. A currency card has none, and a joker without one stands for any."""

    NONE = 0
    BLUE = 1
    GREEN = 2
    ORANGE = 3
    PINK = 4

    __hash__ = int.__hash__

    @property
    def words(self) -> str:
        """As people write it."""
        return self.name.lower()


COLOURS = (Colour.BLUE, Colour.GREEN, Colour.ORANGE, Colour.PINK)
LETTERS = {Colour.NONE: "?", Colour.BLUE: "B", Colour.GREEN: "G", Colour.ORANGE: "O", Colour.PINK: "P"}


class Card(NamedTuple):
    """One card. `value` is a digit or an amount of currency; 0 on a joker that stands for any digit."""

    kind: Kind
    colour: Colour
    value: int

    def __str__(self) -> str:
        if self.kind is Kind.CURRENCY:
            return f"${self.value}"
        return f"{LETTERS[self.colour]}{self.value or '#'}"


NUMBERS = {(colour, digit): Card(Kind.NUMBER, colour, digit) for colour in COLOURS for digit in DIGITS}
CURRENCY = {value: Card(Kind.CURRENCY, Colour.NONE, value) for value in range(1, 6)}
DIGIT_JOKERS = {digit: Card(Kind.JOKER, Colour.NONE, digit) for digit in DIGITS}
COLOUR_JOKERS = {colour: Card(Kind.JOKER, colour, 0) for colour in COLOURS}
FULL_JOKER = Card(Kind.JOKER, Colour.NONE, 0)


class Copies(NamedTuple):
    """How often each card is in a deck; of digit jokers and the full joker there is one each in every deck."""

    digits: tuple[int, ...]
    """Number cards of the digits 1 to 9, in each colour."""
    currency: tuple[int, ...]
    """Currency cards of the values 1 to 5 (reconstructed split)."""
    colour_jokers: int
    """Jokers of each colour."""

    def cards(self) -> tuple[Card, ...]:
        """The deck in sorted order, as it is before shuffling."""
        cards = [card for card in NUMBERS.values() for _copy in range(self.digits[card.value - 1])]
        cards += [card for card in CURRENCY.values() for _copy in range(self.currency[card.value - 1])]
        cards += [card for card in COLOUR_JOKERS.values() for _copy in range(self.colour_jokers)]
        return tuple(sorted([*cards, *DIGIT_JOKERS.values(), FULL_JOKER]))


# TEN-D1 to TEN-D4; which cards the smaller decks leave out is reconstructed.
LARGE = Copies(digits=(3, 3, 3, 3, 3, 3, 1, 1, 1), currency=(5, 5, 5, 6, 6), colour_jokers=2).cards()
MEDIUM = Copies(digits=(3, 3, 3, 2, 2, 2, 1, 1, 1), currency=(4, 4, 4, 4, 4), colour_jokers=1).cards()
SMALL = Copies(digits=(2, 2, 2, 2, 2, 2, 1, 1, 1), currency=(3, 3, 3, 3, 3), colour_jokers=1).cards()

DECKS = {1: SMALL, 2: SMALL, 3: MEDIUM, 4: LARGE, 5: LARGE}
"""The deck for so many seats."""
