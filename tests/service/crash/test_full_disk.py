"""A disk that takes no more: nothing is played and nothing is told, and when there is room again all go on."""

from __future__ import annotations

import asyncio
import resource
from typing import TYPE_CHECKING

import grpc
import pytest
from grpc import aio

from croupier.v1 import records_pb2, sessions_pb2, turns_pb2
from croupier_runner.records import verify

if TYPE_CHECKING:
    from tests.service.crash.conftest import Service

TOKENS = ("A" * 30, "B" * 30)
ATTEMPTS = 10_000


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


class Seats:
    """Both seats of a session, played by calls that are repeated until they are answered."""

    def __init__(self, service: Service, created: sessions_pb2.CreateSessionResponse) -> None:
        self._service = service
        self.session_id = created.session.session_id
        self.owner_token = created.owner_token
        self.met_refusal = asyncio.Event()
        self._unanswered: dict[tuple[int, int], turns_pb2.Turn] = {}
        self.answers: dict[tuple[int, int], str] = {}

    async def claim(self) -> None:
        for seat, token in enumerate(TOKENS):
            claim = sessions_pb2.ClaimSeatRequest(session_id=self.session_id, seat=seat)
            await self._service.sessions.ClaimSeat(claim, metadata=bearer(token))

    async def turn(self, seat: int) -> turns_pb2.Turn:
        request = sessions_pb2.GetTurnRequest(session_id=self.session_id, seat=seat)
        return (await self._service.sessions.GetTurn(request, metadata=bearer(TOKENS[seat]))).turn

    async def submit(self, turn: turns_pb2.Turn) -> None:
        """Raises what the service says; until it has answered, the same is sent again, under the same request id."""
        self._unanswered[turn.seat, turn.decision_id] = turn
        request_id = f"{turn.seat}/{turn.decision_id}"
        answer = turns_pb2.Answer(
            session_id=self.session_id,
            seat=turn.seat,
            decision_id=turn.decision_id,
            index=turn.legal_count - 1 if turn.decision_id < 8 else 0,
            request_id=request_id,
        )
        request = sessions_pb2.SubmitActionRequest(answer=answer)
        response = await self._service.sessions.SubmitAction(request, metadata=bearer(TOKENS[turn.seat]))
        self.answers[turn.seat, turn.decision_id] = response.notation
        self._unanswered.pop((turn.seat, turn.decision_id), None)

    async def play_out(self) -> None:
        """One decision after the other, each until it is answered."""
        for _ in range(ATTEMPTS):
            try:
                for turn in list(self._unanswered.values()):
                    await self.submit(turn)
                turns = [await self.turn(seat) for seat in range(2)]
                for turn in turns:
                    if turn.decision_id:
                        await self.submit(turn)
                if not any(turn.decision_id for turn in turns):
                    return
            except aio.AioRpcError as error:
                if error.code() != grpc.StatusCode.UNAVAILABLE:
                    raise
                self.met_refusal.set()
        raise AssertionError("the game does not end")


async def opened(service: Service) -> Seats:
    request = sessions_pb2.CreateSessionRequest(
        game_id="lie", seats=[sessions_pb2.SeatPlan(token=token) for token in TOKENS]
    )
    seats = Seats(service, await service.sessions.CreateSession(request))
    await seats.claim()
    return seats


def let_files_grow(service: Service, size: int) -> None:
    """What the service's files may grow to: the system refuses to write beyond, as a full disk does."""
    _, hard = resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (size, hard))


async def test_a_full_disk_stops_play_and_room_lets_it_go_on(service: Service) -> None:
    """Moves are refused as UNAVAILABLE, none is lost or doubled, and the records of all games verify."""
    tables = [await opened(service) for _ in range(4)]
    turn = await tables[0].turn(0)
    let_files_grow(service, 1)
    for _ in range(3):
        with pytest.raises(aio.AioRpcError) as caught:
            await tables[0].submit(turn)
        assert caught.value.code() == grpc.StatusCode.UNAVAILABLE
    playing = [asyncio.ensure_future(table.play_out()) for table in tables]
    await asyncio.gather(*(table.met_refusal.wait() for table in tables))
    let_files_grow(service, resource.RLIM_INFINITY)
    await asyncio.gather(*playing)
    for table in tables:
        request = records_pb2.GetRecordRequest(session_id=table.session_id)
        record = (await service.records.GetRecord(request)).record
        assert verify(record) == []
        played: dict[tuple[int, int], str] = {}
        for entry in record.entries:
            seat = entry.action.seat
            played[seat, 1 + sum(key[0] == seat for key in played)] = entry.action.notation
        assert played == table.answers
