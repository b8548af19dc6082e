"""The chain reaction on small hand-made boards: CHR-2.1 to CHR-2.7.

The placed tile is mostly ABCD: A on top, B right, C below, D left. So EDEE matches on its left, EEEB on its right, CEEE
below it, and EEEE nowhere. Columns are listed from the floor up.
"""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier_games.chain_reaction.data import Colour, Symbol, Tile
from croupier_games.chain_reaction.reaction import Column, Side, Take, react, turns, upright
from croupier_games.chain_reaction.view import TilePlaced, TileTaken
from croupier_games.errors import IllegalAction

BOARDS = {
    "nothing matches": (
        [["EEEE"], ["EEEE"], ["EEEE"], [], []], 2,
        [["EEEE"], ["EEEE", "ABCD"], ["EEEE"], [], []],
        [],
    ),
    "one on the left": (
        [["EEEE", "EDEE"], ["EEEE"], ["EEEE"], [], []], 2,
        [["EEEE"], ["EEEE", "ABCD"], ["EEEE"], [], []],
        ["LEFT 1.2 EDEE"],
    ),
    "one on the right": (
        [["EEEE"], ["EEEE"], ["EEEE", "EEEB"], [], []], 2,
        [["EEEE"], ["EEEE", "ABCD"], ["EEEE"], [], []],
        ["RIGHT 3.2 EEEB"],
    ),
    "one below": (
        [["EEEE"], ["EEEE", "CEEE"], ["EEEE"], [], []], 2,
        [["EEEE"], ["EEEE", "ABCD"], ["EEEE"], [], []],
        ["BELOW 2.2 CEEE"],
    ),
    "tiles fall and are taken one after another": (
        [["EEEE", "ADEE", "BDEE", "CDEE", "FEFF", "EDEE"], ["EEEE"], [], [], []], 2,
        [["EEEE", "FEFF", "EDEE"], ["EEEE", "ABCD"], [], [], []],
        ["LEFT 1.2 ADEE", "LEFT 1.2 BDEE", "LEFT 1.2 CDEE"],
    ),
    "the same on the right": (
        [[], ["EEEE"], ["EEEE", "AEEB", "BEEB", "FFFF", "CEEB"], [], []], 2,
        [[], ["EEEE", "ABCD"], ["EEEE", "FFFF", "CEEB"], [], []],
        ["RIGHT 3.2 AEEB", "RIGHT 3.2 BEEB"],
    ),
    "left before right before below": (
        [["EEEE", "EDEE"], ["CEEE"], ["EEEE", "EEEB"], [], []], 2,
        [["EEEE"], ["ABCD"], ["EEEE"], [], []],
        ["LEFT 1.2 EDEE", "RIGHT 3.2 EEEB", "BELOW 2.1 CEEE"],
    ),
    "all of the left before the first on the right": (
        [["ADEE", "BDEE", "EEEE"], [], ["AEEB", "BEEB"], [], []], 2,
        [["EEEE"], ["ABCD"], [], [], []],
        ["LEFT 1.1 ADEE", "LEFT 1.1 BDEE", "RIGHT 3.1 AEEB", "RIGHT 3.1 BEEB"],
    ),
    "a drop opens new matches, and the left comes first again": (
        [["EEEE", "EDEE", "EEEE"], ["EEEE", "CEEE"], ["EEEE", "EEEB", "FEEB"], [], []], 2,
        [["EEEE", "EEEE"], ["EEEE", "ABCD"], ["EEEE"], [], []],
        ["RIGHT 3.3 FEEB", "BELOW 2.2 CEEE", "LEFT 1.2 EDEE", "RIGHT 3.2 EEEB"],
    ),
    "what fell into place at one height is looked at from the next": (
        [["BDEE", "ADEE", "EEEE"], ["CEEE"], [], [], []], 2,
        [["EEEE"], ["ABCD"], [], [], []],
        ["LEFT 1.2 ADEE", "BELOW 2.1 CEEE", "LEFT 1.1 BDEE"],
    ),
    "the placed tile falls to the floor": (
        [["EEEE", "EDEE", "EEEE"], ["CFEE", "CEEE"], ["EEEE", "EEEE", "EEEE"], [], []], 2,
        [["EEEE", "EEEE"], ["ABCD"], ["EEEE", "EEEE", "EEEE"], [], []],
        ["BELOW 2.2 CEEE", "LEFT 1.2 EDEE", "BELOW 2.1 CFEE"],
    ),
    "on the floor there is nothing below": (
        [["EDEE"], [], ["EEEB"], [], []], 2,
        [[], ["ABCD"], [], [], []],
        ["LEFT 1.1 EDEE", "RIGHT 3.1 EEEB"],
    ),
    "nothing is left of column 1": (
        [["CEEE"], ["EEEE", "EEEB"], [], [], ["EDEE", "EDEE"]], 1,
        [["ABCD"], ["EEEE"], [], [], ["EDEE", "EDEE"]],
        ["RIGHT 2.2 EEEB", "BELOW 1.1 CEEE"],
    ),
    "nothing is right of column 5": (
        [["EEEB", "EEEB"], [], [], ["EEEE", "EDEE"], ["CEEE"]], 5,
        [["EEEB", "EEEB"], [], [], ["EEEE"], ["ABCD"]],
        ["LEFT 4.2 EDEE", "BELOW 5.1 CEEE"],
    ),
    "lower columns have no neighbour to take": (
        [["EDEE"], ["EEEE"], ["EEEB"], [], []], 2,
        [["EDEE"], ["EEEE", "ABCD"], ["EEEB"], [], []],
        [],
    ),
    "a lower column becomes a neighbour after a drop": (
        [["EDEE"], ["CEEE"], ["EEEE", "EEEB"], [], []], 2,
        [[], ["ABCD"], ["EEEE"], [], []],
        ["RIGHT 3.2 EEEB", "BELOW 2.1 CEEE", "LEFT 1.1 EDEE"],
    ),
    "tiles above and below the neighbour stay": (
        [["EDEE", "EDEE", "EEEE", "EDEE"], ["EEEE", "EEEE"], [], [], []], 2,
        [["EDEE", "EDEE", "EEEE", "EDEE"], ["EEEE", "EEEE", "ABCD"], [], [], []],
        [],
    ),
    "a column that runs out does not stop the reaction": (
        [["EDEE"], ["CEEE"], ["EEEB", "FEEB"], [], []], 2,
        [[], ["ABCD"], [], [], []],
        ["RIGHT 3.2 FEEB", "BELOW 2.1 CEEE", "LEFT 1.1 EDEE", "RIGHT 3.1 EEEB"],
    ),
    "both neighbouring columns run out": (
        [["ADEE", "BDEE"], ["CEEE"], ["EEEB"], [], []], 2,
        [[], ["ABCD"], [], [], []],
        ["LEFT 1.2 BDEE", "BELOW 2.1 CEEE", "LEFT 1.1 ADEE", "RIGHT 3.1 EEEB"],
    ),
    "matches between other tiles mean nothing": (
        [["FFFF", "FDFF", "FFFF"], ["FFFF"], ["FFFF", "FFFF"], ["FFFF", "FFFF"], []], 2,
        [["FFFF", "FFFF"], ["FFFF", "ABCD"], ["FFFF", "FFFF"], ["FFFF", "FFFF"], []],
        ["LEFT 1.2 FDFF"],
    ),
    "only touching edges count": (
        [["EEEE", "DADD"], ["DDDC"], ["EEEE", "BBBA"], [], []], 2,
        [["EEEE", "DADD"], ["DDDC", "ABCD"], ["EEEE", "BBBA"], [], []],
        [],
    ),
    "columns two away are no neighbours": (
        [["EEEE", "EDEE"], ["EEEE"], ["EEEE"], ["EEEE"], ["EEEE", "EEEB"]], 3,
        [["EEEE", "EDEE"], ["EEEE"], ["EEEE", "ABCD"], ["EEEE"], ["EEEE", "EEEB"]],
        [],
    ),
}  # fmt: skip


