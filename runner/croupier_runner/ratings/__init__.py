"""Ratings: what results say about strength. Nothing here knows games, processes or the wire."""

from croupier_runner.ratings.bradley_terry import Fit, Rating, SeatEffect, fit
from croupier_runner.ratings.chances import Chances, chances
from croupier_runner.ratings.elo import Elo
from croupier_runner.ratings.luck import Luck, luck
from croupier_runner.ratings.sprt import Sprt, Verdict, duel_scores

__all__ = [
    "Chances",
    "Elo",
    "Fit",
    "Luck",
    "Rating",
    "SeatEffect",
    "Sprt",
    "Verdict",
    "chances",
    "duel_scores",
    "fit",
    "luck",
]
