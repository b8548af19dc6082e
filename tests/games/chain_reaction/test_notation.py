"""Actions, events and views as text."""

from typing import Any

import pytest

from croupier_games.chain_reaction import CHAIN_REACTION
from croupier_games.chain_reaction.actions import END_TURN, Claim, Discard, EndTurn, Place
from croupier_games.chain_reaction.data import Colour, Symbol
from croupier_games.chain_reaction.table import WITHOUT_TOKENS
from croupier_games.errors import NotationError

OVER = [["ECBF"], ["FADE"], ["CBFD"], ["DCBA"], ["EDCB"]]


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Place(3, Symbol.A), "3A"),
        (Place(5, Symbol.F), "5F"),
        (Claim((1, 2, 3, 4), 15), "claim 1234=15"),
        (Claim((1, 1), 9), "claim 11=9"),
        (Discard(3, Colour.RED), "discard 3r"),
        (Discard(4, Colour.YELLOW), "discard 4y"),
        (EndTurn(), "end"),
    ],
)
def test_each_action_has_one_notation(action: Any, text: str) -> None:
    assert str(action) == text
    assert CHAIN_REACTION.parse(text) == action


def test_actions_are_told_apart_by_type_and_value() -> None:
    texts = ["end", *[f"{column}{top}" for column in range(1, 6) for top in "ABCDEF"]]
    texts += [f"discard {number}{colour}" for number in range(1, 5) for colour in "rgby"]
    actions = [CHAIN_REACTION.parse(text) for text in texts]
    assert len(set(actions)) == 1 + 30 + 16
    assert actions[0] is END_TURN


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "3", "A", "A3", "0A", "6A", "3G", "3a", "3 A", " 3A", "3A ", "3A\n", "33A", "٣A", "３A", "3Ａ",
        "claim", "claim ", "claim 1234", "claim 1234=", "claim =15", "claim 1=5", "claim 1234567=5", "claim 1235=9",
        "claim 1234=0", "claim 1234=015", "claim 1234=100", "claim  1234=15", "Claim 1234=15", "claim 1234=15x4",
        "claim 1234=15\n", "claim 1-2-3-4=15", "1234=15", "discard", "discard 3", "discard r3", "discard 3R",
        "discard 0r", "discard 5r", "discard 3p", "discard 3r ", "discard  3r", "discard 3r 4g", "End", "end ", "end\n",
        "pass", "\x00", "a" * 10**6,
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(NotationError, match="expected a column and the symbol on top like '3A'") as refused:
        CHAIN_REACTION.parse(text)
    assert len(str(refused.value)) < 400


def test_a_tile_is_written_with_its_face_and_its_symbols_clockwise(chr_: Any) -> None:
    assert str(chr_.tile("ABCD")) == "1r[ABCD]"
    assert str(chr_.tile("DABC")) == "1r[DABC]"


def test_events_read_as_sentences(chr_: Any) -> None:
    state = chr_.lay(OVER, hand="DAFC", collected={0: "1r 1g 1b"})
    said = [str(event.what) for event in chr_.open(2, start_seat=1).events[:1]]
    for line in ("0 2D", "0 claim 111=8", "0 discard 1r", "0 discard 1g", "0 discard 1b", "0 end"):
        chr_.say(state, line)
        said += [str(event.what) for event in state.events]
    assert said == [
        "Seat 1 starts; 48 tiles are in the stack.",
        "Seat 0 puts 3g[DAFC] on column 2, at height 2.",
        "Seat 0 takes 3y[FADE] below it, from column 2, height 1.",
        "Seat 0 takes 2r[ECBF] on its left, from column 1, height 1.",
        "Seat 0 claims 111=8.",
        f"Seat 0 discards {chr_.collection('1r')[0]}.",
        f"Seat 0 discards {chr_.find(1, 'g')}.",
        f"Seat 0 discards {chr_.find(1, 'b')}.",
        "Seat 0 ends its turn.",
        "The game is over: seat 0 had red, seat 1 had green.",
    ]


