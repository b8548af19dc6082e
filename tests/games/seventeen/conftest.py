"""Tables of 17 as a test wants them: particular hands, rows, piles and tokens, set up through `restore`."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from croupier_games.game import OptionValue
from croupier_games.seventeen import SEVENTEEN, memory
from croupier_games.seventeen.actions import CALL
from croupier_games.seventeen.data import DECK, NAMES, Card
from croupier_games.seventeen.rules import SeventeenState

CARDS = {name: card for card, name in NAMES.items()}


def seed(number: int) -> bytes:
    return sha256(b"seventeen/%d" % number).digest()


def open_table(seats: int, number: int = 0, **options: OptionValue) -> SeventeenState:
    state = SEVENTEEN.new(seats=seats, options=options, seed=seed(number))
    assert isinstance(state, SeventeenState)
    return state


def cards(text: str) -> list[Card]:
    """ "3 3/3 trap" as cards."""
    return [CARDS[word] for word in text.split()]


def row_cards(text: str) -> list[tuple[int, Card, bool]]:
    """ "0:3 1:(trap)" as what lies in a row: seat 1 laid a trap heart up."""
    laid = [word.split(":") for word in text.split()]
    return [(int(seat), CARDS[name.strip("()")], name.startswith("(")) for seat, name in laid]


def table(
    *hands: str,
    row: str = "",
    draw: str = "",
    used: str = "",
    buried: str = "",
    rest: str = "draw",
    turn: int = 0,
    to_lay: int = 1,
    **changes: Any,
) -> SeventeenState:
    """A turn of a first round, or what `changes` make of it.

    Cards that are not named lie under the draw pile, or where `rest` says: "used", or "row" (face up, laid by seat 1
    before all else). `buried` are cards of the used pile that seat 1 had laid heart up."""
    held = [sorted(cards(hand)) for hand in hands]
    laid, piles = row_cards(row), {"draw": cards(draw), "used": cards(used)}
    lost = cards(buried)
    named = Counter([card for hand in held for card in hand] + [card for _, card, _ in laid] + lost)
    left = Counter(DECK) - named - Counter(piles["draw"]) - Counter(piles["used"])
    assert named + Counter(piles["draw"]) + Counter(piles["used"]) + left == Counter(DECK), "a card too many"
    if rest == "row":
        laid = [(1, card, False) for card in left.elements()] + laid
    else:
        piles[rest] += left.elements()
    state = open_table(len(hands), start_seat=turn)
    saved = json.loads(state.save())
    saved |= {
        "hands": held,
        "row": laid,
        "pile": piles["draw"],
        "used": sorted(piles["used"] + lost),
        "turn": turn,
        "to_lay": min(to_lay, len(held[turn])),
        "last_to_lay": laid[-1][0] if laid else None,
        "journal": journal(held, laid, piles["used"], lost).hex(),
    } | changes
    return SEVENTEEN.restore(json.dumps(saved, sort_keys=True, separators=(",", ":")).encode())


def journal(
    hands: Sequence[Iterable[Card]],
    row: Iterable[tuple[int, Card, bool]],
    used: Iterable[Card],
    buried: Iterable[Card],
) -> bytes:
    """One way in which the hearts can have come to where they are."""
    entries = []
    for card in buried:
        entries += [memory.DRAWN[1][card], memory.HEART_UP[1][card], memory.BURIED]
    for seat, card, heart_up in (*((0, card, False) for card in used), *row):
        if card < Card.HEART:
            entries += [memory.DRAWN[seat][card], (memory.HEART_UP if heart_up else memory.FACE_UP)[seat][card]]
    entries += [memory.DRAWN[seat][card] for seat, hand in enumerate(hands) for card in hand if card < Card.HEART]
    return b"".join(entries)


def say(state: SeventeenState, *lines: str) -> SeventeenState:
    """Plays lines such as "0 lay 3/3": a seat and a notation. "pass": whoever is asked passes."""
    for line in lines:
        if line == "pass":
            for seat in state.deciders:
                state.play(seat, SEVENTEEN.parse("pass"))
        else:
            who, notation = line.split(" ", 1)
            state.play(int(who), SEVENTEEN.parse(notation))
    return state


def call(state: SeventeenState, *callers: int) -> SeventeenState:
    """These seats call and everybody else who is asked passes."""
    for seat in state.deciders:
        state.play(seat, SEVENTEEN.parse("call" if seat in callers else "pass"))
    return state


def names(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))


def told(state: SeventeenState, seat: int | None = None) -> list[str]:
    """The sentences a seat, or a spectator, hears of the latest action."""
    return [str(what) for what, audience in state.events if audience in (None, seat)]


def patient_step(state: SeventeenState, chance: Random, calls: float) -> tuple[int, Any]:
    """A random action of a random decider that calls with this probability where it might: long rounds, full rows."""
    seat = chance.choice(state.deciders)
    legal = state.legal(seat)
    if legal[-1] is CALL and len(legal) > 1:
        return seat, CALL if chance.random() < calls else chance.choice(legal[:-1])
    return seat, chance.choice(legal)


@pytest.fixture
def svt() -> Any:
    """The ways above, under one name."""

    class Ways:
        seed = staticmethod(seed)
        open = staticmethod(open_table)
        cards = staticmethod(cards)
        table = staticmethod(table)
        say = staticmethod(say)
        call = staticmethod(call)
        names = staticmethod(names)
        told = staticmethod(told)
        patient_step = staticmethod(patient_step)

    return Ways


@pytest.fixture(scope="session")
def svt_step() -> Any:
    """`patient_step` alone, for tests that run many examples."""
    return patient_step
