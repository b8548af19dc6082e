"""What a call carries beside its message."""

from typing import Any, TypeAlias

from grpc import aio

from croupier_service.errors import Unauthenticated

Context: TypeAlias = "aio.ServicerContext[Any, Any]"
"""The context of a call, whatever its messages are."""

END: object = aio.EOF  # type: ignore[attr-defined]  # missing in the stubs
"""What reading gives when the other side has finished."""

_BEARER = "bearer "


def token_of(context: Context) -> str:
    """The bearer token of a call; empty if it has none."""
    for key, value in context.invocation_metadata() or ():
        if key == "authorization":
            if not isinstance(value, str) or not value.lower().startswith(_BEARER):
                raise Unauthenticated("the metadata 'authorization' must read: Bearer TOKEN")
            return value[len(_BEARER) :]
    return ""
