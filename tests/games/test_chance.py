"""Keyed chance: what docs/chance.md specifies is what the code computes, and it is fair."""

import json
import re
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from croupier_games import Chance

DOC = (Path(__file__).parents[2] / "docs" / "chance.md").read_text(encoding="utf-8")
VECTORS: dict[str, Any] = json.loads(re.findall(r"```json\n(.*?)```", DOC, re.DOTALL)[-1])
SEED = bytes(range(32))
HALF = 2**31 + 1
"""A bound for which almost every second word is rejected."""


class Reference:
    """Keyed chance as somebody would write it who has read only docs/chance.md."""

    def __init__(self, seed: bytes, name: str) -> None:
        self.start = seed + name.encode("utf-8") + bytes([0])
        self.taken = 0

    def word(self) -> int:
        block, place = divmod(self.taken, 8)
        self.taken += 1
        digest = sha256(self.start + block.to_bytes(4, "big")).digest()
        return int.from_bytes(digest[4 * place : 4 * place + 4], "big")

    def below(self, bound: int) -> int:
        while (word := self.word()) >= 2**32 - 2**32 % bound:
            pass
        return word % bound

    def rolls(self, sides: int, count: int) -> list[int]:
        return [self.below(sides) + 1 for _ in range(count)]

    def shuffled(self, size: int, count: int) -> list[int]:
        items = list(range(size))
        for i in range(size - 1):
            if i == count:
                break
            j = i + self.below(size - i)
            items[i], items[j] = items[j], items[i]
        return items[:count]


@pytest.mark.parametrize("vector", VECTORS["draws"], ids=lambda vector: f"{vector['draw']}-{vector['name']}")
def test_the_documented_vectors_hold_for_the_code_and_for_the_reference(vector: dict[str, Any]) -> None:
    chance, reference = Chance(bytes.fromhex(vector["seed"])), Reference(bytes.fromhex(vector["seed"]), vector["name"])
    name, expected = vector["name"], vector["result"]
    if vector["draw"] == "below":
        assert chance.below(name, vector["bound"]) == expected == reference.below(vector["bound"])
    elif vector["draw"] == "rolls":
        sides, count = vector["sides"], vector["count"]
        assert list(chance.rolls(name, sides, count)) == expected == reference.rolls(sides, count)
    else:
        size, count = vector["size"], vector["count"]
        assert list(chance.shuffled(name, range(size), count)) == expected == reference.shuffled(size, count)


@pytest.mark.parametrize("vector", VECTORS["deal_seeds"], ids=lambda vector: "+".join(vector["seat_entropy"]))
def test_the_documented_deal_seeds_follow_from_the_document(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["service_seed"])
    entropy = [bytes.fromhex(each) for each in vector["seat_entropy"]]
    salt = bytes.fromhex(vector["commitment_salt"])
    assert sha256(b"croupier/commitment/1" + salt + seed).hexdigest() == vector["commitment"]
    mixed = sha256(b"croupier/deal/1" + seed + b"".join(bytes([len(each)]) + each for each in entropy)).digest()
    assert (mixed if any(entropy) else seed).hex() == vector["deal_seed"]


def test_the_worked_example_of_the_document_is_right() -> None:
    deal_seed = bytes.fromhex(VECTORS["deal_seeds"][1]["deal_seed"])
    block = sha256(deal_seed + b"deal/round/1" + bytes(5)).hexdigest()
    cards = Chance(deal_seed).shuffled("deal/round/1", "ABCDEF", 3)
    assert deal_seed.hex() in DOC
    assert block in DOC
    assert f"The cards dealt are {', '.join(cards)}." in DOC


def test_code_and_reference_agree_on_many_names() -> None:
    for number in range(300):
        name, size = f"name/{number}", 1 + number % 40
        count = number % (size + 1)
        assert Chance(SEED).below(name, HALF) == Reference(SEED, name).below(HALF)
        assert list(Chance(SEED).rolls(name, size, count)) == Reference(SEED, name).rolls(size, count)
        assert list(Chance(SEED).shuffled(name, range(size), count)) == Reference(SEED, name).shuffled(size, count)


