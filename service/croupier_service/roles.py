"""Who may do what: the operator of a service, beside the owners of sessions and the holders of seats.

The operator shows a token or a client certificate. A service that was told of neither is open: anybody may create
sessions and list them. The table of who may do what is in docs/security.md.
"""

import re
from collections.abc import Collection
from typing import NamedTuple

from croupier_service.errors import BadRequest, Forbidden, Unauthenticated
from croupier_service.tokens import hash_token, same_token

_FINGERPRINT = re.compile(r"[0-9a-f]{64}")


class Caller(NamedTuple):
    """What a call shows of whoever makes it."""

    token: str = ""
    fingerprint: str = ""
    """SHA-256 of the client certificate, in hexadecimal; empty if it has none that the service trusts."""


class Roles:
    """Tells the operator from everybody else."""

    def __init__(self, operator_token: str = "", operator_certs: Collection[str] = ()) -> None:
        self._operator_hash = hash_token(operator_token) if operator_token else None
        self._operator_certs = frozenset(operator_certs)

    def is_operator(self, caller: Caller) -> bool:
        """Whether the operator calls; an open service has none."""
        if self._operator_hash is not None and same_token(caller.token, self._operator_hash):
            return True
        return caller.fingerprint in self._operator_certs

    def check_operator(self, caller: Caller) -> None:
        """Refuses a call that only the operator may make; an open service refuses nobody."""
        if self._operator_hash is None and not self._operator_certs:
            return
        if self.is_operator(caller):
            return
        if not caller.token and not caller.fingerprint:
            raise Unauthenticated(
                "this service takes that from its operator only: authorization: Bearer TOKEN, or a client certificate"
            )
        raise Forbidden("neither token nor certificate is the operator's; ask whoever runs this service")


def read_fingerprint(text: str) -> str:
    """A fingerprint as openssl prints it, with or without colons."""
    fingerprint = text.strip().rpartition("=")[2].replace(":", "").lower()
    if not _FINGERPRINT.fullmatch(fingerprint):
        raise BadRequest(
            "a fingerprint is the SHA-256 of a certificate, 64 hexadecimal digits with or without colons, as "
            "openssl x509 -noout -fingerprint -sha256 prints it"
        )
    return fingerprint
