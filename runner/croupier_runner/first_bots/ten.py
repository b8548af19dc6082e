"""A first bot for TEN: it stops in time, and buys only what is new to it and can be paid without giving up cards."""

from croupier.games.ten.v1 import ten_pb2
from croupier_client import Turn, run

ENOUGH = 5  # stop drawing when the cards come to this: one more may be a bust


def play(turn: Turn) -> str:
    """Decides: returns one of the notations in turn.legal, such as "draw", "take numbers" or "bid 3"."""
    legal = list(turn.legal)
    view = turn.view  # what you see: protos/croupier/games/ten/v1/ten.proto says what is in it
    if not isinstance(view, ten_pb2.View):
        raise TypeError(f"this bot plays ten, not {turn.seating.game_id}")
    own = view.holdings[turn.seat]
    held = {f"buy {ten_pb2.Colour.Name(card.colour)[len('COLOUR_')]}{card.value}" for card in own.numbers}

    def sensible(notation: str) -> bool:
        """Whether tokens are enough for it, and it is not a card that we have already."""
        price = notation[-1] if notation.startswith("buy") else notation.removeprefix("bid ")
        return notation not in held and (not price.isdecimal() or int(price) <= own.tokens)

    # The first of these that may be played. How could one tell which card one's runs need most?
    wishes = ["draw"] if view.area.total < ENOUGH else []
    wishes += ["take numbers", "take purchase", "take", "bid", "buy", "pay token", "pay bust", "pass"]
    for wish in wishes:
        for notation in legal:
            if notation.startswith(wish) and sensible(notation):
                return notation
    return legal[0]


if __name__ == "__main__":
    run(play)
