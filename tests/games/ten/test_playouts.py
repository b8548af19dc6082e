"""What holds in every play, whatever the options and the number of seats: nothing is lost, nothing appears."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier_games.ten import TEN
from croupier_games.ten.data import DECKS, TOKEN_LIMIT, TOKENS, Card, Kind
from croupier_games.ten.holdings import resources
from croupier_games.ten.view import Phase, Piece

TABLES: list[tuple[int, dict[str, Any]]] = [
    (seats, {"fiasco": fiasco}) for seats in range(2, 6) for fiasco in (False, True)
] + [(1, {"fiasco": fiasco, "limit": limit}) for limit in range(4, 11) for fiasco in (False, True)]


class Player:
    """What an onlooker believes a player to own."""

    def __init__(self) -> None:
        self.tokens, self.bust_tokens = 5, 0
        self.cards: Counter[Card] = Counter()

    def matches(self, holding: Any) -> bool:
        return (self.tokens, self.bust_tokens, self.cards) == (
            holding.tokens,
            holding.bust_tokens,
            Counter(holding.numbers + holding.jokers),
        )


class Onlooker:
    """Follows every card and token by nothing but what everybody is told."""

    def __init__(self, seats: int) -> None:
        self.deck = Counter(DECKS[seats])
        self.bank = TOKENS - 5 * max(2, seats)
        self.players: dict[int | None, Player] = {seat: Player() for seat in range(seats)}
        if seats == 1:
            self.players[None] = Player()
        self.area: list[Card] = []
        self.pending: Counter[Card] = Counter()
        self.market: Counter[Card] = Counter()
        self.discards: Counter[Card] = Counter()

    def hear(self, what: Any) -> None:
        getattr(self, f"hear_{type(what).__name__}", lambda what: None)(what)

    def move(self, card: Card, there: Counter[Card], here: Counter[Card]) -> None:
        assert there[card] > 0, f"{card} is not there"
        there[card] -= 1
        here[card] += 1

    def clear(self, cards: tuple[Card, ...], here: Counter[Card]) -> None:
        assert list(cards) == [card for card in self.area if card.kind is Kind.NUMBER]
        here.update(cards)
        self.discards.update(card for card in self.area if card.kind is Kind.CURRENCY)
        self.area = []

    def hear_CardRevealed(self, what: Any) -> None:  # noqa: N802
        self.move(what.card, self.deck, self.pending)
        if what.card.kind is not Kind.JOKER:
            del self.pending[what.card]
            self.area.append(what.card)

    def hear_JokerDiscarded(self, what: Any) -> None:  # noqa: N802
        self.move(what.joker, self.pending, self.discards)

    def hear_CardChosen(self, what: Any) -> None:  # noqa: N802
        self.move(what.card, self.market, self.pending)

    def hear_CardReceived(self, what: Any) -> None:  # noqa: N802
        self.move(what.card, self.pending, self.players[what.seat].cards)

    def hear_PiecePaid(self, what: Any) -> None:  # noqa: N802
        player = self.players[what.seat]
        if what.piece is Piece.CARD:
            self.move(what.card, player.cards, self.discards)
        elif what.piece is Piece.TOKEN:
            player.tokens -= 1
            self.bank += 1
        else:
            player.bust_tokens -= 1

    def hear_NumbersTaken(self, what: Any) -> None:  # noqa: N802
        self.clear(what.cards, self.players[what.seat].cards)

    def hear_CurrencyTaken(self, what: Any) -> None:  # noqa: N802
        self.clear(what.cards, self.market)

    def hear_Busted(self, what: Any) -> None:  # noqa: N802
        if what.seat is not None:
            self.clear(what.cards, self.market)

    def hear_TokensGained(self, what: Any) -> None:  # noqa: N802
        self.players[what.seat].tokens += what.tokens
        self.bank -= what.tokens

    def hear_BustTokenGained(self, what: Any) -> None:  # noqa: N802
        self.players[what.seat].bust_tokens += 1

    def check(self, view: Any) -> None:
        """The table is as the events told."""
        assert view.deck_size == self.deck.total()
        assert list(view.area.cards) == self.area
        assert Counter(view.market.cards) == self.market
        assert Counter(view.discards.cards) == self.discards
        pending = [view.auction.joker] if view.auction else [view.payment.card] if view.payment else []
        assert Counter(pending) == self.pending
        for seat, player in self.players.items():
            assert player.matches(view.automa.holding if seat is None else view.holdings[seat])
        assert 0 <= self.bank <= TOKENS
        assert self.bank + sum(player.tokens for player in self.players.values()) == TOKENS


def check_conservation(state: Any) -> None:
    """Every card is in exactly one place, and nobody has more tokens than allowed."""
    everywhere = Counter(state.deck) + Counter(state.area.cards)
    everywhere += Counter(state.market.cards) + Counter(state.discards.cards)
    for holding in state.holdings:
        everywhere += Counter(holding.numbers) + Counter(holding.jokers)
        assert 0 <= holding.tokens <= TOKEN_LIMIT
        assert holding.bust_tokens >= 0
    if state.auction:
        everywhere[state.auction.joker] += 1
    if state.payment:
        everywhere[state.payment.card] += 1
    assert everywhere == Counter(DECKS[state.seats])


def check_bounds(state: Any) -> None:
    area = state.area
    assert area.currency_sum == sum(card.value for card in area.cards if card.kind is Kind.CURRENCY) <= 10
    assert area.total == sum(card.value for card in area.cards if card.kind is Kind.NUMBER) - area.currency_sum
    assert (state.deciders == ()) == (state.outcome is not None) == (state.phase is Phase.OVER)
    if state.payment:
        assert (
            resources(state.holdings[state.payment.seat], state.spare) >= state.payment.price - state.payment.paid > 0
        )
    for seat in range(state.seats):
        legal = state.legal(seat)
        assert bool(legal) == (seat in state.deciders)
        assert len(legal) < 300
    assert max(map(len, TEN.render(state.view(None)).splitlines())) <= 80


def check_outcome(state: Any) -> None:
    results = state.outcome.results
    if state.seats == 1:
        won = results[0].points > dict(results[0].tie_breaks)["automa_points"]
        assert results[0].place == (1 if won else 2)
        assert dict(results[0].tie_breaks).get("rank") == (state.limit if won else None)
        return
    figures = [(result.points, [figure for _, figure in result.tie_breaks]) for result in results]
    assert [result.place for result in results] == [1 + sum(other > own for other in figures) for own in figures]
    assert state.deck == ()


@pytest.mark.rule("TEN-D5", "TEN-3.3", "TEN-4.6")
@pytest.mark.parametrize(("seats", "options"), TABLES, ids=str)
def test_every_card_and_token_is_in_one_place_from_first_to_last(ten: Any, seats: int, options: Any) -> None:
    """An onlooker who hears only the events knows at any time where everything is."""
    for number in range(4):
        state, chance = ten.open(seats, number, **options), Random(number)
        onlooker = Onlooker(seats)
        actions = 0
        while state.deciders:
            check_conservation(state)
            check_bounds(state)
            onlooker.check(state.view(None))
            seat = state.deciders[0]
            state.play(seat, chance.choice(state.legal(seat)))
            actions += 1
            for event in state.events:
                assert event.audience is None
                onlooker.hear(event.what)
        check_conservation(state)
        onlooker.check(state.view(None))
        check_outcome(state)
        assert actions <= TEN.max_actions


def timid(chance: Random, legal: Any) -> Any:
    """Takes what it gets, bids a little, buys when it can."""
    return legal[-1] if str(legal[-1]).startswith("take") else chance.choice(legal)


def greedy(chance: Random, legal: Any) -> Any:
    """Draws and bids and buys as much as it may."""
    return legal[0] if str(legal[0]) in ("draw", "take bust token") else legal[-1]


@pytest.mark.parametrize("policy", [timid, greedy])
@pytest.mark.parametrize(("seats", "options"), TABLES[:9], ids=str)
def test_stubborn_players_end_in_time_too(ten: Any, seats: int, options: Any, policy: Any) -> None:
    state, chance, actions = ten.open(seats, 3, **options), Random(3), 0
    while state.deciders:
        check_conservation(state)
        seat = state.deciders[0]
        state.play(seat, policy(chance, state.legal(seat)))
        actions += 1
    assert actions <= TEN.max_actions == 991


@settings(max_examples=40, deadline=None)
@given(table=st.sampled_from(TABLES), seed=st.binary(min_size=32, max_size=32), luck=st.integers(0, 2**32))
def test_any_play_can_be_saved_cloned_and_resampled(table: Any, seed: bytes, luck: int) -> None:
    seats, options = table
    state = TEN.new(seats=seats, options=options, seed=seed)
    chance = Random(luck)
    while state.deciders:
        seat = state.deciders[0]
        if chance.random() < 0.05:
            twin = state.resample(seat, chance.randbytes(32))
            assert twin.view(seat) == state.view(seat)
            assert twin.legal(seat) == state.legal(seat)
            check_conservation(twin)
            restored = TEN.restore(state.save())
            assert restored.save() == state.save()
            assert (restored.deciders, restored.legal(seat)) == (state.deciders, state.legal(seat))
            state = restored.clone()
        state.play(seat, chance.choice(state.legal(seat)))
    assert TEN.restore(state.save()).outcome == state.outcome


@pytest.mark.rule("ALL-1")
def test_what_players_do_never_changes_what_is_drawn(ten: Any) -> None:
    """The same seed gives the same deck to whoever plays."""
    drawn = []
    for luck in range(3):
        state, chance, cards = ten.open(3, 8), Random(luck), []
        while state.deciders:
            seat = state.deciders[0]
            state.play(seat, chance.choice(state.legal(seat)))
            cards += [str(event.what.card) for event in state.events if type(event.what).__name__ == "CardRevealed"]
        drawn.append(cards)
    assert drawn[0] == drawn[1] == drawn[2]
    assert len(drawn[0]) == 106
