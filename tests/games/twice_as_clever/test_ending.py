"""The end of the game and the solo game: TAC-6, TAC-7, ALL-7."""

from collections import Counter
from typing import Any

import pytest

from croupier_games.chance import Chance
from croupier_games.twice_as_clever.saved import sheets_of
from croupier_games.twice_as_clever.scoring import outcome, rank
from croupier_games.twice_as_clever.view import DiceRolled, DiceToTray, Phase


def result(clever: Any, *sheets: Any) -> list[tuple[int, int | None]]:
    made = outcome(sheets_of(tuple(clever.marks(**sheet) for sheet in sheets), 6), fox_floor_zero=False)
    return [(one.place, one.points) for one in made.results]


@pytest.mark.rule("TAC-6.1", "ALL-7")
def test_the_most_points_win(clever: Any) -> None:
    assert result(clever, {"pink": [6, 6]}, {"pink": [6, 5]}, {"pink": [6, 6, 6]}) == [(2, 12), (3, 11), (1, 18)]


@pytest.mark.rule("TAC-6.1", "ALL-7")
def test_among_equals_the_higher_best_area_wins_and_else_the_place_is_shared(clever: Any) -> None:
    one_area, two_areas = {"pink": [6, 6]}, {"pink": [6, 4], "silver": ["1", "", "", ""]}
    assert result(clever, two_areas, one_area) == [(2, 12), (1, 12)]
    assert result(clever, one_area, one_area, {"pink": [1]}) == [(1, 12), (1, 12), (3, 1)]


@pytest.mark.rule("TAC-6.1")
def test_foxes_do_not_count_as_an_area(clever: Any) -> None:
    """The tie-break is the best of the five areas."""
    foxy = {"silver": ["3"] * 4, "yellow": "xo...o...o", "blue": [12], "green": [12, 2], "pink": [6]}
    made = outcome(sheets_of((clever.marks(**foxy),), 6), fox_floor_zero=False)
    assert made.results[0].points == 30
    assert made.results[0].tie_breaks == (("best_area", 10),)
    assert made.results[0].notes[0] == "silver 8, yellow 3, blue 1, green 10, pink 6"


@pytest.mark.rule("TAC-6.2")
def test_the_next_seat_rolls_all_six_dice(clever: Any) -> None:
    state = clever.table(2, chosen="bgp", phase=Phase.PASSIVE, roll=3)
    clever.say(state, "1 done")
    assert (state.turn.active, state.turn.roll, state.turn.round) == (1, 1, 1)
    assert clever.told(state, DiceRolled)[0].dice == clever.colors("wsybgp")
    assert (state.dice.available, state.dice.chosen, state.dice.tray) == (clever.colors("wsybgp"), (), ())


@pytest.mark.rule("TAC-6.2")
@pytest.mark.parametrize(("seats", "rounds"), [(2, 6), (3, 5), (4, 4)])
def test_the_game_ends_after_the_last_round(clever: Any, seats: int, rounds: int) -> None:
    last = seats - 1
    state = clever.table(
        seats,
        chosen="bgp",
        phase=Phase.PASSIVE,
        roll=3,
        round_=rounds,
        active=last,
        sheets={seat: clever.marks(used=(0, 0, 1)) for seat in range(seats)},
    )
    for seat in range(last):
        assert state.outcome is None
        clever.say(state, f"{seat} done")
    assert (state.phase, state.deciders, state.asked) == (Phase.OVER, (), ())
    assert [one.place for one in state.outcome.results] == [1] * seats
    assert state.view(0).task is None


def solo_turns(state: Any, play: Any) -> list[tuple[int, str]]:
    """Every (round, phase) that a solo game goes through."""
    seen = []
    while state.deciders:
        now = (state.turn.round, state.phase.name + "+" * state.turn.solo_passive)
        if not seen or seen[-1] != now:
            seen.append(now)
        state.play(0, play(state))
    return seen


