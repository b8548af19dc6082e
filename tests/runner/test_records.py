"""A record that proves its result passes; whatever was changed in one is found."""

import random
from collections.abc import Callable
from hashlib import sha256

import pytest

from croupier.v1 import catalog_pb2, records_pb2, sessions_pb2
from croupier_games import GAMES, State
from croupier_runner.chain import entropy_commitment, heads
from croupier_runner.records import deal_seed, verify

SEED = sha256(b"a deal").digest()
CRASHED = sessions_pb2.FORFEIT_CAUSE_CRASHED
SALT = bytes(range(32))
TIME = sessions_pb2.FORFEIT_CAUSE_TIME
TAKEN = sessions_pb2.SEAT_STATE_TAKEN
FORFEITED = sessions_pb2.SEAT_STATE_FORFEITED


def new_record(*, seats: int, entropy: tuple[bytes, ...] = ()) -> tuple[records_pb2.Record, State]:
    """A record before the first move, and the game it was dealt."""
    game = GAMES["lie"]
    seed = deal_seed(SEED, list(entropy))
    state = game.new(seats=seats, options={"joker_ones": True}, seed=seed)
    session = sessions_pb2.Session(
        game_id=game.id,
        game_version=game.version,
        options={name: option(value) for name, value in state.options.items()},
        seats=[sessions_pb2.Seat(name=f"bot {seat}", state=TAKEN) for seat in range(seats)],
        state=sessions_pb2.SESSION_STATE_FINISHED,
        seed_commitment=sha256(b"croupier/commitment/1" + SALT + SEED).digest(),
    )
    for seat, given in zip(session.seats, entropy, strict=False):
        seat.entropy_commitment = entropy_commitment(session.session_id, given)
        seat.entropy_revealed = bool(given)
    record = records_pb2.Record(
        session=session, service_seed=SEED, commitment_salt=SALT, seat_entropy=entropy, deal_seed=seed
    )
    return record, state


def option(value: bool | int | str) -> catalog_pb2.OptionValue:
    if isinstance(value, bool):
        return catalog_pb2.OptionValue(flag=value)
    return catalog_pb2.OptionValue(number=value) if isinstance(value, int) else catalog_pb2.OptionValue(text=value)


def act(record: records_pb2.Record, state: State, chance: random.Random, gone: tuple[int, ...] = ()) -> None:
    """One random action, by the house where the seat is gone."""
    seat = state.deciders[0]
    action = chance.choice(state.legal(seat))
    chooser = records_pb2.CHOOSER_HOUSE if seat in gone else records_pb2.CHOOSER_SEAT
    record.entries.add(action=records_pb2.ActionTaken(seat=seat, notation=str(action), chooser=chooser))
    state.play(seat, action)


def set_places(record: records_pb2.Record, places: list[int]) -> None:
    for place in places:
        record.session.outcome.results.add(place=place)


def give_up(record: records_pb2.Record, seat: int, cause: sessions_pb2.ForfeitCause) -> None:
    """What the session and its outcome say of a seat that forfeited."""
    record.session.outcome.results[seat].forfeit_cause = cause
    record.session.seats[seat].forfeit_cause = cause
    record.session.seats[seat].state = FORFEITED


def sealed(record: records_pb2.Record) -> records_pb2.Record:
    """With the head that its service would have told."""
    record.session.head = heads(record)[-1]
    return record


@pytest.fixture
def played() -> records_pb2.Record:
    """A record of a game between three seats that was played to its end."""
    record, state = new_record(seats=3)
    chance = random.Random(1)
    while state.deciders:
        act(record, state, chance)
    assert state.outcome is not None
    for result in state.outcome.results:
        record.session.outcome.results.add(place=result.place, points=result.points)
    return sealed(record)


def test_a_true_record_holds(played: records_pb2.Record) -> None:
    assert verify(played) == []


def test_a_deal_with_entropy_holds() -> None:
    record, state = new_record(seats=2, entropy=(b"", b"from seat one"))
    chance = random.Random(2)
    while state.deciders:
        act(record, state, chance)
    assert state.outcome is not None
    for result in state.outcome.results:
        record.session.outcome.results.add(place=result.place, points=result.points)

    assert verify(sealed(record)) == []


def test_without_entropy_the_deal_is_the_services_seed() -> None:
    assert deal_seed(SEED, [b"", b""]) == SEED
    assert deal_seed(SEED, [b"x", b""]) != deal_seed(SEED, [b"", b"x"])


def _swap_places(record: records_pb2.Record) -> None:
    results = record.session.outcome.results
    first = next(result for result in results if result.place == 1)
    last = max(results, key=lambda result: result.place)
    first.place, last.place = last.place, first.place


def _change_seed(record: records_pb2.Record) -> None:
    record.service_seed = sha256(b"another deal").digest()


def _change_deal(record: records_pb2.Record) -> None:
    record.deal_seed = sha256(b"another deal").digest()


