"""The tables: opens sessions on the service, sees their games to the end, and says how they ended."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from croupier.v1 import sessions_pb2
from croupier_client import AsyncClient, WrongMoment
from croupier_runner.bots import Bot
from croupier_runner.clock import Clock
from croupier_runner.config import GameSection
from croupier_runner.errors import HostFault, RecordFault
from croupier_runner.records import verify
from croupier_runner.schedule import Pairing
from croupier_runner.standings import Result

RECONNECT_MS = 10_000
"""How long a bot whose stream broke, but whose process lives, may owe a decision."""
_ROLL_CALL_S = 0.02
"""How often the roll call looks."""


@dataclass(frozen=True, slots=True)
class _Game:
    """A game that has not ended yet."""

    session_id: str
    owner_token: str
    bots: Sequence[Bot]


class Tables:
    """All games of a tournament that are being played."""

    def __init__(self, client: AsyncClient, game: GameSection, clock: Clock) -> None:
        self._client = client
        self._game = game
        self._time_control = sessions_pb2.TimeControl(
            move_ms=clock.move_ms,
            game_ms=clock.game_ms,
            increment_ms=clock.increment_ms,
            reconnect_ms=RECONNECT_MS,
        )
        self._open: dict[str, _Game] = {}
        self.records_verified = 0
        self.moves_verified = 0

    async def roll_call(self, bot: Bot) -> None:
        """Returns when the service sees the bot: it takes the seat kept for it at a table that is never dealt."""
        seats = [_plan(bot), *[None] * (self._game.seats - 1)]
        created = await self._client.create_session(self._game.id, seats, self._game.settings)
        session = created.session
        while session.seats[0].state != sessions_pb2.SEAT_STATE_TAKEN:
            await asyncio.sleep(_ROLL_CALL_S)
            session = await self._client.get_session(session.session_id)
        await self._client.abort_session(session.session_id, created.owner_token)

    async def play(self, pairing: Pairing, bots: Sequence[Bot]) -> Result:
        """Plays one game of the schedule to its end."""
        for bot in bots:
            await bot.settled()
        created = await self._client.create_session(
            self._game.id,
            [_plan(bot) for bot in bots],
            self._game.settings,
            time_control=self._time_control,
            seed=pairing.block.seed,
        )
        game = _Game(created.session.session_id, created.owner_token, bots)
        self._open[game.session_id] = game
        await self._give_up_for_the_absent(game)
        session = await self._client.get_session(game.session_id, wait_until_over=True)
        del self._open[game.session_id]
        if session.state != sessions_pb2.SESSION_STATE_FINISHED:
            raise HostFault(f"session {session.session_id} was aborted, and not by this tournament")
        if pairing.order == 0:
            await self._verify(game.session_id, game.owner_token, pairing)
        return _result(pairing, session)

    async def bot_is_down(self, bot: Bot) -> None:
        """A bot's process has ended: its seats in open games are forfeited."""
        for game in [game for game in self._open.values() if bot in game.bots]:
            await self._give_up_for_the_absent(game)

    async def _give_up_for_the_absent(self, game: _Game) -> None:
        """Forfeits the seats of bots that are down; takes them first, for only a game that was dealt has a result."""
        absent = [seat for seat, bot in enumerate(game.bots) if not bot.up]
        for seat in absent:
            with suppress(WrongMoment):  # the bot sat down before it ended
                await self._client.claim_seat(game.session_id, seat, token=game.bots[seat].token)
        for seat in absent:
            with suppress(WrongMoment):  # forfeited already, or the game is over
                await self._client.forfeit_seat(
                    game.session_id, game.owner_token, seat, sessions_pb2.FORFEIT_CAUSE_CRASHED
                )

    async def _verify(self, session_id: str, owner_token: str, pairing: Pairing) -> None:
        record = await self._client.get_record(session_id, owner_token)
        wrong = verify(record)
        if record.service_seed != pairing.block.seed:
            wrong.append("it was not dealt from the seed of its block")
        if tuple(seat.name for seat in record.session.seats) != pairing.lineup:
            wrong.append("other bots sat there than the schedule says")
        if wrong:
            raise RecordFault(f"the record of session {session_id} does not hold: {'; '.join(wrong)}")
        self.records_verified += 1
        self.moves_verified += sum(entry.HasField("action") for entry in record.entries)


def _plan(bot: Bot) -> sessions_pb2.SeatPlan:
    return sessions_pb2.SeatPlan(name=bot.name, token=bot.token)


def _result(pairing: Pairing, session: sessions_pb2.Session) -> Result:
    results = session.outcome.results
    return Result(
        pairing,
        session.session_id,
        places=tuple(result.place for result in results),
        faults=tuple(_fault(result.forfeit_cause) for result in results),
    )


def _fault(cause: sessions_pb2.ForfeitCause) -> str:
    """The cause in a word: "time", "crashed", …; empty for none."""
    if cause == sessions_pb2.FORFEIT_CAUSE_UNSPECIFIED:
        return ""
    return sessions_pb2.ForfeitCause.Name(cause).removeprefix("FORFEIT_CAUSE_").lower()
