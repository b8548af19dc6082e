"""A bot's stream, beyond this replica: it plays its seats in the sessions of the others too.

For each bot that is connected here a stream is opened to every other replica, with the bot's token. So every replica
knows of every bot, and deals as soon as it would if the bot were connected there. What a neighbour has to say goes to
the bot as it comes; an answer goes to whoever asked.
"""

import asyncio
from collections.abc import Awaitable
from typing import Any, Protocol

import grpc
import structlog
from grpc import aio

from croupier.v1 import bots_pb2
from croupier_service.errors import LimitReached, ProtocolError, ServiceError, Unavailable
from croupier_service.rpc.context import END, Context
from croupier_service.session import Session

_LAST_WORDS_S = 2.0
"""How long a bot that has left waits for what its last answers led to elsewhere."""
_UNDER_WAY = 64
"""Messages to one neighbour that may wait."""

log = structlog.get_logger()


class Exchange(Protocol):
    """The neighbours, as a bot's stream needs them."""

    @property
    def living(self) -> dict[str, str]:
        """Their addresses, by id."""

    async def news(self) -> None:
        """Returns when it has been looked who lives."""

    def channel(self, address: str) -> aio.Channel:
        """The held connection to one."""

    def marked(self, context: Context) -> tuple[tuple[str, str | bytes], ...]:
        """What a call of this caller carries to them."""


class Home(Protocol):
    """The sessions that are here."""

    def held(self, session_id: str) -> Session | None:
        """The session of that id, if it is here."""


