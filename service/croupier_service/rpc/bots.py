"""BotService: one stream per bot process, any number of games, batches both ways."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

import grpc
import structlog
from google.protobuf.message import DecodeError
from grpc.aio import BaseError

from croupier.v1 import bots_pb2, turns_pb2
from croupier_service import __version__
from croupier_service.errors import Forbidden, LimitReached, ProtocolError, ServiceError, Unauthenticated, Unavailable
from croupier_service.hall import Hall
from croupier_service.herald import Herald
from croupier_service.limits import Gate, Within, peer_key, wasted_answers
from croupier_service.plans import check_entropy, check_name
from croupier_service.rpc.context import END, Context, token_of
from croupier_service.rpc.sessions import check_request_id
from croupier_service.seats import Holder
from croupier_service.session import Phase, Session
from croupier_service.wire.encode import field_bytes, tag, with_length
from croupier_service.wire.messages import (
    entropy_wanted_message,
    final_head,
    outcome_message,
    seated_message,
)
from croupier_service.wire.turns import Detail, TurnWriter

MAX_ANSWERS = 1024
"""Answers per message; a full message is refereed in some tens of milliseconds."""
_MESSAGE_BYTES = 262_144
"""A message to a bot is closed when it has grown to this: clients take 4 MiB."""
_MAX_REFUSED_IN_A_ROW = 1_000
_SLICE = 32
"""Answers that are refereed before anybody else has a turn."""
_HOLD_S = 0.003
"""How long news waits for a bot that owes an answer to what it was sent last; see `BotStream`."""

_FIELDS = {field.name: field.number for field in bots_pb2.PlayResponse.DESCRIPTOR.fields}
_TURNS = tag(_FIELDS["turns"], 2)

log = structlog.get_logger()


class BotStream:
    """One connected bot: what it is to be told, and the pen to write it with.

    Turns, and the seats of games that started, wait as (session, seat) and are written when they can go out, so a slow
    bot gets the present state of things once instead of every state there was.

    A bot that owes nothing is told at once. One that has turns to think about gets what comes up meanwhile together,
    when it has answered or a few milliseconds later: else many games on one stream would travel one by one for ever."""

    def __init__(
        self, turns: TurnWriter, detail: Detail, max_outbox_bytes: int, observe: Callable[[int], None], herald: Herald
    ) -> None:
        self.holder: Holder | None = None
        self.gives_entropy = False
        """Whether the bot is asked for entropy before it is given a seat."""
        self._turns = turns
        self._detail = detail
        self._max_outbox_bytes = max_outbox_bytes
        self._observe = observe
        self._herald = herald
        self._asked: dict[tuple[str, int], Session] = {}
        self._seated: dict[tuple[str, int], Session] = {}
        self._ready: deque[bytes] = deque()
        self._ready_bytes = 0
        self._wakeup = asyncio.Event()
        self._pen = asyncio.Lock()
        self._thinking: set[tuple[str, int]] = set()
        """The seats whose turns the bot has been sent and has not answered."""
        self._held: asyncio.TimerHandle | None = None
        self._overdue = False
        """Whether news has waited long enough for the bot's answers."""
        self._reader = asyncio.current_task()
        self.closing = False
        """Whether the service ends the stream."""
        self.ending: ServiceError | None = None
        """Why it does; None: there is nothing more to play."""
        self.reading = False
        """Whether a batch of this bot's answers is being refereed: what it leads to is written when all of it is."""

    # ---- told by the hall ----

    def ask(self, session: Session, seat: int) -> None:
        """A seat has a decision to make."""
        self._asked[session.id, seat] = session
        self._rouse()

    def seat(self, session: Session, seat: int) -> None:
        """A game with this seat has started."""
        self._seated[session.id, seat] = session
        self._rouse()

    def want_entropy(self, session: Session, seat: int) -> None:
        """A seat is to commit to its entropy, or to reveal it."""
        chair = session.chairs[seat]
        if not chair.taken or (session.revealing and chair.owes_entropy):
            self.say("entropy_wanted", entropy_wanted_message(session, seat).SerializeToString())

    def end(self, session: Session, seat: int) -> None:
        """A game with this seat has ended."""
        over = bots_pb2.GameOver(
            session_id=session.id, seat=seat, outcome=outcome_message(session), head=final_head(session)
        )
        self._asked.pop((session.id, seat), None)
        self._thinking.discard((session.id, seat))
        if self._seated.pop((session.id, seat), None):
            self.say("seated", seated_message(session, seat).SerializeToString())
        self.say("games_over", over.SerializeToString())

    def lose(self, session: Session, seat: int) -> None:
        """The seat is not this bot's any more: nothing of it is sent, and for the bot the game is over."""
        self._asked.pop((session.id, seat), None)
        self._thinking.discard((session.id, seat))
        if self._seated.pop((session.id, seat), None) is None and session.phase is Phase.RUNNING:
            self.say("games_over", bots_pb2.GameOver(session_id=session.id, seat=seat).SerializeToString())

    def close(self, why: ServiceError | None) -> None:
        """Ends the stream as soon as what is ready has been written; with no reason, with status OK."""
        if not self.closing:
            self.closing, self.ending = True, why
        self._release()

    def cut(self, why: ServiceError) -> None:
        """Ends the stream at once, whatever it has not been able to write."""
        self.closing, self.ending = True, why
        self._stop_reading()

    def _stop_reading(self) -> None:
        if self._reader is not None:
            self._reader.cancel()

    # ---- written to the bot ----

    def say(self, field: str, message: bytes) -> None:
        """Puts a message of that field of PlayResponse among what is ready."""
        entry = field_bytes(_FIELDS[field], message)
        self._ready.append(entry)
        self._ready_bytes += len(entry)
        if self._ready_bytes > self._max_outbox_bytes:
            self.cut(
                LimitReached(
                    "the bot does not read what it is sent (max_outbox_bytes); read, then connect again to go on",
                    limit="max_outbox_bytes",
                )
            )
        self._rouse()

    def _rouse(self) -> None:
        """Has what is ready written: after the batch at hand; soon, if the bot owes an answer; else now."""
        if self.reading:
            return
        if not self._thinking:
            self._wakeup.set()
        elif self._held is None:
            self._held = asyncio.get_running_loop().call_later(_HOLD_S, self._release)

    def write_soon(self) -> None:
        """Has what is ready written while the next batch is awaited: gRPC is slow to say that a write is done."""
        self._wakeup.set()

    def _release(self) -> None:
        self._held = None
        self._overdue = True
        self._wakeup.set()

    def answered(self, session_id: str, seat: int) -> None:
        """The bot has answered a turn, rightly or not."""
        self._thinking.discard((session_id, seat))

    def take(self) -> bytes:
        """What is ready, as one serialised PlayResponse; empty if nothing is. Turns come after all else."""
        parts: list[bytes] = []
        size = 0
        while (self._ready or self._seated) and size < _MESSAGE_BYTES:
            parts.append(self._next_ready())
            size += len(parts[-1])
        asked, self._asked = self._asked, {}
        turns = 0
        for key, session in asked.items():
            if size >= _MESSAGE_BYTES:
                self._asked[key] = session
            elif session.chairs[key[1]].open:
                turn = self._turns.turn(session, key[1], self._detail)
                parts += (_TURNS, with_length(turn))
                size += len(turn)
                turns += 1
                self._thinking.add(key)
        if turns:
            self._observe(turns)
        return b"".join(parts)

    def _next_ready(self) -> bytes:
        if self._ready:
            entry = self._ready.popleft()
            self._ready_bytes -= len(entry)
            return entry
        key = next(iter(self._seated))
        return field_bytes(_FIELDS["seated"], seated_message(self._seated.pop(key), key[1]).SerializeToString())

    async def write_all(self, context: Context) -> None:
        """Writes until nothing is ready or the bot has turns to think about.

        While a batch is being refereed nothing is written: what it leads to may not be durable yet."""
        async with self._pen:
            while self._may_write():
                if self._herald.unsettled(self._asked.values()):  # a turn shows all there is, so all must be durable
                    await self._herald.settle()
                    continue
                if not (data := self.take()):
                    break
                self._overdue = False
                await context.write(data)
        if self._ready or self._seated or self._asked:
            self._rouse()
        elif self._held is not None:
            self._held.cancel()
            self._held = None

    def _may_write(self) -> bool:
        return not self.reading and (not self._thinking or self._overdue or self.closing)

    async def keep_writing(self, context: Context) -> None:
        """Writes whatever becomes ready, until the stream is to end."""
        try:
            while not self.closing:
                await self._wakeup.wait()
                self._wakeup.clear()
                await self.write_all(context)
        except BaseError:  # the bot is gone; its reader is told so too
            return
        except Unavailable as error:
            self.closing, self.ending = True, error
        except Exception:
            log.exception("stream_failed")
            self.closing = True
            self.ending = Unavailable("the service could not write to this stream; it was logged; connect again")
        self._stop_reading()


