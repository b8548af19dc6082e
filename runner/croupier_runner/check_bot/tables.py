"""The tables that a bot is checked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from croupier_games import Game, OptionError, OptionValue
from croupier_games.game import Option


@dataclass(frozen=True)
class Table:
    """One game to be played: the bot has the seats `own`, the house all others."""

    game: Game
    seats: int
    own: tuple[int, ...]
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    def __str__(self) -> str:
        seats = "1 seat" if self.seats == 1 else f"{self.seats} seats"
        settings = "".join(f" and {name}={_shown(value)}" for name, value in self.options.items())
        return f"a game of {self.game.id} with {seats}{settings}"


def against_the_house(game: Game) -> Table:
    """The smallest table with an opponent, if the game has one."""
    return Table(game, min(game.max_seats, max(2, game.min_seats)), (0,))


def alone(game: Game) -> Iterator[Table]:
    """Tables, small and large, of which the bot has all seats."""
    for seats in sorted({max(2, game.min_seats), game.max_seats}):
        if seats <= game.max_seats:
            yield Table(game, seats, tuple(range(seats)))


def variety(game: Game) -> Iterator[Table]:
    """The fewest seats and the most, the first and the last of them, and every option set to something else."""
    for seats in sorted({game.min_seats, max(2, game.min_seats), game.max_seats}):
        if seats <= game.max_seats:
            yield from (Table(game, seats, (own,)) for own in sorted({0, seats - 1}))
    for option in game.options:
        for value in _other_values(option):
            yield from _first_possible(game, {option.name: value})


def many(games: Sequence[Game], number: int) -> list[Table]:
    """So many tables, of all games in turn."""
    return [against_the_house(games[index % len(games)]) for index in range(number)]


def _other_values(option: Option) -> list[OptionValue]:
    """Values that are not the default."""
    if option.kind is bool:
        return [not option.default]
    if option.kind is str:
        return [text for text in option.choices or option.examples if text != option.default]
    return [option.maximum] if option.maximum not in (None, option.default) else []


def _first_possible(game: Game, options: Mapping[str, OptionValue]) -> Iterator[Table]:
    """A table with these options, at the fewest seats that they allow."""
    for seats in range(game.min_seats, game.max_seats + 1):
        try:
            game.check(seats, options)
        except OptionError:
            continue
        yield Table(game, seats, (0,), options)
        return


def _shown(value: OptionValue) -> str:
    """As it is written in a tournament file, and not too long."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 20 else text[:20] + "…"
