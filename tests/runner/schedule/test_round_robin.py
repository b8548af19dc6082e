"""Every set of bots meets equally often; where there are too many sets, a sample of them is as even as it can be."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier_games import Chance
from croupier_runner.errors import ConfigError
from croupier_runner.results import Block
from croupier_runner.schedule import Scheduler, key_of, scheduler
from croupier_runner.schedule.samples import balanced, connected

Finish = Callable[..., list[Block]]


def bots(count: int) -> tuple[str, ...]:
    return tuple(f"bot {number:03}" for number in range(count))


def round_robin(count: int, seats: int, *, blocks: int = 1, tables: int | None = None, seed: int = 1) -> Scheduler:
    return scheduler(
        "round_robin", bots=bots(count), game_id="lie", seats=seats, blocks=blocks, key=key_of(seed), tables=tables
    )


def handed_out(schedule: Scheduler) -> list[Block]:
    return list(iter(schedule.next, None))


def plays(tables: Sequence[tuple[str, ...]]) -> Counter[str]:
    return Counter(bot for table in tables for bot in table)


def meetings(tables: Sequence[tuple[str, ...]], field: Sequence[str]) -> list[int]:
    met = Counter(pair for table in tables for pair in combinations(table, 2))
    return [met[pair] for pair in combinations(field, 2)]


def spread(numbers: Sequence[int]) -> int:
    return max(numbers) - min(numbers)


def parts(tables: Sequence[tuple[str, ...]]) -> int:
    """How many groups there are that no table connects."""
    leader = {bot: bot for table in tables for bot in table}

    def find(bot: str) -> str:
        return bot if leader[bot] == bot else find(leader[bot])

    for table in tables:
        for bot in table[1:]:
            leader[find(bot)] = find(table[0])
    return len({find(bot) for bot in leader})


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_all_sets_of_bots_meet_in_every_block(seats: int, finish: Finish, by_chance: object) -> None:
    schedule = round_robin(7, seats, blocks=3)

    blocks = finish(schedule, by_chance)

    met = Counter((block.table, block.number) for block in blocks)
    assert met == Counter({(table, number): 1 for table in combinations(bots(7), seats) for number in (1, 2, 3)})
    assert schedule.total_blocks == len(blocks)
    assert [block.index for block in blocks] == list(range(len(blocks)))


def test_every_table_plays_its_first_block_before_any_plays_its_second() -> None:
    numbers = [block.number for block in handed_out(round_robin(5, 3, blocks=4))]

    assert numbers == sorted(numbers)


def test_all_blocks_can_be_under_way_at_once() -> None:
    schedule = round_robin(5, 2, blocks=3)

    assert len(handed_out(schedule)) == 30
    assert not schedule.over


def test_a_large_field_plays_a_sample_in_which_all_play_exactly_as_often() -> None:
    """20 bots at tables of 4 make 4845 sets."""
    tables = [block.table for block in handed_out(round_robin(20, 4))]

    assert len(set(tables)) == len(tables) == 500
    assert set(plays(tables).values()) == {100}
    assert spread(meetings(tables, bots(20))) <= 2


@pytest.mark.parametrize(("count", "seats", "tables"), [(20, 4, 50), (20, 4, 37), (9, 3, 20), (12, 6, 30), (40, 2, 90)])
def test_a_sample_of_any_size_is_even(count: int, seats: int, tables: int) -> None:
    chosen = [block.table for block in handed_out(round_robin(count, seats, tables=tables))]

    assert len(set(chosen)) == len(chosen) == tables
    assert spread([plays(chosen)[bot] for bot in bots(count)]) <= 1
    assert spread(meetings(chosen, bots(count))) <= 2


@pytest.mark.parametrize(("count", "seats", "tables"), [(7, 3, 7), (9, 3, 12), (6, 3, 10)])
def test_where_a_perfect_design_exists_it_is_found(count: int, seats: int, tables: int) -> None:
    """For these every pair can meet exactly as often as every other."""
    chosen = [block.table for block in handed_out(round_robin(count, seats, tables=tables))]

    assert spread(meetings(chosen, bots(count))) == 0


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_samples_are_different_tables_and_nobody_plays_two_more_than_another(data: st.DataObject) -> None:
    count = data.draw(st.integers(3, 11))
    size = data.draw(st.integers(2, min(6, count - 1)))
    every = len(list(combinations(range(count), size)))
    wanted = data.draw(st.integers(1, every))
    chance = Chance(key_of(data.draw(st.integers(0, 1000))))

    tables = balanced(bots(count), size, wanted, chance)

    assert len({frozenset(table) for table in tables}) == len(tables) == wanted
    assert spread([plays(tables)[bot] for bot in bots(count)]) <= 1
    assert all(tuple(sorted(table)) == table for table in tables)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_smallest_sample_still_compares_everybody(seats: int) -> None:
    for seed in range(10):
        chosen = [block.table for block in handed_out(round_robin(24, seats, tables=48 // seats, seed=seed))]

        assert parts(chosen) == 1
        assert set(plays(chosen).values()) == {2}


def test_separate_groups_are_joined_and_nobody_plays_more_for_it() -> None:
    apart = [("a", "b"), ("b", "c"), ("a", "c"), ("d", "e"), ("e", "f"), ("d", "f")]
    assert parts(apart) == 2

    joined = connected(apart, "abcdef")

    assert parts(joined) == 1
    assert plays(joined) == plays(apart)
    assert len(set(joined)) == len(apart)


def test_the_sample_follows_from_the_key() -> None:
    first, again, other = (handed_out(round_robin(20, 4, tables=40, seed=seed)) for seed in (1, 1, 2))

    assert first == again
    assert {block.table for block in first} != {block.table for block in other}


def test_a_limit_that_is_not_reached_changes_nothing() -> None:
    assert handed_out(round_robin(6, 3, tables=1000)) == handed_out(round_robin(6, 3))


@pytest.mark.parametrize("tables", [0, 1, 9])
def test_a_sample_too_small_to_compare_all_is_refused(tables: int) -> None:
    with pytest.raises(ConfigError, match=f"tables = {tables} is too few: 20 bots at tables of 4 need at least 10"):
        round_robin(20, 4, tables=tables)


def test_a_block_is_taken_once_and_only_if_it_was_handed_out(by_name: Callable[[Block], object]) -> None:
    schedule = round_robin(3, 2)
    foreign = handed_out(round_robin(3, 2, seed=2))
    first = schedule.next()
    assert first is not None
    for wrong in foreign[:2]:
        with pytest.raises(ValueError, match="is not under way"):
            schedule.take(by_name(wrong))  # type: ignore[arg-type]
    schedule.take(by_name(first))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="block 0 is not under way"):
        schedule.take(by_name(first))  # type: ignore[arg-type]
