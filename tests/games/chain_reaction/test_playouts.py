"""What holds in every play, whatever the options and the number of seats."""

import re
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier_games.chain_reaction import CHAIN_REACTION
from croupier_games.chain_reaction.actions import EndTurn
from croupier_games.chain_reaction.data import TABLE
from croupier_games.chain_reaction.reaction import Side, upright
from croupier_games.chain_reaction.table import BUILT_IN, WITHOUT_TOKENS, table_of
from croupier_games.chain_reaction.view import Phase, TileDiscarded, TilePlaced, TileTaken, TurnEnded

CHEAP = WITHOUT_TOKENS + " 11=5x10 12=5x10 23=5x10 34=5x10"
TABLES = [{}, {"table": WITHOUT_TOKENS}, {"table": CHEAP}, {"start_seat": 1}, {"start_seat": 0, "table": TABLE}]


def check_table(state: Any) -> None:
    """Every tile and token is in exactly one place, and what is decided fits what lies there."""
    table = table_of(state.options)
    board = [upright(tile) for column in state.columns for tile in column.tiles]
    hands = [hand for hand in state.hands if hand is not None]
    collected = [tile for player in state.players for tile in player.tiles]
    assert Counter([*board, *hands, *state.stack, *collected, *state.discarded]) == Counter(table.tiles)
    claimed = [token for player in state.players for token in player.tokens]
    assert Counter([*state.supply.tokens, *claimed]) == Counter(table.tokens)
    owed = Counter(number for token in claimed for number in token.numbers)
    due = state.payment.due if state.payment else ()
    assert Counter([tile.number for tile in state.discarded]) + Counter(due) == owed
    assert (state.deciders == ()) == (state.outcome is not None) == (state.phase is Phase.OVER)
    if state.phase is Phase.PLACE:
        assert all(column.tiles for column in state.columns)
    for seat in range(state.seats):
        legal = state.legal(seat)
        assert bool(legal) == (seat in state.deciders)
        assert len(set(map(str, legal))) == len(legal) <= 40
    for viewer in (*range(state.seats), None):
        assert max(map(len, CHAIN_REACTION.render(state.view(viewer)).splitlines())) <= 80


def check_reaction(before: Any, state: Any) -> None:
    """Heights fit the events, and the order of checks can be read from them: left, right, below, and again."""
    placed, *rest = [event.what for event in state.events if event.audience is None]
    assert isinstance(placed, TilePlaced)
    takes = [what for what in rest if isinstance(what, TileTaken)]
    heights = [len(column.tiles) for column in before.columns]
    assert placed.height == heights[placed.column - 1] + 1
    lost = Counter(take.column for take in takes)
    now = [height - lost[column] + (column == placed.column) for column, height in enumerate(heights, 1)]
    assert [len(column.tiles) for column in state.columns] == now
    assert re.fullmatch(r"(L*R*B)*L*R*", "".join(take.side.name[0] for take in takes))
    height = placed.height
    for take in takes:
        height -= take.side is Side.BELOW
        assert take.height == height
        assert take.column - placed.column == {Side.LEFT: -1, Side.RIGHT: 1, Side.BELOW: 0}[take.side]
        touching = {
            Side.LEFT: (take.tile.right, placed.tile.left),
            Side.RIGHT: (take.tile.left, placed.tile.right),
            Side.BELOW: (take.tile.top, placed.tile.bottom),
        }[take.side]
        assert touching[0] is touching[1]
    assert state.columns[placed.column - 1].tiles[height - 1] == placed.tile
    assert height == len(state.columns[placed.column - 1].tiles)
    gained = state.players[placed.seat].tiles[len(before.players[placed.seat].tiles) :]
    assert gained == tuple(upright(take.tile) for take in takes)


def check_outcome(state: Any) -> None:
    empty = [column for column in state.columns if not column.tiles]
    assert empty or not (state.stack or any(state.hands))
    figures = []
    for player, colour, result in zip(state.players, state.colours, state.outcome.results, strict=True):
        points = sum(tile.number for tile in player.tiles)
        points += sum(tile.number for tile in player.tiles if tile.colour is colour)
        points += sum(token.points for token in player.tokens)
        assert result.points == points
        assert result.tie_breaks == (("tiles", len(player.tiles)),)
        figures.append((points, len(player.tiles)))
    places = [result.place for result in state.outcome.results]
    assert places == [1 + sum(other > own for other in figures) for own in figures]


def greedy(state: Any, chance: Random) -> Any:
    """Of some placements the one that takes most, so that reactions are long and columns run out."""
    seat = state.deciders[0]
    legal = state.legal(seat)
    if state.phase is not Phase.PLACE:
        return legal[-1]

    def gain(action: Any) -> int:
        after = state.clone()
        after.play(seat, action)
        return sum(isinstance(event.what, TileTaken) for event in after.events)

    return max(chance.sample(legal, 20), key=gain)


def at_random(state: Any, chance: Random) -> Any:
    return chance.choice(state.legal(state.deciders[0]))


