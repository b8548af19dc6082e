"""A first bot: it plays any of its legal actions. Everything you change from here on makes it better."""

import random

from croupier_client import Turn, run


def play(turn: Turn) -> str:
    """Decides: returns one of the notations in turn.legal."""
    # turn.view is what you see of the game, turn.events what happened since you were last asked.
    # The lots depend on the deal and the decision only, so the same game is played the same way again.
    lots = random.Random(f"{turn.seating.seed_commitment.hex()}/{turn.seat}/{turn.decision_id}")  # noqa: S311
    return lots.choice(list(turn.legal))


if __name__ == "__main__":
    run(play)
