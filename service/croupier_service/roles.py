"""Who may do what: the operator of a service, beside the owners of sessions and the holders of seats.

A service that was given no operator token is open: anybody may create sessions and list them.
"""

from croupier_service.errors import Forbidden, Unauthenticated
from croupier_service.tokens import hash_token, same_token


class Roles:
    """Tells the operator from everybody else."""

    def __init__(self, operator_token: str = "") -> None:
        self._operator_hash = hash_token(operator_token) if operator_token else None

    def is_operator(self, token: str) -> bool:
        """Whether the token is the operator's; of an open service it is nobody's."""
        return self._operator_hash is not None and same_token(token, self._operator_hash)

    def check_operator(self, token: str) -> None:
        """Refuses a call that only the operator may make; an open service refuses nobody."""
        if self._operator_hash is None or same_token(token, self._operator_hash):
            return
        if not token:
            raise Unauthenticated("this service takes that from its operator only: authorization: Bearer TOKEN")
        raise Forbidden("this token is not the operator's; ask whoever runs this service")
