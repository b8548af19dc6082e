"""Bonus tokens: claimed one after another, paid tile by tile: CHR-2.8."""

from collections import Counter
from typing import Any

import pytest

from croupier_games.chain_reaction.actions import END_TURN, Claim, Discard, EndTurn, Place, claims, counted
from croupier_games.chain_reaction.data import Bonus, Colour, Symbol
from croupier_games.chain_reaction.table import BUILT_IN
from croupier_games.chain_reaction.view import BonusClaimed, Phase, TileDiscarded, TurnEnded
from croupier_games.errors import IllegalAction

HAND = "ADCF"


def quiet(state: Any) -> str:
    """A placement of seat 0 that takes nothing."""
    for action in state.legal(0):
        after = state.clone()
        after.play(0, action)
        if len(after.players[0].tiles) == len(state.players[0].tiles):
            return f"0 {action}"
    raise AssertionError("every placement takes something")


def claiming(chr_: Any, collected: str, **more: Any) -> Any:
    """Seat 0 has placed a tile, taken nothing, and owns these tiles."""
    state = chr_.lay(hand=HAND, collected={0: collected}, **more)
    return chr_.say(state, quiet(state))


@pytest.mark.rule("CHR-2.8")
def test_tiles_of_earlier_turns_can_be_used_without_a_take(chr_: Any) -> None:
    state = claiming(chr_, "1r 2g 3b 4y")
    assert (state.phase, state.deciders) == (Phase.CLAIM, (0,))
    assert chr_.legal(state) == ["end", "claim 123=9", "claim 1234=15", "claim 234=12"]


@pytest.mark.rule("CHR-2.8")
def test_tiles_taken_in_this_turn_can_be_used(chr_: Any) -> None:
    columns = [["DCEB", "ECBF"], ["EABD"], ["CBFA"], ["DCBA"], ["EDCB"]]
    number = chr_.tile("ECBF").number
    others = [one for one in (1, 2, 3, 4) if one != number]
    state = chr_.lay(columns, hand="DAFC", collected={0: " ".join(f"{one}y" for one in others)})
    assert f"claim {''.join(map(str, others))}=9" not in chr_.legal(state)
    chr_.say(state, "0 2D")
    assert "claim 1234=15" in chr_.legal(state)


@pytest.mark.rule("CHR-2.8")
@pytest.mark.parametrize(
    ("collected", "within_reach"),
    [
        ("1r 1g 1b", ["111=8"]),
        ("1r 1g 1b 1y", ["111=8", "1111=12"]),
        ("2r 2g 2b 2y 2r", ["222=11", "2222=16"]),
        ("3r 3g 4b 4y", ["3344=18"]),
        ("1r 1g 2b 2y", ["1122=10"]),
        ("1r 1g 3b 3y", ["1133=12"]),
        ("2r 2g 4b 4y", ["2244=16"]),
        ("2r 3g 4b", ["234=12"]),
        ("4r 4g 4b 4y", ["444=17", "4444=24"]),
        ("3r 3g 3b 3y", ["333=14", "3333=20"]),
    ],
)
def test_exactly_the_tokens_whose_numbers_one_has_are_within_reach(
    chr_: Any, collected: str, within_reach: list[str]
) -> None:
    state = claiming(chr_, collected)
    assert chr_.legal(state) == ["end", *[f"claim {token}" for token in within_reach]]
    for token in ("123=9", "1234=15", "1111=12", "4444=24", "222=11"):
        if token not in within_reach:
            with pytest.raises(IllegalAction, match="claim a token that it has the numbers for"):
                chr_.say(state, f"0 claim {token}")


@pytest.mark.rule("CHR-2.8", "ALL-6")
@pytest.mark.parametrize("collected", ["", "1r", "1r 1g", "1r 1g 2b", "1r 1g 4b 4y", "3r 3g 2b 2y", "1r 3b 3g 4y"])
def test_with_nothing_to_claim_ending_the_turn_is_still_a_decision(chr_: Any, collected: str) -> None:
    state = claiming(chr_, collected)
    assert (state.phase, state.deciders) == (Phase.CLAIM, (0,))
    assert chr_.legal(state) == ["end"]
    chr_.say(state, "0 end")
    assert (state.phase, state.deciders) == (Phase.PLACE, (1,))


