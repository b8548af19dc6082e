"""A first bot for 17: it adds up the row, guesses what is hidden, and calls when that comes to 17."""

from croupier.games.seventeen.v1 import seventeen_pb2
from croupier_client import Turn, run

HIDDEN = 1.5  # what a hidden card adds on average: some of them are worth nothing


def play(turn: Turn) -> str:
    """Decides: returns one of the notations in turn.legal, such as "lay 5/5", "pass" or "call"."""
    legal = list(turn.legal)
    view = turn.view  # what you see: protos/croupier/games/seventeen/v1/seventeen.proto says what is in it
    if not isinstance(view, seventeen_pb2.View):
        return legal[0]
    row = sum(worth(laid.card) for laid in view.row.cards)
    if "call" in legal and row >= 17:
        return "call"
    if "pass" in legal:
        return "pass"
    # Lay something. Which card would make it hard for the next player to guess the sum?
    lays = [notation for notation in legal if notation.startswith("lay")]
    return lays[0] if lays else legal[0]


def worth(card: int) -> float:
    """What a card adds to the row."""
    if card == seventeen_pb2.CARD_HEART:
        return HIDDEN
    return card if card <= 5 else card - 10 if card > seventeen_pb2.CARD_HEART else 0


if __name__ == "__main__":
    run(play)
