"""The rules of the games: pure Python, standard library only, no I/O and no clock.

`GAMES` is the table of the games that come with Croupier; `installed_games()` adds those of other packages.
"""

from collections.abc import Mapping
from importlib.metadata import entry_points

from croupier_games.chain_reaction import CHAIN_REACTION
from croupier_games.chance import Chance
from croupier_games.errors import (
    GameError,
    IllegalAction,
    NotationError,
    OptionError,
    RestoreError,
    SeatsError,
)
from croupier_games.game import Action, Event, Game, Option, OptionValue, Outcome, SeatResult, State, View
from croupier_games.lie import LIE
from croupier_games.seventeen import SEVENTEEN
from croupier_games.ten import TEN
from croupier_games.twice_as_clever import TWICE_AS_CLEVER

GAMES: Mapping[str, Game] = {game.id: game for game in (LIE, TEN, SEVENTEEN, CHAIN_REACTION, TWICE_AS_CLEVER)}

ENTRY_POINTS = "croupier.games"


def installed_games() -> dict[str, Game]:
    """`GAMES` and every game that an installed package offers in the entry-point group `croupier.games`."""
    games = dict(GAMES)
    for entry in entry_points(group=ENTRY_POINTS):
        game = entry.load()
        if not isinstance(game, Game):
            raise TypeError(f"entry point {entry.value!r} of {ENTRY_POINTS} must be a Game, got {game!r}")
        if game.id in games:
            raise ValueError(f"entry point {entry.value!r} offers {game.id!r}, which another package offers too")
        games[game.id] = game
    return games


__all__ = [
    "ENTRY_POINTS",
    "GAMES",
    "Action",
    "Chance",
    "Event",
    "Game",
    "GameError",
    "IllegalAction",
    "NotationError",
    "Option",
    "OptionError",
    "OptionValue",
    "Outcome",
    "RestoreError",
    "SeatResult",
    "SeatsError",
    "State",
    "View",
    "installed_games",
]