@pytest.mark.rule("CHR-2.2", "CHR-2.3", "CHR-2.4", "CHR-2.5", "CHR-2.6", "CHR-3.1")
@pytest.mark.parametrize("board", BOARDS)
def test_a_reaction_goes_as_numbered(chr_: Any, board: str) -> None:
    before, column, after, takes = BOARDS[board]
    assert chr_.take_all(before, column, "ABCD") == (after, takes)


def slowly(columns: tuple[Column, ...], column: int, tile: Tile) -> tuple[tuple[Column, ...], list[Take]]:
    """The rules once more, on a map of places: neighbours are looked up, and what hangs in the air falls."""
    places = {(x, y): lying for x, one in enumerate(columns, 1) for y, lying in enumerate(one.tiles, 1)}
    height = len(columns[column - 1].tiles) + 1
    places[column, height] = tile
    takes = []

    def match() -> tuple[Side, int, int] | None:
        sides = [
            (Side.LEFT, column - 1, height, tile.left, "right"),
            (Side.RIGHT, column + 1, height, tile.right, "left"),
            (Side.BELOW, column, height - 1, tile.bottom, "top"),
        ]
        for side, x, y, symbol, edge in sides:
            if (x, y) in places and getattr(places[x, y], edge) is symbol:
                return side, x, y
        return None

    while found := match():
        side, x, y = found
        takes.append(Take(side, x, y, places.pop((x, y))))
        while (x, y + 1) in places:
            places[x, y] = places.pop((x, y + 1))
            y += 1
        height -= side is Side.BELOW
    heights = [sum(x == number for x, _ in places) for number in range(1, 6)]
    after = [tuple(places[x, y] for y in range(1, heights[x - 1] + 1)) for x in range(1, 6)]
    return tuple(map(Column, after)), takes