class Switch:
    """Stands between a bot and the handler of its stream, as the context of the call."""

    def __init__(self, context: Context, method: str, exchange: Exchange, home: Home) -> None:
        self._context = context
        self._method = method
        self._exchange = exchange
        self._home = home
        self._hello: bytes | None = None
        self._pen = asyncio.Lock()
        self._relays: dict[str, _Relay] = {}
        self._orphans: set[str] = set()
        """Sessions whose replica is gone: an answer is void, and the turn comes again from whoever takes them over."""
        self._keeper: asyncio.Task[None] | None = None
        self._reader: asyncio.Task[Any] | None = None
        self._ended = False
        self._ending: ServiceError | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    # ---- as the context of the handler ----

    async def write(self, data: bytes) -> None:
        """Sends the bot what this replica has to say; the first of it is the welcome."""
        await self.pass_on(data)
        if self._keeper is None:
            self._keeper = asyncio.create_task(self._keep_relays())

    async def read(self) -> Any:
        """The next message for this replica; what is for others is passed on to them."""
        while True:
            data = await self._next()
            if data is END:
                return END
            if self._hello is None:
                self._hello = data
            elif self._orphans or any(relay.sessions for relay in self._relays.values()):
                data = await self._sorted(data)
            if data:
                return data

    async def _next(self) -> Any:
        if not self._ended:
            self._reader = asyncio.current_task()
            try:
                return await self._context.read()
            except asyncio.CancelledError:
                if not self._ended or self._reader is None or self._reader.uncancel():
                    raise
            finally:
                self._reader = None
        if self._ending is not None:
            raise self._ending
        return END

    async def _sorted(self, data: bytes) -> bytes:
        """Takes out what is for others; returns the rest, which is empty if there is none."""
        try:
            request = bots_pb2.PlayRequest.FromString(data)
        except Exception:  # the handler says what is wrong with it
            return data
        elsewhere: dict[str, bots_pb2.PlayRequest] = {}
        mine = []
        for answer in request.answers:
            if (replica := self._replica_of(answer.session_id)) is not None:
                elsewhere.setdefault(replica, bots_pb2.PlayRequest()).answers.append(answer)
            elif answer.session_id not in self._orphans or self._home.held(answer.session_id) is not None:
                mine.append(answer)
        for replica, others in elsewhere.items():
            await self._relays[replica].send(others.SerializeToString())
        if len(mine) == len(request.answers):
            return data
        del request.answers[:]
        request.answers.extend(mine)
        return request.SerializeToString()

    def _replica_of(self, session_id: str) -> str | None:
        if self._home.held(session_id) is not None:
            return None
        return next((id_ for id_, relay in self._relays.items() if session_id in relay.sessions), None)

    # ---- the relays ----

    async def pass_on(self, data: bytes) -> None:
        """Writes to the bot; as slow as it reads."""
        async with self._pen:
            await self._context.write(data)

    async def _keep_relays(self) -> None:
        try:
            while True:
                self._renew_relays(self._exchange.living)
                await self._exchange.news()
        except Exception:
            log.exception("relays_failed")
            self._end(Unavailable("the service cannot reach its neighbours; it was logged; connect again"))

    def _renew_relays(self, living: dict[str, str]) -> None:
        """One to every neighbour that lives; one that broke is opened again."""
        for replica, relay in list(self._relays.items()):
            if replica not in living or relay.task.done():
                del self._relays[replica]
                relay.task.cancel()
                self._orphans |= relay.sessions
        for replica in living.keys() - self._relays.keys():
            play = self._exchange.channel(living[replica]).stream_stream(self._method, None, None)
            self._relays[replica] = _Relay(play(None, metadata=self._exchange.marked(self._context)), self)

    async def carry(self, relay: "_Relay", call: Any) -> None:
        """Passes on what a neighbour says, until it has no more to say."""
        try:
            await call.write(self._hello)
            while (data := await call.read()) is not END:
                relay.note(bots_pb2.PlayResponse.FromString(data))
                self._orphans -= relay.sessions
                await self.pass_on(data)
            code = await call.code()
            reason = await call.details()
        except aio.AioRpcError as error:
            code, reason = error.code(), error.details()
        except (asyncio.InvalidStateError, aio.BaseError):
            return  # the call, or the bot, is gone; the keeper, or the handler, sees to it
        if code is grpc.StatusCode.OK:
            self._end(None)
        elif code is grpc.StatusCode.INVALID_ARGUMENT:
            self._end(ProtocolError(reason or ""))
        elif code is grpc.StatusCode.RESOURCE_EXHAUSTED:
            self._end(LimitReached(reason or ""))

    def _end(self, why: ServiceError | None) -> None:
        """A neighbour has ended the stream, for all of them."""
        if not self._ended:
            self._ended, self._ending = True, why
            if self._reader is not None:
                self._reader.cancel()

    async def finish(self) -> None:
        """The bot has left: what its last answers lead to elsewhere still reaches it."""
        self._ended = True
        relays = list(self._relays.values())
        await _at_most(_LAST_WORDS_S, *(relay.hang_up() for relay in relays))

    async def close(self) -> None:
        """Ends every relay."""
        self._ended = True
        tasks = [relay.task for relay in self._relays.values()] + ([self._keeper] if self._keeper else [])
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class _Relay:
    """The stream of one bot to one neighbour."""

    def __init__(self, call: Any, switch: Switch) -> None:
        self.sessions: set[str] = set()
        """Those in which the bot was asked from there."""
        self._call = call
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue(_UNDER_WAY)
        self.task = asyncio.create_task(self._run(switch))

    async def _run(self, switch: Switch) -> None:
        carrying = asyncio.create_task(switch.carry(self, self._call))
        sending = asyncio.create_task(self._keep_sending())
        try:
            await asyncio.wait({carrying})
        finally:
            sending.cancel()
            carrying.cancel()
            self._call.cancel()
            await asyncio.gather(sending, carrying, return_exceptions=True)

    async def _keep_sending(self) -> None:
        while (data := await self._queue.get()) is not None:
            await self._call.write(data)
        await self._call.done_writing()

    def note(self, response: bots_pb2.PlayResponse) -> None:
        """Remembers who asked."""
        self.sessions.update(turn.session_id for turn in response.turns)
        self.sessions.difference_update(over.session_id for over in response.games_over)

    async def send(self, data: bytes) -> None:
        """Has answers sent."""
        if not self.task.done():
            await self._queue.put(data)

    async def hang_up(self) -> None:
        """Says that there is no more to come, and waits for the end."""
        await self._queue.put(None)
        await asyncio.wait({self.task})


class Unannounced:
    """The context of a stream that another replica opened for its bot, which was welcomed there."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._welcomed = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    async def write(self, data: bytes) -> None:
        """Sends all but the welcome."""
        if not self._welcomed:
            self._welcomed = True
            response = bots_pb2.PlayResponse.FromString(data)
            response.ClearField("welcome")
            data = response.SerializeToString()
        if data:
            await self._context.write(data)


async def _at_most(seconds: float, *work: Awaitable[None]) -> None:
    try:
        async with asyncio.timeout(seconds):
            await asyncio.gather(*work)
    except TimeoutError:
        return