@pytest.mark.rule("CHR-2.3", "CHR-2.4", "CHR-2.5", "CHR-2.7", "CHR-2.8", "CHR-3.1", "CHR-3.2", "CHR-3.3", "ALL-7")
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", TABLES, ids=["usual", "no tokens", "cheap tokens", "start seat", "both"])
@pytest.mark.parametrize("choose", [at_random, greedy])
def test_every_option_plays_to_a_sound_end(chr_: Any, seats: int, options: Any, choose: Any) -> None:
    state, chance, actions = chr_.open(seats, seats, **options), Random(seats), 0
    while state.deciders:
        check_table(state)
        seat, before = state.deciders[0], state.clone()
        state.play(seat, choose(state, chance))
        if before.phase is Phase.PLACE:
            check_reaction(before, state)
        actions += 1
    check_table(state)
    check_outcome(state)
    assert actions <= CHAIN_REACTION.max_actions


@settings(max_examples=40, deadline=None)
@given(
    seats=st.integers(2, 4), options=st.sampled_from(TABLES), seed=st.binary(min_size=32, max_size=32), data=st.data()
)
def test_any_play_can_be_saved_resampled_and_ends_soundly(seats: int, options: Any, seed: bytes, data: Any) -> None:
    state = CHAIN_REACTION.new(seats=seats, options=options, seed=seed)
    chance = Random(data.draw(st.integers(0, 2**32)))
    while state.deciders:
        seat = state.deciders[0]
        if chance.random() < 0.1:
            check_table(state)
            viewer = chance.choice([*range(seats), None])
            twin = state.resample(viewer, chance.randbytes(32))
            check_table(twin)
            assert twin.view(viewer) == state.view(viewer)
            state = CHAIN_REACTION.restore((state if chance.random() < 0.5 else twin).save())
        state.play(seat, chance.choice(state.legal(seat)))
    check_outcome(state)


@pytest.mark.rule("CHR-3.1")
def test_greedy_players_empty_a_column_and_others_the_stack(chr_: Any) -> None:
    for number, (choose, reason) in enumerate([(greedy, "column"), (at_random, "the stack")] * 5):
        state, chance = chr_.open(2, number), Random(number)
        while state.deciders:
            state.play(state.deciders[0], choose(state, chance))
        assert state.outcome.reason.startswith(reason)


def test_the_bound_on_actions_holds_for_the_slowest_players(chr_: Any) -> None:
    """50 placements, an end of turn for each, 90 tiles to pay with, 40 tokens: no play has all of that."""
    assert CHAIN_REACTION.max_actions == 50 + 50 + 90 + 40
    longest = 0
    for number in range(20):
        state, chance, actions = chr_.open(2, number, table=CHEAP), Random(number), 0
        while state.deciders:
            state.play(state.deciders[0], greedy(state, chance))
            actions += 1
        longest = max(longest, actions)
    assert 80 < longest <= CHAIN_REACTION.max_actions


@pytest.mark.rule("ALL-1")
def test_the_same_seed_deals_the_same_tiles_whatever_is_played(chr_: Any) -> None:
    """Who draws what depends on the seed and on whose turn it is, not on choices."""
    draws = []
    for number in range(3):
        state, chance, drawn = chr_.open(3, 4, table=BUILT_IN), Random(number), []
        while state.deciders:
            seat = state.deciders[0]
            state.play(seat, at_random(state, chance))
            drawn += [(event.audience, event.what) for event in state.events if event.audience is not None]
        draws.append(drawn)
    assert draws[0] == draws[1] == draws[2]
    assert len(draws[0]) == 47


def test_events_tell_the_whole_story(chr_: Any) -> None:
    """From the first view and the public events alone one can follow the board and all that is collected."""
    state, chance = chr_.open(3, 8), Random(8)
    columns = [[*column.tiles] for column in state.columns]
    collected: list[list[Any]] = [[], [], []]
    turn = state.turn
    while state.deciders:
        assert state.turn == turn
        state.play(state.deciders[0], at_random(state, chance))
        for what in [event.what for event in state.events if event.audience is None]:
            if isinstance(what, TilePlaced):
                columns[what.column - 1].insert(what.height - 1, what.tile)
            elif isinstance(what, TileTaken):
                assert columns[what.column - 1].pop(what.height - 1) == what.tile
                collected[what.seat].append(upright(what.tile))
            elif isinstance(what, TileDiscarded):
                collected[what.seat].remove(what.tile)
            elif isinstance(what, TurnEnded):
                turn = (what.seat + 1) % 3
                assert what.stack_size == len(state.stack)
        assert [tuple(column) for column in columns] == [column.tiles for column in state.columns]
        assert [tuple(tiles) for tiles in collected] == [player.tiles for player in state.players]


@pytest.mark.rule("CHR-2.8", "ALL-6")
def test_every_turn_is_ended_by_its_player(chr_: Any) -> None:
    """With or without a token within reach: 50 tiles are placed, and 50 turns ended."""
    state, chance = chr_.open(2, 11), Random(11)
    asked: Counter[bool] = Counter()
    ends = 0
    while state.deciders:
        legal = state.legal(state.deciders[0])
        if state.phase is Phase.CLAIM:
            asked[len(legal) > 1] += 1
            assert isinstance(legal[0], EndTurn)
        action = chance.choice(legal)
        ends += isinstance(action, EndTurn)
        state.play(state.deciders[0], action)
    assert ends == 50
    assert asked[True]
    assert asked[False]
