"""What a call carries beside its message."""

from functools import lru_cache
from hashlib import sha256
from ssl import PEM_cert_to_DER_cert
from typing import Any, TypeAlias

from grpc import aio

from croupier_service.errors import Unauthenticated
from croupier_service.roles import Caller

Context: TypeAlias = "aio.ServicerContext[Any, Any]"
"""The context of a call, whatever its messages are."""

END: object = aio.EOF  # type: ignore[attr-defined]  # missing in the stubs
"""What reading gives when the other side has finished."""

_SCHEME = "bearer"


def token_of(context: Context) -> str:
    """The bearer token of a call; empty if it has none."""
    shown = [value for key, value in context.invocation_metadata() or () if key == "authorization"]
    if not shown:
        return ""
    if len(shown) > 1 or not isinstance(shown[0], str):
        raise Unauthenticated("the metadata 'authorization' comes once and reads: Bearer TOKEN")
    scheme, _, token = shown[0].partition(" ")
    if scheme.lower() != _SCHEME:
        raise Unauthenticated("the metadata 'authorization' must read: Bearer TOKEN")
    if not token.strip():
        raise Unauthenticated("the metadata 'authorization' has no token behind Bearer; send one, or leave it out")
    return token


def caller_of(context: Context) -> Caller:
    """What a call shows of whoever makes it: its token, and the certificate its connection was opened with."""
    for certificate in context.auth_context().get("x509_pem_cert", ()):
        return Caller(token_of(context), _fingerprint(certificate))
    return Caller(token_of(context))


@lru_cache(maxsize=1024)
def _fingerprint(certificate: bytes) -> str:
    return sha256(PEM_cert_to_DER_cert(certificate.decode("ascii").rstrip("\0"))).hexdigest()
