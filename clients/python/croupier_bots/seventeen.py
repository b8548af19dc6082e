"""Plays 17 – Diciassette by the odds: how likely has the row come to 17, given all that can be seen?

    python -m croupier_bots.seventeen

Of the hidden cards in the row it knows its own; the others may be any heart that it does not see elsewhere. From the
odds of the sum follows what a call is worth; what a lay is worth follows from what the sum will be for the next player,
if all hold average hands. Everything is weighed in composure tokens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, product
from math import comb
from typing import NamedTuple

from croupier.games.seventeen.v1 import seventeen_pb2 as pb
from croupier_client import Turn, run
from croupier_games.game import Action
from croupier_games.seventeen.actions import CALL, PASS, Lay, lays
from croupier_games.seventeen.data import COPIES, DECK, ENOUGH_COMPOSURE, HAND, HEARTS, TARGET, Card
from croupier_games.seventeen.view import (
    Choice,
    Direction,
    DrawPile,
    Hand,
    Phase,
    Player,
    Round,
    Row,
    RowCard,
    Showdown,
    View,
)


class Weights(NamedTuple):
    """What the bot believes, in composure tokens; found by letting it play many games."""

    first_nerve: float = 0.35  # what a nerve costs who has none
    second_nerve: float = 0.7  # ... and who has one, because a composure may go back with it
    last_composure: float = 2.0  # what the composure is worth that wins the game
    overlooked: float = 0.4  # how often a rival calls a row of 17 that does not look like it
    rash_call: float = 0.15  # how often a rival calls a row that has not come to 17
    spending: float = 0.02  # what it is worth, per point, to get rid of a high number while that is safe
    safe: int = 10  # ... that is, while the row comes to no more than this


W = Weights()
WORTHS = tuple(range(6))
"""What cards are worth: specials 0, numbers 1 to 5."""
ALL_HEARTS = Counter({card: COPIES[card] for card in HEARTS})


def play(turn: Turn) -> str:
    """One decision of any phase."""
    view = turn.view
    if not isinstance(view, pb.View):
        raise TypeError(f"this bot plays seventeen, not {turn.seating.game_id}")
    return str(choose(seen(view), turn.seat))


def choose(view: View, seat: int, w: Weights = W) -> Action:
    """What to do, given what a seat sees."""
    outlook = Outlook(view, seat, w)
    if view.phase is Phase.CALLS:
        return CALL if outlook.call() > outlook.wait() else PASS
    options: list[tuple[float, Action]] = [
        (outlook.lay(action), action) for action in lays(outlook.hand) if isinstance(action, Lay)
    ]
    if view.row.cards and view.last_to_lay != seat:
        options.append((outlook.call(), CALL))
    return max(options, key=lambda option: option[0])[1]


class Outlook:
    """What a seat sees, as it weighs it."""

    def __init__(self, view: View, seat: int, w: Weights) -> None:
        self.view = view
        self.seat = seat
        self.w = w
        self.hand = view.hand.cards if view.hand else ()
        row = view.row.cards
        known = [laid.card for laid in row if laid.card is not Card.HEART]
        unseen = unseen_hearts(view, [*known, *self.hand])
        self.hidden = len(row) - len(known)
        self.odds = row_odds(known, unseen, self.hidden)
        """How likely the row comes to 0, 1, 2, ..."""
        self.trap = trap_odds(unseen, self.hidden)
        """How likely a rival has hidden a trap in it."""
        self.own_trap = any(laid.heart_up and laid.card is Card.TRAP for laid in row)
        shown = [laid.card for laid in row if not laid.heart_up]
        public = unseen_hearts(view, shown)
        looks = row_odds(shown, public, len(row) - len(shown))
        self.looks_full = sum(looks[TARGET:])
        """How likely the row has come to 17 for somebody who has hidden nothing in it."""

    def stake(self, seat: int, composure: float, nerves: int) -> float:
        """What it is worth to a seat to gain so much composure and so many nerves."""
        player = self.view.players[seat]
        gain = self.w.last_composure if player.composure == ENOUGH_COMPOSURE - 1 else 1.0
        costs = (self.w.first_nerve, self.w.second_nerve)
        return composure * gain - sum([costs[(player.nerves + number) % 2] for number in range(nerves)])

    def swing(self, winner: int, loser: int) -> float:
        """What a settled round is worth to the winner, if the loser's loss counts as much as there are rivals."""
        rivals = len(self.view.players) - 1
        return self.stake(winner, 1, 0) - self.stake(loser, 0, 1) / rivals

    def call(self) -> float:
        """What it is worth to call now."""
        view, me = self.view, self.seat
        other = view.last_to_lay if view.last_to_lay is not None else view.turn or 0
        right = sum(self.odds[TARGET:])
        rivals = len(view.players) - 1
        lost = -self.stake(me, 0, 1) + self.stake(other, 1, 0) / rivals
        won = 0.0 if self.own_trap else self.stake(me, 1, 0)
        worth = right * (won - self.stake(other, 0, 1) / rivals) - (1 - right) * lost
        trapped = 1.0 if self.own_trap else self.trap
        worth += trapped * self.stake(me, 0, 1) - self.trap / rivals
        return worth + (self.stake(me, 1, 0) if self.own_trap else 0.0)

    def wait(self) -> float:
        """What it is worth to let the others go on: the own turn, if it is next."""
        view = self.view
        step = 1 if view.direction is Direction.CLOCKWISE else -1
        if ((view.turn or 0) + step) % len(view.players) != self.seat:
            return 0.05
        return max([self.lay(action) for action in lays(self.hand) if isinstance(action, Lay)], default=-1.0)

    def lay(self, action: Lay) -> float:
        """What it is worth to lay this card: the worse the row then is for the next player, the better."""
        card, w = action.card, self.w
        rivals = len(self.view.players) - 1
        caught = self.swing((self.seat + 1) % (rivals + 1), self.seat)
        rash = w.rash_call * self.swing(self.seat, (self.seat + 1) % (rivals + 1))
        duty = 2 if card is Card.PLAY_TWO and not action.heart_up else 1
        change = card.worth - self._removed(action)
        hides = action.heart_up or self.looks_full < 0.5
        worth = 0.0
        for total, likely in enumerate(self.odds):
            after = max(0, total + change)
            if not likely:
                continue
            if after >= TARGET:
                worth -= likely * caught * (w.overlooked if hides else 1.0)
            else:
                worth += likely * (rash - prospects(duty)[after] / rivals)
                worth += likely * w.spending * card.worth * (after <= w.safe)
        if card is Card.TRAP:
            worth += (self.looks_full + rash) if action.heart_up else -w.spending
        elif not card.worth and action.heart_up:
            worth -= w.spending  # a special that does nothing
        return worth

    def _removed(self, action: Lay) -> int:
        """What the row loses, as far as one can tell."""
        if action.card is not Card.REMOVE_LAST or action.heart_up or not self.view.row.cards:
            return 0
        last = self.view.row.cards[-1].card
        return 1 if last is Card.HEART else last.worth


