"""The schedule is fair, complete, and the same for the same tournament."""

from collections import Counter
from itertools import combinations, permutations

import pytest

from croupier_runner.schedule import Pairing, Schedule, block_seed

BOTS = ("ann", "bob", "cat", "dan", "eve")


def pairings(*, bots: tuple[str, ...] = BOTS, seats: int = 2, blocks: int = 2, seed: int = 7) -> list[Pairing]:
    schedule = Schedule(bots=bots, game_id="lie", seats=seats, blocks=blocks, seed=seed)
    return list(iter(schedule.next, None))


@pytest.mark.parametrize(("seats", "orders"), [(2, 2), (3, 6), (4, 4), (5, 5)])
def test_every_table_plays_every_block_in_every_order(seats: int, orders: int) -> None:
    games = pairings(seats=seats, blocks=3)

    played = Counter((game.block.table, game.block.number) for game in games)

    assert set(played) == {(table, number) for table in combinations(BOTS, seats) for number in (1, 2, 3)}
    assert set(played.values()) == {orders}
    assert Schedule(bots=BOTS, game_id="lie", seats=seats, blocks=3, seed=7).games == len(games)


@pytest.mark.parametrize("seats", [2, 3])
def test_up_to_three_seats_a_block_plays_all_orders(seats: int) -> None:
    first = pairings(seats=seats)[0].block

    assert set(first.lineups) == set(permutations(first.table))


def test_above_three_seats_a_block_puts_every_bot_in_every_seat_once() -> None:
    for game in pairings(seats=4):
        for seat in range(4):
            assert {lineup[seat] for lineup in game.block.lineups} == set(game.block.table)


def test_above_three_seats_the_neighbours_differ_between_blocks() -> None:
    first_lineups = {game.lineup for game in pairings(bots=BOTS[:4], seats=4, blocks=20) if game.order == 0}

    assert len(first_lineups) > 1


def test_all_games_of_a_block_share_a_deal_and_no_two_blocks_do() -> None:
    blocks = {game.block.index: game.block for game in pairings(seats=3, blocks=4)}

    assert len({block.seed for block in blocks.values()}) == len(blocks)
    assert {len(block.seed) for block in blocks.values()} == {32}


def test_the_same_tournament_has_the_same_schedule_and_another_seed_another() -> None:
    assert pairings() == pairings()
    assert pairings() != pairings(seed=8)


def test_all_tables_play_a_block_before_any_plays_the_next() -> None:
    numbers = [game.block.number for game in pairings(blocks=3)]

    assert numbers == sorted(numbers)


def test_names_that_run_together_do_not_share_a_deal() -> None:
    assert block_seed(1, "lie", ("a", "bc"), 1) != block_seed(1, "lie", ("ab", "c"), 1)


def test_an_exhausted_schedule_stays_exhausted() -> None:
    schedule = Schedule(bots=BOTS[:2], game_id="lie", seats=2, blocks=1, seed=7)
    while schedule.next():
        pass

    assert schedule.next() is None
