"""Who plays whom on which deal: pure, resumable, and the same for the same settings and key on every machine.

A block is one deal played by one table with the bots rotated through the seats, so that luck of the deal and of the
seat falls on everybody alike. A format decides which tables play how many of them; docs/formats.md says how.
"""

from croupier_runner.results import Block
from croupier_runner.schedule.deals import block_seed, key_of, lineups
from croupier_runner.schedule.formats import FORMATS, describe, scheduler
from croupier_runner.schedule.scheduler import Scheduler, replay
from croupier_runner.schedule.scores import block_scores, half_points

__all__ = [
    "FORMATS",
    "Block",
    "Scheduler",
    "block_scores",
    "block_seed",
    "describe",
    "half_points",
    "key_of",
    "lineups",
    "replay",
    "scheduler",
]
