"""What TEN is made of, how it starts, and what is open: TEN-D1 to TEN-D5, TEN-1.1, TEN-1.2."""

from collections import Counter
from typing import Any

import pytest

from croupier_games.ten import TEN
from croupier_games.ten.data import COLOURS, DECKS, DIGITS, LARGE, MEDIUM, SMALL, TOKENS, Colour, Kind
from croupier_games.ten.view import Phase


def of(deck: Any, kind: Kind) -> list[Any]:
    return [card for card in deck if card.kind is kind]


@pytest.mark.rule("TEN-D1")
def test_every_colour_has_low_digits_three_times_and_high_ones_once() -> None:
    numbers = Counter(of(LARGE, Kind.NUMBER))
    assert numbers.total() == 84
    assert {card.colour for card in numbers} == set(COLOURS)
    for (_, _, digit), copies in numbers.items():
        assert copies == (3 if digit <= 6 else 1)
    assert all(sum(copies for card, copies in numbers.items() if card.colour is colour) == 21 for colour in COLOURS)


@pytest.mark.rule("TEN-D2")
def test_there_are_27_currency_cards() -> None:
    values = Counter(card.value for card in of(LARGE, Kind.CURRENCY))
    assert values == {1: 5, 2: 5, 3: 5, 4: 6, 5: 6}
    assert values.total() == 27


@pytest.mark.rule("TEN-D3")
def test_there_are_18_jokers_of_three_sorts() -> None:
    jokers = Counter((card.colour, card.value) for card in of(LARGE, Kind.JOKER))
    digit_jokers = {(Colour.NONE, digit): 1 for digit in DIGITS}
    colour_jokers = {(colour, 0): 2 for colour in COLOURS}
    assert jokers == digit_jokers | colour_jokers | {(Colour.NONE, 0): 1}
    assert jokers.total() == 18


@pytest.mark.rule("TEN-D4")
@pytest.mark.parametrize(
    ("deck", "numbers", "jokers", "currency"), [(LARGE, 84, 18, 27), (MEDIUM, 72, 14, 20), (SMALL, 60, 14, 15)]
)
def test_decks_have_the_totals_of_the_rulebook(deck: Any, numbers: int, jokers: int, currency: int) -> None:
    assert [len(of(deck, kind)) for kind in (Kind.NUMBER, Kind.JOKER, Kind.CURRENCY)] == [numbers, jokers, currency]
    assert len(deck) == {84: 129, 72: 106, 60: 89}[numbers]


@pytest.mark.rule("TEN-D4")
def test_smaller_decks_leave_out_what_is_marked() -> None:
    assert Counter(LARGE) - Counter(MEDIUM) == Counter(
        [card for card in set(of(LARGE, Kind.NUMBER)) if card.value in (4, 5, 6)]
        + [card for card in set(of(LARGE, Kind.JOKER)) if card.colour]
        + [card for card in set(of(LARGE, Kind.CURRENCY)) for _ in range(2 if card.value > 3 else 1)]
    )
    small = Counter(SMALL)
    assert all(small[card] == (2 if card.value <= 6 else 1) for card in of(SMALL, Kind.NUMBER))
    assert all(small[card] == 3 for card in of(SMALL, Kind.CURRENCY))
    assert {card for card in of(SMALL, Kind.JOKER) if card.colour} == {
        card for card in of(LARGE, Kind.JOKER) if card.colour
    }
    assert [DECKS[seats] for seats in range(1, 6)] == [SMALL, SMALL, MEDIUM, LARGE, LARGE]


@pytest.mark.rule("TEN-D5", "TEN-3.3")
def test_the_bank_cannot_run_out_of_tokens() -> None:
    """Five players at their limit of 10 hold exactly all 50."""
    assert TOKENS == 50


@pytest.mark.rule("TEN-D5")
def test_there_is_always_another_bust_token(ten: Any) -> None:
    """The box has 15; the sixteenth is as good as the others."""
    state = ten.table(2, deck="B9 G2 B1", bust=[15, 0])
    ten.say(state, "0 draw", "0 draw")
    assert state.holdings[0].bust_tokens == 16