@pytest.mark.rule("CHR-2.8")
def test_a_claim_takes_the_token_at_once_and_then_the_tiles_one_by_one(chr_: Any) -> None:
    state = claiming(chr_, "1r 1g 2g 2b 3b 4y 4r")
    token = Bonus((1, 2, 3, 4), 15)
    chr_.say(state, "0 claim 1234=15")
    assert [event.what for event in state.events] == [BonusClaimed(0, token)]
    assert state.players[0].tokens == (token,)
    assert Counter(state.supply.tokens)[token] == 3
    steps = [
        (["discard 1r", "discard 1g"], (1, 2, 3, 4), "1g"),
        (["discard 2g", "discard 2b"], (2, 3, 4), "2b"),
        (["discard 3b"], (3, 4), "3b"),
        (["discard 4r", "discard 4y"], (4,), "4y"),
    ]
    for offered, due, paid in steps:
        assert (state.phase, state.deciders) == (Phase.DISCARD, (0,))
        assert chr_.legal(state) == offered
        assert state.view(None).payment == (token, due)
        chr_.say(state, f"0 discard {paid}")
        assert isinstance(state.events[0].what, TileDiscarded)
        assert chr_.faces([state.events[0].what.tile]) == paid
    assert chr_.faces(state.players[0].tiles) == "1r 2g 4r"
    assert chr_.faces(state.discarded) == "1g 2b 3b 4y"
    assert state.view(None).payment is None


@pytest.mark.rule("CHR-2.8")
def test_a_number_that_a_token_shows_twice_is_paid_twice(chr_: Any) -> None:
    state = claiming(chr_, "1r 1g 1b 3b 3b 3y")
    chr_.say(state, "0 claim 1133=12", "0 discard 1g")
    assert chr_.legal(state) == ["discard 1r", "discard 1b"]
    chr_.say(state, "0 discard 1b")
    assert chr_.legal(state) == ["discard 3b", "discard 3y"]
    chr_.say(state, "0 discard 3b")
    assert chr_.legal(state) == ["discard 3b", "discard 3y"]
    chr_.say(state, "0 discard 3b")
    assert chr_.faces(state.players[0].tiles) == "1r 3y"


@pytest.mark.rule("CHR-2.8", "ALL-6")
def test_the_only_tile_that_can_pay_is_still_a_decision(chr_: Any) -> None:
    state = chr_.say(claiming(chr_, "2r 3g 4b"), "0 claim 234=12")
    for only in ("discard 2r", "discard 3g", "discard 4b"):
        assert state.deciders == (0,)
        assert chr_.legal(state) == [only]
        chr_.say(state, f"0 {only}")
    assert (state.phase, state.deciders, chr_.legal(state)) == (Phase.CLAIM, (0,), ["end"])


@pytest.mark.rule("CHR-2.8")
def test_claims_follow_one_another_until_the_player_ends_the_turn(chr_: Any) -> None:
    state = claiming(chr_, "1r 1g 1b 2r 2g 2b 3r 4r")
    chr_.say(state, "0 claim 111=8", "0 discard 1r", "0 discard 1g", "0 discard 1b")
    assert (state.phase, chr_.legal(state)) == (Phase.CLAIM, ["end", "claim 222=11", "claim 234=12"])
    chr_.say(state, "0 claim 234=12", "0 discard 2b", "0 discard 3r", "0 discard 4r")
    assert (state.phase, chr_.legal(state)) == (Phase.CLAIM, ["end"])  # no token costs 2-2
    chr_.say(state, "0 end")
    assert (state.phase, state.deciders) == (Phase.PLACE, (1,))
    assert chr_.faces(state.players[0].tiles) == "2g 2r"
    assert list(map(str, state.players[0].tokens)) == ["111=8", "234=12"]


@pytest.mark.rule("CHR-2.8")
def test_a_player_may_claim_nothing(chr_: Any) -> None:
    state = chr_.say(claiming(chr_, "1r 1g 1b"), "0 end")
    assert state.deciders == (1,)
    assert chr_.faces(state.players[0].tiles) == "1b 1g 1r"
    assert isinstance(state.events[0].what, TurnEnded)


