"""The LIE example: its odds are right, it knows every variant, and it beats chance."""

from fractions import Fraction
from hashlib import sha256
from itertools import combinations, product

import pytest

from croupier.games.lie.v1 import lie_pb2
from croupier.v1 import bots_pb2, catalog_pb2, turns_pb2
from croupier_client import Turn
from croupier_games import GAMES

LIE = GAMES["lie"]
VARIANTS = [
    {},
    {"bid_order": "count_first"},
    {"joker_ones": True},
    {"joker_ones": True, "bid_order": "count_first", "choose_direction": True},
    {"fewer_cards": True, "choose_direction": True},
    {"longer_game": True, "joker_ones": True},
]


@pytest.fixture
def lie_bot(example):
    return example("lie_bot")


@pytest.fixture
def random_play(example):
    return example("random_bot").RandomBot("7").play


def counted(unseen, drawn, counting) -> list[Fraction]:
    """The odds by trying every draw and every way to turn its cards."""
    tally = [0] * (drawn + 1)
    draws = list(combinations(unseen, drawn))
    for draw in draws:
        for shown in product(*draw):
            tally[sum(value in counting for value in shown)] += 1
    return [Fraction(times, len(draws) * 2**drawn) for times in tally]


@pytest.mark.parametrize("drawn", [0, 1, 2, 3])
@pytest.mark.parametrize("counting", [{4}, {1}, {1, 6}])
@pytest.mark.parametrize("own", [[], [(1, 2), (1, 6)], [(4, 5), (4, 5), (4, 6)]])
def test_odds_equal_a_count_of_every_case(lie_bot, drawn, counting, own) -> None:
    """With and without jokers, whatever the own hand takes out of the deck."""
    unseen = list(lie_bot.DECK)
    for card in own:
        unseen.remove(card)
    assert lie_bot.shown_odds(unseen, drawn, counting) == pytest.approx(
        [float(odds) for odds in counted(unseen, drawn, counting)]
    )


def test_the_deck_is_that_of_the_rules(lie_bot) -> None:
    """Every pair of values twice; each value ten times (LIE-D1)."""
    assert len(lie_bot.DECK) == 30
    assert all(sum(value in card for card in lie_bot.DECK) == 10 for value in range(1, 7))


def hand(*cards: tuple[int, int, int]) -> lie_pb2.Hand:
    return lie_pb2.Hand(cards=[lie_pb2.Card(low=low, high=high, showing=shown) for low, high, shown in cards])


def view(own: lie_pb2.Hand, sizes: list[int], bids=(), jokers: bool = False) -> lie_pb2.View:
    placed = [lie_pb2.PlacedBid(seat=seat, count=count, value=value) for seat, count, value in bids]
    return lie_pb2.View(
        phase=lie_pb2.PHASE_BID,
        round=lie_pb2.Round(hand_sizes=sizes, card_counts=sizes),
        hand=own,
        bids=placed,
        ones_are_jokers=jokers,
    )


def test_what_the_own_hand_shows_is_certain(lie_bot) -> None:
    own = hand((4, 5, 4), (3, 4, 4))
    truth = lie_bot.at_least(view(own, [2, 1]), 0, 4)
    unseen = list(lie_bot.DECK)
    unseen.remove((4, 5))
    unseen.remove((3, 4))
    assert truth[:3] == [1.0, 1.0, 1.0]
    assert truth[3] == pytest.approx(float(counted(unseen, 1, {4})[1]))


def test_jokers_count_for_every_value_but_not_as_more_ones(lie_bot) -> None:
    own = hand((1, 5, 1), (3, 5, 5))
    with_jokers = view(own, [2, 0], jokers=True)
    assert lie_bot.at_least(with_jokers, 0, 5) == [1.0, 1.0, 1.0]
    assert lie_bot.at_least(with_jokers, 0, 1) == [1.0, 1.0, 0.0]
    assert lie_bot.at_least(view(own, [2, 0]), 0, 5) == [1.0, 1.0, 0.0]


def test_a_bid_is_evidence_but_no_proof(lie_bot) -> None:
    """Whoever bids on a value is more likely to show it; the odds stay odds."""
    own = hand((1, 2, 1))
    silent = lie_bot.at_least(view(own, [1, 3]), 0, 6)
    bidding = lie_bot.at_least(view(own, [1, 3], bids=[(1, 2, 6)]), 0, 6)
    assert silent[1] < bidding[1] < 1
    assert silent[2] < bidding[2] < 1


