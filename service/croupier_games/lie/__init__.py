"""LIE: everybody bids on what all hands show together, until somebody doubts it. Rules: docs/rules/lie.md."""

from croupier_games.lie.rules import LIE

__all__ = ["LIE"]
