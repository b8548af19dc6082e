"""TEN as a game: what it is called, which options it takes, and how a play of it is opened and read back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from croupier_games.chance import Chance
from croupier_games.errors import OptionError
from croupier_games.game import Action, Game, Option, OptionValue
from croupier_games.game import View as GameView
from croupier_games.ten import saved
from croupier_games.ten.actions import Bid, Buy, Draw, Pass, PayBustToken, PayCard, PayToken, Take, parse
from croupier_games.ten.automa import DEFAULT_LIMIT, MAX_LIMIT, MIN_LIMIT
from croupier_games.ten.data import LARGE, MAX_SEATS, MIN_SEATS, START_TOKENS, Kind
from croupier_games.ten.rendering import render
from croupier_games.ten.rules import TenState
from croupier_games.ten.view import View

_NUMBERS, _CURRENCY, _JOKERS = (sum(card.kind is kind for card in LARGE) for kind in Kind)
_TOKENS = MAX_SEATS * START_TOKENS + (MAX_SEATS - 1) * sum(card.value for card in LARGE if card.kind is Kind.CURRENCY)
"""More tokens than all players together can ever get and pay: a currency card pays at most four of them."""


class Ten(Game):
    """TEN: turn over cards for as long as you dare, bid for jokers, and build a run in every colour."""

    id = "ten"
    title = "TEN"
    summary = (
        "Turn over cards for as long as you dare: more than ten is a bust. Take the numbers or the money, outbid "
        "the others for jokers, buy what they left, and build the longest run in each of four colours."
    )
    version = 1
    action_types = (Draw, Take, Bid, Pass, Buy, PayToken, PayBustToken, PayCard)
    min_seats = MIN_SEATS
    max_seats = MAX_SEATS
    options = (
        Option("fiasco", bool, False, "Whoever busts may go to the market instead of taking a bust token (TEN-7.1)."),
        Option(
            "limit",
            int,
            DEFAULT_LIMIT,
            "For one seat only: the number at which the automa TEN stops; the higher, the harder (TEN-8.0).",
            minimum=MIN_LIMIT,
            maximum=MAX_LIMIT,
        ),
        Option(
            "start_seat",
            int,
            None,
            "For two seats or more: the seat that starts; random if not set (ALL-2).",
            minimum=0,
            maximum=MAX_SEATS - 1,
        ),
    )
    # Every card is drawn once. A turn takes a card at least and adds at most two actions: a reward or the choice after
    # a bust, and a purchase. A joker is bid for by everybody, and there are the last purchases. A payment takes pieces:
    # number cards, which are then gone, tokens, and bust tokens, of which a turn of two cards at least brings one.
    max_actions: ClassVar[int] = 3 * len(LARGE) + MAX_SEATS * (_JOKERS + 1) + _NUMBERS + _TOKENS + len(LARGE) // 2
    wire_package = "croupier.games.ten.v1"

    def check(self, seats: int, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """The complete options; `limit` is for one seat (TEN-8.0), `start_seat` for more (ALL-2)."""
        complete = super().check(seats, options)
        if seats > 1:
            if "limit" in options:
                raise OptionError("option 'limit' is for a game with 1 seat: leave it out")
            del complete["limit"]
        elif "start_seat" in options:
            raise OptionError("option 'start_seat' is for 2 seats or more: a lone player starts")
        return complete

    def deal(self, seats: int, options: Mapping[str, OptionValue], seed: bytes) -> TenState:
        """Opens a state at the first turn (TEN-1.1, TEN-8.1)."""
        state = TenState(seats, options, Chance(seed))
        given = options.get("start_seat")
        starter = given if isinstance(given, int) else state.chance.below("start", seats)
        state.set_up(starter)
        state.start_turn(starter)
        return state

    def parse(self, text: str) -> Action:
        """Reads a notation, or raises NotationError with what was expected."""
        return parse(text)

    def restore(self, data: bytes) -> TenState:
        """The state that `TenState.save` wrote, or RestoreError."""
        was = saved.load(self, data)
        state = TenState(was.seats, was.options, Chance(bytes.fromhex(was.seed)))
        state.put(was)
        state.resume()
        return state

    def render(self, view: GameView) -> str:
        """The view as text for people, at most 80 columns wide."""
        if not isinstance(view, View):
            raise TypeError(f"expected a view of TEN, got {type(view).__name__}")
        return render(view)


TEN = Ten()
TenState.game = TEN
