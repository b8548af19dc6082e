"""The published rating, against figures worked out by hand and against evalica."""

import math
from collections.abc import Callable

import evalica
import numpy as np
import pytest

from croupier_runner.ratings import Fit, fit
from croupier_runner.ratings.bradley_terry import ELO
from croupier_runner.ratings.clustered import student_975
from croupier_runner.ratings.simulation import World, tournament
from croupier_runner.results import BlockResult

Play = Callable[..., BlockResult]

WIN, LOSS, DRAW = (1, 2), (2, 1), (1, 1)
NO_PRIOR = 1e-9


def lead(found: Fit, one: str, other: str) -> float:
    return found.ratings[one].elo - found.ratings[other].elo


def test_three_quarters_of_the_points_are_190_elo(block: Play) -> None:
    """A win and a draw: odds of 3 to 1, which is 400 * log10(3) in Elo, around a mean of 1500."""
    found = fit("ab", [block(("ab", WIN), ("ba", DRAW))], seat_effects=False, prior=NO_PRIOR)

    assert lead(found, "a", "b") == pytest.approx(400 * math.log10(3), abs=1e-4)
    assert sum(rating.elo for rating in found.ratings.values()) / 2 == pytest.approx(1500)
    assert list(found.ratings) == ["a", "b"]


def test_the_seat_takes_what_the_seat_won(block: Play) -> None:
    """The first seat scores 3/4 whoever sits there: the bots are equal, the seats 190 Elo apart."""
    found = fit("ab", [block(("ab", WIN), ("ba", DRAW)), block(("ab", DRAW), ("ba", WIN))], prior=NO_PRIOR)

    assert lead(found, "a", "b") == pytest.approx(0, abs=1e-6)
    first, second = found.seat_effects
    assert (first.seats, first.seat, second.seat) == (2, 0, 1)
    assert first.elo - second.elo == pytest.approx(400 * math.log10(3), abs=1e-4)


def test_for_two_bots_the_interval_is_that_of_student_for_the_mean_of_block_scores(block: Play) -> None:
    """Blocks scored 1, 1, 3/4, 1/2, 1/4: the t interval of their mean, taken to Elo by the slope of the curve there."""
    games = [(WIN, LOSS), (WIN, LOSS), (WIN, DRAW), (DRAW, DRAW), (LOSS, DRAW)]
    found = fit("ab", [block(("ab", one), ("ba", two)) for one, two in games], seat_effects=False, prior=NO_PRIOR)

    scores = np.array([1, 1, 0.75, 0.5, 0.25])
    mean = scores.mean()
    student = 2.776 * scores.std(ddof=1) / math.sqrt(5)  # 4 degrees of freedom
    assert lead(found, "a", "b") == pytest.approx(ELO * math.log(mean / (1 - mean)), abs=1e-4)
    # The field's mean lies half-way between the two, so each is off by half of what their difference is.
    assert found.ratings["a"].margin == pytest.approx(ELO * student / (mean * (1 - mean)) / 2, rel=2e-3)


def test_every_pair_at_a_table_of_three_counts(block: Play) -> None:
    found = fit("abc", [block(("abc", (1, 2, 3)), ("bca", (2, 3, 1)), ("cab", (3, 1, 2)))])

    assert list(found.ratings) == ["a", "b", "c"]
    assert lead(found, "a", "b") == pytest.approx(lead(found, "b", "c"))
    assert (found.games, found.blocks) == (3, 1)
    assert (found.ratings["b"].games, found.ratings["b"].blocks) == (3, 1)


def test_seats_of_tables_of_different_size_have_effects_of_their_own(block: Play) -> None:
    found = fit("abc", [block(("ab", WIN), ("ba", WIN)), block(("abc", (3, 2, 1)), ("bca", (3, 2, 1)))])

    effects = {(effect.seats, effect.seat): effect.elo for effect in found.seat_effects}
    assert effects[2, 0] > 0 > effects[3, 0]
    assert effects[2, 0] + effects[2, 1] == pytest.approx(0)
    assert effects[3, 0] + effects[3, 1] + effects[3, 2] == pytest.approx(0)


def test_nothing_but_draws_makes_all_equal(block: Play) -> None:
    found = fit("abc", [block(("abc", (1, 1, 1)), ("bca", (1, 1, 1))) for _ in range(5)])

    assert [rating.elo for rating in found.ratings.values()] == pytest.approx([1500] * 3)


def test_a_forfeit_counts_as_its_place_says(block: Play) -> None:
    played = [block(("ab", WIN), ("ba", WIN)), block(("ab", WIN), ("ba", DRAW))]
    given_up = [block(("ab", WIN), ("ba", WIN), faults=("", "time")), block(("ab", WIN), ("ba", DRAW))]

    assert fit("ab", played) == fit("ab", given_up)


def test_a_bot_that_always_wins_is_finite_far_ahead_and_uncertain(block: Play) -> None:
    """Twenty blocks without a loss leave open how far ahead it is; they do not leave open that it is ahead."""
    results = [block(("ab", WIN), ("ba", LOSS)) for _ in range(20)]
    results += [block(("bc", WIN), ("cb", WIN)) for _ in range(20)]
    found = fit("abc", results)

    best, second = found.ratings["a"], found.ratings["b"]
    assert best.one_sided
    assert not second.one_sided
    assert 1700 < best.elo < 2500
    assert best.margin is not None
    assert 100 < best.margin < best.elo - second.elo


