"""One tournament from start to end, or from where it was interrupted: the service, the bots, the events."""

import asyncio
import secrets
import time
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from croupier_client import AsyncClient, CroupierError
from croupier_runner.bots import AbsentBot, Bot, Field, ProcessBot, label
from croupier_runner.clock import duration_ms
from croupier_runner.config import BotSection, Tournament
from croupier_runner.errors import BotError, BotLost, ConfigError, HostFault, JournalError
from croupier_runner.events import Event, Job
from croupier_runner.journal import Journal
from croupier_runner.keeper import Keeper
from croupier_runner.logs import SERVICE, Logs
from croupier_runner.results import BlockResult, GameResult
from croupier_runner.sandbox import sandbox_for
from croupier_runner.service import Service, running_service
from croupier_runner.standings import Standings
from croupier_runner.tables import Played, Tables

COMMIT_S = 0.1
"""How often the journal is written: a runner that is killed loses no more than the games of that time."""
MOST_HOST_FAULTS = 3
"""So often in a row the service may fail with no game played in between before the tournament is given up."""
_OBITUARY_S = 1.0
"""How long to wait, after a failed call, for the news that the service has died."""


class Audience(Protocol):
    """Whoever is told how a tournament gets on."""

    def begin(self, run: "Run") -> None:
        """It begins, or goes on."""

    def game_over(self, run: "Run", played: Played) -> None:
        """Another game is over."""

    def trouble(self, sentence: str) -> None:
        """Something the organiser should know, such as a service that had to be started again."""


@dataclass(slots=True)
class Counts:
    """What has been played in this run."""

    games: int = 0
    moves: int = 0
    records_verified: int = 0
    seconds: float = 0.0
    """From the moment all bots were at the tables: what they need to start is not the tournament's pace."""


class Run:
    """The events of a tournament, as far as they have come."""

    def __init__(self, tournament: Tournament, journal: Journal) -> None:
        self.tournament = tournament
        self.journal = journal
        self.key = journal.about("key")
        self.counts = Counts()
        self.standings: list[Standings] = []
        self.events: list[Event] = []
        self.resumed_games = 0
        self.playing: dict[Job, float] = {}
        """The games under way, and since when."""
        for number, section in enumerate(tournament.game):
            standings = Standings([bot.name for bot in tournament.field(section)])
            known = self._known(number)
            self.standings.append(standings)
            self.events.append(Event(number, tournament, self.key, known, standings.count))
        self._waiting: list[Job] = []
        """Games that were under way when the service failed."""
        self._changed = asyncio.Event()

    def _known(self, event: int) -> dict[int, dict[int, GameResult]]:
        known: dict[int, dict[int, GameResult]] = {}
        for key, result in self.journal.games(event):
            known.setdefault(key.block, {})[key.game] = result
            self.resumed_games += 1
        return known

    @property
    def over(self) -> bool:
        """Whether nothing remains to be played."""
        return all(event.over for event in self.events)

    @property
    def games_done(self) -> int:
        """Games that have a result, in this run or before."""
        return self.resumed_games + self.counts.games

    @property
    def games_planned(self) -> int | None:
        """How many games there will be, if that is known."""
        total = 0
        for event in self.events:
            blocks = event.total_blocks
            if blocks is None:
                return None
            total += blocks * event.games_per_block
        return total

    async def next(self) -> Job | None:
        """The next game to play, waiting for results where they decide it; None when all is over."""
        while not self.over:
            if self._waiting:
                return self._waiting.pop()
            for event in self.events:
                if (job := event.next()) is not None:
                    return job
            if self.over:
                break
            self._changed.clear()
            await self._changed.wait()
        self._changed.set()
        return None

    def take(self, played: Played) -> None:
        """Writes a game down, and counts it."""
        job = played.job
        for fault in played.faults:
            self.journal.add_fault(fault)
        self.journal.add(job.key, played.result, played.record)
        job.event.take(job, played.result)
        self.counts.games += 1
        self.counts.moves += played.result.moves
        self._changed.set()

    def put_back(self) -> None:
        """The games under way come to nothing: they are to be played again."""
        self._waiting += self.playing
        self.playing.clear()


async def play(run: Run, folder: Path, logs: Logs, audience: Audience) -> None:
    """Plays what is left; whatever happens, no process that it started is left behind.

    A service that fails is started again, with all bots, and the games under way are played again: no bot pays for it.
    """
    audience.begin(run)
    sandbox = sandbox_for(run.tournament.limits, folder)  # before anything is started: it may be refused
    if sandbox.level != "off":
        audience.trouble(sandbox.sentence)
    faults = 0
    try:
        while not run.over:
            games = run.counts.games
            try:
                await _attempt(run, folder, logs, audience)
            except HostFault as fault:
                faults = 1 if run.counts.games > games else faults + 1
                if faults >= MOST_HOST_FAULTS:
                    raise
                run.put_back()
                audience.trouble(f"{fault}; the games under way are played again")
    except JournalError:  # there is nowhere to write how it went
        raise
    except (BotError, ConfigError) as error:
        _note_pace(run)
        raise BotLost(error) if run.games_done else error from None
    except BaseException:
        _note_pace(run)
        raise
    _note_pace(run)


def _note_pace(run: Run) -> None:
    run.journal.add_run(run.counts.seconds, run.counts.games, run.counts.moves)
    run.journal.commit()


