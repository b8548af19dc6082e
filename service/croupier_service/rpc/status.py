"""From domain errors to gRPC statuses: one table."""

import math
from collections.abc import Mapping

import grpc
from google.rpc.code_pb2 import Code
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

from croupier_service import errors

DOMAIN = "croupier"

_CODES: Mapping[type[errors.ServiceError], grpc.StatusCode] = {
    errors.UnknownGame: grpc.StatusCode.NOT_FOUND,
    errors.BadRequest: grpc.StatusCode.INVALID_ARGUMENT,
    errors.Unauthenticated: grpc.StatusCode.UNAUTHENTICATED,
    errors.Forbidden: grpc.StatusCode.PERMISSION_DENIED,
    errors.UnknownSession: grpc.StatusCode.NOT_FOUND,
    errors.IllegalChoice: grpc.StatusCode.INVALID_ARGUMENT,
    errors.WrongMoment: grpc.StatusCode.FAILED_PRECONDITION,
    errors.LimitReached: grpc.StatusCode.RESOURCE_EXHAUSTED,
    errors.Unavailable: grpc.StatusCode.UNAVAILABLE,
}


def code_of(kind: type[errors.ServiceError]) -> grpc.StatusCode:
    """The status code of an error: that of its nearest ancestor in the table."""
    return next(_CODES[ancestor] for ancestor in kind.__mro__ if ancestor in _CODES)


def status_of(error: errors.ServiceError) -> grpc.Status:
    """The rich status of an error: code, message, an ErrorInfo with its reason, and when to try again if it knows."""
    status_message = Status(code=Code.Value(code_of(type(error)).name), message=error.message)
    status_message.details.add().Pack(ErrorInfo(reason=error.reason, domain=DOMAIN))
    if isinstance(error, errors.LimitReached) and error.retry_s > 0:
        again = RetryInfo()
        again.retry_delay.FromMilliseconds(math.ceil(error.retry_s * 1000))
        status_message.details.add().Pack(again)
    status: grpc.Status = rpc_status.to_status(status_message)
    return status
