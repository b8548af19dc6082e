"""The bot that is checked: waits for what it does, never for ever, and says what it did wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

from croupier.v1 import sessions_pb2
from croupier_client import SeatPlan, TimeControl
from croupier_client.relay import Relay
from croupier_runner.check_bot.findings import Fault
from croupier_runner.check_bot.leftovers import end_all, left_behind
from croupier_runner.check_bot.tables import Table, against_the_house
from croupier_runner.check_bot.watcher import Watcher
from croupier_runner.errors import HostFault
from croupier_runner.processes import Program
from croupier_runner.tables import CAUSES, RECONNECT_MS

if TYPE_CHECKING:
    from croupier_runner.check_bot.stage import Stage

T = TypeVar("T")

_LOOK_S = 0.02
"""How often the roll call looks."""
_GAME_ANSWERS = 30
"""A seat's game clock is so many times our patience: a bot that is slow at every move does not last for ever."""
_OURS_S = 60.0
"""What the service's clocks leave over, for our own work."""
_ILLEGAL_LIMIT = 3
_LAST_LINES = 8
"""How much of a bot's stderr is shown."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A game that is being played."""

    table: Table
    session_id: str
    owner_token: str


class Guest:
    """The bot's process and what passes between it and the service."""

    def __init__(
        self, program: Program, token: str, stage: Stage, advice: str, watcher: Watcher, relay: Relay | None
    ) -> None:
        self.program = program
        self.watcher = watcher
        self.undealt: Opened | None = None
        """The table of the roll call, at which others are still missing; None before it."""
        self._relay = relay
        self._token = token
        self._stage = stage
        self._advice = advice

    @property
    def relay(self) -> Relay:
        """What stands between the bot and the service."""
        if self._relay is None:
            raise RuntimeError("this bot plays with nothing in between")
        return self._relay

    @property
    def authorization(self) -> str:
        """How the bot has to prove who it is."""
        return f"Bearer {self._token}"

    def fault(self, sentence: str) -> Fault:
        """The complaint, with what to do about it and the last of what the bot said itself."""
        said = "\n".join(self.program.stderr.splitlines()[-_LAST_LINES:])
        return Fault(f"{sentence}; {self._advice}" + (f". Its last words:\n{said}" if said else ""))

    async def comes(self) -> None:
        """Returns when the service sees the bot: it takes the seat kept for it at a table that is never dealt."""
        startup_s = self._stage.patience.startup_s
        late = f"it did not connect to CROUPIER_TARGET within {startup_s:g} s"
        self.undealt = await self.within(startup_s, self._roll_call(), late)

    async def _roll_call(self) -> Opened:
        client, game = self._stage.client, self._stage.subject.games[0]
        created = await client.create_session(game.id, [self._plan(own=True), *[None] * (game.max_seats - 1)])
        session = created.session
        while session.seats[0].state != sessions_pb2.SEAT_STATE_TAKEN:
            await asyncio.sleep(_LOOK_S)
            session = await client.get_session(session.session_id)
        return Opened(Table(game, game.max_seats, (0,)), session.session_id, created.owner_token)

    async def within(self, limit_s: float, work: Coroutine[None, None, T], otherwise: str) -> T:
        """The result of the work; a Fault if the bot's process ends before, or if it takes longer."""
        working, ending = asyncio.create_task(work), asyncio.create_task(self.program.wait())
        tasks: list[asyncio.Task[object]] = [working, ending]
        try:
            await asyncio.wait(tasks, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                return working.result()
            self._complain_of_wrong()
            if ending.done():
                raise self.fault(f"its process {self.program.ending} though the stream was still open")
            raise self.fault(otherwise)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    async def until(self, condition: Callable[[], bool], limit_s: float, otherwise: str) -> None:
        """Returns when what has passed fulfils the condition."""
        await self.within(limit_s, self.watcher.until(condition), otherwise)

    async def play(self, tables: Iterable[Table]) -> None:
        """Plays them all at once, to their ends, and holds the bot to how it played."""
        await self.finish(await self.sit_down(tables))

    async def sit_down(self, tables: Iterable[Table], move_s: float | None = None) -> list[Opened]:
        """Opens the tables; they are dealt at once, for bot and house are there."""
        answer_s = self._stage.patience.answer_s
        time_control = TimeControl(
            move_ms=round(1000 * (move_s or answer_s)),
            game_ms=round(1000 * _GAME_ANSWERS * answer_s),
            reconnect_ms=RECONNECT_MS,
        )
        opened = []
        for number, table in enumerate(tables):
            created = await self._stage.client.create_session(
                table.game.id,
                [self._plan(seat in table.own) for seat in range(table.seats)],
                table.options,
                time_control=time_control,
                seed=sha256(b"croupier/check/%d" % number).digest(),
                illegal_limit=_ILLEGAL_LIMIT,
            )
            opened.append(Opened(table, created.session.session_id, created.owner_token))
        return opened

    def _plan(self, own: bool) -> SeatPlan:
        return SeatPlan(name="checked", token=self._token) if own else SeatPlan(name="house", token=self._stage.house)

    async def finish(self, games: Sequence[Opened], *, refusals: int = 0) -> None:
        """Waits for the games' ends, and complains of forfeits, of more refusals than that, and of wrong answers."""
        sessions = await self._over(games)
        self._complain_of_wrong()
        self._complain_of_refusals(refusals)
        for game, session in zip(games, sessions, strict=True):
            self._complain_of_forfeits(game, session)
        await self._play_on()

    async def _play_on(self) -> None:
        """Plays another game: only that shows that the bot has outlived the last message of those before."""
        [game] = games = await self.sit_down([against_the_house(self._stage.subject.games[0])])
        [session] = await self._over(games)
        self._complain_of_wrong()
        self._complain_of_forfeits(game, session)

    async def _over(self, games: Sequence[Opened]) -> list[sessions_pb2.Session]:
        """The sessions, when they have ended; their own clocks see to that."""
        seats = max(game.table.seats for game in games)
        limit_s = seats * _GAME_ANSWERS * self._stage.patience.answer_s + _OURS_S
        waiting = [
            self._stage.client.get_session(game.session_id, wait_until_over=True, timeout_s=2 * limit_s)
            for game in games
        ]
        return await self.within(limit_s, _all(waiting), f"its games were not over after {limit_s:g} s")

    def _complain_of_wrong(self) -> None:
        if self.watcher.wrong:
            raise self.fault(self.watcher.wrong[0])

    def _complain_of_refusals(self, allowed: int) -> None:
        refused = self.watcher.refusals
        if len(refused) > allowed:
            last = refused[-1]
            raise self.fault(
                f"its answer to decision {last.decision_id} of seat {last.seat} was refused as {last.reason} "
                f"({last.message})"
            )

    def _complain_of_forfeits(self, game: Opened, session: sessions_pb2.Session) -> None:
        if session.state == sessions_pb2.SESSION_STATE_ABORTED:
            return
        for seat in game.table.own:
            cause = session.outcome.results[seat].forfeit_cause
            if cause == sessions_pb2.FORFEIT_CAUSE_TIME:
                clock = session.time_control
                owed = self.watcher.unanswered(session.session_id, seat) or "a decision"
                limits = f"{clock.move_ms / 1000:g} s, or all of the seat within {clock.game_ms / 1000:g} s"
                raise self.fault(f"in {game.table} its seat {seat} did not answer {owed} within {limits}")
            if cause:
                raise self.fault(f"in {game.table} its seat {seat} was given up: {CAUSES[cause][1]}")

    async def ends(self, because: str) -> int:
        """The exit code of the bot, which should end now by itself."""
        ending_s = self._stage.patience.ending_s
        try:
            await asyncio.wait_for(self.program.wait(), ending_s)
        except TimeoutError:
            again = " and has connected again" if self.watcher.opened_streams > 1 else ""
            raise self.fault(f"{because}, but {ending_s:g} s later it still runs{again}") from None
        code = self.program.exit_code
        if code is None:
            raise HostFault("a process has ended, but nobody knows how")
        return code

    def left_behind(self) -> list[str]:
        """The names of processes that the bot has left; they are ended."""
        processes = left_behind(self._token)
        end_all(processes)
        return sorted(set(processes.values()))


async def _all(works: Iterable[Coroutine[None, None, T]]) -> list[T]:
    return list(await asyncio.gather(*works))
