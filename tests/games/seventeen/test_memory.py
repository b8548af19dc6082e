"""`resample`: a state that the seat, remembering all it has seen, cannot tell from the real one.

The proof is by replay: for the resampled state there is a whole play, with other shuffles and other cards laid heart
up, through which the seat sees and hears exactly what it has seen and heard."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

import pytest

from croupier_games.chance import Chance
from croupier_games.seventeen import SEVENTEEN, memory
from croupier_games.seventeen.actions import LAYS, Lay
from croupier_games.seventeen.data import DECK, HEARTS, Card
from croupier_games.seventeen.rules import SeventeenState
from croupier_games.seventeen.view import Choice


class NotedChance(Chance):
    """Remembers how it has shuffled."""

    __slots__ = ("orders",)

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.orders: dict[str, tuple[Any, ...]] = {}

    def shuffled(self, name: str, items: Sequence[Any], count: int | None = None) -> tuple[Any, ...]:
        self.orders[name] = super().shuffled(name, items, count)
        return self.orders[name]


class FixedChance(Chance):
    """Shuffles as it is told, and makes sure that it was given the cards it is to hand out."""

    __slots__ = ("orders",)

    def __init__(self, orders: dict[str, tuple[Any, ...]]) -> None:
        super().__init__(bytes(32))
        self.orders = orders

    def shuffled(self, name: str, items: Sequence[Any], count: int | None = None) -> tuple[Any, ...]:
        assert sorted(items) == sorted(self.orders[name])
        return self.orders[name]


class Entry(NamedTuple):
    """One byte of a journal."""

    kind: str
    seat: int
    card: Card


def entries(journal: bytes) -> Iterator[Entry]:
    codes = {
        table[seat][card][0]: Entry(kind, seat, card)
        for kind, table in (("drawn", memory.DRAWN), ("up", memory.FACE_UP), ("heart", memory.HEART_UP))
        for seat in range(6)
        for card in HEARTS
    }
    for code in journal:
        yield codes.get(code) or Entry("shuffled" if code == memory.SHUFFLED[0] else "", -1, Card.UNSPECIFIED)


def other_orders(state: SeventeenState, other: SeventeenState) -> dict[str, tuple[Card, ...]]:
    """How the cards would have been shuffled: as they were, but with the hearts of the other journal."""
    assert isinstance(state.chance, NotedChance)
    piles: list[list[Entry]] = [[]]
    for entry in entries(other.journal):
        if entry.kind == "drawn":
            piles[-1].append(entry)
        elif entry.kind == "shuffled":
            piles.append([])
    orders = {}
    for number, drawn in enumerate(piles):
        name = f"shuffle/{number}" if number else "deal"
        order = list(state.chance.orders[name])
        dealt = 0 if number else 3 * state.seats
        hands: list[list[Card]] = [[] for _ in range(state.seats)]
        hearts = sum(card < Card.HEART for card in order[:dealt])
        for entry in drawn[:hearts]:
            hands[entry.seat].append(entry.card)
        after = iter(drawn[hearts:])
        left = len(other.pile) if number == len(piles) - 1 else 0
        for at in range(len(order) - left):
            if order[at] < Card.HEART:
                order[at] = hands[at % state.seats].pop() if at < dealt else next(after).card
        assert next(after, None) is None
        orders[name] = (*order[: len(order) - left], *other.pile[:left])
    return orders


def sight(state: SeventeenState, viewer: int | None) -> tuple[object, ...]:
    told = [event.what for event in state.events if event.audience in (None, viewer)]
    return state.view(viewer), told, () if viewer is None else state.legal(viewer)


class Told:
    """A play, with all that everybody has seen of it."""

    def __init__(self, seats: int, seed: bytes) -> None:
        self.state = SeventeenState(seats, SEVENTEEN.check(seats, {}), NotedChance(seed))
        self.starter = seed[0] % seats
        self.state.start(self.starter)
        self.moves: list[tuple[int, Any]] = []
        self.viewers = (*range(seats), None)
        self.seen: dict[int | None, list[object]] = {viewer: [] for viewer in self.viewers}
        self._look()

    def _look(self) -> None:
        for viewer in self.viewers:
            self.seen[viewer].append(sight(self.state, viewer))

    def play(self, seat: int, action: Any) -> None:
        self.state.play(seat, action)
        self.moves.append((seat, action))
        self._look()

    def require_indistinguishable(self, other: SeventeenState, viewer: int | None) -> None:
        """Replays the whole play as it would have been, and compares at every step."""
        twin = SeventeenState(self.state.seats, self.state.options, FixedChance(other_orders(self.state, other)))
        twin.start(self.starter)
        hidden = (entry for entry in entries(other.journal) if entry.kind == "heart")
        seen = iter(self.seen[viewer])
        assert sight(twin, viewer) == next(seen)
        for seat, action in self.moves:
            if isinstance(action, Lay) and action.heart_up:
                entry = next(hidden)
                assert entry.seat == seat
                action = LAYS[entry.card, True]
            twin.play(seat, action)
            assert sight(twin, viewer) == next(seen)
        assert facts(twin) == facts(other)


def facts(state: SeventeenState) -> dict[str, object]:
    """All of a state but its seed, what is sealed, and the order in which the journal lists a hand as dealt."""
    saved: dict[str, object] = json.loads(state.save())
    return {name: value for name, value in saved.items() if name not in ("seed", "choices", "journal")}


@pytest.mark.rule("SVT-1.1", "SVT-1.2", "SVT-1.3", "ALL-5")
@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("calls", [0.02, 0.15, 0.4])
def test_a_resampled_state_fits_all_that_the_seat_has_ever_seen(svt: Any, seats: int, calls: float) -> None:
    """Through plays with many reshuffles: after each, sets of cards are known and places are not."""
    chance = Random(seats * calls)
    shuffles = 0
    for number in range(4):
        told = Told(seats, svt.seed(number))
        while told.state.deciders:
            told.play(*svt.patient_step(told.state, chance, calls))
            if chance.random() < 0.06:
                viewer = chance.choice(told.viewers)
                other = told.state.resample(viewer, chance.randbytes(32))
                told.require_indistinguishable(other, viewer)
                assert SEVENTEEN.restore(other.save()).save() == other.save()
        shuffles += told.state.journal.count(memory.SHUFFLED)
    assert shuffles or calls > 0.1


def test_the_proof_would_notice_a_card_too_many(svt: Any) -> None:
    """A resample that takes nothing but the present view into account is found out."""
    told, chance = Told(2, svt.seed(1)), Random(1)
    while not told.state.journal.count(memory.SHUFFLED):
        told.play(*svt.patient_step(told.state, chance, 0.02))
    other = told.state.resample(0, svt.seed(2))
    hearts = [card for card in other.pile[1:] if card < Card.HEART]
    hand = other.hands[1]
    mine = next(card for card in hand if card < Card.HEART)
    theirs = next(card for card in hearts if card != mine)
    other.set_hand(1, tuple(sorted((*hand[: hand.index(mine)], *hand[hand.index(mine) + 1 :], theirs))))
    pile = list(other.pile)
    pile[pile.index(theirs, 1)] = mine
    other.pile = tuple(pile)
    assert other.view(0) == told.state.view(0)
    with pytest.raises(AssertionError):
        told.require_indistinguishable(other, 0)


def draws(state: Any, viewer: int | None, count: int = 200) -> Iterator[Any]:
    return (state.resample(viewer, bytes([number]) * 32) for number in range(count))


def test_what_is_unseen_is_drawn_anew(svt: Any) -> None:
    state = svt.table("3 2/2 2/2", "1 5 3/3", row="0:(trap) 1:(4) 1:play-two", draw="5 4/4 4/4", buried="2")
    hands, rows, piles, used, tops = set(), set(), set(), set(), set()
    for twin in draws(state, 0):
        assert svt.names(twin.hands[0]) == "3 2/2 2/2"
        assert [str(laid.card) for laid in twin.row][::2] == ["trap", "play-two"]
        assert twin.pile[0] < Card.HEART
        hands.add(twin.hands[1])
        rows.add(twin.row[1].card)
        piles.add(twin.pile)
        used.add(twin.used)
        tops.add(twin.pile[0])
    assert all(Card.TWO_SIDED_THREE in hand and len(hand) == 3 for hand in hands)
    assert len(hands) > 20
    assert len(piles) == 200
    assert rows == set(HEARTS) == tops == {card for (card,) in used}


def test_a_two_sided_card_stays_on_top_and_the_rest_of_the_pile_is_shuffled(svt: Any) -> None:
    state = svt.table("3 2/2 2/2", "1 5 3/3", draw="4/4 5 5/5")
    seconds = set()
    for twin in draws(state, 1):
        assert str(twin.pile[0]) == "4/4"
        seconds.add(twin.pile[1])
    assert len(seconds) > 10


def test_unseen_hearts_are_equally_likely_everywhere(svt: Any) -> None:
    """Of the 33 hearts that seat 0 does not see 5 are traps: each place holds one as often as any other."""
    state = svt.table("3 3 2/2", "1 5 3/3", row="1:(4)", draw="5 4/4")
    traps: Counter[str] = Counter()
    count = 3000
    for number in range(count):
        twin = state.resample(0, number.to_bytes(32, "big"))
        traps["hand"] += twin.hands[1].count(Card.TRAP)
        traps["row"] += twin.row[0].card is Card.TRAP
        traps["top"] += twin.pile[0] is Card.TRAP
    expected = count * 5 / 33
    assert abs(traps["hand"] - 2 * expected) < 5 * (2 * expected) ** 0.5
    assert abs(traps["row"] - expected) < 5 * expected**0.5
    assert abs(traps["top"] - expected) < 5 * expected**0.5


def test_sealed_choices_of_others_are_drawn_anew_and_the_own_is_kept(svt: Any) -> None:
    state = svt.table("3/3 2/2 2/2", "1 5 3/3", "4/4 4/4 4/4", "5/5 5/5 5/5")
    svt.say(state, "0 lay 3/3", "1 call", "2 pass")
    seen = Counter(twin.choices for twin in draws(state, 2))
    sealed = (Choice.PASS, Choice.CALL)
    assert set(seen) == {(0, choice, Choice.PASS, 0) for choice in sealed}
    assert set(Counter(twin.choices for twin in draws(state, None))) == {
        (0, one, two, 0) for one in sealed for two in sealed
    }
    assert all(twin.deciders == (3,) for twin in draws(state, 3, 5))


def test_who_has_not_drawn_since_a_card_was_shuffled_back_cannot_hold_it(svt: Any) -> None:
    """All traps were seen in the used pile when it was shuffled; seat 1 holds what it held before."""
    used = "trap trap trap trap trap 4/4 4/4"
    state = svt.table("2/2 2/2 2/2", "1 5 3", used=used, draw="3", rest="row")
    svt.say(state, "0 lay 2/2", "pass")
    assert sorted(map(str, state.pile)) == sorted(used.split())
    for twin in draws(state, 0):
        assert Card.TRAP not in twin.hands[1]
        assert Counter(twin.pile) == Counter(state.pile)
    assert len({twin.pile for twin in draws(state, 0)}) > 5
    assert {twin.hands[1] for twin in draws(state, 0)} == {state.hands[1]}  # everything else has been seen


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


def test_of_a_few_hearts_just_what_is_possible_is_drawn() -> None:
    """Compared with every possible history of small games: never anything else, and hardly ever too little."""
    possibilities = missed = reshuffled = 0
    for number in range(120):
        chance = Random(number)
        seats, cards = chance.randint(2, 3), chance.choices(chance.sample(HEARTS, 3), k=chance.randint(4, 7))
        history, pile = random_history(chance, seats, cards)
        viewer = chance.choice((0, seats - 1, None))
        worlds = {world._replace(used=()) for world in possible(history, viewer, seats, cards)}
        drawn = set()
        for attempt in range(25 + 8 * len(worlds)):
            draw = Chance(sha256(b"%d/%d" % (number, attempt)).digest())
            hearts = memory.redraw(draw, viewer, journal_of(history), seats, pile)
            hands = tuple(tuple(sorted(hand)) for hand in hearts.hands)
            drawn.add(Worlds(tuple(sorted(hearts.pile)), hands, hearts.row, (), tuple(sorted(hearts.buried))))
        assert drawn <= worlds
        possibilities += len(worlds)
        missed += len(worlds - drawn)
        reshuffled += ("shuffled",) in history
    assert reshuffled > 60
    assert missed < possibilities / 50


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
    assert Counter(DECK).total() == 70


@pytest.mark.parametrize(
    "journal",
    [memory.HEART_UP[0][Card.TRAP], memory.DRAWN[0][Card.ONE] + memory.FACE_UP[1][Card.ONE], memory.BURIED, b"\xff"],
)
def test_a_journal_that_contradicts_itself_is_noticed(journal: bytes) -> None:
    with pytest.raises(LookupError):
        memory.recall(journal, 2, ())
