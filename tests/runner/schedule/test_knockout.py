"""Knockout: the best of each table go on, all tables are full, and level bots are parted by rules that are known."""

from collections import Counter
from collections.abc import Callable
from itertools import groupby

import pytest

from croupier_runner.errors import ConfigError
from croupier_runner.results import Block, BlockResult
from croupier_runner.schedule import Scheduler, key_of, scheduler

Places = Callable[[tuple[str, ...]], tuple[int, ...]]
Play = Callable[[Block], BlockResult]
Finish = Callable[[Scheduler, Play], list[Block]]
FIELD = tuple("abcdefghijklmnopqrstuvwxyz")


def knockout(bots: int, seats: int, *, blocks: int = 1, seed: int = 1, **options: object) -> Scheduler:
    return scheduler(
        "knockout",
        bots=FIELD[:bots],
        game_id="lie",
        seats=seats,
        blocks=blocks,
        key=key_of(seed),
        **options,  # type: ignore[arg-type]
    )


def rounds_of(blocks: list[Block]) -> dict[str, list[tuple[str, ...]]]:
    return {
        stage: list(dict.fromkeys(block.table for block in each))
        for stage, each in groupby(blocks, key=lambda block: block.stage)
    }


def test_eight_bots_play_the_bracket_that_everybody_knows(finish: Finish, by_name: Play) -> None:
    schedule = knockout(8, 2)

    rounds = rounds_of(finish(schedule, by_name))

    assert {stage: {"".join(table) for table in tables} for stage, tables in rounds.items()} == {
        "round 1": {"ah", "bg", "cf", "de"},
        "round 2": {"ad", "bc"},
        "final": {"ab"},
    }
    assert schedule.ranking == tuple("abcdefgh")


def test_six_bots_give_the_two_best_seeds_a_bye_in_the_first_round_only(finish: Finish, by_name: Play) -> None:
    rounds = rounds_of(finish(knockout(6, 2), by_name))

    assert [{"".join(table) for table in tables} for tables in rounds.values()] == [{"cf", "de"}, {"ad", "bc"}, {"ab"}]