def unseen_hearts(view: View, seen_cards: Iterable[Card]) -> tuple[int, ...]:
    """How many hearts may be anywhere, by worth, and last how many of them are traps."""
    left = ALL_HEARTS - Counter(seen_cards)
    ended = view.round.last_showdown
    if ended and view.used_size >= len(ended.row.cards):  # what was turned over then still lies in the used pile
        left -= Counter(laid.card for laid in ended.row.cards)
    by_worth = [0] * len(WORTHS)
    for card, copies in left.items():
        by_worth[card.worth] += copies
    return (*by_worth, left[Card.TRAP])


def row_odds(known: Iterable[Card], unseen: tuple[int, ...], hidden: int) -> list[float]:
    """How likely a row comes to 0, 1, 2, ...: these cards and so many hidden ones."""
    base = sum([card.worth for card in known])
    return [0.0] * base + list(hidden_odds(unseen[:-1], hidden))


@cache
def hidden_odds(by_worth: tuple[int, ...], hidden: int) -> tuple[float, ...]:
    """How likely so many cards, drawn from those, come to 0, 1, 2, ..."""
    hidden = min(hidden, sum(by_worth))
    top = WORTHS[-1] * hidden
    ways = {(0, 0): 1}  # by cards drawn and what they come to
    for worth, copies in enumerate(by_worth):
        more: Counter[tuple[int, int]] = Counter()
        for (drawn, total), count in ways.items():
            for taken in range(min(copies, hidden - drawn) + 1):
                more[drawn + taken, total + worth * taken] += count * comb(copies, taken)
        ways = dict(more)
    return tuple(ways.get((hidden, total), 0) / comb(sum(by_worth), hidden) for total in range(top + 1))


