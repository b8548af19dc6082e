"""17 – Diciassette: lay cards, some hidden, and say when the row has come to 17. Rules: docs/rules/seventeen.md."""

from croupier_games.seventeen.rules import SEVENTEEN

__all__ = ["SEVENTEEN"]
