"""Plays any game at random: it never looks at the game, only at how many legal actions there are.

Its choices follow from a seed (--seed, else CROUPIER_BOT_SEED) and from which decision of which deal it is, not from
the order in which games happen to be served: the same deal is played the same way again.
"""

import argparse
import os
from hashlib import sha256

from croupier_client import Bot, Turn, run


class RandomBot(Bot):
    """Chooses among the legal actions, each equally likely."""

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode()

    def play(self, turn: Turn) -> int:
        """Draws a position in the legal list."""
        key = b"%b/%b/%d/%d" % (self._seed, turn.seating.seed_commitment, turn.seat, turn.decision_id)
        return int.from_bytes(sha256(key).digest()[:8], "big") % turn.legal_count


def main() -> None:
    """Plays until the service has had enough."""
    parser = argparse.ArgumentParser(description="A bot that plays any game at random.")
    parser.add_argument("--seed", default=os.environ.get("CROUPIER_BOT_SEED", "0"), help="any text")
    run(RandomBot(parser.parse_args().seed), view=False, legal="count", events=False)


if __name__ == "__main__":
    main()
