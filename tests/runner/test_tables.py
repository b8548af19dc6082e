"""A table waits for nobody for ever: whoever does not sit down forfeits, and the game is played."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from croupier.v1 import records_pb2, sessions_pb2
from croupier_runner import tables as module
from croupier_runner.bots import Bot
from croupier_runner.clock import Clock
from croupier_runner.config import parse
from croupier_runner.events import Event
from croupier_runner.tables import Tables

CUP = """
name = "cup"
seed = 1
blocks = 200
[game]
id = "lie"
seats = 2
[[bots]]
name = "here"
command = ["x"]
[[bots]]
name = "gone"
command = ["x"]
"""


class Service:
    """A service that sees one of two bots, and deals when somebody takes the other's seat."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []
        taken, reserved = sessions_pb2.SEAT_STATE_TAKEN, sessions_pb2.SEAT_STATE_RESERVED
        self.session = sessions_pb2.Session(
            session_id="table",
            state=sessions_pb2.SESSION_STATE_WAITING,
            seats=[sessions_pb2.Seat(name="here", state=taken), sessions_pb2.Seat(name="gone", state=reserved)],
        )

    async def create_session(self, *_: object, **__: object) -> Any:
        return SimpleNamespace(session=self.session, owner_token="owner")

    async def get_session(self, session_id: str) -> sessions_pb2.Session:
        return self.session

    async def claim_seat(self, session_id: str, seat: int, token: str) -> None:
        self.calls.append(("claim", seat, token))

    async def forfeit_seat(self, session_id: str, owner: str, seat: int, cause: int) -> None:
        self.calls.append(("forfeit", seat, cause))

    async def get_record(self, *_: object, **__: object) -> records_pb2.Record:
        self.session.state = sessions_pb2.SESSION_STATE_FINISHED
        self.session.outcome.results.add(place=1)
        self.session.outcome.results.add(place=2, forfeit_cause=sessions_pb2.FORFEIT_CAUSE_DISCONNECTED)
        return records_pb2.Record(session=self.session)


async def test_a_bot_that_lost_its_stream_forfeits_instead_of_holding_up_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "RECONNECT_MS", 0)
    monkeypatch.setattr(module, "_VERIFY_FIRST", 0)  # the record is made up
    monkeypatch.setattr(module, "_VERIFY_EVERY", 10**9)
    service = Service()
    tables = Tables(service, Clock(move_ms=1))  # type: ignore[arg-type]
    event = Event(0, parse(CUP, Path("cup.toml")), bytes(32), {}, lambda _: None)
    jobs = [event.next() for _ in range(3)]
    job = jobs[2]
    assert job is not None
    bots = [Bot("here", "token of here", 1.0), Bot("gone", "token of gone", 1.0)]
    for bot in bots:
        bot.up = True
        bot._settled.set()
    played = await tables.play(job, bots)

    gone = sessions_pb2.FORFEIT_CAUSE_DISCONNECTED
    assert service.calls == [("claim", 1, "token of gone"), ("forfeit", 1, gone)]
    assert played.result.faults == ("", "protocol")
    assert [fault.cause for fault in played.faults] == ["protocol"]
