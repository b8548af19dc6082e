"""A service inside the test, and clients that see every byte it sends: what the suites over gRPC stand on."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, NamedTuple, TypeAlias

from google.protobuf.message import Message
from grpc import aio

from croupier.v1 import bots_pb2, sessions_pb2, turns_pb2
from croupier_games import Game, OptionValue
from croupier_service.clock import Alarm
from croupier_service.config import Config, Limits
from croupier_service.metrics import Metrics
from croupier_service.rpc.server import Server
from croupier_service.store.memory import MemoryStore
from croupier_service.wire.messages import option_value

Channel: TypeAlias = "aio.Channel"
_END: object = aio.EOF  # type: ignore[attr-defined]  # missing in the stubs


class StillClock:
    """Time that stands still: only what is due already rings."""

    ticking = True

    def now(self) -> float:
        """Always the same moment."""
        return 1_000.0

    def wall(self) -> float:
        """Always the same date."""
        return 1_700_000_000.0

    def call_at(self, when: float, call: Any) -> Alarm:
        """Calls at once what is due now, and nothing else ever."""
        if when <= self.now():
            call()
        return _Never()


class _Never:
    def cancel(self) -> None:
        """It would not have rung anyway."""


class Refused(NamedTuple):
    """All that a caller learns from an error."""

    code: str
    message: str | None
    trailers: tuple[tuple[str, str | bytes], ...]


class Wire:
    """A client that hands out what arrives as it arrived."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel

    async def call(self, method: str, request: Message, token: str = "") -> bytes | Refused:
        """The bytes of a unary answer, or the refusal. `method` is like "SessionService/GetTurn"."""
        call = self.channel.unary_unary(f"/croupier.v1.{method}", _serialised, None)
        try:
            answer: bytes = await call(request, metadata=_metadata(token))
        except aio.AioRpcError as error:
            return _refused(error)
        return answer

    async def ask(self, method: str, request: Message, token: str = "") -> bytes:
        """The bytes of an answer that must not be a refusal."""
        answer = await self.call(method, request, token)
        assert isinstance(answer, bytes), f"{method} was refused: {answer}"
        return answer

    def watch(self, request: sessions_pb2.WatchSessionRequest, token: str = "") -> "Watch":
        """Follows a session."""
        open_watch = self.channel.unary_stream("/croupier.v1.SessionService/WatchSession", _serialised, None)
        return Watch(open_watch(request, metadata=_metadata(token)))

    async def bot(self, token: str, detail: turns_pb2.TurnDetail | None = None) -> "Bot":
        """A bot that has said hello."""
        play: Any = self.channel.stream_stream("/croupier.v1.BotService/Play", _serialised, None)
        bot = Bot(play(metadata=_metadata(token)))
        await bot.send(bots_pb2.PlayRequest(hello=bots_pb2.Hello(name="raw", detail=detail)))
        return bot

    async def create(
        self,
        game_id: str,
        tokens: Sequence[str],
        options: Mapping[str, OptionValue],
        seed: bytes,
        **more: Any,
    ) -> sessions_pb2.CreateSessionResponse:
        """Opens a session with a seat reserved for each token."""
        request = sessions_pb2.CreateSessionRequest(
            game_id=game_id,
            seats=[sessions_pb2.SeatPlan(name=f"player {seat}", token=token) for seat, token in enumerate(tokens)],
            options={name: option_value(value) for name, value in options.items()},
            seed=seed,
            commitment_salt=bytes(32),  # drawn at random it would differ between worlds that must say the same
            illegal_limit=1_000_000,
            **more,
        )
        return sessions_pb2.CreateSessionResponse.FromString(await self.ask("SessionService/CreateSession", request))

    async def claim(self, session_id: str, seat: int, token: str) -> None:
        """Takes a seat that is reserved for the token."""
        request = sessions_pb2.ClaimSeatRequest(session_id=session_id, seat=seat)
        await self.ask("SessionService/ClaimSeat", request, token)

    async def turn(
        self,
        session_id: str,
        seat: int | None,
        token: str = "",
        legal: "turns_pb2.LegalDetail" = turns_pb2.LEGAL_DETAIL_NOTATION,
    ) -> turns_pb2.Turn:
        """What a seat is shown when it asks; with no seat, what a spectator is shown."""
        request = sessions_pb2.GetTurnRequest(
            session_id=session_id, seat=seat, detail=turns_pb2.TurnDetail(legal=legal)
        )
        return sessions_pb2.GetTurnResponse.FromString(await self.ask("SessionService/GetTurn", request, token)).turn