def trap_odds(unseen: tuple[int, ...], hidden: int) -> float:
    """How likely there is a trap among so many hidden cards."""
    cards, traps = sum(unseen[:-1]), unseen[-1]
    hidden = min(hidden, cards)
    return 1 - comb(cards - traps, hidden) / comb(cards, hidden)


@cache
def prospects(duty: int) -> tuple[float, ...]:
    """What it is worth to be next at a row of 0 to 16, known to all, with an average hand and one or two cards to lay.

    From 17 on one calls and wins 1. Before, one lays what is worst for the next player, who will do the same."""
    one = [0.0] * TARGET + [1.0] * 2 * WORTHS[-1]
    two = list(one)
    shares = [sum(card.worth == worth for card in DECK) / len(DECK) for worth in WORTHS]
    hands = [(hand, shares[hand[0]] * shares[hand[1]] * shares[hand[2]]) for hand in product(WORTHS, repeat=HAND)]
    for total in reversed(range(TARGET)):
        # Laying nothing but specials gives the next player the same row: as good for them as for oneself, so 0.
        one[total] = sum(share * max(_next(one, total, worth) for worth in hand) for hand, share in hands)
        two[total] = sum(
            share * max(_next(one, total, sum(pair)) for pair in combinations(hand, 2)) for hand, share in hands
        )
    return tuple(one if duty == 1 else two)


def _next(worths: Sequence[float], total: int, laid: int) -> float:
    return -worths[total + laid] if laid else 0.0


def seen(view: pb.View) -> View:
    """The message as the view of the rules that it was made from."""
    return View(
        phase=Phase(view.phase),
        round=Round(
            view.round.number,
            view.round.starter,
            _showdown(view.round.last_showdown) if view.round.HasField("last_showdown") else None,
        ),
        players=tuple([Player(_cards(p.two_sided), p.hearts, p.composure, p.nerves) for p in view.players]),
        hand=Hand(_cards(view.hand.cards)) if view.HasField("hand") else None,
        row=_row(view.row),
        draw_pile=DrawPile(view.draw_pile.size, Card(view.draw_pile.top)),
        used_size=view.used_size,
        direction=Direction(view.direction),
        turn=view.turn if view.HasField("turn") else None,
        to_lay=view.to_lay,
        play_two=view.play_two,
        last_to_lay=view.last_to_lay if view.HasField("last_to_lay") else None,
        choice=Choice(view.choice),
        cards_laid=view.cards_laid,
    )


def _cards(cards: Iterable[int]) -> tuple[Card, ...]:
    return tuple([Card(card) for card in cards])


def _row(row: pb.Row) -> Row:
    return Row(tuple([RowCard(laid.seat, Card(laid.card), laid.heart_up) for laid in row.cards]))


def _showdown(shown: pb.Showdown) -> Showdown:
    return Showdown(
        shown.round,
        shown.caller,
        shown.last_to_lay,
        _row(shown.row),
        shown.total,
        tuple(shown.trap_owners),
        tuple(shown.composure),
        tuple(shown.nerves),
        tuple(shown.put_back),
        shown.starter,
    )


if __name__ == "__main__":
    run(play, legal="count", events=False)
