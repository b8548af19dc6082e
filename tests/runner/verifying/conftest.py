"""Journals of tournaments as the runner writes them, played here by the rules alone: no service, no bots."""

import random
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from croupier.v1 import catalog_pb2, records_pb2, sessions_pb2
from croupier_games import GAMES, OptionValue
from croupier_runner.chain import heads
from croupier_runner.config import Tournament, parse
from croupier_runner.events import Event, Job
from croupier_runner.journal import Journal, JournaledFault
from croupier_runner.records import COMMITMENT_LABEL
from croupier_runner.results import GameResult
from croupier_runner.schedule import key_of

CUP = """
name = "a cup"
seed = 7
{settings}
[[game]]
id = "lie"
seats = 2
options = {{ joker_ones = true }}
[[game]]
id = "seventeen"
seats = 3
blocks = 1
[[bots]]
name = "a"
command = ["a"]
[[bots]]
name = "b"
command = ["b"]
[[bots]]
name = "c"
command = ["c"]
"""


def option(value: OptionValue) -> catalog_pb2.OptionValue:
    if isinstance(value, bool):
        return catalog_pb2.OptionValue(flag=value)
    return catalog_pb2.OptionValue(number=value) if isinstance(value, int) else catalog_pb2.OptionValue(text=value)


def played(job: Job, forfeits: str) -> tuple[GameResult, records_pb2.Record]:
    """One game, at random; the bot of that name forfeits first of all."""
    section = job.event.section
    game = GAMES[section.id]
    state = game.new(seats=section.seats, options=section.settings, seed=job.block.seed)
    session = sessions_pb2.Session(
        session_id=str(job.key),
        game_id=game.id,
        game_version=game.version,
        options={name: option(value) for name, value in state.options.items()},
        seats=[sessions_pb2.Seat(name=name, state=sessions_pb2.SEAT_STATE_TAKEN) for name in job.lineup],
        state=sessions_pb2.SESSION_STATE_FINISHED,
        seed_commitment=sha256(COMMITMENT_LABEL + job.salt + job.block.seed).digest(),
    )
    record = records_pb2.Record(
        session=session, service_seed=job.block.seed, commitment_salt=job.salt, deal_seed=job.block.seed
    )
    gone = job.lineup.index(forfeits) if forfeits in job.lineup and section.seats == 2 else None
    if gone is not None:
        session.seats[gone].state = sessions_pb2.SEAT_STATE_FORFEITED
        session.seats[gone].forfeit_cause = sessions_pb2.FORFEIT_CAUSE_CRASHED
        record.session.CopyFrom(session)
        record.entries.add(forfeit={"seat": gone, "cause": sessions_pb2.FORFEIT_CAUSE_CRASHED})
        for seat in range(2):
            cause = sessions_pb2.FORFEIT_CAUSE_CRASHED if seat == gone else None
            record.session.outcome.results.add(place=1 + (seat == gone), forfeit_cause=cause)
    else:
        chance = random.Random(str(job.key))
        while state.deciders:
            seat = chance.choice(state.deciders)
            action = chance.choice(state.legal(seat))
            taken = records_pb2.ActionTaken(seat=seat, notation=str(action), chooser=records_pb2.CHOOSER_SEAT)
            record.entries.add(action=taken)
            state.play(seat, action)
        assert state.outcome is not None
        record.session.outcome.reason = state.outcome.reason
        for result in state.outcome.results:
            record.session.outcome.results.add(place=result.place, points=result.points)
    record.session.head = heads(record)[-1]
    results = record.session.outcome.results
    return GameResult(
        places=tuple(result.place for result in results),
        points=tuple(result.points if result.HasField("points") and gone is None else None for result in results),
        faults=tuple("memory" if seat == gone else "" for seat in range(section.seats)),
        moves=sum(entry.HasField("action") for entry in record.entries),
        think_ms=(0,) * section.seats,
        session_id=str(job.key),
    ), record


Written = Callable[..., tuple[Journal, Tournament]]


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Written]:
    """A whole tournament, played and written down; `key` and `forfeits` as something may be."""
    journals: list[Journal] = []

    def write(
        settings: str = "blocks = 2", *, key: bytes = key_of(7), forfeits: str = ""
    ) -> tuple[Journal, Tournament]:
        tournament = parse(CUP.format(settings=settings), tmp_path / "cup.toml")
        journal = Journal.create(tmp_path / f"{len(journals)}.sqlite", {"key": key})
        for number in range(len(tournament.game)):
            event = Event(number, tournament, key, {}, lambda _: None)
            begun: list[Job] = []
            while not event.over:
                while (job := event.next()) is not None:
                    begun.append(job)
                for job in begun:  # many at once, as a real run does
                    result, record = played(job, forfeits)
                    journal.add(job.key, result, record.SerializeToString())
                    for seat, cause in enumerate(result.faults):
                        if cause:
                            journal.add_fault(JournaledFault(job.key, seat, cause, "", ""))
                    event.take(job, result)
                begun.clear()
        journal.commit()
        journals.append(journal)
        return journal, tournament

    yield write
    for journal in journals:
        journal.__exit__()
