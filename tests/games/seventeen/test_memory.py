"""The journal of the hearts: what it tells, and that `redraw` draws just what is possible, on histories small enough
to try out every possibility."""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

import pytest

from croupier_games.chance import Chance
from croupier_games.seventeen import memory
from croupier_games.seventeen.data import HEARTS, Card


class Worlds(NamedTuple):
    """A state of a game of hearts alone, for trying out every possibility."""

    pile: tuple[Card, ...]
    hands: tuple[tuple[Card, ...], ...]
    row: tuple[Card, ...] = ()
    used: tuple[Card, ...] = ()
    buried: tuple[Card, ...] = ()


def without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def random_history(chance: Random, seats: int, cards: list[Card]) -> tuple[list[tuple[Any, ...]], tuple[Card, ...]]:
    """What might happen to a few hearts, and what is left to draw in the end."""
    pile = chance.sample(cards, len(cards))
    hands: list[list[Card]] = [[] for _ in range(seats)]
    row: list[Card] = []
    used: list[Card] = []
    history: list[tuple[Any, ...]] = []
    for _ in range(chance.randint(8, 40)):
        if not pile and used:
            pile, used = chance.sample(used, len(used)), []
            history.append(("shuffled",))
            continue
        seat, what = chance.randrange(seats), chance.random()
        if what < 0.4 and pile and len(hands[seat]) < 3:
            hands[seat].append(pile.pop())
            history.append(("drawn", seat, hands[seat][-1]))
        elif what < 0.8 and hands[seat]:
            card = hands[seat].pop(chance.randrange(len(hands[seat])))
            (used if what < 0.55 else row).append(card)
            history.append(("up" if what < 0.55 else "heart", seat, card))
        elif what < 0.9 and row:
            used.append(row.pop())
            history.append(("buried",))
        elif what >= 0.9 and row:
            history.append(("revealed", tuple(row)))
            used += row
            row = []
    return history, tuple(pile)


def possible(history: list[tuple[Any, ...]], viewer: int | None, seats: int, cards: list[Card]) -> set[Worlds]:
    """Every state that fits what the viewer saw of this history, by trying out all of them."""
    worlds = {Worlds(tuple(sorted(cards)), ((),) * seats)}
    for kind, *rest in history:
        after = set()
        for world in worlds:
            after |= set(step(world, kind, rest, viewer))
        worlds = after
    return worlds


def step(world: Worlds, kind: str, rest: list[Any], viewer: int | None) -> Iterator[Worlds]:
    pile, hands, row, used, buried = world
    if kind in ("drawn", "up", "heart"):
        seat, card = rest
        choices = set(pile if kind == "drawn" else hands[seat])
        seen = kind == "up" or seat == viewer
        for other in choices & {card} if seen else choices:
            hand = tuple(sorted((*hands[seat], other))) if kind == "drawn" else without(hands[seat], other)
            dealt = (*hands[:seat], hand, *hands[seat + 1 :])
            if kind == "drawn":
                yield Worlds(without(pile, other), dealt, row, used, buried)
            elif kind == "up":
                yield Worlds(pile, dealt, row, tuple(sorted((*used, other))), buried)
            else:
                yield Worlds(pile, dealt, (*row, other), used, buried)
    elif kind == "buried":
        yield Worlds(pile, hands, row[:-1], tuple(sorted((*used, row[-1]))), tuple(sorted((*buried, row[-1]))))
    elif kind == "shuffled":
        yield Worlds(used, hands, row)
    elif row == rest[0]:
        yield Worlds(pile, hands, (), tuple(sorted((*used, *row))), buried)


def journal_of(history: list[tuple[Any, ...]]) -> bytes:
    laid = {"drawn": memory.DRAWN, "up": memory.FACE_UP, "heart": memory.HEART_UP}
    marks = {"buried": memory.BURIED, "revealed": memory.REVEALED, "shuffled": memory.SHUFFLED}
    return b"".join(marks[kind] if kind in marks else laid[kind][rest[0]][rest[1]] for kind, *rest in history)


def test_who_has_drawn_since_may_hold_it_even_if_the_card_seen_since_was_another() -> None:
    """Seat 1 holds a heart, draws from a pile known to be a trap and a 3, and shows a 3: drawn, or held before?"""
    three, five, trap = Card.THREE, Card.FIVE, Card.TRAP
    history = [
        *(("drawn", 1, five), ("drawn", 0, trap), ("up", 0, trap), ("drawn", 0, three), ("up", 0, three)),
        *(("drawn", 0, three), ("shuffled",), ("drawn", 1, three), ("up", 1, three)),
    ]
    journal = journal_of(history)
    held = {memory.redraw(Chance(bytes([n]) * 32), None, journal, 2, (trap,)).hands[1] for n in range(60)}
    assert held == {(five,), (three,), (trap,)}
    # Seat 0 holds the other 3 and knows that seat 1 had no 3 before.
    held = {memory.redraw(Chance(bytes([n]) * 32), 0, journal, 2, (trap,)).hands[1] for n in range(60)}
    assert held == {(five,)}


