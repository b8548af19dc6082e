"""TEN: turn over cards for as long as you dare, bid for jokers, and build a run in every colour. Rules: docs/rules/ten.md."""

from croupier_games.ten.rules import TEN

__all__ = ["TEN"]
