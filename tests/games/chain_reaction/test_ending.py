"""Drawing, the two ends of the game, and the score: CHR-2.9, CHR-3.1 to CHR-3.3."""

from typing import Any

import pytest

from croupier_games.chain_reaction.data import Bonus, Colour
from croupier_games.chain_reaction.ending import outcome, score
from croupier_games.chain_reaction.view import (
    ColoursRevealed,
    Phase,
    Player,
    TileDrawn,
    TilePlaced,
    TileTaken,
    TurnEnded,
)
from croupier_games.errors import IllegalAction

# DAFC put on column 2 with D on top has C on its left, so it takes ECBF from column 1.
EMPTIES_COLUMN_1 = [["ECBF"], ["FADE"], ["CBFD"], ["DCBA"], ["EDCB"]]  # FADE, below it, goes first
HIGH = [["ECBF", "DBEC"], ["BADE"], ["CBFA"], ["DCBA"], ["EDCB"]]


def tiles(chr_: Any, text: str) -> tuple[Any, ...]:
    return tuple(chr_.collection(text))


@pytest.mark.rule("CHR-2.9")
def test_a_turn_ends_with_a_draw_from_the_stack(chr_: Any) -> None:
    state = chr_.lay(HIGH, hand="DAFC")
    following = state.stack
    chr_.say(state, "0 4D")
    assert [(event.audience, event.what) for event in state.events] == [(None, TilePlaced(0, 4, 2, chr_.tile("DAFC")))]
    assert (state.hands[0], state.stack) == (None, following)
    chr_.say(state, "0 end")
    assert state.hands[0] == following[0]
    assert state.stack == following[1:]
    assert [(event.audience, event.what) for event in state.events] == [
        (None, TurnEnded(0, True, len(following) - 1)),
        (0, TileDrawn(following[0])),
    ]


@pytest.mark.rule("CHR-2.9")
def test_an_empty_stack_gives_nothing(chr_: Any) -> None:
    state = chr_.say(chr_.lay(HIGH, hand="DAFC", stack=0), "0 4D", "0 end")
    assert state.hands[0] is None
    assert state.deciders == (1,)
    assert state.events[-1].what == TurnEnded(0, False, 0)
    assert state.view(None).hand_sizes == (0, 1)


@pytest.mark.rule("CHR-3.1")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_game_ends_when_the_stack_and_all_hands_are_empty(chr_: Any, seats: int) -> None:
    """The last tiles are played in turn; whoever has none left is not asked again."""
    state = chr_.lay(seats=seats, hand="ADCF", stack=1, turn=1)
    placed = []
    while state.deciders:
        seat = state.deciders[0]
        if state.phase is Phase.PLACE:
            placed.append(seat)
        state.play(seat, state.legal(seat)[0])
        assert state.outcome is None or not any(state.hands)
    assert placed == [(1 + step) % seats for step in range(seats + 1)]
    assert state.outcome.reason == "the stack and all hands are empty"


@pytest.mark.rule("CHR-3.1")
def test_the_game_ends_after_a_turn_that_empties_a_column_and_nobody_draws(chr_: Any) -> None:
    state = chr_.lay(EMPTIES_COLUMN_1, hand="DAFC")
    stack = state.stack
    chr_.say(state, "0 2D")
    assert [len(column.tiles) for column in state.columns] == [0, 1, 1, 1, 1]
    assert [type(event.what) for event in state.events] == [TilePlaced, TileTaken, TileTaken]
    chr_.say(state, "0 end")
    assert state.outcome.reason == "column 1 is empty"
    assert (state.phase, state.turn, state.deciders) == (Phase.OVER, None, ())
    assert state.stack == stack
    assert state.hands[0] is None
    assert [type(event.what) for event in state.events] == [TurnEnded, ColoursRevealed]
    assert state.events[0].what == TurnEnded(0, False, len(stack))
    assert state.legal(0) == state.legal(1) == ()
    with pytest.raises(IllegalAction, match="the game is over"):
        chr_.say(state, "1 1A")


@pytest.mark.rule("CHR-3.1", "CHR-2.8")
def test_the_turn_that_empties_a_column_still_has_its_claims_and_only_that(chr_: Any) -> None:
    state = chr_.lay(EMPTIES_COLUMN_1, hand="DAFC", collected={0: "1r 1g 1y", 1: "2r 2g 2y"})
    chr_.say(state, "0 2D")
    assert (state.phase, state.deciders, state.outcome) == (Phase.CLAIM, (0,), None)
    assert not state.columns[0].tiles
    chr_.say(state, "0 claim 111=8", "0 discard 1r", "0 discard 1g", "0 discard 1y", "0 end")
    assert state.outcome.reason == "column 1 is empty"
    assert list(map(str, state.players[0].tokens)) == ["111=8"]
    assert state.players[1].tokens == ()


