"""What a seat may do, how it is written, and which actions answer which bid."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product

from croupier_games.errors import NotationError
from croupier_games.game import Action
from croupier_games.lie.data import DECK, LARGEST_HAND, VALUES
from croupier_games.lie.view import Card, Direction


@dataclass(frozen=True, slots=True)
class Arrange(Action):
    """Turns every card of the own hand to one of its two values (LIE-1.2)."""

    values: tuple[int, ...]

    def __str__(self) -> str:
        return _show(self.values)


@dataclass(frozen=True, slots=True)
class Declare(Action):
    """Declares which way the turns of this round go (LIE-3.2)."""

    direction: Direction

    def __str__(self) -> str:
        return self.direction.words


@dataclass(frozen=True, slots=True)
class Bid(Action):
    """Claims that at least `count` cards in all hands show `value` (LIE-1.4)."""

    count: int
    value: int

    def __str__(self) -> str:
        return f"{self.count}x{self.value}"


@dataclass(frozen=True, slots=True)
class Challenge(Action):
    """Doubts the bid just before (LIE-1.7)."""

    def __str__(self) -> str:
        return "challenge"


CHALLENGE = Challenge()
DIRECTIONS: tuple[Declare, ...] = (Declare(Direction.CLOCKWISE), Declare(Direction.COUNTER_CLOCKWISE))
BIDS = {(count, value): Bid(count, value) for count in range(1, len(DECK) + 1) for value in VALUES}
"""Every bid there is, by count and value."""

_SINGLE_WORDS: dict[str, Action] = {str(action): action for action in (CHALLENGE, *DIRECTIONS)}
_BID = re.compile(r"([1-9][0-9]?)x([1-6])")
_ARRANGE = re.compile(rf"show((?: [1-6]){{1,{LARGEST_HAND}}})")
_LONGEST_ECHO = 40


def parse(text: str) -> Action:
    """Reads the notation of an action, to the letter."""
    if action := _SINGLE_WORDS.get(text):
        return action
    if (match := _BID.fullmatch(text)) and (bid := BIDS.get((int(match[1]), int(match[2])))):
        return bid
    if match := _ARRANGE.fullmatch(text):
        return arrange(tuple(map(int, match[1].split())))
    echo = text if len(text) <= _LONGEST_ECHO else text[:_LONGEST_ECHO] + "..."
    raise NotationError(
        "expected a bid like '3x4' (three 4s), 'challenge', 'clockwise', 'counter-clockwise', "
        f"or 'show' and the value of each card like 'show 4 4 2', got {echo!r}"
    )


# The caches below have room for all that can occur (9,330 arrangements, 13,463 hands, 5,568 bids to answer):
# so each list is one object for all tables, and the wire need encode it only once.


@lru_cache(maxsize=10_000)
def arrange(values: tuple[int, ...]) -> Arrange:
    """The one `Arrange` of these values."""
    return Arrange(values)


@lru_cache(maxsize=10_000)
def _show(values: tuple[int, ...]) -> str:
    return "show " + " ".join([f"{value:d}" for value in values])


@lru_cache(maxsize=14_000)
def arrangements(cards: tuple[Card, ...]) -> tuple[Arrange, ...]:
    """All ways to turn the cards of a hand; of ways that differ only among equal cards, the ascending one."""
    turns = product(*((card.low, card.high) for card in cards))
    return tuple(arrange(values) for values in turns if not mirrored(cards, values))


def mirrored(cards: tuple[Card, ...], values: tuple[int, ...]) -> bool:
    """Whether, of two equal cards, the first shows the higher value: the same hand as the other way round."""
    if len(set(cards)) == len(cards):
        return False
    neighbours = zip(pairwise(cards), pairwise(values), strict=True)
    return any(card == twin and value > other for (card, twin), (value, other) in neighbours)


def rank(count_first: bool, cards: int, count: int, value: int) -> int:
    """The place of a bid among all bids on so many cards, 0 for the lowest (LIE-1.5)."""
    if count_first:
        return (count - 1) * len(VALUES) + value - 1
    return (value - 1) * cards + count - 1


@lru_cache(maxsize=64)
def ladder(count_first: bool, cards: int) -> tuple[Bid, ...]:
    """All bids on so many cards, the lowest first (LIE-1.6)."""
    bids = [BIDS[count, value] for count in range(1, cards + 1) for value in VALUES]
    return tuple(sorted(bids, key=lambda bid: rank(count_first, cards, bid.count, bid.value)))


@lru_cache(maxsize=6_000)
def answers(count_first: bool, cards: int, count: int, value: int) -> tuple[Action, ...]:
    """What may follow a bid: the challenge, and every higher bid, the lowest first (LIE-1.3)."""
    return (CHALLENGE, *ladder(count_first, cards)[rank(count_first, cards, count, value) + 1 :])
