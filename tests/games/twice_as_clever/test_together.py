"""Where several decide at once: passive entries, extra dice and grants: TAC-3, TAC-4.3, TAC-4.4, ALL-4."""

from typing import Any

import pytest

from croupier_games.errors import IllegalAction
from croupier_games.twice_as_clever.view import BonusGained, EntryMade, Phase, SheetShown, Step, Task

FULL_GREEN = [2, 2, 2, 1, 3, 3, 3, 2, 3, 1, 4, 1]


def passive(clever: Any, pips: str = "123456", chosen: str = "bgp", seats: int = 3, **more: Any) -> Any:
    return clever.table(seats, pips, chosen=chosen, phase=Phase.PASSIVE, roll=3, **more)


def extra(clever: Any, pips: str = "123456", chosen: str = "bgp", seats: int = 2, **more: Any) -> Any:
    return clever.table(seats, pips, chosen=chosen, phase=Phase.EXTRA, roll=3, round_=2, **more)


@pytest.mark.rule("TAC-3.1")
def test_all_but_the_active_player_enter_one_die_of_the_tray(clever: Any) -> None:
    state = passive(clever)
    assert state.asked == state.deciders == (1, 2)
    assert clever.legal(state, 1) == [
        "pick white as silver",
        "pick white as yellow",
        "pick white as blue",
        "pick white as green",
        "pick white as pink",
        "pick silver",
        "pick yellow",
        "done",
    ]
    clever.say(state, "2 pick white as green", "1 pick yellow", "1 mark yellow 3 row 1")
    assert clever.legal(state, 1) == clever.legal(state, 2) == ["done"]
    assert state.dice.tray == clever.colors("wsy")
    with pytest.raises(IllegalAction):
        clever.say(state, "1 pick silver")


@pytest.mark.rule("TAC-3.1")
def test_several_may_use_the_same_die(clever: Any) -> None:
    state = clever.say(passive(clever), "1 pick white as pink", "2 pick white as pink", "1 done", "2 done")
    assert [sheet.pink.numbers for sheet in state.sheets] == [(), (1,), (1,)]


@pytest.mark.rule("TAC-3.1")
@pytest.mark.parametrize("pick", ["pick silver", "pick white as silver"])
def test_silver_is_one_cross_and_no_sweep(clever: Any, pick: str) -> None:
    state = passive(clever, "661111", chosen="bgp")
    clever.say(state, f"1 {pick}", "1 cross silver blue 6")
    assert clever.legal(state, 1) == ["done"]
    assert clever.crossed(state.sheets[1]) == {"blue 6"}


@pytest.mark.rule("TAC-3.1", "TAC-4.3")
def test_who_declines_may_still_use_extra_dice(clever: Any) -> None:
    state = passive(clever, round_=2)
    clever.say(state, "1 done", "2 done")
    assert (state.phase, state.asked) == (Phase.EXTRA, (0, 1, 2))
    assert "extra white as pink" in clever.legal(state, 1)


@pytest.mark.rule("TAC-3.1", "TAC-2.4")
def test_a_passive_player_enters_blue_as_the_sum_too(clever: Any) -> None:
    state = clever.say(passive(clever, "511466", chosen="wgp"), "1 pick blue")
    assert state.sheets[1].blue.numbers == (9,)


@pytest.mark.rule("TAC-3.1", "TAC-5.1")
def test_a_passive_player_makes_the_whole_chain(clever: Any) -> None:
    state = passive(clever, "663111", sheets={1: clever.marks(green=[2, 2, 2], blue=[9, 9])})
    clever.say(state, "1 pick white as green", "1 bonus blue 4", "1 bonus yellow 6 row 1")
    assert state.tasks[1] == Task(Step.FINISH)
    assert state.sheets[1].blue.numbers == (9, 9, 4)
    assert not clever.crossed(state.sheets[1])


@pytest.mark.rule("TAC-3.1", "ALL-4", "ALL-5")
def test_nobody_sees_anything_of_an_entry_before_all_have_finished(clever: Any) -> None:
    state = passive(clever, seats=4)
    before = {seat: state.view(seat) for seat in (0, 2, 3, None)}
    offered = {seat: state.legal(seat) for seat in (2, 3)}
    for line in ("1 pick yellow", "1 mark yellow 3 row 1", "1 done"):
        clever.say(state, line)
        assert {seat: state.view(seat) for seat in before} == before
        assert {seat: state.legal(seat) for seat in offered} == offered
        assert all(event.audience == 1 for event in state.events)
    assert state.view(1).sheets[1].yellow.cells[0].name == "CIRCLED"
    assert state.view(1).task is None
    clever.say(state, "3 done")
    assert state.events == ()
    assert state.view(2) == before[2]
    clever.say(state, "2 pick silver", "2 cross silver pink 2", "2 done")
    shown = {what.seat: [str(entry) for entry in what.entries] for what in clever.told(state, SheetShown)}
    assert shown == {1: ["yellow 3 row 1 circled"], 2: ["silver pink 2 crossed"], 3: []}
    assert all(event.audience is None for event in state.events)
    assert state.view(None).sheets == state.sheets
    assert state.view(None).sheets[1].yellow.cells[0].name == "CIRCLED"


