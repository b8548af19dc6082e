"""Ratings: what results say about strength. Nothing here knows games, processes or the wire."""

from croupier_runner.ratings.elo import Elo

__all__ = ["Elo"]