async def _attempt(run: Run, folder: Path, logs: Logs, audience: Audience) -> None:
    """Plays until all is over or the service fails."""
    tournament = run.tournament
    remote = any(bot.protocol == "remote" for bot in tournament.bots)
    async with AsyncExitStack() as stack:
        keeper = await stack.enter_async_context(Keeper(audience.trouble))
        listen = tournament.remote.listen if remote else None
        operator_token = secrets.token_urlsafe(24)  # else any bot could open sessions, and crowd out the tournament's
        service = await stack.enter_async_context(
            running_service(logs.file(SERVICE), keeper, listen, operator_token=operator_token)
        )
        client = await stack.enter_async_context(AsyncClient(service.target))
        tables = Tables(client, tournament.clock.clock, operator_token)
        field = await stack.enter_async_context(Field(_bots(run, folder, service, keeper, logs)))
        arena = _Arena(run, field, tables, audience)
        try:
            await arena.to_the_end(service)
        except BaseExceptionGroup as group:
            raise await _cause(group, service) from None
        except CroupierError as error:
            raise await _blame(error, service) from None
        finally:
            run.counts.records_verified += tables.records_verified


def _bots(run: Run, folder: Path, service: Service, keeper: Keeper, logs: Logs) -> list[Bot]:
    tournament = run.tournament
    startup_s = duration_ms(tournament.startup) / 1000
    sandbox = sandbox_for(tournament.limits, folder).hiding(
        run.journal.path.parent, Path(run.journal.about("file").decode())
    )
    out = run.journal.out()

    def bot(section: BotSection, copy: int) -> Bot:
        if why := out.get(section.name) or out.get(label(section.name, copy)):
            return AbsentBot(section.name, why, copy)
        if section.protocol == "remote":
            return Bot(section.name, run.journal.about(f"token/{section.name}").decode(), startup_s)
        return ProcessBot(
            section,
            folder=folder,
            target=service.target,
            key=run.key,
            startup_s=startup_s,
            keeper=keeper,
            sandbox=sandbox,
            log=logs.file(label(section.name, copy)),
            copy=copy,
        )

    return [bot(section, copy) for section in tournament.bots for copy in range(_copies(run, section))]


def _copies(run: Run, section: BotSection) -> int:
    """How many processes a bot has: one for each game of a block where twins are to be kept apart."""
    if not run.tournament.limits.separate_twins or section.protocol == "remote":
        return 1
    fields = [event for event in run.events if section.name in event.bots]
    return max((event.games_per_block for event in fields), default=1)


class _Arena:
    """The bots at their tables."""

    def __init__(self, run: Run, field: Field, tables: Tables, audience: Audience) -> None:
        self._run = run
        self._field = field
        self._tables = tables
        self._audience = audience

    async def to_the_end(self, service: Service) -> None:
        """Seats the bots and plays every game; fails as soon as the service does."""
        async with asyncio.TaskGroup() as group:
            guards = [group.create_task(_guard(service)), group.create_task(self._keep_writing())]
            for bot in self._field:
                await bot.start()
            await _all(group, [bot.come(self._roll_call) for bot in self._field])
            guards += [group.create_task(self._keep(bot)) for bot in self._field]
            started_s = time.monotonic()
            concurrency = self._run.tournament.limits.concurrency
            players = [group.create_task(self._one_by_one()) for _ in range(concurrency)]
            try:
                await self._until_over(players)
            finally:
                self._run.counts.seconds += time.monotonic() - started_s
            for guard in (*guards, *players):
                guard.cancel()
        with suppress(CroupierError):  # all has been played; nobody needs the service any more
            await self._tables.dismiss(self._field)

    async def _keep(self, bot: Bot) -> None:
        """Keeps a bot in play; one that cannot be brought back is out, also after an interruption."""
        await bot.keep(self._roll_call, self._tables.bot_is_down)
        if bot.out and bot.label not in self._run.journal.out():
            self._run.journal.put_out(bot.label, bot.out)
            self._audience.trouble(f"bot {bot.label!r} is out, and loses the games it has left: {bot.out}")

    async def _until_over(self, players: Sequence[asyncio.Task[None]]) -> None:
        """A sequential test may be decided while games are still under way: nobody waits for those."""
        for player in asyncio.as_completed(players):
            await player
            if self._run.over:
                return

    async def _one_by_one(self) -> None:
        """Plays games for as long as there are any."""
        run = self._run
        while (job := await run.next()) is not None:
            run.playing[job] = time.monotonic()
            played = await self._tables.play(job, self._field.lineup(job.lineup, job.game))
            del run.playing[job]
            if run.over:
                return
            run.take(played)
            self._audience.game_over(run, played)

    async def _keep_writing(self) -> None:
        while True:
            await asyncio.sleep(COMMIT_S)
            self._run.journal.commit()

    async def _roll_call(self, bot: Bot) -> None:
        """At a table of a game that the bot plays."""
        tournament = self._run.tournament
        section = next(game for game in tournament.game if bot.name in {each.name for each in tournament.field(game)})
        await self._tables.roll_call(bot, section.id, section.seats, section.settings)


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


def counted_blocks(tournament: Tournament, journal: Journal, number: int) -> tuple[Event, list[BlockResult]]:
    """An event as far as the journal knows it, and its blocks as they count, in the order of the schedule."""
    known: dict[int, dict[int, GameResult]] = {}
    for key, result in journal.games(number):
        known.setdefault(key.block, {})[key.game] = result
    counted: list[BlockResult] = []
    event = Event(number, tournament, journal.about("key"), known, counted.append)
    event.catch_up()
    return event, counted
