"""The table a person sits at: starts the service and the other players, and sees the game to its end."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import NamedTuple

from croupier.v1 import records_pb2, sessions_pb2
from croupier_client import AsyncClient, CroupierError, SeatPlan, WrongMoment, run_async
from croupier_games import Game, GameError, OptionValue
from croupier_runner.bots import Bot, Field, ProcessBot, RollCall
from croupier_runner.config import BotSection
from croupier_runner.errors import ConfigError, HostFault, RunnerError
from croupier_runner.keeper import Keeper
from croupier_runner.opponents import house_bot
from croupier_runner.person.ending import outcome_lines, proof_lines
from croupier_runner.person.options import chosen_game
from croupier_runner.person.seat import Person
from croupier_runner.record_files import check_absent, write_record
from croupier_runner.service import Service, running_service
from croupier_runner.terminal import Terminal

STARTUP_S = 30.0
_ROLL_CALL_S = 0.02


class Plan(NamedTuple):
    """What is played, and by whom."""

    game: Game
    seats: int
    options: Mapping[str, OptionValue]
    people: tuple[int, ...]
    bots: Mapping[int, BotSection]
    seed: bytes

    def name(self, seat: int) -> str:
        """Who sits there."""
        if seat in self.bots:
            return self.bots[seat].name
        return "you" if len(self.people) == 1 else f"player {seat}"


async def sit_down(
    game_id: str,
    seats: int,
    options: Mapping[str, OptionValue],
    person_seats: Sequence[int],
    opponents: Mapping[int, list[str]],
    seed: bytes | None,
    terminal: Terminal,
    *,
    folder: Path | None = None,
    record_to: Path | None = None,
) -> records_pb2.Record | None:
    """Plays one game with a person in some seats and bots in the others; None if the person left before its end.

    A seat with neither a person nor a command is played by the house. Commands run in `folder`. Whatever happens, no
    process that was started is left behind."""
    plan = _plan(game_id, seats, options, person_seats, opponents, seed or b"")
    if record_to is not None:
        check_absent(record_to)
    async with AsyncExitStack() as stack:
        keeper = await stack.enter_async_context(Keeper(terminal.write))
        service = await stack.enter_async_context(running_service(keeper=keeper))
        client = await stack.enter_async_context(AsyncClient(service.target))
        bots = {seat: _bot(section, service, keeper, folder or Path.cwd()) for seat, section in plan.bots.items()}
        await stack.enter_async_context(Field(list(bots.values())))
        token = secrets.token_urlsafe(24)
        created = await _open(plan, client, bots, token)
        person = Person(plan.game, created.session, plan.people, token, client, terminal)
        record = await _Table(created, service, client, bots, terminal).to_the_end(person)
    if record is not None and record_to is not None:
        write_record(record_to, record)
        terminal.write(f"It is in {record_to}: croupier verify {record_to}, croupier replay {record_to}")
    return record


def _plan(
    game_id: str,
    seats: int,
    options: Mapping[str, OptionValue],
    people: Sequence[int],
    commands: Mapping[int, list[str]],
    seed: bytes,
) -> Plan:
    """The plan, or ConfigError with what cannot be."""
    game = chosen_game(game_id)
    try:
        game.check(seats, options)
    except GameError as error:
        raise ConfigError(str(error)) from None
    for seat in (*people, *commands):
        if not 0 <= seat < seats:
            raise ConfigError(f"there is no seat {seat}; the seats are 0 to {seats - 1}")
        if [*people, *commands].count(seat) > 1:
            raise ConfigError(f"seat {seat} is taken twice; name each seat once")
    if not people:
        raise ConfigError("nobody sits down; name at least one seat for a person, such as 0")
    house = house_bot(game_id)
    bots = {}
    for seat in sorted(set(range(seats)) - set(people)):
        command = commands.get(seat)
        name = Path(command[-1]).stem if command else house.name
        bots[seat] = BotSection(name=f"{name} {seat}", command=command or house.command)
    return Plan(game, seats, options, tuple(sorted(people)), bots, seed)


def _bot(section: BotSection, service: Service, keeper: Keeper, folder: Path) -> ProcessBot:
    return ProcessBot(
        section, folder=folder, target=service.target, key=secrets.token_bytes(16), startup_s=STARTUP_S, keeper=keeper
    )


async def _open(
    plan: Plan, client: AsyncClient, bots: Mapping[int, Bot], token: str
) -> sessions_pb2.CreateSessionResponse:
    """A session with a seat kept for everybody."""
    tokens = {seat: bot.token for seat, bot in bots.items()}
    seats = [SeatPlan(name=plan.name(seat), token=tokens.get(seat, token)) for seat in range(plan.seats)]
    # What there is no choice about is played by itself: nobody wants to confirm it.
    return await client.create_session(plan.game.id, seats, plan.options, seed=plan.seed, auto_play_forced=True)


class _Table:
    """One game that is about to be played."""

    def __init__(
        self,
        created: sessions_pb2.CreateSessionResponse,
        service: Service,
        client: AsyncClient,
        bots: Mapping[int, ProcessBot],
        terminal: Terminal,
    ) -> None:
        self._session_id = created.session.session_id
        self._owner_token = created.owner_token
        self._service = service
        self._client = client
        self._bots = bots
        self._terminal = terminal

    async def to_the_end(self, person: Person) -> records_pb2.Record | None:
        """Plays, as long as the service and the person do."""
        try:
            async with asyncio.TaskGroup() as group:
                guards = [group.create_task(self._guard())]
                await self._gather(group)
                guards += [
                    group.create_task(bot.keep(self._roll_call(seat), self._down(seat)))
                    for seat, bot in self._bots.items()
                ]
                stream = run_async(person, target=self._service.target, token=person.token, name="person")
                guards.append(group.create_task(stream))
                record = await self._play(person)
                for guard in guards:
                    guard.cancel()
                return record
        except BaseExceptionGroup as failures:
            raise _first(failures) from None

    async def _gather(self, group: asyncio.TaskGroup) -> None:
        """Starts the bots, and waits until each sits in its seat."""
        for bot in self._bots.values():
            await bot.start()
        coming = [group.create_task(bot.come(self._roll_call(seat))) for seat, bot in self._bots.items()]
        if coming:
            await asyncio.wait(coming)

    async def _play(self, person: Person) -> records_pb2.Record | None:
        person.welcome()
        if not await person.play_on():
            with suppress(WrongMoment):  # it ended by itself just now
                await self._client.abort_session(self._session_id, self._owner_token)
            self._terminal.write("You leave the table; the game has no result.")
            return None
        record = await self._client.get_record(self._session_id, self._owner_token)
        self._terminal.write("\n".join(["", *outcome_lines(record.session), "", *proof_lines(record)]))
        return record

    def _roll_call(self, seat: int) -> RollCall:
        """Returns when somebody sits in the seat."""

        async def seated(_: Bot) -> None:
            session = await self._client.get_session(self._session_id)
            while session.seats[seat].state == sessions_pb2.SEAT_STATE_RESERVED:
                await asyncio.sleep(_ROLL_CALL_S)
                session = await self._client.get_session(self._session_id)

        return seated

    def _down(self, seat: int) -> Callable[[Bot], Awaitable[None]]:
        """Gives up the seat of a bot whose process has ended: the others want to go on."""

        async def forfeit(bot: Bot) -> None:
            with suppress(WrongMoment):  # it had forfeited already, or the game is over
                cause = sessions_pb2.FORFEIT_CAUSE_CRASHED
                await self._client.forfeit_seat(self._session_id, self._owner_token, seat, cause)
                how = bot.endings[-1].sentence
                self._terminal.write(f"{bot.name} is gone ({how}); the house plays on for it, and it is placed last.")

        return forfeit

    async def _guard(self) -> None:
        raise await self._service.failed()


def _first(failures: BaseExceptionGroup[BaseException]) -> BaseException:
    """What the person must hear of all that failed at once."""
    errors = list(failures.exceptions)
    first = next((error for error in errors if isinstance(error, RunnerError)), errors[0])
    if isinstance(first, BaseExceptionGroup):
        return _first(first)
    return HostFault(f"the service did not do as asked: {first}") if isinstance(first, CroupierError) else first
