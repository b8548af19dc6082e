"""A view of TEN as text for people, at most 80 columns wide."""

from __future__ import annotations

from textwrap import wrap

from croupier_games.ten.data import COLOURS
from croupier_games.ten.view import AUTOMA, Auction, Holding, Payment, Phase, View, counted, listed

COLUMNS = 80
_INDENT = " " * 10


def render(view: View) -> str:
    """The whole table."""
    lines = [_headline(view), ""]
    if view.phase is not Phase.OVER:
        sums = f" (total {view.area.total}, currency {view.area.currency_sum})"
        lines += _paragraph("Area:", (listed(view.area.cards) or "empty") + sums)
    if view.auction:
        lines += _paragraph("Auction:", _offers(view.auction))
    if view.payment:
        lines += _paragraph("Payment:", _due(view.payment))
    lines += _paragraph("Market:", listed(view.market.cards) or "empty")
    lines += _paragraph("Discards:", listed(view.discards.cards) or "none")
    lines.append("")
    for seat, holding in enumerate(view.holdings):
        lines += _holding(f"{'>' if seat == view.deciding else ' '} seat {seat}", holding)
    if view.automa:
        lines += _holding(f"  {AUTOMA}", view.automa.holding)
        lines += _paragraph("", f"limit {view.automa.limit}; drew {listed(view.automa.revealed) or 'nothing yet'}")
    return "\n".join(lines)


def _headline(view: View) -> str:
    doing = {
        Phase.DRAW: f"seat {view.deciding} draws or takes a reward"
        if view.area.cards
        else f"seat {view.deciding} draws",
        Phase.AUCTION: f"seat {view.deciding} bids or passes",
        Phase.PAY: f"seat {view.deciding} pays",
        Phase.BUST: f"seat {view.deciding} busted and takes a bust token or a purchase",
        Phase.BUY: f"seat {view.deciding} {'makes a last purchase' if view.last_buyers else 'may buy'}",
        Phase.OVER: "the game is over",
    }[view.phase]
    return f"TEN: {doing}, {counted(view.deck_size, 'card')} in the deck"


def _offers(auction: Auction) -> str:
    made = [
        f"{AUTOMA if seat is None else f'seat {seat}'} {f'bids {amount}' if amount else 'passes'}"
        for seat, amount in auction.offers
    ]
    return f"{auction.joker}; {', '.join(made) or 'no bid yet'}"


def _due(payment: Payment) -> str:
    return f"seat {payment.seat} has paid {payment.paid} of {payment.price} for {payment.card}"


def _holding(label: str, holding: Holding) -> list[str]:
    parts = [counted(holding.tokens, "token")]
    if holding.bust_tokens:
        parts.append(counted(holding.bust_tokens, "bust token"))
    for colour in COLOURS:
        digits = [card.value for card in holding.numbers if card.colour is colour]
        if digits:
            parts.append(f"{colour.words} {' '.join(map(str, digits))}")
    if holding.jokers:
        parts.append(f"jokers {listed(holding.jokers)}")
    return _paragraph(f"{label}:", ", ".join(parts))


def _paragraph(label: str, text: str) -> list[str]:
    return wrap(f"{label:<{len(_INDENT)}}{text}", COLUMNS, subsequent_indent=_INDENT)
