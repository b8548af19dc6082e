"""Blocks are the same whatever ends first and wherever a tournament is interrupted, in every format."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier_runner.errors import ConfigError
from croupier_runner.results import Block, BlockResult
from croupier_runner.schedule import Scheduler, key_of, replay, scheduler

Play = Callable[[Block], BlockResult]
Make = Callable[[], Scheduler]
Finish = Callable[[Scheduler, Play], list[Block]]


def maker(format: str, bots: int, seats: int, **options: object) -> Make:
    return lambda: scheduler(
        format,
        bots="abcdefghijklm"[:bots],
        game_id="lie",
        seats=seats,
        blocks=40 if format == "sprt" else 2,
        key=key_of(bots),
        **options,  # type: ignore[arg-type]
    )


MAKERS = {
    "round robin of pairs": maker("round_robin", 5, 2),
    "round robin of threes": maker("round_robin", 5, 3),
    "round robin, a sample of fours": maker("round_robin", 11, 4, tables=20),
    "gauntlet of pairs": maker("gauntlet", 7, 2, challengers="ac"),
    "gauntlet of fives": maker("gauntlet", 9, 5, tables=12),
    "swiss of pairs, with byes": maker("swiss", 9, 2, rounds=5),
    "swiss of threes": maker("swiss", 12, 3, rounds=4),
    "swiss of fours, with byes": maker("swiss", 11, 4, rounds=5),
    "swiss of sixes": maker("swiss", 12, 6, rounds=3),
    "knockout of pairs": maker("knockout", 11, 2),
    "knockout of threes": maker("knockout", 13, 3, seeding="draw"),
    "knockout of fives": maker("knockout", 13, 5, advance=3),
    "knockout of sixes": maker("knockout", 13, 6, tiebreaks=1),
    "sprt": maker("sprt", 2, 2, decide=lambda scores: abs(sum(scores) - len(scores) / 2) >= 0.75),
}


def interrupted_run(make: Make, play: Play, dice: Random) -> tuple[Scheduler, dict[int, Block]]:
    """Plays several blocks at once, lets any of them end first, and at any moment loses all but the journal."""
    journal: dict[int, BlockResult] = {}
    at_once = dice.randint(1, 8)
    schedule, under_way = make(), list[Block]()
    while not schedule.over:
        while len(under_way) < at_once and (block := schedule.next()):
            under_way.append(block)
        ended = under_way.pop(dice.randrange(len(under_way)))
        assert ended.index not in journal
        journal[ended.index] = play(ended)
        schedule.take(journal[ended.index])
        if dice.random() < 0.15:
            schedule = make()
            under_way = replay(schedule, dice.sample(list(journal.values()), len(journal)))
    return schedule, {index: result.block for index, result in journal.items()}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_the_order_of_completion_and_interruptions_change_nothing(
    make: Make, seed: int, finish: Finish, by_chance: Play
) -> None:
    straight = make()
    expected = finish(straight, by_chance)

    schedule, played = interrupted_run(make, by_chance, Random(seed))

    assert schedule.total_blocks == straight.total_blocks == len(expected)
    assert [played[index] for index in range(len(expected))] == expected
    assert schedule.ranking == straight.ranking
    assert schedule.next() is None


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_a_finished_tournament_resumes_as_finished(make: Make, finish: Finish, by_chance: Play) -> None:
    straight = make()
    results = [by_chance(block) for block in finish(straight, by_chance)]

    again = make()

    assert replay(again, results) == []
    assert again.over
    assert again.ranking == straight.ranking


def test_the_results_decide_who_meets(finish: Finish, by_chance: Play, by_name: Play) -> None:
    """Otherwise the test above would show nothing for the formats that wait for results."""
    for name in ("swiss of threes", "knockout of threes"):
        assert finish(MAKERS[name](), by_chance) != finish(MAKERS[name](), by_name)
    assert 5 < len(finish(MAKERS["sprt"](), by_chance)) < 40


def test_blocks_that_had_not_ended_are_given_back_to_be_played(by_chance: Play) -> None:
    make = MAKERS["round robin of pairs"]
    first = make()
    blocks = [block for block in (first.next() for _ in range(6)) if block]

    again = make()

    assert replay(again, [by_chance(blocks[4]), by_chance(blocks[1])]) == [blocks[0], blocks[2], blocks[3]]
    assert again.next() == blocks[5]


@pytest.mark.parametrize("other", ["round robin of threes", "swiss of pairs, with byes"])
def test_a_journal_of_another_tournament_is_refused(other: str, finish: Finish, by_chance: Play) -> None:
    foreign = [by_chance(block) for block in finish(MAKERS[other](), by_chance)]

    with pytest.raises(ConfigError, match="is none of this tournament; resume with the settings and the key"):
        replay(MAKERS["round robin of pairs"](), foreign)


def test_a_journal_with_a_later_round_but_not_the_one_before_is_refused(finish: Finish, by_chance: Play) -> None:
    make = MAKERS["swiss of threes"]
    results = [by_chance(block) for block in finish(make(), by_chance)]

    with pytest.raises(ConfigError, match=r"block 8 of the journal .* is none of this tournament"):
        replay(make(), results[1:])
