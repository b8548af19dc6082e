"""Actions as text, and the view as text."""

from typing import Any

import pytest

from croupier_games.errors import IllegalAction, NotationError
from croupier_games.lie import LIE
from croupier_games.twice_as_clever import TWICE_AS_CLEVER
from croupier_games.twice_as_clever.actions import ACTIONS, Extra, FreeEntry, Mark, Pick, ReturnDie, Skip
from croupier_games.twice_as_clever.data import Bonus, Color
from croupier_games.twice_as_clever.view import Phase, Step, Task


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("pick white as pink", Pick(Color.WHITE, Color.PINK)),
        ("pick blue", Pick(Color.BLUE, Color.BLUE)),
        ("extra white as yellow", Extra(Color.WHITE, Color.YELLOW)),
        ("extra blue", Extra(Color.BLUE, Color.BLUE)),
        ("cross silver green 2", Mark(Color.SILVER, 2, 3)),
        ("mark yellow 3 row 1", Mark(Color.YELLOW, 3, 1)),
        ("bonus blue 9", FreeEntry(Color.BLUE, 9, 0)),
        ("bonus silver yellow 6", FreeEntry(Color.SILVER, 6, 1)),
        ("bonus yellow 4 row 5", FreeEntry(Color.YELLOW, 4, 5)),
        ("return yellow", ReturnDie(Color.YELLOW)),
        ("skip white", Skip(Color.WHITE)),
    ],
)
def test_actions_are_written_like_this(text: str, action: Any) -> None:
    assert str(action) == text
    assert TWICE_AS_CLEVER.parse(text) == action


def test_every_action_has_one_notation() -> None:
    """10 ways to enter a die, twice; 34 cells; 34 + 23 free entries; 6 skips, 6 returns; roll, reroll, done."""
    assert len(ACTIONS) == 10 + 10 + 34 + 57 + 6 + 6 + 3
    assert all(TWICE_AS_CLEVER.parse(text) is action for text, action in ACTIONS.items())


@pytest.mark.parametrize(
    "text",
    ["", "pick", "pick white", "pick blue as blue", "pick blue as pink", "Pick blue", " pick blue", "bonus blue 1",
     "bonus blue 13", "bonus green 7", "mark yellow 3 row 2", "cross silver white 1", "roll 2", "pick white as white",
     "x" * 500],
)  # fmt: skip
def test_anything_else_is_no_action(text: str) -> None:
    with pytest.raises(NotationError, match="expected something like 'pick white as pink'") as refused:
        TWICE_AS_CLEVER.parse(text)
    assert len(str(refused.value)) < 300


def test_values_that_only_look_like_actions_are_refused(clever: Any) -> None:
    state = clever.table(2)
    for thing in (Pick(7, 7), Pick("blue", "blue"), FreeEntry(4, 9, 0), None, "pick blue", 0):  # type: ignore[arg-type]
        with pytest.raises(IllegalAction):
            state.play(0, thing)
    with pytest.raises(IllegalAction, match="it is the turn of seat 0, not of seat 1"):
        state.play(1, Pick(Color.BLUE, Color.BLUE))
    with pytest.raises(IllegalAction, match="the seats are 0 to 1"):
        state.play(True, Pick(Color.BLUE, Color.BLUE))


def test_a_typed_action_with_plain_numbers_is_as_good(clever: Any) -> None:
    """What comes over the wire has ints where we have enums."""
    state = clever.table(2)
    state.play(0, Pick(6, 6))  # type: ignore[arg-type]
    assert state.dice.chosen == (Color.PINK,)
    assert type(state.dice.chosen[0]) is Color


def test_a_person_can_read_the_sheet_and_the_dice(clever: Any) -> None:
    sheet = clever.marks(["13", "", "6", ""], "ox........", [11, 9], [10, 2, 12], [6, 2, 4])
    state = clever.table(2, "123456", chosen="w", tray="s", roll=2, round_=3, sheets={0: sheet})
    assert TWICE_AS_CLEVER.render(state.view(0)).splitlines()[:14] == [
        "Doppelt so clever, round 3 of 6: seat 0 is active, roll 2",
        "available: yellow 3 blue 4 green 5 pink 6; chosen: white 1; tray: silver 2",
        "Next: choose a die",
        "",
        "> seat 0: areas 32, 0 foxes, active",
        "  yellow  x  2  x  4  5  6     .  (3)  .  [6]  ?B         actions",
        "  blue    1  2  3  4  5  6     1   .   2   .   T          re-roll  ooo...",
        "  green   1  2  3  4  5  x     .   4   .   3   ?Y         return   oo....",
        "  pink    1  2  3  4  5  6     2   .   5   .   ?G         extra    o.....",
        "          P ?Y  F ?B ?G ?K     .   5   .   4   ?K",
        "  silver 6                     R   P  ?S   F  yellow 3",
        "  blue      11    9   ?Y    .    P    R   ?K    .    F    T    .   ?G  = 3",
        "  green     10    2   12 x1?B  x3T  x3.  x3F x2?S  x3P  x1. x4?K x1?Y  = 8",
        "  pink       6    2    4  3+T  4+P 5+?G 6+?Y  2+F 3+?S  4+R 5+?B 6+?Y  = 12",
    ]


@pytest.mark.parametrize(
    ("how", "line"),
    [
        ({"phase": Phase.PASSIVE, "roll": 3}, "round 1 of 5: seats 1, 2 to enter a die of the tray"),
        ({"phase": Phase.EXTRA, "roll": 3, "round_": 2}, "round 2 of 5: seats 0, 1, 2 to use extra dice"),
        ({"phase": Phase.GRANT, "roll": 0, "round_": 4}, "round 4 of 5: seats 0, 1, 2 to use the grant of the round"),
    ],
)
def test_the_headline_says_who_does_what(clever: Any, how: Any, line: str) -> None:
    text = TWICE_AS_CLEVER.render(clever.table(3, chosen="bgp", **how).view(None))
    assert text.splitlines()[0] == f"Doppelt so clever, {line}"


@pytest.mark.parametrize(
    ("task", "words"),
    [
        (Task(Step.BONUS, pending=(Bonus.YELLOW, Bonus.BLUE)), "use ?Y ?B"),
        (Task(Step.MARK, Color.YELLOW, 3), "mark a 3 in yellow"),
        (Task(Step.SWEEP, sweep=(Color.SILVER,)), "cross silver for silver, or be done"),
    ],
)
def test_the_next_step_is_said(clever: Any, task: Task, words: str) -> None:
    state = clever.table(2, chosen="w", tray="s", task=task)
    assert TWICE_AS_CLEVER.render(state.view(1)).splitlines()[2] == f"Next: {words}"


def test_only_views_of_this_game_are_rendered() -> None:
    with pytest.raises(TypeError, match="expected a view of Doppelt so clever"):
        TWICE_AS_CLEVER.render(LIE.new(seats=2, seed=bytes(32)).view(0))