def compare(number: int, attempts: int) -> tuple[set[Worlds], set[Worlds], bool]:
    """Of a small random history: every possible state, those that so many attempts draw, whether it reshuffles."""
    chance = Random(number)
    seats, cards = chance.randint(2, 3), chance.choices(chance.sample(HEARTS, 3), k=chance.randint(4, 7))
    history, pile = random_history(chance, seats, cards)
    viewer = chance.choice((0, seats - 1, None))
    worlds = {world._replace(used=()) for world in possible(history, viewer, seats, cards)}
    drawn = set()
    for attempt in range(attempts + 8 * len(worlds)):
        draw = Chance(sha256(b"%d/%d" % (number, attempt)).digest())
        hearts = memory.redraw(draw, viewer, journal_of(history), seats, pile)
        hands = tuple(tuple(sorted(hand)) for hand in hearts.hands)
        drawn.add(Worlds(tuple(sorted(hearts.pile)), hands, hearts.row, (), tuple(sorted(hearts.buried))))
    return worlds, drawn, ("shuffled",) in history


def test_of_a_few_hearts_just_what_is_possible_is_drawn() -> None:
    """Compared with every possible history of small games: never anything else, and with patience all of it."""
    possibilities = missed = reshuffled = 0
    for number in range(120):
        worlds, drawn, shuffled = compare(number, 25)
        assert drawn <= worlds
        possibilities += len(worlds)
        missed += len(worlds - drawn)
        reshuffled += shuffled
    assert reshuffled > 60
    assert missed < possibilities / 50


@pytest.mark.parametrize("number", [1051, 3792, 4514, 7482, 8304, 9997, 14764])
def test_what_only_several_exchanges_at_once_lead_to_is_drawn_too(number: int) -> None:
    """Small games in which every single exchange on the way to some possible state is impossible."""
    worlds, drawn, _ = compare(number, 300)
    assert drawn == worlds


def test_three_cards_change_places_where_no_two_can() -> None:
    """Seats 1 and 2 share a 1 and a 2, seats 2 and 3 a 2 and a 5; 1 and 3 bury what they got, 0 draws it and shows a
    2, and so does 2. So both 2s come from the first pair and the second in turn: what 0 and 2 keep is a 5 and a 1."""
    one, two, five = Card.ONE, Card.TWO, Card.FIVE
    history = [
        *(("drawn", 0, one), ("drawn", 0, two), ("drawn", 0, two), ("drawn", 0, five)),
        *(("up", 0, one), ("up", 0, two), ("shuffled",), ("drawn", 1, two), ("drawn", 2, one)),
        *(("up", 0, two), ("up", 0, five), ("shuffled",), ("drawn", 2, two), ("drawn", 3, five)),
        *(("heart", 1, two), ("buried",), ("heart", 3, five), ("buried",), ("shuffled",)),
        *(("drawn", 0, two), ("drawn", 0, five), ("up", 0, two), ("up", 2, two)),
    ]
    worlds = {world.hands for world in possible(history, None, 4, [one, two, two, five])}
    assert worlds == {((five,), (), (one,), ()), ((one,), (), (five,), ())}
    journal = journal_of(history)
    assert {memory.redraw(Chance(bytes([n]) * 32), None, journal, 4, ()).hands for n in range(200)} == worlds


def test_the_journal_tells_where_every_heart_is(svt: Any) -> None:
    state, chance = svt.open(3, 5), Random(5)
    while state.deciders:
        state.play(*svt.patient_step(state, chance, 0.05))
        left = tuple(card for card in state.pile[state.top :] if card < Card.HEART)
        hearts = memory.recall(state.journal, 3, left)
        assert [tuple(sorted(hand)) for hand in hearts.hands] == [
            tuple(card for card in hand if card < Card.HEART) for hand in state.hands
        ]
        assert hearts.row == tuple(laid.card for laid in state.row if laid.heart_up)
        assert not Counter(hearts.buried) - Counter(state.used)
        assert hearts.pile == left


@pytest.mark.parametrize(
    "journal",
    [memory.HEART_UP[0][Card.TRAP], memory.DRAWN[0][Card.ONE] + memory.FACE_UP[1][Card.ONE], memory.BURIED, b"\xff"],
)
def test_a_journal_that_contradicts_itself_is_noticed(journal: bytes) -> None:
    with pytest.raises(LookupError):
        memory.recall(journal, 2, ())
