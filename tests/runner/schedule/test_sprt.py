"""The verdict of a sequential test is that of the first crossing in schedule order, whatever ended when."""

from collections.abc import Callable, Sequence
from itertools import permutations

import pytest

from croupier_runner.errors import ConfigError
from croupier_runner.results import Block, BlockResult
from croupier_runner.schedule import block_scores, key_of, replay, scheduler
from croupier_runner.schedule.sprt import Sprt

Play = Callable[[Block], BlockResult]


def sprt(decide: Callable[[Sequence[float]], bool], blocks: int = 100) -> Sprt:
    made = scheduler("sprt", bots=("ann", "bob"), game_id="lie", seats=2, blocks=blocks, key=key_of(1), decide=decide)
    assert isinstance(made, Sprt)
    return made


def test_it_ends_when_the_scores_decide(by_name: Play) -> None:
    schedule = sprt(lambda scores: sum(scores) >= 5)
    while block := schedule.next():
        schedule.take(by_name(block))

    assert schedule.over
    assert schedule.scores == (1.0,) * 5
    assert schedule.total_blocks == 5


def test_it_ends_at_the_maximum_if_nothing_decides(by_name: Play) -> None:
    schedule = sprt(lambda _: False, blocks=7)
    assert schedule.total_blocks == 7
    blocks = list(iter(schedule.next, None))
    for block in blocks:
        assert not schedule.over
        schedule.take(by_name(block))

    assert schedule.over
    assert len(schedule.scores) == len(blocks) == 7


def test_the_scores_are_looked_at_one_by_one_in_schedule_order(by_chance: Play) -> None:
    looks: list[tuple[float, ...]] = []
    schedule = sprt(lambda scores: looks.append(tuple(scores)) or False, blocks=6)  # type: ignore[func-returns-value]
    blocks = list(iter(schedule.next, None))
    for block in reversed(blocks):
        schedule.take(by_chance(block))

    scores = tuple(block_scores(by_chance(block))["ann"] for block in blocks)
    assert scores != scores[::-1]
    assert looks == [scores[:count] for count in range(1, 7)]


@pytest.mark.parametrize("order", list(permutations(range(5))), ids=str)
def test_blocks_beyond_the_verdict_change_nothing(order: Sequence[int], by_name: Play) -> None:
    """Five blocks are under way, and the third decides: the others are ignored, whenever they end."""
    schedule = sprt(lambda scores: len(scores) == 3)
    blocks = [schedule.next() for _ in range(5)]
    for place in order:
        block = blocks[place]
        assert block is not None
        schedule.take(by_name(block))

    assert schedule.over
    assert schedule.scores == (1.0, 1.0, 1.0)
    assert schedule.total_blocks == 3
    assert schedule.next() is None


def test_a_journal_with_blocks_beyond_the_verdict_can_be_resumed(by_name: Play) -> None:
    first = sprt(lambda scores: len(scores) == 3)
    results = [by_name(block) for block in (first.next() for _ in range(6)) if block]

    again = sprt(lambda scores: len(scores) == 3)

    assert replay(again, results) == []
    assert again.over
    assert again.total_blocks == 3


def test_it_needs_two_bots_and_a_rule_that_decides() -> None:
    with pytest.raises(ConfigError, match="sprt compares two bots at tables of 2, got 3 bots and 2 seats"):
        scheduler("sprt", bots="abc", game_id="lie", seats=2, blocks=9, key=key_of(1), decide=lambda _: False)
    with pytest.raises(ConfigError, match="sprt needs a rule that decides"):
        scheduler("sprt", bots="ab", game_id="lie", seats=2, blocks=9, key=key_of(1))
