"""What a seat may do and how it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from croupier_games.errors import NotationError
from croupier_games.game import Action
from croupier_games.ten.data import LETTERS, NUMBERS, Card, Colour
from croupier_games.ten.view import Reward


@dataclass(frozen=True, slots=True)
class Draw(Action):
    """Reveals the next card of the deck (TEN-2.1)."""

    def __str__(self) -> str:
        return "draw"


@dataclass(frozen=True, slots=True)
class Take(Action):
    """Stops and takes a reward (TEN-3.1, TEN-3.2), or chooses what a bust is good for (TEN-7.1)."""

    reward: Reward

    def __str__(self) -> str:
        return f"take {self.reward.words}"


@dataclass(frozen=True, slots=True)
class Bid(Action):
    """Offers so much for the joker (TEN-4.1)."""

    amount: int

    def __str__(self) -> str:
        return f"bid {self.amount}"


@dataclass(frozen=True, slots=True)
class Buy(Action):
    """Chooses a card of the market (TEN-5.2)."""

    colour: Colour
    digit: int

    def __str__(self) -> str:
        return f"buy {LETTERS[self.colour]}{self.digit}"


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Does not bid (TEN-4.1), or does not buy (TEN-5.1)."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class PayToken(Action):
    """Pays with one currency token (TEN-4.3)."""

    def __str__(self) -> str:
        return "pay token"


@dataclass(frozen=True, slots=True)
class PayBustToken(Action):
    """Pays with one bust token (TEN-4.3)."""

    def __str__(self) -> str:
        return "pay bust token"


@dataclass(frozen=True, slots=True)
class PayCard(Action):
    """Pays with one of the own number cards (TEN-4.3)."""

    colour: Colour
    digit: int

    def __str__(self) -> str:
        return f"pay {LETTERS[self.colour]}{self.digit}"


DRAW = Draw()
TAKE = {reward: Take(reward) for reward in Reward}
PASS = Pass()
PAY_TOKEN = PayToken()
PAY_BUST_TOKEN = PayBustToken()
BUY: dict[Card, Action] = {card: Buy(card.colour, card.value) for card in NUMBERS.values()}
PAY: dict[Card, Action] = {card: PayCard(card.colour, card.value) for card in NUMBERS.values()}

_WORDS: dict[str, Action] = {
    str(action): action
    for action in (DRAW, *TAKE.values(), PASS, PAY_TOKEN, PAY_BUST_TOKEN, *BUY.values(), *PAY.values())
}
_BID = re.compile(r"bid ([1-9][0-9]{0,2})")
_LONGEST_ECHO = 40


def parse(text: str) -> Action:
    """Reads the notation of an action, to the letter."""
    if action := _WORDS.get(text):
        return action
    if match := _BID.fullmatch(text):
        return bid(int(match[1]))
    echo = text if len(text) <= _LONGEST_ECHO else text[:_LONGEST_ECHO] + "..."
    raise NotationError(
        "expected 'draw', 'take numbers', 'take currency', 'take bust token', 'take purchase', a bid like 'bid 3', "
        f"'buy B3' (blue 3; also G, O, P), 'pay token', 'pay bust token', 'pay B3', or 'pass', got {echo!r}"
    )


# Each bid, and each list of them, is one object for all tables: so the wire need encode it only once.


@lru_cache(maxsize=1_000)
def bid(amount: int) -> Bid:
    """The one bid of this amount."""
    return Bid(amount)


@lru_cache(maxsize=4_000)
def offers(least: int, most: int) -> tuple[Action, ...]:
    """To pass, or to bid from the least to the most."""
    return (PASS, *[bid(amount) for amount in range(least, most + 1)])
