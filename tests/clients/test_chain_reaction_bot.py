"""The house bot of Chain Reaction: it sees all placements, knows what tokens are worth, and beats chance."""

from random import Random
from typing import Any

import pytest
from tests.clients.matches import BLOCKS, blocks_won, play_out

from croupier.games.chain_reaction.v1 import chain_reaction_pb2 as pb
from croupier.v1 import bots_pb2, games_pb2, turns_pb2
from croupier_bots import chain_reaction as bot
from croupier_client import Turn
from croupier_games import GAMES
from croupier_games.chain_reaction.data import Bonus, Colour, Symbol, Tile
from croupier_games.chain_reaction.reaction import Column
from croupier_games.chain_reaction.table import WITHOUT_TOKENS
from croupier_games.chain_reaction.view import Payment, Phase, Player, Supply, View
from croupier_games.game import Action
from croupier_service.wire.games import GameCodec

CHAIN_REACTION = GAMES["chain_reaction"]
TOKENS = (Bonus((1, 1, 1), 8), Bonus((1, 2, 3, 4), 15), Bonus((2, 2, 2), 11), Bonus((4, 4, 4, 4), 24))


def tile(edges: str, face: str = "1r") -> Tile:
    top, right, bottom, left = (Symbol[letter] for letter in edges)
    return Tile(top, right, bottom, left, int(face[0]), next(c for c in Colour if c.letter == face[1]))


def collected(text: str) -> tuple[Tile, ...]:
    return tuple(tile("ABCD", face) for face in text.split())


def view(columns: list[list[Tile]], **parts: Any) -> View:
    """Seat 0 to place ABCD, red being its colour, against one other seat."""
    usual = {
        "phase": Phase.PLACE,
        "turn": 0,
        "columns": tuple(Column(tuple(tiles)) for tiles in columns),
        "players": (Player((), ()), Player((), ())),
        "supply": Supply(TOKENS),
        "hand_sizes": (1, 1),
        "stack_size": 20,
        "payment": None,
        "hand": tile("ABCD"),
        "secret": Colour.RED,
        "colours": (),
    }
    return View(**(usual | parts))


FLOOR = [[tile("EEEE")] for _ in range(5)]


def test_it_finds_the_placement_that_takes_most() -> None:
    """Only on column 3, and with C on its left, does the tile touch a match: the symbol after C is then on top."""
    columns = [*FLOOR[:1], [tile("EEEE"), tile("ECEE", "2g")], *FLOOR[:3]]
    assert str(bot.choose(view(columns), 0)) == "3D"


def test_the_own_colour_counts_twice() -> None:
    columns = [[tile("EEEE"), tile("EAEE", "3g")], [tile("EEEE")], [tile("EEEE"), tile("EBEE", "2r")], *FLOOR[:2]]
    assert str(bot.choose(view(columns), 0)) == "4C"
    assert str(bot.choose(view(columns, secret=Colour.BLUE), 0)) == "2B"


def test_a_tile_that_completes_a_token_is_worth_more() -> None:
    columns = [[tile("EEEE"), tile("EAEE", "1b")], [tile("EEEE")], [tile("EEEE"), tile("EBEE", "2b")], *FLOOR[:2]]
    both = {"stack_size": 0, "supply": Supply((Bonus((1, 1, 1), 8),))}
    pair = (Player(collected("1g 1b"), ()), Player((), ()))
    assert str(bot.choose(view(columns, **both, players=pair), 0)) == "2B"
    assert str(bot.choose(view(columns, **both), 0)) == "4C"


@pytest.mark.parametrize(("theirs", "ends"), [("", True), ("4b 4b 4b", False)])
def test_it_ends_a_game_that_it_wins_and_no_other(theirs: str, ends: bool) -> None:
    """Put on column 2 with B on top, the tile takes what is below, falls to the floor and takes all of column 1."""
    columns = [[tile("EAEE", "4g")], [tile("DEEE", "1b")], *FLOOR[:3]]
    players = (Player((), ()), Player(collected(theirs), ()))
    assert (str(bot.choose(view(columns, players=players), 0)) == "2B") == ends


@pytest.mark.parametrize(
    ("tiles", "stack", "claim"),
    [
        ("1g 1b 1y", 0, "claim 111=8"),
        ("1g 2b 3y 4g 2g", 0, "claim 1234=15"),
        ("1r 1r 1r", 0, "claim 111=8"),
        ("4r 4r 4r 4r", 0, "end"),  # 32 points as they are, 24 for the token
        ("2r 2r 2r", 0, "end"),
        ("2g 2r 2r", 0, "claim 222=11"),
        ("1g 2b", 0, "end"),
        ("1g 1b 1y", 48, "end"),  # better sets may come
        ("4g 4b 4y 4g", 48, "end"),
        ("4g 4b 4y 4g", 0, "claim 4444=24"),
    ],
)
def test_it_claims_what_gains_most_and_keeps_what_is_worth_more(tiles: str, stack: int, claim: str) -> None:
    state = view(
        FLOOR, phase=Phase.CLAIM, hand=None, stack_size=stack, players=(Player(collected(tiles), ()), Player((), ()))
    )
    assert str(bot.choose(state, 0)) == claim