def test_private_events_and_draws_read_as_sentences(chr_: Any) -> None:
    state = chr_.lay(hand="ADCF", stack=2)
    drawn = state.stack[0]
    chr_.say(state, "0 1A", "0 end")
    assert [str(event.what) for event in state.events] == [
        "Seat 0 ends its turn and draws; 1 tile is in the stack.",
        f"You draw {drawn}.",
    ]
    opening = chr_.open(2)
    assert [str(event.what) for event in opening.events if event.audience == 0] == [
        f"Your secret colour is {opening.colours[0].name.lower()}.",
        f"You draw {opening.hands[0]}.",
    ]


def test_a_rendered_view_of_a_seat(chr_: Any) -> None:
    columns = [["AEBD", "DCEB"], ["EABD"], ["CBFA"], ["DCBA"], ["EDCB"]]
    state = chr_.lay(columns, hand="DAFC", collected={0: "1r 1r 2g 4y"}, seats=3, stack=40)
    lines = CHAIN_REACTION.render(state.view(0)).splitlines()
    assert lines[:11] == [
        "Chain Reaction: seat 0 to place a tile; 40 in the stack",
        "",
        "       D",
        "  2  B 3g C",
        "       E",
        "       A        E        C        D        E",
        "  1  D 3y E   D 3b A   A 3g B   A 2b C   B 2g D",
        "       B        B        F        B        C",
        "       (1)      (2)      (3)      (4)      (5)",
        "",
        "              A",
    ]
    assert lines[11:17] == [
        "Your tile:  D 3g F   Your colour: red",
        "              C",
        "",
        "> seat 0: 4 collected",
        "    1: r2   2: g1   3: -   4: y1",
        "  seat 1: 0 collected",
    ]
    assert lines[-2:] == [
        "Bonus tokens: 111=8 1111=12 1122=10 1133=12 123=9x2 1234=15x4 222=11 2222=16",
        "              2244=16 234=12x2 333=14 3333=20 3344=18 444=17 4444=24",
    ]
    assert "Your" not in CHAIN_REACTION.render(state.view(None))


def test_the_headline_says_what_is_going_on(chr_: Any) -> None:
    state = chr_.lay(OVER, hand="DAFC", collected={0: "1r 1g 1b"})
    heads = []
    for line in ("0 2D", "0 claim 111=8", "0 discard 1r", "0 discard 1g", "0 discard 1b", "0 end"):
        chr_.say(state, line)
        heads.append(CHAIN_REACTION.render(state.view(0)).splitlines()[0])
    assert heads == [
        "Chain Reaction: seat 0 to claim a token or end its turn; 48 in the stack",
        "Chain Reaction: seat 0 pays for 111=8, due: 1 1 1; 48 in the stack",
        "Chain Reaction: seat 0 pays for 111=8, due: 1 1; 48 in the stack",
        "Chain Reaction: seat 0 pays for 111=8, due: 1; 48 in the stack",
        "Chain Reaction: seat 0 to claim a token or end its turn; 48 in the stack",
        "Chain Reaction: the game is over; 48 in the stack",
    ]
    text = CHAIN_REACTION.render(state.view(1))
    assert "  seat 0: 2 collected, red\n" in text
    assert "    tokens: 111=8\n" in text
    assert "Your colour: green" in text


def test_the_longest_headline_fits_80_columns(chr_: Any) -> None:
    """A table may have tokens of six numbers."""
    state = chr_.lay(hand="ADCF", collected={0: "1r 1r 1g 1g 1b 1b"}, table=WITHOUT_TOKENS + " 111111=99")
    chr_.say(state, "0 1A", "0 claim 111111=99")
    head = CHAIN_REACTION.render(state.view(0)).splitlines()[0]
    assert head == "Chain Reaction: seat 0 pays for 111111=99, due: 1 1 1 1 1 1; 48 in the stack"
    assert len(head) <= 80


def test_a_seat_with_nothing_in_hand_is_said_to_have_none(chr_: Any) -> None:
    state = chr_.lay(hand="ADCF", stack=0)
    chr_.say(state, "0 1A")
    assert "seat 0: " in (text := CHAIN_REACTION.render(state.view(0)))
    assert "no tile in hand" in text
    assert "Your tile" not in text
    assert "\nYour colour: red\n" in text


def test_render_takes_views_of_chain_reaction_only() -> None:
    with pytest.raises(TypeError, match="expected a view of Chain Reaction"):
        CHAIN_REACTION.render((1, 2))
