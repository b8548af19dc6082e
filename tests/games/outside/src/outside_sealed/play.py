"""The rules of SEALED: one play, from the deal to the result."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import ClassVar

from croupier_games import Action, Chance, Event, Game, IllegalAction, OptionValue, Outcome, SeatResult, State
from outside_sealed.components import (
    DECK,
    PASSED,
    Hand,
    HandDealt,
    Offer,
    OfferSealed,
    OffersRevealed,
    Pass,
    Phase,
    Reveal,
    RoundStarted,
    View,
)


class SealedState(State):
    """One play of SEALED. Every attribute holds immutable values, so that a copy is a copy of the lists."""

    __slots__ = (
        "deciders", "events", "hands", "options", "outcome", "points", "pot", "reveals", "round", "sealed", "seats",
        "seed",
    )  # fmt: skip

    game: ClassVar[Game]

    def __init__(self, seats: int, options: Mapping[str, OptionValue], seed: bytes) -> None:
        self.seats = seats
        self.options = options
        self.seed = seed
        self.round = 0
        self.pot = 0
        self.hands: list[tuple[int, ...]] = []
        self.sealed: list[int | None] = [None] * seats
        self.points: tuple[int, ...] = (0,) * seats
        self.reveals: tuple[Reveal, ...] = ()
        self.deciders: tuple[int, ...] = ()
        self.events: tuple[Event, ...] = ()
        self.outcome: Outcome | None = None

    @property
    def rounds(self) -> int:
        """How many rounds are played: one for each card of a hand."""
        return int(self.options["cards"])

    def deal(self) -> None:
        """Deals the hands and opens the first round."""
        size = self.rounds
        deck = Chance(self.seed).shuffled("deal", DECK, size * self.seats)
        self.hands = [tuple(sorted(deck[seat * size : (seat + 1) * size])) for seat in range(self.seats)]
        dealt = tuple(Event(HandDealt(Hand(hand)), seat) for seat, hand in enumerate(self.hands))
        self.events = (*dealt, *self._open_round())

    def legal(self, seat: int) -> tuple[Action, ...]:
        """Every different card of the hand, and a pass."""
        if seat not in self.deciders:
            return ()
        return (*(Offer(card) for card in sorted(set(self.hands[seat]))), Pass())

    def play(self, seat: int, action: Action) -> None:
        """Seals an offer; the last one turns all of them up."""
        if seat not in self.deciders:
            raise IllegalAction(f"seat {seat} has nothing to decide now")
        if action not in self.legal(seat):
            raise IllegalAction(f"{action} is not legal now; offer a card of your hand, or pass")
        card = action.card if isinstance(action, Offer) else PASSED
        self.sealed[seat] = card
        self.hands[seat] = _without(self.hands[seat], card)
        self.deciders = tuple(other for other in self.deciders if other != seat)
        self.events = (Event(OfferSealed(card), seat),)
        if not self.deciders:
            self.events += self._reveal()

    def view(self, seat: int | None) -> View:
        """What lies open, and the seat's own cards."""
        phase = Phase.OFFER if self.outcome is None else Phase.OVER
        hand = None if seat is None else Hand(self.hands[seat])
        sealed = None if seat is None else self.sealed[seat]
        return View(phase, self.round, self.pot, self.points, self.reveals, hand, sealed)

    def clone(self) -> SealedState:
        """Copies the two lists; all else is immutable."""
        copy = type(self)(self.seats, self.options, self.seed)
        for name in ("round", "pot", "points", "reveals", "deciders", "events", "outcome"):
            setattr(copy, name, getattr(self, name))
        copy.hands = list(self.hands)
        copy.sealed = list(self.sealed)
        return copy

    def resample(self, seat: int | None, seed: bytes) -> SealedState:
        """Draws the other hands, their sealed offers and the pots to come anew."""
        copy = self.clone()
        copy.seed = seed
        copy.events = ()
        chance = Chance(seed)
        unknown = iter(chance.shuffled("resample/hands", self._cards_unknown_to(seat)))
        for other in range(self.seats):
            if other == seat:
                continue
            # Whether the sealed offer is a pass is hidden too: only the rounds before tell how many cards are left.
            size = self.rounds - sum(reveal.offers[other] != PASSED for reveal in self.reveals)
            hand = tuple(sorted(next(unknown) for _ in range(size)))
            if self.sealed[other] is not None:
                choices = (*sorted(set(hand)), PASSED)
                card = choices[chance.below(f"resample/offer/{other}", len(choices))]
                copy.sealed[other] = card
                hand = _without(hand, card)
            copy.hands[other] = hand
        return copy

    def save(self) -> bytes:
        """The state as JSON, keys in a fixed order."""
        fields = {
            "game": [self.game.id, self.game.version],
            "seats": self.seats,
            "options": dict(sorted(self.options.items())),
            "seed": self.seed.hex(),
            "round": self.round,
            "pot": self.pot,
            "hands": self.hands,
            "sealed": self.sealed,
            "points": self.points,
            "reveals": self.reveals,
        }
        return json.dumps(fields, separators=(",", ":")).encode()

    def settle(self) -> None:
        """Sets who decides, or the outcome, from where the play stands."""
        if len(self.reveals) == self.rounds:
            self.deciders = ()
            self.outcome = self._result()
        else:
            self.deciders = tuple(seat for seat, card in enumerate(self.sealed) if card is None)

    def _open_round(self) -> tuple[Event, ...]:
        self.round += 1
        self.pot += Chance(self.seed).rolls(f"pot/round/{self.round}", 6, 1)[0]
        self.settle()
        return (Event(RoundStarted(self.round, self.pot)),)

    def _reveal(self) -> tuple[Event, ...]:
        offers = tuple(card or PASSED for card in self.sealed)
        winner = self._winner(offers)
        reveal = Reveal(self.round, offers, self.pot, winner)
        self.reveals += (reveal,)
        self.sealed = [None] * self.seats
        if winner is not None:
            self.points = tuple(had + self.pot * (seat == winner) for seat, had in enumerate(self.points))
        if winner is not None or self.options["ties"] == "lost":
            self.pot = 0
        self.settle()
        shown = (Event(OffersRevealed(reveal)),)
        return shown if self.outcome else shown + self._open_round()

    def _winner(self, offers: tuple[int, ...]) -> int | None:
        offered = [card for card in offers if card != PASSED]
        if not offered:
            return None
        best = min(offered) if self.options["low_wins"] else max(offered)
        return offers.index(best) if offers.count(best) == 1 else None

    def _result(self) -> Outcome:
        standing = [(points, len(hand)) for points, hand in zip(self.points, self.hands, strict=True)]
        results = tuple(
            SeatResult(1 + sum(other > own for other in standing), own[0], (("cards kept", own[1]),))
            for own in standing
        )
        return Outcome(results, f"all {self.rounds} rounds were played")

    def _cards_unknown_to(self, seat: int | None) -> list[int]:
        known = [card for reveal in self.reveals for card in reveal.offers]
        if seat is not None:
            known += [*self.hands[seat], self.sealed[seat] or PASSED]
        unknown = list(DECK)
        for card in known:
            if card != PASSED:
                unknown.remove(card)
        return unknown


def _without(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    """The hand without one such card; a pass takes none."""
    if card == PASSED:
        return hand
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]
