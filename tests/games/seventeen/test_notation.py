"""Actions, events and views as text."""

from typing import Any

import pytest

from croupier_games.errors import NotationError
from croupier_games.seventeen import SEVENTEEN
from croupier_games.seventeen.actions import ANSWERS, LAYS, Call, Lay, Pass
from croupier_games.seventeen.data import Card


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Lay(Card.TWO_SIDED_THREE, False), "lay 3/3"),
        (Lay(Card.THREE, False), "lay 3 face-up"),
        (Lay(Card.THREE, True), "lay 3 heart-up"),
        (Lay(Card.CHANGE_DIRECTION, False), "lay change-direction face-up"),
        (Lay(Card.PLAY_TWO, True), "lay play-two heart-up"),
        (Lay(Card.REMOVE_LAST, False), "lay remove-last face-up"),
        (Lay(Card.TRAP, True), "lay trap heart-up"),
        (Call(), "call"),
        (Pass(), "pass"),
    ],
)
def test_each_action_has_one_notation(action: Any, text: str) -> None:
    assert str(action) == text
    assert SEVENTEEN.parse(text) == action


def test_every_notation_parses_back_to_the_one_object() -> None:
    assert len(LAYS) == 9 * 2 + 5
    for action in (*ANSWERS, *LAYS.values()):
        assert SEVENTEEN.parse(str(action)) is action
    assert len({str(action) for action in (*ANSWERS, *LAYS.values())}) == 25


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "lay", "lay ", "lay 3", "lay 3/3 face-up", "lay 3/3 heart-up", "lay 3/4", "lay 6/6", "lay 0 face-up",
        "lay 6 face-up", "lay heart", "lay heart heart-up", "lay trap", "lay  3/3", " lay 3/3", "lay 3/3 ", "lay 3/3\n",
        "Lay 3/3", "LAY 3/3", "3/3", "lay 3 up", "lay 3 face up", "lay play two face-up", "lay -3 face-up", "lay ３/３",
        "lay no card", "check", "check!", "Call", "call ", "passes", "\0", "call\n", "pass pass", "a" * 10**6,
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(NotationError, match="expected 'pass', 'call', or 'lay' and a card") as refused:
        SEVENTEEN.parse(text)
    assert len(str(refused.value)) < 300


def test_lists_of_actions_are_the_very_same_objects_at_every_table(svt: Any) -> None:
    one, two = (svt.table("3 trap 5/5", f"{card} 1/1 1/1") for card in ("2", "4"))
    assert one.legal(0) is two.legal(0)
    assert max(len(state.legal(0)) for state in (one, two)) == 5


def test_a_round_told_to_a_seat(svt: Any) -> None:
    state = svt.table("trap 2/2 2/2", "3 4/4 4/4", draw="5 5/5 1/1", row="1:5/5")
    told = []
    for line in ("0 lay trap heart-up", "1 pass", "1 lay 3 face-up", "0 call"):
        svt.say(state, line)
        told += svt.told(state, 0)
    assert told == [
        "Seat 0 lays a card heart up.",
        "You lay trap heart up.",
        "Nobody calls.",
        "Seat 0 draws a heart; the draw pile: 62 cards, 5/5 on top.",
        "You draw 5.",
        "Seat 1 lays 3.",
        "You call.",
        "Seat 0 calls: check!",
        "Seat 1 draws 5/5; the draw pile: 61 cards, 1/1 on top.",
        "The row was 5/5, (trap), 3. Seat 0 calls after seat 1, the row comes to 8; seat 0 hid a trap; "
        "seats 0 and 1 take 1 composure; seat 0 takes 2 nerves; seat 0 puts back 2 nerves, and a composure if any.",
        "Round 2 starts with seat 1.",
    ]


def test_a_rendered_view_of_a_seat(svt: Any) -> None:
    row = "0:(trap) 1:5/5 2:(3) 0:change-direction"
    state = svt.table("3 play-two 4/4", "1 1/1 1/1", "2/2 2/2", row=row, draw="5/5", turn=2, direction=2, used="1 4/4")
    assert SEVENTEEN.render(state.view(0)).splitlines() == [
        "17, round 1, counter-clockwise: seat 2 to lay 1 card or to call",
        "",
        "  seat 0: 0 composure, 0 nerves; 4/4, 2 hearts",
        "  seat 1: 0 composure, 0 nerves; 1/1, 1/1, 1 heart",
        "> seat 2: 0 composure, 0 nerves; 2/2, 2/2",
        "",
        "The row, which you know to come to 5 or more; last to lay was seat 0:",
        "  0: (trap) | 1: 5/5 | 2: heart | 0: change-direction",
        "Draw pile: 56 cards, 5/5 on top; used pile: 2 cards.",
        "",
        "Your hand: 3, play-two, 4/4",
    ]
    assert "Your hand" not in SEVENTEEN.render(state.view(None))


def test_a_rendered_window_and_showdown(svt: Any) -> None:
    state = svt.table("play-two 4/4 4/4", "1/1 1/1 1/1", "2/2 2/2 2/2", row="1:5/5 2:(3)")
    svt.say(state, "0 lay play-two face-up", "1 call")
    assert SEVENTEEN.render(state.view(2)).splitlines()[0] == (
        "17, round 1, clockwise, the next must play two: who calls after seat 0?"
    )
    assert SEVENTEEN.render(state.view(1)).splitlines()[-1] == "You have chosen to call."
    assert "chosen" not in SEVENTEEN.render(state.view(2)) + SEVENTEEN.render(state.view(None))
    svt.say(state, "2 pass")
    assert SEVENTEEN.render(state.view(None)).splitlines()[-4:] == [
        "Round 1 ended with this row, hidden cards in brackets:",
        "  1: 5/5 | 2: (3) | 0: play-two",
        "  seat 1 calls after seat 0, the row comes to 8; seat 0 takes 1 composure; seat",
        "  1 takes 1 nerve.",
    ]


def test_the_longest_row_and_the_end_of_a_game_fit_the_page(svt: Any) -> None:
    state = svt.table("", "1/1", rest="row", tokens=[[2, 0], [0, 0]])
    assert max(map(len, SEVENTEEN.render(state.view(0)).splitlines())) <= 80
    assert len(state.row) == 69
    assert SEVENTEEN.render(state.view(0)).startswith("17, round 1, clockwise: seat 0 has no card and must call")
    svt.say(state, "0 call")
    text = SEVENTEEN.render(state.view(None))
    assert text.startswith("17, round 1, clockwise: the game is over")
    assert "The row is empty." in text
    assert max(map(len, text.splitlines())) <= 80


def test_render_takes_views_of_17_only() -> None:
    with pytest.raises(TypeError, match="expected a view of 17"):
        SEVENTEEN.render((1, 2))
