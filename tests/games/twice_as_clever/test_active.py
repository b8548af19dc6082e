"""The active player: rolling, choosing, the tray, re-rolls and returns: TAC-1 and TAC-4.1, TAC-4.2."""

from typing import Any

import pytest

from croupier_games.errors import IllegalAction
from croupier_games.twice_as_clever import TWICE_AS_CLEVER
from croupier_games.twice_as_clever.data import Color
from croupier_games.twice_as_clever.view import DiceRolled, DiceToTray, DieReturned, Phase, RollSkipped, Step, Task

FULL_GREEN = [2, 2, 2, 1, 3, 3, 3, 2, 3, 1, 4, 1]
NOTHING_LEFT = {"silver": ["123456"] * 4, "yellow": "x" * 10, "blue": [2] * 12, "green": FULL_GREEN, "pink": [1] * 12}


def names(dice: Any) -> str:
    return " ".join(map(str, dice))


@pytest.mark.rule("TAC-1.1", "ALL-1", "ALL-2")
def test_the_starter_is_random_unless_it_is_set(clever: Any) -> None:
    assert {clever.open(4, number).turn.starter for number in range(40)} == {0, 1, 2, 3}
    assert all(clever.open(4, number, start_seat=2).turn.active == 2 for number in range(5))
    with pytest.raises(Exception, match="not for solo games"):
        clever.open(1, start_seat=0)


@pytest.mark.rule("TAC-1.1", "TAC-6.2", "ALL-3")
def test_in_a_round_everybody_is_active_once_clockwise(clever: Any) -> None:
    state = clever.open(4, start_seat=2)
    order = []
    while state.deciders:
        now = (state.turn.round, state.turn.active)
        if now not in order:
            order.append(now)
            if state.phase == Phase.ACTIVE:
                assert (state.turn.roll, names(state.dice.available)) == (1, "white silver yellow blue green pink")
        seat = state.deciders[0]
        state.play(seat, state.legal(seat)[-1])
    assert order == [(round_, seat) for round_ in (1, 2, 3, 4) for seat in (2, 3, 0, 1)]


@pytest.mark.rule("TAC-1.2", "TAC-1.3", "TAC-1.5")
def test_the_turn_of_the_rulebook_is_replayed(clever: Any) -> None:
    """Pink 3; then four dice, white 4 as pink; then the one that is left, yellow 3.

    That is all that could be read: how many dice go to the tray each time follows from it. Which they are and what
    they and the ones that stay show is made up."""
    state = clever.rig(clever.table(2, "516443"), roll_2="415231", roll_3="113111")
    clever.say(state, "0 pick pink")
    assert state.sheets[0].pink.numbers == (3,)
    assert (names(state.dice.chosen), names(state.dice.tray)) == ("pink", "silver")
    assert names(state.dice.available) == "white yellow blue green"
    assert state.turn.roll == 2
    clever.say(state, "0 pick white as pink")
    assert state.sheets[0].pink.numbers == (3, 4)
    assert names(state.dice.tray) == "silver blue green"
    assert clever.told(state, DiceRolled)[0][3:] == ((Color.YELLOW,), (3,))
    clever.say(state, "0 pick yellow", "0 mark yellow 3 row 1")
    assert names(state.dice.chosen) == "pink white yellow"
    assert state.sheets[0].yellow.cells[0].name == "CIRCLED"
    assert state.phase == Phase.PASSIVE


@pytest.mark.rule("TAC-1.2", "TAC-1.6")
def test_lower_dice_go_to_the_tray_and_equal_ones_stay(clever: Any) -> None:
    state = clever.say(clever.table(2, "143454"), "0 pick blue")
    # The pips of blue, 4, count, not the sum 5 that is written: green 5 and the other 4s stay.
    assert state.sheets[0].blue.numbers == (5,)
    assert names(state.dice.tray) == "white yellow"
    assert names(state.dice.available) == "silver green pink"
    assert names(state.dice.chosen) == "blue"


