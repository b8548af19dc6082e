"""The final score: TEN-6.3, TEN-6.4. Every joker stands where it helps most, exactly."""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any

import pytest

from croupier_games.ten.data import COLOUR_JOKERS, COLOURS, DIGITS, FULL_JOKER, LARGE, Card, Colour, Kind
from croupier_games.ten.scoring import Score, best_score

ALL_NUMBERS = [card for card in LARGE if card.kind is Kind.NUMBER]
ALL_JOKERS = [card for card in LARGE if card.kind is Kind.JOKER]


def runs(digits: int) -> int:
    """The length of the longest run in a set of digits, bit 0 being the digit 1."""
    return max(map(len, f"{digits:b}".split("0")))


LONGEST = [runs(digits) for digits in range(512)]


def rated(lengths: Sequence[int]) -> tuple[int, int]:
    """What is compared: points, then fewer cards."""
    points = sum(length + (length == 9) for length in lengths)
    return points, -sum(lengths)


def every_assignment(numbers: Sequence[Card], jokers: Sequence[Card]) -> tuple[int, int]:
    """The best of all ways to let every joker stand for something."""
    places = []
    for joker in jokers:
        colours = [joker.colour] if joker.colour else COLOURS
        digits = [joker.value] if joker.value else DIGITS
        places.append([(colour - 1, 1 << (digit - 1)) for colour, digit in product(colours, digits)])
    owned = [0, 0, 0, 0]
    for card in numbers:
        owned[card.colour - 1] |= 1 << (card.value - 1)
    best = (-1, 0)
    for assignment in product(*places):
        sets = list(owned)
        for colour, digit in assignment:
            sets[colour] |= digit
        best = max(best, rated([LONGEST[digits] for digits in sets]))
    return best


def every_share(numbers: Sequence[Card], jokers: Sequence[Card]) -> tuple[int, int]:
    """The best of all ways to give the jokers to colours; what a colour makes of its own is looked up."""
    owned = {colour: sum({1 << (card.value - 1) for card in numbers if card.colour is colour}) for colour in COLOURS}
    shared = [joker for joker in jokers if not joker.colour]
    best = (-1, 0)
    for colours in product(COLOURS, repeat=len(shared)):
        sets = dict(owned)
        wild = {colour: jokers.count(COLOUR_JOKERS[colour]) for colour in COLOURS}
        for colour, joker in zip(colours, shared, strict=True):
            if joker.value:
                sets[colour] |= 1 << (joker.value - 1)
            else:
                wild[colour] += 1
        best = max(best, rated([with_wild(sets[colour], wild[colour]) for colour in COLOURS]))
    return best


