"""The table of TEN: where every card and token is, who sees it, and how it is kept. What may be done is in rules.py."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Self

from croupier_games import saving
from croupier_games.chance import Chance
from croupier_games.game import Action, Event, OptionValue, Outcome, State
from croupier_games.ten.data import DECKS, Card, Kind
from croupier_games.ten.holdings import FIRST_HOLDING, Spare, resources, with_cards, with_tokens
from croupier_games.ten.saved import KEPT, Saved
from croupier_games.ten.seating import least_bid, players, round_from, spare
from croupier_games.ten.view import (
    EMPTY_AREA,
    EMPTY_PILE,
    Area,
    Auction,
    Automa,
    BustTokenGained,
    Holding,
    Payment,
    Phase,
    Pile,
    TokensGained,
    View,
)


@lru_cache(maxsize=4_096, typed=True)
def _event(what: tuple[object, ...]) -> Event:
    """The one event of these words: most come up again and again, and the wire encodes the same object only once."""
    return Event(what)


class Table(State):
    """All that is on the table, the order of the deck included.

    Every part is immutable and replaced as a whole, so a clone shares them all. Players are numbered like the seats;
    against a lone seat, number 1 is the automa TEN."""

    __slots__ = (
        "_legal",
        "active",
        "area",
        "auction",
        "automa_revealed",
        "chance",
        "deciders",
        "deck",
        "discards",
        "events",
        "holdings",
        "last_buyers",
        "least_bid",
        "limit",
        "market",
        "options",
        "outcome",
        "payment",
        "phase",
        "seats",
        "spare",
    )

    chance: Chance
    phase: Phase
    active: int
    """The player whose turn it is, or was when the deck came to its end."""
    deck: tuple[Card, ...]
    """The top card first."""
    holdings: tuple[Holding, ...]
    """By player."""
    area: Area
    auction: Auction | None
    payment: Payment | None
    last_buyers: tuple[int, ...]
    """The seats that still have a last purchase, the next one first (TEN-6.2)."""
    market: Pile
    discards: Pile
    automa_revealed: tuple[Card, ...]
    """The cards of TEN's latest turn, in order."""
    limit: int
    """Where TEN stops; 0 if it does not play."""
    spare: Spare
    least_bid: int
    _legal: tuple[Action, ...] | None
    """What the decider may do, once somebody has asked."""

    def __init__(self, seats: int, options: Mapping[str, OptionValue], chance: Chance) -> None:
        self.seats = seats
        self.options = options
        self.chance = chance
        limit = options.get("limit", 0)
        self.limit = limit if isinstance(limit, int) else 0
        self.spare = spare(seats)
        self.least_bid = least_bid(seats)
        self.outcome: Outcome | None = None
        self.events: tuple[Event, ...] = ()
        self._legal = None

    def set_up(self, starter: int) -> None:
        """Shuffles the deck and hands out the first tokens (TEN-1.1, TEN-8.1)."""
        self.active = starter
        self.deck = self.chance.shuffled("deck", DECKS[self.seats])
        self.holdings = (FIRST_HOLDING,) * players(self.seats)
        self.area = EMPTY_AREA
        self.auction = None
        self.payment = None
        self.last_buyers = ()
        self.market = self.discards = EMPTY_PILE
        self.automa_revealed = ()

    def view(self, seat: int | None) -> View:
        """Everything but the order of the deck, the same for everybody (TEN-1.2)."""
        if seat is not None and not 0 <= seat < self.seats:
            raise ValueError(f"the seats are 0 to {self.seats - 1}, got {seat}")
        return View(
            self.phase,
            self.who(self.active),
            self.deciders[0] if self.deciders else None,
            len(self.deck),
            self.area,
            self.auction,
            self.payment,
            self.last_buyers,
            self.market,
            self.discards,
            self.holdings[: self.seats],
            Automa(self.limit, self.holdings[1], self.automa_revealed) if self.limit else None,
        )

    def clone(self) -> Self:
        """An independent copy."""
        copy = type(self)(self.seats, self.options, self.chance)
        for name in KEPT:
            setattr(copy, name, getattr(self, name))
        copy.deciders = self.deciders
        copy.outcome = self.outcome
        copy.events = self.events
        copy._legal = self._legal
        return copy

    def resample(self, seat: int | None, seed: bytes) -> Self:
        """A copy with the rest of the deck in another order, which is all that anybody does not know."""
        copy = self.clone()
        copy.chance = Chance(seed)
        copy.deck = copy.chance.shuffled("resample/deck", sorted(self.deck))
        return copy

    def save(self) -> bytes:
        """The whole state as JSON."""
        kept = {name: getattr(self, name) for name in KEPT}
        seed = self.chance.seed.hex()
        return saving.dump(Saved(self.game.id, self.game.version, self.seats, self.options, seed, **kept))

    def put(self, saved: Saved) -> None:
        """Sets the table as it was saved."""
        for name in KEPT:
            setattr(self, name, getattr(saved, name))

    def who(self, player: int) -> int | None:
        """The player's seat; None for TEN, who has none."""
        return player if player < self.seats else None

    def tell(self, what: tuple[object, ...]) -> None:
        """Adds to what everybody is told of this action."""
        self.events += (_event(what),)

    def hold(self, player: int, holding: Holding) -> None:
        """Replaces what a player owns."""
        self.holdings = (*self.holdings[:player], holding, *self.holdings[player + 1 :])

    def grant(self, player: int, tokens: int) -> None:
        """Gives tokens from the bank, up to the limit (TEN-3.3)."""
        before = self.holdings[player]
        after = with_tokens(before, tokens)
        if after is not before:
            self.hold(player, after)
            self.tell(TokensGained(self.who(player), after.tokens - before.tokens))

    def grant_others(self) -> None:
        """Gives everybody but the active player what the currency cards of the area show (TEN-3.1, TEN-3.5)."""
        if self.area.currency_sum:
            for player in round_from(self.active, self.seats)[:-1]:
                self.grant(player, self.area.currency_sum)

    def grant_bust_token(self, player: int) -> None:
        """Gives a bust token (TEN-3.5)."""
        holding = self.holdings[player]
        self.hold(player, holding._replace(bust_tokens=holding.bust_tokens + 1))
        self.tell(BustTokenGained(self.who(player)))

    def take_numbers(self, player: int) -> None:
        """Gives a player the number cards of the area."""
        holding = self.holdings[player]
        self.hold(player, holding._replace(numbers=with_cards(holding.numbers, self.area.of(Kind.NUMBER))))

    def numbers_to_market(self) -> None:
        """Puts the number cards of the area on sale."""
        if numbers := self.area.of(Kind.NUMBER):
            self.market = Pile(with_cards(self.market.cards, numbers))

    def clear_area(self) -> None:
        """Discards the currency cards of the area, whose number cards have gone elsewhere."""
        if currency := self.area.of(Kind.CURRENCY):
            self.discard(currency)
        self.area = EMPTY_AREA

    def discard(self, cards: Iterable[Card]) -> None:
        """Puts cards onto the discards."""
        self.discards = Pile(with_cards(self.discards.cards, cards))

    def resources(self, player: int) -> int:
        """The most a player can pay (TEN-4.2)."""
        return resources(self.holdings[player], self.spare)
