"""The running standings count what was played, block by block."""

from croupier_runner.results import Block, BlockResult, GameResult
from croupier_runner.standings import Standings

LINEUPS = (("ann", "bob"), ("bob", "ann"))


def block(index: int, *games: GameResult) -> BlockResult:
    return BlockResult(Block(index, index + 1, ("ann", "bob"), bytes(32), LINEUPS), games)


def game(places: tuple[int, int], points: tuple[int | None, int | None] = (None, None), fault: str = "") -> GameResult:
    return GameResult(places, points, ("", fault), 9, (0, 0))


def test_wins_shared_places_points_and_faults_are_counted() -> None:
    standings = Standings(["ann", "bob", "cid"])
    standings.count(block(0, game((1, 2), (30, 10)), game((1, 1), (20, 20))))
    standings.count(block(1, game((1, 2), fault="crash"), game((2, 1))))
    ann, bob, cid = (standings.tallies[name] for name in ("ann", "bob", "cid"))
    assert (ann.blocks, ann.games, ann.wins, ann.shared) == (2, 4, 3, 1)
    assert (bob.games, bob.wins, bob.shared, bob.faults) == (4, 0, 1, {"crash": 1})
    assert (ann.mean_place, bob.mean_place) == (1.0, 1.75)
    assert (ann.mean_points, bob.mean_points) == (25.0, 15.0)
    assert (cid.games, cid.mean_place, cid.mean_points) == (0, None, None)
    assert (standings.blocks, standings.games) == (2, 4)


def test_the_best_is_first_and_who_has_not_played_stays_where_all_begin() -> None:
    standings = Standings(["bob", "ann", "cid"])
    standings.count(block(0, game((1, 2)), game((2, 1))))
    assert list(standings.elo) == ["ann", "cid", "bob"]
    assert standings.elo["cid"] == 1500
