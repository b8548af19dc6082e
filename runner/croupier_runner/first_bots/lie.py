"""A first bot for LIE: it bids what its own hand supports, and doubts what the table can hardly hold."""

from croupier.games.lie.v1 import lie_pb2
from croupier_client import Turn, run


def play(turn: Turn) -> str:
    """Decides: returns one of the notations in turn.legal, such as "3x5" or "challenge"."""
    legal = list(turn.legal)
    view = turn.view  # what you see: protos/croupier/games/lie/v1/lie.proto says what is in it
    bids = [notation for notation in legal if "x" in notation]
    if not isinstance(view, lie_pb2.View) or (not bids and "challenge" not in legal):
        return legal[-1]  # arranging the hand: show the highest values

    hand = [card.showing for card in view.hand.cards]
    hidden = sum(view.round.hand_sizes) - len(hand)

    def margin(count: int, value: int) -> float:
        """How many more cards than the bid needs there should be, if one hidden card in four shows the value."""
        return hand.count(value) + hidden / 4 - count

    raises = {bid: margin(*map(int, bid.split("x"))) for bid in bids}
    best = max(raises, key=lambda bid: raises[bid], default="challenge")
    if view.bids and ("challenge" in legal) and margin(view.bids[-1].count, view.bids[-1].value) < -raises.get(best, 9):
        return "challenge"  # the last bid is further from the truth than ours would be close to it
    return best


if __name__ == "__main__":
    run(play)
