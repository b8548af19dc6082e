"""What a seat may do and how it is written."""

from dataclasses import dataclass
from functools import cache

from croupier_games.errors import NotationError
from croupier_games.game import Action
from croupier_games.seventeen.data import COPIES, HEARTS, NAMES, Card


@dataclass(frozen=True, slots=True)
class Lay(Action):
    """Puts a card of the own hand at the end of the row, its front up or its heart (SVT-2.3)."""

    card: Card
    heart_up: bool

    def __str__(self) -> str:
        return _NOTATIONS.get((self.card, self.heart_up)) or f"lay {self.card!r}"


@dataclass(frozen=True, slots=True)
class Call(Action):
    """Says "check!": the row has reached 17 (SVT-2.2, SVT-2.5)."""

    def __str__(self) -> str:
        return "call"


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Says nothing after somebody else's turn (SVT-2.5)."""

    def __str__(self) -> str:
        return "pass"


CALL, PASS = Call(), Pass()
ANSWERS: tuple[Action, ...] = (PASS, CALL)
"""What every rival chooses from after a turn's lays (SVT-2.5)."""

_NOTATIONS = {
    **{(card, False): f"lay {NAMES[card]}" for card in COPIES if card not in HEARTS},
    **{(card, up): f"lay {NAMES[card]} {'heart' if up else 'face'}-up" for card in HEARTS for up in (False, True)},
}
LAYS = {key: Lay(*key) for key in _NOTATIONS}
"""Every way to lay a card, by the card and whether its heart is up."""
_ACTIONS: dict[str, Action] = {str(action): action for action in (*ANSWERS, *LAYS.values())}
_LONGEST_ECHO = 40


def parse(text: str) -> Action:
    """Reads the notation of an action, to the letter."""
    if action := _ACTIONS.get(text):
        return action
    echo = text if len(text) <= _LONGEST_ECHO else text[:_LONGEST_ECHO] + "..."
    raise NotationError(
        "expected 'pass', 'call', or 'lay' and a card: 'lay 3/3' (two-sided), 'lay 3 face-up', 'lay 3 heart-up', "
        f"or 'change-direction', 'play-two', 'remove-last' or 'trap' instead of the 3, got {echo!r}"
    )


# There are fewer than 700 hands, so each list is one object for all tables, and the wire need encode it only once.


@cache
def lays(hand: tuple[Card, ...]) -> tuple[Action, ...]:
    """Every way to lay a card of this hand (SVT-2.3)."""
    return tuple(LAYS[card, up] for card in dict.fromkeys(hand) for up in (False, True) if (card, up) in LAYS)


@cache
def lays_or_call(hand: tuple[Card, ...]) -> tuple[Action, ...]:
    """The same, and the call (SVT-2.2)."""
    return (*lays(hand), CALL)
