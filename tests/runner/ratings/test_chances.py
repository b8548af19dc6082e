"""P(first) and who is better than whom."""

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from statistics import NormalDist

import numpy as np
import pytest

from croupier_runner.ratings import chances, fit
from croupier_runner.ratings.simulation import World, tournament
from croupier_runner.results import BlockResult

Play = Callable[..., BlockResult]

CLOSE = World(3, 10, (3.0, 1.0, 0.0, -4.0), deal=0.3, style=0.2)


def test_one_product_of_matrices_says_what_repeating_the_fit_says() -> None:
    """600 resamples fitted anew, one by one; each share is then known to about 0.02."""
    random = np.random.default_rng(1)
    results = tournament(CLOSE, random)
    quick = chances(fit(CLOSE.bots, results), seed=1, resamples=4000)

    firsts = dict.fromkeys(CLOSE.bots, 0.0)
    better = dict.fromkeys(permutations(CLOSE.bots, 2), 0.0)
    for _ in range(600):
        again = fit(CLOSE.bots, [results[at] for at in random.integers(len(results), size=len(results))])
        firsts[next(iter(again.ratings))] += 1 / 600
        for one, other in better:
            better[one, other] += (again.ratings[one].elo > again.ratings[other].elo) / 600
    assert quick.first == pytest.approx(firsts, abs=0.06)
    assert quick.better == pytest.approx(better, abs=0.06)
    assert max(firsts.values()) < 0.9, "the field is not close, so there is little to agree on"


def test_the_spread_of_the_resamples_is_that_of_the_intervals() -> None:
    """With thousands of blocks it is normal: the chance of the leader follows from lead and standard error alone."""
    world = World(2, 2000, (0.0, 0.0))
    found = fit(world.bots, tournament(world, np.random.default_rng(0)))
    best = next(iter(found.ratings))
    lead = abs(found.ratings[best].elo - 1500)
    error = float(np.sqrt((found.pulls[:, 0] ** 2).sum()))

    assert chances(found, seed=1, resamples=4000).first[best] == pytest.approx(
        NormalDist().cdf(lead / error), abs=0.025
    )


def test_shares_add_up() -> None:
    found = chances(fit(CLOSE.bots, tournament(CLOSE, np.random.default_rng(2))), seed=1)

    assert sum(share or 0 for share in found.first.values()) == pytest.approx(1)
    for one, other in permutations(CLOSE.bots, 2):
        assert (found.better[one, other] or 0) + (found.better[other, one] or 0) == pytest.approx(1)


def test_the_same_seed_gives_the_same_chances_whatever_the_order_of_results() -> None:
    results = tournament(CLOSE, np.random.default_rng(3))
    found = chances(fit(CLOSE.bots, results), seed=7)

    assert chances(fit(CLOSE.bots[::-1], results[::-1]), seed=7) == found
    assert chances(fit(CLOSE.bots, results), seed=8) != found


def test_a_few_wins_in_a_row_are_no_certainty(block: Play) -> None:
    """Drawing three won blocks again never shows a loss; the prior keeps the doubt that is due."""
    three, fifty = (
        chances(fit("ab", [block(("ab", (1, 2)), ("ba", (2, 1))) for _ in range(blocks)]), seed=1).first["a"]
        for blocks in (3, 50)
    )

    assert three is not None
    assert 0.9 < three < 1
    assert fifty is not None
    assert fifty > 0.995


def test_bots_that_never_met_are_not_compared(block: Play) -> None:
    met = [block(("ab", (1, 2)), ("ba", (2, 2))), block(("cd", (1, 2)), ("dc", (1, 1)))]
    found = chances(fit("abcdz", met), seed=1)

    assert (found.first["a"] or 0) + (found.first["b"] or 0) == pytest.approx(1)
    assert found.first["z"] is None
    assert found.better["a", "c"] is None
    assert found.better["z", "a"] is None
    assert found.better["c", "d"] is not None


@pytest.mark.parametrize("blocks", [6, 10, 40])
def test_chances_and_intervals_tell_the_same_story_however_few_blocks_there_are(blocks: int) -> None:
    """Whose interval just leaves out its opponent is better with 97.5 %; without Student's tails it would be 99.5 %."""
    world = World(2, blocks, (0.0, 0.0), deal=1.0, style=0.3)
    found = fit(world.bots, tournament(world, np.random.default_rng(5)))
    one, other = world.bots
    margin = found.ratings[one].margin
    assert margin is not None
    ahead = {
        one: replace(found.ratings[one], elo=1500 + margin),
        other: replace(found.ratings[other], elo=1500.0),
    }
    pulls = found.pulls.copy()
    pulls[:, sorted(world.bots).index(other)] = 0  # all doubt is about the first: its lead is its own margin

    shares = chances(replace(found, ratings=ahead, pulls=pulls), seed=1, resamples=20_000).better

    assert shares[one, other] == pytest.approx(0.975, abs=0.006)
