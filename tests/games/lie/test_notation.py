"""Actions, events and views as text."""

from typing import Any

import pytest

from croupier_games.errors import NotationError
from croupier_games.lie import LIE
from croupier_games.lie.actions import BIDS, CHALLENGE, DIRECTIONS, Arrange, Bid, Challenge, Declare
from croupier_games.lie.view import Direction


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Arrange((4, 4, 2)), "show 4 4 2"),
        (Arrange((1,)), "show 1"),
        (Bid(3, 4), "3x4"),
        (Bid(30, 6), "30x6"),
        (Challenge(), "challenge"),
        (Declare(Direction.CLOCKWISE), "clockwise"),
        (Declare(Direction.COUNTER_CLOCKWISE), "counter-clockwise"),
    ],
)
def test_each_action_has_one_notation(action: Any, text: str) -> None:
    assert str(action) == text
    assert LIE.parse(text) == action


def test_a_notation_does_not_depend_on_what_was_written_before() -> None:
    """True equals 1, so a notation that is kept for one is the other's too."""
    assert str(Arrange((True, 3, 5, 6, 6))) == str(Arrange((1, 3, 5, 6, 6))) == "show 1 3 5 6 6"


def test_every_notation_parses_back() -> None:
    for action in (CHALLENGE, *DIRECTIONS, *BIDS.values()):
        assert LIE.parse(str(action)) is action


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "3", "x4", "3x", "3X4", "3 x 4", " 3x4", "3x4 ", "3x4\n", "03x4", "3x04", "3x7", "3x0", "0x4", "31x4",
        "99x1", "-3x4", "+3x4", "3x-4", "3.0x4", "٣x4", "3x４", "3×4", "1" * 5000 + "x4", "3x4x5",
        "show", "show ", "show4", "show 0", "show 7", "show 4  4", "show 4 4 ", "show 04", "show 4,4", "SHOW 4",
        "Show 4", "show 1 2 3 4 5 6", "show ４", "show -4", "show 4\n",
        "Challenge", "challenge ", "challenged", "Clockwise", "counterclockwise", "counter_clockwise", "unspecified",
        "\x00", "challenge\n", "a" * 10**6,
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(NotationError, match="expected a bid like '3x4'") as refused:
        LIE.parse(text)
    assert len(str(refused.value)) < 400


def test_events_read_as_sentences(lie: Any) -> None:
    state = lie.with_counts([1, 5, 1, 1], starter=1, choose_direction=True)
    state = lie.with_hands(state, [(1, 4)], [(1, 2), (1, 3), (2, 3), (2, 4), (2, 5)], [(3, 6)], [(4, 6)])
    said = []
    for line in ("0 show 4", "1 show 1 1 2 2 2", "2 show 3", "3 show 6", "1 counter-clockwise", "1 4x5", "0 challenge"):
        lie.say(state, line)
        said += [str(event.what) for event in state.events]
    assert said[0] == "You arrange 1[4]."
    assert said[4:] == [
        "All hands are arranged.",
        "Seat 1 declares counter-clockwise.",
        "Seat 1 bids 4x5.",
        "Seat 0 challenges the 4x5 of seat 1, there are 0: seat 1 loses.",
        "Extra round 6 starts with seat 0: 1 card to seat 0, 1 card to seat 2, 1 card to seat 3.",
        *(f"You are dealt {state.hands[seat]}." for seat in (0, 2, 3)),
    ]
    lie.lose(state, 0)
    assert "Seat 0 is out." in [str(event.what) for event in state.events]


def test_a_rendered_view_of_a_seat(lie: Any) -> None:
    state = lie.with_counts([2, 1, 5], joker_ones=True)
    state = lie.with_hands(state, [(1, 4), (2, 6)], [(3, 5)], [(1, 2), (1, 3), (2, 3), (2, 4), (2, 5)])
    lie.say(state, "0 show 4 2", "1 show 5", "2 show 1 1 2 2 2", "0 1x4", "1 2x5")
    assert LIE.render(state.view(0)).splitlines() == [
        "LIE, round 6: seat 2 to answer, ones are jokers",
        "",
        "  seat 0: 2 cards, starts this round",
        "  seat 1: 1 card",
        "> seat 2: 5 cards",
        "",
        "Your hand: 1[4]  [2]6",
        "",
        "Bids, oldest first:",
        "  seat 0 1x4 < seat 1 2x5",
        "",
        "Showdown of round 5:",
        "  seat 1 challenges the 1x1 of seat 0, there are 2: seat 1 loses",
        "  seat 0: [1]2",
        "  seat 1: [1]3",
    ]
    assert "Your hand" not in LIE.render(state.view(None))
    lie.say(state, "2 challenge")
    assert state.round.last_showdown.loser == 2  # 5 and two jokers: the bid was true
    assert LIE.render(state.view(None)).splitlines()[:4] == [
        "LIE, round 6: the game is over, ones are jokers",
        "",
        "  seat 0: 2 cards",
        "  seat 1: 1 card",
    ]


def test_render_takes_views_of_lie_only() -> None:
    with pytest.raises(TypeError, match="expected a view of LIE"):
        LIE.render((1, 2))
