"""When a game is over, what tiles and tokens are worth then, and who wins (CHR-3)."""

from collections.abc import Sequence

from croupier_games.chain_reaction.data import Colour
from croupier_games.chain_reaction.reaction import Column
from croupier_games.chain_reaction.view import Player
from croupier_games.game import Outcome, SeatResult


def reason_to_end(columns: Sequence[Column], tiles_left: bool) -> str | None:
    """Why the game ends after a turn that left this; None: it goes on (CHR-3.1)."""
    for number, column in enumerate(columns, start=1):
        if not column.tiles:
            return f"column {number} is empty"
    return None if tiles_left else "the stack and all hands are empty"


def outcome(players: Sequence[Player], colours: Sequence[Colour], reason: str) -> Outcome:
    """The result of a game that ended with this in front of the players (ALL-7)."""
    figures = [(score(player, colour), len(player.tiles)) for player, colour in zip(players, colours, strict=True)]
    results = [
        SeatResult(
            place=1 + sum(other > (points, tiles) for other in figures),
            points=points,
            tie_breaks=(("tiles", tiles),),
            notes=(_note(player, colour),),
        )
        for player, colour, (points, tiles) in zip(players, colours, figures, strict=True)
    ]
    return Outcome(tuple(results), reason)


def score(player: Player, colour: Colour) -> int:
    """The points of a seat with this secret colour (CHR-3.2)."""
    return sum(_parts(player, colour))


def _parts(player: Player, colour: Colour) -> tuple[int, int, int]:
    """The points for tiles of other colours, for those of the own one, and for tokens."""
    own = sum([tile.number for tile in player.tiles if tile.colour is colour])
    every = sum([tile.number for tile in player.tiles])
    return every - own, 2 * own, sum([token.points for token in player.tokens])


def _note(player: Player, colour: Colour) -> str:
    others, own, tokens = _parts(player, colour)
    return f"{others} for tiles of other colours, {own} for {colour.word} ones, {tokens} for bonus tokens"