def test_words_at_or_above_the_limit_are_passed_over() -> None:
    """The vectors hold a name whose first words, and one whose whole first block, must be rejected."""
    for name, rejected in (("reject/0", 3), ("reject/3", 8), ("reject/6", 0)):
        reference = Reference(SEED, name)
        assert all(reference.word() >= HALF for _ in range(rejected))
        assert name in {vector["name"] for vector in VECTORS["draws"]}
        draw = Chance(SEED).below(name, HALF)
        fresh = Reference(SEED, name)
        assert draw == fresh.below(HALF)
        assert fresh.taken > rejected


def test_a_draw_depends_on_its_seed_and_name_only() -> None:
    """Asking in another order, or twice, changes nothing: what a player does never shifts what is dealt later."""
    one, two = Chance(SEED), Chance(SEED)
    forward = [one.below(f"draw/{number}", 10**6) for number in range(20)]
    backward = [two.below(f"draw/{number}", 10**6) for number in reversed(range(20))]
    assert forward == backward[::-1]
    assert forward == [one.below(f"draw/{number}", 10**6) for number in range(20)]
    assert forward != [Chance(bytes(32)).below(f"draw/{number}", 10**6) for number in range(20)]


def test_a_shorter_count_is_the_beginning_of_a_longer_one() -> None:
    whole = Chance(SEED).shuffled("deal", range(30))
    assert sorted(whole) == list(range(30))
    for count in range(31):
        assert Chance(SEED).shuffled("deal", range(30), count) == whole[:count]


def chi_square(counts: Counter[Any], cells: int) -> float:
    expected = counts.total() / cells
    return sum((counts[cell] - expected) ** 2 for cell in counts) / expected + expected * (cells - len(counts))


def test_numbers_are_uniform() -> None:
    """6,000 draws in 6 cells: chi-square has 5 degrees of freedom, 20.5 is its 99.9 % point."""
    chance = Chance(SEED)
    assert chi_square(Counter(chance.below(f"uniform/{number}", 6) for number in range(6000)), 6) < 20.5
    assert chi_square(Counter(chance.rolls("uniform", 6, 6000)), 6) < 20.5


def test_numbers_are_uniform_where_much_is_rejected() -> None:
    """With the bound 3 * 2^30 one word in four is rejected: its thirds have 2 degrees of freedom, 99.9 % point 13.8."""
    bound = 3 * 2**30
    thirds = Counter(Chance(SEED).below(f"third/{number}", bound) * 3 // bound for number in range(3000))
    assert chi_square(thirds, 3) < 13.8


def test_every_order_is_equally_likely() -> None:
    """4,800 shuffles of 4 items in 24 orders: 23 degrees of freedom, 49.7 is the 99.9 % point."""
    orders = Counter(Chance(SEED).shuffled(f"order/{number}", "ABCD") for number in range(4800))
    assert len(orders) == 24
    assert chi_square(orders, 24) < 49.7


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
def test_a_bound_out_of_range_is_an_error(bound: int) -> None:
    with pytest.raises(ValueError, match="a bound is 1 to"):
        Chance(SEED).below("bound", bound)


def test_the_least_and_the_greatest_bound_are_taken() -> None:
    assert Chance(SEED).below("bound", 1) == 0
    assert Chance(SEED).below("bound", 2**32) == Reference(SEED, "bound").word()


@pytest.mark.parametrize("count", [-1, 4])
def test_a_count_that_the_items_do_not_give_is_an_error(count: int) -> None:
    with pytest.raises(ValueError, match="0 to 3"):
        Chance(SEED).shuffled("deal", "ABC", count)


def test_nothing_and_one_thing_can_be_shuffled() -> None:
    assert Chance(SEED).shuffled("deal", ()) == ()
    assert Chance(SEED).shuffled("deal", "A") == ("A",)
    assert Chance(SEED).rolls("roll", 6, 0) == ()


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_seed_of_another_length_is_an_error(size: int) -> None:
    with pytest.raises(ValueError, match="a seed has 32 bytes"):
        Chance(bytes(size))