@pytest.mark.parametrize("prior", [1.0, 1e-3, NO_PRIOR])
def test_a_field_in_which_the_better_always_wins_is_finite_and_in_order(block: Play, prior: float) -> None:
    results = [
        block(("abcd", (1, 2, 3, 4)), ("dabc", (4, 1, 2, 3)), ("cdab", (3, 4, 1, 2)), ("bcda", (2, 3, 4, 1)))
    ] * 50
    found = fit("abcd", results, prior=prior)

    assert list(found.ratings) == ["a", "b", "c", "d"]
    assert all(math.isfinite(rating.elo) and math.isfinite(rating.margin or 0) for rating in found.ratings.values())


def test_one_game_gives_a_rating_that_claims_nothing(block: Play) -> None:
    found = fit("ab", [block(("ab", WIN))])

    best = found.ratings["a"]
    assert best.margin is not None
    assert 1500 < best.elo < 1500 + best.margin < 10_000


def test_bots_that_never_met_are_named_and_not_compared(block: Play) -> None:
    """Each group has a mean of 1500 of its own; who met nobody has no interval."""
    results = [block(("ab", WIN), ("ba", DRAW)), block(("dc", WIN), ("cd", DRAW)), block(("bx", WIN), ("xb", WIN))]
    found = fit("abcdxz", results)

    assert found.groups == (("a", "b", "x"), ("c", "d"), ("z",))
    assert not found.connected
    assert found.ratings["c"].elo + found.ratings["d"].elo == pytest.approx(3000)
    assert (found.ratings["z"].elo, found.ratings["z"].margin) == (1500, None)


def test_a_far_away_group_changes_nothing_in_another(block: Play) -> None:
    here = [block(("ab", WIN), ("ba", DRAW)), block(("ab", DRAW), ("ba", LOSS))]
    there = [block(("cd", WIN), ("dc", LOSS)) for _ in range(9)]
    alone, together = fit("ab", here, seat_effects=False), fit("abcd", here + there, seat_effects=False)

    assert together.ratings["a"].elo == pytest.approx(alone.ratings["a"].elo)
    assert together.ratings["a"].margin == pytest.approx(alone.ratings["a"].margin)


def test_bots_connected_through_others_are_compared(block: Play) -> None:
    results = [block((pair, WIN), (pair[::-1], DRAW)) for pair in ("ab", "bc", "cd", "de", "ef")]

    found = fit("fedcba", results)
    assert found.connected
    assert list(found.ratings) == list("abcdef")


def test_before_the_first_block_nobody_is_rated() -> None:
    found = fit("ab", [])

    assert (found.games, found.blocks, found.seat_effects) == (0, 0, ())
    assert [(rating.elo, rating.margin) for rating in found.ratings.values()] == [(1500, None)] * 2


def test_results_of_a_bot_that_is_not_rated_are_refused(block: Play) -> None:
    with pytest.raises(ValueError, match=r"'c'.*name all that played"):
        fit("ab", [block(("ac", WIN))])


@pytest.mark.parametrize("world", [World(2, 8), World(3, 3), World(4, 5, (90, 30, 0, -40, -80), (30, 0, 0, -30))])
def test_the_order_of_results_and_of_names_changes_nothing_to_the_last_bit(world: World) -> None:
    random = np.random.default_rng(4)
    results = tournament(world, random)
    found = fit(world.bots, results)
    for _ in range(5):
        shuffled = [results[at] for at in random.permutation(len(results))]
        again = fit(list(random.permutation(world.bots)), shuffled)
        assert again == found
        assert list(again.ratings) == list(found.ratings)
        assert np.array_equal(again.pulls, found.pulls)


def test_agrees_with_evalica_on_two_player_games() -> None:
    """Within 0.01 Elo, without seat effects and with a prior that weighs nothing."""
    world = World(2, 40, (200.0, 120.0, 30.0, -50.0, -100.0, -200.0), deal=0.3)
    results = tournament(world, np.random.default_rng(6))
    found = fit(world.bots, results, seat_effects=False, prior=NO_PRIOR)

    pairs = [(lineup, game) for one in results for lineup, game in zip(one.block.lineups, one.games, strict=True)]
    winners = {WIN: evalica.Winner.X, LOSS: evalica.Winner.Y, DRAW: evalica.Winner.Draw}
    theirs = evalica.bradley_terry(
        [lineup[0] for lineup, _ in pairs],
        [lineup[1] for lineup, _ in pairs],
        [winners[game.places] for _, game in pairs],  # type: ignore[index]
        tolerance=1e-12,
        limit=100_000,
    ).scores
    elo = {bot: ELO * math.log(theirs[bot]) for bot in world.bots}
    mean = sum(elo.values()) / len(elo)
    assert {bot: rating.elo for bot, rating in found.ratings.items()} == pytest.approx(
        {bot: 1500 + elo[bot] - mean for bot in world.bots}, abs=0.01
    )


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042), (1e9, 1.960)]
)
def test_quantiles_of_student_are_those_of_the_printed_tables(freedom: float, quantile: float) -> None:
    assert student_975(np.array([freedom]))[0] == pytest.approx(quantile, rel=0.01)
