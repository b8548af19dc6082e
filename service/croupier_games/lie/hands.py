"""Hands of cards: how they are dealt, turned, and drawn anew for somebody who cannot see them."""

from collections import Counter

from croupier_games.chance import Chance
from croupier_games.errors import IllegalAction
from croupier_games.lie.actions import Arrange, mirrored
from croupier_games.lie.data import DECK
from croupier_games.lie.view import Card, Hand, Round

_CARDS = tuple(Card(low, high, 0) for low, high in DECK)
_TURNED = {card: {value: card._replace(showing=value) for value in card[:2]} for card in _CARDS}
_FACE_DOWN = {turned: card for card, sides in _TURNED.items() for turned in (card, *sides.values())}


def deal(chance: Chance, round_: Round) -> tuple[Hand, ...]:
    """Shuffles all 30 cards and deals a round, card by card round the whole table (LIE-1.1).

    Seats that hold fewer cards, or none, keep their places in that order: so nobody's cards depend on how
    many the others hold."""
    sizes = round_.hand_sizes
    seats = len(sizes)
    drawn = chance.shuffled(f"deal/round/{round_.number}", _CARDS, count=max(sizes) * seats)
    return tuple([Hand(tuple(sorted(drawn[seat : size * seats : seats]))) for seat, size in enumerate(sizes)])


def turn(hand: Hand, action: Arrange) -> Hand:
    """The hand with its cards turned to these values, or IllegalAction (LIE-1.2)."""
    cards, values = hand.cards, action.values
    try:
        turned = tuple([_TURNED[card][value] for card, value in zip(cards, values, strict=True)])
    except (KeyError, TypeError, ValueError):
        raise IllegalAction(f"an arrangement of this hand is one value of each card of {hand}") from None
    if mirrored(cards, values):
        raise IllegalAction("of two equal cards in a hand, the first shows the lower value")
    return Hand(turned)


def redraw(chance: Chance, hands: tuple[Hand, ...], seat: int | None) -> tuple[Hand, ...]:
    """Hands of the same sizes, all but this seat's drawn anew; arranged ones are turned at random."""
    own = hands[seat].cards if seat is not None else ()
    unseen = list((Counter(_CARDS) - Counter(_FACE_DOWN[card] for card in own)).elements())
    drawn = iter(chance.shuffled("resample/cards", unseen))
    sides = iter(chance.rolls("resample/sides", 2, len(unseen)))
    redrawn = []
    for holder, hand in enumerate(hands):
        if holder == seat:
            redrawn.append(hand)
            continue
        cards = [next(drawn) for _ in hand.cards]
        if hand.cards and hand.cards[0].showing:
            cards = [_TURNED[card][card[next(sides) - 1]] for card in cards]
        redrawn.append(Hand(tuple(sorted(cards))))
    return tuple(redrawn)
