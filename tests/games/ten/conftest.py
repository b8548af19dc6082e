"""Tables of TEN as a test wants them: particular cards and tokens in particular places, set up through `restore`."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

import pytest

from croupier_games.game import OptionValue
from croupier_games.ten import TEN
from croupier_games.ten.data import DECKS, LARGE, Card, Kind
from croupier_games.ten.rules import TenState
from croupier_games.ten.view import EMPTY_AREA, Phase

BY_NAME = {str(card): card for card in LARGE}


def seed(number: int) -> bytes:
    return sha256(b"ten/%d" % number).digest()


def open_table(seats: int, number: int = 0, **options: OptionValue) -> TenState:
    state = TEN.new(seats=seats, options=options, seed=seed(number))
    assert isinstance(state, TenState)
    return state


def cards(text: str) -> tuple[Card, ...]:
    """Cards by their names: B3 (blue 3), $2 (currency), ?7 and G# (jokers), ?# (the full one)."""
    return tuple(BY_NAME[name] for name in text.split())


def table(
    seats: int = 2,
    *,
    deck: str | None = None,
    own: Sequence[str] = (),
    tokens: Sequence[int] = (),
    bust: Sequence[int] = (),
    area: str = "",
    market: str = "",
    active: int = 0,
    phase: Phase = Phase.DRAW,
    last_buyers: Sequence[int] = (),
    options: Mapping[str, OptionValue] | None = None,
) -> TenState:
    """A table with these cards in these places. Of a player's cards, jokers and numbers may be mixed.

    All other cards are discarded; if no deck is named, they are the deck."""
    fresh = open_table(seats, **(options or {}))
    left = Counter(DECKS[seats])
    holdings = []
    for player in range(max(2, seats)):
        held = cards(own[player]) if player < len(own) else ()
        left.subtract(held)
        numbers = sorted(card for card in held if card.kind is Kind.NUMBER)
        jokers = sorted(card for card in held if card.kind is Kind.JOKER)
        purse = tokens[player] if player < len(tokens) else 5
        holdings.append([purse, bust[player] if player < len(bust) else 0, numbers, jokers])
    laid = EMPTY_AREA
    for card in cards(area):
        laid = laid.with_card(card)
    left.subtract([*cards(area), *cards(market), *cards(deck or "")])
    assert min(left.values()) >= 0, "a card is named too often"
    rest = sorted(left.elements())
    saved = json.loads(fresh.save())
    saved |= {
        "phase": phase,
        "active": active,
        "deck": rest if deck is None else cards(deck),
        "holdings": holdings,
        "area": laid,
        "market": [sorted(cards(market))],
        "discards": [[] if deck is None else rest],
        "last_buyers": list(last_buyers),
    }
    return TEN.restore(json.dumps(saved, sort_keys=True, separators=(",", ":")).encode())


def say(state: TenState, *lines: str) -> TenState:
    """Plays lines such as "0 bid 3": a seat and a notation."""
    for line in lines:
        seat, notation = line.split(" ", 1)
        state.play(int(seat), TEN.parse(notation))
    return state


def legal(state: TenState) -> list[str]:
    """What the decider may do, written."""
    return [str(action) for action in state.legal(state.deciders[0])]


def told(state: TenState) -> list[str]:
    """What the latest action made happen."""
    return [str(event.what) for event in state.events]


def tokens(state: TenState) -> list[int]:
    """Everybody's tokens."""
    return [holding.tokens for holding in state.holdings]


def names(held: Sequence[Card]) -> str:
    """Cards as one text."""
    return " ".join(map(str, held))


@pytest.fixture
def ten() -> Any:
    """The ways above, under one name."""

    class Ways:
        open = staticmethod(open_table)
        seed = staticmethod(seed)
        cards = staticmethod(cards)
        table = staticmethod(table)
        say = staticmethod(say)
        legal = staticmethod(legal)
        told = staticmethod(told)
        tokens = staticmethod(tokens)
        names = staticmethod(names)

    return Ways
