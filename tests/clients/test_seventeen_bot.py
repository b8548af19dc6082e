"""The house bot of 17: its odds are right, it calls when it should, and it beats chance."""

from itertools import combinations
from typing import Any

import pytest
from tests.clients.matches import BLOCKS, blocks_won, play_out

from croupier.games.seventeen.v1 import seventeen_pb2 as pb
from croupier.v1 import bots_pb2, games_pb2, turns_pb2
from croupier_bots import seventeen as bot
from croupier_client import Turn
from croupier_games import GAMES
from croupier_games.game import Action
from croupier_games.seventeen.data import COPIES, HEARTS, NAMES, Card
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
from croupier_service.wire.games import GameCodec

SEVENTEEN = GAMES["seventeen"]
CARDS = {name: card for card, name in NAMES.items()}


def cards(text: str) -> tuple[Card, ...]:
    return tuple(CARDS[word] for word in text.split())


def row(text: str) -> Row:
    """ "1:3 0:(trap) 1:heart": cards as seat 0 sees them."""
    laid = []
    for word in text.split():
        seat, name = word.split(":")
        card = CARDS[name.strip("()")]
        laid.append(RowCard(int(seat), card, "(" in name or card is Card.HEART))
    return Row(tuple(laid))


def view(hand: str, laid: str = "", **parts: Any) -> View:
    """Seat 0 to lay or call, against one other seat."""
    usual: dict[str, Any] = {
        "phase": Phase.TURN,
        "round": Round(1, 0, None),
        "players": (Player((), 3, 0, 0), Player((), 3, 0, 0)),
        "hand": Hand(cards(hand)),
        "row": row(laid),
        "draw_pile": DrawPile(40, Card.HEART),
        "used_size": 0,
        "direction": Direction.CLOCKWISE,
        "turn": 0,
        "to_lay": 1,
        "play_two": False,
        "last_to_lay": 1 if laid else None,
        "choice": Choice.UNSPECIFIED,
        "cards_laid": 0,
    }
    return View(**(usual | parts))


def chosen(hand: str, laid: str = "", **parts: Any) -> str:
    return str(bot.choose(view(hand, laid, **parts), 0))


def odds(laid: str, hand: str = "1/1 1/1 1/1", **parts: Any) -> list[float]:
    return bot.Outlook(view(hand, laid, **parts), 0, bot.W).odds


def test_what_lies_face_up_and_what_it_hid_itself_is_certain() -> None:
    likely = odds("1:5/5 0:(4) 1:trap 0:3")
    assert likely == [0.0] * 12 + [1.0]


@pytest.mark.parametrize("hidden", [1, 2, 3])
def test_hidden_cards_may_be_any_heart_that_is_not_seen(hidden: int) -> None:
    """Compared with a count of every possible set of cards."""
    laid = "1:5/5 0:(4) 1:trap " + "1:heart " * hidden
    seen = list(cards("4 trap 5 5"))
    unseen = [card for card in HEARTS for _ in range(COPIES[card] - seen.count(card))]
    totals = [9 + sum(card.worth for card in drawn) for drawn in combinations(unseen, hidden)]
    likely = odds(laid, hand="5 5 1/1")
    assert sum(likely) == pytest.approx(1)
    assert likely == pytest.approx([totals.count(total) / len(totals) for total in range(len(likely))])
    traps = [Card.TRAP in drawn for drawn in combinations(unseen, hidden)]
    assert bot.Outlook(view("5 5 1/1", laid), 0, bot.W).trap == pytest.approx(sum(traps) / len(traps))


def test_cards_in_the_used_pile_are_not_in_the_row() -> None:
    """All fives were turned over in the round before; once the used pile is shuffled, they may be anywhere again."""
    ended = Showdown(1, 0, 1, row("0:5 1:5 0:5"), 15, (), (0, 1), (1, 0), (), 1)
    after = Round(2, 1, ended)
    assert odds("1:heart", round=after, used_size=3)[5] == 0
    assert odds("1:heart", round=after, used_size=0)[5] > 0