@pytest.mark.rule("CHR-2.3", "CHR-2.4", "CHR-2.5", "CHR-2.6")
@settings(max_examples=300, deadline=None)
@given(data=st.data(), symbols=st.integers(2, 6), column=st.integers(1, 5))
def test_any_board_reacts_as_the_rules_say_slowly(data: Any, symbols: int, column: int) -> None:
    """Few symbols make long reactions. The slow rules look at all sides anew after every take: it is the same."""
    edge = st.sampled_from(list(Symbol)[:symbols])
    tile = st.builds(Tile, edge, edge, edge, edge, st.integers(1, 4), st.sampled_from(Colour))
    board = tuple(Column(tuple(data.draw(st.lists(tile, max_size=7)))) for _ in range(5))
    placed = data.draw(tile)
    after, takes = react(board, column, placed)
    assert (after, takes) == slowly(board, column, placed)
    touched = {take.column for take in takes} | {column}
    assert all((after[x - 1] is board[x - 1]) == (x not in touched) for x in range(1, 6))


@pytest.mark.rule("CHR-2.1")
def test_a_tile_may_be_put_on_any_column_in_any_rotation(chr_: Any) -> None:
    state = chr_.lay(hand="ADCF")
    assert chr_.legal(state) == [f"{column}{top}" for column in range(1, 6) for top in "ACDF"]
    for action in state.legal(0):
        after = state.clone()
        after.play(0, action)
        lying = after.columns[action.column - 1].tiles[-1]
        assert lying.top is action.top
        assert lying in turns(state.hands[0])


@pytest.mark.rule("CHR-2.1", "CHR-2.2")
@pytest.mark.parametrize(("top", "lies"), [("A", "ADCF"), ("D", "DCFA"), ("C", "CFAD"), ("F", "FADC")])
def test_symbols_follow_the_top_one_clockwise_as_on_the_tile(chr_: Any, top: str, lies: str) -> None:
    state = chr_.say(chr_.lay(hand="ADCF"), f"0 3{top}")
    assert state.columns[2].tiles[-1] == chr_.tile(lies)


@pytest.mark.rule("CHR-2.1")
@pytest.mark.parametrize("notation", ["3B", "3E", "1B"])
def test_a_symbol_that_the_tile_does_not_have_cannot_be_on_top(chr_: Any, notation: str) -> None:
    state = chr_.lay(hand="ADCF")
    before = state.save()
    with pytest.raises(IllegalAction, match="one of the tile's symbols on top"):
        chr_.say(state, f"0 {notation}")
    assert state.save() == before


@pytest.mark.rule("CHR-2.2", "CHR-2.5", "CHR-2.7")
def test_a_turn_that_takes_five_tiles(chr_: Any) -> None:
    """The rulebook shows a turn that collects five tiles; its board is not in the text, so this is one of ours."""
    columns = [
        ["AEBD", "DCEB", "ECBF"],
        ["EABD", "FADE"],
        ["CBFA", "EBCA", "FDBA"],
        ["DCBA"],
        ["EDCB"],
    ]
    state = chr_.say(chr_.lay(columns, hand="DAFC"), "0 2D")  # D on top, A right, F below, C left
    tile = chr_.tile
    taken = [
        TileTaken(0, Side.LEFT, 1, 3, tile("ECBF")),
        TileTaken(0, Side.RIGHT, 3, 3, tile("FDBA")),
        TileTaken(0, Side.BELOW, 2, 2, tile("FADE")),
        TileTaken(0, Side.LEFT, 1, 2, tile("DCEB")),
        TileTaken(0, Side.RIGHT, 3, 2, tile("EBCA")),
    ]
    assert [event.what for event in state.events[:6]] == [TilePlaced(0, 2, 3, tile("DAFC")), *taken]
    assert [column.tiles for column in state.columns] == [
        (tile("AEBD"),),
        (tile("EABD"), tile("DAFC")),
        (tile("CBFA"),),
        (tile("DCBA"),),
        (tile("EDCB"),),
    ]
    collected = state.view(None).players[0].tiles
    assert collected == tuple(upright(take.tile) for take in taken)
    assert state.view(1).players[0].tiles is collected


@pytest.mark.rule("CHR-2.2")
def test_left_is_the_lower_number_for_every_seat(chr_: Any) -> None:
    columns = [["DCEB"], [], ["EBCA"], ["DCBA"], ["EDCB"]]
    columns[1] = ["EABD"]
    columns[0].append("ECBF")
    for seat in (0, 1):
        state = chr_.lay(columns, hand="DAFC", turn=seat)
        chr_.say(state, f"{seat} 2D")
        assert [event.what[1:4] for event in state.events if isinstance(event.what, TileTaken)] == [(Side.LEFT, 1, 2)]


@pytest.mark.rule("CHR-2.6", "ALL-6")
def test_taking_is_not_a_decision(chr_: Any) -> None:
    """After a placement the only thing that is asked is a claim."""
    state = chr_.lay([["DCEB", "ECBF"], ["EABD"], ["CBFA"], ["DCBA"], ["EDCB"]], hand="DAFC")
    chr_.say(state, "0 2D")
    assert len(state.players[0].tiles) == 1
    assert chr_.legal(state) == ["end"]
