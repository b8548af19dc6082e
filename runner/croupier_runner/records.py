"""Verifying a record: deals it again, plays it again, and says what does not hold.

It trusts nothing but the rules: not the seed, not the actions, not the places. docs/chance.md says how seeds are made,
docs/records.md what binds the service to the rest.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256

from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from croupier.v1 import catalog_pb2, records_pb2, sessions_pb2
from croupier_games import Game, GameError, OptionValue, State, installed_games
from croupier_runner.chain import entropy_commitment, heads

COMMITMENT_LABEL = b"croupier/commitment/1"
DEAL_LABEL = b"croupier/deal/1"


def verify(record: records_pb2.Record, told: Sequence[bytes] = ()) -> list[str]:
    """What does not hold in a record of a finished session, a sentence each; nothing if all of it does.

    `told` are heads that somebody was told while the session was played, or at its end: the record must have them."""
    wrong = [*_seeds(record), *_chain(record, told), *_strange(record)]
    try:
        replay = _Replay(_deal(record))
        for number, entry in enumerate(record.entries, 1):
            replay.take(entry, f"entry {number}", auto_play_forced=record.session.auto_play_forced)
    except (_DoesNotHold, GameError) as error:
        return [*wrong, str(error)]
    return wrong + replay.compare(record.session)


def _chain(record: records_pb2.Record, told: Sequence[bytes]) -> Iterator[str]:
    """What the chain says against the record: every byte that nothing else depends on is held by it."""
    linked = heads(record)
    if not record.session.head:
        yield "it has no head, so nothing binds the service to it"
    elif record.session.head != linked[-1]:
        yield "its head does not follow from what it says: something was changed after the session had ended"
    for head in told:
        if head not in linked:
            yield f"it is not the record of the game in which the head {head.hex()} was told"


def _strange(message: Message) -> Iterator[str]:
    """Fields that no record of this version has, wherever they are."""
    if len(UnknownFieldSet(message)):
        yield f"a {message.DESCRIPTOR.name} in it has fields that are not known here"
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.message_type.GetOptions().map_entry:
            for each in value.values():
                yield from _strange(each)
        else:
            for each in value if field.is_repeated else (value,):
                yield from _strange(each)


@cache
def _games() -> Mapping[str, Game]:
    """Looked up once: asking all installed packages for games takes longer than replaying one."""
    return installed_games()


class _DoesNotHold(Exception):
    """From here on the record cannot be replayed."""


def deal_seed(service_seed: bytes, seat_entropy: list[bytes]) -> bytes:
    """The seed of the deal: the service's, mixed with what the seats gave, if any gave something."""
    if not any(seat_entropy):
        return service_seed
    digest = sha256(DEAL_LABEL + service_seed)
    for entropy in seat_entropy:
        digest.update(bytes([len(entropy)]) + entropy)
    return digest.digest()


def _seeds(record: records_pb2.Record) -> list[str]:
    wrong = []
    commitment = sha256(COMMITMENT_LABEL + record.commitment_salt + record.service_seed).digest()
    if commitment != record.session.seed_commitment:
        wrong.append("the service's seed is not the one that was committed to")
    entropy = list(record.seat_entropy)
    if len(entropy) > len(record.session.seats):
        wrong.append(f"{len(entropy)} seats gave entropy, but there are {len(record.session.seats)}")
    if deal_seed(record.service_seed, entropy) != record.deal_seed:
        wrong.append("the seed of the deal does not follow from the service's seed and the seats' entropy")
    for number, seat in enumerate(record.session.seats):
        given = entropy[number] if number < len(entropy) else b""
        if seat.entropy_commitment != entropy_commitment(record.session.session_id, given):
            wrong.append(f"seat {number}: its entropy is not what it had committed to")
        if seat.entropy_revealed != bool(given):
            wrong.append(f"seat {number}: whether it revealed its entropy is told otherwise than its entropy says")
    return wrong


def _deal(record: records_pb2.Record) -> State:
    """The game as it was dealt."""
    session = record.session
    games = _games()
    if session.game_id not in games:
        raise _DoesNotHold(f"there is no game {session.game_id!r} here to replay it with")
    game = games[session.game_id]
    if game.version != session.game_version:
        raise _DoesNotHold(
            f"it was played by version {session.game_version} of {game.id}, here is version {game.version}"
        )
    if len(record.deal_seed) != len(sha256().digest()):
        raise _DoesNotHold(f"the seed of the deal has {len(record.deal_seed)} bytes instead of 32")
    options = _options(session.options)
    state = game.new(seats=len(session.seats), options=options, seed=record.deal_seed)
    if dict(state.options) != options:
        raise _DoesNotHold("the options are not complete")
    return state


def _options(options: Mapping[str, catalog_pb2.OptionValue]) -> dict[str, OptionValue]:
    values: dict[str, OptionValue] = {}
    for name, value in options.items():
        kind = value.WhichOneof("value")
        if kind is None:
            raise _DoesNotHold(f"option {name!r} has no value")
        values[name] = value.flag if kind == "flag" else value.number if kind == "number" else value.text
    return values


