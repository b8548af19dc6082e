"""SessionService: sessions, one call at a time."""

import asyncio
from collections.abc import Callable

from croupier.v1 import games_pb2, sessions_pb2, sessions_pb2_grpc, turns_pb2
from croupier_service.errors import BadRequest, Forbidden
from croupier_service.hall import Hall
from croupier_service.limits import peer_key
from croupier_service.plans import check_entropy
from croupier_service.roles import Roles
from croupier_service.rpc.context import Context, caller_of, token_of
from croupier_service.seats import OWNER, Watcher
from croupier_service.session import Phase, Session
from croupier_service.spectators import OPEN_EYES, Eyes, spectators_eyes
from croupier_service.store import ForfeitCause
from croupier_service.tokens import hash_token
from croupier_service.wire.messages import read_plan, session_message
from croupier_service.wire.turns import Detail, TurnWriter

_PAGE_SIZE = 50
_MAX_PAGE_SIZE = 500
_REQUEST_ID_LENGTH = 64
_EVERYTHING = Detail(turns_pb2.TurnDetail())


class Sessions(sessions_pb2_grpc.SessionServiceServicer):
    """Delegates to the hall; nothing is answered before it is settled."""

    def __init__(self, hall: Hall, turns: TurnWriter, roles: Roles, spectator_delay: int = 0) -> None:
        self._hall = hall
        self._turns = turns
        self._roles = roles
        self._spectator_delay = spectator_delay

    async def CreateSession(  # noqa: N802
        self, request: sessions_pb2.CreateSessionRequest, context: Context
    ) -> sessions_pb2.CreateSessionResponse:
        """Opens a session."""
        caller = caller_of(context)
        self._roles.check_operator(caller)
        peer = "" if self._roles.is_operator(caller) else peer_key(context.peer())
        session, owner_token = self._hall.create(read_plan(request, self._spectator_delay), peer)
        await self._hall.settle(session)
        return sessions_pb2.CreateSessionResponse(session=session_message(session), owner_token=owner_token)

    async def GetSession(  # noqa: N802
        self, request: sessions_pb2.GetSessionRequest, context: Context
    ) -> sessions_pb2.GetSessionResponse:
        """One session, now or when it has ended."""
        session = await self._hall.fetch(request.session_id)
        await self._hall.settle(session)
        if request.wait_until_over:
            await until_over(self._hall, session, token_of(context))
        return sessions_pb2.GetSessionResponse(session=session_message(session))

    async def ListSessions(  # noqa: N802
        self, request: sessions_pb2.ListSessionsRequest, context: Context
    ) -> sessions_pb2.ListSessionsResponse:
        """A page of sessions, newest first."""
        self._roles.check_operator(caller_of(context))
        if request.page_size > _MAX_PAGE_SIZE:
            raise BadRequest(f"page_size is at most {_MAX_PAGE_SIZE}, got {request.page_size}")
        if request.state not in sessions_pb2.SessionState.values():
            raise BadRequest(f"there is no session state {request.state}; leave it out for all")
        await self._hall.archive.complete.wait()
        await self._hall.settle()
        sessions, next_page_token = self._hall.page(
            request.page_size or _PAGE_SIZE, request.page_token, request.game_id, request.state
        )
        return sessions_pb2.ListSessionsResponse(
            sessions=[session_message(session) for session in sessions], next_page_token=next_page_token
        )

    async def ClaimSeat(  # noqa: N802
        self, request: sessions_pb2.ClaimSeatRequest, context: Context
    ) -> sessions_pb2.ClaimSeatResponse:
        """Takes a seat."""
        wanted = request.seat if request.HasField("seat") else None
        await self._hall.fetch(request.session_id)
        session, seat, token = self._hall.claim(
            request.session_id, wanted, token_of(context), request.name, request.entropy, request.entropy_commitment
        )
        await self._hall.settle(session)
        return sessions_pb2.ClaimSeatResponse(seat=seat, seat_token=token, session=session_message(session))

    async def RevealEntropy(  # noqa: N802
        self, request: sessions_pb2.RevealEntropyRequest, context: Context
    ) -> sessions_pb2.RevealEntropyResponse:
        """Takes the entropy that a seat committed to."""
        wanted = request.seat if request.HasField("seat") else None
        session = await self._hall.fetch(request.session_id)
        seat = self._hall.seat_of(session, token_of(context), wanted)
        check_entropy(request.entropy, b"")
        session.reveal(seat, request.entropy)
        await self._hall.settle(session)
        return sessions_pb2.RevealEntropyResponse(session=session_message(session))

    async def GetTurn(  # noqa: N802
        self, request: sessions_pb2.GetTurnRequest, context: Context
    ) -> sessions_pb2.GetTurnResponse:
        """What a seat, or a spectator, sees now."""
        session = await self._hall.fetch(request.session_id)
        await self._hall.settle(session)
        eyes = self._eyes(session, request, token_of(context))
        detail = Detail(request.detail)
        turns = self._turns
        if eyes.seat is None:
            turn = turns.spectator_turn(session, detail, eyes)
        else:
            turn = turns.turn(session, eyes.seat, detail)
        return sessions_pb2.GetTurnResponse(turn=turns_pb2.Turn.FromString(turn))

    def _eyes(
        self,
        session: Session,
        request: sessions_pb2.GetTurnRequest | sessions_pb2.WatchSessionRequest,
        token: str,
    ) -> Eyes:
        seat = request.seat if request.HasField("seat") else None
        if not token and seat is None:
            return spectators_eyes(session)
        if seat is None and self._hall.owns(session, token) and not self._hall.sits(session, token):
            return OPEN_EYES
        return Eyes(self._hall.seat_of(session, token, seat), hash_token(token))

    async def SubmitAction(  # noqa: N802
        self, request: sessions_pb2.SubmitActionRequest, context: Context
    ) -> sessions_pb2.SubmitActionResponse:
        """Plays an action for a seat, or says whether it would be taken."""
        answer = request.answer
        check_request_id(answer.request_id)
        session = await self._hall.fetch(answer.session_id)
        token = token_of(context)
        seat = self._hall.seat_of(session, token, answer.seat)
        choice = self._turns.choice(session, answer)
        notation = session.submit(seat, answer.decision_id, choice, answer.request_id, request.dry_run)
        if request.dry_run:
            return sessions_pb2.SubmitActionResponse(notation=notation)
        await self._hall.settle(session)
        response = sessions_pb2.SubmitActionResponse(notation=notation)
        if session.chairs[seat].held_by(hash_token(token)):  # it may have been put under another token meanwhile
            response.turn.MergeFromString(self._turns.turn(session, seat, _EVERYTHING))
        return response

    async def WatchSession(  # type: ignore[override]  # noqa: N802
        self, request: sessions_pb2.WatchSessionRequest, context: Context
    ) -> None:
        """Follows a session: the view, then every event this watcher may see, then the end."""
        session = await self._hall.fetch(request.session_id)
        await self._hall.settle(session)
        eyes = self._eyes(session, request, token_of(context))
        whose = eyes.seat if eyes.seat is not None else OWNER if token_of(context) else None
        with Following(self._hall, session, self._hall.herald.watch, whose) as following:
            await context.write(sessions_pb2.WatchSessionResponse(start=self._start(session, eyes)))
            place, number = 0, 0
            while True:
                await self._hall.settle(session)
                over = session.phase in (Phase.FINISHED, Phase.ABORTED)
                durable = eyes.events(session)
                while number < durable:
                    event = session.history[place]
                    place += 1
                    if event.audience not in (None, eyes.seat):
                        continue
                    if number >= request.from_event:
                        eyes.check(session)
                        await context.write(self._event(session, number, event.what))
                    number += 1
                if over:
                    break
                eyes.check(session)
                await following.news()
        await context.write(sessions_pb2.WatchSessionResponse(over=session_message(session)))

    def _start(self, session: Session, eyes: Eyes) -> sessions_pb2.WatchStart:
        start = sessions_pb2.WatchStart(session=session_message(session), next_event=eyes.events(session))
        if (view := eyes.view(session)) is not None:
            start.view.MergeFromString(self._turns.codec(session).view(view))
        return start

    def _event(self, session: Session, number: int, what: tuple[object, ...]) -> sessions_pb2.WatchSessionResponse:
        event = games_pb2.GameEvent.FromString(self._turns.codec(session).event(what))
        return sessions_pb2.WatchSessionResponse(event=sessions_pb2.WatchEvent(number=number, event=event))

    async def ForfeitSeat(  # noqa: N802
        self, request: sessions_pb2.ForfeitSeatRequest, context: Context
    ) -> sessions_pb2.ForfeitSeatResponse:
        """Gives up a seat."""
        session = await self._hall.fetch(request.session_id)
        token = token_of(context)
        wanted = request.seat if request.HasField("seat") else None
        cause = _cause(request.cause)
        if token and self._hall.owns(session, token):
            if wanted is None or wanted >= len(session.chairs):
                raise BadRequest(f"say which seat to give up, 0 to {len(session.chairs) - 1}")
            seat = wanted
        else:
            seat = self._hall.seat_of(session, token, wanted)
            if cause is not ForfeitCause.RESIGNED:
                raise Forbidden("the holder of a seat can only resign; other causes are for the session's owner")
        session.forfeit(seat, cause)
        await self._hall.settle(session)
        return sessions_pb2.ForfeitSeatResponse(session=session_message(session))

    async def AbortSession(  # noqa: N802
        self, request: sessions_pb2.AbortSessionRequest, context: Context
    ) -> sessions_pb2.AbortSessionResponse:
        """Ends a session with no result."""
        session = await self._hall.fetch(request.session_id)
        caller = caller_of(context)
        if not self._roles.is_operator(caller):
            self._hall.check_owner(session, caller.token)
        session.abort()
        await self._hall.settle(session)
        return sessions_pb2.AbortSessionResponse(session=session_message(session))

    async def RotateSeatToken(  # noqa: N802
        self, request: sessions_pb2.RotateSeatTokenRequest, context: Context
    ) -> sessions_pb2.RotateSeatTokenResponse:
        """Puts a seat under another token."""
        session = await self._hall.fetch(request.session_id)
        self._hall.check_owner(session, token_of(context))
        token = self._hall.rotate(session, request.seat, request.token)
        await self._hall.settle(session)
        return sessions_pb2.RotateSeatTokenResponse(seat_token=token)


