"""`resample`: a state that the seat, remembering all it has seen, cannot tell from the real one.

The proof is by replay: for the resampled state there is a whole play, with other shuffles and other cards laid heart
up, through which the seat sees and hears exactly what it has seen and heard."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

import pytest

from croupier_games.chance import Chance
from croupier_games.seventeen import SEVENTEEN, memory
from croupier_games.seventeen.actions import LAYS, Lay
from croupier_games.seventeen.data import HEARTS, Card
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
