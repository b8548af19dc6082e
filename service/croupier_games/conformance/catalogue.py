"""Checks of what a game says about itself, and of the seats and options it takes."""

from __future__ import annotations

import re
from typing import cast

from croupier_games.chance import SEED_BYTES
from croupier_games.conformance.case import fits, values
from croupier_games.conformance.play import Play, require, require_equal
from croupier_games.errors import GameError, OptionError, SeatsError
from croupier_games.game import Game, Option, OptionValue

WRONG_FOR: dict[type, tuple[object, ...]] = {
    bool: (0, 1, "true", None),
    int: (True, "1", 1.0, None),
    str: (0, True, "", "no such choice", None),
}


def game_introduces_itself(play: Play) -> None:
    """A game has an id, a title, a summary, a version, seats, a maximum of actions and a wire package."""
    game = play.case.game
    require(re.fullmatch(r"[a-z][a-z0-9_]*", game.id), f"the id {game.id!r} is not lower case")
    require(game.title.strip() and game.summary.strip(), "title and summary must say something")
    require(type(game.version) is int and game.version >= 1, f"the version is {game.version!r}")
    require(1 <= game.min_seats <= game.max_seats, f"the seats are {game.min_seats} to {game.max_seats}")
    require(game.max_actions >= 1, f"the maximum of actions is {game.max_actions}")
    require(re.fullmatch(r"[a-z0-9_]+(\.[a-z0-9_]+)+", game.wire_package), f"no package: {game.wire_package!r}")
    require(play.state.game is game, "state.game is another game")
    require_equal(play.state.seats, play.case.seats, "state.seats")


def options_are_documented(play: Play) -> None:
    """Every option has a name of its own, a meaning, a default that it takes, and limits or choices that make sense."""
    game = play.case.game
    names = [option.name for option in game.options]
    require(len(set(names)) == len(names), f"an option has the name of another: {names}")
    for option in game.options:
        require(re.fullmatch(r"[a-z][a-z0-9_]*", option.name), f"the option {option.name!r} is not lower case")
        require(option.meaning.strip(), f"option {option.name!r} does not say what it means")
        if option.kind is str:
            free = bool(option.max_length and option.examples)
            require(
                bool(option.choices) != free, f"option {option.name!r} has neither choices nor a length and examples"
            )
        if option.default is not None:
            require_equal(option.check(option.default), option.default, f"the default of {option.name!r}")


def options_are_exercised(play: Play) -> None:
    """Every value of every option is taken at some table, and the state says which options it is played with."""
    game = play.case.game
    tables = range(game.min_seats, game.max_seats + 1)
    for option in game.options:
        for value in values(option):
            taken = any(fits(game, seats, {option.name: value}) for seats in tables)
            require(taken, f"no table takes {option.name}={value!r}, although the option names it")
    expected = game.check(play.case.seats, play.case.options)
    require_equal(sorted(play.state.options.items()), sorted(expected.items()), "the options of the state")


def wrong_options_are_errors(play: Play) -> None:
    """An unknown option, a value of the wrong type or out of range raises OptionError, and is never ignored."""
    game, seats = play.case.game, play.case.seats
    _require_error(game, seats, {"no_such_option": True}, OptionError)
    for option in game.options:
        for value in (*WRONG_FOR[option.kind], *_out_of_range(option)):
            _require_error(game, seats, {option.name: value}, OptionError)


def wrong_seats_are_errors(play: Play) -> None:
    """A number of seats that the game does not have raises SeatsError, and a seed of another length ValueError."""
    game = play.case.game
    for seats in {-1, 0, game.min_seats - 1, game.max_seats + 1}:
        _require_error(game, seats, {}, SeatsError)
    for size in (0, SEED_BYTES - 1, SEED_BYTES + 1):
        try:
            game.new(seats=play.case.seats, seed=bytes(size))
        except ValueError:
            continue
        require(False, f"a seed of {size} bytes is taken")


def _out_of_range(option: Option) -> tuple[object, ...]:
    below = () if option.minimum is None else (option.minimum - 1,)
    above = () if option.maximum is None else (option.maximum + 1,)
    long = () if option.max_length is None else ("x" * (option.max_length + 1),)
    return below + above + long


def _require_error(game: Game, seats: int, options: dict[str, object], kind: type[GameError]) -> None:
    try:
        # Values of wrong types, as somebody else's configuration file may hold them.
        game.new(seats=seats, options=cast("dict[str, OptionValue]", options), seed=bytes(SEED_BYTES))
    except kind as error:
        require(str(error), f"the {kind.__name__} for {seats} seats, {options} has no message")
    else:
        require(False, f"{seats} seats with {options} are taken, where {kind.__name__} is due")


CHECKS = (
    game_introduces_itself,
    options_are_documented,
    options_are_exercised,
    wrong_options_are_errors,
    wrong_seats_are_errors,
)
