"""The sequential test: its arithmetic, its frozen verdict, and how often it errs."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from croupier_runner.errors import ConfigError
from croupier_runner.ratings import Sprt, duel_scores
from croupier_runner.ratings.simulation import duel_scores as simulated_scores
from croupier_runner.ratings.simulation import sprt_rates
from croupier_runner.ratings.sprt import expected_score
from croupier_runner.results import BlockResult

Play = Callable[..., BlockResult]


def test_the_bounds_are_those_of_wald() -> None:
    verdict = Sprt(0, 10, alpha=0.05, beta=0.1).after([])

    assert verdict.lower == pytest.approx(math.log(0.1 / 0.95))
    assert verdict.upper == pytest.approx(math.log(0.9 / 0.05))
    assert (verdict.llr, verdict.decision, verdict.blocks) == (0, "running", 0)


def test_the_ratio_is_that_of_the_mean_squares() -> None:
    """By hand for three blocks, elo1 being the 3/4 of 190.85 Elo; two blocks of variance 1/4 are added to each."""
    verdict = Sprt(0, 400 * math.log10(3)).after([1.0, 0.5, 0.75])

    squares0 = 0.25 + 0 + 0.0625 + 0.5
    squares1 = 0.0625 + 0.0625 + 0 + 0.5
    assert verdict.llr == pytest.approx(1.5 * math.log(squares0 / squares1))
    assert verdict.decision == "running"


def test_the_verdict_is_frozen_at_the_first_crossing() -> None:
    """A hundred won blocks decide for H1; a thousand lost ones after them change nothing, nor where it was decided."""
    sprt = Sprt(0, 50)
    won = sprt.after([1.0] * 100)
    assert won.decision == "H1"
    assert won.llr >= won.upper
    assert sprt.after([1.0] * (won.blocks - 1)).decision == "running"

    assert sprt.after([1.0] * 100 + [0.0] * 1000) == won
    assert sprt.after([0.0] * 100).decision == "H0"


def test_it_can_be_fed_block_by_block_or_all_at_once() -> None:
    sprt = Sprt(0, 100)
    scores = simulated_scores(100, 0.5, (1, 300), np.random.default_rng(1))[0].tolist()
    final = sprt.after(scores)

    verdicts = [sprt.after(scores[:blocks]) for blocks in range(len(scores) + 1)]
    assert final.decision != "running"
    assert [one.decision for one in verdicts[: final.blocks]] == ["running"] * final.blocks
    assert set(verdicts[final.blocks :]) == {final}


def test_a_few_equal_blocks_prove_nothing() -> None:
    """Scores without any scatter at first: no division by nothing, no verdict from five blocks."""
    assert Sprt(0, 20).after([0.5] * 5).decision == "running"
    assert Sprt(0, 20).after([1.0] * 5).decision == "running"


@pytest.mark.parametrize("opposed", [0.0, 0.6, 0.9])
def test_it_errs_no_more_often_than_was_asked(opposed: float) -> None:
    """1,000 tests at 5 %: at most 6.5 % may be wrong on either side, two standard errors more than 5 %."""
    sprt = Sprt(0, 50)
    false_positives, _ = sprt_rates(sprt, 0, opposed, runs=1000, seed=1)
    power, _ = sprt_rates(sprt, 50, opposed, runs=1000, seed=2)

    assert false_positives <= 0.065
    assert power >= 0.935


def test_opposed_deals_end_it_sooner() -> None:
    """The variance is estimated from the blocks, so what duplicate deals cancel need not be played."""
    _, independent = sprt_rates(Sprt(0, 50), 0, 0.0, runs=200, seed=1)
    _, opposed = sprt_rates(Sprt(0, 50), 0, 0.6, runs=200, seed=1)

    assert opposed < 0.6 * independent


def test_scores_come_from_the_blocks_in_which_both_sit_in_the_order_of_the_schedule(block: Play) -> None:
    results = [
        block(("ab", (1, 2)), ("ba", (2, 1))),
        block(("ac", (1, 2)), ("ca", (2, 1))),
        block(("abc", (2, 1, 3)), ("bca", (1, 3, 1)), ("cab", (1, 2, 3))),
        block(("ab", (2, 1)), ("ba", (1, 1))),
    ]

    assert duel_scores(results[::-1], "a", "b") == [1.0, 0.5, 0.25]
    assert duel_scores(results, "b", "a") == [0.0, 0.5, 0.75]


def test_elo_is_the_usual_one() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)


@pytest.mark.parametrize(
    ("elo0", "elo1", "alpha", "beta", "sentence"),
    [
        (10, 10, 0.05, 0.05, "elo0 = 10 must be less than elo1 = 10"),
        (20, 10, 0.05, 0.05, "elo0 = 20 must be less"),
        (0, math.inf, 0.05, 0.05, "elo1 = inf"),
        (0, 10, 0, 0.05, "alpha = 0 and beta = 0.05 must be above 0"),
        (0, 10, 0.05, -1, "beta = -1"),
        (0, 10, 0.5, 0.5, "below 1 together"),
    ],
)
def test_a_test_that_cannot_be_is_refused(elo0: float, elo1: float, alpha: float, beta: float, sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        Sprt(elo0, elo1, alpha, beta)
