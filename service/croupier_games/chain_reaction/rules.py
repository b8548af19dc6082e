"""The rules of Chain Reaction: one play of it, step by step, and the game. Numbers: docs/rules/chain_reaction.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, TypeVar

from croupier_games import saving
from croupier_games.chain_reaction import saved
from croupier_games.chain_reaction.actions import (
    Claim,
    Discard,
    EndTurn,
    Place,
    claims,
    counted,
    discards,
    parse,
    placements,
)
from croupier_games.chain_reaction.data import (
    BOARD_TILES,
    COLUMNS,
    LONGEST_TABLE,
    MAX_SEATS,
    MIN_SEATS,
    MOST_TOKENS,
    RINGS,
    Bonus,
    Colour,
    Symbol,
    Tile,
)
from croupier_games.chain_reaction.dealing import deal, redraw_colours, redraw_tiles
from croupier_games.chain_reaction.ending import outcome, reason_to_end
from croupier_games.chain_reaction.reaction import Column, react, turns, upright
from croupier_games.chain_reaction.rendering import render
from croupier_games.chain_reaction.saved import Saved
from croupier_games.chain_reaction.table import BUILT_IN, WITHOUT_TOKENS, table_of
from croupier_games.chain_reaction.view import (
    BonusClaimed,
    ColourDealt,
    ColoursRevealed,
    GameStarted,
    Payment,
    Phase,
    Player,
    Supply,
    TileDiscarded,
    TilePlaced,
    TileTaken,
    View,
    tile_drawn,
    turn_ended,
)
from croupier_games.chance import Chance
from croupier_games.errors import IllegalAction
from croupier_games.game import Action, Event, Game, Option, OptionValue, State
from croupier_games.game import View as GameView

Item = TypeVar("Item")


class ChainReactionState(State):
    """One play of Chain Reaction: the board, what lies in front of each seat, all hands, and the stack.

    Every part is immutable and replaced as a whole, so a clone shares them all."""

    __slots__ = (
        "colours",
        "columns",
        "deciders",
        "discarded",
        "events",
        "hands",
        "options",
        "outcome",
        "payment",
        "phase",
        "players",
        "seats",
        "seed",
        "stack",
        "supply",
        "turn",
    )

    seed: bytes
    """What everything was dealt from; nothing is drawn from it later."""
    phase: Phase
    turn: int | None
    columns: tuple[Column, ...]
    players: tuple[Player, ...]
    supply: Supply
    hands: tuple[Tile | None, ...]
    stack: tuple[Tile, ...]
    """The next tile to draw first."""
    colours: tuple[Colour, ...]
    payment: Payment | None
    discarded: tuple[Tile, ...]

    def __init__(self, seats: int, options: Mapping[str, OptionValue], seed: bytes) -> None:
        self.seats = seats
        self.options = options
        self.seed = seed
        self.outcome = None
        self.events = ()
        self.payment = None
        self.discarded = ()

    def legal(self, seat: int) -> tuple[Action, ...]:
        """All placements, or the end of the turn and the tokens within reach, or the colours to pay with."""
        if seat not in self.deciders:
            return ()
        hand = self.hands[seat]
        if hand is not None:  # CHR-2.1: and in a turn's later phases it is none
            return placements(hand)
        tiles = self.players[seat].tiles
        if self.payment is None:
            return claims(self.supply.tokens, counted(tiles))
        number = self.payment.due[0]
        return discards(number, frozenset([tile.colour for tile in tiles if tile.number == number]))

    def play(self, seat: int, action: Action) -> None:
        """Applies the action, or raises IllegalAction and changes nothing."""
        if type(seat) is not int or seat not in self.deciders:
            raise IllegalAction(self._why_not(seat))
        if self.phase is Phase.PLACE:
            if type(action) is Place:
                return self._place(seat, action)
        elif self.phase is Phase.CLAIM:
            if type(action) is EndTurn:
                return self._end_turn(seat)
            if type(action) is Claim:
                return self._claim(seat, action)
        elif type(action) is Discard:
            return self._discard(seat, action)
        raise IllegalAction(f"seat {seat} must {self._task()} now, got {type(action).__name__}")

    def view(self, seat: int | None) -> View:
        """What lies open, and the seat's own hand tile and secret colour (CHR-1.2)."""
        hand = secret = None
        if seat is not None:
            if not 0 <= seat < self.seats:
                raise ValueError(f"the seats are 0 to {self.seats - 1}, got {seat}")
            hand, secret = self.hands[seat], self.colours[seat]
        return View(
            self.phase,
            self.turn,
            self.columns,
            self.players,
            self.supply,
            tuple([0 if held is None else 1 for held in self.hands]),
            len(self.stack),
            self.payment,
            hand,
            secret,
            self.colours if self.phase is Phase.OVER else (),
        )

    def clone(self) -> ChainReactionState:
        """An independent copy."""
        copy = ChainReactionState(self.seats, self.options, self.seed)
        for name in self.__slots__:
            setattr(copy, name, getattr(self, name))
        return copy

    def resample(self, seat: int | None, seed: bytes) -> ChainReactionState:
        """A copy in which the others' hands, the stack and, until they are revealed, colours are drawn anew."""
        chance = Chance(seed)
        copy = self.clone()
        copy.seed = seed
        copy.events = tuple(event for event in self.events if event.audience is None or event.audience == seat)
        copy.hands, copy.stack = redraw_tiles(chance, self.hands, self.stack, seat)
        if self.phase is not Phase.OVER:  # then they have been revealed
            copy.colours = redraw_colours(chance, self.colours, seat)
        return copy

    def save(self) -> bytes:
        """The whole state as JSON."""
        return saving.dump(
            Saved(
                CHAIN_REACTION.id,
                CHAIN_REACTION.version,
                self.seats,
                self.options,
                self.seed.hex(),
                self.phase,
                self.turn,
                self.columns,
                self.players,
                self.supply,
                self.hands,
                self.stack,
                self.colours,
                self.payment,
                self.discarded,
            )
        )

    def resume(self) -> None:
        """Works out, from what lies on the table, who decides, or how the game ended."""
        self.deciders = () if self.turn is None else (self.turn,)
        if self.phase is Phase.OVER:
            self.outcome = outcome(self.players, self.colours, self._reason_to_end() or "")

    def _place(self, seat: int, action: Place) -> None:
        hand = self.hands[seat]
        column, top = action.column, action.top
        known = type(column) is int and 1 <= column <= COLUMNS and type(top) is Symbol
        if hand is None or not known or top not in hand[:4]:
            raise IllegalAction(f"seat {seat} must {self._task()}")
        tile = next(turned for turned in turns(hand) if turned.top == top)
        height = len(self.columns[column - 1].tiles) + 1
        self.columns, takes = react(self.columns, column, tile)
        self.hands = _with(self.hands, seat, None)
        events = [Event(TilePlaced(seat, column, height, tile))]
        if takes:
            events += [Event(TileTaken(seat, *take)) for take in takes]
            tiles, tokens = self.players[seat]
            taken = [upright(take.tile) for take in takes]
            self.players = _with(self.players, seat, Player((*tiles, *taken), tokens))  # CHR-2.7
        self.phase = Phase.CLAIM  # CHR-2.8: also if there is nothing to claim (ALL-6)
        self.events = tuple(events)

    def _claim(self, seat: int, action: Claim) -> None:
        tiles, tokens = self.players[seat]
        if action not in claims(self.supply.tokens, counted(tiles)):
            raise IllegalAction(f"seat {seat} must {self._task()}")
        left = list(self.supply.tokens)
        token = left.pop(left.index(Bonus(action.numbers, action.points)))
        self.supply = Supply(tuple(left))
        self.players = _with(self.players, seat, Player(tiles, (*tokens, token)))
        self.phase = Phase.DISCARD
        self.payment = Payment(token, token.numbers)
        self.events = (Event(BonusClaimed(seat, token)),)

    def _discard(self, seat: int, action: Discard) -> None:
        payment = self.payment
        if payment is None or action not in self.legal(seat):
            raise IllegalAction(f"seat {seat} must {self._task()}")
        tiles, tokens = self.players[seat]
        paid = next(tile for tile in tiles if tile.number == action.number and tile.colour == action.colour)
        self.players = _with(self.players, seat, Player(tuple([tile for tile in tiles if tile != paid]), tokens))
        self.discarded = (*self.discarded, paid)
        self.events = (Event(TileDiscarded(seat, paid)),)
        if len(payment.due) > 1:
            self.payment = Payment(payment.token, payment.due[1:])
        else:
            self.payment = None
            self.phase = Phase.CLAIM

    def _end_turn(self, seat: int) -> None:
        """Ends the game (CHR-3.1), or draws (CHR-2.9) and passes the turn on."""
        if self._reason_to_end():
            self.phase, self.turn = Phase.OVER, None
            self.events = (turn_ended(seat, False, len(self.stack)), Event(ColoursRevealed(self.colours)))
        else:
            self.phase, self.turn = Phase.PLACE, (seat + 1) % self.seats  # CHR-1.3
            self.events = self._draw(seat)
        self.resume()

    def _draw(self, seat: int) -> tuple[Event, ...]:
        if not self.stack:
            return (turn_ended(seat, False, 0),)
        tile, self.stack = self.stack[0], self.stack[1:]
        self.hands = _with(self.hands, seat, tile)
        return turn_ended(seat, True, len(self.stack)), tile_drawn(seat, tile)

    def _reason_to_end(self) -> str | None:
        return reason_to_end(self.columns, tiles_left=bool(self.stack) or any(self.hands))

    def _task(self) -> str:
        """What the seat whose turn it is must do, in words that tell nothing of its hand."""
        if self.phase is Phase.PLACE:
            return f"put its tile on a column from 1 to {COLUMNS}, one of the tile's symbols on top"
        if self.phase is Phase.CLAIM:
            return "claim a token that it has the numbers for, or end its turn"
        number = self.payment.due[0] if self.payment else 0
        return f"discard one of its tiles with a {number}"

    def _why_not(self, seat: object) -> str:
        if type(seat) is not int or not 0 <= seat < self.seats:
            return f"the seats are 0 to {self.seats - 1}"
        if self.phase is Phase.OVER:
            return "the game is over"
        return f"it is the turn of seat {self.turn}, not of seat {seat}"


