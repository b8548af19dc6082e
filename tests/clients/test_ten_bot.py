"""The house bot of TEN: it knows the odds and what runs need, reads the wire rightly, and beats chance."""

import json
from collections import Counter
from hashlib import sha256
from random import Random
from typing import Any

import pytest
from tests.clients.matches import BLOCKS, blocks_won, play_out

from croupier.games.ten.v1 import ten_pb2 as pb
from croupier.v1 import bots_pb2, games_pb2, turns_pb2
from croupier_bots import ten as bot
from croupier_client import Turn
from croupier_games import GAMES
from croupier_games.game import Action
from croupier_games.ten.data import DECKS, LARGE, Card, Kind
from croupier_games.ten.view import EMPTY_AREA, Auction, Holding, Offer, Payment, Phase, Pile, View
from croupier_service.wire.games import GameCodec

TEN = GAMES["ten"]
BY_NAME = {str(card): card for card in LARGE}


def cards(text: str) -> tuple[Card, ...]:
    return tuple(BY_NAME[name] for name in text.split())


def holding(text: str = "", tokens: int = 5, bust: int = 0) -> Holding:
    held = sorted(cards(text))
    numbers = tuple(card for card in held if card.kind is Kind.NUMBER)
    return Holding(tokens, bust, numbers, tuple(card for card in held if card.kind is Kind.JOKER))


def view(*holdings: Holding, area: str = "", gone: str = "", **parts: Any) -> View:
    """Seat 0 decides; cards that lie nowhere are in the deck, unless a deck size is given."""
    laid = EMPTY_AREA
    for card in cards(area):
        laid = laid.with_card(card)
    players = holdings if len(holdings) > 1 else (*holdings, holding())
    usual = {
        "phase": Phase.DRAW,
        "active": 0,
        "deciding": 0,
        "deck_size": 60,
        "area": laid,
        "auction": None,
        "payment": None,
        "last_buyers": (),
        "market": Pile(()),
        "discards": Pile(tuple(sorted(cards(gone)))),
        "holdings": players,
        "automa": None,
    }
    return View(**(usual | parts))


def chosen(shown: View) -> str:
    return str(bot.choose(shown, 0))


def test_it_draws_what_it_must_and_stops_on_the_brink() -> None:
    assert chosen(view(holding())) == "draw"
    assert chosen(view(holding(), area="B1")) == "draw"
    assert chosen(view(holding(), area="B6 G4")) == "take numbers"
    assert chosen(view(holding("B1", tokens=0), area="B1 $5 $5")) == "take currency"


def test_bust_odds_come_from_what_has_been_seen() -> None:
    """With 8 in the area it stops, unless nearly all cards above 2 are known to be gone."""
    high = [card for card in DECKS[2] if card.kind is Kind.NUMBER and card.value > 2 and str(card)[0] != "B"]
    shown = view(holding("B5 B6 B7"), area="B8")
    assert chosen(shown) == "take numbers"
    assert chosen(shown._replace(discards=Pile(tuple(high)))) == "draw"


def test_what_is_left_in_the_deck_is_all_that_lies_nowhere() -> None:
    shown = view(holding("B1 ?3"), holding("G4 G4"), area="O5 $2", gone="P1 P1 $1", market=Pile(cards("B9")))
    left = bot.Outlook(shown, 0, bot.W).unseen()
    seen = Counter(cards("B1 ?3 G4 G4 O5 $2 P1 P1 $1 B9"))
    assert left == Counter(DECKS[2]) - seen
    assert 0 not in left.values()


