"""Chain Reaction: a tile put on a column takes whatever matches its edges. Rules: docs/rules/chain_reaction.md."""

from croupier_games.chain_reaction.rules import CHAIN_REACTION

__all__ = ["CHAIN_REACTION"]
