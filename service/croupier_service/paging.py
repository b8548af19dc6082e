"""Pages of sessions: their order, and the tokens that say where a list goes on."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from bisect import bisect_left, insort
from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier_service.errors import BadPageToken

if TYPE_CHECKING:
    from croupier_service.session import Session


class Order:
    """Sessions in the order of their creation, so that a page costs what it shows and not what there is."""

    def __init__(self) -> None:
        self._keys: list[tuple[int, str]] = []
        self._sessions: dict[str, Session] = {}

    def add(self, session: Session) -> None:
        """Nearly always the newest."""
        if session.id not in self._sessions:
            insort(self._keys, (session.number, session.id))
        self._sessions[session.id] = session

    def remove(self, session: Session) -> None:
        """The session is not here any more."""
        if self._sessions.pop(session.id, None) is not None:
            del self._keys[bisect_left(self._keys, (session.number, session.id))]

    def before(self, number: int) -> Iterator[Session]:
        """Those created before that one, newest first."""
        for place in range(bisect_left(self._keys, (number, "")) - 1, -1, -1):
            yield self._sessions[self._keys[place][1]]


def write_page_token(number: int) -> str:
    """The page with the sessions created before this one."""
    return urlsafe_b64encode(b"before:%d" % number).decode()


def read_page_token(token: str) -> int:
    """The number of the session before which the page starts."""
    try:
        word, _, number = urlsafe_b64decode(token).partition(b":")
        if word == b"before" and number.isdigit() and len(number) < 20:
            return int(number)
    except ValueError:
        pass
    raise BadPageToken("not a page token: use the next_page_token of the page before, or leave it empty")
