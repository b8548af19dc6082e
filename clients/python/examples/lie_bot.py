"""Plays LIE by the odds: how likely is a bid true, given the own hand, the deck and who bid what?

It asks for no legal list: it knows the game, and answers with the game's own typed messages.
"""

from collections.abc import Collection, Sequence
from functools import cache
from hashlib import sha256
from itertools import combinations
from math import comb

from croupier.games.lie.v1 import lie_pb2
from croupier_client import Turn, run

VALUES = range(1, 7)
DECK = 2 * list(combinations(VALUES, 2))

SAFE = 0.75  # a raise this likely to be true is worth making
BOLD = 0.45  # ... and when bluffing
BLUFF_ONE_IN = 8
HUNCH = 0.5  # how readily others bid on a value of which they hold none; their first card of it counts as 1


def play(turn: Turn) -> lie_pb2.Action:
    """One decision of any phase."""
    view = turn.view
    if not isinstance(view, lie_pb2.View):
        raise TypeError(f"this bot plays lie, not {turn.seating.game_id}")
    if view.phase == lie_pb2.PHASE_ARRANGE:
        return lie_pb2.Action(arrange=lie_pb2.Arrange(values=arranged(view)))
    if view.phase == lie_pb2.PHASE_DECLARE:
        clockwise = whim(turn, 2) == 0
        direction = lie_pb2.DIRECTION_CLOCKWISE if clockwise else lie_pb2.DIRECTION_COUNTER_CLOCKWISE
        return lie_pb2.Action(declare=lie_pb2.Declare(direction=direction))
    return answer(turn, view)


def answer(turn: Turn, view: lie_pb2.View) -> lie_pb2.Action:
    """The highest raise that is likely enough to be true, unless doubting the last bid promises more."""
    count_first = turn.seating.options["bid_order"].text == "count_first"
    truth = {value: at_least(view, turn.seat, value) for value in VALUES}
    doubt = 1 - truth[view.bids[-1].value][view.bids[-1].count] if view.bids else 0.0
    enough = BOLD if whim(turn, BLUFF_ONE_IN) == 0 else SAFE
    best, promise = None, doubt
    for count, value in higher_bids(view, count_first):
        likely = truth[value][count]
        if likely > promise or likely >= enough > doubt:
            best, promise = lie_pb2.Bid(count=count, value=value), likely
    return lie_pb2.Action(bid=best) if best else lie_pb2.Action(challenge=lie_pb2.Challenge())


def arranged(view: lie_pb2.View) -> list[int]:
    """Turns as many cards as possible to one value; jokers come next, then high values."""
    cards = view.hand.cards
    jokers = view.ones_are_jokers
    wanted = range(2, 7) if jokers else VALUES
    favourite = max(wanted, key=lambda value: (sum(value in (card.low, card.high) for card in cards), value))
    return [
        favourite if favourite in (card.low, card.high) else 1 if jokers and card.low == 1 else card.high
        for card in cards
    ]


def at_least(view: lie_pb2.View, seat: int, value: int) -> list[float]:
    """For every count from 0 to all cards on the table: how likely at least so many cards count for the value."""
    counting = {value, 1} if view.ones_are_jokers and value != 1 else {value}
    unseen = list(DECK)
    for card in view.hand.cards:
        unseen.remove((card.low, card.high))
    total = [0.0] * sum(card.showing in counting for card in view.hand.cards) + [1.0]
    for other, size in enumerate(view.round.hand_sizes):
        if other != seat and size:
            shown = shown_odds(unseen, size, counting)
            if any(bid.seat == other and bid.value == value for bid in view.bids):
                shown = believed(shown)
            total = summed(total, shown)
    total += [0.0] * (sum(view.round.hand_sizes) + 1 - len(total))
    return [sum(total[count:]) for count in range(len(total))]


def shown_odds(unseen: Sequence[tuple[int, int]], drawn: int, counting: Collection[int]) -> list[float]:
    """How likely 0, 1, … of the drawn cards show a value that counts, if each is turned either way at random."""
    ends = [(low in counting) + (high in counting) for low, high in unseen]
    return _odds(ends.count(2), ends.count(1), ends.count(0), drawn)


@cache
def _odds(both: int, one: int, neither: int, drawn: int) -> list[float]:
    odds = [0.0] * (drawn + 1)
    for sure in range(drawn + 1):
        for half in range(drawn + 1 - sure):
            deals = comb(both, sure) * comb(one, half) * comb(neither, drawn - sure - half)
            for turned in range(half + 1):
                odds[sure + turned] += deals * comb(half, turned) / 2**half
    return [share / comb(both + one + neither, drawn) for share in odds]


def believed(shown: Sequence[float]) -> list[float]:
    """The odds for a seat that bid on the value: the more it holds of it, the readier it would bid so."""
    weighted = [odds * (HUNCH + count) for count, odds in enumerate(shown)]
    return [weight / sum(weighted) for weight in weighted]


def summed(left: Sequence[float], right: Sequence[float]) -> list[float]:
    """The odds of the sum of two independent counts."""
    odds = [0.0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            odds[i + j] += a * b
    return odds


def higher_bids(view: lie_pb2.View, count_first: bool) -> list[tuple[int, int]]:
    """All bids (count, value) above the last one, the lowest first."""
    cards = sum(view.round.hand_sizes)
    bids = [(count, value) for count in range(1, cards + 1) for value in VALUES]
    last = rank((view.bids[-1].count, view.bids[-1].value), count_first) if view.bids else (0, 0)
    above = [bid for bid in bids if rank(bid, count_first) > last]
    return sorted(above, key=lambda bid: rank(bid, count_first))


def rank(bid: tuple[int, int], count_first: bool) -> tuple[int, int]:
    """What bids are compared by, in either order of the option `bid_order`."""
    return bid if count_first else (bid[1], bid[0])


def whim(turn: Turn, sides: int) -> int:
    """A throw of a die that falls the same way whenever this deal comes to this decision again."""
    key = b"%b/%d/%d" % (turn.seating.seed_commitment, turn.seat, turn.decision_id)
    return sha256(key).digest()[0] % sides


if __name__ == "__main__":
    run(play, legal="count", events=False)
