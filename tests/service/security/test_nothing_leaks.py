"""Tokens, seeds and hidden cards are in nothing that the service says; tokens are not even on its disk."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Awaitable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import pytest

from croupier.v1 import sessions_pb2
from croupier_client import AsyncClient, CroupierError, SeatPlan, Turn, run_async
from croupier_games import GAMES, State

if TYPE_CHECKING:
    from tests.service.conftest import House
    from tests.service.security.conftest import StartProgram

SEED = bytes(range(100, 132))
ENTROPY = b"what a seat gave to the deal"
OPERATOR = "operator-" + "o" * 30
BOT = "a-bot-of-its-own-" + "b" * 20
RESERVED = "reserved-for-somebody-" + "r" * 20
STRANGER = "nobody-that-is-known-" + "n" * 20
CLOSED = sessions_pb2.Spectators(access=sessions_pb2.SPECTATOR_ACCESS_CLOSED)

LOGGED = frozenset(
    (
        *("event", "level", "timestamp", "session", "sessions", "game", "seat", "seats", "cause", "end", "bot"),
        *("address", "addresses", "store", "version", "running", "grace_s", "hint", "aborted", "broken"),
    )
)
"""What log lines may have: a new word here is a promise that it is neither a token nor hidden."""


def written_forms(secret: bytes) -> Iterator[str]:
    """How bytes could look in a text."""
    yield secret.hex()
    yield base64.b64encode(secret).decode().rstrip("=")
    yield repr(secret)[2:-1]


def hidden_from_others(state: State, seats: int) -> Iterator[str]:
    """What seats see and spectators do not, as a careless programmer would print it."""
    public = state.view(None)
    for seat in range(seats):
        for shown, own in zip(public, state.view(seat), strict=True):
            if shown != own and own is not None:
                yield from (text for text in (repr(own), str(own)) if len(text) > 4)


def found(secrets: Iterable[str], text: str) -> list[str]:
    return sorted(secret for secret in set(secrets) if secret in text)


def test_a_secret_in_a_text_is_found() -> None:
    """The search finds what it looks for, in every form, and the hands are some."""
    assert found([OPERATOR, BOT], f"token={BOT}") == [BOT]
    for form in written_forms(SEED):
        assert found(written_forms(SEED), f"seed: {form}.") == [form]
    state = GAMES["lie"].deal(2, GAMES["lie"].check(2, {}), SEED)
    hands = list(hidden_from_others(state, 2))
    assert any("Card(" in hand for hand in hands)
    assert found(hands, f"seat 0 has {state.view(0)}")


def scrape(address: str) -> str:
    with urlopen(f"http://{address}/metrics") as response:
        return str(response.read().decode())


def all_bytes(folder: Path) -> bytes:
    """The database, with what has not been moved into it yet."""
    return b"".join(file.read_bytes() for file in folder.glob("sessions.sqlite*"))


class Witness:
    """Somebody who makes every call, rightly and wrongly, and keeps what must not be seen and what was said."""

    def __init__(self, client: AsyncClient) -> None:
        self.client = client
        self.tokens = {OPERATOR, BOT, RESERVED, STRANGER}
        self.hidden: set[str] = set()
        self.errors: list[str] = []

    async def refused(self, call: Awaitable[object]) -> None:
        """The call fails, and what it says is kept."""
        with pytest.raises(CroupierError) as refused:
            await call
        self.errors.append(f"{refused.value.reason} {refused.value}")

    async def play(self, game_id: str) -> None:
        """A game of two by hand, each seat under a new token; beside every answer, wrong ones."""
        client, game = self.client, GAMES[game_id]
        created = await client.create_session(game_id, 2, seed=SEED, operator_token=OPERATOR)
        session_id, owner = created.session.session_id, created.owner_token
        seats = [(await client.claim_seat(session_id)).seat_token for _ in range(2)]
        self.tokens |= {owner, *seats}
        state = game.deal(2, game.check(2, {}), SEED)
        for _ in range(25):
            if not state.deciders:
                break
            self.hidden |= set(hidden_from_others(state, 2))
            seat = state.deciders[0]
            turn = await client.get_turn(session_id, seats[seat])
            await self._err(session_id, seats, seat, turn.decision_id)
            done = await client.submit(session_id, seats[seat], seat, turn.decision_id, index=0)
            state.play(seat, game.parse(done.notation))
        if state.deciders:
            self.tokens.add(await client.rotate_seat_token(session_id, owner, 0))
            await self.refused(client.get_record(session_id, owner))
            await client.forfeit_seat(session_id, owner, 1, sessions_pb2.FORFEIT_CAUSE_CRASHED)

    async def _err(self, session_id: str, seats: list[str], seat: int, decision: int) -> None:
        client, own, other = self.client, seats[seat], seats[1 - seat]
        for token in (other, STRANGER):
            await self.refused(client.submit(session_id, token, seat, decision, index=0))
            await self.refused(client.get_turn(session_id, token, seat))
        await self.refused(client.submit(session_id, own, seat, decision, index=9_999, dry_run=True))
        await self.refused(client.submit(session_id, own, seat, decision, notation="garbage", dry_run=True))
        await self.refused(client.submit(session_id, own, seat, decision + 1, index=0))

    async def call_all_else(self) -> None:
        """What a game by hand does not need."""
        client = self.client
        await self.refused(client.create_session("lie", 2))
        await self.refused(client.create_session("lie", 2, operator_token=STRANGER))
        await self.refused(client.create_session("lie", [SeatPlan(token="too short")], operator_token=OPERATOR))
        plans = [SeatPlan(token=RESERVED), SeatPlan()]
        created = await client.create_session("lie", plans, spectators=CLOSED, operator_token=OPERATOR)
        self.tokens.add(created.owner_token)
        session_id = created.session.session_id
        await self.refused(client.claim_seat(session_id, 0, token=STRANGER))
        await self.refused(client.get_turn(session_id))
        await self.refused(client.rotate_seat_token(session_id, STRANGER, 0))
        await self.refused(client.abort_session(session_id, STRANGER))
        claimed = await client.claim_seat(session_id, entropy=ENTROPY)
        self.tokens.add(claimed.seat_token)
        await client.claim_seat(session_id, 0, token=RESERVED)
        async for step in client.watch(session_id, RESERVED):
            assert step.HasField("start")
            break
        await client.abort_session(session_id, OPERATOR)
        assert [session async for session in client.list_sessions(operator_token=OPERATOR)]
        assert await client.list_games()

    async def play_on_a_stream(self, target: str) -> None:
        """A bot with both seats, whose first answer is refused."""
        plans = [SeatPlan(token=BOT)] * 2
        created = await self.client.create_session("lie", plans, seed=SEED, operator_token=OPERATOR)
        self.tokens.add(created.owner_token)
        wrong = iter(["show me the cards of " + BOT[:8]])

        def play(turn: Turn) -> str:
            return next(wrong, turn.legal[0])

        bot = asyncio.create_task(run_async(play, target=target, token=BOT, name="probe"))
        await self.client.get_session(created.session.session_id, wait_until_over=True)
        assert await self.client.dismiss(BOT) == 1
        await bot


async def test_what_the_service_writes_tells_no_secret(program: StartProgram, tmp_path: Path, capfd: Any) -> None:
    """Every call of the API, real games of every kind, debug level: then everything is searched."""
    token_file, database = tmp_path / "operator", tmp_path / "sessions.sqlite"
    token_file.write_text(OPERATOR)
    service = program("--operator-token-file", str(token_file), "--store", f"sqlite:{database}")
    assert service.ready, service.log
    async with AsyncClient(service.socket) as client:
        witness = Witness(client)
        for game_id in GAMES:
            await witness.play(game_id)
        await witness.call_all_else()
        await witness.play_on_a_stream(service.socket)
    lines = [json.loads(line) for line in service.log.splitlines()]
    (metrics_at,) = [line["address"] for line in lines if line["event"] == "metrics_serving"]
    metrics = await asyncio.to_thread(scrape, metrics_at)
    seeds = {*written_forms(SEED), *written_forms(ENTROPY)}
    assert len(witness.hidden) > 20
    for text in (service.log, metrics, "\n".join(witness.errors), capfd.readouterr().err):
        assert not found(witness.tokens | witness.hidden | seeds, text)
    assert {key for line in lines for key in line} <= LOGGED
    kept = all_bytes(tmp_path)
    assert SEED.hex().encode() in kept
    assert not [token for token in witness.tokens if token.encode() in kept]


@pytest.mark.parametrize("value", ["Bearer ", "Bearer", "Bearer   ", "Basic abc", "", BOT])
async def test_an_authorization_without_a_token_is_refused(house: House, value: str) -> None:
    """It is a mistake of the caller's, and must not pass for a spectator."""
    table = await house.table()
    request = sessions_pb2.GetTurnRequest(session_id=table.id)
    with house.refuses("TOKEN_MISSING") as message:
        await house.sessions.GetTurn(request, metadata=(("authorization", value),))
    assert BOT not in message[0]


async def test_two_authorizations_are_refused(house: House) -> None:
    """Which of them a proxy has checked, nobody could tell."""
    table = await house.table()
    request = sessions_pb2.GetTurnRequest(session_id=table.id, seat=0)
    both = tuple(("authorization", f"Bearer {token}") for token in table.tokens)
    with house.refuses("TOKEN_MISSING"):
        await house.sessions.GetTurn(request, metadata=both)
