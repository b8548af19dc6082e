"""The opponent for games that have no house bot: plays any game at random.

    python -m croupier_runner.random_bot

The same deal is played the same way again: its lots follow from CROUPIER_BOT_SEED and from which decision it is.
"""

import os
from hashlib import sha256

from croupier_client import Turn, run

SEED = os.environ.get("CROUPIER_BOT_SEED", "0").encode()


def play(turn: Turn) -> int:
    """Any of the legal actions, each equally likely."""
    decision = b"%b/%b/%d/%d" % (SEED, turn.seating.seed_commitment, turn.seat, turn.decision_id)
    return int.from_bytes(sha256(decision).digest()[:8], "big") % turn.legal_count


if __name__ == "__main__":
    run(play, view=False, legal="count", events=False)
