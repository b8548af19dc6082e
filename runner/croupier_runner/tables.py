"""The tables: opens sessions on the service, sees their games to the end, and says how they ended."""

import asyncio
import time
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from croupier.v1 import records_pb2, sessions_pb2
from croupier_client import AsyncClient, WrongMoment
from croupier_games import OptionValue
from croupier_runner.bots import Bot, Ending
from croupier_runner.clock import Clock
from croupier_runner.errors import HostFault, RecordFault
from croupier_runner.events import Job
from croupier_runner.journal import JournaledFault
from croupier_runner.records import verify
from croupier_runner.results import THINK_BOUNDS_MS, GameResult

RECONNECT_MS = 10_000
"""How long a bot whose stream broke, but whose process lives, may owe a decision."""
_VERIFY_FIRST = 100
_VERIFY_EVERY = 20
"""The first game of the first blocks is verified at once, and of one block in so many from then on."""
_ROLL_CALL_S = 0.02
"""How often the roll call looks."""

CAUSES = {
    sessions_pb2.FORFEIT_CAUSE_RESIGNED: ("resigned", "it resigned"),
    sessions_pb2.FORFEIT_CAUSE_TIME: ("timeout", "it did not answer in time"),
    sessions_pb2.FORFEIT_CAUSE_ILLEGAL: ("illegal", "it played too much that is not allowed"),
    sessions_pb2.FORFEIT_CAUSE_DISCONNECTED: ("protocol", "its stream ended and it did not come back in time"),
    sessions_pb2.FORFEIT_CAUSE_PROTOCOL: ("protocol", "it did not keep to the protocol, and was cut off"),
}
"""The cause of a forfeit in a word, and in a sentence; of a process that ended, the process tells more."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played to its end."""

    job: Job
    result: GameResult
    record: bytes
    faults: tuple[JournaledFault, ...]


@dataclass(frozen=True, slots=True)
class _Game:
    """A game that has not ended yet."""

    session_id: str
    owner_token: str
    bots: Sequence[Bot]
    endings: dict[int, Ending] = field(default_factory=dict)
    """How the processes of bots ended that were in it, by seat."""


