"""TEN as bytes: what is saved of a state, and read back only if it could have been saved so.

What follows from the rest of a state (who decides, the outcome) is worked out, not written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from croupier_games import saving
from croupier_games.game import Game, OptionValue
from croupier_games.saving import demand
from croupier_games.ten.automa import is_done
from croupier_games.ten.data import BUST_LIMIT, DECKS, TOKEN_LIMIT, Card, Kind
from croupier_games.ten.holdings import resources
from croupier_games.ten.seating import last_buyers, least_bid, players, round_from, spare
from croupier_games.ten.view import EMPTY_AREA, Area, Auction, Holding, Payment, Phase, Pile


class Saved(NamedTuple):
    """All that is written of a state."""

    game: str
    version: int
    seats: int
    options: Mapping[str, OptionValue]
    seed: str
    phase: Phase
    active: int
    deck: tuple[Card, ...]
    holdings: tuple[Holding, ...]
    area: Area
    auction: Auction | None
    payment: Payment | None
    last_buyers: tuple[int, ...]
    market: Pile
    discards: Pile
    automa_revealed: tuple[Card, ...]


KEPT = Saved._fields[Saved._fields.index("phase") :]
"""The fields that are named as in the state."""


def load(game: Game, data: bytes) -> Saved:
    """What was saved, or RestoreError: the types are right and the table is one that play can reach."""
    saved = saving.load(Saved, game, data)
    demand(len(saved.holdings) == players(saved.seats), "everybody has a holding")
    demand(0 <= saved.active < players(saved.seats), "it is somebody's turn")
    _check_cards(saved)
    _check_tokens(saved)
    _check_area(saved)
    _check_phase(saved)
    _check_auction(saved)
    _check_payment(saved)
    return saved


def _check_cards(saved: Saved) -> None:
    """Every card of the deck for so many seats is in exactly one place, and of a kind that can be there."""
    owned = [(holding.numbers, holding.jokers) for holding in saved.holdings]
    numbers = [saved.market.cards, *(cards for cards, _ in owned)]
    jokers = [cards for _, cards in owned]
    demand(all(card.kind is Kind.NUMBER for cards in numbers for card in cards), "number cards are bought and owned")
    demand(all(card.kind is Kind.JOKER for cards in jokers for card in cards), "jokers are owned")
    piles = [*numbers, *jokers, saved.discards.cards]
    demand(all(list(cards) == sorted(cards) for cards in piles), "cards that lie open are sorted")
    pending = [saved.auction.joker] if saved.auction else []
    pending += [saved.payment.card] if saved.payment else []
    everywhere = Counter([*saved.deck, *saved.area.cards, *pending, *(card for cards in piles for card in cards)])
    demand(everywhere == Counter(DECKS[saved.seats]), "every card is in one place")
    revealed = Counter(saved.automa_revealed)
    demand(not revealed or saved.seats == 1, "TEN plays against a lone player only")
    demand(not revealed - (everywhere - Counter(saved.deck)), "what was revealed is not in the deck")


def _check_tokens(saved: Saved) -> None:
    for tokens, bust_tokens, _, _ in saved.holdings:
        demand(0 <= tokens <= TOKEN_LIMIT, f"nobody has more than {TOKEN_LIMIT} tokens")
        demand(0 <= bust_tokens <= len(DECKS[saved.seats]), "nobody busts more often than there are cards")


def _check_area(saved: Saved) -> None:
    area = EMPTY_AREA
    for card in saved.area.cards:
        demand(card.kind is not Kind.JOKER, "a joker never lies in the area")
        area = area.with_card(card)
        demand(area.currency_sum <= BUST_LIMIT, "whoever has busted has no area")
        demand(area.total <= BUST_LIMIT or card.kind is Kind.CURRENCY, "whoever has busted has no area")
    demand(area == saved.area, "the area adds up")
    limit = saved.options.get("limit")
    if saved.active == saved.seats and _is_drawing(saved) and isinstance(limit, int):
        seen = [card for card in saved.automa_revealed if card.kind is not Kind.JOKER]
        demand(seen == list(area.cards), "TEN's area holds what TEN revealed")
        demand(not is_done(area, limit), "TEN's turn is over when it is done")


def _is_drawing(saved: Saved) -> bool:
    """Whether a draw phase is going on, which an auction and its payment only interrupt."""
    pays_for_joker = saved.payment is not None and saved.payment.card.kind is Kind.JOKER
    return pays_for_joker or saved.phase in (Phase.DRAW, Phase.AUCTION)


def _check_phase(saved: Saved) -> None:
    phase, buyers = saved.phase, saved.last_buyers
    automa = saved.active == saved.seats
    drawing = _is_drawing(saved)
    demand((phase is Phase.AUCTION) == (saved.auction is not None), "bids are made in an auction")
    demand((phase is Phase.PAY) == (saved.payment is not None), "a payment is under way while somebody pays")
    demand(drawing or not saved.area.cards, "the area is cleared before anything else")
    demand(not automa or drawing or bool(buyers) or phase is Phase.OVER, "TEN decides nothing")
    demand(phase is not Phase.DRAW or not automa, "TEN decides nothing")
    if phase is Phase.DRAW:
        demand(saved.deck or saved.area.cards, "there is something to draw or to take")
    demand(phase is not Phase.BUST or saved.options["fiasco"] is True, "a bust is a choice with fiasco only")
    buying = phase in (Phase.BUY, Phase.PAY) and not drawing
    demand(not buyers or (buying and not saved.deck), "last purchases follow the last card")
    demand(phase is not Phase.OVER or not saved.deck, "the game lasts as long as the deck")
    if buyers:
        demand(buyers == last_buyers(saved.active, saved.seats)[-len(buyers) :], "last purchases go round the table")


def _check_auction(saved: Saved) -> None:
    if saved.auction is None:
        return
    joker, offers = saved.auction
    bidders = round_from(saved.active, saved.seats)
    demand(joker.kind is Kind.JOKER, "a joker is auctioned")
    demand(len(offers) < len(bidders) and bidders[len(offers)] < saved.seats, "a seat has still to bid")
    highest = least_bid(saved.seats) - 1
    for bidder, (seat, amount) in zip(bidders, offers, strict=False):
        demand(seat == (bidder if bidder < saved.seats else None), "bids go round the table")
        if amount:
            means = resources(saved.holdings[bidder], spare(saved.seats))
            demand(highest < amount <= means, "a bid is higher than the one before and can be paid")
            highest = amount


def _check_payment(saved: Saved) -> None:
    if saved.payment is None:
        return
    seat, card, price, paid = saved.payment
    demand(0 <= seat < saved.seats and card.kind is not Kind.CURRENCY, "a seat pays for a card")
    demand(0 <= paid < price, "a payment ends when the price is covered")
    demand(price - paid <= resources(saved.holdings[seat], spare(saved.seats)), "whoever pays can pay")
    if card.kind is Kind.NUMBER:
        demand(price == card.value, "a card costs its digit")
        buyer = saved.last_buyers[0] if saved.last_buyers else saved.active
        demand(seat == buyer, "whoever buys pays")
    else:
        demand(price >= least_bid(saved.seats) and not saved.last_buyers, "a joker costs what was bid")
