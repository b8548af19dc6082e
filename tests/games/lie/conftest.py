"""Tables of LIE as a test wants them: particular hands, card counts and bids, set up through `restore`."""

import json
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from itertools import count
from typing import Any

import pytest

from croupier_games.game import OptionValue
from croupier_games.lie import LIE
from croupier_games.lie.data import DECK
from croupier_games.lie.rules import LieState

Pair = tuple[int, int]


def seed(number: int) -> bytes:
    return sha256(b"lie/%d" % number).digest()


def open_table(seats: int, number: int = 0, **options: OptionValue) -> LieState:
    state = LIE.new(seats=seats, options=options, seed=seed(number))
    assert isinstance(state, LieState)
    return state


def say(state: LieState, *lines: str) -> LieState:
    """Plays lines such as "0 3x4": a seat and a notation."""
    for line in lines:
        seat, notation = line.split(" ", 1)
        state.play(int(seat), LIE.parse(notation))
    return state


def rewrite(state: LieState, **changes: Any) -> LieState:
    """The state with fields of its save replaced: those of the save itself, or of its round."""
    saved = json.loads(state.save())
    names = ("number", "extra", "starter", "hand_sizes", "card_counts", "out", "last_showdown")
    for name, value in changes.items():
        if name in names:
            saved["round"][names.index(name)] = value
        else:
            saved[name] = value
    return LIE.restore(json.dumps(saved, sort_keys=True, separators=(",", ":")).encode())


def with_hands(state: LieState, *hands: Iterable[Pair]) -> LieState:
    """The state with these cards, not arranged yet, in the seats' hands."""
    return rewrite(state, hands=[[sorted([low, high, 0] for low, high in hand)] for hand in hands])


def with_counts(counts: Sequence[int], starter: int = 0, out: Sequence[int] = (), **options: OptionValue) -> LieState:
    """A first deal at these card counts: the round they belong to, after a made-up showdown."""
    state = open_table(len(counts), 0, **options)
    end = 0 if options.get("fewer_cards") else 6
    lives = [abs(end - cards) for cards in counts]
    played = sum(5 - left for left in lives)
    sizes = [0 if seat in out else cards for seat, cards in enumerate(counts)]
    showdown = None
    if played:
        shown = [[[[1, 2, 1]]], [[[1, 3, 1]]]] + [[[]]] * (len(counts) - 2)
        showdown = [played, [0, 1, 1], 1, shown, 2, False, 0, 1]
    deck = iter(DECK)
    hands = [[sorted([*next(deck), 0] for _ in range(size))] for size in sizes]
    changes = {"number": played + 1, "starter": starter, "hand_sizes": sizes, "card_counts": list(counts)}
    return rewrite(state, **changes, out=list(out), last_showdown=showdown, hands=hands)


def arrange_all(state: LieState, pick: int = 0) -> LieState:
    """Everybody arranges; `pick` chooses among the legal ways, 0 turning up every lower value."""
    for seat in state.deciders:
        state.play(seat, state.legal(seat)[pick])
    return state


def lose(state: LieState, loser: int) -> LieState:
    """Plays a round, as short as can be, that this seat loses: by a bid too high, or by doubting a true one."""
    arrange_all(state)
    if state.options["choose_direction"]:
        say(state, f"{state.turn} clockwise")
    for attempt in count():
        assert attempt < 12
        seat = state.deciders[0]
        assert state.turn == seat
        if seat == loser:
            break
        state.play(seat, next(action for action in state.legal(seat) if str(action) != "challenge"))
    cards = sum(state.round.hand_sizes)
    say(state, f"{loser} {cards}x6")  # every card is turned to its lower value, so no card shows 6
    state.play(state.deciders[0], LIE.parse("challenge"))
    return state


@pytest.fixture
def lie() -> Any:
    """The ways above, under one name."""

    class Ways:
        seed: Callable[..., bytes] = staticmethod(seed)
        open = staticmethod(open_table)
        say = staticmethod(say)
        rewrite = staticmethod(rewrite)
        with_hands = staticmethod(with_hands)
        with_counts = staticmethod(with_counts)
        arrange_all = staticmethod(arrange_all)
        lose = staticmethod(lose)

    return Ways
