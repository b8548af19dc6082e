"""What can go wrong when talking to the service.

CroupierError            reason, message, code: whatever the service (or the way to it) answered
├── NotFound             no such game or session
├── Denied               no token, or not one for this
├── Invalid              the request is malformed: another one is needed, not another try
├── Illegal              the action is not legal now; nothing has changed
├── WrongMoment          the right request at the wrong time: a seat taken, a session over, not yet dealt, …
│   └── Stale            the decision is no longer open: fetch the turn anew
├── Exhausted            as much as the service allows: try later or ask for less
├── TimedOut             no answer within `timeout_s`; also a TimeoutError
└── Unavailable          the service cannot be reached, or is going down: try again; also a ConnectionError

Programs match on the class or on `reason`, an UPPER_SNAKE word of docs/errors.md; never on the message.
"""
# "except Stale" reads better than "except StaleError"

from __future__ import annotations

from collections.abc import Mapping

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status


class CroupierError(Exception):
    """The root of all errors of this package."""

    def __init__(self, reason: str, message: str, code: grpc.StatusCode) -> None:
        super().__init__(reason, message, code)
        self.reason = reason
        self.message = message
        self.code = code

    def __str__(self) -> str:
        return f"{self.reason}: {self.message}"


class NotFound(CroupierError):
    """No such game or session."""


class Denied(CroupierError):
    """No token, or not one for this."""


class Invalid(CroupierError):
    """The request is malformed."""


class Illegal(CroupierError):
    """The action is not legal now; nothing has changed."""


class WrongMoment(CroupierError):
    """The right request at the wrong time."""


class Stale(WrongMoment):
    """The decision is no longer open; fetch the turn anew."""


class Exhausted(CroupierError):
    """As much as the service allows; try later or ask for less."""


class TimedOut(CroupierError, TimeoutError):
    """No answer in time."""


class Unavailable(CroupierError, ConnectionError):
    """The service cannot be reached, or is going down."""


_BY_REASON: Mapping[str, type[CroupierError]] = {
    "ILLEGAL_ACTION": Illegal,
    "STALE_DECISION": Stale,
    "OUT_OF_TURN": Stale,
}

_BY_CODE: Mapping[grpc.StatusCode, type[CroupierError]] = {
    grpc.StatusCode.NOT_FOUND: NotFound,
    grpc.StatusCode.UNAUTHENTICATED: Denied,
    grpc.StatusCode.PERMISSION_DENIED: Denied,
    grpc.StatusCode.INVALID_ARGUMENT: Invalid,
    grpc.StatusCode.FAILED_PRECONDITION: WrongMoment,
    grpc.StatusCode.ALREADY_EXISTS: WrongMoment,
    grpc.StatusCode.ABORTED: WrongMoment,
    grpc.StatusCode.RESOURCE_EXHAUSTED: Exhausted,
    grpc.StatusCode.DEADLINE_EXCEEDED: TimedOut,
    grpc.StatusCode.UNAVAILABLE: Unavailable,
}


def from_rpc(error: grpc.RpcError, target: str = "") -> CroupierError:
    """The error of this package that says what a failed call to the target said; blocking and asyncio calls alike."""
    if not isinstance(error, grpc.Call | grpc.aio.AioRpcError):
        return CroupierError("UNKNOWN", str(error), grpc.StatusCode.UNKNOWN)
    code = error.code()
    said, message = _reason(error), error.details() or code.name
    if target and code is grpc.StatusCode.UNAVAILABLE and not said:  # the service itself would have given a reason
        message = f"cannot reach {target}; is croupier-service running there? ({message})"
    reason = said or code.name
    kind = _BY_REASON.get(reason) or _BY_CODE.get(code, CroupierError)
    return kind(reason, message, code)


def _reason(error: grpc.Call | grpc.aio.AioRpcError) -> str:
    """The reason of the call's ErrorInfo; empty if it has none, as when the service was not even reached."""
    try:
        status = rpc_status.from_call(error)  # type: ignore[arg-type]  # asyncio's error has the same methods
    except ValueError:  # details that contradict the status: a proxy wrote one of the two
        return ""
    info = error_details_pb2.ErrorInfo()
    for detail in status.details if status is not None else ():
        if detail.Unpack(info):
            return str(info.reason)
    return ""
