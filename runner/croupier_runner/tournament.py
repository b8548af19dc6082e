"""One tournament from start to end: the service, the bots, the schedule, the standings."""

import asyncio
import time
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from pathlib import Path

from croupier_client import AsyncClient, CroupierError
from croupier_runner.bots import Bot, Field
from croupier_runner.clock import duration_ms
from croupier_runner.config import Tournament
from croupier_runner.errors import HostFault
from croupier_runner.logs import SERVICE, Logs
from croupier_runner.progress import Progress
from croupier_runner.report import Report
from croupier_runner.schedule import Schedule
from croupier_runner.service import Service, running_service
from croupier_runner.standings import Standings
from croupier_runner.tables import Tables

_OBITUARY_S = 1.0
"""How long to wait, after a failed call, for the news that the service has died."""


async def play(tournament: Tournament, folder: Path, logs: Logs, progress: Progress) -> Report:
    """Plays the whole tournament; whatever happens, no process that it started is left behind."""
    async with running_service(logs.file(SERVICE)) as service, AsyncClient(service.target) as client:
        startup_s = duration_ms(tournament.startup) / 1000
        bots = [
            Bot(
                section,
                folder=folder,
                target=service.target,
                seed=tournament.seed,
                startup_s=startup_s,
                log=logs.file(section.name),
            )
            for section in tournament.bots
        ]
        tables = Tables(client, tournament.game, tournament.clock.clock)
        async with Field(bots) as field:
            run = _Run(tournament, field, tables, progress)
            try:
                await run.to_the_end(service)
            except BaseExceptionGroup as group:
                raise await _cause(group, service) from None
            except CroupierError as error:
                raise await _blame(error, service) from None
    return run.report()


class _Run:
    """The games of a tournament, as many at once as it allows."""

    def __init__(self, tournament: Tournament, field: Field, tables: Tables, progress: Progress) -> None:
        self._tournament = tournament
        self._field = field
        self._tables = tables
        self._progress = progress
        self._schedule = schedule_of(tournament)
        self._standings = Standings([bot.name for bot in field])
        self._played = 0
        self._seconds = 0.0

    async def to_the_end(self, service: Service) -> None:
        """Seats the bots and plays every game; fails as soon as the service does."""
        async with asyncio.TaskGroup() as group:
            guards = [group.create_task(_guard(service))]
            for bot in self._field:
                await bot.start()
            await _all(group, [bot.come(self._tables.roll_call) for bot in self._field])
            for bot in self._field:
                keeping = bot.keep(self._tables.roll_call, self._tables.bot_is_down)
                guards.append(group.create_task(keeping))
            started_s = time.monotonic()
            await _all(group, [self._one_by_one() for _ in range(self._tournament.concurrency)])
            self._seconds = time.monotonic() - started_s
            for guard in guards:
                guard.cancel()

    async def _one_by_one(self) -> None:
        """Plays games of the schedule for as long as there are any."""
        while pairing := self._schedule.next():
            result = await self._tables.play(pairing, [self._field[name] for name in pairing.lineup])
            self._standings.add(result)
            self._played += 1
            self._progress.advance(self._played, self._standings)

    def report(self) -> Report:
        """What it came to; the bots' last words are known when their processes have ended."""
        tables = self._tables
        return Report(
            name=self._tournament.name,
            game_id=self._tournament.game.id,
            seats=self._tournament.game.seats,
            blocks=self._tournament.blocks,
            games=self._played,
            clock=self._tournament.clock.clock,
            standings=self._standings.rows(),
            crashes={bot.name: tuple(bot.crashes) for bot in self._field if bot.crashes},
            last_words={bot.name: bot.last_words for bot in self._field if bot.last_words},
            records_verified=tables.records_verified,
            moves_per_game=tables.moves_verified / tables.records_verified,
            seconds=self._seconds,
        )


def schedule_of(tournament: Tournament) -> Schedule:
    """The schedule that the file describes."""
    return Schedule(
        bots=[bot.name for bot in tournament.bots],
        game_id=tournament.game.id,
        seats=tournament.game.seats,
        blocks=tournament.blocks,
        seed=tournament.seed,
    )


async def _all(group: asyncio.TaskGroup, work: Sequence[Coroutine[None, None, None]]) -> None:
    """Waits for all of it; the first failure fails the group, and so ends the wait."""
    await asyncio.wait([group.create_task(each) for each in work])


async def _guard(service: Service) -> None:
    raise await service.failed()


async def _cause(group: BaseExceptionGroup[BaseException], service: Service) -> BaseException:
    """What the organiser must hear of all that failed at once."""
    errors = list(group.exceptions)
    for error in errors:
        if isinstance(error, HostFault):
            return error
    first = errors[0]
    return await _blame(first, service) if isinstance(first, CroupierError) else first


async def _blame(error: CroupierError, service: Service) -> HostFault:
    """A call that failed: because the service has died, or else for what it said."""
    with suppress(TimeoutError):
        return await asyncio.wait_for(service.failed(), _OBITUARY_S)
    return HostFault(f"the service did not do as asked: {error}")
