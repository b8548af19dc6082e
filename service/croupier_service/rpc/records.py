"""RecordService: the records of ended sessions."""

from croupier.v1 import records_pb2, records_pb2_grpc
from croupier_service.errors import SessionAborted, SessionRunning, UnknownSession
from croupier_service.hall import Hall
from croupier_service.rpc.context import Context, token_of
from croupier_service.rpc.sessions import until_over
from croupier_service.session import Phase
from croupier_service.wire.messages import record_message


class Records(records_pb2_grpc.RecordServiceServicer):
    """Answers from the log."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    async def GetRecord(  # noqa: N802
        self, request: records_pb2.GetRecordRequest, context: Context
    ) -> records_pb2.GetRecordResponse:
        """The record, once it can give nothing away."""
        await self._hall.settle()
        session = await self._hall.fetch(request.session_id)
        if request.wait_until_over:
            await until_over(self._hall, session, token_of(context))
        if session.phase in (Phase.WAITING, Phase.RUNNING):
            raise SessionRunning("the record would show what is hidden; ask again when the session has ended")
        if session.phase is Phase.ABORTED and session.state is None:
            raise SessionAborted("the session was aborted before it was dealt; there is no record")
        if session.created.seed_was_given:  # its owner may open more sessions with that deal
            self._hall.check_owner(session, token_of(context))
        entries = await self._hall.store.load(session.id)
        if not entries:
            raise UnknownSession("the session ended long ago, and its record is no longer kept; ask sooner next time")
        return records_pb2.GetRecordResponse(record=record_message(session, entries))
