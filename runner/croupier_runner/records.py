"""Verifying a record: deals it again, plays it again, and says what does not hold.

It trusts nothing but the rules: not the seed, not the actions, not the places. docs/chance.md says how seeds
are made.
"""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256

from croupier.v1 import catalog_pb2, records_pb2, sessions_pb2
from croupier_games import Game, GameError, OptionValue, State, installed_games

COMMITMENT_LABEL = b"croupier/commitment/1"
DEAL_LABEL = b"croupier/deal/1"


def verify(record: records_pb2.Record) -> list[str]:
    """What does not hold in a record of a finished session, a sentence each; nothing if all of it does."""
    wrong = _seeds(record)
    try:
        replay = _Replay(_deal(record))
        for number, entry in enumerate(record.entries, 1):
            replay.take(entry, f"entry {number}", auto_play_forced=record.session.auto_play_forced)
    except (_DoesNotHold, GameError) as error:
        return [*wrong, str(error)]
    return wrong + replay.compare(record.session.outcome)


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

    def compare(self, outcome: sessions_pb2.Outcome) -> list[str]:
        """What the outcome of the record says otherwise than the replay."""
        if not self.over:
            return ["the record stops before the game is over"]
        if len(outcome.results) != self._state.seats:
            return [f"the outcome has {len(outcome.results)} results for {self._state.seats} seats"]
        wrong = []
        places = self._places()
        for seat, result in enumerate(outcome.results):
            if result.place != places[seat]:
                wrong.append(f"seat {seat} came in at place {places[seat]}, the record says {result.place}")
            if result.forfeit_cause != self._forfeits.get(seat, sessions_pb2.FORFEIT_CAUSE_UNSPECIFIED):
                wrong.append(f"seat {seat}: the outcome names another cause of forfeit than the log")
        return wrong + self._compare_points(outcome)

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