def test_cards_and_jokers_are_worth_what_they_add_to_runs() -> None:
    outlook = bot.Outlook(view(holding("B1 B2 B4 B5 G7")), 0, bot.W)
    worth = {name: outlook.hand.gain(*cards(name)) for name in ("B3", "B9", "G6", "B4")}
    assert worth["B3"] > worth["G6"] > worth["B4"] == 0
    assert worth["B3"] > worth["B9"]
    promise = outlook.promise
    plain = bot.Hand(holding("B1 B2 B4 B5 G7"), promise).worth
    assert bot.Hand(holding("B1 B2 B4 B5 G7 ?3"), promise).worth == outlook.hand.plus(cards("B3")).worth
    assert bot.Hand(holding("B1 B2 B4 B5 G7 ?#"), promise).worth > bot.Hand(holding("B1 B2 B4 B5 G7 O#"), promise).worth
    assert bot.Hand(holding("B1 B2 B4 B5 G7 O#"), promise).worth > plain


def test_promises_are_scores_at_the_end_and_more_before() -> None:
    """With no card to come, a colour is worth its longest run; the digits of bits 0, 1 and 3 are 1, 2 and 4."""
    end, start = bot.promises(0, bot.W), bot.promises(bot.STEPS, bot.W)
    assert [end[wild][0b1011] for wild in range(3)] == [2, 4, 5]
    assert end[0][0b111111111] == 10
    assert end[1][0b111111110] == 10
    assert all(later >= now for wild in range(3) for now, later in zip(end[wild], start[wild], strict=True))


def auction(joker: str, *offers: tuple[int | None, int]) -> Any:
    return {"phase": Phase.AUCTION, "auction": Auction(cards(joker)[0], tuple(Offer(*offer) for offer in offers))}


def test_it_bids_more_for_a_joker_that_joins_two_runs() -> None:
    """In the last position just enough, and nothing for what is not worth it."""
    rich = {"tokens": 10}
    assert chosen(view(holding("B1 B2 B4 B5 B6", **rich), **auction("?3", (1, 2)))) == "bid 3"
    assert chosen(view(holding("B1 B2 B3 B4 B5 B6 B7 B8 B9", **rich), **auction("B#", (1, 2)))) == "pass"
    assert chosen(view(holding("B1 B2 B4 B5 B6", tokens=0), **auction("?3", (1, 9)))) == "pass"


def test_it_bids_no_more_than_the_others_can_answer() -> None:
    shown = view(holding("B1 B2 B3 B4 B6 B7 B8 B9", tokens=10), holding(tokens=2), **auction("?5"))
    assert chosen(shown) == "bid 2"


@pytest.mark.parametrize(
    ("mine", "theirs", "said"), [(10, 6, "bid 6"), (7, 10, "bid 7"), (10, 8, "bid 8"), (4, 9, "pass")]
)
def test_alone_it_outbids_ten_or_makes_it_pay(mine: int, theirs: int, said: str) -> None:
    """TEN bids one more whenever it can: so either all it has is topped, or it pays as much as can be claimed."""
    state = json.loads(TEN.new(seats=1, seed=bytes(32)).save())
    own = cards("B1 B2 B3 B4 B6 B7 B8 B9")
    joker = cards("?5")[0]
    deck = Counter(DECKS[1]) - Counter(own) - Counter([joker])
    state |= {"phase": Phase.AUCTION, "active": 1, "auction": [joker, []], "deck": sorted(deck.elements())}
    state |= {"holdings": [[mine, 0, own, []], [theirs, 0, [], []]], "automa_revealed": [joker]}
    table = TEN.restore(json.dumps(state, sort_keys=True, separators=(",", ":")).encode())
    assert str(bot.choose(table.view(0), 0)) == said  # type: ignore[arg-type]


def test_it_pays_with_what_it_needs_least() -> None:
    def pays(held: Holding, price: int = 1, paid: int = 0) -> str:
        return chosen(view(held, phase=Phase.PAY, payment=Payment(0, cards("P5")[0], price, paid)))

    assert pays(holding("B1 B1 B2", tokens=3)) == "pay B1"
    assert pays(holding("B1 B2 B3", tokens=3)) == "pay token"
    assert pays(holding("B1 B2 B3", tokens=3, bust=1), price=1) == "pay token"
    assert pays(holding("B1 B2 B3 B9", tokens=0)) == "pay B9"
    assert pays(holding("B1 B2 B3", tokens=0, bust=1), price=3) == "pay bust token"