def _with(items: tuple[Item, ...], at: int, item: Item) -> tuple[Item, ...]:
    """The items with one replaced."""
    return (*items[:at], item, *items[at + 1 :])


class ChainReaction(Game):
    """Chain Reaction: a tile put on a column takes whatever matches its edges."""

    id = "chain_reaction"
    title = "Chain Reaction"
    summary = (
        "Everybody puts tiles on five columns; a placed tile takes every neighbour whose touching symbol matches, "
        "and as tiles fall new neighbours come. Collected numbers count, twice in the secret colour, or buy tokens."
    )
    version = 1
    action_types = (Place, Claim, Discard, EndTurn)
    min_seats = MIN_SEATS
    max_seats = MAX_SEATS
    options = (
        Option(
            "table",
            str,
            None,
            "What is printed on tiles and tokens, as docs/rules/chain_reaction.md says; our reconstruction if not set.",
            max_length=LONGEST_TABLE,
            examples=(BUILT_IN, WITHOUT_TOKENS),
        ),
        Option(
            "start_seat",
            int,
            None,
            "The seat that starts; random if not set (ALL-2).",
            minimum=0,
            maximum=MAX_SEATS - 1,
        ),
    )
    # Every tile that is not laid out is placed at most once, and a turn is ended once. Every tile pays for at most
    # one token, and every token is claimed at most once.
    max_actions: ClassVar[int] = 2 * (len(RINGS) - BOARD_TILES) + len(RINGS) + MOST_TOKENS
    wire_package = "croupier.games.chain_reaction.v1"

    def check(self, seats: int, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """The complete options, or an error; a table must make sense."""
        complete = super().check(seats, options)
        table_of(complete)
        return complete

    def deal(self, seats: int, options: Mapping[str, OptionValue], seed: bytes) -> ChainReactionState:
        """Opens a state as it is dealt (CHR-1.1)."""
        table, chance = table_of(options), Chance(seed)
        state = ChainReactionState(seats, options, seed)
        state.columns, state.hands, state.stack, state.colours = dealt = deal(chance, table.tiles, seats)
        state.players = (Player((), ()),) * seats
        state.supply = Supply(table.tokens)
        given = options.get("start_seat")
        starter = given if isinstance(given, int) else chance.below("start", seats)
        state.phase, state.turn = Phase.PLACE, starter
        state.resume()
        events = [Event(GameStarted(starter, len(dealt.stack)))]
        for seat, hand in enumerate(dealt.hands):
            events += [Event(ColourDealt(dealt.colours[seat]), seat), tile_drawn(seat, hand)]
        state.events = tuple(events)
        return state

    def parse(self, text: str) -> Action:
        """Reads a notation, or raises NotationError with what was expected."""
        return parse(text)

    def restore(self, data: bytes) -> ChainReactionState:
        """The state that `ChainReactionState.save` wrote, or RestoreError."""
        was = saved.load(self, data)
        state = ChainReactionState(was.seats, was.options, bytes.fromhex(was.seed))
        state.phase, state.turn = was.phase, was.turn
        state.columns, state.players, state.supply = was.columns, was.players, was.supply
        state.hands, state.stack, state.colours = was.hands, was.stack, was.colours
        state.payment, state.discarded = was.payment, was.discarded
        state.resume()
        return state

    def render(self, view: GameView) -> str:
        """The view as text for people, at most 80 columns wide."""
        if not isinstance(view, View):
            raise TypeError(f"expected a view of Chain Reaction, got {type(view).__name__}")
        return render(view)


CHAIN_REACTION = ChainReaction()
ChainReactionState.game = CHAIN_REACTION