@pytest.mark.rule("TAC-1.2")
def test_only_available_dice_are_compared(clever: Any) -> None:
    """A chosen die that shows less stays on its field."""
    state = clever.table(2, "123456", chosen="w", tray="s", roll=2)
    clever.say(state, "0 pick pink")
    assert names(state.dice.chosen) == "white pink"
    assert names(state.dice.tray) == "silver yellow blue green"


@pytest.mark.rule("TAC-1.3")
def test_after_the_third_choice_the_rest_goes_to_the_tray(clever: Any) -> None:
    state = clever.table(2, "123456", chosen="wb", tray="", roll=3)
    clever.say(state, "0 pick green")
    # lower ones by the choice, pink because choosing is over
    assert [names(what.dice) for what in clever.told(state, DiceToTray)] == ["silver yellow", "pink"]
    assert names(state.dice.tray) == "silver yellow pink"
    assert (state.phase, state.deciders, state.dice.available) == (Phase.PASSIVE, (1,), ())


@pytest.mark.rule("TAC-1.3")
def test_choosing_ends_when_no_die_is_available(clever: Any) -> None:
    state = clever.say(clever.table(2, "123456"), "0 pick pink")
    assert (state.phase, state.turn.roll) == (Phase.PASSIVE, 1)
    assert names(state.dice.tray) == "white silver yellow blue green"


@pytest.mark.rule("TAC-1.3", "TAC-4.2")
def test_with_a_return_a_player_without_dice_may_go_on_or_not(clever: Any) -> None:
    state = clever.table(2, "123456", round_=3)
    clever.say(state, "0 pick pink")
    assert clever.legal(state) == [
        "return white",
        "return silver",
        "return yellow",
        "return blue",
        "return green",
        "done",
    ]
    ended = clever.say(state.clone(), "0 done")
    assert ended.phase == Phase.PASSIVE
    assert ended.sheets[0].returns.left == 1
    clever.say(state, "0 return yellow")
    assert (state.phase, state.turn.roll, names(state.dice.available)) == (Phase.ACTIVE, 2, "yellow")
    assert state.sheets[0].returns.left == 0
    assert names(state.dice.tray) == "white silver blue green"


@pytest.mark.rule("TAC-1.4")
def test_only_dice_that_can_be_entered_can_be_chosen(clever: Any) -> None:
    sheet = clever.marks(["3"] * 4, "x.........", blue=[5], green=FULL_GREEN)
    state = clever.table(2, "333345", sheets={0: sheet}, allow_skip=False)
    # Blue would be 6, green is full, all silver 3s are crossed; of yellow 3 one cell is left.
    picks = [text for text in clever.legal(state) if text.startswith("pick")]
    assert picks == ["pick white as yellow", "pick white as pink", "pick yellow", "pick pink"]
    with pytest.raises(IllegalAction, match="choose among the dice it is offered now, got pick green"):
        clever.say(state, "0 pick green")


@pytest.mark.rule("TAC-1.4")
@pytest.mark.parametrize("allow_skip", [True, False])
def test_an_unusable_roll_costs_one_die_of_the_players_choice(clever: Any, allow_skip: bool) -> None:
    sheet = clever.marks(blue=[3], green=FULL_GREEN, used=(0, 1, 0))
    state = clever.table(
        2, "641642", chosen="wp", tray="sy", roll=2, sheets={0: sheet}, allow_skip=allow_skip
    )  # only blue and green are left
    assert clever.legal(state) == ["reroll", "skip blue", "skip green"]
    clever.say(state, "0 skip green")
    assert clever.told(state, RollSkipped) == [(0, 2)]
    assert clever.told(state, DiceToTray) == [((Color.GREEN,),)]
    assert (state.turn.roll, names(state.dice.available)) == (3, "blue")
    assert names(state.dice.chosen) == "white pink"


@pytest.mark.rule("TAC-1.4")
def test_a_usable_roll_may_be_skipped_at_the_same_price_if_the_option_allows(clever: Any) -> None:
    state = clever.table(2, "123456")
    assert [text for text in clever.legal(state) if "skip" in text] == [f"skip {color}" for color in Color]
    clever.say(state, "0 skip pink")
    assert (state.turn.roll, names(state.dice.tray), len(state.dice.available)) == (2, "pink", 5)
    strict = clever.table(2, "123456", allow_skip=False)
    assert not [text for text in clever.legal(strict) if "skip" in text]
    with pytest.raises(IllegalAction):
        clever.say(strict, "0 skip pink")


