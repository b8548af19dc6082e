"""What every measurement is handed: the plan, the floor beside it, and where to say how far it is."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.bench.floor import Floor, Sizes
from tests.bench.plan import Plan


@dataclass(frozen=True, slots=True)
class Room:
    """The circumstances of one run."""

    plan: Plan
    floor: Floor
    sizes: Sizes
    """The average answer and turn of a game of LIE between random bots."""
    say: Callable[[str], None]
