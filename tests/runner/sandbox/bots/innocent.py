"""Plays, and does nothing else."""

from croupier_client import run

run(lambda turn: 0, view=False, legal="count", events=False)
