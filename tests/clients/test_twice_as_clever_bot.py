"""The house bot of Doppelt so clever: what it thinks of a sheet, how many points it makes, and that it beats chance."""

from hashlib import sha256
from random import Random

import pytest

from croupier.v1 import bots_pb2, games_pb2, turns_pb2
from croupier_bots import twice_as_clever as bot
from croupier_bots import twice_as_clever_worth as sheets
from croupier_client import Turn
from croupier_games.twice_as_clever import TWICE_AS_CLEVER
from croupier_games.twice_as_clever.actions import FreeEntry, Mark
from croupier_games.twice_as_clever.data import TRACK_ENDS, Bonus, Color
from croupier_games.twice_as_clever.entries import FREE, enter, gain, has_entry
from croupier_games.twice_as_clever.sheet import EMPTY, green
from croupier_games.twice_as_clever.view import Phase
from croupier_service.wire.games import GameCodec

SOLO_GAMES = 500
BLOCKS = 200


class AtRandom:
    """Takes any legal action, the same whenever this seat of this deal comes to it again."""

    def __init__(self, seed: bytes, seat: int) -> None:
        self._random = Random(seed + bytes([seat]))

    def __call__(self, view, seat, legal):
        return legal[int(self._random.random() * len(legal))]


def play_out(seed: bytes, players, **options) -> list[int]:
    """One game with no wire between the players and the rules: the points, by seat."""
    state = TWICE_AS_CLEVER.new(seats=len(players), options=options, seed=seed)
    while state.deciders:
        seat = state.deciders[0]
        state.play(seat, players[seat](state.view(seat), seat, state.legal(seat)))
    return [result.points for result in state.outcome.results]


def worth(sheet, time: float) -> float:
    return sheets.value(sheet, sheets.outlook(time, sheets.WEIGHTS))


def deal(name: str, number: int) -> bytes:
    return sha256(f"{name}/{number}".encode()).digest()


def test_alone_it_makes_180_points_on_average_and_chance_far_less() -> None:
    seeds = [deal("solo", number) for number in range(SOLO_GAMES)]
    clever = sum(play_out(seed, [bot.choose])[0] for seed in seeds) / SOLO_GAMES
    random = sum(play_out(seed, [AtRandom(seed, 0)])[0] for seed in seeds) / SOLO_GAMES
    print(f"\ntwice_as_clever solo, {SOLO_GAMES} games: the house bot {clever:.1f} points, random play {random:.1f}")
    assert clever >= 180
    assert random < 100


def test_it_beats_chance_in_98_of_100_duplicate_blocks() -> None:
    """A block: the same deal, both seatings. It is won if the points of both games together favour the bot."""
    won = 0
    for number in range(BLOCKS):
        seed = deal("block", number)
        first = play_out(seed, [bot.choose, AtRandom(seed, 1)])
        second = play_out(seed, [AtRandom(seed, 0), bot.choose])
        won += first[0] + second[1] > first[1] + second[0]
    print(f"\ntwice_as_clever, two seats: the house bot wins {won} of {BLOCKS} duplicate blocks against random play")
    assert won >= 0.98 * BLOCKS


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
@pytest.mark.parametrize("options", [{}, {"allow_skip": False, "fox_floor_zero": True}], ids=["usual", "strict"])
def test_it_plays_every_table_and_the_same_deal_the_same_way(seats: int, options) -> None:
    points = [play_out(deal("table", seats), [bot.choose] * seats, **options) for _ in range(2)]
    assert points[0] == points[1]
    assert min(points[0]) > 60


def test_over_the_wire_it_sees_and_does_the_same() -> None:
    codec = GameCodec(TWICE_AS_CLEVER)
    state = TWICE_AS_CLEVER.new(seats=3, seed=deal("wire", 0))
    while state.deciders:
        seat = state.deciders[-1]
        view, legal = state.view(seat), state.legal(seat)
        raw = turns_pb2.Turn(
            seat=seat,
            view=games_pb2.GameView.FromString(codec.view(view)),
            legal=[turns_pb2.LegalAction(notation=str(action)) for action in legal],
            legal_count=len(legal),
        )
        assert bot.seen(raw.view.twice_as_clever) == view._replace(task=None)
        action = bot.choose(view, seat, legal)
        assert bot.play(Turn(raw)) == str(action)
        state.play(seat, action)