@pytest.mark.parametrize(
    ("count_first", "lowest"), [(True, [(3, 5), (3, 6), (4, 1)]), (False, [(4, 4), (5, 4), (1, 5)])]
)
def test_raises_follow_the_bid_order(lie_bot, count_first, lowest) -> None:
    """After three 4s on five cards, in both readings of the rule (LIE-1.5)."""
    assert lie_bot.higher_bids(view(hand(), [2, 3], bids=[(1, 3, 4)]), count_first)[:3] == lowest


def test_a_hand_is_turned_towards_the_value_it_holds_often(lie_bot) -> None:
    own = hand((1, 3, 0), (2, 3, 0), (3, 6, 0), (1, 6, 0))
    assert lie_bot.arranged(view(own, [4, 4])) == [3, 3, 3, 6]
    assert lie_bot.arranged(view(own, [4, 4], jokers=True)) == [3, 3, 3, 1]


def test_another_game_is_refused_in_words(lie_bot) -> None:
    raw = turns_pb2.Turn()
    raw.view.other.type_url = "type.googleapis.com/somebody.chess.View"
    with pytest.raises(TypeError, match="not chess"):
        lie_bot.play(Turn(raw, bots_pb2.Seated(game_id="chess")))


def fill(message, values) -> None:
    """A view of the rules as the message of the same names."""
    for name in values._fields:
        value = getattr(values, name)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            getattr(message, name).SetInParent()
            fill(getattr(message, name), value)
        elif isinstance(value, tuple):
            for item in value:
                if isinstance(item, tuple):
                    fill(getattr(message, name).add(), item)
                else:
                    getattr(message, name).append(item)
        elif value is not None:
            setattr(message, name, value)


def notation(choice: lie_pb2.Action) -> str:
    match choice.WhichOneof("kind"):
        case "arrange":
            return " ".join(["show", *map(str, choice.arrange.values)])
        case "declare":
            clockwise = choice.declare.direction == lie_pb2.DIRECTION_CLOCKWISE
            return "clockwise" if clockwise else "counter-clockwise"
        case "bid":
            return f"{choice.bid.count}x{choice.bid.value}"
    return "challenge"


def play_out(seed: bytes, options, players) -> list[int]:
    """One game with no wire between the bots and the rules: the places, by seat."""
    state = LIE.new(seats=len(players), options=options, seed=seed)
    wire_options = {
        name: catalog_pb2.OptionValue(**{"flag" if isinstance(value, bool) else "text": value})
        for name, value in LIE.check(len(players), options).items()
        if isinstance(value, bool | str)
    }
    decisions = [0] * len(players)
    while state.deciders:
        seat = state.deciders[0]
        decisions[seat] += 1
        raw = turns_pb2.Turn(seat=seat, decision_id=decisions[seat], legal_count=len(state.legal(seat)))
        fill(raw.view.lie, state.view(seat))
        seating = bots_pb2.Seated(options=wire_options, seed_commitment=sha256(seed).digest())
        choice = players[seat](Turn(raw, seating))
        action = state.legal(seat)[choice] if isinstance(choice, int) else LIE.parse(notation(choice))
        state.play(seat, action)
    return [result.place for result in state.outcome.results]


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_it_beats_chance_in_every_variant(lie_bot, random_play, options) -> None:
    """At least 95 of 100 games with two seats, both seats alike; all its actions are legal."""
    wins = 0
    for number in range(100):
        mine = number % 2
        players = [lie_bot.play, random_play] if mine == 0 else [random_play, lie_bot.play]
        wins += play_out(sha256(b"%d" % number).digest(), options, players)[mine] == 1
    assert wins >= 95


def test_six_of_them_finish_a_game(lie_bot) -> None:
    places = play_out(bytes(32), {"joker_ones": True, "choose_direction": True}, [lie_bot.play] * 6)
    assert min(places) == 1


def test_the_same_deal_is_played_the_same_way(lie_bot, random_play) -> None:
    """The bots' whims come from the deal and the decision, not from when or how often they are asked."""
    seed = sha256(b"a deal").digest()
    games = [play_out(seed, {}, [lie_bot.play, random_play, lie_bot.play, random_play]) for _ in range(2)]
    assert games[0] == games[1]