def test_it_buys_what_its_runs_need() -> None:
    shop = {"phase": Phase.BUY, "market": Pile(cards("B3 G9 P1"))}
    assert chosen(view(holding("B1 B2 B4 B5", tokens=9), **shop)) == "buy B3"
    assert chosen(view(holding("B1 B2 B4 B5", tokens=0), **shop | {"market": Pile(cards("B9"))})) == "pass"


def test_last_purchases_spend_everything_for_a_point() -> None:
    last = {"phase": Phase.BUY, "deck_size": 0, "last_buyers": (0,)}
    assert chosen(view(holding("B1 B2", tokens=9), **last, market=Pile(cards("B4 O9 B2")))) == "buy O9"
    assert chosen(view(holding("B1 B2 B3", tokens=0), **last, market=Pile(cards("B4")))) == "pass"
    assert chosen(view(holding("B1 B2 B3 B3 B3 B3 B3", tokens=0), **last, market=Pile(cards("B4")))) == "buy B4"


def test_after_a_bust_it_takes_what_is_worth_more() -> None:
    bust = {"phase": Phase.BUST, "market": Pile(cards("B5"))}
    assert chosen(view(holding("B1 B2 B3 B4 B6 B7", tokens=10), **bust)) == "take purchase"
    assert chosen(view(holding("O1", tokens=1), **bust)) == "take bust token"


def house(shown: View, seat: int, legal: tuple[Action, ...]) -> Action:
    return bot.choose(shown, seat)


def test_it_beats_chance_in_nearly_every_duplicate_block(capsys: pytest.CaptureFixture[str]) -> None:
    """A block is one deal played from both seats; at least 95 of 100 are won."""
    won = blocks_won(TEN, house)
    with capsys.disabled():
        print(f"\nten: the house bot wins {won} of {BLOCKS} blocks against chance")
    assert won >= 0.95 * BLOCKS


def test_alone_it_beats_the_easiest_automa_most_of_the_time() -> None:
    outcomes = [play_out(TEN, sha256(b"solo/%d" % number).digest(), [house], limit=4) for number in range(20)]
    assert sum(outcome.results[0].place == 1 for outcome in outcomes) >= 15


@pytest.mark.parametrize(
    ("seats", "options"), [(1, {"limit": 10}), (1, {"fiasco": True}), (2, {}), (3, {"fiasco": True}), (4, {}), (5, {})]
)
def test_a_table_of_house_bots_plays_to_the_end_and_always_the_same(seats: int, options: Any) -> None:
    outcomes = [play_out(TEN, bytes(32), [house] * seats, **options) for _ in range(2)]
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize(("seats", "options"), [(1, {"fiasco": True}), (3, {"fiasco": True})])
def test_what_it_reads_from_the_wire_is_what_the_rules_show(seats: int, options: Any) -> None:
    """Every view of a whole game, written by the service and read by the bot, whose answers are legal."""
    codec = GameCodec(TEN)
    state = TEN.new(seats=seats, options=options, seed=bytes(32))
    random = Random(3)
    while True:
        message = games_pb2.GameView.FromString(codec.view(state.view(None)))
        assert bot.seen(message.ten) == state.view(None)
        if not state.deciders:
            break
        [seat] = state.deciders
        legal = state.legal(seat)
        assert bot.play(Turn(turns_pb2.Turn(seat=seat, view=message))) in map(str, legal)
        state.play(seat, legal[int(random.random() * len(legal))])


def test_another_game_is_refused_in_words() -> None:
    raw = turns_pb2.Turn()
    raw.view.other.type_url = "type.googleapis.com/somebody.chess.View"
    with pytest.raises(TypeError, match="not chess"):
        bot.play(Turn(raw, bots_pb2.Seated(game_id="chess")))


def test_the_message_has_a_field_for_everything_that_is_read() -> None:
    assert set(View._fields) == {field.name for field in pb.View.DESCRIPTOR.fields}
