"""Tournaments whose truth is known, to measure how far the statistics can be trusted.

`python -m croupier_runner.ratings.simulation` prints the tables of docs/statistics.md; the tests use the same worlds.

Every seat of a game draws its luck from a Gumbel distribution and adds its bot's strength and its own advantage; the
highest is placed first. Then the chance of one before another is exactly that of Bradley-Terry, for tables of any
size. The games of a block are tied together without changing that: with some chance a seat has the luck of the deal,
the same for this seat in all games of the block, or that of its bot, the same for this bot in all of them. And the
last two share their place with the chance that they would come out the other way round, which leaves every expected
score as it was.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, count, permutations

import numpy as np

from croupier_runner.ratings.bradley_terry import ELO, MEAN, Fit, fit
from croupier_runner.ratings.comparisons import Floats
from croupier_runner.ratings.sprt import Sprt, expected_score
from croupier_runner.results import Block, BlockResult, GameResult


@dataclass(frozen=True, slots=True)
class World:
    """A field of bots, how they play, and how much: everything that decides a simulated tournament but chance."""

    seats: int
    blocks: int
    """For each table."""
    strengths: tuple[float, ...] = (120.0, 50.0, -30.0, -140.0)
    """In Elo, with a mean of 0; as many bots as there are numbers."""
    seat_effects: tuple[float, ...] = ()
    """In Elo, with a mean of 0; empty if all seats are equal."""
    deal: float = 0.0
    """The chance that a seat's luck is that of the deal."""
    style: float = 0.0
    """The chance that a seat's luck is that of its bot on this deal."""

    @property
    def bots(self) -> tuple[str, ...]:
        """Their names, in the order of their strengths."""
        return tuple(f"bot {number}" for number in range(1, len(self.strengths) + 1))


def tournament(world: World, random: np.random.Generator) -> list[BlockResult]:
    """Plays a round-robin of all tables."""
    index = count()
    return [
        _block(world, random, Block(next(index), number, table, b"", _lineups(table, random)))
        for number in range(1, world.blocks + 1)
        for table in combinations(world.bots, world.seats)
    ]


def coverage(world: World, runs: int, seed: int) -> tuple[float, float]:
    """How often the 95 % intervals hold the truth: those of the ratings, and those of the seat effects."""
    random = np.random.default_rng(seed)
    held, held_seats = [], []
    for _ in range(runs):
        found = fit(world.bots, tournament(world, random))
        held += _held(world, found)
        seats = zip(found.seat_effects, world.seat_effects or (0.0,) * world.seats, strict=True)
        held_seats += [abs(effect.elo - true) <= effect.margin for effect, true in seats]
    return float(np.mean(held)), float(np.mean(held_seats))


def coverage_if_independent(world: World, runs: int, seed: int) -> float:
    """How often they would hold the true ratings if every pair of every game were an observation of its own."""
    random = np.random.default_rng(seed)
    fits = (fit(world.bots, one_by_one(tournament(world, random)), seat_effects=False) for _ in range(runs))
    return float(np.mean([_held(world, found) for found in fits]))


def one_by_one(results: Sequence[BlockResult]) -> list[BlockResult]:
    """The same comparisons, each as a block of its own: what somebody does who takes them for independent."""
    index = count()
    return [
        BlockResult(
            Block(next(index), 1, (lineup[one], lineup[other]), b"", ((lineup[one], lineup[other]),)),
            (_game((game.places[one], game.places[other])),),
        )
        for result in results
        for lineup, game in zip(result.block.lineups, result.games, strict=True)
        for one, other in combinations(range(len(lineup)), 2)
    ]


def duel_scores(elo: float, opposed: float, shape: tuple[int, int], random: np.random.Generator) -> Floats:
    """Scores of blocks of two games; with the chance `opposed` the same deal helps the other bot in the second."""
    share = expected_score(elo)
    first, second = random.random(shape), random.random(shape)
    mirrored = random.random(shape) < opposed
    return ((first < share).astype(float) + (np.where(mirrored, 1 - first, second) < share)) / 2


def sprt_rates(sprt: Sprt, elo: float, opposed: float, runs: int, seed: int) -> tuple[float, float]:
    """How often the test accepts H1 when A is really `elo` better, and how many blocks it takes in the mean."""
    random = np.random.default_rng(seed)
    longest = int(40 * (400 / (sprt.elo1 - sprt.elo0)) ** 2)  # far beyond where any run was seen to end
    verdicts = [sprt.after(duel_scores(elo, opposed, (1, longest), random)[0]) for _ in range(runs)]
    return (
        float(np.mean([verdict.decision == "H1" for verdict in verdicts])),
        float(np.mean([verdict.blocks for verdict in verdicts])),
    )