@pytest.mark.rule("CHR-2.8")
def test_each_tile_pays_for_one_token_only(chr_: Any) -> None:
    state = claiming(chr_, "1r 2g 3b 4y 1g")
    chr_.say(state, "0 claim 1234=15", "0 discard 1r", "0 discard 2g", "0 discard 3b", "0 discard 4y")
    assert chr_.faces(state.players[0].tiles) == "1g"
    assert chr_.legal(state) == ["end"]


@pytest.mark.rule("CHR-2.8", "CHR-D3")
def test_a_token_that_is_gone_cannot_be_claimed(chr_: Any) -> None:
    state = claiming(chr_, "1r 1g 1b 1y 1r 1g 2r 3r")
    chr_.say(state, "0 claim 111=8", "0 discard 1r", "0 discard 1r", "0 discard 1b")
    assert chr_.legal(state) == ["end", "claim 123=9"]  # there are three 1s again
    with pytest.raises(IllegalAction, match="claim a token"):
        chr_.say(state, "0 claim 111=8")


@pytest.mark.rule("CHR-2.8")
def test_tokens_that_cost_the_same_are_told_apart_by_their_points(chr_: Any) -> None:
    table = BUILT_IN.replace("111=8", "111=8 111=6x2")
    state = claiming(chr_, "1r 1g 1b", table=table)
    assert chr_.legal(state) == ["end", "claim 111=6", "claim 111=8"]
    chr_.say(state, "0 claim 111=6")
    assert Counter(map(str, state.supply.tokens))["111=6"] == 1
    assert Counter(map(str, state.supply.tokens))["111=8"] == 1


@pytest.mark.rule("CHR-2.8")
def test_of_tiles_that_show_the_same_the_first_collected_is_discarded(chr_: Any) -> None:
    state = claiming(chr_, "1r 1r 1g 1b")
    first, second = [tile for tile in state.players[0].tiles if tile.colour is Colour.RED]
    chr_.say(state, "0 claim 111=8", "0 discard 1r")
    assert state.discarded == (first,)
    assert second in state.players[0].tiles


def test_what_fits_no_phase_is_refused_and_changes_nothing(chr_: Any) -> None:
    placing = chr_.lay(hand=HAND, collected={0: "1r 1g 1b"})
    claim = claiming(chr_, "1r 1g 1b")
    paying = chr_.say(claim.clone(), "0 claim 111=8")
    place, buy, pay = Place(1, Symbol.A), Claim((1, 1, 1), 8), Discard(1, Colour.RED)
    cases = [
        (placing, [buy, pay, END_TURN, Place(0, Symbol.A), Place(6, Symbol.A), Place(True, Symbol.A), Place(1, 1)]),
        (placing, [Place(1.0, Symbol.A), Place("1", Symbol.A), Place(1, "A"), Place(1, None), "1A", None, object()]),
        (claim, [place, pay, Claim((1, 1), 8), Claim((1, 1, 1), 9), Claim((), 0), Claim("111", 8), Claim(1, 8), None]),
        (paying, [place, buy, EndTurn(), Discard(1, Colour.YELLOW), Discard(2, Colour.RED), Discard(1, "r"), None]),
    ]
    for state, actions in cases:
        before = state.save()
        for action in actions:
            with pytest.raises(IllegalAction, match="seat 0 must"):
                state.play(0, action)
        for seat in (-1, 2, None, "0", 0.0, False):
            with pytest.raises(IllegalAction, match="seats are 0 to 1"):
                state.play(seat, state.legal(0)[0])
        with pytest.raises(IllegalAction, match="turn of seat 0, not of seat 1"):
            state.play(1, state.legal(0)[0])
        assert state.save() == before


def test_legal_lists_are_the_very_same_objects_at_every_table(chr_: Any) -> None:
    for one, two in ((chr_.lay(hand=HAND), chr_.lay(hand="ACDF")),):
        assert one.legal(0) is two.legal(0)
    tokens = chr_.open().supply.tokens
    assert claims(tokens, (1, 2, 1, 0)) is claims(tokens, (1, 2, 1, 0))


def test_more_tiles_than_any_token_costs_make_no_difference(chr_: Any) -> None:
    many = [chr_.find(1, "r")] * 60
    assert counted(many) == (6, 0, 0, 0)
