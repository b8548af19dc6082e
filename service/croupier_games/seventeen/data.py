"""What 17 – Diciassette is made of: the cards and the limits. No rule of play is here."""

from enum import IntEnum

MIN_SEATS, MAX_SEATS = 2, 6

HAND = 3
"""Cards of a full hand (SVT-2.1)."""
TARGET = 17
"""What the row must come to (SVT-4.3)."""
ENOUGH_COMPOSURE = 3
"""What wins (SVT-5.1)."""
NERVES_TO_PUT_BACK = 2
"""SVT-4.5."""
MOST_LAID = 2_000
"""Cards laid after which a game that nobody has won ends as it stands (SVT-5.1): ten times as many as games take."""


class Card(IntEnum):
    """A card as somebody sees it: its front, or the heart on its back.

    One-sided numbers are worth themselves, two-sided ones 10 less, everything between them nothing."""

    UNSPECIFIED = 0
    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    CHANGE_DIRECTION = 6
    PLAY_TWO = 7
    REMOVE_LAST = 8
    TRAP = 9
    HEART = 10
    TWO_SIDED_ONE = 11
    TWO_SIDED_TWO = 12
    TWO_SIDED_THREE = 13
    TWO_SIDED_FOUR = 14
    TWO_SIDED_FIVE = 15

    # Hands are hashed all the time, and an enum's own hash goes the long way round, through its name.
    __hash__ = int.__hash__

    def __str__(self) -> str:
        return NAMES[self]

    @property
    def worth(self) -> int:
        """What it adds to the sum of a row (SVT-4.1)."""
        return WORTH[self]

    @property
    def back(self) -> "Card":
        """What everybody else sees of it in a hand or on the draw pile (SVT-1.1)."""
        return self if self > Card.HEART else Card.HEART


ONE_SIDED = (Card.ONE, Card.TWO, Card.THREE, Card.FOUR, Card.FIVE)
SPECIALS = (Card.CHANGE_DIRECTION, Card.PLAY_TWO, Card.REMOVE_LAST, Card.TRAP)
HEARTS = ONE_SIDED + SPECIALS
"""The cards with a heart on their back."""
TWO_SIDED = (
    Card.TWO_SIDED_ONE,
    Card.TWO_SIDED_TWO,
    Card.TWO_SIDED_THREE,
    Card.TWO_SIDED_FOUR,
    Card.TWO_SIDED_FIVE,
)

COPIES = {
    **dict.fromkeys(ONE_SIDED, 3),  # SVT-D1; reconstructed
    **dict.fromkeys(SPECIALS, 5),  # SVT-D2; reconstructed
    **dict.fromkeys(TWO_SIDED, 7),  # SVT-D1; reconstructed
}
"""How many there are of each card."""
DECK = tuple(card for card, copies in COPIES.items() for _ in range(copies))
"""All 70 cards."""

WORTH = dict.fromkeys(Card, 0) | {
    card: number for fronts in (ONE_SIDED, TWO_SIDED) for number, card in enumerate(fronts, 1)
}
NAMES = {
    **{card: str(WORTH[card]) for card in ONE_SIDED},
    **{card: f"{WORTH[card]}/{WORTH[card]}" for card in TWO_SIDED},
    **{card: card.name.lower().replace("_", "-") for card in (*SPECIALS, Card.HEART)},
    Card.UNSPECIFIED: "no card",
}
"""How cards are written: 3 has one side, 3/3 has two."""
