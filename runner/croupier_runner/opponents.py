"""Whom one plays against when one names nobody: the house bot of the game, or one that plays at random."""

from importlib.util import find_spec
from typing import NamedTuple


class Opponent(NamedTuple):
    """A bot that comes with Croupier."""

    name: str
    command: list[str]


RANDOM = Opponent("random", ["python", "-m", "croupier_runner.random_bot"])


def house_bot(game_id: str) -> Opponent:
    """The house bot of the game, or the random one where there is none."""
    module = f"croupier_bots.{game_id}"
    return Opponent("house", ["python", "-m", module]) if find_spec(module) is not None else RANDOM