@pytest.mark.parametrize(
    ("hand", "laid", "choice"),
    [
        ("1/1 1/1 1/1", "1:5/5 1:5/5 1:5/5 1:2/2", "call"),  # 17: certain
        ("1/1 2/2 5/5", "1:5/5 1:5/5 1:5/5", "lay 1/1"),  # 16 is not yet 17
        ("1/1 5/5 4/4", "1:5/5 1:5/5 1:5/5 1:heart 1:heart 1:heart", "call"),  # 15 and three hearts
        ("trap 5/5 4/4", "1:5/5 1:5/5 1:5/5 1:1/1", "lay trap heart-up"),  # at 16 only a special helps
        ("remove-last 5/5 4/4", "1:5/5 1:5/5 1:2/2 1:4/4", "lay remove-last heart-up"),  # the other is at 16 then
        ("play-two 5/5 4/4", "1:5/5 1:5/5 1:2/2 1:4/4", "lay play-two face-up"),
        ("5/5 5/5 1/1", "1:1/1", "lay 5/5"),  # high numbers go while it is safe
    ],
)
def test_it_does_the_obvious(hand: str, laid: str, choice: str) -> None:
    assert chosen(hand, laid) == choice


def test_it_never_calls_between_two_cards_or_on_an_empty_row() -> None:
    assert chosen("1/1 1/1", "1:5/5 1:5/5 1:5/5 0:5/5", last_to_lay=0) == "lay 1/1"
    assert chosen("1/1 1/1 1/1") == "lay 1/1"


def test_without_a_card_it_calls() -> None:
    assert chosen("", "1:5/5") == "call"


@pytest.mark.parametrize(
    ("laid", "answer"), [("1:5/5", "pass"), ("1:5/5 0:5/5 1:5/5 1:2/2", "call"), ("1:5/5 0:5/5 1:5/5", "pass")]
)
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_after_a_lay_it_calls_what_has_come_to_17(laid: str, answer: str, seats: int) -> None:
    players = (Player((), 3, 0, 0),) * seats
    assert chosen("trap 1/1 1/1", laid, phase=Phase.CALLS, turn=1, to_lay=0, players=players) == answer


def test_to_be_next_at_a_high_row_is_bad_and_with_two_cards_to_lay_worse() -> None:
    one, two = bot.prospects(1), bot.prospects(2)
    assert one[16] < -0.3
    assert all(two[total] <= one[total] for total in (14, 15, 16))
    assert one[17] == two[17] == 1


def test_another_game_is_refused_in_words() -> None:
    raw = turns_pb2.Turn()
    raw.view.other.type_url = "type.googleapis.com/somebody.chess.View"
    with pytest.raises(TypeError, match="not chess"):
        bot.play(Turn(raw, bots_pb2.Seated(game_id="chess")))


def house(shown: View, seat: int, legal: tuple[Action, ...]) -> Action:
    return bot.choose(shown, seat)


def test_it_beats_chance_in_nearly_every_duplicate_block(capsys: pytest.CaptureFixture[str]) -> None:
    """A block is one deal played from both seats; at least 95 of 100 are won."""
    won = blocks_won(SEVENTEEN, house)
    with capsys.disabled():
        print(f"\nseventeen: the house bot wins {won} of {BLOCKS} blocks against chance")
    assert won >= 0.95 * BLOCKS


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_table_of_house_bots_plays_to_the_end_and_always_the_same(seats: int) -> None:
    outcomes = [play_out(SEVENTEEN, bytes(32), [house] * seats) for _ in range(2)]
    assert outcomes[0] == outcomes[1]
    assert "3 composure" in outcomes[0].reason


def test_what_it_reads_from_the_wire_is_what_the_rules_show() -> None:
    """Every view of a whole game, written by the service and read by the bot."""
    codec = GameCodec(SEVENTEEN)
    state = SEVENTEEN.new(seats=3, seed=bytes(32))
    while True:
        for seat in (0, 1, 2, None):
            message = games_pb2.GameView.FromString(codec.view(state.view(seat))).seventeen
            assert bot.seen(message) == state.view(seat)
        if not state.deciders:
            break
        seat = state.deciders[0]
        shown = state.view(seat)
        assert isinstance(shown, View)
        state.play(seat, bot.choose(shown, seat))


def test_a_turn_is_answered_with_a_notation() -> None:
    state = SEVENTEEN.new(seats=2, options={"start_seat": 1}, seed=bytes(32))
    raw = turns_pb2.Turn(seat=1, decision_id=1)
    raw.view.MergeFromString(GameCodec(SEVENTEEN).view(state.view(1)))
    assert isinstance(raw.view.seventeen, pb.View)
    answer = bot.play(Turn(raw, bots_pb2.Seated(game_id="seventeen")))
    assert SEVENTEEN.parse(answer) in state.legal(1)