@pytest.mark.rule("ALL-4")
def test_a_seat_has_finished_when_it_says_so_and_it_is_final(clever: Any) -> None:
    state = clever.say(passive(clever), "1 done")
    assert state.deciders == (2,)
    assert state.asked == state.view(2).asked == (1, 2)
    with pytest.raises(IllegalAction, match="seat 1 has finished, or is not asked now"):
        clever.say(state, "1 pick silver")
    with pytest.raises(IllegalAction, match="seat 0 has finished, or is not asked now"):
        clever.say(state, "0 done")


@pytest.mark.rule("TAC-3.2")
def test_the_fields_may_be_used_only_if_no_die_of_the_tray_can(clever: Any) -> None:
    """Yellow, blue and green are on the tray; yellow 1 is used up, the sum is too high and green is full."""
    sheet = clever.marks(yellow="..x.......", blue=[8], green=FULL_GREEN)
    state = passive(clever, "451534", chosen="wsp", sheets={1: sheet})
    assert clever.legal(state, 1) == [
        "pick white as silver",
        "pick white as yellow",
        "pick white as pink",
        "pick silver",
        "pick pink",
        "done",
    ]
    # The same tray can be used by seat 2, whose sheet is empty: then the fields cannot.
    assert clever.legal(state, 2) == ["pick yellow", "pick blue", "pick green", "done"]


@pytest.mark.rule("TAC-3.2")
def test_white_on_the_tray_counts_in_every_area(clever: Any) -> None:
    """If white can be entered only in pink, the fields are still closed."""
    sheet = clever.marks(["123456"] * 4, "x" * 10, [3], FULL_GREEN, [1] * 11)
    state = passive(clever, "451534", chosen="sgp", sheets={1: sheet})
    assert clever.legal(state, 1) == ["pick white as pink", "done"]
    full = clever.marks(["123456"] * 4, "x" * 10, [3], FULL_GREEN, [1] * 12)
    state = passive(clever, "451534", chosen="sgp", sheets={1: full})
    assert clever.legal(state, 1) == ["done"]


@pytest.mark.rule("TAC-4.3")
def test_the_example_of_the_rulebook_is_replayed(clever: Any) -> None:
    """Two extra dice: white as yellow 4, then blue with white, 3 + 4 = 7. The white die cannot be used again.

    Which dice were chosen before could not be read; they, the other faces and where the extra dice come from are made
    up."""
    sheet = clever.marks(yellow="o.......o.")  # with a 4 in row 3, column 2 is complete and gives a second extra die
    state = extra(clever, "466361", chosen="wbg", sheets={0: sheet})
    clever.say(state, "0 extra white as yellow", "0 mark yellow 4 row 3")
    assert state.sheets[0].extra_dice == (2, 1)
    assert not [text for text in clever.legal(state) if "white" in text]
    clever.say(state, "0 extra blue")
    assert state.sheets[0].blue.numbers == (7,)
    assert state.tasks[0].used == clever.colors("wb")
    assert clever.legal(state) == ["done"]


@pytest.mark.rule("TAC-4.3")
def test_all_seats_with_extra_dice_use_any_of_the_six_after_the_passive_entries(clever: Any) -> None:
    state = passive(clever, seats=4, round_=2, sheets={2: clever.marks(used=(0, 0, 1))})
    clever.say(state, "1 done", "2 done", "3 done")
    assert (state.phase, state.asked) == (Phase.EXTRA, (0, 1, 3))
    for seat in state.asked:
        dice = {text.split()[1] for text in clever.legal(state, seat) if text != "done"}
        assert dice == {"white", "silver", "yellow", "blue", "green", "pink"}


@pytest.mark.rule("TAC-4.3")
def test_a_die_that_was_chosen_or_just_entered_may_be_used_again(clever: Any) -> None:
    state = passive(clever, "123456", seats=2, round_=2)
    clever.say(state, "1 pick white as pink", "1 done", "0 extra pink", "1 extra white as pink")
    assert state.sheets[0].pink.numbers == (6,)
    assert state.sheets[1].pink.numbers == (1, 1)


