"""With whose eyes somebody looks at a session: a seat's, or those of a spectator, who may be behind or not welcome."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from croupier_games.game import View
from croupier_service.errors import Forbidden, SpectatorsRefused
from croupier_service.store import NO_SPECTATORS

if TYPE_CHECKING:
    from croupier_service.session import Session

LONGEST_DELAY = 1_000
"""Events; so many views are kept for a session with that delay."""


class Lag:
    """The past that spectators of a delayed session see: the newest view with so many public events after it."""

    __slots__ = ("_delay", "_newest", "_views")

    def __init__(self, delay: int) -> None:
        self._delay = delay
        self._newest = 0
        self._views: deque[tuple[int, View]] = deque()
        """With how many public events there were, oldest first; the first is what is shown, once it is old enough."""

    def add(self, events: int, view: View) -> None:
        """The session has come to this view with so many public events."""
        self._newest = events
        if self._views and self._views[-1][0] == events:
            self._views.pop()
        self._views.append((events, view))
        while len(self._views) > 1 and self._is_old(self._views[1]):
            self._views.popleft()

    @property
    def events(self) -> int:
        """How many events are shown."""
        return self._views[0][0] if self._shows() else 0

    @property
    def view(self) -> View | None:
        """The view that goes with them; None while it is too early for any."""
        return self._views[0][1] if self._shows() else None

    def _shows(self) -> bool:
        return bool(self._views) and self._is_old(self._views[0])

    def _is_old(self, then: tuple[int, View]) -> bool:
        return then[0] + self._delay <= self._newest


class Eyes(NamedTuple):
    """With whose eyes somebody looks; the default sees what lies open, as it happens."""

    seat: int | None = None
    token_hash: bytes = b""
    """Proves the seat."""
    delayed: bool = False

    def check(self, session: Session) -> None:
        """Refuses eyes that have been shut: those of a seat that is under another token by now."""
        if self.seat is not None and not session.chairs[self.seat].held_by(self.token_hash):
            raise Forbidden(f"seat {self.seat} was put under another token; ask the session's owner for it")

    def events(self, session: Session) -> int:
        """How many events they have been able to see."""
        if self.delayed and session.lag is not None:
            return session.lag.events
        return session.seen_events(self.seat)

    def view(self, session: Session) -> View | None:
        """What they see; None before the deal."""
        if self.delayed and session.lag is not None:
            return session.lag.view
        return None if session.state is None else session.state.view(self.seat)


OPEN_EYES = Eyes()


def spectators_eyes(session: Session) -> Eyes:
    """What the session lets somebody see who has neither a seat in it nor owns it."""
    if session.created.spectator_delay == NO_SPECTATORS:
        raise SpectatorsRefused("this session has no spectators: send the token of a seat, or that of its owner")
    return Eyes(delayed=True)
