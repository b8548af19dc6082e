"""Plays TEN by the odds: what the next card may do, given all that has been seen, and what each card adds to its runs.

    python -m croupier_bots.ten

Everything is weighed in points. A hand is worth what its colours can be expected to score if each digit they still lack
turns up with some chance by the end; a token is worth a share of a point, which fades as the deck does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from croupier.games.ten.v1 import ten_pb2 as pb
from croupier_client import Turn, run
from croupier_games.game import Action
from croupier_games.ten.actions import DRAW, PASS, PAY, PAY_BUST_TOKEN, PAY_TOKEN, TAKE, Buy, bid
from croupier_games.ten.data import (
    BUST_LIMIT,
    BUST_TOKEN_WORTH,
    COLOURS,
    DECKS,
    DIGITS,
    NUMBERS,
    TOKEN_LIMIT,
    Card,
    Colour,
    Kind,
)
from croupier_games.ten.holdings import resources, spare_cards
from croupier_games.ten.scoring import best_score
from croupier_games.ten.seating import least_bid, spare
from croupier_games.ten.view import (
    Area,
    Auction,
    Automa,
    Holding,
    Offer,
    Payment,
    Phase,
    Pile,
    Reward,
    View,
)


class Weights(NamedTuple):
    """What the bot believes; found by letting it play many games."""

    low_digit: float = 0.75  # how likely a digit of 1 to 6 still turns up, at the start of the game
    high_digit: float = 0.45  # ... and one of 7 to 9
    token: float = 0.16  # what a token is worth in points at the start, and at least
    least_token: float = 0.01
    envy: float = 0.5  # what a token of somebody else costs, in own ones
    joker: float = 0.1  # what it is worth that a joker may come next
    spare_card: float = 0.8  # what a card that no run needs is worth, in tokens


W = Weights()
STEPS = 8
"""Into so many steps the length of the game is divided when chances are looked up."""


def play(turn: Turn) -> str:
    """One decision of any phase."""
    view = turn.view
    if not isinstance(view, pb.View):
        raise TypeError(f"this bot plays ten, not {turn.seating.game_id}")
    return str(choose(seen(view), turn.seat))


def choose(view: View, seat: int, w: Weights = W) -> Action:
    """What to do, given what a seat sees."""
    outlook = Outlook(view, seat, w)
    if view.auction is not None:
        return outlook.best_bid(view.auction)
    if view.payment is not None:
        return outlook.cheapest_piece(view.payment)
    if view.phase is Phase.BUY:
        return outlook.best_purchase()[1]
    if view.phase is Phase.BUST:
        token = BUST_TOKEN_WORTH * outlook.token
        return TAKE[Reward.PURCHASE if outlook.best_purchase()[0] > token else Reward.BUST_TOKEN]
    return outlook.draw_or_take()
