"""What a block says about the bots that played it: the mean of all comparisons within the table."""

from croupier_runner.results import BlockResult


def half_points(result: BlockResult) -> dict[str, int]:
    """Each bot's half points over all games of the block and all opponents: 2 for a better place, 1 for a shared one.

    Whole numbers, so sums over blocks are exact and the same in whatever order they are made."""
    halves = dict.fromkeys(result.block.table, 0)
    for lineup, game in zip(result.block.lineups, result.games, strict=True):
        for bot, place in zip(lineup, game.places, strict=True):
            worse = sum(other > place for other in game.places)
            shared = game.places.count(place) - 1
            halves[bot] += 2 * worse + shared
    return halves


def most_half_points(seats: int, games: int) -> int:
    """What a bot has that won all its comparisons in that many games."""
    return 2 * (seats - 1) * games


def block_scores(result: BlockResult) -> dict[str, float]:
    """Each bot's score in the block, from 0 to 1: the mean over games and opponents of win 1, tie ½, loss 0."""
    most = most_half_points(len(result.block.table), len(result.games))
    return {bot: halves / most for bot, halves in half_points(result).items()}
