"""Entering dice in the five areas: TAC-2."""

from typing import Any

import pytest

from croupier_games.errors import IllegalAction
from croupier_games.twice_as_clever.data import Bonus
from croupier_games.twice_as_clever.sheet import green
from croupier_games.twice_as_clever.view import BonusGained, EntryMade, Phase, Step, Task


def swept(clever: Any, state: Any) -> list[str]:
    return [text for text in clever.legal(state) if text != "done"]


@pytest.mark.rule("TAC-2.2", "TAC-2.1")
def test_the_example_of_the_rulebook_is_replayed(clever: Any) -> None:
    """Silver 3, green 3 crossed; blue 1 and white 2 go to the tray: blue 1 and, for white, green 2 are crossed.

    The rulebook does not say what the other dice show."""
    state = clever.table(2, "234154")
    clever.say(state, "0 pick silver", "0 cross silver green 3")
    assert state.tasks[0] == Task(Step.SWEEP, sweep=clever.colors("wb"))
    assert swept(clever, state) == [
        "cross silver yellow 2",
        "cross silver blue 1",
        "cross silver blue 2",
        "cross silver green 2",
        "cross silver pink 2",
    ]
    clever.say(state, "0 cross silver blue 1", "0 cross silver green 2")
    assert clever.crossed(state.sheets[0]) == {"green 3", "blue 1", "green 2"}
    assert (state.turn.roll, state.dice.tray) == (2, clever.colors("wb"))


@pytest.mark.rule("TAC-2.1")
def test_the_row_of_silver_is_of_free_choice_among_those_that_are_open(clever: Any) -> None:
    state = clever.table(2, "666366", sheets={0: clever.marks(["6", "", "6", ""])})
    clever.say(state, "0 pick silver")
    assert clever.legal(state) == ["cross silver blue 6", "cross silver pink 6"]
    with pytest.raises(IllegalAction, match="which cell it marks now, got cross silver yellow 6"):
        clever.say(state, "0 cross silver yellow 6")


@pytest.mark.rule("TAC-2.1")
def test_silver_cannot_be_chosen_if_its_value_is_crossed_in_every_row(clever: Any) -> None:
    state = clever.table(2, "352361", sheets={0: clever.marks(["5"] * 4)})
    assert "pick silver" not in clever.legal(state)
    assert "pick white as silver" in clever.legal(state)


@pytest.mark.rule("TAC-2.1")
def test_white_as_silver_sweeps_too_and_then_silver_goes_in_any_row(clever: Any) -> None:
    state = clever.table(2, "524666")
    clever.say(state, "0 pick white as silver", "0 cross silver pink 5")
    assert state.tasks[0].sweep == clever.colors("sy")
    assert swept(clever, state) == [
        "cross silver yellow 2",
        "cross silver yellow 4",
        "cross silver blue 2",
        "cross silver green 2",
        "cross silver pink 2",
    ]


@pytest.mark.rule("TAC-2.1")
@pytest.mark.parametrize("pick", ["pick green", "pick white as pink", "pick pink"])
def test_no_other_choice_sweeps(clever: Any, pick: str) -> None:
    state = clever.say(clever.table(2, "622266"), f"0 {pick}")
    assert state.tasks[0] == Task(Step.CHOOSE)
    assert clever.crossed(state.sheets[0]) == set()


@pytest.mark.rule("TAC-2.1")
def test_a_sweep_is_optional_die_by_die(clever: Any) -> None:
    state = clever.table(2, "564321")
    clever.say(state, "0 pick silver", "0 cross silver yellow 6", "0 cross silver green 2")
    assert state.tasks[0].sweep == clever.colors("wybp")
    clever.say(state, "0 done")
    assert clever.crossed(state.sheets[0]) == {"yellow 6", "green 2"}
    assert state.phase == Phase.PASSIVE


@pytest.mark.rule("TAC-2.1")
def test_every_swept_die_counts_once(clever: Any) -> None:
    """After white is used, only the coloured dice are left, each in its row."""
    state = clever.table(2, "263666")
    clever.say(state, "0 pick silver", "0 cross silver yellow 6", "0 cross silver pink 2")
    assert state.tasks[0].sweep == clever.colors("y")
    assert swept(clever, state) == ["cross silver yellow 3"]
    clever.say(state, "0 cross silver yellow 3")
    assert state.turn.roll == 2


@pytest.mark.rule("TAC-2.1")
def test_a_cell_for_two_dice_counts_for_the_coloured_one(clever: Any) -> None:
    state = clever.table(2, "263266")  # white 2 and blue 2 could both cross blue 2
    clever.say(state, "0 pick silver", "0 cross silver yellow 6", "0 cross silver blue 2")
    assert state.tasks[0].sweep == clever.colors("wy")
    assert "cross silver pink 2" in clever.legal(state)