class _Replay:
    """A record being played again."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._forfeits: dict[int, sessions_pb2.ForfeitCause] = {}
        """Seats that gave up, in that order."""

    @property
    def over(self) -> bool:
        """Played to the end, or nobody left to play against."""
        return self._state.outcome is not None or len(self._forfeits) >= max(1, self._state.seats - 1)

    def take(self, entry: records_pb2.RecordEntry, where: str, *, auto_play_forced: bool) -> None:
        """One step, or _DoesNotHold."""
        if self.over:
            raise _DoesNotHold(f"{where} comes after the end of the game")
        kind = entry.WhichOneof("entry")
        if kind == "action":
            self._act(entry.action, where, auto_play_forced=auto_play_forced)
        elif kind == "forfeit":
            self._forfeit(entry.forfeit, where)
        else:
            raise _DoesNotHold(f"{where} is empty")

    def _act(self, taken: records_pb2.ActionTaken, where: str, *, auto_play_forced: bool) -> None:
        legal = self._state.legal(taken.seat) if taken.seat in self._state.deciders else ()
        action = next((action for action in legal if str(action) == taken.notation), None)
        if action is None:
            raise _DoesNotHold(f"{where}: seat {taken.seat} could not play {taken.notation!r}")
        forced = taken.chooser == records_pb2.CHOOSER_FORCED
        if forced and (len(legal) > 1 or not auto_play_forced):
            raise _DoesNotHold(f"{where}: {taken.notation!r} was not forced")
        by_house = taken.chooser == records_pb2.CHOOSER_HOUSE
        if not forced and by_house != (taken.seat in self._forfeits):
            who = "the house" if by_house else "its holder"
            raise _DoesNotHold(f"{where}: seat {taken.seat} was not {who}'s to play")
        self._state.play(taken.seat, action)

    def _forfeit(self, forfeited: records_pb2.SeatForfeited, where: str) -> None:
        seat = forfeited.seat
        if seat >= self._state.seats or seat in self._forfeits or not forfeited.cause:
            raise _DoesNotHold(f"{where}: seat {seat} could not forfeit")
        self._forfeits[seat] = forfeited.cause

    def compare(self, session: sessions_pb2.Session) -> list[str]:
        """What the session of the record says otherwise than the replay."""
        if not self.over:
            return ["the record stops before the game is over"]
        outcome = session.outcome
        if len(outcome.results) != self._state.seats:
            return [f"the outcome has {len(outcome.results)} results for {self._state.seats} seats"]
        wrong = []
        places = self._places()
        for seat, result in enumerate(outcome.results):
            if result.place != places[seat]:
                wrong.append(f"seat {seat} came in at place {places[seat]}, the record says {result.place}")
            if result.forfeit_cause != self._forfeits.get(seat, sessions_pb2.FORFEIT_CAUSE_UNSPECIFIED):
                wrong.append(f"seat {seat}: the outcome names another cause of forfeit than the log")
        return wrong + self._compare_seats(session) + self._compare_points(outcome)

    def _compare_seats(self, session: sessions_pb2.Session) -> list[str]:
        """The session must say of itself and of its seats what became of them."""
        wrong = []
        if session.state != sessions_pb2.SESSION_STATE_FINISHED:
            wrong.append("the game was played to its end, but the session is not finished")
        for number, seat in enumerate(session.seats):
            cause = self._forfeits.get(number, sessions_pb2.FORFEIT_CAUSE_UNSPECIFIED)
            state = sessions_pb2.SEAT_STATE_FORFEITED if cause else sessions_pb2.SEAT_STATE_TAKEN
            if (seat.state, seat.forfeit_cause) != (state, cause):
                wrong.append(f"seat {number}: what became of it is told otherwise than the log says")
        return wrong

    def _compare_points(self, outcome: sessions_pb2.Outcome) -> list[str]:
        """Points count only where nobody forfeited: what the house played says nothing about anybody."""
        if self._state.outcome is None or self._forfeits:
            return []
        return [
            f"seat {seat} made {truth.points} points, the record says otherwise"
            for seat, (truth, result) in enumerate(zip(self._state.outcome.results, outcome.results, strict=True))
            if truth.points != (result.points if result.HasField("points") else None)
        ]

    def _places(self) -> list[int]:
        """By seat: those who stayed as the game placed them, then those who forfeited, the latest first."""
        seats = range(self._state.seats)
        gave_up = list(self._forfeits)
        outcome = self._state.outcome
        rank = [
            (1, len(gave_up) - gave_up.index(seat))
            if seat in self._forfeits
            else (0, outcome.results[seat].place if outcome else 1)
            for seat in seats
        ]
        return [1 + sum(other < rank[seat] for other in rank) for seat in seats]