def _block(world: World, random: np.random.Generator, block: Block) -> BlockResult:
    number = {bot: at for at, bot in enumerate(world.bots)}
    bots = np.array([[number[bot] for bot in lineup] for lineup in block.lineups])
    deal, style, own = (random.gumbel(size=size) for size in (world.seats, len(number), bots.shape))
    source = random.random(bots.shape)
    luck = np.where(source < world.deal, deal, np.where(source < world.deal + world.style, style[bots], own))
    strengths = (np.array(world.strengths)[bots] + np.array(world.seat_effects or 0.0)) / ELO
    places = 1 + np.argsort(np.argsort(-(strengths + luck), axis=1), axis=1)
    games = np.arange(len(places))
    last, before = places.argmax(axis=1), (places == world.seats - 1).argmax(axis=1)
    other_way = 1 / (1 + np.exp(strengths[games, before] - strengths[games, last]))
    places[games, last] -= random.random(len(games)) < other_way
    return BlockResult(block, tuple(_game(tuple(row)) for row in places.tolist()))


def _game(places: tuple[int, ...]) -> GameResult:
    seats = len(places)
    return GameResult(places, points=(None,) * seats, faults=("",) * seats, moves=0, think_ms=(0,) * seats)


def _lineups(table: tuple[str, ...], random: np.random.Generator) -> tuple[tuple[str, ...], ...]:
    if len(table) <= 3:
        return tuple(permutations(table))
    base = tuple(table[number] for number in random.permutation(len(table)))
    return tuple(base[turn:] + base[:turn] for turn in range(len(base)))


def _held(world: World, found: Fit) -> list[bool]:
    ratings = [found.ratings[bot] for bot in world.bots]
    return [
        rating.margin is not None and abs(rating.elo - MEAN - true) <= rating.margin
        for rating, true in zip(ratings, world.strengths, strict=True)
    ]


FIVE = (150.0, 70.0, 0.0, -70.0, -150.0)
SEVEN = (150.0, 100.0, 50.0, 0.0, -50.0, -100.0, -150.0)
WORLDS = {
    "2 seats, independent games": World(2, 20),
    "2 seats, luck of the deal": World(2, 20, deal=0.5),
    "2 seats, luck of the bot, seat effect": World(2, 20, style=0.5, seat_effects=(40.0, -40.0)),
    "3 seats, independent games": World(3, 12),
    "3 seats, luck of deal and bot, seat effects": World(3, 12, deal=0.3, style=0.3, seat_effects=(40.0, 0.0, -40.0)),
    "3 seats, luck of the bot": World(3, 12, style=0.5),
    "4 seats, independent games": World(4, 12, FIVE),
    "4 seats, luck of deal and bot, seat effects": World(4, 12, FIVE, (50.0, 10.0, -20.0, -40.0), 0.3, 0.3),
    "4 seats, luck of the bot": World(4, 12, FIVE, style=0.5),
    "6 seats, luck of deal and bot": World(6, 12, SEVEN, deal=0.3, style=0.3),
}
"""What coverage is measured on: four bots; five where four sit at a table, seven where six do."""

SMALL_WORLDS = {
    "2 seats, 30 blocks": World(2, 5, deal=0.3, style=0.3),
    "3 seats, 16 blocks": World(3, 4, deal=0.3, style=0.3),
    "4 seats, 20 blocks": World(4, 4, FIVE, deal=0.3, style=0.3),
    "6 seats, 21 blocks": World(6, 3, SEVEN, deal=0.3, style=0.3),
}
"""So few blocks that the corrections for small samples carry the intervals."""

TESTS = (Sprt(0, 10), Sprt(0, 20), Sprt(0, 50), Sprt(0, 100), Sprt(-20, 20))


def _coverage_table(runs: int) -> Iterator[str]:
    yield "| world | ratings | seat effects | ratings, pairs taken for independent |\n|---|---|---|---|"
    for name, world in (WORLDS | SMALL_WORLDS).items():
        ratings, seats = coverage(world, runs, seed=1)
        yield f"| {name} | {ratings:.1%} | {seats:.1%} | {coverage_if_independent(world, runs, seed=1):.1%} |"


def _sprt_table(runs: int) -> Iterator[str]:
    yield "| elo0, elo1 | opposed | H1 at elo0 | H1 at elo1 | blocks at elo0 | half-way | at elo1 |"
    yield "|---|---|---|---|---|---|---|"
    for sprt in TESTS:
        for opposed in (0.0, 0.6, 0.9):
            truths = (sprt.elo0, (sprt.elo0 + sprt.elo1) / 2, sprt.elo1)
            at = [sprt_rates(sprt, elo, opposed, runs, seed=1) for elo in truths]
            blocks = " | ".join(f"{mean:.0f}" for _, mean in at)
            yield f"| {sprt.elo0}, {sprt.elo1} | {opposed:.0%} | {at[0][0]:.1%} | {at[2][0]:.1%} | {blocks} |"


def main(arguments: Sequence[str]) -> None:
    """Prints the tables of docs/statistics.md: coverage, sprt, or both."""
    tables: dict[str, Callable[[], Iterator[str]]] = {
        "coverage": lambda: _coverage_table(2000),
        "sprt": lambda: _sprt_table(2000),
    }
    for name in arguments or tables:
        for line in tables[name]():
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
