"""final_outcome: what the game says, with those who gave up placed last."""

import pytest

from croupier_games import Outcome, SeatResult
from croupier_service.standing import final_outcome

pytestmark = pytest.mark.rule("ALL-7")


def outcome(*places: int) -> Outcome:
    """A game that placed its seats so, with points and notes to be kept."""
    results = tuple(
        SeatResult(place=place, points=10 * seat, tie_breaks=(("coins", seat),), notes=(f"seat {seat}",))
        for seat, place in enumerate(places)
    )
    return Outcome(results, "the deck is empty")


@pytest.mark.parametrize(
    ("said", "forfeits", "expected"),
    [
        ((1, 2, 3), (0,), (3, 1, 2)),
        ((1, 2, 3), (2,), (1, 2, 3)),
        ((3, 2, 1), (2,), (2, 1, 3)),
        ((1, 1, 3), (0,), (3, 1, 2)),
        ((1, 1, 3), (2,), (1, 1, 3)),
        ((1, 1, 1), (1,), (1, 3, 1)),
        ((1, 2, 2, 4), (0,), (4, 1, 1, 3)),
        ((1, 2, 2, 4), (1,), (1, 4, 2, 3)),
        ((1, 1, 3, 3), (0,), (4, 1, 2, 2)),
        ((1, 2, 3, 4), (0, 1), (4, 3, 1, 2)),
        ((1, 2, 3, 4), (1, 0), (3, 4, 1, 2)),
        ((4, 3, 1, 1), (3, 0), (3, 2, 1, 4)),
        ((1, 1, 1, 1, 1, 1), (5, 0, 2), (5, 1, 4, 1, 1, 6)),
        ((2, 1), (1,), (1, 2)),
    ],
)
def test_forfeits_are_last_and_the_rest_close_up(
    said: tuple[int, ...], forfeits: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    """Those who stayed keep order and shared places; of those who gave up the earliest is last."""
    before = outcome(*said)
    final = final_outcome(len(said), before, forfeits)
    assert tuple(result.place for result in final.results) == expected
    assert final.reason == before.reason
    for result, was in zip(final.results, before.results, strict=True):
        assert (result.points, result.tie_breaks, result.notes) == (was.points, was.tie_breaks, was.notes)


def test_without_forfeits_the_game_s_word_stands() -> None:
    """Nothing is touched."""
    said = outcome(1, 1, 3)
    assert final_outcome(3, said, ()) is said


@pytest.mark.parametrize(
    ("seats", "forfeits", "expected", "reason"),
    [
        (2, (0,), (2, 1), "every seat but 1 was forfeited"),
        (2, (1,), (1, 2), "every seat but 0 was forfeited"),
        (3, (1, 0), (2, 3, 1), "every seat but 2 was forfeited"),
        (4, (3, 0, 1), (3, 2, 1, 4), "every seat but 2 was forfeited"),
        (1, (0,), (1,), "every seat was forfeited"),
    ],
)
def test_a_game_that_ended_for_want_of_players_says_so(
    seats: int, forfeits: tuple[int, ...], expected: tuple[int, ...], reason: str
) -> None:
    """With at most one seat left there is no result of the game itself, only who stayed."""
    final = final_outcome(seats, None, forfeits)
    assert tuple(result.place for result in final.results) == expected
    assert final.reason == reason
    assert all(result.points is None for result in final.results)


def test_places_are_shared_and_skipped_as_the_rules_say() -> None:
    """Whatever the game said and whoever gave up, every place is one more than the number of better seats."""
    cases = [(1, 1, 3, 4), (1, 2, 2, 2), (1, 1, 1, 1), (4, 1, 2, 2)]
    for said in cases:
        for forfeits in [(0,), (1,), (2, 3), (3, 2), (0, 2)]:
            final = [result.place for result in final_outcome(4, outcome(*said), forfeits).results]
            assert all(place == 1 + sum(other < place for other in final) for place in final)
            assert [final[seat] for seat in forfeits] == [4 - number for number in range(len(forfeits))]
