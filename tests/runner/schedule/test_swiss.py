"""Swiss rounds: equals meet, again only if they must; byes are shared out; the best come out on top."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations, groupby

import pytest

from croupier_runner.errors import ConfigError
from croupier_runner.results import Block, BlockResult
from croupier_runner.schedule import Scheduler, half_points, key_of, scheduler

Play = Callable[[Block], BlockResult]
Finish = Callable[[Scheduler, Play], list[Block]]
FIELD = tuple("abcdefghijklmnopqrstuvwxyz")


def swiss(bots: int, seats: int, rounds: int | None = None, *, blocks: int = 1, seed: int = 1) -> Scheduler:
    return scheduler(
        "swiss", bots=FIELD[:bots], game_id="lie", seats=seats, blocks=blocks, key=key_of(seed), rounds=rounds
    )


def rounds_of(blocks: list[Block]) -> list[list[tuple[str, ...]]]:
    """The tables of each round."""
    return [sorted({block.table for block in each}) for _, each in groupby(blocks, key=lambda block: block.stage)]


def repeats(rounds: list[list[tuple[str, ...]]]) -> int:
    met = Counter(pair for tables in rounds for table in tables for pair in combinations(table, 2))
    return sum(count - 1 for count in met.values())


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("bots", [6, 7, 11, 13])
def test_every_round_fills_as_many_tables_as_it_can_and_byes_are_shared_out(
    bots: int, seats: int, finish: Finish, by_chance: Play
) -> None:
    schedule = swiss(bots, seats, 7, blocks=2)

    blocks = finish(schedule, by_chance)

    rounds = rounds_of(blocks)
    assert [len(tables) for tables in rounds] == [bots // seats] * 7
    assert schedule.total_blocks == len(blocks) == 7 * (bots // seats) * 2
    seated = [[bot for table in tables for bot in table] for tables in rounds]
    assert all(len(set(each)) == len(each) for each in seated)
    byes = [sum(bot not in each for each in seated) for bot in FIELD[:bots]]
    assert max(byes) - min(byes) <= 1


def test_a_round_is_drawn_when_the_round_before_is_complete(by_name: Play) -> None:
    schedule = swiss(6, 2, 2, blocks=2)
    first_round = list(iter(schedule.next, None))
    assert {block.stage for block in first_round} == {"round 1"}
    assert len(first_round) == 6

    for block in first_round[1:]:
        schedule.take(by_name(block))
        assert schedule.next() is None
    schedule.take(by_name(first_round[0]))

    second = schedule.next()
    assert second is not None
    assert (second.stage, second.index, second.number) == ("round 2", 6, 1)


@pytest.mark.parametrize(("bots", "seats", "rounds"), [(8, 2, 7), (16, 2, 8), (26, 2, 9), (9, 3, 4), (20, 4, 3)])
def test_nobody_meets_twice_where_that_can_be(
    bots: int, seats: int, rounds: int, finish: Finish, by_chance: Play
) -> None:
    """(9, 3, 4) and (8, 2, 7) leave no choice in the end: every pair meets exactly once."""
    assert repeats(rounds_of(finish(swiss(bots, seats, rounds), by_chance))) == 0


def test_where_bots_must_meet_again_they_do_so_as_little_as_can_be(finish: Finish, by_chance: Play) -> None:
    """4 bots have 3 rounds of pairs: in 6 rounds each pair meets twice."""
    rounds = rounds_of(finish(swiss(4, 2, 6), by_chance))

    met = Counter(table for tables in rounds for table in tables)
    assert set(met.values()) == {2}


def test_bots_of_equal_score_meet(finish: Finish, by_name: Play) -> None:
    """Of 16 bots 8 have won after a round, and these meet one another; after two rounds 4 have won twice."""
    score: Counter[str] = Counter()
    for tables in rounds_of(finish(swiss(16, 2, 3), by_name)):
        for one, other in tables:
            assert score[one] == score[other]
        score.update(min(table) for table in tables)


@pytest.mark.parametrize(("bots", "seats"), [(8, 2), (12, 3), (16, 4), (13, 4)])
def test_the_best_bot_wins_and_the_worst_is_last(bots: int, seats: int, finish: Finish, by_name: Play) -> None:
    schedule = swiss(bots, seats, 5)
    finish(schedule, by_name)

    assert sorted(schedule.ranking) == list(FIELD[:bots])
    assert schedule.ranking[0] == "a"
    assert schedule.ranking[-1] == FIELD[bots - 1]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_bye_neither_lifts_nor_lowers_a_bot(seats: int, finish: Finish, by_chance: Play) -> None:
    """The ranking is that of the mean scores over the rounds a bot played, whatever byes it had."""
    played: Counter[str] = Counter()
    points: Counter[str] = Counter()

    def play(block: Block) -> BlockResult:
        result = by_chance(block)
        played.update(block.table)
        points.update(half_points(result))
        return result

    schedule = swiss(11, seats, 5)
    finish(schedule, play)

    means = [points[bot] / played[bot] for bot in schedule.ranking]
    assert len(set(played.values())) == 2
    assert means == sorted(means, reverse=True)


def test_who_has_only_rested_stands_between_winners_and_losers(finish: Finish, by_name: Play) -> None:
    for seed in range(10):
        schedule = swiss(3, 2, 1, seed=seed)
        (block,) = finish(schedule, by_name)
        (rested,) = set("abc") - set(block.table)

        assert schedule.ranking == (min(block.table), rested, max(block.table))


def test_byes_go_to_the_lowest_of_those_who_had_none(finish: Finish, by_name: Play) -> None:
    rounds = rounds_of(finish(swiss(9, 2, 4), by_name))

    rested: set[str] = set()
    wins: Counter[str] = Counter()
    played: Counter[str] = Counter()
    for tables in rounds:
        (resting,) = set(FIELD[:9]) - {bot for table in tables for bot in table}
        means = {bot: wins[bot] / played[bot] if played[bot] else 0.5 for bot in set(FIELD[:9]) - rested}
        assert means[resting] == min(means.values())
        rested.add(resting)
        wins.update(min(table) for table in tables)
        played.update(bot for table in tables for bot in table)


def test_a_table_that_meets_again_is_dealt_anew(finish: Finish, by_name: Play) -> None:
    blocks = finish(swiss(3, 3, 4, blocks=2), by_name)

    assert len({block.table for block in blocks}) == 1
    assert len({block.seed for block in blocks}) == len(blocks) == 8


@pytest.mark.parametrize(("bots", "rounds"), [(2, 1), (8, 3), (9, 4)])
def test_unless_set_there_are_as_many_rounds_as_a_knockout_of_pairs_needs(
    bots: int, rounds: int, finish: Finish, by_name: Play
) -> None:
    assert len({block.stage for block in finish(swiss(bots, 2), by_name)}) == rounds


def test_no_rounds_are_refused() -> None:
    with pytest.raises(ConfigError, match="rounds must be at least 1, got 0"):
        swiss(4, 2, 0)