def test_of_tables_of_four_two_go_on(finish: Finish, by_name: Play) -> None:
    rounds = rounds_of(finish(knockout(16, 4), by_name))

    assert [{"".join(table) for table in tables} for tables in rounds.values()] == [
        {"ahip", "bgjo", "cfkn", "delm"},
        {"adeh", "bcfg"},
        {"abcd"},
    ]


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_any_number_of_bots_ends_in_one_full_table(seats: int, finish: Finish, by_chance: Play) -> None:
    for bots in range(seats, 27):
        for advance in range(1, seats):
            schedule = knockout(bots, seats, advance=advance)
            blocks = finish(schedule, by_chance)
            rounds = rounds_of(blocks)

            assert all(len(table) == seats for tables in rounds.values() for table in tables)
            for tables in rounds.values():
                assert len({bot for table in tables for bot in table}) == seats * len(tables)
            assert list(rounds)[-1] == "final"
            assert len(rounds["final"]) == 1
            assert sorted(schedule.ranking) == list(FIELD[:bots])
            assert set(schedule.ranking[:seats]) == set(rounds["final"][0])
            assert schedule.total_blocks == len(blocks)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_who_is_out_stays_out_and_who_rests_or_wins_is_still_in(seats: int, finish: Finish, by_name: Play) -> None:
    """With results by name, a bot that has sat at a table goes on exactly if it is among the best there."""
    for bots in range(seats, 27):
        left = set(FIELD[:bots])
        rounds = list(rounds_of(finish(knockout(bots, seats), by_name)).values())
        for tables, following in zip(rounds, [*rounds[1:], []], strict=True):
            assert {bot for table in tables for bot in table} <= left
            still = {bot for later in (following, *rounds[rounds.index(tables) + 1 :]) for t in later for bot in t}
            for table in tables:
                on = [bot for bot in table if bot in still]
                assert on == sorted(table)[: len(on)]
                assert not following or max(1, seats // 2) <= len(on) < seats
                left -= set(table) - set(on)


@pytest.mark.parametrize("bots", range(2, 27))
def test_in_pairs_nobody_rests_after_the_first_round(bots: int, finish: Finish, by_name: Play) -> None:
    rounds = list(rounds_of(finish(knockout(bots, 2), by_name)).values())

    assert [len(tables) for tables in rounds[1:]] == [2**power for power in reversed(range(len(rounds) - 1))]
    assert sum(len(tables) for tables in rounds) == bots - 1


def test_a_match_has_as_many_blocks_as_set(finish: Finish, by_name: Play) -> None:
    blocks = finish(knockout(4, 2, blocks=5), by_name)

    assert set(Counter((block.stage, block.table) for block in blocks).values()) == {5}
    assert len({block.seed for block in blocks}) == len(blocks)


def test_level_bots_play_on_until_one_is_ahead(placed: Callable[[Block, Places], BlockResult]) -> None:
    """Only the tables that are level play on, one block at a time, and the tie-breaks decide against the seeding."""
    schedule = knockout(4, 2, blocks=2)
    blocks = []
    while block := schedule.next():
        blocks.append(block)
        if block.table == ("a", "d") and block.number < 4:
            schedule.take(placed(block, lambda _: (1, 1)))
        else:
            schedule.take(placed(block, lambda lineup: (2, 1) if lineup[0] == min(lineup) else (1, 2)))

    assert [(block.stage, "".join(block.table), block.number) for block in blocks] == [
        ("round 1", "ad", 1),
        ("round 1", "bc", 1),
        ("round 1", "ad", 2),
        ("round 1", "bc", 2),
        ("round 1", "ad", 3),
        ("round 1", "ad", 4),
        ("final", "cd", 1),
        ("final", "cd", 2),
    ]
    assert [block.index for block in blocks] == list(range(8))
    assert schedule.ranking[0] == "d"
    assert schedule.total_blocks == 8


def test_tie_breaks_part_only_those_who_are_level(placed: Callable[[Block, Places], BlockResult]) -> None:
    """a leads, b and c are level behind: a bad tie-break cannot put a out, nor a good one bring d in."""
    schedule = knockout(8, 4, blocks=1)
    first = {"a": 1, "d": 2, "e": 2, "h": 4}
    tiebreak = {"h": 1, "e": 2, "d": 3, "a": 4}
    seen = []
    while block := schedule.next():
        if block.stage == "final":
            break
        places = first if block.number == 1 else tiebreak
        plain = {bot: place for place, bot in enumerate(block.table, start=1)}
        chosen = places if "a" in block.table else plain
        seen.append(("".join(block.table), block.number))
        schedule.take(placed(block, lambda lineup, chosen=chosen: tuple(chosen[bot] for bot in lineup)))  # type: ignore[misc]

    assert seen == [("adeh", 1), ("bcfg", 1), ("adeh", 2)]
    assert block is not None
    assert set(block.table) == {"a", "e", "b", "c"}


@pytest.mark.parametrize("tiebreaks", [0, 1, 3])
def test_if_nothing_parts_them_the_better_seed_goes_on(tiebreaks: int, finish: Finish, all_level: Play) -> None:
    schedule = knockout(8, 2, blocks=2, tiebreaks=tiebreaks)
    assert schedule.total_blocks == 14

    blocks = finish(schedule, all_level)

    assert schedule.ranking[0] == "a"
    assert set(Counter((block.stage, block.table) for block in blocks).values()) == {2 + tiebreaks}
    assert schedule.total_blocks == len(blocks) == 7 * (2 + tiebreaks)


def test_the_seeding_can_be_drawn_from_the_key(finish: Finish, all_level: Play) -> None:
    """Where all are level the best seed wins, so the winner shows the seeding."""
    winners = set()
    for seed in range(20):
        schedule = knockout(8, 2, seed=seed, seeding="draw", tiebreaks=0)
        finish(schedule, all_level)
        winners.add(schedule.ranking[0])

    assert len(winners) > 3


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"advance": 0}, "advance must be 1 to 2 at tables of 3, got 0"),
        ({"advance": 3}, "advance must be 1 to 2 at tables of 3, got 3"),
        ({"seeding": "elo"}, "seeding must be one of file, draw, got 'elo'"),
        ({"tiebreaks": -1}, "tiebreaks must be at least 0, got -1"),
    ],
)
def test_what_cannot_be_played_is_refused(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        knockout(9, 3, **options)