def test_it_pays_with_other_colours_first() -> None:
    payment = Payment(Bonus((1, 1, 1), 8), (1, 1))
    for tiles, paid in (("1r 1b 1y", "discard 1b"), ("1r 2b", "discard 1r")):
        players = (Player(collected(tiles), ()), Player((), ()))
        assert str(bot.choose(view(FLOOR, phase=Phase.DISCARD, hand=None, payment=payment, players=players), 0)) == paid


def brute_force(tokens: tuple[Bonus, ...], others: list[int], own: list[int]) -> int:
    """The most that tokens can add, by trying every order of claims and every way to pay."""
    best = 0
    for place, token in enumerate(tokens):
        ways = [(others, own, token.points)]
        for number in token.numbers:
            ways = [
                ([*o[: number - 1], o[number - 1] - (not mine), *o[number:]],
                 [*w[: number - 1], w[number - 1] - mine, *w[number:]],
                 gain - number * (1 + mine))
                for o, w, gain in ways for mine in (False, True)
                if (w if mine else o)[number - 1]
            ]  # fmt: skip
        left = tokens[:place] + tokens[place + 1 :]
        best = max([best, *[gain + brute_force(left, o, w) for o, w, gain in ways]])
    return best


def test_the_best_set_of_tokens_is_that_of_trying_everything() -> None:
    chance = Random(5)
    pool = [Bonus((1, 1), 4), Bonus((1, 2, 3), 9), Bonus((2, 3), 7), Bonus((3, 3, 4), 13), Bonus((4,) * 2, 11)]
    for _ in range(60):
        tokens = tuple(sorted(chance.choices(pool, k=3)))
        others = [chance.randrange(3) for _ in range(4)]
        own = [chance.randrange(2) for _ in range(4)]
        kinds = bot.worthwhile(tokens, 0.0)
        assert bot.purchases(kinds, tuple(others), tuple(own), 0.0)[0] == brute_force(tokens, others, own)


def house(shown: View, seat: int, legal: tuple[Action, ...]) -> Action:
    return bot.choose(shown, seat)


def test_it_beats_chance_in_nearly_every_duplicate_block(capsys: pytest.CaptureFixture[str]) -> None:
    """A block is one deal played from both seats; at least 95 of 100 are won."""
    won = blocks_won(CHAIN_REACTION, house)
    with capsys.disabled():
        print(f"\nchain_reaction: the house bot wins {won} of {BLOCKS} blocks against chance")
    assert won >= 0.95 * BLOCKS


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", [{}, {"table": WITHOUT_TOKENS}])
def test_a_table_of_house_bots_plays_to_the_end_and_always_the_same(seats: int, options: Any) -> None:
    outcomes = [play_out(CHAIN_REACTION, bytes(32), [house] * seats, **options) for _ in range(2)]
    assert outcomes[0] == outcomes[1]
    assert min(result.place for result in outcomes[0].results) == 1


def test_what_it_reads_from_the_wire_is_what_the_rules_show() -> None:
    """Every view of a whole game, written by the service and read by the bot."""
    codec = GameCodec(CHAIN_REACTION)
    state = CHAIN_REACTION.new(seats=3, seed=bytes(32))
    random = Random(3)
    while True:
        for seat in (0, 1, 2, None):
            message = games_pb2.GameView.FromString(codec.view(state.view(seat))).chain_reaction
            assert bot.seen(message) == state.view(seat)
        if not state.deciders:
            break
        seat = state.deciders[0]
        raw = turns_pb2.Turn(seat=seat, view=games_pb2.GameView.FromString(codec.view(state.view(seat))))
        assert bot.play(Turn(raw)) in map(str, state.legal(seat))
        legal = state.legal(seat)
        state.play(seat, legal[int(random.random() * len(legal))])


def test_another_game_is_refused_in_words() -> None:
    raw = turns_pb2.Turn()
    raw.view.other.type_url = "type.googleapis.com/somebody.chess.View"
    with pytest.raises(TypeError, match="not chess"):
        bot.play(Turn(raw, bots_pb2.Seated(game_id="chess")))


def test_the_message_has_a_field_for_everything_that_is_read() -> None:
    assert set(View._fields) == {field.name for field in pb.View.DESCRIPTOR.fields}