@pytest.mark.rule("TAC-7.1")
def test_a_solo_game_has_six_rounds_of_an_active_and_a_passive_turn_with_extra_dice(clever: Any) -> None:
    def frugal(state: Any) -> Any:
        cheap = [action for action in state.legal(0) if str(action).split()[0] in ("skip", "done")]
        return (cheap or state.legal(0))[0]

    seen = solo_turns(clever.open(1), frugal)
    expected = []
    for round_ in range(1, 7):
        grant = [(round_, "GRANT")] if round_ == 4 else []
        extra = round_ > 1
        turn = [(round_, "ACTIVE"), (round_, "EXTRA"), (round_, "PASSIVE+"), (round_, "EXTRA+")]
        expected += grant + [step for step in turn if extra or "EXTRA" not in step[1]]
    assert seen == expected


@pytest.mark.rule("TAC-7.1")
def test_the_three_lowest_dice_of_the_passive_turn_go_to_the_tray(clever: Any) -> None:
    for number in range(30):
        state = clever.table(1, "123456")
        state.chance = Chance(clever.seed(number))
        clever.say(state, "0 pick pink")
        dice = state.dice
        assert (state.phase, len(dice.tray), len(dice.chosen), dice.available) == (Phase.PASSIVE, 3, 3, ())
        assert max(map(dice.shows, dice.tray)) <= min(map(dice.shows, dice.chosen))
        assert clever.told(state, DiceToTray)[-1].dice == dice.tray
        assert state.turn.solo_passive
        assert state.turn.chosen_before == clever.colors("p")
        assert not [text for text in clever.legal(state) if text in ("reroll", "roll") or text.startswith("return")]


@pytest.mark.rule("TAC-7.1", "ALL-1")
def test_ties_at_the_border_are_decided_by_chance(clever: Any) -> None:
    """Two 1s are always on the tray, and one of four 3s, each about as often."""
    last: Counter[str] = Counter()
    for number in range(400):
        state = clever.table(1, "123456")
        state.chance = clever.Scripted({"tray/round/1": "133133"})
        state.chance.seed = clever.seed(number)
        clever.say(state, "0 pick pink")
        tray = [str(die) for die in state.dice.tray]
        assert {"white", "blue"} < set(tray)
        last.update(set(tray) - {"white", "blue"})
    assert set(last) == {"silver", "yellow", "green", "pink"}
    assert all(60 <= times <= 140 for times in last.values())


@pytest.mark.rule("TAC-7.1", "TAC-3.1", "TAC-3.2")
def test_alone_one_enters_a_die_of_the_tray_and_only_else_one_of_the_others(clever: Any) -> None:
    state = clever.table(1, "113566", chosen="bgp", phase=Phase.PASSIVE, roll=0, solo_passive=True)
    assert {text.split()[1] for text in clever.legal(state)[:-1]} == {"white", "silver", "yellow"}
    sheet = clever.marks(["1", "1", "1", "1"], "x....x....", blue=[2])
    state = clever.table(1, "513566", chosen="wgp", phase=Phase.PASSIVE, roll=0, solo_passive=True, sheets={0: sheet})
    picks = {text.split()[1] for text in clever.legal(state)[:-1]}
    assert picks == {"white", "green", "pink"}


@pytest.mark.rule("TAC-7.2")
@pytest.mark.parametrize(
    ("points", "expected"),
    [(-10, 1), (139, 1), (140, 2), (159, 2), (160, 3), (199, 4), (200, 5), (300, 10), (319, 10), (320, 11), (400, 11)],
)
def test_solo_ranks(points: int, expected: int) -> None:
    assert rank(points) == expected


@pytest.mark.rule("TAC-7.2")
def test_the_rank_is_told_in_solo_games_only(clever: Any) -> None:
    alone = outcome(sheets_of((clever.marks(pink=[6] * 12),), 6), fox_floor_zero=False).results[0]
    assert alone.place == 1
    assert alone.notes[-1] == "solo rank 1 of 11"
    both = outcome(sheets_of((clever.marks(), clever.marks()), 6), fox_floor_zero=False)
    assert not any("rank" in note for one in both.results for note in one.notes)
