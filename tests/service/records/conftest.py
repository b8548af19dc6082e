"""Games of every kind, played through the service, with their records."""

import random
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import pytest

from croupier.v1 import bots_pb2, records_pb2, sessions_pb2, turns_pb2
from croupier_games import GAMES

PlayedGame: TypeAlias = "Callable[..., Awaitable[Played]]"


class Played:
    """A game that was played to its end, and what its bot was told."""

    def __init__(self, record: records_pb2.Record, told: list[bytes], over: list[bots_pb2.GameOver]) -> None:
        self.record = record
        self.told = told
        """The heads of all turns."""
        self.over = over


@pytest.fixture
def played_game(house: Any, clock: Any, tokens: tuple[str, ...]) -> PlayedGame:
    """Plays a game at random with one bot in all seats, whose clock runs unevenly."""

    async def play(game_id: str, seats: int | None = None, forfeit: int | None = None, **request: Any) -> Played:
        chance = random.Random(game_id)
        bot = await house.connect(tokens[0], detail=turns_pb2.TurnDetail(omit_view=True, head=True))
        plan = sessions_pb2.SeatPlan(token=tokens[0], name="Zoë")
        create = sessions_pb2.CreateSessionRequest(
            game_id=game_id,
            seats=[plan] * (seats or max(2, GAMES[game_id].min_seats)),
            time_control=sessions_pb2.TimeControl(move_ms=10_000_000),
            **request,
        )
        created = await house.sessions.CreateSession(create)
        told = []
        while len(bot.over) < len(create.seats):
            if not bot.turns:
                await bot.read()
                continue
            turns, bot.turns = bot.turns, {}
            answers = []
            for turn in turns.values():
                told.append(turn.head)
                index = chance.randrange(turn.legal_count)
                answers.append(
                    turns_pb2.Answer(
                        session_id=turn.session_id, seat=turn.seat, decision_id=turn.decision_id, index=index
                    )
                )
            clock.advance(chance.random())
            if forfeit is not None and len(told) > 5:
                owner = (("authorization", f"Bearer {created.owner_token}"),)
                give_up = sessions_pb2.ForfeitSeatRequest(
                    session_id=created.session.session_id, seat=forfeit, cause=sessions_pb2.FORFEIT_CAUSE_CRASHED
                )
                await house.sessions.ForfeitSeat(give_up, metadata=owner)
                forfeit = None
            await bot.answer(*answers)
        get = records_pb2.GetRecordRequest(session_id=created.session.session_id)
        owner = (("authorization", f"Bearer {created.owner_token}"),)
        record = (await house.records.GetRecord(get, metadata=owner)).record
        over = list(bot.over.values())
        await bot.leave()
        return Played(record, told, over)

    return play
