"""Chain Reaction as bytes: what is saved of a state, and read back only if it could have been saved so.

What follows from the rest of a state (who decides, the outcome) is worked out, not written.
"""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from croupier_games import saving
from croupier_games.chain_reaction.data import BOARD_TILES, COLUMNS, RINGS, Colour, Tile
from croupier_games.chain_reaction.ending import reason_to_end
from croupier_games.chain_reaction.reaction import Column, upright
from croupier_games.chain_reaction.table import table_of
from croupier_games.chain_reaction.view import Payment, Phase, Player, Supply
from croupier_games.game import Game, OptionValue
from croupier_games.saving import demand


class Saved(NamedTuple):
    """All that is written of a state."""

    game: str
    version: int
    seats: int
    options: Mapping[str, OptionValue]
    seed: str
    phase: Phase
    turn: int | None
    columns: tuple[Column, ...]
    players: tuple[Player, ...]
    supply: Supply
    hands: tuple[Tile | None, ...]
    stack: tuple[Tile, ...]
    colours: tuple[Colour, ...]
    payment: Payment | None
    discarded: tuple[Tile, ...]


def load(game: Game, data: bytes) -> Saved:
    """What was saved, or RestoreError: the types are right and the table is one that play can reach."""
    saved = saving.load(Saved, game, data)
    for listed in (saved.players, saved.hands, saved.colours):
        demand(len(listed) == saved.seats, "what is listed by seat has an entry for each")
    demand(len(saved.columns) == COLUMNS, f"there are {COLUMNS} columns")
    demand(len(set(saved.colours)) == saved.seats, "every seat has a colour of its own")
    _check_tiles(saved)
    _check_tokens(saved)
    _check_hands(saved)
    _check_phase(saved)
    return saved


def _check_tiles(saved: Saved) -> None:
    """Every tile of the table is in exactly one place, and only those on the board are turned."""
    board = [tile for column in saved.columns for tile in column.tiles]
    hands = [hand for hand in saved.hands if hand is not None]
    collected = [tile for player in saved.players for tile in player.tiles]
    demand(len(hands) + len(saved.stack) <= len(RINGS) - BOARD_TILES, "the tiles laid out are on the board or taken")
    kept = [*hands, *saved.stack, *collected, *saved.discarded]
    everywhere = sorted([*map(upright, board), *kept])
    demand(everywhere == sorted(table_of(saved.options).tiles), "every tile is in one place")


def _check_tokens(saved: Saved) -> None:
    """Every token is in one place, and what was claimed is paid for, or is being paid for."""
    claimed = [token for player in saved.players for token in player.tokens]
    supply = list(saved.supply.tokens)
    demand(supply == sorted(supply), "the tokens left are sorted")
    demand(sorted([*supply, *claimed]) == list(table_of(saved.options).tokens), "every token is in one place")
    cost = Counter(number for token in claimed for number in token.numbers)
    due = saved.payment.due if saved.payment else ()
    paid = Counter([tile.number for tile in saved.discarded])
    demand(paid + Counter(due) == cost, "every token costs its numbers")


def _check_hands(saved: Saved) -> None:
    """Who has not played since drawing holds a tile: all but whose turn is under way, until the stack is empty."""
    holding = [hand is not None for hand in saved.hands]
    turn = saved.turn
    if turn is None:
        demand(saved.phase is Phase.OVER, "it is somebody's turn until the game is over")
        demand(holding.count(False) == 1 or not saved.stack, "all but one hold a tile while there is a stack")
        return
    demand(saved.phase is not Phase.OVER and 0 <= turn < saved.seats, "it is the turn of a seat until the game is over")
    from_turn = [*holding[turn:], *holding[:turn]]
    demand(from_turn[0] == (saved.phase is Phase.PLACE), "a seat holds a tile until it has placed it")
    later = from_turn[1:]
    demand(later == sorted(later, reverse=True), "seats run out of tiles in turn")
    demand(all(later) or not saved.stack, "seats draw while there is a stack")


def _check_phase(saved: Saved) -> None:
    phase, payment = saved.phase, saved.payment
    reason = reason_to_end(saved.columns, tiles_left=bool(saved.stack) or any(saved.hands))
    demand(phase is not Phase.OVER or reason, "a game ends for a reason")
    demand(phase is not Phase.PLACE or not reason, "a game that has a reason to end is over")
    demand((phase is Phase.DISCARD) == (payment is not None), "a token is being paid for when tiles are discarded")
    if saved.turn is not None and payment is not None:
        player = saved.players[saved.turn]
        demand(player.tokens[-1:] == (payment.token,), "the token last claimed is paid for")
        numbers, due = payment.token.numbers, payment.due
        demand(len(due) > 0 and numbers[-len(due) :] == due, "what is due is the rest of what the token costs")
        missing = Counter(due) - Counter([tile.number for tile in player.tiles])
        demand(not missing, "a claimed token can be paid for")
