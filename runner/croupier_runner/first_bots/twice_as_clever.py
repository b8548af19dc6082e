"""A first bot for Doppelt so clever: it enters whatever it may, and takes the low dice first to keep the others."""

from croupier.games.twice_as_clever.v1 import twice_as_clever_pb2
from croupier_client import Turn, run

COLOURS = ("white", "silver", "yellow", "blue", "green", "pink")
EAGER = ("bonus", "mark", "cross", "extra", "return", "roll", "reroll", "done")


def play(turn: Turn) -> str:
    """Decides: returns one of the notations in turn.legal, such as "pick white as blue" or "mark yellow 3 row 1"."""
    legal = list(turn.legal)
    view = turn.view  # what you see: protos/croupier/games/twice_as_clever/v1/twice_as_clever.proto says what is in it
    picks = [notation for notation in legal if notation.startswith("pick")]
    if picks and isinstance(view, twice_as_clever_pb2.View):
        pips = dict(zip(COLOURS, view.dice.pips, strict=True))
        # A die that shows less than others keeps them available: only what is lower goes to the tray.
        return min(picks, key=lambda pick: pips[pick.split()[1]])
    for wanted in EAGER:  # the first of these that may be played
        for notation in legal:
            if notation.startswith(wanted):
                return notation
    return legal[0]


if __name__ == "__main__":
    run(play)
