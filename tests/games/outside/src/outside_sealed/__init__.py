"""SEALED: a small game from another package, found by Croupier through its entry point."""

from outside_sealed.game import SEALED, SealedGame

__all__ = ["SEALED", "SealedGame"]
