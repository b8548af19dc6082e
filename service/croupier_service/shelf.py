"""The shelf: ended sessions that can still be looked at, as many as there is room for.

When it is full, something of whoever has put the most there goes first: nobody can push out what others have played.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier_service.session import Session

_NOTHING_PLAYED = "?"
"""The owner of sessions that ended before they were dealt: there is nothing to look at, and they go before all else."""


class Shelf:
    """Ended sessions, by id and by the peer that created them."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._sessions: dict[str, Session] = {}
        self._owners: dict[str, str] = {}
        self._peers: dict[str, dict[str, None]] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def __iter__(self) -> Iterator[Session]:
        return iter(self._sessions.values())

    def get(self, session_id: str) -> Session | None:
        """The session of that id, if it is here."""
        return self._sessions.get(session_id)

    def put(self, session: Session, peer: str) -> Session | None:
        """Keeps a session; returns the one that had to make room for it."""
        self._sessions[session.id] = session
        owner = self._owners[session.id] = peer if session.state is not None else _NOTHING_PLAYED
        self._peers.setdefault(owner, {})[session.id] = None
        if len(self._sessions) <= self._room:
            return None
        longest = _NOTHING_PLAYED if _NOTHING_PLAYED in self._peers else max(self._peers, key=self._count)
        return self.take(next(iter(self._peers[longest])))

    def take(self, session_id: str) -> Session | None:
        """Takes a session down, if it is here."""
        session = self._sessions.pop(session_id, None)
        if session is not None:
            owner = self._owners.pop(session_id)
            del self._peers[owner][session_id]
            if not self._peers[owner]:
                del self._peers[owner]
        return session

    def _count(self, peer: str) -> int:
        return len(self._peers[peer])
