"""`save` and `restore`: nothing is lost, and nothing that play cannot reach is taken."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from croupier_games.chain_reaction import CHAIN_REACTION
from croupier_games.chain_reaction.table import WITHOUT_TOKENS
from croupier_games.errors import RestoreError


def written(saved: Any) -> bytes:
    return json.dumps(saved, sort_keys=True, separators=(",", ":")).encode()


@pytest.mark.parametrize("options", [{}, {"table": WITHOUT_TOKENS, "start_seat": 1}])
def test_a_restored_state_goes_on_exactly_like_the_saved_one(chr_: Any, options: Any) -> None:
    state, chance = chr_.open(3, **options), Random(1)
    while state.deciders:
        twin = CHAIN_REACTION.restore(state.save())
        assert twin.save() == state.save()
        assert twin.events == ()
        assert (twin.deciders, twin.turn, twin.outcome) == (state.deciders, state.turn, state.outcome)
        for seat in (*range(3), None):
            assert twin.view(seat) == state.view(seat)
        seat = state.deciders[0]
        action = chance.choice(state.legal(seat))
        twin.play(seat, action)
        state.play(seat, action)
        assert twin.save() == state.save()
        assert twin.events == state.events
    assert CHAIN_REACTION.restore(state.save()).outcome == state.outcome


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"{}", b"[" * 100_000, b"NaN"])
def test_garbage_is_refused(data: bytes) -> None:
    with pytest.raises(RestoreError):
        CHAIN_REACTION.restore(data)


def paying(chr_: Any) -> Any:
    """Seat 0 has claimed 111=8, discarded one 1, and owes two."""
    state = chr_.lay([["AEBD"], ["EABD"], ["CBFA"], ["DCBA"], ["EDCB"]], collected={0: "1r 1g 1b 2r"}, stack=40)
    state = chr_.say(state, "0 4C")
    assert state.deciders == (0,)
    return chr_.say(state, "0 claim 111=8", "0 discard 1r")


CHANGES: dict[str, Callable[[Any], object]] = {
    "another game": lambda saved: saved.update(game="ten"),
    "another version": lambda saved: saved.update(version=2),
    "a field too many": lambda saved: saved.update(more=1),
    "a field too few": lambda saved: saved.pop("stack"),
    "other seats": lambda saved: saved.update(seats=3),
    "an unknown option": lambda saved: saved["options"].update(more=True),
    "another table": lambda saved: saved["options"].update(table=WITHOUT_TOKENS),
    "a table that is none": lambda saved: saved["options"].update(table="none"),
    "a short seed": lambda saved: saved.update(seed="00"),
    "placing while paying": lambda saved: saved.update(phase=1),
    "claiming while paying": lambda saved: saved.update(phase=2),
    "an end too early": lambda saved: saved.update(phase=4),
    "an unknown phase": lambda saved: saved.update(phase=9),
    "nobody's turn": lambda saved: saved.update(turn=None),
    "the turn of nobody there": lambda saved: saved.update(turn=2),
    "the turn of who holds a tile": lambda saved: saved.update(turn=1),
    "a column too few": lambda saved: saved["columns"].pop(),
    "a column too many": lambda saved: saved["columns"].append([[]]),
    "a tile gone": lambda saved: saved["stack"].pop(),
    "a tile twice": lambda saved: saved["stack"].__setitem__(0, saved["stack"][1]),
    "a tile with another number": lambda saved: saved["stack"][0].__setitem__(4, saved["stack"][0][4] % 4 + 1),
    "a tile with another symbol": lambda saved: saved["columns"][0][0][0].__setitem__(0, 6),
    "a tile turned off the board": lambda saved: saved["stack"].__setitem__(0, _turned(saved["stack"][0])),
    "a tile with a field too few": lambda saved: saved["stack"][0].pop(),
    "a hand too many": lambda saved: saved["hands"].append(None),
    "a tile back in the hand": lambda saved: saved["hands"].__setitem__(0, saved["stack"].pop()),
    "a hand put on the stack": lambda saved: (
        saved["stack"].append(saved["hands"][1]), saved["hands"].__setitem__(1, None),
    ),
    "a collected tile in the stack": lambda saved: saved["stack"].extend(
        [saved["players"][1][0].pop() for _ in range(20)]
    ),
    "one colour for two": lambda saved: saved.update(colours=[1, 1]),
    "a colour too few": lambda saved: saved.update(colours=[1]),
    "no such colour": lambda saved: saved.update(colours=[1, 5]),
    "a token gone": lambda saved: saved["supply"][0].pop(),
    "a token too many": lambda saved: saved["supply"][0].append([[4, 4, 4, 4], 24]),
    "tokens in another order": lambda saved: saved["supply"][0].reverse(),
    "a token for other points": lambda saved: saved["players"][0][1][0].__setitem__(1, 9),
    "a token that was not paid for": lambda saved: saved["players"][1][1].append(saved["supply"][0].pop()),
    "a payment for nothing": lambda saved: saved.update(payment=[[[2, 2, 2], 11], [2, 2]]),
    "a payment for a token that is not claimed": lambda saved: saved["payment"].__setitem__(0, [[1, 1, 1, 1], 12]),
    "a payment that is over": lambda saved: saved["payment"].__setitem__(1, []),
    "a payment of another number": lambda saved: saved["payment"].__setitem__(1, [1, 2]),
    "a payment of less": lambda saved: saved["payment"].__setitem__(1, [1]),
    "no payment": lambda saved: saved.update(payment=None),
    "a debt that cannot be paid": lambda saved: saved["players"][1][0].append(saved["players"][0][0].pop(1)),
    "a discarded tile more": lambda saved: saved["discarded"].append(saved["players"][0][0].pop()),
    "a discarded tile less": lambda saved: saved["players"][0][0].append(saved["discarded"].pop()),
}  # fmt: skip


def _turned(tile: list[int]) -> list[int]:
    return [*tile[1:4], tile[0], *tile[4:]]


@pytest.mark.parametrize("change", CHANGES)
def test_what_play_cannot_reach_is_refused(chr_: Any, change: str) -> None:
    state = paying(chr_)
    saved = json.loads(state.save())
    assert CHAIN_REACTION.restore(written(saved)).save() == state.save()
    CHANGES[change](saved)
    with pytest.raises(RestoreError):
        CHAIN_REACTION.restore(written(saved))


def test_an_empty_column_is_no_place_to_go_on(chr_: Any) -> None:
    columns = [["ECBF"], ["FADE"], ["CBFD"], ["DCBA"], ["EDCB"]]
    state = chr_.say(chr_.lay(columns, hand="DAFC", seats=3, stack=0), "0 2D", "0 end")
    saved = json.loads(state.save())
    assert CHAIN_REACTION.restore(written(saved)).outcome == state.outcome
    saved.update(phase=1, turn=1)
    with pytest.raises(RestoreError, match="reason to end"):
        CHAIN_REACTION.restore(written(saved))


def test_a_game_is_not_over_without_a_reason(chr_: Any) -> None:
    saved = json.loads(chr_.lay(stack=0).save())
    saved.update(phase=4, turn=None)
    with pytest.raises(RestoreError, match="ends for a reason"):
        CHAIN_REACTION.restore(written(saved))


def test_nobody_has_drawn_after_the_last_turn(chr_: Any) -> None:
    columns = [["ECBF"], ["FADE"], ["CBFD"], ["DCBA"], ["EDCB"]]
    saved = json.loads(chr_.say(chr_.lay(columns, hand="DAFC"), "0 2D", "0 end").save())
    saved["hands"][0] = saved["stack"].pop(0)
    with pytest.raises(RestoreError, match="all but one hold a tile"):
        CHAIN_REACTION.restore(written(saved))


def test_seats_run_out_of_tiles_in_turn(chr_: Any) -> None:
    chr_.lay(seats=4, stack=0, holding=[0, 1])
    for holding in ([0, 2], [0, 3], [0, 1, 3]):
        with pytest.raises(RestoreError, match="in turn"):
            chr_.lay(seats=4, stack=0, holding=holding)
    with pytest.raises(RestoreError, match="while there is a stack"):
        chr_.lay(seats=4, stack=1, holding=[0, 1])


def test_there_is_one_way_to_write_a_state(chr_: Any) -> None:
    state = chr_.open(2)
    with pytest.raises(RestoreError, match="one way only"):
        CHAIN_REACTION.restore(json.dumps(json.loads(state.save()), sort_keys=True).encode())