@pytest.mark.rule("CHR-3.1")
def test_the_own_column_cannot_run_out(chr_: Any) -> None:
    """A tile that took all below it stands on the floor, and the game goes on."""
    state = chr_.lay([["BADE"], ["FADE"], ["CBFD"], ["DCBA"], ["EDCB"]], hand="DAFC")
    chr_.say(state, "0 2D", "0 end")
    assert [len(column.tiles) for column in state.columns] == [1] * 5
    assert state.outcome is None


@pytest.mark.rule("CHR-3.1")
def test_an_empty_stack_does_not_end_the_game_while_somebody_holds_a_tile(chr_: Any) -> None:
    state = chr_.say(chr_.lay(HIGH, hand="DAFC", stack=0, seats=3), "0 4D", "0 end")
    assert state.outcome is None
    assert state.deciders == (1,)


@pytest.mark.rule("CHR-3.2")
def test_the_score_of_the_rulebook(chr_: Any) -> None:
    """9 + (2 + 3) x 2 + 35 = 54."""
    player = Player(tiles(chr_, "4b 3g 2y 2r 3r"), (Bonus((1, 2, 3, 4), 15), Bonus((3, 3, 3, 3), 20)))
    assert score(player, Colour.RED) == 9 + (2 + 3) * 2 + 35 == 54
    result = outcome([player, Player((), ())], [Colour.RED, Colour.BLUE], "over").results[0]
    assert result.points == 54
    assert result.notes == ("9 for tiles of other colours, 10 for red ones, 35 for bonus tokens",)


@pytest.mark.rule("CHR-3.2")
def test_numbers_of_the_own_colour_count_twice_and_tokens_once(chr_: Any) -> None:
    held = Player(tiles(chr_, "1r 2g 3b 4y"), (Bonus((1, 1, 1), 8),))
    assert [score(held, colour) for colour in Colour] == [19, 20, 21, 22]
    assert score(Player((), ()), Colour.RED) == 0


@pytest.mark.rule("CHR-3.2", "CHR-3.1")
def test_hand_tiles_and_discarded_tiles_count_nothing(chr_: Any) -> None:
    state = chr_.lay(EMPTIES_COLUMN_1, hand="DAFC", collected={0: "1r 1g 1y"}, colours="rg")
    chr_.say(state, "0 2D", "0 claim 111=8", "0 discard 1r", "0 discard 1g", "0 discard 1y", "0 end")
    taken = [chr_.tile(name) for name in ("ECBF", "FADE")]
    worth = sum(one.number * (2 if one.colour is Colour.RED else 1) for one in taken)
    assert state.hands[1] is not None
    others = state.players[1].tiles
    assert [result.points for result in state.outcome.results] == [
        worth + 8,
        sum(one.number * (2 if one.colour is Colour.GREEN else 1) for one in others),
    ]


@pytest.mark.rule("CHR-3.3", "ALL-7")
@pytest.mark.parametrize(
    ("held", "places"),
    [
        (["4b", "3b", "2b"], [1, 2, 3]),
        (["2b", "4b", "4g"], [3, 1, 1]),
        (["4b", "2b 2g", "1b"], [2, 1, 3]),
        (["1b 1b 2g", "2b 2g", "4b"], [1, 2, 3]),
        (["1b 3g", "2b 2g", "3b 1g"], [1, 1, 1]),
        (["4b", "3b", "4g", "3b"], [1, 3, 1, 3]),
    ],
)
def test_most_points_win_then_most_tiles_then_places_are_shared(chr_: Any, held: list[str], places: list[int]) -> None:
    players = [Player(tiles(chr_, text), ()) for text in held]
    result = outcome(players, [Colour.RED] * len(held), "over")
    assert [seat.place for seat in result.results] == places
    assert [seat.tie_breaks for seat in result.results] == [(("tiles", len(text.split())),) for text in held]


@pytest.mark.rule("CHR-3.3")
def test_discarded_tiles_break_no_ties(chr_: Any) -> None:
    """12 points each: one has a token for four discarded 1s, the other four tiles that it kept."""
    bought = Player((), (Bonus((1, 1, 1, 1), 12),))
    kept = Player(tiles(chr_, "3b 3b 3g 3g"), ())
    results = outcome([bought, kept], [Colour.RED, Colour.YELLOW], "over").results
    assert [result.points for result in results] == [12, 12]
    assert [result.place for result in results] == [2, 1]


@pytest.mark.rule("CHR-3.2", "ALL-5")
def test_secret_colours_are_revealed_at_the_end(chr_: Any) -> None:
    state = chr_.lay(EMPTIES_COLUMN_1, hand="DAFC", colours="yb")
    chr_.say(state, "0 2D")
    assert state.view(None).colours == state.view(1).colours == ()
    chr_.say(state, "0 end")
    assert state.events[-1] == (ColoursRevealed((Colour.YELLOW, Colour.BLUE)), None)
    assert state.view(None).colours == state.view(1).colours == (Colour.YELLOW, Colour.BLUE)
