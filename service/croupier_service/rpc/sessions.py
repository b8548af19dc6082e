"""SessionService: sessions, one call at a time."""

import asyncio
from collections.abc import Callable

from croupier.v1 import games_pb2, sessions_pb2, sessions_pb2_grpc, turns_pb2
from croupier_service.errors import BadRequest, Forbidden
from croupier_service.hall import Hall
from croupier_service.roles import Roles
from croupier_service.rpc.context import Context, token_of
from croupier_service.seats import Watcher
from croupier_service.session import Phase, Session
from croupier_service.store import ForfeitCause
from croupier_service.wire.messages import read_plan, session_message
from croupier_service.wire.turns import Detail, TurnWriter

_PAGE_SIZE = 50
_MAX_PAGE_SIZE = 500
_REQUEST_ID_LENGTH = 64
_EVERYTHING = Detail(turns_pb2.TurnDetail())


class Sessions(sessions_pb2_grpc.SessionServiceServicer):
    """Delegates to the hall; nothing is answered before it is settled."""

    def __init__(self, hall: Hall, turns: TurnWriter, roles: Roles) -> None:
        self._hall = hall
        self._turns = turns
        self._roles = roles

    async def CreateSession(  # noqa: N802
        self, request: sessions_pb2.CreateSessionRequest, context: Context
    ) -> sessions_pb2.CreateSessionResponse:
        """Opens a session."""
        self._roles.check_operator(token_of(context))
        session, owner_token = self._hall.create(read_plan(request))
        await self._hall.settle(session)
        return sessions_pb2.CreateSessionResponse(session=session_message(session), owner_token=owner_token)

    async def GetSession(  # noqa: N802
        self, request: sessions_pb2.GetSessionRequest, context: Context
    ) -> sessions_pb2.GetSessionResponse:
        """One session, now or when it has ended."""
        session = await self._hall.fetch(request.session_id)
        await self._hall.settle(session)
        if request.wait_until_over:
            await until_over(self._hall, session)
        return sessions_pb2.GetSessionResponse(session=session_message(session))

    async def ListSessions(  # noqa: N802
        self, request: sessions_pb2.ListSessionsRequest, context: Context
    ) -> sessions_pb2.ListSessionsResponse:
        """A page of sessions, newest first."""
        self._roles.check_operator(token_of(context))
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
            request.session_id, wanted, token_of(context), request.name, request.entropy
        )
        await self._hall.settle(session)
        return sessions_pb2.ClaimSeatResponse(seat=seat, seat_token=token, session=session_message(session))

    async def GetTurn(  # noqa: N802
        self, request: sessions_pb2.GetTurnRequest, context: Context
    ) -> sessions_pb2.GetTurnResponse:
        """What a seat, or a spectator, sees now."""
        session = await self._hall.fetch(request.session_id)
        await self._hall.settle(session)
        seat = self._viewer(session, request, token_of(context))
        detail = Detail(request.detail)
        turns = self._turns
        turn = turns.spectator_turn(session, detail) if seat is None else turns.turn(session, seat, detail)
        return sessions_pb2.GetTurnResponse(turn=turns_pb2.Turn.FromString(turn))

    def _viewer(
        self,
        session: Session,
        request: sessions_pb2.GetTurnRequest | sessions_pb2.WatchSessionRequest,
        token: str,
    ) -> int | None:
        seat = request.seat if request.HasField("seat") else None
        if not token and seat is None:
            return None
        return self._hall.seat_of(session, token, seat)

    async def SubmitAction(  # noqa: N802
        self, request: sessions_pb2.SubmitActionRequest, context: Context
    ) -> sessions_pb2.SubmitActionResponse:
        """Plays an action for a seat, or says whether it would be taken."""
        answer = request.answer
        check_request_id(answer.request_id)
        session = await self._hall.fetch(answer.session_id)
        seat = self._hall.seat_of(session, token_of(context), answer.seat)
        choice = self._turns.choice(session, answer)
        notation = session.submit(seat, answer.decision_id, choice, answer.request_id, request.dry_run)
        if request.dry_run:
            return sessions_pb2.SubmitActionResponse(notation=notation)
        await self._hall.settle(session)
        turn = turns_pb2.Turn.FromString(self._turns.turn(session, seat, _EVERYTHING))
        return sessions_pb2.SubmitActionResponse(notation=notation, turn=turn)

    async def WatchSession(  # type: ignore[override]  # noqa: N802
        self, request: sessions_pb2.WatchSessionRequest, context: Context
    ) -> None:
        """Follows a session: the view, then every event this watcher may see, then the end."""
        session = await self._hall.fetch(request.session_id)
        await self._hall.settle(session)
        seat = self._viewer(session, request, token_of(context))
        with Following(self._hall, session, self._hall.herald.watch) as following:
            await context.write(sessions_pb2.WatchSessionResponse(start=self._start(session, seat)))
            place, number = 0, 0
            while True:
                await self._hall.settle(session)
                over = session.phase in (Phase.FINISHED, Phase.ABORTED)
                durable = len(session.history)
                while place < durable:
                    event = session.history[place]
                    place += 1
                    if event.audience not in (None, seat):
                        continue
                    if number >= request.from_event:
                        await context.write(self._event(session, number, event.what))
                    number += 1
                if over:
                    break
                await following.news()
        await context.write(sessions_pb2.WatchSessionResponse(over=session_message(session)))

    def _start(self, session: Session, seat: int | None) -> sessions_pb2.WatchStart:
        start = sessions_pb2.WatchStart(session=session_message(session), next_event=session.seen_events(seat))
        if session.state is not None:
            start.view.MergeFromString(self._turns.codec(session).view(session.state.view(seat)))
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
        token = token_of(context)
        if not self._roles.is_operator(token):
            self._hall.check_owner(session, token)
        session.abort()
        await self._hall.settle(session)
        return sessions_pb2.AbortSessionResponse(session=session_message(session))


class Following:
    """Follows a session for as long as a call lasts; news arrives when it is durable."""

    def __init__(self, hall: Hall, session: Session, join: Callable[[Session, Watcher], None]) -> None:
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


async def until_over(hall: Hall, session: Session) -> None:
    """Returns when the session has ended."""
    with Following(hall, session, hall.herald.wait) as following:
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
