"""Who sees what, and what is drawn anew for whom: CHR-1.2, ALL-5."""

from random import Random
from typing import Any

import pytest

from croupier_games.chain_reaction import CHAIN_REACTION
from croupier_games.chain_reaction.data import Colour
from croupier_games.chain_reaction.view import ColourDealt, Phase, TileDrawn

OVER = [["ECBF"], ["FADE"], ["CBFD"], ["DCBA"], ["EDCB"]]


def played(chr_: Any, seats: int, actions: int) -> Any:
    state, chance = chr_.open(seats, 3), Random(seats)
    for _ in range(actions):
        seat = state.deciders[0]
        state.play(seat, chance.choice(state.legal(seat)))
    return state


def unseen(state: Any, seat: int | None) -> list[Any]:
    """The tiles that this seat cannot see."""
    others = [hand for other, hand in enumerate(state.hands) if hand is not None and other != seat]
    return sorted([*others, *state.stack])


@pytest.mark.rule("CHR-1.2", "ALL-5")
def test_a_view_shows_the_own_tile_and_colour_alone(chr_: Any) -> None:
    state = played(chr_, 3, 20)
    for seat in range(3):
        view = state.view(seat)
        assert (view.hand, view.secret) == (state.hands[seat], state.colours[seat])
        assert view._replace(hand=None, secret=None) == state.view(None)
        assert view.stack_size == len(state.stack)
        assert view.hand_sizes == tuple(int(hand is not None) for hand in state.hands)
    assert state.view(None).hand is state.view(None).secret is None
    assert state.view(None).colours == ()
    for seat in (-1, 3):
        with pytest.raises(ValueError, match="seats are 0 to 2"):
            state.view(seat)


@pytest.mark.rule("CHR-1.2")
def test_everybody_sees_collected_tiles_and_claimed_tokens(chr_: Any) -> None:
    state = chr_.lay(collected={0: "1r 1g 1b 2r"}, stack=20)
    chr_.say(state, f"0 {state.legal(0)[0]}")
    chr_.say(state, "0 claim 111=8", "0 discard 1r", "0 discard 1g", "0 discard 1b")
    for viewer in (0, 1, None):
        shown = state.view(viewer).players[0]
        assert "2r" in chr_.faces(shown.tiles)
        assert "111=8" in map(str, shown.tokens)


@pytest.mark.rule("CHR-1.2", "ALL-5")
def test_drawn_tiles_and_colours_are_told_to_their_holder_alone(chr_: Any) -> None:
    state, chance, private = chr_.open(3), Random(1), 0
    while state.deciders:
        for event in state.events:
            if isinstance(event.what, TileDrawn | ColourDealt):
                private += 1
                shown = state.view(event.audience)
                assert event.what[0] in (shown.hand, shown.secret)
            else:
                assert event.audience is None
        seat = state.deciders[0]
        state.play(seat, chance.choice(state.legal(seat)))
    assert private == 3 + 50


@pytest.mark.rule("CHR-1.2", "ALL-5")
@pytest.mark.parametrize("seat", [0, 1, 2, None])
@pytest.mark.parametrize("actions", [0, 1, 9, 30, 55])
def test_resampling_redraws_exactly_what_a_seat_cannot_know(chr_: Any, seat: int | None, actions: int) -> None:
    state = played(chr_, 3, actions)
    tiles_seen, colours_seen, stacks = set(), set(), set()
    for number in range(30):
        twin = state.resample(seat, chr_.seed(number))
        assert twin.view(seat) == state.view(seat)
        assert (twin.deciders, twin.discarded) == (state.deciders, state.discarded)
        assert unseen(twin, seat) == unseen(state, seat)
        assert [hand is None for hand in twin.hands] == [hand is None for hand in state.hands]
        assert len(set(twin.colours)) == 3
        for other in {0, 1, 2} - {seat}:
            tiles_seen.add((other, twin.hands[other]))
            colours_seen.add((other, twin.colours[other]))
        stacks.add(twin.stack)
        assert CHAIN_REACTION.restore(twin.save()).save() == twin.save()
    free = set(Colour) - ({state.colours[seat]} if seat is not None else set())
    assert colours_seen == {(other, colour) for other in {0, 1, 2} - {seat} for colour in free}
    if len(state.stack) > 20:
        assert len(tiles_seen) > 15
        assert len(stacks) == 30
    else:
        assert len(tiles_seen) > 5


def test_resampling_tells_no_event_meant_for_others(chr_: Any) -> None:
    twin = chr_.open(3).resample(1, bytes(32))
    assert [event.audience for event in twin.events] == [None, 1, 1]


@pytest.mark.rule("ALL-5", "CHR-3.2")
def test_after_the_end_colours_are_known_to_all_and_hands_still_to_nobody_else(chr_: Any) -> None:
    state = chr_.say(chr_.lay(OVER, hand="DAFC", seats=4), "0 2D", "0 end")
    assert state.phase is Phase.OVER
    redrawn = set()
    for number in range(20):
        for viewer in (0, 1, None):
            twin = state.resample(viewer, chr_.seed(number))
            assert twin.colours == state.colours
            assert twin.view(viewer) == state.view(viewer)
            assert twin.outcome == state.outcome
        redrawn.add(twin.hands)
    assert len(redrawn) > 10
    assert CHAIN_REACTION.restore(state.save()).outcome == state.outcome


def test_parts_of_a_view_that_did_not_change_are_the_same_objects(chr_: Any) -> None:
    """A placement without a take changes one column; what is sent for all else is known already."""
    state = chr_.lay(hand="ADCF", stack=30)
    for action in state.legal(0):
        after = state.clone()
        after.play(0, action)
        one, two = state.view(1), after.view(1)
        taken = len(after.players[0].tiles) - len(state.players[0].tiles)
        changed = [before is not now for before, now in zip(one.columns, two.columns, strict=True)]
        assert sum(changed) == 1 or taken
        assert two.players[1] is one.players[1]
        assert two.supply is one.supply
        assert (two.players[0] is one.players[0]) == (not taken)


def test_tiles_are_the_same_objects_at_every_table(chr_: Any) -> None:
    """So the wire encodes each of the 360 ways a tile can lie only once."""
    known: dict[Any, Any] = {}
    for number in range(6):
        state = played(chr_, 2, number * 10)
        tiles = [tile for column in state.columns for tile in column.tiles]
        tiles += [tile for player in state.players for tile in player.tiles]
        assert all(known.setdefault(tile, tile) is tile for tile in tiles)


def test_a_clone_goes_its_own_way(chr_: Any) -> None:
    state = played(chr_, 2, 10)
    before, events = state.save(), state.events
    copy = state.clone()
    assert (copy.save(), copy.events, copy.deciders, copy.outcome) == (before, events, state.deciders, None)
    while copy.deciders:
        copy.play(copy.deciders[0], copy.legal(copy.deciders[0])[-1])
    assert (state.save(), state.events) == (before, events)
