"""Time, injected: the service asks a `Clock`, and tests hand it a virtual one."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Alarm(Protocol):
    """A call that will be made, unless it is cancelled."""

    def cancel(self) -> None:
        """Makes it not happen."""


class Clock(Protocol):
    """Where the service gets its time."""

    ticking: bool
    """Whether time passes by itself, so that seats can run out of it."""

    def now(self) -> float:
        """Seconds that never go back; their zero means nothing."""

    def wall(self) -> float:
        """Seconds since 1970."""

    def call_at(self, when: float, call: Callable[[], None]) -> Alarm:
        """Calls `call` when `now()` reaches `when`."""


class RealClock:
    """The machine's time, on the running event loop."""

    ticking = True
    now = staticmethod(time.monotonic)
    wall = staticmethod(time.time)

    def call_at(self, when: float, call: Callable[[], None]) -> Alarm:
        """Calls `call` when `now()` reaches `when`."""
        return asyncio.get_running_loop().call_later(max(0.0, when - self.now()), call)
