"""What faults cost: judged block by block in schedule order, whichever game ended first."""

from croupier_runner.config import FaultsSection
from croupier_runner.faults import FaultRules, void
from croupier_runner.results import Block, BlockResult, GameResult

TABLE = ("ann", "bob", "cid")
LINEUPS = (("ann", "bob", "cid"), ("cid", "ann", "bob"))


def game(places: tuple[int, ...], faults: tuple[str, ...] = ("", "", "")) -> GameResult:
    return GameResult(places, (None, None, None), faults, 9, (0, 0, 0))


def block(index: int, *games: GameResult) -> BlockResult:
    return BlockResult(Block(index, index + 1, TABLE, bytes(32), LINEUPS), games)


CLEAN = game((1, 2, 3))


def test_a_fault_costs_the_game_it_happened_in() -> None:
    played = block(0, game((1, 3, 2), ("", "crash", "")), CLEAN)
    assert FaultRules(FaultsSection()).judge(played) == played


def test_a_fault_can_cost_the_whole_block() -> None:
    """Bob crashed in the first game; in the second he won, and is placed last all the same."""
    rules = FaultRules(FaultsSection(cost="block"))
    judged = rules.judge(block(0, game((1, 3, 2), ("", "crash", "")), game((2, 3, 1))))
    assert judged is not None
    assert [game.places for game in judged.games] == [(1, 3, 2), (1, 2, 3)]


def test_so_many_faults_take_a_bot_out_and_what_follows_counts_for_nobody() -> None:
    rules = FaultRules(FaultsSection(eliminate_after=2))
    late = game((1, 3, 2), ("", "timeout", ""))
    assert rules.judge(block(0, late, CLEAN)) is not None
    assert rules.eliminated == set()
    assert rules.judge(block(1, late, CLEAN)) is not None, "the block of the last straw still counts"
    assert rules.eliminated == {"bob"}
    assert rules.judge(block(2, CLEAN, CLEAN)) is None


def test_a_schedule_hears_that_whoever_is_out_came_last() -> None:
    told = void(Block(0, 1, TABLE, bytes(32), LINEUPS), {"bob"})
    assert [game.places for game in told.games] == [(1, 3, 1), (1, 1, 3)]