@pytest.mark.rule("TEN-1.1", "TEN-D4")
@pytest.mark.parametrize("seats", range(1, 6))
def test_everybody_starts_with_five_tokens_and_the_deck_is_shuffled(ten: Any, seats: int) -> None:
    state = ten.open(seats)
    assert Counter(state.deck) == Counter(DECKS[seats])
    assert state.deck != ten.open(seats, 1).deck
    assert all(holding == (5, 0, (), ()) for holding in state.holdings)
    assert state.market.cards == state.discards.cards == state.area.cards == ()
    assert state.phase is Phase.DRAW


@pytest.mark.rule("TEN-1.1", "ALL-1", "ALL-2")
@pytest.mark.parametrize("seats", range(2, 6))
def test_the_start_player_is_random_unless_an_option_names_one(ten: Any, seats: int) -> None:
    assert {ten.open(seats, number).active for number in range(60)} == set(range(seats))
    for seat in range(seats):
        assert ten.open(seats, start_seat=seat).deciders == (seat,)
    assert ten.open(seats, 7).active == ten.open(seats, 7).active


@pytest.mark.rule("ALL-2")
def test_naming_the_start_seat_deals_the_same_cards(ten: Any) -> None:
    assert ten.open(3, start_seat=2).deck == ten.open(3).deck


@pytest.mark.rule("TEN-1.2", "ALL-5")
def test_everybody_sees_the_same_and_all_but_the_deck(ten: Any) -> None:
    state = ten.table(
        3, own=["B1 ?3", "G4 G4"], tokens=[2, 9, 5], bust=[0, 1], area="B3 $2", market="P5", deck="O1 O2 $1"
    )
    view = state.view(0)
    assert view == state.view(1) == state.view(2) == state.view(None)
    assert view.deck_size == 3
    assert [(holding.tokens, holding.bust_tokens) for holding in view.holdings] == [(2, 0), (9, 1), (5, 0)]
    assert ten.names(view.holdings[0].numbers + view.holdings[0].jokers) == "B1 ?3"
    assert (ten.names(view.area.cards), ten.names(view.market.cards)) == ("B3 $2", "P5")
    assert len(view.discards.cards) == 106 - 3 - 4 - 2 - 1
    with pytest.raises(ValueError, match="seats are 0 to 2"):
        state.view(3)


@pytest.mark.rule("TEN-1.2", "ALL-5")
@pytest.mark.parametrize("seats", range(1, 6))
def test_resampling_changes_the_order_of_the_deck_and_nothing_else(ten: Any, seats: int) -> None:
    state = ten.open(seats)
    ten.say(state, f"{state.deciders[0]} draw")
    for seat in (*range(seats), None):
        twin = state.resample(seat, ten.seed(5))
        assert twin.view(seat) == state.view(seat)
        assert twin.deck != state.deck
        assert Counter(twin.deck) == Counter(state.deck)
        assert (twin.deciders, twin.legal(0), twin.events) == (state.deciders, state.legal(0), state.events)


def test_resampling_does_not_depend_on_the_order_there_was(ten: Any) -> None:
    """Two worlds that nobody can tell apart become one."""
    state = ten.open(2)
    twin = state.resample(0, ten.seed(1))
    assert twin.resample(0, ten.seed(2)).deck == state.resample(0, ten.seed(2)).deck


@pytest.mark.rule("TEN-8.0", "ALL-2")
def test_options_that_do_not_fit_the_table_are_errors(ten: Any) -> None:
    from croupier_games.errors import OptionError

    for seats in range(2, 6):
        with pytest.raises(OptionError, match="'limit' is for a game with 1 seat"):
            ten.open(seats, limit=4)
    with pytest.raises(OptionError, match="'start_seat' is for 2 seats or more"):
        ten.open(1, start_seat=0)
    for limit in (3, 11):
        with pytest.raises(OptionError, match="from 4 to 10"):
            ten.open(1, limit=limit)
    assert ten.open(1).options == {"fiasco": False, "limit": 4}
    assert ten.open(2).options == {"fiasco": False}


def test_parts_of_a_view_that_did_not_change_are_the_same_objects(ten: Any) -> None:
    """What the wire has encoded once it need not encode again."""
    state = ten.table(3, deck="B1 B2 B3", own=["G1", "G2", "G3"], market="P1")
    before = state.view(0)
    ten.say(state, "0 draw")
    after = state.view(0)
    assert after.market is before.market
    assert after.discards is before.discards
    assert all(now is then for now, then in zip(after.holdings, before.holdings, strict=True))


def test_render_takes_views_of_ten_only() -> None:
    with pytest.raises(TypeError, match="expected a view of TEN"):
        TEN.render((1, 2))
