"""The options of a game as they are typed: NAME=VALUE."""

from collections.abc import Iterable

from croupier_games import Game, GameError, Option, OptionValue, installed_games
from croupier_runner.errors import ConfigError

_FLAGS = {"true": True, "false": False}


def chosen_game(game_id: str) -> Game:
    """The game of that id, or ConfigError with those that there are."""
    games = installed_games()
    if game_id not in games:
        raise ConfigError(f"there is no game {game_id!r}; there are {', '.join(sorted(games))}")
    return games[game_id]


def read_options(game_id: str, texts: Iterable[str]) -> dict[str, OptionValue]:
    """The options that were typed as NAME=VALUE, or ConfigError with what would have been right."""
    game = chosen_game(game_id)
    known = {option.name: option for option in game.options}
    options: dict[str, OptionValue] = {}
    for text in texts:
        name, separator, value = text.partition("=")
        if not separator:
            raise ConfigError(f"{text!r} is no option; write NAME=VALUE, such as {_example(game)}")
        if name not in known:
            raise ConfigError(f"{game_id} has no option {name!r}; it has {', '.join(known) or 'none'}")
        options[name] = _value(known[name], value)
    return options


def _value(option: Option, text: str) -> OptionValue:
    value: OptionValue = text
    if option.kind is bool:
        value = _FLAGS.get(text.lower(), text)
    elif option.kind is int and text.removeprefix("-").isdecimal():
        value = int(text)
    try:
        return option.check(value)
    except GameError as error:
        raise ConfigError(str(error)) from None


def _example(game: Game) -> str:
    for option in game.options:
        if option.default is not None:
            return f"{option.name}={str(option.default).lower()}"
    return "name=value"
