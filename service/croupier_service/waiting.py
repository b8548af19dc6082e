"""Sessions that wait for their seats to be taken: nobody may keep one waiting for ever."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from croupier_service.clock import Alarm, Clock

if TYPE_CHECKING:
    from croupier_service.session import Session

_REST_S = 1.0
"""Between two looks at who has waited too long."""


class WaitingRoom:
    """Tells which sessions have waited too long, by the date of their creation: also after a restart."""

    def __init__(self, clock: Clock, longest_s: float, expire: Callable[[Session], None]) -> None:
        self._clock = clock
        self._longest_s = longest_s
        self._expire = expire
        self._waiting: dict[str, tuple[float, Session]] = {}
        self._alarm: Alarm | None = None

    def add(self, session: Session) -> None:
        """The session waits from here on."""
        age_s = self._clock.wall() - session.created.wall_s
        until = self._clock.now() + max(0.0, self._longest_s - age_s)
        self._waiting[session.id] = until, session
        if self._alarm is None:
            self._alarm = self._clock.call_at(until, self._ring)

    def discard(self, session: Session) -> None:
        """It waits no longer."""
        if self._waiting.pop(session.id, None) and not self._waiting and self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _ring(self) -> None:
        self._alarm = None
        now = self._clock.now()
        for until, session in tuple(self._waiting.values()):
            if until <= now:
                del self._waiting[session.id]
                self._expire(session)
        if self._waiting:
            soonest = min(until for until, _ in self._waiting.values())
            self._alarm = self._clock.call_at(max(soonest, now + _REST_S), self._ring)
