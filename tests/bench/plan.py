"""How long to measure: the full run takes under three minutes, the quick one only shows that everything works."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """How often, how long and how much."""

    rounds: int
    """Every figure is the median of so many; rounds of a figure and of its floor take turns."""
    window_s: float
    """How long a load runs while it is measured."""
    trips: int
    """Empty round trips per round, and unary calls."""
    lone_games: int
    """Games per round that one bot plays alone."""
    playout_s: float
    """CPU time per round for games that are played with no wire."""
    games: int
    """Games in play at once wherever the service is under load, and streams of the busy floor."""
    reserve: int
    """Sessions opened beyond those in play before a window begins, so that games never wait for sessions to open."""
    crowds: tuple[int, ...]
    """How many other sessions are open while moves are measured; figures are compared with the second."""
    idle: tuple[int, int]
    """Idle sessions at which memory is read."""


FULL = Plan(
    rounds=3,
    window_s=1.0,
    trips=2_000,
    lone_games=20,
    playout_s=0.15,
    games=64,
    reserve=1_024,
    crowds=(1, 64, 1_000, 10_000),
    idle=(1_000, 10_000),
)
QUICK = Plan(
    rounds=1,
    window_s=0.1,
    trips=100,
    lone_games=2,
    playout_s=0.02,
    games=6,
    reserve=12,
    crowds=(1, 8, 16, 32),
    idle=(20, 100),
)
