"""The rules of TEN: what may be done, and what follows from it. Rule numbers: docs/rules/ten.md."""

from __future__ import annotations

from croupier_games.errors import IllegalAction
from croupier_games.game import Action
from croupier_games.ten import automa
from croupier_games.ten.actions import (
    BUY,
    DRAW,
    PASS,
    PAY,
    PAY_BUST_TOKEN,
    PAY_TOKEN,
    TAKE,
    Bid,
    Buy,
    PayCard,
    Take,
    offers,
)
from croupier_games.ten.data import BUST_LIMIT, NUMBERS, Card, Kind
from croupier_games.ten.holdings import WORTH, spare_cards, with_card, without_card, without_piece
from croupier_games.ten.results import outcome, solo_outcome
from croupier_games.ten.seating import last_buyers, round_from
from croupier_games.ten.table import Table
from croupier_games.ten.view import (
    Auction,
    AuctionWon,
    BidMade,
    BidPassed,
    Busted,
    CardChosen,
    CardReceived,
    CardRevealed,
    CurrencyTaken,
    DeckFinished,
    JokerDiscarded,
    NumbersTaken,
    Offer,
    Payment,
    Phase,
    Piece,
    PiecePaid,
    Pile,
    PurchaseChosen,
    PurchaseDeclined,
    Reward,
    TurnStarted,
)

_AFTER_A_BUST = (TAKE[Reward.BUST_TOKEN], TAKE[Reward.PURCHASE])
_LISTED = 8