class Tables:
    """All games of a tournament that are being played."""

    def __init__(self, client: AsyncClient, clock: Clock, operator_token: str = "") -> None:
        self._client = client
        self._operator_token = operator_token
        self._clock = clock
        self._time_control = sessions_pb2.TimeControl(
            move_ms=clock.move_ms,
            game_ms=clock.game_ms,
            increment_ms=clock.increment_ms,
            reconnect_ms=RECONNECT_MS,
        )
        self._open: dict[str, _Game] = {}
        self.records_verified = 0

    async def roll_call(self, bot: Bot, game_id: str, seats: int, options: Mapping[str, OptionValue]) -> None:
        """Returns when the service sees the bot: it takes the seat kept for it at a table that is never dealt."""
        created = await self._client.create_session(
            game_id, [_plan(bot), *[None] * (seats - 1)], options, operator_token=self._operator_token
        )
        session = created.session
        while session.seats[0].state != sessions_pb2.SEAT_STATE_TAKEN:
            await asyncio.sleep(_ROLL_CALL_S)
            session = await self._client.get_session(session.session_id)
        await self._client.abort_session(session.session_id, created.owner_token)

    async def play(self, job: Job, bots: Sequence[Bot]) -> Played:
        """Plays one game of the schedule to its end."""
        for bot in bots:
            await bot.settled()
        section = job.event.section
        created = await self._client.create_session(
            section.id,
            [_plan(bot) for bot in bots],
            section.settings,
            time_control=self._time_control,
            seed=job.block.seed,
            commitment_salt=job.salt,
            operator_token=self._operator_token,
        )
        game = _Game(created.session.session_id, created.owner_token, bots)
        self._open[game.session_id] = game
        await self._give_up_for_the_absent(game)
        if any(seat.state == sessions_pb2.SEAT_STATE_RESERVED for seat in created.session.seats):
            await self._wait_for_all(game)
        record = await self._client.get_record(game.session_id, game.owner_token, wait_until_over=True)
        del self._open[game.session_id]
        if record.session.state != sessions_pb2.SESSION_STATE_FINISHED:
            raise HostFault(f"session {game.session_id} was aborted, and not by this tournament")
        if job.game == 0 and (job.block.index < _VERIFY_FIRST or job.block.index % _VERIFY_EVERY == 0):
            self._verify(record, job)
        faults = tuple(self._faults(job, record, game))
        return Played(job, _result(record, faults), record.SerializeToString(), faults)

    async def _wait_for_all(self, game: _Game) -> None:
        """Whoever has lost its stream, though its process lives, may come back for a while, and then forfeits."""
        deadline_s = time.monotonic() + RECONNECT_MS / 1000
        while True:
            session = await self._client.get_session(game.session_id)
            missing = [
                seat for seat, each in enumerate(session.seats) if each.state == sessions_pb2.SEAT_STATE_RESERVED
            ]
            if session.state != sessions_pb2.SESSION_STATE_WAITING or not missing:
                return
            if time.monotonic() >= deadline_s:
                break
            await asyncio.sleep(_ROLL_CALL_S)
        await self._give_up(game, missing, sessions_pb2.FORFEIT_CAUSE_DISCONNECTED)

    async def dismiss(self, bots: Iterable[Bot]) -> None:
        """Tells the bots that there is nothing more to play: those from elsewhere would dial in for ever."""
        for bot in bots:
            await self._client.dismiss(bot.token)

    async def bot_is_down(self, bot: Bot) -> None:
        """A bot's process has ended: its seats in open games are forfeited."""
        for game in [game for game in self._open.values() if bot in game.bots]:
            await self._give_up_for_the_absent(game)

    async def _give_up_for_the_absent(self, game: _Game) -> None:
        """Forfeits the seats of bots that are down."""
        absent = [seat for seat, bot in enumerate(game.bots) if not bot.up]
        for seat in absent:
            if endings := game.bots[seat].endings:
                game.endings.setdefault(seat, endings[-1])
        await self._give_up(game, absent, sessions_pb2.FORFEIT_CAUSE_CRASHED)

    async def _give_up(self, game: _Game, absent: Sequence[int], cause: sessions_pb2.ForfeitCause) -> None:
        """Forfeits these seats; takes them first, for only a game that was dealt has a result."""
        for seat in absent:
            with suppress(WrongMoment):  # the bot sat down before it ended
                await self._client.claim_seat(game.session_id, seat, token=game.bots[seat].token)
        for seat in absent:
            with suppress(WrongMoment):  # forfeited already, or the game is over
                await self._client.forfeit_seat(game.session_id, game.owner_token, seat, cause)

    def _verify(self, record: records_pb2.Record, job: Job) -> None:
        """Some games are played again by the rules while the tournament runs; `croupier verify` does it with all."""
        wrong = verify(record)
        if record.service_seed != job.block.seed:
            wrong.append("it was not dealt from the seed of its block")
        if tuple(seat.name for seat in record.session.seats) != job.lineup:
            wrong.append("other bots sat there than the schedule says")
        if wrong:
            session = record.session.session_id
            raise RecordFault(f"the record of session {session} does not hold: {'; '.join(wrong)}")
        self.records_verified += 1

    def _faults(self, job: Job, record: records_pb2.Record, game: _Game) -> Iterable[JournaledFault]:
        for seat, (bot, result) in enumerate(zip(game.bots, record.session.outcome.results, strict=True)):
            cause = result.forfeit_cause
            if cause == sessions_pb2.FORFEIT_CAUSE_CRASHED and seat in game.endings:
                ending = game.endings[seat]
                yield JournaledFault(job.key, seat, ending.cause, ending.sentence, ending.last_words)
            elif cause == sessions_pb2.FORFEIT_CAUSE_CRASHED:
                yield JournaledFault(job.key, seat, "crash", "it was not at the table", bot.last_words)
            elif cause:
                word, sentence = CAUSES[cause]
                limit = f" ({self._clock})" if cause == sessions_pb2.FORFEIT_CAUSE_TIME else ""
                yield JournaledFault(job.key, seat, word, sentence + limit, bot.last_words)


def _plan(bot: Bot) -> sessions_pb2.SeatPlan:
    return sessions_pb2.SeatPlan(name=bot.name, token=bot.token)


def _result(record: records_pb2.Record, faults: Iterable[JournaledFault]) -> GameResult:
    results = record.session.outcome.results
    seats = len(results)
    causes = {fault.seat: fault.cause for fault in faults}
    think_us = [0] * seats
    thinking = [[0] * (len(THINK_BOUNDS_MS) + 1) for _ in range(seats)]
    moves = 0
    for entry in record.entries:
        if entry.HasField("action"):
            moves += 1
            action = entry.action
            if action.chooser == records_pb2.CHOOSER_SEAT:
                think_us[action.seat] += action.think_us
                thinking[action.seat][bisect_left(THINK_BOUNDS_MS, action.think_us / 1000)] += 1
    return GameResult(
        places=tuple(result.place for result in results),
        points=tuple(result.points if result.HasField("points") and not causes else None for result in results),
        faults=tuple(causes.get(seat, "") for seat in range(seats)),
        moves=moves,
        think_ms=tuple(us // 1000 for us in think_us),
        thinking=tuple(map(tuple, thinking)),
        session_id=record.session.session_id,
    )