@pytest.mark.rule("TAC-1.3", "TAC-1.4")
def test_skipping_the_third_roll_ends_choosing(clever: Any) -> None:
    state = clever.table(2, "123456", chosen="w", roll=3)
    clever.say(state, "0 skip pink")
    assert state.phase == Phase.PASSIVE
    assert names(state.dice.tray) == "silver yellow blue green pink"
    assert names(state.dice.chosen) == "white"


@pytest.mark.rule("TAC-1.4")
def test_skipping_the_only_die_leaves_none(clever: Any) -> None:
    state = clever.table(2, "123456", chosen="w", tray="sybg", roll=2)
    clever.say(state, "0 skip pink")
    assert state.phase == Phase.PASSIVE


@pytest.mark.rule("TAC-1.5")
def test_white_is_a_joker(clever: Any) -> None:
    state = clever.table(2, "412356")
    areas = [text for text in clever.legal(state) if text.startswith("pick white")]
    assert areas == [f"pick white as {area}" for area in ("silver", "yellow", "blue", "green", "pink")]
    entered = {
        "pick white as blue": lambda sheet: sheet.blue.numbers == (4 + 3,),
        "pick white as green": lambda sheet: sheet.green.numbers == (8,),
        "pick white as pink": lambda sheet: sheet.pink.numbers == (4,),
    }
    for text, check in entered.items():
        copy = clever.say(state.clone(), f"0 {text}")
        assert check(copy.sheets[0])
    silver = clever.say(state.clone(), "0 pick white as silver")
    assert clever.legal(silver) == [f"cross silver {row} 4" for row in ("yellow", "blue", "green", "pink")]
    yellow = clever.say(state.clone(), "0 pick white as yellow")
    assert clever.legal(yellow) == ["mark yellow 4 row 3", "mark yellow 4 row 5"]


@pytest.mark.rule("TAC-1.6", "TAC-4.2")
def test_returns_come_before_a_roll_and_never_before_the_first(clever: Any) -> None:
    opened = clever.table(2, "123456", round_=3)
    assert not [text for text in clever.legal(opened) if text.startswith("return")]
    state = clever.table(2, "645321", round_=3)
    clever.rig(state, roll_2="666666")
    clever.say(state, "0 pick green")
    assert state.tasks[0] == Task(Step.RETURN)
    assert clever.legal(state) == ["return pink", "roll"]
    clever.say(state, "0 return pink")
    # The only return is used, so the dice roll: the returned one too, and no return can follow.
    assert clever.told(state, DieReturned) == [(0, Color.PINK)]
    assert names(clever.told(state, DiceRolled)[0].dice) == "white silver yellow blue pink"
    assert state.dice.pips == (6, 6, 6, 6, 2, 6)
    assert "roll" not in clever.legal(state)


@pytest.mark.rule("TAC-4.2")
def test_several_returns_before_one_roll_and_none_after_it(clever: Any) -> None:
    returns = clever.marks(blue=[9, 9], yellow="..oo......")  # a third and a second source beside round 3
    state = clever.table(2, "143245", round_=3, sheets={0: returns})
    assert state.sheets[0].returns.left == 3
    clever.say(state, "0 pick silver", "0 cross silver pink 4", "0 done", "0 return white", "0 return yellow")
    assert clever.legal(state) == ["return blue", "roll"]
    assert names(state.dice.available) == "white yellow green pink"
    clever.say(state, "0 roll")
    assert (state.turn.roll, state.sheets[0].returns.left) == (2, 1)
    assert not [text for text in clever.legal(state) if text.startswith("return")]
    with pytest.raises(IllegalAction):
        clever.say(state, "0 return blue")


@pytest.mark.rule("TAC-4.2")
def test_rolling_instead_keeps_the_return(clever: Any) -> None:
    state = clever.table(2, "645321", round_=3)
    clever.say(state, "0 pick green", "0 roll")
    assert state.turn.roll == 2
    assert state.sheets[0].returns.left == 1
    assert names(state.dice.tray) == "pink"


