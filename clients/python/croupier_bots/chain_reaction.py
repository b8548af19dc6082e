"""Plays Chain Reaction for its own gain: tries every placement, and counts what the tiles and tokens would be worth.

    python -m croupier_bots.chain_reaction

Tiles count by number, twice in the secret colour, and for the best set of bonus tokens that they could buy. It looks at
its own turn only, except that it does not end a game it would lose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from croupier.games.chain_reaction.v1 import chain_reaction_pb2 as pb
from croupier_client import Turn, run
from croupier_games.chain_reaction.actions import END_TURN, Claim, Discard, Place
from croupier_games.chain_reaction.data import NUMBERS, Bonus, Colour, Symbol, Tile
from croupier_games.chain_reaction.ending import score
from croupier_games.chain_reaction.reaction import Column, react, turns
from croupier_games.chain_reaction.view import Payment, Phase, Player, Supply, View
from croupier_games.game import Action

PATIENCE = 2.0
"""What a tile is expected to add to a later bonus token, at the start of the game; it fades as the stack does."""
FULL_STACK = 48
DECISIVE = 1000.0
"""More than any turn brings: what winning or losing at once is worth."""

Counts = tuple[int, ...]
"""How many tiles there are of each number."""


def play(turn: Turn) -> str:
    """One decision of any phase."""
    view = turn.view
    if not isinstance(view, pb.View):
        raise TypeError(f"this bot plays chain_reaction, not {turn.seating.game_id}")
    return str(choose(seen(view), turn.seat))


def choose(view: View, seat: int) -> Action:
    """What to do, given what a seat sees."""
    position = Position(view, seat)
    if view.phase is Phase.PLACE and view.hand is not None:
        return position.best_placement(view.hand)
    if view.phase is Phase.DISCARD and view.payment is not None:
        return position.cheapest_discard(view.payment.due[0])
    token = position.best_claim()
    return Claim(token.numbers, token.points) if token else END_TURN


class Position(NamedTuple):
    """What a seat sees, as it weighs it."""

    view: View
    seat: int

    @property
    def colour(self) -> Colour:
        """The own secret colour."""
        return self.view.secret or Colour.RED

    @property
    def patience(self) -> float:
        """What a kept tile may still add to a token; nothing in the last turn."""
        over = any(not column.tiles for column in self.view.columns)
        return 0.0 if over else PATIENCE * min(1.0, self.view.stack_size / FULL_STACK)

    def best_placement(self, hand: Tile) -> Place:
        """The placement that brings most; of equal ones the first."""
        tiles = self.view.players[self.seat].tiles
        quiet = self.worth(self.view.columns, tiles)
        ranked = []
        for column in range(1, len(self.view.columns) + 1):
            for tile in turns(hand):
                columns, takes = react(self.view.columns, column, tile)
                worth = self.worth(columns, (*tiles, *[take.tile for take in takes])) if takes else quiet
                ranked.append((worth, Place(column, tile.top)))
        return max(ranked, key=itemgetter(0))[1]

    def worth(self, columns: Sequence[Column], tiles: Sequence[Tile]) -> float:
        """What it is worth to have collected these tiles and left this board."""
        over = any(not column.tiles for column in columns)
        patience = 0.0 if over else self.patience
        gain, _ = self._tokens(tiles, patience)
        total = sum(self._value(tile) + patience for tile in tiles) + gain
        if not over:
            return total
        final = total + sum(token.points for token in self.view.players[self.seat].tokens)
        return total + (DECISIVE if final > self._best_rival() else -DECISIVE)

    def best_claim(self) -> Bonus | None:
        """A token of the best set that the own tiles can buy; None if keeping the tiles promises more."""
        return self._tokens(self.view.players[self.seat].tiles, self.patience)[1]

    def cheapest_discard(self, number: int) -> Discard:
        """A tile of the number, of the own colour only if there is no other."""
        colours = {tile.colour for tile in self.view.players[self.seat].tiles if tile.number == number}
        return Discard(number, min(colours, key=lambda colour: (colour is self.colour, colour)))

    def _value(self, tile: Tile) -> int:
        return tile.number * (2 if tile.colour is self.colour else 1)

    def _tokens(self, tiles: Iterable[Tile], patience: float) -> tuple[float, Bonus | None]:
        """What the best set of tokens adds to the worth of the tiles, and one token of it."""
        faces = [(tile.number, tile.colour is self.colour) for tile in tiles]
        others, own = [tuple([faces.count((number, mine)) for number in NUMBERS]) for mine in (False, True)]
        return purchases(worthwhile(self.view.supply.tokens, patience), others, own, patience)

    def _best_rival(self) -> float:
        """The score that the best of the others can be expected to have: any colour but mine may be theirs."""
        rivals = [player for seat, player in enumerate(self.view.players) if seat != self.seat]
        possible = [colour for colour in Colour if colour is not self.colour]
        return max(sum(score(rival, colour) for colour in possible) / len(possible) for rival in rivals)


@lru_cache(maxsize=1000)
def worthwhile(tokens: tuple[Bonus, ...], patience: float) -> tuple[tuple[Bonus, int], ...]:
    """The tokens that can bring more than the tiles they cost, and how many there are of each."""
    return tuple(Counter([token for token in tokens if margin(token, patience) > 0]).items())


@lru_cache(maxsize=100_000)
def purchases(
    kinds: tuple[tuple[Bonus, int], ...], others: Counts, own: Counts, patience: float
) -> tuple[float, Bonus | None]:
    """The best set of these tokens to buy with so many tiles of other colours and of the own one.

    Returns what it adds to the worth of the tiles, and one token of the set. Tiles of other colours pay first."""
    if not kinds:
        return 0.0, None
    (token, copies), rest = kinds[0], kinds[1:]
    best = purchases(rest, others, own, patience)
    paid = _pay(token.numbers, others, own)
    if paid is not None:
        doubled, others_left, own_left = paid
        left = rest if copies == 1 else ((token, copies - 1), *rest)
        gain = margin(token, patience) - doubled + purchases(left, others_left, own_left, patience)[0]
        if gain > best[0]:
            best = gain, token
    return best


def margin(token: Bonus, patience: float) -> float:
    """What a token brings over the worth of its tiles, if none of them is of the own colour."""
    return token.points - sum(token.numbers) - patience * len(token.numbers)


def _pay(numbers: tuple[int, ...], others: Counts, own: Counts) -> tuple[int, Counts, Counts] | None:
    """What is lost because tiles of the own colour count twice, and the tiles left; None if there are too few."""
    doubled = 0
    others_left, own_left = list(others), list(own)
    for number in numbers:
        if others_left[number - 1]:
            others_left[number - 1] -= 1
        elif own_left[number - 1]:
            own_left[number - 1] -= 1
            doubled += number
        else:
            return None
    return doubled, tuple(others_left), tuple(own_left)


def seen(view: pb.View) -> View:
    """The message as the view of the rules that it was made from."""
    return View(
        phase=Phase(view.phase),
        turn=view.turn if view.HasField("turn") else None,
        columns=tuple(Column(_tiles(column.tiles)) for column in view.columns),
        players=tuple(Player(_tiles(player.tiles), _tokens(player.tokens)) for player in view.players),
        supply=Supply(_tokens(view.supply.tokens)),
        hand_sizes=tuple(view.hand_sizes),
        stack_size=view.stack_size,
        payment=Payment(_token(view.payment.token), tuple(view.payment.due)) if view.HasField("payment") else None,
        hand=_tile(view.hand) if view.HasField("hand") else None,
        secret=Colour(view.secret) if view.HasField("secret") else None,
        colours=tuple(Colour(colour) for colour in view.colours),
    )


def _tiles(tiles: Iterable[pb.Tile]) -> tuple[Tile, ...]:
    return tuple([_tile(tile) for tile in tiles])


def _tile(tile: pb.Tile) -> Tile:
    edges = Symbol(tile.top), Symbol(tile.right), Symbol(tile.bottom), Symbol(tile.left)
    return Tile(*edges, tile.number, Colour(tile.colour))


def _tokens(tokens: Iterable[pb.Bonus]) -> tuple[Bonus, ...]:
    return tuple([_token(token) for token in tokens])


def _token(token: pb.Bonus) -> Bonus:
    return Bonus(tuple(token.numbers), token.points)


if __name__ == "__main__":
    run(play, legal="count", events=False)