class Watch:
    """A watched session."""

    def __init__(self, call: Any) -> None:
        self._call = call

    async def start(self) -> bytes | Refused:
        """The first message."""
        try:
            start: bytes = await self._call.read()
        except aio.AioRpcError as error:
            return _refused(error)
        return start

    async def must_start(self) -> bytes:
        """The first message, which must not be a refusal."""
        start = await self.start()
        assert isinstance(start, bytes), f"the watch was refused: {start}"
        return start

    async def rest(self) -> list[bytes]:
        """Everything until the session has ended."""
        messages: list[bytes] = []
        while (message := await self._call.read()) is not _END:
            messages.append(message)
        return messages


class Bot:
    """A bot's stream, message by message."""

    def __init__(self, call: Any) -> None:
        self._call = call
        self._barriers = count(1)

    async def send(self, request: bots_pb2.PlayRequest) -> None:
        """Sends one message."""
        await self._call.write(request)

    async def answer(self, *answers: turns_pb2.Answer) -> None:
        """Sends answers together."""
        await self.send(bots_pb2.PlayRequest(answers=answers))

    async def read(self) -> bots_pb2.PlayResponse:
        """The next message."""
        return bots_pb2.PlayResponse.FromString(await self._call.read())

    async def heard(self) -> list[bytes]:
        """All messages up to now.

        Asks for a session that does not exist: its refusal comes last, so nothing that was sent before is missed."""
        number = next(self._barriers)
        await self.answer(turns_pb2.Answer(session_id=BARRIER, decision_id=number))
        messages: list[bytes] = []
        while True:
            messages.append(await self._call.read())
            refusals = bots_pb2.PlayResponse.FromString(messages[-1]).refusals
            if any(refusal.session_id == BARRIER and refusal.decision_id == number for refusal in refusals):
                return messages

    async def leave(self) -> None:
        """Ends the stream as a bot does, and waits until the service has seen it."""
        await self._call.done_writing()
        while await self._call.read() is not _END:
            pass


BARRIER = "no such session"


def besides_barrier(messages: Sequence[bytes]) -> bots_pb2.PlayResponse:
    """What a bot heard, as one message without the barrier's refusal."""
    heard = bots_pb2.PlayResponse.FromString(b"".join(messages))
    kept = [refusal for refusal in heard.refusals if refusal.session_id != BARRIER]
    del heard.refusals[:]
    heard.refusals.extend(kept)
    return heard


@asynccontextmanager
async def serving(games: Mapping[str, Game]) -> AsyncIterator[Wire]:
    """A service on a free port, where nothing is left to chance: the clock stands still and ids are counted."""
    unlimited = Limits(calls_per_s_per_peer=10**9, calls_per_s_per_token=10**9, refused_per_s_per_token=10**9)
    config = Config(listen=("127.0.0.1:0",), metrics_listen="off", limits=unlimited)
    server = Server(config, games, MemoryStore(), StillClock(), Metrics())
    numbers = count(1)
    server.hall.make_id = lambda: f"session-{next(numbers):014}"
    await server.start()
    try:
        async with aio.insecure_channel(server.addresses[0]) as channel:
            yield Wire(channel)
    finally:
        await server.drain(0)


def token_of(seat: int, table: int = 0) -> str:
    """The token of a seat, which is another one at every table."""
    return f"the-token-of-seat-{seat}-at-table-{table}"


def _metadata(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),) if token else ()


def _refused(error: aio.AioRpcError) -> Refused:
    trailers: Any = error.trailing_metadata() or ()
    return Refused(error.code().name, error.details(), tuple((key, value) for key, value in trailers))


def _serialised(message: Message) -> bytes:
    return message.SerializeToString()
