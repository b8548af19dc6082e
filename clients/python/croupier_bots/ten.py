"""Plays TEN by the odds: what the next card may do, given all that has been seen, and what each card adds to its runs.

    python -m croupier_bots.ten

Everything is weighed in points. A hand is worth what its colours can be expected to score if each digit they lack still
turns up with some chance; a token is worth a share of a point, which fades as the deck does. Last purchases are exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from croupier.games.ten.v1 import ten_pb2 as pb
from croupier_client import Turn, run
from croupier_games.game import Action
from croupier_games.ten.actions import BUY, DRAW, PASS, PAY, PAY_BUST_TOKEN, PAY_TOKEN, TAKE, bid
from croupier_games.ten.data import (
    BUST_LIMIT,
    BUST_TOKEN_WORTH,
    COLOUR_JOKERS,
    COLOURS,
    DECKS,
    DIGITS,
    FULL_JOKER,
    TOKEN_LIMIT,
    Card,
    Colour,
    Kind,
)
from croupier_games.ten.holdings import resources, spare_cards, with_card
from croupier_games.ten.scoring import best_score
from croupier_games.ten.seating import least_bid, spare
from croupier_games.ten.view import Area, Auction, Automa, Holding, Offer, Payment, Phase, Pile, Reward, View


class Weights(NamedTuple):
    """What the bot believes; found by letting it play many games."""

    low_digit: float = 0.75  # how likely a missing digit of 1 to 6 still turns up, at the start of the game
    high_digit: float = 0.6  # ... and one of 7 to 9
    token: float = 0.18  # what a token is worth in points at the start of the game
    last_token: float = 0.01  # ... and at the end, where it only breaks ties
    envy: float = 0.5  # what it costs that others get tokens, in own ones
    joker: float = 0.1  # what it is worth that a joker may come next
    spare_card: float = 0.8  # what a card that no run needs is worth as payment, in tokens
    shading: float = 0.6  # which part of what a joker is worth is bid while others may still bid


W = Weights()
STEPS = 8
"""The length of the game is divided into so many steps when chances are looked up."""


def play(turn: Turn) -> str:
    """One decision of any phase."""
    view = turn.view
    if not isinstance(view, pb.View):
        raise TypeError(f"this bot plays ten, not {turn.seating.game_id}")
    return str(choose(seen(view), turn.seat))


def choose(view: View, seat: int, w: Weights = W) -> Action:
    """What to do, given what a seat sees."""
    outlook = Outlook(view, seat, w)
    if view.auction is not None:
        return outlook.best_bid(view.auction)
    if view.payment is not None:
        return outlook.cheapest_piece(view.payment)
    if view.phase is Phase.BUY:
        return outlook.best_purchase()[1]
    if view.phase is Phase.BUST:
        purchase, _ = outlook.best_purchase()
        return TAKE[Reward.PURCHASE if purchase > outlook.bust_token else Reward.BUST_TOKEN]
    return outlook.draw_or_take()


class Outlook:
    """What a seat sees, as it weighs it."""

    def __init__(self, view: View, seat: int, w: Weights) -> None:
        self.view = view
        self.w = w
        self.seats = len(view.holdings)
        self.own = view.holdings[seat]
        self.others: dict[int | None, Holding] = {
            other: holding for other, holding in enumerate(view.holdings) if other != seat
        }
        if view.automa is not None:
            self.others[None] = view.automa.holding
        self.spare = spare(self.seats)
        self.time = view.deck_size / len(DECKS[self.seats])
        self.token = w.last_token + (w.token - w.last_token) * min(1.0, 2 * self.time)
        self.bust_token = BUST_TOKEN_WORTH * self.token
        self.promise = promises(round(self.time * STEPS), w)
        self.hand = Hand(self.own, self.promise)

    # Drawing

    def draw_or_take(self) -> Action:
        """Draws if the next card promises more than the best reward there is."""
        area = self.view.area
        numbers = [card for card in area.cards if card.kind is Kind.NUMBER]
        hand = self.hand.plus(numbers)
        taken, reward = self.best_reward(area, hand.worth - self.hand.worth)
        if not self.view.deck_size:
            return TAKE[reward]
        return DRAW if not area.cards or self.promise_of_drawing(area, hand, taken) > taken else TAKE[reward]

    def best_reward(self, area: Area, gain: float) -> tuple[float, Reward]:
        """What stopping is worth if the number cards add so much to the hand."""
        numbers = (gain - self.envied(area.currency_sum), Reward.NUMBERS)
        currency = (self.token * min(area.currency_sum, TOKEN_LIMIT - self.own.tokens), Reward.CURRENCY)
        if area.total == -area.currency_sum:  # no number card
            return currency
        return max(numbers, currency) if area.currency_sum else numbers

    def promise_of_drawing(self, area: Area, hand: Hand, taken: float) -> float:
        """What the next card leads to on average, if the player stops after it."""
        unseen = self.unseen()
        total = 0.0
        for card, copies in unseen.items():
            total += copies * self.after(card, area, hand, taken)
        return total / unseen.total()

    def after(self, card: Card, area: Area, hand: Hand, taken: float) -> float:
        """What there is to be had once this card has come."""
        if card.kind is Kind.JOKER:
            return taken + self.w.joker
        now = area.with_card(card)
        if card.kind is Kind.NUMBER:
            if now.total > BUST_LIMIT:
                return self.bust_token - self.envied(now.currency_sum)
            return self.best_reward(now, hand.worth + hand.gain(card) - self.hand.worth)[0]
        if now.currency_sum > BUST_LIMIT:
            return self.bust_token
        return self.best_reward(now, hand.worth - self.hand.worth)[0]

    def unseen(self) -> Counter[Card]:
        """What is left in the deck."""
        view = self.view
        left = Counter(DECKS[self.seats])
        for cards in (view.area.cards, view.market.cards, view.discards.cards):
            left.subtract(cards)
        for holding in (self.own, *self.others.values()):
            left.subtract(holding.numbers)
            left.subtract(holding.jokers)
        return +left

    def envied(self, tokens: int) -> float:
        """What it costs that the others get so many tokens."""
        gained = sum([min(tokens, TOKEN_LIMIT - other.tokens) for other in self.others.values()]) / len(self.others)
        return self.w.envy * self.token * gained

    # Auctions, payments and purchases

    def best_bid(self, auction: Auction) -> Action:
        """Bids no more than the joker is worth, and no more than it takes to win."""
        highest = max([offer.amount for offer in auction.offers], default=0)
        least = max(least_bid(self.seats), highest + 1)
        worth = Hand(with_card(self.own, auction.joker), self.promise).worth - self.hand.worth
        most = self.affordable(worth)
        heard = [offer.seat for offer in auction.offers]
        rivals = [resources(rival, self.spare) for seat, rival in self.others.items() if seat not in heard]
        if not rivals:
            wanted = least
        elif None in self.others:
            return self.bid_before_automa(least, most, rivals[0])
        else:
            wanted = max(least, min(round(most * self.w.shading), max(rivals)))
        return bid(wanted) if wanted <= most else PASS

    def bid_before_automa(self, least: int, most: int, rival: int) -> Action:
        """TEN outbids whatever it can: so either it cannot, or it shall pay all it has (TEN-8.6)."""
        means = resources(self.own, self.spare)
        wanted = max(least, rival) if max(least, rival) <= most else min(means, rival - 1)
        return bid(wanted) if least <= wanted <= means else PASS

    def affordable(self, worth: float) -> int:
        """The highest price that costs no more than what is had for it."""
        price, cost = 0, 0.0
        for value, loss in self.pieces:
            cost += loss
            if cost > worth:
                break
            price += value
        return price

    def cost(self, price: int) -> float:
        """What paying a price costs in points."""
        cost = 0.0
        for value, loss in self.pieces:
            if price <= 0:
                break
            price -= value
            cost += loss
        return cost

    @cached_property
    def pieces(self) -> list[tuple[int, float]]:
        """All that can be paid with, the cheapest first: its value, and what it costs in points."""
        pieces = [(1, self.token)] * self.own.tokens
        pieces += [(BUST_TOKEN_WORTH, self.bust_token)] * self.own.bust_tokens
        copies = Counter(self.own.numbers)
        for card in spare_cards(self.own, self.spare):
            needless = copies[card] - 1
            pieces += [(1, self.w.spare_card * self.token)] * needless
            if self.seats > 1:
                pieces.append((1, self.loss(card)))
        return sorted(pieces, key=lambda piece: piece[1] / piece[0])

    def loss(self, card: Card) -> float:
        """What it costs to give the last copy of a card away."""
        return self.hand.loss(card) + self.w.spare_card * self.token

    def cheapest_piece(self, payment: Payment) -> Action:
        """The piece that costs least for what it covers."""
        due = payment.price - payment.paid
        options: list[tuple[float, int, Action]] = []
        if self.own.tokens:
            options.append((self.token, 0, PAY_TOKEN))
        if self.own.bust_tokens:
            options.append((self.bust_token / min(due, BUST_TOKEN_WORTH), 1, PAY_BUST_TOKEN))
        copies = Counter(self.own.numbers)
        for number, card in enumerate(spare_cards(self.own, self.spare), start=2):
            cost = self.w.spare_card * self.token if copies[card] > 1 else self.loss(card)
            options.append((cost, number, PAY[card]))
        return min(options)[2]

    def best_purchase(self) -> tuple[float, Action]:
        """What the best card of the market gains, and how to buy it; passing gains nothing."""
        means = resources(self.own, self.spare)
        best: tuple[float, Action] = (0.0, PASS)
        before = self.final(self.own) if self.view.last_buyers else self.hand.worth
        for card in sorted(set(self.view.market.cards) - set(self.own.numbers)):
            if card.value > means:
                continue
            held = with_card(self.own, card)
            after = self.final(held) if self.view.last_buyers else self.hand.worth + self.hand.gain(card)
            gain = after - before - self.cost(card.value)
            if gain > best[0]:
                best = (gain, BUY[card])
        return best

    @staticmethod
    def final(holding: Holding) -> float:
        """The points that a holding scores."""
        return best_score(holding.numbers, holding.jokers).points


class Hand:
    """A hand as the bot values it: digits by colour, with every joker put where it promises most."""

    __slots__ = ("digits", "promise", "wild", "worth")

    def __init__(self, holding: Holding, promise: Promise) -> None:
        digits = [0] * len(COLOURS)
        for card in holding.numbers:
            digits[card.colour - 1] |= _bit(card.value)
        wild = [holding.jokers.count(COLOUR_JOKERS[colour]) for colour in COLOURS]
        self._set(digits, wild, promise)
        for joker in holding.jokers:
            if joker == FULL_JOKER:
                best = max(range(len(COLOURS)), key=lambda at: self._gain(at, digits[at], wild[at] + 1))
                wild[best] += 1
            elif joker.value:
                bit = _bit(joker.value)
                best = max(range(len(COLOURS)), key=lambda at: self._gain(at, digits[at] | bit, wild[at]))
                digits[best] |= bit
        self._set(digits, wild, promise)

    def plus(self, cards: Iterable[Card]) -> Hand:
        """The hand with more number cards."""
        digits = list(self.digits)
        for card in cards:
            digits[card.colour - 1] |= _bit(card.value)
        hand = Hand.__new__(Hand)
        hand._set(digits, self.wild, self.promise)
        return hand

    def gain(self, card: Card) -> float:
        """What one more number card adds."""
        promise, digits = self.promise[self.wild[card.colour - 1]], self.digits[card.colour - 1]
        return promise[digits | _bit(card.value)] - promise[digits]

    def loss(self, card: Card) -> float:
        """What giving the last copy of a number card away takes."""
        promise, digits = self.promise[self.wild[card.colour - 1]], self.digits[card.colour - 1]
        return promise[digits] - promise[digits & ~_bit(card.value)]

    def _set(self, digits: list[int], wild: list[int], promise: Promise) -> None:
        self.digits, self.wild, self.promise = digits, wild, promise
        self.worth = sum([promise[jokers][owned] for owned, jokers in zip(digits, wild, strict=True)])

    def _gain(self, at: int, digits: int, wild: int) -> float:
        return self.promise[wild][digits] - self.promise[self.wild[at]][self.digits[at]]


Promise = list[list[float]]
"""What a colour can be expected to score: by the number of its jokers, and by its digits as a set of bits."""

MOST_WILD = 3


def _bit(digit: int) -> int:
    return 1 << (digit - 1)


@cache
def promises(step: int, w: Weights) -> Promise:
    """The promise of every set of digits when so many steps of the game are left."""
    return [_promise(wild, step / STEPS, w) for wild in range(MOST_WILD + 1)]


def _promise(wild: int, time: float, w: Weights) -> list[float]:
    """The scores of all sets of digits, averaged over which of the missing digits still turn up."""
    worth = [float(score) for score in _scores(wild)]
    for digit in DIGITS:
        chance = (w.low_digit if digit <= 6 else w.high_digit) * time
        bit = _bit(digit)
        worth = [
            own if digits & bit else chance * worth[digits | bit] + (1 - chance) * own
            for digits, own in enumerate(worth)
        ]
    return worth


@cache
def _scores(wild: int) -> list[int]:
    """What each set of digits scores with so many jokers of its colour."""
    full = (1 << len(DIGITS)) - 1
    if wild == 0:
        lengths = [max(map(len, f"{digits:b}".split("0"))) for digits in range(full + 1)]
        return [length + (length == len(DIGITS)) for length in lengths]
    fewer = _scores(wild - 1)
    return [max([fewer[digits | _bit(digit)] for digit in DIGITS]) for digits in range(full + 1)]


def seen(view: pb.View) -> View:
    """The message as the view of the rules that it was made from."""
    area, auction, payment, automa = view.area, view.auction, view.payment, view.automa
    return View(
        phase=Phase(view.phase),
        active=view.active if view.HasField("active") else None,
        deciding=view.deciding if view.HasField("deciding") else None,
        deck_size=view.deck_size,
        area=Area(_cards(area.cards), area.total, area.currency_sum),
        auction=Auction(_card(auction.joker), _offers(auction.offers)) if view.HasField("auction") else None,
        payment=(
            Payment(payment.seat, _card(payment.card), payment.price, payment.paid)
            if view.HasField("payment")
            else None
        ),
        last_buyers=tuple(view.last_buyers),
        market=Pile(_cards(view.market.cards)),
        discards=Pile(_cards(view.discards.cards)),
        holdings=tuple([_holding(holding) for holding in view.holdings]),
        automa=(
            Automa(automa.limit, _holding(automa.holding), _cards(automa.revealed)) if view.HasField("automa") else None
        ),
    )


def _holding(holding: pb.Holding) -> Holding:
    return Holding(holding.tokens, holding.bust_tokens, _cards(holding.numbers), _cards(holding.jokers))


def _offers(offers: Sequence[pb.Offer]) -> tuple[Offer, ...]:
    return tuple([Offer(offer.seat if offer.HasField("seat") else None, offer.amount) for offer in offers])


def _cards(cards: Iterable[pb.Card]) -> tuple[Card, ...]:
    return tuple([_card(card) for card in cards])


def _card(card: pb.Card) -> Card:
    return Card(Kind(card.kind), Colour(card.colour), card.value)


if __name__ == "__main__":
    run(play, legal="count", events=False)
