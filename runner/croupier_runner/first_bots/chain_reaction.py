"""A first bot for Chain Reaction: it takes the neighbours it can see, and claims the dearest token it may."""

from croupier.games.chain_reaction.v1 import chain_reaction_pb2
from croupier_client import Turn, run


def play(turn: Turn) -> str:
    """Decides: returns one of the notations in turn.legal, such as "3B", "claim 123=9", "discard 2g" or "end"."""
    legal = list(turn.legal)
    view = turn.view  # what you see: protos/croupier/games/chain_reaction/v1/chain_reaction.proto says what is in it
    claims = [notation for notation in legal if notation.startswith("claim")]
    if claims:
        return max(claims, key=lambda claim: int(claim.split("=")[1]))
    if legal[0][0].isdigit() and isinstance(view, chain_reaction_pb2.View):
        return max(legal, key=lambda place: neighbours(view, column=int(place[0]), top=place[1]))
    return legal[0]


def neighbours(view: chain_reaction_pb2.View, column: int, top: str) -> int:
    """How many tiles the hand tile would take at once, if it were put on that column with that symbol on top."""
    hand = view.hand
    edges: list[int] = [hand.top, hand.right, hand.bottom, hand.left]
    start = edges.index(chain_reaction_pb2.Symbol.Value(f"SYMBOL_{top}"))
    _, right, bottom, left = edges[start:] + edges[:start]
    columns = [list(each.tiles) for each in view.columns]
    height = len(columns[column - 1])
    taken = int(height > 0 and columns[column - 1][-1].top == bottom)
    if column > 1 and len(columns[column - 2]) > height:
        taken += columns[column - 2][height].right == left
    if column < len(columns) and len(columns[column]) > height:
        taken += columns[column][height].left == right
    return taken  # what falls down then, and takes more, is left for you to work out


if __name__ == "__main__":
    run(play)