class Bots:
    """The handler of BotService.Play. It answers with bytes, so it is registered by hand, not through the stub."""

    def __init__(self, hall: Hall, turns: TurnWriter, gate: Gate) -> None:
        self._hall = hall
        self._turns = turns
        self._gate = gate

    def handler(self) -> "grpc.GenericRpcHandler[Any, Any]":
        """What the gRPC server is given."""
        play = grpc.stream_stream_rpc_method_handler(self.play, request_deserializer=None, response_serializer=None)
        dismiss = grpc.unary_unary_rpc_method_handler(
            self.dismiss,
            request_deserializer=bots_pb2.DismissRequest.FromString,
            response_serializer=bots_pb2.DismissResponse.SerializeToString,
        )
        return grpc.method_handlers_generic_handler("croupier.v1.BotService", {"Play": play, "Dismiss": dismiss})

    async def dismiss(self, _: bots_pb2.DismissRequest, context: Context) -> bots_pb2.DismissResponse:
        """Tells a bot that there is nothing more to play."""
        return bots_pb2.DismissResponse(streams=self._hall.dismiss(_bots_token(context)))

    async def play(self, _: object, context: Context) -> None:
        """Plays every seat of the caller's token."""
        token = _bots_token(context)
        with Within(self._hall.clock, self._hall.limits.hello_s, self._no_hello):
            first, _ = await _read(context)
        if first is None:
            return
        stream = self._greet(first)
        # With the first message gRPC sends the headers; a stream that ends in the midst of that would hang.
        await context.send_initial_metadata(())
        await self._hall.settle()
        stream.holder = holder = self._hall.attach(token, stream)
        log.info("bot_connected", bot=first.hello.name)
        writer = asyncio.ensure_future(stream.keep_writing(context))
        try:
            await self._hall.settle()
            await self._converse(stream, first, context)
        except asyncio.CancelledError:
            if not stream.closing:
                raise
            if stream.ending is not None:
                raise stream.ending from None
        except ProtocolError:
            self._hall.expel(holder)
            await self._hall.settle()
            raise
        finally:
            self._hall.detach(holder, stream)
            writer.cancel()
            log.info("bot_disconnected", bot=first.hello.name)

    def _no_hello(self) -> LimitReached:
        return LimitReached(
            f"no hello came within {self._hall.limits.hello_s} s (hello_s); connect again, and send it first",
            limit="hello_s",
        )

    def _greet(self, first: bots_pb2.PlayRequest) -> BotStream:
        if not first.HasField("hello"):
            raise ProtocolError("the first message of a bot must carry hello")
        check_name(first.hello.name)
        detail = Detail(first.hello.detail)
        stream = BotStream(
            self._turns,
            detail,
            self._hall.limits.max_outbox_bytes,
            self._hall.metrics.batch_out.observe,
            self._hall.herald,
        )
        stream.gives_entropy = first.hello.gives_entropy
        stream.say("welcome", bots_pb2.Welcome(service_version=__version__).SerializeToString())
        return stream

    async def _converse(self, stream: BotStream, request: bots_pb2.PlayRequest | None, context: Context) -> None:
        """Referees batch after batch until the bot leaves or the service wants it to."""
        refused = 0
        size = 0
        while request is not None:
            if len(request.answers) > MAX_ANSWERS:
                raise ProtocolError(f"a message has at most {MAX_ANSWERS} answers, got {len(request.answers)}")
            if request.entropy:
                refused = await self._take_entropy(stream, request, refused)
            refused, played = await self._referee(stream, request, refused)
            if refused >= _MAX_REFUSED_IN_A_ROW:
                await stream.write_all(context)
                raise ProtocolError(f"{refused} answers in a row were refused; mend the bot, then connect again")
            stream.write_soon()
            if size and stream.holder is not None and (wasted := wasted_answers(len(request.answers), played, size)):
                holder = stream.holder
                await self._gate.slow_down(peer_key(context.peer()), holder.token_hash, bool(holder.seats), wasted)
            request, size = await _read(context)
            if request is not None and request.HasField("hello"):
                raise ProtocolError("hello goes into the first message only")
        await stream.write_all(context)

    async def _referee(self, stream: BotStream, request: bots_pb2.PlayRequest, refused: int) -> tuple[int, int]:
        """Plays a batch of answers; returns how many in a row have been refused by its end, and how many played."""
        answers = request.answers
        if not answers:
            return refused, 0
        self._hall.metrics.batch_in.observe(len(answers))
        stream.reading = True
        played = 0
        try:
            for start in range(0, len(answers), _SLICE):
                if start:
                    await asyncio.sleep(0)  # others have their turn
                before = self._hall.actions
                for answer in answers[start : start + _SLICE]:
                    refused = self._take(stream, answer, refused)
                played += self._hall.actions - before
            await self._hall.settle()
        except asyncio.CancelledError:
            self._hall.herald.settle_soon()  # the bot is gone in the midst of it: what it has played counts
            raise
        finally:
            stream.reading = False
        return refused, played

    def _take(self, stream: BotStream, answer: turns_pb2.Answer, refused: int) -> int:
        """Plays one answer, or says why not; returns how many in a row have been refused by now."""
        session_id, seat = answer.session_id, answer.seat
        stream.answered(session_id, seat)
        try:
            self._submit(stream, answer, session_id, seat)
        except ServiceError as error:
            self._refuse(stream, answer, error)
        except Exception:  # a defect of ours must not keep what the other answers led to from anybody
            log.exception("answer_failed")
            self._refuse(stream, answer, Unavailable("an error of the service, not of the bot; it was logged"))
        else:
            return 0
        return refused + 1

    async def _take_entropy(self, stream: BotStream, request: bots_pb2.PlayRequest, refused: int) -> int:
        """Takes a bot's part in deals; returns how many of its answers in a row have been refused by now."""
        if len(request.entropy) > MAX_ANSWERS:
            raise ProtocolError(f"a message has entropy for at most {MAX_ANSWERS} seats, got {len(request.entropy)}")
        stream.reading = True
        try:
            for given in request.entropy:
                try:
                    self._contribute(stream, given)
                    refused = 0
                except ServiceError as error:
                    refused += 1
                    self._refuse(stream, turns_pb2.Answer(session_id=given.session_id, seat=given.seat), error)
            await self._hall.settle()
        finally:
            stream.reading = False
        return refused

    def _contribute(self, stream: BotStream, given: bots_pb2.SeatEntropy) -> None:
        """A seat commits to its entropy, by which it is taken, or reveals it."""
        session = self._held(stream, given.session_id, given.seat)
        holder = session.chairs[given.seat].holder
        check_entropy(given.entropy, given.commitment)
        if given.WhichOneof("step") == "commitment" and given.commitment and holder is not None:
            session.claim(given.seat, holder, "", b"", given.commitment)
        else:
            session.reveal(given.seat, given.entropy)

    def _held(self, stream: BotStream, session_id: str, seat: int) -> Session:
        """The session of that id, in which the bot holds that seat."""
        session = self._hall.find(session_id)
        chairs, holder = session.chairs, stream.holder
        if holder is None or seat >= len(chairs) or not chairs[seat].held_by(holder.token_hash):
            raise Forbidden(f"this bot's token does not hold seat {seat} of that session")
        return session

    def _submit(self, stream: BotStream, answer: turns_pb2.Answer, session_id: str, seat: int) -> None:
        session = self._held(stream, session_id, seat)
        request_id = answer.request_id
        if request_id:
            check_request_id(request_id)
        session.submit(seat, answer.decision_id, self._turns.choice(session, answer), request_id)

    def _refuse(self, stream: BotStream, answer: turns_pb2.Answer, error: ServiceError) -> None:
        """Says what was wrong; a decision that is still open is asked again."""
        self._hall.metrics.refusals.labels(error.reason).inc()
        refusal = bots_pb2.Refusal(
            session_id=answer.session_id[:64],
            seat=answer.seat,
            decision_id=answer.decision_id,
            request_id=answer.request_id[:64],
            reason=error.reason,
            message=error.message,
        )
        stream.say("refusals", refusal.SerializeToString())
        holder = stream.holder
        session = holder.seats.get((answer.session_id, answer.seat)) if holder else None
        if session is not None and session.chairs[answer.seat].open:
            stream.ask(session, answer.seat)


def _bots_token(context: Context) -> str:
    token = token_of(context)
    if not token:
        raise Unauthenticated("a bot needs its token in the metadata: authorization: Bearer TOKEN")
    return token


async def _read(context: Context) -> tuple[bots_pb2.PlayRequest | None, int]:
    """The next message of a bot, and its size, 1 at least; None when it has finished."""
    data = await context.read()
    if data is END:
        return None, 0
    try:
        return bots_pb2.PlayRequest.FromString(data), len(data) or 1
    except DecodeError:
        raise ProtocolError("the message is no PlayRequest; generate the stubs from this service's protos") from None