class Following:
    """Follows a session for as long as a call lasts; news arrives when it is durable."""

    def __init__(
        self, hall: Hall, session: Session, join: Callable[[Session, Watcher], None], whose: int | None
    ) -> None:
        self.whose = whose
        self._hall = hall
        self._session = session
        self._join = join
        self._wakeup = asyncio.Event()

    def __enter__(self) -> "Following":
        self._join(self._session, self)
        return self

    def __exit__(self, *_: object) -> None:
        self._hall.herald.leave(self._session, self)

    def wake(self) -> None:
        """There is something new to see."""
        self._wakeup.set()

    async def news(self) -> None:
        """Returns when there is something new to see."""
        await self._wakeup.wait()
        self._wakeup.clear()
        self._session.check_fence()


async def until_over(hall: Hall, session: Session, token: str) -> None:
    """Returns when the session has ended."""
    whose = OWNER if token and (hall.owns(session, token) or hall.sits(session, token)) else None
    with Following(hall, session, hall.herald.wait, whose) as following:
        while session.phase not in (Phase.FINISHED, Phase.ABORTED):
            await following.news()
    await hall.settle(session)


def check_request_id(request_id: str) -> None:
    """Refuses request ids that are too long to keep."""
    if len(request_id) > _REQUEST_ID_LENGTH:
        raise BadRequest(f"a request_id has at most {_REQUEST_ID_LENGTH} characters, got {len(request_id)}")


def _cause(cause: sessions_pb2.ForfeitCause) -> ForfeitCause:
    if cause == sessions_pb2.FORFEIT_CAUSE_UNSPECIFIED:
        return ForfeitCause.RESIGNED
    try:
        return ForfeitCause(cause)
    except ValueError:
        raise BadRequest(f"there is no forfeit cause {cause}") from None
