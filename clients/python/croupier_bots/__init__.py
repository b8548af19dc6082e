"""The house bots: one module per game, run as `python -m croupier_bots.GAME`."""
