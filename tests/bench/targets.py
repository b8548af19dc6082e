"""What each game is to reach. A game that is not named here has no target."""

from tests.bench.table import Target

PLAYOUTS_PER_S = {
    "lie": 100_000,
    "ten": 50_000,
    "seventeen": 60_000,
    "chain_reaction": 20_000,
    "twice_as_clever": 20_000,
}
"""At least so many actions per second on a core with no wire."""

MOVE_RATIOS = {
    "lie": 1.0,
    "ten": 1.5,
    "seventeen": 1.5,
    "chain_reaction": 2.0,
    "twice_as_clever": 2.0,
}
"""At most so many times the server CPU of an empty round trip for a move."""


def playouts_target(game_id: str) -> Target | None:
    """For the rules alone."""
    limit = PLAYOUTS_PER_S.get(game_id)
    return None if limit is None else Target(limit, at_most=False, of_ratio=False)


def move_target(game_id: str) -> Target | None:
    """For a move through the service."""
    limit = MOVE_RATIOS.get(game_id)
    return None if limit is None else Target(limit)