def every_division(numbers: Sequence[Card], jokers: Sequence[Card]) -> tuple[int, int]:
    """The same for many jokers, colour by colour: what those so far make of some jokers, and the next of the rest."""
    shared = [joker for joker in jokers if not joker.colour]
    every = range(1 << len(shared))
    best = [0] * len(every)
    for colour in COLOURS:
        owned = sum({1 << (card.value - 1) for card in numbers if card.colour is colour})
        alone = []
        for given in every:
            got = [joker.value for place, joker in enumerate(shared) if given >> place & 1]
            digits = owned | sum(1 << (digit - 1) for digit in got if digit and not owned >> (digit - 1) & 1)
            points, fewer = rated([with_wild(digits, got.count(0) + jokers.count(COLOUR_JOKERS[colour]))])
            alone.append(100 * points + fewer)
        best = [max(best[given ^ part] + alone[part] for part in parts(given)) for given in every]
    points = -(-best[-1] // 100)
    return points, best[-1] - 100 * points


def parts(given: int) -> list[int]:
    """All subsets of a set of bits."""
    found = [0]
    while (part := (found[-1] - given) & given) != 0:
        found.append(part)
    return found


WILD: dict[tuple[int, int], int] = {}


def with_wild(digits: int, wild: int) -> int:
    """The longest run in a set of digits and so many more of choice."""
    if wild == 0:
        return LONGEST[digits]
    if (digits, wild) not in WILD:
        WILD[digits, wild] = max(with_wild(digits | 1 << digit, wild - 1) for digit in range(9))
    return WILD[digits, wild]


def check_runs(score: Score, numbers: Sequence[Card], jokers: Sequence[Card]) -> None:
    """The runs can be laid out with the cards at hand, each joker in one place."""
    assert len({run.colour for run in score.runs}) == len(score.runs)
    used = Counter(joker for run in score.runs for _, joker in run.stand_ins)
    assert not used - Counter(jokers)
    for run in score.runs:
        owned = {card.value for card in numbers if card.colour is run.colour}
        filled = {digit for digit, _ in run.stand_ins}
        assert len(filled) == len(run.stand_ins)
        assert not filled & owned
        assert filled <= set(range(run.first, run.last + 1)) <= filled | owned
        for digit, joker in run.stand_ins:
            assert joker.colour in (Colour.NONE, run.colour)
            assert joker.value in (0, digit)


def ways(joker: Card) -> int:
    return (1 if joker.colour else 4) * (1 if joker.value else 9)


@pytest.mark.rule("TEN-6.3")
@pytest.mark.parametrize("part", range(4))
def test_the_assignment_is_the_best_of_all(part: int) -> None:
    """Against every way to assign the jokers of thousands of small hands."""
    chance = Random(part)
    for _ in range(1000):
        numbers = chance.sample(ALL_NUMBERS, chance.randrange(18))
        jokers: list[Card] = []
        for joker in chance.sample(ALL_JOKERS, 5):
            if ways(joker) * len(list(product(*[range(ways(other)) for other in jokers]))) <= 600:
                jokers.append(joker)
        score = best_score(numbers, jokers)
        assert (score.points, -score.cards_used) == every_assignment(numbers, jokers), (numbers, jokers)
        check_runs(score, numbers, jokers)


@pytest.mark.rule("TEN-6.3")
def test_hands_of_any_size_are_scored_exactly() -> None:
    """Many cards and up to 13 jokers, against every way to share out those that fit several colours."""
    chance = Random(9)
    for _ in range(150):
        numbers = chance.sample(ALL_NUMBERS, chance.randrange(0, 40))
        digit_jokers = [joker for joker in ALL_JOKERS if joker.value]
        shared = [*chance.sample(digit_jokers, chance.randrange(5)), *chance.choice([[], [FULL_JOKER]])]
        jokers = shared + chance.sample([joker for joker in ALL_JOKERS if joker.colour], chance.randrange(9))
        score = best_score(numbers, jokers)
        assert (score.points, -score.cards_used) == every_share(numbers, jokers), (numbers, jokers)
        check_runs(score, numbers, jokers)


CONTESTED = [
    # Nearly all jokers that fit several colours, which want much the same of them: the longest searches.
    ("O1 O3 O5 O7 O9", "?# ?1 ?2 ?3 ?4 ?5 ?6 ?7 ?9"),
    ("B1 B4 B6 B8 O4 O6", "?# ?1 ?2 ?3 ?4 ?5 ?6 ?7 ?8"),
    ("B2 B4 G2 G4 O7 P7", "?# ?1 ?2 ?3 ?4 ?5 ?6 ?7 ?8"),
    ("B4 B6 G2 G8 O2 O6 O8 P4 P6 P8", "?# ?2 ?3 ?4 ?5 ?6 ?7 ?8 ?9"),
    ("B4 B8 G4 G8 O4 O8 P4 P8", "?# ?1 ?2 ?3 ?4 ?5 ?6 ?7 ?8 B# G# P#"),
    ("B5 B9 G1 G4 O1 O4 O9 P1 P5", "?# ?1 ?2 ?3 ?4 ?5 ?6 ?7 ?8 ?9 B# O# P#"),
    ("B1 B6 B7 G4 G5 G6 O1 O6 P2 P9", "?# ?1 ?2 ?3 ?4 ?5 ?6 ?7 ?8 ?9 B# B# G# G# O# O# P# P#"),
]


@pytest.mark.rule("TEN-6.3")
@pytest.mark.parametrize(("numbers", "jokers"), CONTESTED)
def test_contested_jokers_are_assigned_exactly(ten: Any, numbers: str, jokers: str) -> None:
    held, wild = ten.cards(numbers), ten.cards(jokers)
    score = best_score(held, wild)
    assert (score.points, -score.cards_used) == every_division(held, wild)
    check_runs(score, held, wild)


@pytest.mark.rule("TEN-6.3")
def test_hands_with_most_of_the_jokers_are_scored_exactly() -> None:
    """Seven to nine jokers that fit several colours, against every way to divide them."""
    chance = Random(4)
    anywhere = [joker for joker in ALL_JOKERS if not joker.colour]
    bound = [joker for joker in ALL_JOKERS if joker.colour]
    for _ in range(40):
        numbers = chance.sample(ALL_NUMBERS, chance.randrange(25))
        jokers = chance.sample(anywhere, chance.randrange(7, 10)) + chance.sample(bound, chance.randrange(5))
        score = best_score(numbers, jokers)
        assert (score.points, -score.cards_used) == every_division(numbers, jokers), (numbers, jokers)
        check_runs(score, numbers, jokers)


@pytest.mark.rule("TEN-6.3", "TEN-6.4")
def test_all_cards_of_the_game_make_four_full_runs_without_a_joker() -> None:
    score = best_score(ALL_NUMBERS, ALL_JOKERS)
    assert (score.points, score.full_runs, score.cards_used) == (40, 4, 36)
    assert all(run.stand_ins == () for run in score.runs)


@pytest.mark.rule("TEN-6.3", "TEN-6.4")
def test_jokers_alone_may_form_runs(ten: Any) -> None:
    """All 18: one full run of the digits, two of each other colour, the full joker anywhere."""
    assert best_score((), ALL_JOKERS).points == 19
    assert best_score((), ten.cards("?4")).points == 1
    assert best_score((), ten.cards("?4 B# ?6")).points == 3


@pytest.mark.rule("TEN-6.3")
def test_equal_points_are_made_with_fewer_cards(ten: Any) -> None:
    """A full run is 10 points from 9 cards, better than 10 points from 10."""
    score = best_score(ten.cards("B1 B2 B3 B4 B5 B6 B7 B8 G2"), ten.cards("?9 ?1"))
    assert (score.points, score.full_runs, score.cards_used) == (12, 1, 11)
    tie = best_score(ten.cards("B2 B3 B4 B5 B6 B7 B8 B9 G2 G4"), ten.cards("?#"))
    assert (tie.points, tie.full_runs, tie.cards_used) == (11, 1, 10)
    instead = best_score(ten.cards("B2 B3 B4 B5 B6 B7 B8 B9 G1 G2 G4 G5"), ten.cards("?#"))
    assert (instead.points, instead.full_runs, instead.cards_used) == (13, 0, 13)


@pytest.mark.rule("TEN-6.3")
def test_cards_used_are_points_less_full_runs(ten: Any) -> None:
    chance = Random(2)
    for _ in range(200):
        score = best_score(chance.sample(ALL_NUMBERS, 30), chance.sample(ALL_JOKERS, 5))
        assert score.cards_used == score.points - score.full_runs


@pytest.mark.rule("TEN-6.3")
def test_each_joker_serves_one_colour_and_digit(ten: Any) -> None:
    """The digit joker joins the pieces of one colour only."""
    numbers = ten.cards("B1 B3 G1 G3")
    assert best_score(numbers, ten.cards("?2")).points == 4
    assert best_score(numbers, ten.cards("?2 ?#")).points == 6
    assert best_score(numbers, ten.cards("B#")).points == 4
    assert best_score(numbers, ten.cards("O#")).points == 3


@pytest.mark.rule("TEN-6.4")
@pytest.mark.parametrize(
    ("numbers", "points"),
    [
        ("", 0),
        ("B5", 1),  # a single card is a run of 1
        ("B5 B5 B5", 1),  # copies count once
        ("B1 B9", 1),  # 9 and 1 are not adjacent
        ("B1 B2 B8 B9", 2),  # only one run counts
        ("B1 B2 B4 B5 B6", 3),  # the longest one
        ("B1 B2 B3 B4 B5 B6 B7 B8", 8),
        ("B1 B2 B3 B4 B5 B6 B7 B8 B9", 10),  # a full run
        ("B1 G2 O3 P4", 4),  # every colour for itself
    ],
)
def test_a_point_for_every_card_in_the_longest_run_of_each_colour(ten: Any, numbers: str, points: int) -> None:
    assert best_score(ten.cards(numbers), ()).points == points


@pytest.mark.rule("TEN-6.4")
def test_the_scoring_sheet_of_the_rulebook(ten: Any) -> None:
    """Runs of 6, 9, 5 and 3 are worth 6 + 10 + 5 + 3 = 24 points."""
    numbers = "B1 B2 B3 B4 B6 G1 G2 G3 G4 G5 G6 G7 G8 P3 P4 P5 P6 P7 O1 O2 O3 O7 O8 O8"
    score = best_score(ten.cards(numbers), ten.cards("?5 G#"))
    assert [(run.colour.words, run.length, run.points) for run in score.runs] == [
        ("blue", 6, 6),
        ("green", 9, 10),
        ("orange", 3, 3),
        ("pink", 5, 5),
    ]
    assert (score.points, score.cards_used) == (24, 23)
    assert list(map(str, score.runs)) == [
        "blue 1-6 for 6 points with ?5 as 5",
        "green 1-9 for 10 points with G# as 9",
        "orange 1-3 for 3 points",
        "pink 3-7 for 5 points",
    ]


@pytest.mark.rule("TEN-6.3")
def test_the_full_joker_goes_where_no_other_fits(ten: Any) -> None:
    score = best_score(ten.cards("B1 B3 G5 G7"), ten.cards("?# ?2"))
    assert list(map(str, score.runs)) == ["blue 1-3 for 3 points with ?2 as 2", "green 5-7 for 3 points with ?# as 6"]


def test_a_score_does_not_depend_on_the_order_of_the_cards(ten: Any) -> None:
    chance = Random(6)
    numbers, jokers = chance.sample(ALL_NUMBERS, 20), chance.sample(ALL_JOKERS, 8)
    expected = best_score(sorted(numbers), sorted(jokers))
    for _ in range(20):
        chance.shuffle(numbers)
        chance.shuffle(jokers)
        assert best_score(numbers, jokers) == expected
