"""Doppelt so clever: choose dice, fill five areas, set off chains of bonuses. Rules: docs/rules/twice_as_clever.md."""

from croupier_games.twice_as_clever.game import TWICE_AS_CLEVER

__all__ = ["TWICE_AS_CLEVER"]
