"""Verifying a whole tournament: that every record holds, is the one the schedule asks for, and says what was counted.

The schedule is computed anew from the tournament's file and key. What a record by itself must prove is in `records`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from google.protobuf.message import DecodeError

from croupier.v1 import records_pb2, sessions_pb2
from croupier_games import OptionValue, installed_games
from croupier_runner.config import Tournament
from croupier_runner.errors import JournalError
from croupier_runner.events import Event, Job
from croupier_runner.journal import Journal, Key
from croupier_runner.records import verify
from croupier_runner.results import GameResult
from croupier_runner.schedule.deals import key_of
from croupier_runner.sessions import cause_in_words, options_of
from croupier_runner.side_by_side import checked
from croupier_runner.tables import CAUSES

TOURNAMENT = "tournament"
"""What a finding names that is about no single game."""

_CAUSES = {
    sessions_pb2.FORFEIT_CAUSE_UNSPECIFIED: {""},
    **{cause: {word} for cause, (word, _) in CAUSES.items()},
    sessions_pb2.FORFEIT_CAUSE_CRASHED: {"crash", "memory", "protocol"},
}
"""The words that results have for the cause of a forfeit; of a process that ended, the runner knows more."""


class Finding(NamedTuple):
    """Something that does not hold."""

    key: str
    """The game, as EVENT/BLOCK/GAME; the name of a record; or `TOURNAMENT`."""
    sentence: str

    def __str__(self) -> str:
        return f"{self.key}: {self.sentence}"


class Verification(NamedTuple):
    """What came of verifying a journal."""

    games: int
    """How many were checked."""
    missing: int
    """Games of the schedule up to the last one played that are not there: `resume` would play them."""
    findings: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


class Expected(NamedTuple):
    """What the tournament says of a game."""

    game_id: str
    options: Mapping[str, OptionValue]
    seed: bytes
    salt: bytes
    lineup: tuple[str, ...]
    result: GameResult


class Claim(NamedTuple):
    """A record, and what it must prove."""

    key: str
    record: bytes | None
    """None: it is damaged."""
    expected: Expected | None
    """None: only that it holds by itself."""


def verify_records(records: Iterable[tuple[str, records_pb2.Record]], told: Sequence[bytes] = ()) -> Iterator[Finding]:
    """What does not hold in records that belong to no tournament, each under the name it is given with.

    `told` are heads that were told in the game of each."""
    for name, record in records:
        for sentence in verify(record, told):
            yield Finding(name, sentence)


def verify_journal(
    journal: Journal,
    tournament: Tournament,
    *,
    processes: int | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Verification:
    """Checks every game of a journal; `progress` is told how many are done, of how many.

    Many games are checked by several processes, as many as there are cores unless it is said."""
    key = journal.about("key")
    findings: list[Finding] = []
    if tournament.seed is not None and key != key_of(tournament.seed):
        findings.append(Finding(TOURNAMENT, "its key does not follow from the seed in its file"))
    parts = [_Part(number, tournament, key, journal) for number in range(len(tournament.game))]
    findings += _strangers(journal, parts)
    total = sum(len(part.played) for part in parts)
    claims = (claim for part in parts for claim in part.claims(journal, findings))
    for done, (game, wrong) in enumerate(checked(check, claims, total, processes), 1):
        findings += [Finding(game, sentence) for sentence in wrong]
        progress(done, total)
    return Verification(total, sum(part.missing for part in parts), tuple(sorted(findings, key=_order)))


def check(claim: Claim) -> tuple[str, list[str]]:
    """What does not hold of one claim."""
    try:
        record = records_pb2.Record.FromString(claim.record or b"")
    except DecodeError:
        record = records_pb2.Record()
    if not record.HasField("session"):
        return claim.key, ["its record cannot be read"]
    wrong = verify(record)
    if claim.expected is not None:
        wrong += [*_misplaced(record, claim.expected), *_miscounted(record, claim.expected.result)]
    return claim.key, wrong


class _Part:
    """One event of the journal: what was played, and what the schedule says of it."""

    def __init__(self, number: int, tournament: Tournament, key: bytes, journal: Journal) -> None:
        self.number = number
        self.played = dict(journal.games(number))
        self._faults = {(fault.key, fault.seat): fault.cause for fault in journal.faults(number)}
        section = tournament.game[number]
        self._game_id = section.id
        self._options = installed_games()[section.id].check(section.seats, section.settings)
        self._seats = section.seats
        self._jobs = self._scheduled(Event(number, tournament, key, {}, lambda _: None))

    @property
    def missing(self) -> int:
        """Games that the schedule has, and the journal has not."""
        return len(self._jobs.keys() - self.played.keys())

    def claims(self, journal: Journal, findings: list[Finding]) -> Iterator[Claim]:
        """What each game must prove; what is wrong before that is added to the findings."""
        findings += [
            Finding(str(key), f"a fault of seat {seat} is noted, but the game is not there")
            for key, seat in self._faults
            if key not in self.played
        ]
        for key, result in self.played.items():
            findings += [Finding(str(key), sentence) for sentence in self._noted_otherwise(key, result)]
            job = self._jobs.get(key)
            if job is None:
                findings.append(Finding(str(key), "the schedule has no such game"))
            yield Claim(str(key), _record(journal, key), self._expected(job, result) if job else None)

    def _expected(self, job: Job, result: GameResult) -> Expected:
        return Expected(self._game_id, self._options, job.block.seed, job.salt, job.lineup, result)

    def _noted_otherwise(self, key: Key, result: GameResult) -> Iterator[str]:
        """Where the list of faults and the result of the game disagree."""
        for seat, cause in enumerate(result.faults):
            noted = self._faults.get((key, seat), "")
            if noted != cause:
                yield f"seat {seat}: the result says {cause or 'no fault'}, the list of faults {noted or 'none'}"

    def _scheduled(self, event: Event) -> dict[Key, Job]:
        """All games up to the last block that was played.

        The schedule is asked for as much as it will tell before it is told any result: when this was played, games
        were begun before the results that made them needless (a verdict, an elimination)."""
        last_block = max((key.block for key in self.played), default=-1)
        jobs: dict[Key, Job] = {}
        untold: list[Job] = []
        while True:
            job = event.next()
            if job is not None and job.block.index <= last_block:
                jobs[job.key] = job
                untold.append(job)
            elif job is not None or not untold:
                return jobs
            else:
                for told in untold:
                    self._tell(event, told)
                untold.clear()

    def _tell(self, event: Event, job: Job) -> None:
        result = self.played.get(job.key)
        if result is not None and len(result.places) == len(result.faults) == self._seats:
            event.take(job, result)


def _record(journal: Journal, key: Key) -> bytes | None:
    try:
        return journal.record(key)
    except JournalError:
        return None


def _strangers(journal: Journal, parts: list[_Part]) -> Iterator[Finding]:
    """Games of events that the tournament does not have."""
    return (
        Finding(str(key), f"the tournament has {len(parts)} events, counted from 0")
        for key in journal.all_keys()
        if not 0 <= key.event < len(parts)
    )


def _misplaced(record: records_pb2.Record, expected: Expected) -> Iterator[str]:
    """What is otherwise than the schedule says: the game, the deal or the players."""
    session = record.session
    if session.game_id != expected.game_id:
        yield f"it is a game of {session.game_id}, not of {expected.game_id}"
    elif options_of(session) != expected.options:
        yield "it was played with other options than the tournament has"
    if record.service_seed != expected.seed:
        yield "it was not dealt from the seed of its block"
    elif record.deal_seed != expected.seed:
        yield "its deal was mixed with what the seats gave, which no game of a tournament is"
    if record.commitment_salt != expected.salt:
        yield "its commitment was made for another game of the schedule"
    lineup = tuple(seat.name for seat in session.seats)
    if lineup != expected.lineup:
        yield f"{', '.join(lineup)} sat there in this order, the schedule says {', '.join(expected.lineup)}"


def _miscounted(record: records_pb2.Record, result: GameResult) -> Iterator[str]:
    """What the journal counted otherwise than the record says."""
    outcome = record.session.outcome.results
    seats = range(len(outcome))
    if not len(seats) == len(result.places) == len(result.points) == len(result.faults):
        yield f"the record has {len(seats)} seats, and its result another number"
        return
    forfeited = any(each.forfeit_cause for each in outcome)
    for seat, recorded in enumerate(outcome):
        points = recorded.points if recorded.HasField("points") and not forfeited else None
        if result.places[seat] != recorded.place:
            yield f"seat {seat} is counted at place {result.places[seat]}, the record says {recorded.place}"
        if result.points[seat] != points:
            yield f"seat {seat} is counted with {_told(result.points[seat])}, the record says {_told(points)}"
        if result.faults[seat] not in _CAUSES.get(recorded.forfeit_cause, ()):
            said = f"forfeited: {cause_in_words(recorded.forfeit_cause)}" if recorded.forfeit_cause else "had none"
            yield f"seat {seat} is counted with {result.faults[seat] or 'no fault'}, the record says that it {said}"
    moves = sum(entry.HasField("action") for entry in record.entries)
    if result.moves != moves:
        yield f"{result.moves} moves are counted, the record has {moves}"


def _told(points: int | None) -> str:
    return "no points" if points is None else f"{points} points"


def _order(finding: Finding) -> tuple[bool, tuple[int, ...], str]:
    """In the order of the schedule, behind what concerns the whole tournament."""
    if finding.key == TOURNAMENT:
        return False, (), ""
    return True, tuple(Key.read(finding.key)), finding.sentence
