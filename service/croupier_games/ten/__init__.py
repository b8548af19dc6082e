"""TEN: draw for as long as you dare, bid for jokers, build a run in every colour. Rules: docs/rules/ten.md."""

from croupier_games.ten.game import TEN

__all__ = ["TEN"]