@pytest.mark.rule("TAC-2.1")
def test_swept_dice_whose_cells_are_crossed_give_nothing(clever: Any) -> None:
    sheet = clever.marks(["2", "2", "2", "2"])
    state = clever.table(2, "262666", sheets={0: sheet})
    clever.say(state, "0 pick silver", "0 cross silver blue 6")
    assert state.tasks[0] == Task(Step.CHOOSE)  # white 2 and yellow 2 find no open cell
    other = clever.table(2, "263666", sheets={0: sheet})
    clever.say(other, "0 pick silver", "0 cross silver blue 6")
    assert swept(clever, other) == ["cross silver yellow 3"]


@pytest.mark.rule("TAC-2.1")
def test_only_lower_dice_are_swept_also_on_the_last_choice(clever: Any) -> None:
    state = clever.table(2, "234556", chosen="yb", roll=3)
    clever.say(state, "0 pick silver", "0 cross silver green 3")
    assert state.tasks[0].sweep == clever.colors("w")  # green 5 and pink 6 go to the tray, but not as lower dice
    clever.say(state, "0 done")
    assert state.dice.tray == clever.colors("wgp")


@pytest.mark.rule("TAC-2.1")
def test_dice_that_lay_on_the_tray_are_not_swept(clever: Any) -> None:
    state = clever.table(2, "264321", tray="gp", chosen="y", roll=2)
    clever.say(state, "0 pick silver", "0 cross silver pink 6")
    assert state.tasks[0].sweep == clever.colors("wb")


@pytest.mark.rule("TAC-1.6", "TAC-2.1")
def test_a_cross_of_the_sweep_gives_its_bonuses_before_the_next(clever: Any) -> None:
    state = clever.table(2, "263466", sheets={0: clever.marks(["2", "24", "24", "4"])})
    clever.say(state, "0 pick silver", "0 cross silver yellow 6", "0 cross silver pink 2")
    assert [what.bonus for what in clever.told(state, BonusGained)] == [Bonus.YELLOW]
    assert state.tasks[0].step == Step.BONUS
    assert all(text.startswith("bonus yellow") for text in clever.legal(state))
    clever.say(state, "0 bonus yellow 6 row 1")
    assert state.tasks[0] == Task(Step.SWEEP, sweep=clever.colors("yb"))
    assert swept(clever, state) == ["cross silver yellow 3"]  # blue 4 is crossed already
    clever.say(state, "0 cross silver yellow 3")
    assert state.turn.roll == 2


@pytest.mark.rule("TAC-2.3")
def test_a_die_circles_a_cell_or_crosses_a_circled_one(clever: Any) -> None:
    state = clever.table(2, "635366", sheets={0: clever.marks(yellow=".......o..")})
    clever.say(state, "0 pick yellow")
    assert clever.legal(state) == ["mark yellow 5 row 4", "mark yellow 5 row 5"]
    crossed = clever.say(state.clone(), "0 mark yellow 5 row 4")
    assert crossed.sheets[0].yellow.cells[7].name == "CROSSED"
    assert crossed.sheets[0].yellow.points == 3
    assert str(clever.told(crossed, EntryMade)[0]) == "Seat 0 enters yellow 5 row 4 crossed."
    circled = clever.say(state.clone(), "0 mark yellow 5 row 5")
    assert circled.sheets[0].yellow.cells[8].name == "CIRCLED"
    assert circled.sheets[0].yellow.points == 0
    assert str(clever.told(circled, EntryMade)[0]) == "Seat 0 enters yellow 5 row 5 circled."


@pytest.mark.rule("TAC-2.3")
def test_a_crossed_cell_takes_no_more_and_a_value_can_be_used_up(clever: Any) -> None:
    state = clever.table(2, "635366", sheets={0: clever.marks(yellow=".......x..")})
    assert clever.legal(clever.say(state, "0 pick yellow")) == ["mark yellow 5 row 5"]
    full = clever.table(2, "635366", sheets={0: clever.marks(yellow=".......xx.")})
    assert "pick yellow" not in clever.legal(full)


@pytest.mark.rule("TAC-2.3")
def test_a_line_gives_its_bonus_by_circles_once_and_crossing_gives_none(clever: Any) -> None:
    state = clever.table(2, "631366", sheets={0: clever.marks(yellow="...x......")})
    clever.say(state, "0 pick yellow", "0 mark yellow 1 row 2")  # row 2 is circled or crossed now; column 1 is not
    assert [what.bonus for what in clever.told(state, BonusGained)] == [Bonus.RETURN]
    again = clever.table(2, "631366", sheets={0: clever.marks(yellow="..oo..o...")})
    clever.say(again, "0 pick yellow", "0 mark yellow 1 row 2")
    assert clever.told(again, BonusGained) == []


@pytest.mark.rule("TAC-2.3", "TAC-5.2")
def test_one_circle_can_complete_a_row_and_a_column(clever: Any) -> None:
    state = clever.table(2, "532366", sheets={0: clever.marks(yellow="..oo...o..")})
    clever.say(state, "0 pick yellow", "0 mark yellow 2 row 4")  # row 4 gives a green, column 1 a re-roll
    assert {what.bonus for what in clever.told(state, BonusGained)} == {Bonus.GREEN, Bonus.REROLL}


