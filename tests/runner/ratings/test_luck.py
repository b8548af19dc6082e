"""What duplicate deals saved."""

from collections.abc import Callable

import numpy as np
import pytest

from croupier_runner.ratings import luck
from croupier_runner.ratings.simulation import World, tournament
from croupier_runner.results import BlockResult

Play = Callable[..., BlockResult]


def variance_of_block_means(results: list[BlockResult], bot: str) -> float:
    """Of a bot's place, by the plainest way there is."""
    means = [
        np.mean([game.places[lineup.index(bot)] for lineup, game in zip(one.block.lineups, one.games, strict=True)])
        for one in results
    ]
    return float(np.var(means))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_ratio_is_what_playing_with_independent_deals_shows(seats: int) -> None:
    """The same bots at the same table, 2,000 blocks with duplicate deals and 2,000 where each game has its own."""
    strengths = (60.0, 0.0, -20.0, -40.0)[:seats]
    duplicate = tournament(World(seats, 2000, strengths, deal=0.8), np.random.default_rng(1))
    independent = tournament(World(seats, 2000, strengths), np.random.default_rng(2))
    found = luck(duplicate)

    shown = np.mean([variance_of_block_means(independent, f"bot {bot}") for bot in range(1, seats + 1)]) / np.mean(
        [variance_of_block_means(duplicate, f"bot {bot}") for bot in range(1, seats + 1)]
    )
    assert found.ratio == pytest.approx(shown, rel=0.12)
    assert found.low is not None
    assert found.low > 1
    assert found.games == 2000 * (6 if seats == 3 else seats)
    assert found.saved == round(found.games * (found.ratio - 1))
    assert f"saved {found.saved} games" in found.statement


def test_deals_that_suit_the_same_bot_from_every_seat_cost_games() -> None:
    found = luck(tournament(World(2, 200, style=0.8), np.random.default_rng(1)))

    assert found.high is not None
    assert found.high < 1
    assert found.saved is not None
    assert found.saved < 0
    assert f"cost {-found.saved} games" in found.statement


def test_where_deals_do_not_matter_no_saving_is_claimed() -> None:
    found = luck(tournament(World(3, 40), np.random.default_rng(1)))

    assert found.low is not None
    assert found.high is not None
    assert found.low < 1 < found.high
    assert "can be told from chance" in found.statement


def test_the_interval_holds_the_true_ratio_about_95_times_in_a_hundred() -> None:
    """200 tournaments of independent games, where the ratio is 1."""
    random = np.random.default_rng(5)
    found = [luck(tournament(World(2, 40, (0.0, 0.0)), random)) for _ in range(200)]

    held = [one.low is not None and one.high is not None and one.low <= 1 <= one.high for one in found]
    assert 0.91 <= np.mean(held) <= 0.99


def test_too_few_blocks_give_a_sentence_and_no_number(block: Play) -> None:
    found = luck([block(("ab", (1, 2)), ("ba", (1, 2))) for _ in range(10)])

    assert (found.ratio, found.saved, found.games) == (None, None, 20)
    assert "too few" in found.statement
    assert luck([]).ratio is None


@pytest.mark.parametrize("bots", ["ab", "abc", "abcdef"])
def test_luck_that_cancels_altogether_is_said_and_not_divided_by(block: Play, bots: str) -> None:
    """The deal decides: the same seats come first in all games of a block, others in the next."""
    lineups = [bots[turn:] + bots[:turn] for turn in range(len(bots))]
    places = [tuple(range(1, len(bots) + 1)), tuple(range(len(bots), 0, -1))]
    found = luck([block(*((lineup, places[number % 2]) for lineup in lineups)) for number in range(40)])

    assert found.ratio is None
    assert "cancelled all luck" in found.statement


def test_no_luck_at_all_is_said(block: Play) -> None:
    found = luck([block(("ab", (1, 2)), ("ba", (2, 1))) for _ in range(40)])

    assert found.ratio is None
    assert "no luck" in found.statement


def test_the_order_of_results_changes_nothing() -> None:
    results = tournament(World(3, 10, deal=0.5), np.random.default_rng(1))

    assert luck(results[::-1]) == luck(results)
