"""The rules of TEN: one play of it, step by step, and the game itself. Rule numbers: docs/rules/ten.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from croupier_games.chance import Chance
from croupier_games.errors import IllegalAction, OptionError
from croupier_games.game import Action, Event, Game, Option, OptionValue, State
from croupier_games.game import View as GameView
from croupier_games.ten import automa, saved
from croupier_games.ten.actions import (
    BUY,
    DRAW,
    PASS,
    PAY,
    PAY_BUST_TOKEN,
    PAY_TOKEN,
    TAKE,
    Bid,
    Buy,
    Draw,
    Pass,
    PayBustToken,
    PayCard,
    PayToken,
    Take,
    offers,
    parse,
)