class TenState(Table):
    """One play of TEN: the table, and what may be done at it."""

    __slots__ = ()

    def legal(self, seat: int) -> tuple[Action, ...]:
        """What the phase allows: draw, then rewards; pass, then bids or cards to buy; pieces to pay with."""
        if seat not in self.deciders:
            return ()
        if self._legal is None:
            self._legal = self._allowed(seat)
        return self._legal

    def play(self, seat: int, action: Action) -> None:
        """Applies the action, or raises IllegalAction and changes nothing."""
        legal = self.legal(seat) if type(seat) is int else ()
        try:
            chosen = legal[legal.index(action)]
        except ValueError:
            raise IllegalAction(self._why_not(seat, action)) from None
        self.events = ()
        self._legal = None
        if self.auction is not None:
            self._offer(self.auction, seat, chosen.amount if isinstance(chosen, Bid) else 0)
        elif self.payment is not None:
            self._pay(self.payment, chosen)
        elif self.phase is Phase.BUY:
            self._buy(seat, chosen)
        elif chosen is DRAW:
            self._draw()
        elif isinstance(chosen, Take):
            self._take(chosen.reward)

    def start_turn(self, player: int) -> None:
        """Begins a turn: a seat's with the duty to draw (TEN-2.1), TEN's as far as it goes by itself."""
        self.active = player
        self.tell(TurnStarted(self.who(player)))
        if player < self.seats:
            self._ask(Phase.DRAW, player)
        else:
            self.automa_revealed = ()
            self._go_on()

    def resume(self) -> None:
        """Works out, from what lies on the table, who decides, or how the game ended."""
        if self.phase is Phase.OVER:
            self._end()
        elif self.auction is not None:
            self.deciders = (self._bidder(self.auction),)
        elif self.payment is not None:
            self.deciders = (self.payment.seat,)
        else:
            self.deciders = self.last_buyers[:1] or (self.active,)

    def _allowed(self, seat: int) -> tuple[Action, ...]:
        if self.auction is not None:
            least = max(self.least_bid, _highest(self.auction) + 1)  # TEN-4.1, TEN-8.4
            return offers(least, self.resources(seat))  # TEN-4.2
        if self.payment is not None:
            return self._pieces(seat)
        if self.phase is Phase.BUY:
            return self._wares(seat)
        return self._drawing() if self.phase is Phase.DRAW else _AFTER_A_BUST

    def _drawing(self) -> tuple[Action, ...]:
        """To draw while there are cards (TEN-2.3); a reward only if there is something of it (TEN-2.5, TEN-3.4)."""
        actions: list[Action] = [DRAW] if self.deck else []
        kinds = [card.kind for card in self.area.cards]
        if Kind.NUMBER in kinds:
            actions.append(TAKE[Reward.NUMBERS])
        if Kind.CURRENCY in kinds:
            actions.append(TAKE[Reward.CURRENCY])
        return tuple(actions)

    def _pieces(self, seat: int) -> tuple[Action, ...]:
        """Everything the seat can pay with (TEN-4.3), whether or not it overpays (TEN-4.6)."""
        holding = self.holdings[seat]
        actions: list[Action] = [PAY_TOKEN] if holding.tokens else []
        if holding.bust_tokens:
            actions.append(PAY_BUST_TOKEN)
        return tuple(actions + [PAY[card] for card in spare_cards(holding, self.spare)])

    def _wares(self, seat: int) -> tuple[Action, ...]:
        """To decline (TEN-5.1), or any card that the seat can afford (TEN-5.2) and does not own (TEN-5.3)."""
        means, owned = self.resources(seat), set(self.holdings[seat].numbers)
        wares = dict.fromkeys(self.market.cards)
        return (PASS, *[BUY[card] for card in wares if card.value <= means and card not in owned])

    # Drawing

    def _draw(self) -> None:
        card = self._reveal()
        if card.kind is Kind.JOKER:
            self._open_auction(card)
        elif card.kind is Kind.NUMBER and self.area.total > BUST_LIMIT:  # TEN-2.6
            self._bust(Kind.NUMBER)
        elif card.kind is Kind.CURRENCY and self.area.currency_sum > BUST_LIMIT:
            self._bust(Kind.CURRENCY)
        else:
            self._ask(Phase.DRAW, self.active)

    def _reveal(self) -> Card:
        """Turns the top card over; unless it is a joker (TEN-2.4) it goes to the area (TEN-2.2)."""
        card, self.deck = self.deck[0], self.deck[1:]
        self.tell(CardRevealed(card))
        if card.kind is not Kind.JOKER:
            self.area = self.area.with_card(card)
        return card

    def _go_on(self) -> None:
        """The draw phase after an auction, or TEN's from its beginning."""
        if self.active >= self.seats:
            self._automa_draws()
        elif self.deck or self.area.cards:
            self._ask(Phase.DRAW, self.active)
        else:  # TEN-2.5
            self._ask(Phase.BUY, self.active)

    def _automa_draws(self) -> None:
        """TEN reveals cards until it is done or the deck is, or until a joker interrupts (TEN-8.2)."""
        while self.deck and not automa.is_done(self.area, self.limit):
            card = self._reveal()
            self.automa_revealed += (card,)
            if card.kind is Kind.JOKER:
                return self._open_auction(card)
        if automa.is_bust(self.area, self.limit):
            self.tell(Busted(None, Kind.CURRENCY, ()))
            self.grant_bust_token(self.active)
        else:
            self.grant_others()
        self.tell(NumbersTaken(None, self.area.of(Kind.NUMBER)))
        self.take_numbers(self.active)
        self.clear_area()
        return self._end_turn()

    def _take(self, reward: Reward) -> None:
        player, numbers = self.active, self.area.of(Kind.NUMBER)
        if reward is Reward.NUMBERS:  # TEN-3.1
            self.tell(NumbersTaken(player, numbers))
            self.take_numbers(player)
            self.grant_others()
            self.clear_area()
            self._ask(Phase.BUY, player)
        elif reward is Reward.CURRENCY:  # TEN-3.2
            self.tell(CurrencyTaken(player, numbers))
            self.grant(player, self.area.currency_sum)
            self.numbers_to_market()
            self.clear_area()
            self._end_turn()
        elif reward is Reward.BUST_TOKEN:
            self._gain_bust_token()
        else:  # TEN-7.1
            self.tell(PurchaseChosen(player))
            self._ask(Phase.BUY, player)

    def _bust(self, by: Kind) -> None:
        """TEN-3.5."""
        self.tell(Busted(self.active, by, self.area.of(Kind.NUMBER)))
        if by is Kind.NUMBER:
            self.grant_others()
        self.numbers_to_market()
        self.clear_area()
        if self.options["fiasco"]:
            self._ask(Phase.BUST, self.active)
        else:
            self._gain_bust_token()

    def _gain_bust_token(self) -> None:
        self.grant_bust_token(self.active)
        self._end_turn()

    # Auctions

    def _open_auction(self, joker: Card) -> None:
        self.auction = Auction(joker, ())
        self._next_bidder(self.auction)

    def _next_bidder(self, auction: Auction) -> None:
        """Asks whoever bids next: left of the active player first, the active one last (TEN-4.1)."""
        if len(auction.offers) == len(self.holdings):
            return self._close(auction)
        bidder = self._bidder(auction)
        if bidder < self.seats:
            return self._ask(Phase.AUCTION, bidder)
        own = self.resources(bidder)
        if self.active == bidder:
            return self._offer(auction, bidder, automa.last_bid(own, _highest(auction)))
        return self._offer(auction, bidder, automa.first_bid(own, self.resources(self.active)))

    def _bidder(self, auction: Auction) -> int:
        return round_from(self.active, self.seats)[len(auction.offers)]

    def _offer(self, auction: Auction, player: int, amount: int) -> None:
        who = self.who(player)
        self.tell(BidMade(who, amount) if amount else BidPassed(who))
        self.auction = Auction(auction.joker, (*auction.offers, Offer(who, amount)))
        self._next_bidder(self.auction)

    def _close(self, auction: Auction) -> None:
        """The highest bidder pays (TEN-4.3), TEN at once (TEN-8.7); if there is none the joker is gone (TEN-4.5)."""
        self.auction = None
        seat, price = max(auction.offers, key=lambda offer: offer.amount)
        if not price:
            self.tell(JokerDiscarded(auction.joker))
            self.discard((auction.joker,))
            return self._go_on()
        self.tell(AuctionWon(seat, auction.joker, price))
        if seat is not None:
            return self._ask_to_pay(seat, auction.joker, price)
        for piece, card in automa.payment(self.holdings[self.seats], price):
            self._hand_over(self.seats, piece, card)
        return self._receive(self.seats, auction.joker)

    # Payments and purchases

    def _ask_to_pay(self, seat: int, card: Card, price: int) -> None:
        self.payment = Payment(seat, card, price, 0)
        self._ask(Phase.PAY, seat)

    def _pay(self, payment: Payment, chosen: Action) -> None:
        """One piece of a payment, which ends once the price is covered (TEN-4.4, TEN-4.6)."""
        seat, received, price, paid = payment
        if isinstance(chosen, PayCard):
            piece, card = Piece.CARD, NUMBERS[chosen.colour, chosen.digit]
        else:
            piece, card = (Piece.TOKEN if chosen is PAY_TOKEN else Piece.BUST_TOKEN), None
        self._hand_over(seat, piece, card)
        paid += WORTH[piece]
        if paid < price:
            self.payment = Payment(seat, received, price, paid)
        else:
            self.payment = None
            self._receive(seat, received)

    def _hand_over(self, player: int, piece: Piece, card: Card | None) -> None:
        self.hold(player, without_piece(self.holdings[player], piece, card))
        self.tell(PiecePaid(self.who(player), piece, card))
        if card is not None:  # TEN-4.3, TEN-5.4
            self.discard((card,))

    def _receive(self, player: int, card: Card) -> None:
        self.hold(player, with_card(self.holdings[player], card))
        self.tell(CardReceived(self.who(player), card))
        if card.kind is Kind.JOKER:
            self._go_on()
        else:
            self._end_purchase()

    def _buy(self, seat: int, chosen: Action) -> None:
        """TEN-5.2: the choice is final, and the card leaves the market."""
        if not isinstance(chosen, Buy):
            self.tell(PurchaseDeclined(seat))
            return self._end_purchase()
        card = NUMBERS[chosen.colour, chosen.digit]
        self.market = Pile(without_card(self.market.cards, card))
        self.tell(CardChosen(seat, card))
        return self._ask_to_pay(seat, card, card.value)

    def _end_purchase(self) -> None:
        if self.last_buyers:
            self.last_buyers = self.last_buyers[1:]
            self._next_last_buyer()
        else:
            self._end_turn()

    # Turns

    def _ask(self, phase: Phase, seat: int) -> None:
        self.phase = phase
        self.deciders = (seat,)

    def _end_turn(self) -> None:
        if self.deck:
            return self.start_turn(round_from(self.active, self.seats)[0])
        self.last_buyers = last_buyers(self.active, self.seats)  # TEN-6.1, TEN-6.2
        self.tell(DeckFinished(self.last_buyers))
        return self._next_last_buyer()

    def _next_last_buyer(self) -> None:
        if self.last_buyers:
            self._ask(Phase.BUY, self.last_buyers[0])
        else:
            self._end()

    def _end(self) -> None:
        self.phase = Phase.OVER
        self.deciders = ()
        if self.limit:
            player, automa_ = self.holdings
            self.outcome = solo_outcome(player, automa_, self.limit)
        else:
            self.outcome = outcome(self.holdings)

    def _why_not(self, seat: object, action: object) -> str:
        if type(seat) is not int or not 0 <= seat < self.seats:
            return f"the seats are 0 to {self.seats - 1}"
        if self.phase is Phase.OVER:
            return "the game is over"
        if seat not in self.deciders:
            return f"seat {self.deciders[0]} decides now, not seat {seat}"
        legal = [str(allowed) for allowed in self.legal(seat)]
        more = f" or {len(legal) - _LISTED} others up to {legal[-1]!r}" if len(legal) > _LISTED else ""
        got = repr(str(action)) if isinstance(action, Action) else type(action).__name__
        return f"expected {', '.join(map(repr, legal[:_LISTED]))}{more}, got {got}"


def _highest(auction: Auction) -> int:
    return max([offer.amount for offer in auction.offers], default=0)