def _add_entropy(record: records_pb2.Record) -> None:
    record.seat_entropy.extend([b"late", b"", b""])


def _illegal_action(record: records_pb2.Record) -> None:
    record.entries[5].action.notation = "no such action"


def _foreign_action(record: records_pb2.Record) -> None:
    record.entries[-1].action.seat = (record.entries[-1].action.seat + 1) % 3


def _drop_the_end(record: records_pb2.Record) -> None:
    del record.entries[-1]


def _act_after_the_end(record: records_pb2.Record) -> None:
    record.entries.append(record.entries[-1])


def _house_moves(record: records_pb2.Record) -> None:
    record.entries[3].action.chooser = records_pb2.CHOOSER_HOUSE


def _forced(record: records_pb2.Record) -> None:
    record.entries[0].action.chooser = records_pb2.CHOOSER_FORCED


def _other_version(record: records_pb2.Record) -> None:
    record.session.game_version += 1


def _other_game(record: records_pb2.Record) -> None:
    record.session.game_id = "poker"


def _option_left_out(record: records_pb2.Record) -> None:
    del record.session.options["joker_ones"]


def _fewer_seats(record: records_pb2.Record) -> None:
    del record.session.seats[1:]


def _empty_entry(record: records_pb2.Record) -> None:
    record.entries.insert(0, records_pb2.RecordEntry())


def _invent_forfeit(record: records_pb2.Record) -> None:
    record.session.outcome.results[0].forfeit_cause = TIME


def _result_left_out(record: records_pb2.Record) -> None:
    del record.session.outcome.results[0]


def _other_points(record: records_pb2.Record) -> None:
    record.session.outcome.results[0].points += 1


@pytest.mark.parametrize(
    ("tamper", "sentence"),
    [
        (_swap_places, "the record says"),
        (_change_seed, "not the one that was committed to"),
        (_change_deal, "the seed of the deal does not follow"),
        (_add_entropy, "the seed of the deal does not follow"),
        (_illegal_action, "could not play 'no such action'"),
        (_foreign_action, "could not play"),
        (_drop_the_end, "stops before the game is over"),
        (_act_after_the_end, "comes after the end of the game"),
        (_house_moves, "was not the house's to play"),
        (_forced, "was not forced"),
        (_other_version, "here is version"),
        (_other_game, "there is no game 'poker'"),
        (_option_left_out, "the options are not complete"),
        (_fewer_seats, "seats, got 1"),
        (_empty_entry, "entry 1 is empty"),
        (_invent_forfeit, "another cause of forfeit"),
        (_result_left_out, "2 results for 3 seats"),
        (_other_points, "points, the record says otherwise"),
    ],
)
def test_a_tampered_record_is_caught(
    played: records_pb2.Record, tamper: Callable[[records_pb2.Record], None], sentence: str
) -> None:
    tamper(played)

    assert sentence in " / ".join(verify(played))


def test_a_forfeit_at_a_table_of_two_ends_the_game() -> None:
    record, state = new_record(seats=2)
    act(record, state, random.Random(3))
    record.entries.add(forfeit=records_pb2.SeatForfeited(seat=0, cause=CRASHED))
    set_places(record, [2, 1])
    give_up(record, 0, CRASHED)

    assert verify(sealed(record)) == []


def test_whoever_forfeits_later_is_placed_better() -> None:
    record, state = new_record(seats=4)
    act(record, state, random.Random(4))
    for seat in (2, 0, 3):
        record.entries.add(forfeit=records_pb2.SeatForfeited(seat=seat, cause=CRASHED))
    set_places(record, [3, 1, 4, 2])
    for seat in (0, 2, 3):
        give_up(record, seat, CRASHED)

    assert verify(sealed(record)) == []
    record.session.outcome.results[0].place, record.session.outcome.results[2].place = 4, 3
    assert len(verify(sealed(record))) == 2


def test_the_house_plays_on_for_who_forfeited_and_the_others_keep_their_order() -> None:
    record, state = new_record(seats=3)
    chance = random.Random(5)
    act(record, state, chance)
    record.entries.add(forfeit=records_pb2.SeatForfeited(seat=1, cause=TIME))
    while state.deciders:
        act(record, state, chance, gone=(1,))
    assert state.outcome is not None
    zero, two = state.outcome.results[0].place, state.outcome.results[2].place
    set_places(record, [1 if zero <= two else 2, 3, 1 if two <= zero else 2])
    give_up(record, 1, TIME)

    assert verify(sealed(record)) == []


@pytest.mark.parametrize("seat", [0, 7])
def test_a_seat_forfeits_once_and_must_exist(seat: int) -> None:
    record, _ = new_record(seats=3)
    record.entries.add(forfeit=records_pb2.SeatForfeited(seat=0, cause=TIME))
    record.entries.add(forfeit=records_pb2.SeatForfeited(seat=seat, cause=TIME))

    assert f"seat {seat} could not forfeit" in " / ".join(verify(record))
