"""The deal: CHR-1.1, CHR-1.3, ALL-1, ALL-2."""

from typing import Any

import pytest

from croupier_games.chain_reaction import CHAIN_REACTION
from croupier_games.chain_reaction.data import Colour, Tile
from croupier_games.chain_reaction.reaction import turns, upright
from croupier_games.chain_reaction.view import ColourDealt, GameStarted, Phase, TileDrawn
from croupier_games.chance import Chance
from croupier_games.errors import OptionError, SeatsError


@pytest.mark.rule("CHR-1.1")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_forty_tiles_lie_in_five_columns_of_eight_and_fifty_are_drawn_from(chr_: Any, seats: int) -> None:
    state = chr_.open(seats)
    assert [len(column.tiles) for column in state.columns] == [8] * 5
    assert len(state.hands) == seats
    assert len(state.stack) == 50 - seats
    board = [upright(tile) for column in state.columns for tile in column.tiles]
    assert sorted([*board, *state.hands, *state.stack]) == sorted(chr_.tiles)
    assert len(state.supply.tokens) == 20
    assert all(player == ((), ()) for player in state.players)
    assert len(set(state.colours)) == seats


@pytest.mark.rule("CHR-1.1", "ALL-1")
def test_everything_dealt_is_drawn_from_the_seed_by_name(chr_: Any) -> None:
    state, chance = chr_.open(3, 7), Chance(chr_.seed(7))
    order = chance.shuffled("tiles", chr_.tiles)
    quarters = chance.rolls("turns", 4, 40)
    for place in range(40):
        lying: Tile = state.columns[place // 8].tiles[place % 8]
        symbols = order[place][:4]
        quarter = quarters[place] - 1
        assert lying[:4] == tuple(symbols[(edge - quarter) % 4] for edge in range(4))
        assert lying[4:] == order[place][4:]
    assert state.hands == order[40:43]
    assert state.stack == order[43:]
    assert state.colours == chance.shuffled("colours", tuple(Colour))[:3]


@pytest.mark.rule("CHR-1.1")
def test_tiles_lie_in_every_rotation(chr_: Any) -> None:
    seen = {turns(upright(tile)).index(tile) for column in chr_.open().columns for tile in column.tiles}
    assert seen == {0, 1, 2, 3}


@pytest.mark.rule("CHR-1.3", "ALL-2")
def test_the_start_seat_is_drawn_or_given(chr_: Any) -> None:
    starters = [chr_.open(4, number).turn for number in range(60)]
    assert starters == [Chance(chr_.seed(number)).below("start", 4) for number in range(60)]
    assert set(starters) == {0, 1, 2, 3}
    assert [chr_.open(4, start_seat=seat).deciders for seat in range(4)] == [(0,), (1,), (2,), (3,)]
    with pytest.raises(OptionError, match="seats are 0 to 1"):
        chr_.open(2, start_seat=2)


@pytest.mark.rule("CHR-1.3", "ALL-3")
def test_turns_go_clockwise_and_wrap_round(chr_: Any) -> None:
    state = chr_.open(3, start_seat=1)
    order = []
    while len(order) < 7:
        seat = state.deciders[0]
        if state.phase is Phase.PLACE:
            order.append(seat)
        state.play(seat, state.legal(seat)[0])
    assert order == [1, 2, 0, 1, 2, 0, 1]


@pytest.mark.rule("CHR-1.1", "CHR-1.2")
def test_everybody_is_told_who_starts_and_each_seat_what_it_holds(chr_: Any) -> None:
    state = chr_.open(2, start_seat=1)
    assert [(event.audience, event.what) for event in state.events] == [
        (None, GameStarted(1, 48)),
        (0, ColourDealt(state.colours[0])),
        (0, TileDrawn(state.hands[0])),
        (1, ColourDealt(state.colours[1])),
        (1, TileDrawn(state.hands[1])),
    ]


def test_two_to_four_play() -> None:
    for seats in (1, 5):
        with pytest.raises(SeatsError, match="2 to 4"):
            CHAIN_REACTION.new(seats=seats, seed=bytes(32))
