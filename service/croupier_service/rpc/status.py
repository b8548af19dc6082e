"""From domain errors to gRPC statuses: one table."""

from collections.abc import Mapping

import grpc
from google.protobuf.any_pb2 import Any
from google.rpc.code_pb2 import Code
from google.rpc.error_details_pb2 import ErrorInfo
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
    """The rich status of an error: code, message, and an ErrorInfo with its reason."""
    detail = Any()
    detail.Pack(ErrorInfo(reason=error.reason, domain=DOMAIN))
    code = Code.Value(code_of(type(error)).name)
    status: grpc.Status = rpc_status.to_status(Status(code=code, message=error.message, details=[detail]))
    return status