@pytest.mark.rule("TAC-4.3")
def test_each_die_once_per_turn_but_again_in_the_next(clever: Any) -> None:
    state = extra(clever, sheets={0: clever.marks(blue=[12] * 5)})
    assert state.sheets[0].extra_dice.left == 2
    clever.say(state, "0 extra pink")
    with pytest.raises(IllegalAction):
        clever.say(state, "0 extra pink")
    assert "extra white as pink" in clever.legal(state)
    clever.say(state, "0 done", "1 done")
    while state.phase != Phase.EXTRA:
        seat = state.deciders[0]
        state.play(seat, state.legal(seat)[-1])
    assert "extra pink" in clever.legal(state, 0)
    assert state.tasks[0].used == ()


@pytest.mark.rule("TAC-4.3")
def test_extra_dice_also_follow_a_short_turn(clever: Any) -> None:
    state = clever.table(2, "123456", round_=2)
    clever.say(state, "0 pick pink", "1 done")
    assert (state.phase, state.asked) == (Phase.EXTRA, (0, 1))


@pytest.mark.rule("TAC-4.3")
@pytest.mark.parametrize("how", ["silver", "white as silver"])
def test_an_extra_silver_is_one_cross(clever: Any, how: str) -> None:
    state = extra(clever, "661111")
    clever.say(state, f"0 extra {how}", "0 cross silver pink 6")
    assert clever.legal(state) == ["done"]


@pytest.mark.rule("TAC-4.3")
def test_without_extra_dice_nobody_is_asked_and_the_turn_ends(clever: Any) -> None:
    state = passive(clever, seats=2)
    clever.say(state, "1 done")
    assert (state.phase, state.turn.active) == (Phase.ACTIVE, 1)


@pytest.mark.rule("TAC-4.3", "ALL-4")
def test_extra_dice_stay_unseen_until_all_have_finished(clever: Any) -> None:
    state = extra(clever, seats=3)
    before = {seat: state.view(seat) for seat in (1, 2, None)}
    clever.say(state, "0 extra pink", "0 done", "2 extra pink")
    assert state.view(1) == before[1]
    assert state.view(None) == before[None]
    assert state.view(2).sheets[0] == before[2].sheets[0]
    clever.say(state, "2 done", "1 done")
    assert [sheet.extra_dice.used for sheet in state.view(None).sheets] == [1, 0, 1]


@pytest.mark.rule("TAC-4.4")
def test_the_extra_dice_of_the_last_turn_are_the_last_chance(clever: Any) -> None:
    state = clever.table(2, "123456", chosen="bgp", phase=Phase.EXTRA, roll=3, round_=6, active=1)
    clever.say(state, "0 extra pink", "0 done", "1 done")
    assert state.phase == Phase.OVER
    first, second = state.outcome.results
    assert (first.points, second.points) == (6, 0)  # what seat 1 has left over counts for nothing
    assert state.sheets[1].rerolls.left == state.sheets[1].returns.left == state.sheets[1].extra_dice.left == 1


@pytest.mark.rule("TAC-D1", "TAC-5.1", "ALL-4")
def test_the_black_bonus_of_round_four_is_used_by_all_at_once_in_an_area_of_choice(clever: Any) -> None:
    full = clever.marks(["123456"] * 4, "." * 10, [2] * 12, FULL_GREEN, [1] * 11)
    state = clever.table(3, chosen="bgp", phase=Phase.GRANT, roll=0, round_=4, sheets={1: full})
    assert state.asked == state.deciders == (0, 1, 2)
    areas = [{text.split()[1] for text in clever.legal(state, seat)} for seat in (0, 1)]
    assert areas == [{"silver", "yellow", "blue", "green", "pink"}, {"yellow", "pink"}]
    assert "done" not in clever.legal(state)  # mandatory
    clever.say(state, "0 bonus blue 12", "2 bonus green 6", "1 bonus pink 6")
    assert [what.bonus.name for what in clever.told(state, BonusGained)] == ["YELLOW"]
    assert state.view(0).sheets[2].green.numbers == ()
    clever.say(state, "1 bonus yellow 6 row 1", "1 done", "0 done", "2 done")
    assert (state.phase, state.turn.round, state.turn.roll) == (Phase.ACTIVE, 4, 1)
    assert [what.seat for what in clever.told(state, SheetShown)] == [0, 1, 2]
    assert clever.told(state, EntryMade) == []
