"""What is printed on tiles and tokens, and how a session is given another table: CHR-D1 to CHR-D3."""

import re
from collections import Counter
from itertools import permutations
from typing import Any

import pytest

from croupier_games.chain_reaction import CHAIN_REACTION
from croupier_games.chain_reaction.data import LONGEST_TABLE, RINGS, TABLE, Colour, Symbol
from croupier_games.chain_reaction.table import BUILT_IN, WITHOUT_TOKENS, read_table, without_tokens
from croupier_games.errors import OptionError

WANTED = {1: (6, 6, 6, 5), 2: (6, 6, 5, 6), 3: (6, 5, 6, 5), 4: (5, 6, 5, 6)}
TOKENS = {
    "1234=15": 4, "111=8": 1, "222=11": 1, "333=14": 1, "444=17": 1, "1111=12": 1, "2222=16": 1, "3333=20": 1,
    "4444=24": 1, "1122=10": 1, "1133=12": 1, "2244=16": 1, "3344=18": 1, "123=9": 2, "234=12": 2,
}  # fmt: skip


@pytest.mark.rule("CHR-D1")
def test_there_is_one_tile_for_each_ring_of_four_different_symbols_out_of_six() -> None:
    every = list(permutations(Symbol, 4))
    turned = {frozenset(ring[turn:] + ring[:turn] for turn in range(4)) for ring in every}
    assert len(every) == 360
    assert len(turned) == len(RINGS) == 90
    assert {frozenset(ring[turn:] + ring[:turn] for turn in range(4)) for ring in RINGS} == turned
    assert [tile[:4] for tile in read_table(TABLE).tiles] == list(RINGS)
    assert all(tile.top == min(tile[:4]) for tile in read_table(TABLE).tiles)


@pytest.mark.rule("CHR-D1", "CHR-D2")
def test_numbers_come_in_each_colour_as_often_as_reconstructed() -> None:
    tiles = read_table(TABLE).tiles
    counts = Counter((tile.number, tile.colour) for tile in tiles)
    assert {number: tuple(counts[number, colour] for colour in Colour) for number in (1, 2, 3, 4)} == WANTED
    assert len(counts) == 16


@pytest.mark.rule("CHR-D2")
def test_the_faces_are_dealt_to_the_rings_diagonally() -> None:
    diagonal = [(number, Colour((number - 1 + shift) % 4 + 1)) for shift in range(4) for number in (1, 2, 3, 4)]
    last = [(number, colour) for number, colour in diagonal if WANTED[number][colour - 1] == 6]
    assert [(tile.number, tile.colour) for tile in read_table(TABLE).tiles] == diagonal * 5 + last


@pytest.mark.rule("CHR-D2")
def test_the_faces_are_spread_evenly_over_the_symbols() -> None:
    tiles = read_table(TABLE).tiles
    for symbol in Symbol:
        bearing = [tile for tile in tiles if symbol in tile[:4]]
        assert len(bearing) == 60
        for counts in (Counter(tile.number for tile in bearing), Counter(tile.colour for tile in bearing)):
            assert all(13 <= count <= 17 for count in counts.values())


@pytest.mark.rule("CHR-D3")
def test_there_are_20_bonus_tokens_and_a_secret_colour_per_colour(chr_: Any) -> None:
    tokens = read_table(TABLE).tokens
    assert len(tokens) == 20
    assert Counter(map(str, tokens)) == TOKENS
    assert list(tokens) == sorted(tokens)
    assert sorted(chr_.open(4).colours) == list(Colour)


def test_a_session_plays_with_the_table_it_is_given(chr_: Any) -> None:
    """The same deal of the same rings, with other numbers, colours and tokens on them."""
    other = BUILT_IN.replace("ABCD 1r", "ABCD 4y").replace("1234=15x4", "1234=15 1234=14 11=2")
    usual, changed = chr_.open(3, 5), chr_.open(3, 5, table=other)
    assert changed.options["table"] == other
    assert [str(token) for token in changed.supply.tokens if token.numbers in ((1, 1), (1, 2, 3, 4))] == [
        "11=2", "1234=14", "1234=15",
    ]  # fmt: skip

    def everywhere(state: Any) -> list[Any]:
        return [tile for column in state.columns for tile in column.tiles] + [*state.hands, *state.stack]

    differing = [(one, two) for one, two in zip(everywhere(usual), everywhere(changed), strict=True) if one != two]
    assert [(one[:4] == two[:4], one.number, two.number, two.colour) for one, two in differing] == [
        (True, 1, 4, Colour.YELLOW)
    ]