def test_another_game_is_refused_in_words() -> None:
    raw = turns_pb2.Turn()
    raw.view.lie.SetInParent()
    with pytest.raises(TypeError, match="plays twice_as_clever, not lie"):
        bot.play(Turn(raw, bots_pb2.Seated(game_id="lie")))


def test_time_runs_from_the_first_turn_to_the_last_extra_dice() -> None:
    for seats in (1, 2, 3, 4):
        state = TWICE_AS_CLEVER.new(seats=seats, seed=deal("time", seats))
        times = [bot.time_left(state.view(0))]
        while state.deciders:
            seat = state.deciders[0]
            state.play(seat, state.legal(seat)[-1])
            if state.phase != Phase.OVER:
                times.append(bot.time_left(state.view(0)))
        assert times[0] == 1
        assert times == sorted(times, reverse=True)
        assert times[-1] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("time", [1.0, 0.5, 0.0])
def test_a_sheet_is_worth_more_with_a_good_entry_and_at_the_end_its_points(time: float) -> None:
    before = worth(EMPTY, time)
    for area, number in ((Color.PINK, 6), (Color.BLUE, 12)):
        assert worth(enter(EMPTY, area, number).sheet, time) > before
    if not time:
        assert before == 0
        sheet = enter(enter(EMPTY, Color.PINK, 6).sheet, Color.BLUE, 9).sheet
        assert worth(sheet, time) == pytest.approx(7)


def test_it_wants_high_numbers_first_in_a_pair_and_low_ones_second() -> None:
    def with_green(*numbers: int) -> float:
        return worth(EMPTY._replace(green=green(numbers)), 0.5)

    assert with_green(12) > with_green(6) > with_green(2)
    assert with_green(12, 2) > with_green(12, 6) > with_green(12, 12)


@pytest.mark.parametrize("seats", [1, 2])
def test_an_entry_is_weighed_as_the_sheet_that_it_makes(seats: int) -> None:
    """The bot weighs entries without making them; that comes to the same as making them."""
    weighed, chains = 0, 0
    for number in range(12):
        state, chance = TWICE_AS_CLEVER.new(seats=seats, seed=deal("entry", number)), Random(number)
        while state.deciders:
            seat = state.deciders[0]
            view, legal = state.view(seat), state.legal(seat)
            outlook = sheets.outlook(bot.time_left(view), sheets.WEIGHTS)
            judge = bot.Judge(view, view.sheets[seat], outlook)
            assert judge.now == pytest.approx(sheets.value(view.sheets[seat], outlook))
            for action in legal:
                if isinstance(action, Mark | FreeEntry):
                    entered, gained = enter(view.sheets[seat], action.area, action.value, action.row)
                    free = [outlook.worth[bonus] for bonus in gained if bonus in FREE and has_entry(entered, bonus)]
                    assert judge.weigh(action) == pytest.approx(sheets.value(entered, outlook) + sum(free))
                    weighed += 1
                    chains += bool(free)
            state.play(seat, bot.choose(view, seat, legal) if number % 2 else chance.choice(legal))
    assert weighed > 1_000
    assert chains > 100


def test_an_action_that_fills_its_track_counts_with_what_the_end_gives() -> None:
    """A sixth re-roll comes with a fox, a sixth return and a sixth extra die with an entry."""
    for action, end in TRACK_ENDS.items():
        sheet = gain(enter(EMPTY, Color.PINK, 6).sheet, *[action] * 5).sheet
        view = TWICE_AS_CLEVER.new(seats=1, seed=deal("track", 0)).view(0)
        judge = bot.Judge(view, sheet, sheets.outlook(0.5, sheets.WEIGHTS))
        assert judge.gained([action]) == [action, end]
        assert bot.Judge(view, EMPTY, judge.on).gained([action]) == [action]


def test_foxes_are_worth_something_only_with_points_everywhere() -> None:
    bare = gain(EMPTY, Bonus.FOX).sheet
    assert worth(bare, 0.0) == 0
    assert worth(bare, 1.0) > worth(EMPTY, 1.0)