@pytest.mark.rule("TAC-2.4")
@pytest.mark.parametrize(
    ("available", "chosen", "tray", "pick"),
    [
        ("wsybgp", "", "", "pick blue"),
        ("wsybgp", "", "", "pick white as blue"),
        ("bgp", "w", "sy", "pick blue"),
        ("bgp", "s", "wy", "pick blue"),
        ("wgp", "b", "sy", "pick white as blue"),
        ("wgp", "s", "by", "pick white as blue"),
    ],
)
def test_blue_is_the_sum_wherever_the_other_die_lies(
    clever: Any, available: str, chosen: str, tray: str, pick: str
) -> None:
    state = clever.table(2, "511466", available=available, chosen=chosen, tray=tray, roll=1 + len(chosen))
    clever.say(state, f"0 {pick}")
    assert state.sheets[0].blue.numbers == (9,)


@pytest.mark.rule("TAC-2.4")
def test_both_dice_can_be_entered_in_blue_in_one_turn_with_the_faces_they_show_then(clever: Any) -> None:
    state = clever.rig(clever.table(2, "611566"), roll_2="233333")
    clever.say(state, "0 pick blue")
    assert state.sheets[0].blue.numbers == (11,)
    state = clever.table(2, "211566", chosen="b", tray="sy", roll=2, sheets={0: clever.marks(blue=[11])})
    clever.say(state, "0 pick white as blue")
    assert state.sheets[0].blue.numbers == (11, 7)


@pytest.mark.rule("TAC-2.4")
@pytest.mark.parametrize(("before", "fits"), [(8, False), (9, True), (10, True)])
def test_a_number_in_blue_is_not_higher_than_the_one_before(clever: Any, before: int, fits: bool) -> None:
    state = clever.table(2, "511466", sheets={0: clever.marks(blue=[before])})
    for text in ("pick blue", "pick white as blue"):
        assert (text in clever.legal(state)) is fits


@pytest.mark.rule("TAC-2.4", "TAC-2.7")
def test_blue_scores_the_star_of_its_last_slot_and_ends_with_the_twelfth(clever: Any) -> None:
    state = clever.table(2, "111111", sheets={0: clever.marks(blue=[5, 5, 4])})
    assert state.sheets[0].blue.points == 6
    full = clever.table(2, "111111", sheets={0: clever.marks(blue=[2] * 12)})
    assert full.sheets[0].blue.points == 78
    assert "pick blue" not in clever.legal(full)


@pytest.mark.rule("TAC-2.5")
def test_green_is_multiplied_and_pairs_are_subtracted(clever: Any) -> None:
    """The example of the rulebook: a 5 is written as 10, then a 1 as 2, and the star is 8."""
    state = clever.say(clever.table(2, "111151"), "0 pick green")
    assert state.sheets[0].green == ((10,), 0)
    state = clever.say(clever.table(2, "111111", sheets={0: clever.marks(green=[10])}), "0 pick green")
    assert state.sheets[0].green == ((10, 2), 8)


@pytest.mark.rule("TAC-2.5")
@pytest.mark.parametrize(
    ("numbers", "points"),
    [((), 0), ((12,), 0), ((2, 12), -10), ((12, 2, 12), 10), ((12, 2, 12, 1), 21), ((12, 2, 12, 1, 18, 3, 18), 36)],
)
def test_half_a_pair_scores_nothing_and_a_pair_may_cost_points(numbers: tuple[int, ...], points: int) -> None:
    assert green(numbers).points == points


@pytest.mark.rule("TAC-2.6")
@pytest.mark.parametrize(("value", "gained"), [(1, []), (2, [Bonus.REROLL]), (6, [Bonus.REROLL])])
def test_a_pink_slot_gives_its_bonus_from_its_threshold_on(clever: Any, value: int, gained: list[Bonus]) -> None:
    state = clever.table(2, f"66666{value}", sheets={0: clever.marks(pink=[1, 1])})
    clever.say(state, "0 pick pink")
    assert state.sheets[0].pink == ((1, 1, value), 2 + value)
    assert [what.bonus for what in clever.told(state, BonusGained)] == gained


@pytest.mark.rule("TAC-2.7")
def test_slots_are_filled_from_the_left_and_cells_in_any_order(clever: Any) -> None:
    state = clever.table(2, "666666", sheets={0: clever.marks(green=[2], pink=[1, 2], blue=[12])})
    done = clever.say(state.clone(), "0 pick green")
    assert done.sheets[0].green.numbers == (2, 12)
    done = clever.say(state.clone(), "0 pick pink")
    assert done.sheets[0].pink.numbers == (1, 2, 6)
    done = clever.say(state.clone(), "0 pick blue")
    assert done.sheets[0].blue.numbers == (12, 12)
    done = clever.say(state.clone(), "0 pick silver", "0 cross silver pink 6")
    assert done.sheets[0].silver.rows == ((), (), (), (6,))
    full = clever.table(2, "666666", sheets={0: clever.marks(pink=[1] * 12)})
    assert not [text for text in clever.legal(full) if text.endswith("pink") and text.startswith("pick")]
