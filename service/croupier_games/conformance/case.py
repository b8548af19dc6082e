"""Which plays the suite looks at: every seat count, every value of every option, and every pair of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations, product

from croupier_games.errors import OptionError
from croupier_games.game import Game, Option, OptionValue, State


@dataclass(frozen=True)
class Case:
    """A game, and all that decides a deal of it."""

    game: Game
    seats: int
    options: dict[str, OptionValue] = field(default_factory=dict)
    """The options that are set; the others have their defaults."""
    number: int = 0
    """Tells cases apart that differ in nothing but the seed."""

    @property
    def seed(self) -> bytes:
        """The seed of the deal, which follows from everything else."""
        return self.seed_for("deal")

    def seed_for(self, purpose: str) -> bytes:
        """A seed of this case for some purpose."""
        return sha256(f"conformance/{self}/{purpose}".encode()).digest()

    def open(self) -> State:
        """The state as it is dealt."""
        return self.game.new(seats=self.seats, options=self.options, seed=self.seed)

    def __str__(self) -> str:
        chosen = "".join(f", {name}={value}" for name, value in sorted(self.options.items()))
        return f"{self.game.id}, {self.seats} seats{chosen}, #{self.number}"


def cases(game: Game, *, seeds: int = 1, thorough: bool = False) -> Iterator[Case]:
    """Every seat count with the default options, then every setting of one or two options.

    Each setting is dealt for one seat count, in turn; with `thorough` for all of them. `seeds` deals each anew."""
    counts = range(game.min_seats, game.max_seats + 1)
    for number in range(seeds):
        for seats in counts:
            yield Case(game, seats, {}, number)
        for turn, options in enumerate(settings(game)):
            fitting = [seats for seats in counts if fits(game, seats, options)]
            chosen = fitting if thorough else [fitting[(turn + number) % len(fitting)]] if fitting else []
            for seats in chosen:
                yield Case(game, seats, options, number)


def settings(game: Game) -> Iterator[dict[str, OptionValue]]:
    """Every value of every option alone, then every pair of values of two options."""
    for option in game.options:
        for value in values(option):
            yield {option.name: value}
    for one, two in combinations(game.options, 2):
        for first, second in product(values(one), values(two)):
            if first != one.default and second != two.default:
                yield {one.name: first, two.name: second}


def values(option: Option) -> tuple[OptionValue, ...]:
    """What is tried of an option: both truths, every choice or example, the least, usual and greatest number."""
    if option.kind is bool:
        return (False, True)
    if option.kind is str:
        return option.choices or option.examples
    tried = (option.minimum, option.default, option.maximum)
    return tuple(dict.fromkeys(value for value in tried if value is not None)) or (0, 1)


def fits(game: Game, seats: int, options: dict[str, OptionValue]) -> bool:
    """Whether the game takes these options together at this table."""
    try:
        game.check(seats, options)
    except OptionError:
        return False
    return True