@pytest.mark.rule("TAC-1.6", "TAC-4.1")
def test_a_reroll_rolls_all_available_dice_again_and_no_other(clever: Any) -> None:
    state = clever.table(2, "123456", chosen="w", tray="s", roll=2, sheets={0: clever.marks(green=[2, 2])}, round_=3)
    assert state.sheets[0].rerolls.left == 2
    state.chance = clever.Scripted({"roll/round/3/seat/0/2/1": "666666", "roll/round/3/seat/0/2/2": "555555"})
    clever.say(state, "0 reroll")
    assert state.dice.pips == (1, 2, 6, 6, 6, 6)
    assert (state.turn.roll, state.turn.rerolls, state.sheets[0].rerolls.left) == (2, 1, 1)
    assert "return silver" not in clever.legal(state)  # TAC-1.6 c: no return in between
    clever.say(state, "0 reroll")
    assert state.dice.pips == (1, 2, 5, 5, 5, 5)
    assert state.sheets[0].rerolls.left == 0
    with pytest.raises(IllegalAction):
        clever.say(state, "0 reroll")


@pytest.mark.rule("TAC-4.1")
def test_a_reroll_needs_one_that_is_left(clever: Any) -> None:
    assert "reroll" in clever.legal(clever.table(2))
    assert "reroll" not in clever.legal(clever.table(2, sheets={0: clever.marks(used=(1, 0, 0))}))


@pytest.mark.rule("TAC-1.6")
def test_an_action_gained_by_an_entry_is_used_in_the_same_turn(clever: Any) -> None:
    """A return gained in pink slot 4 before the second roll; a re-roll gained in green slot 2 after it."""
    state = clever.table(2, "666613", sheets={0: clever.marks(green=[2], pink=[1, 1, 2], used=(1, 0, 0))})
    clever.say(state, "0 pick pink")
    assert clever.legal(state) == ["return green", "roll"]
    other = clever.table(2, "666613", sheets={0: clever.marks(green=[2], used=(1, 0, 0))})
    assert "reroll" not in clever.legal(other)
    clever.say(other, "0 pick green")
    assert "reroll" in clever.legal(other)


@pytest.mark.rule("TAC-1.6")
def test_the_entry_and_its_bonuses_come_before_the_lower_dice_go(clever: Any) -> None:
    state = clever.table(2, "123456", sheets={0: clever.marks(green=[2, 2, 2])})
    clever.say(state, "0 pick green")
    assert state.tasks[0].step == Step.BONUS
    assert names(state.dice.available) == "white silver yellow blue pink"
    clever.say(state, "0 bonus blue 12")
    assert names(state.dice.tray) == "white silver yellow blue"


@pytest.mark.rule("ALL-1", "TAC-1.2")
def test_what_players_do_never_shifts_later_rolls(clever: Any) -> None:
    """Every die falls in a roll as it falls, whichever are rolled, however often rolls before were rolled again."""
    base = clever.open(2, 3, start_seat=0)
    seen: dict[tuple[int, int, int, int, Color], set[int]] = {}
    for number in range(60):
        state = base.clone()
        step = 0
        while state.deciders and state.turn.round < 3:
            for rolled in clever.told(state, DiceRolled):
                for die, pips in zip(rolled.dice, rolled.pips, strict=True):
                    key = (state.turn.round, rolled.seat, rolled.roll, rolled.rerolls, die)
                    seen.setdefault(key, set()).add(pips)
            seat = state.deciders[0]
            options = state.legal(seat)
            state.play(seat, options[(number * 7 + step * (number + 3)) % len(options)])
            step += 1
    assert len(seen) > 60
    assert all(len(faces) == 1 for faces in seen.values())


@pytest.mark.rule("TAC-1.1")
def test_all_dice_are_fair_and_differ(clever: Any) -> None:
    pips = [clever.open(1, number).dice.pips for number in range(600)]
    for die in range(6):
        faces = [roll[die] for roll in pips]
        assert all(60 <= faces.count(face) <= 145 for face in range(1, 7))
    assert TWICE_AS_CLEVER.new(seats=1, seed=clever.seed(1)).view(None).dice.pips == pips[1]