def test_a_table_may_come_in_any_order_and_layout() -> None:
    lines = TABLE.strip().splitlines()
    assert read_table("\n\n  ".join(reversed(lines))) == read_table(TABLE)
    assert read_table("\t".join(TABLE.split())) == read_table(TABLE)
    assert read_table(WITHOUT_TOKENS).tiles == read_table(TABLE).tiles
    assert read_table(WITHOUT_TOKENS).tokens == ()


def test_a_corrected_table_still_gives_one_without_tokens() -> None:
    """Whatever tokens the built-in table is given, and wherever they stand in it."""
    for text in (TABLE, "1234=15x4 111=8\n" + WITHOUT_TOKENS, WITHOUT_TOKENS + " 11=5 44=9", WITHOUT_TOKENS):
        assert without_tokens(text) == WITHOUT_TOKENS


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (BUILT_IN.replace("CDEF", "CDEG"), "'CDEG'"),
        (BUILT_IN.replace("CDEF", "FEDC"), "'FEDC'"),
        (BUILT_IN.replace("CDEF", "ABCD"), "'ABCD'"),
        (BUILT_IN.replace(" 2r 1234", " 1234"), "5 tiles of CDEF"),
        (BUILT_IN.replace(" 2r 1234", " 2r 2r 1234"), "7 tiles of CDEF"),
        (BUILT_IN.partition("CDEF")[0], "0 tiles of CDEF"),
        ("1r " + BUILT_IN, "'1r'"),
        (BUILT_IN + " 5r", "'5r'"),
        (BUILT_IN + " 1p", "'1p'"),
        (BUILT_IN + " 1R", "'1R'"),
        (BUILT_IN + " 4321=9", "ascend when written 1234"),
        (BUILT_IN + " 1=9", "'1=9'"),
        (BUILT_IN + " 1111111=9", "'1111111=9'"),
        (BUILT_IN + " 111=0", "'111=0'"),
        (BUILT_IN + " 111=100", "'111=100'"),
        (BUILT_IN + " 111=9x0", "'111=9x0'"),
        (BUILT_IN + " 111=9x21", "41 bonus tokens, where 40 is the most"),
        (BUILT_IN + " 111=９", "'111=９'"),
        (BUILT_IN + " " + "z" * 500, "'zzzzzzzzzzzzzzzzzzzz'"),
        ("no table", "'no'"),
    ],
)
def test_another_table_is_refused_with_what_is_wrong(wrong: str, says: str) -> None:
    with pytest.raises(OptionError, match="option 'table' takes each set of symbols") as refused:
        CHAIN_REACTION.new(seats=2, options={"table": wrong}, seed=bytes(32))
    assert says in str(refused.value)
    assert len(str(refused.value)) < 300


def test_a_table_that_is_too_long_is_refused() -> None:
    for text in (BUILT_IN + " " * LONGEST_TABLE, ""):
        with pytest.raises(OptionError, match="'table' takes a text of 1 to 2000 characters"):
            CHAIN_REACTION.check(2, {"table": text})
    with pytest.raises(OptionError, match="at most 2000 characters"):
        read_table(" " * 2001)


def test_the_largest_table_that_is_taken_fits_the_length() -> None:
    longest = WITHOUT_TOKENS + "".join(f" 123444={99 - number}x1" for number in range(40))
    assert len(read_table(longest).tokens) == 40
    assert len(longest) < LONGEST_TABLE


def test_the_catalog_offers_the_table_in_force_to_start_from() -> None:
    [option] = [option for option in CHAIN_REACTION.options if option.name == "table"]
    assert read_table(option.examples[0]) == read_table(TABLE)
    assert re.fullmatch(r"[A-F1-4rgby0-9=x ]+", option.examples[0])
