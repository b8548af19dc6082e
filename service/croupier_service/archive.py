"""Sessions that the store has and this process has not: each is brought back when it is asked for, or in its turn.

A service that starts serves at once. What was open comes back one session after the other, those first that somebody
asks for; whoever is connected by then gets its turns as if nothing had happened.
"""

import asyncio
from collections.abc import Sequence
from typing import Protocol

import structlog

from croupier_service.errors import Unavailable, UnknownSession
from croupier_service.restoring import CannotRestore
from croupier_service.session import Session
from croupier_service.store import Aborted, Entry, Finished, Kept, Store, StoreError

_PAUSE_S = 0.5
"""Before a store that could not be read is asked again."""

log = structlog.get_logger()


class Home(Protocol):
    """Where sessions live that have been brought back."""

    def held(self, session_id: str) -> Session | None:
        """The session of that id, if it is here already."""

    def bring_back(self, kept: Kept, entries: Sequence[Entry]) -> Session:
        """Takes a session up where its log ends, or raises CannotRestore."""


class Archive:
    """The sessions of the store that are not in memory."""

    def __init__(self, store: Store, home: Home, keep_ended: int) -> None:
        self._store = store
        self._home = home
        self._keep_ended = keep_ended
        self._waiting: dict[str, Kept] = {}
        """What is still to be brought back, in this order."""
        self._broken: set[str] = set()
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._task: asyncio.Task[None] | None = None
        self.complete = asyncio.Event()
        """Set when all that was open is back."""

    async def start(self) -> int:
        """Opens the store; returns the highest number of a session that it knows."""
        kept = await self._store.start()
        self.take(kept)
        return max((each.number for each in kept), default=0)

    def take(self, kept: Sequence[Kept]) -> None:
        """Has these sessions brought back too: those that are open, and the newest of those that have ended."""
        ended = [each for each in kept if each.over][-self._keep_ended :]
        for each in [*(each for each in kept if not each.over), *ended]:
            self._waiting[each.session_id] = each
            self._broken.discard(each.session_id)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._bring_all_back())

    @property
    def waiting(self) -> int:
        """How many sessions are still to be brought back."""
        return len(self._waiting)

    async def fetch(self, session_id: str) -> Session:
        """The session of that id, from memory or from the store."""
        session = self._home.held(session_id)
        if session is None and session_id not in self._broken:
            await self._bring_back(self._waiting.get(session_id) or Kept(session_id, 0, over=True))
            session = self._home.held(session_id)
        if session is not None:
            return session
        if session_id in self._broken:
            raise Unavailable("this session cannot be restored by this version of the service; ask its operator")
        raise UnknownSession("there is no session of that id, or it ended long ago; check the id")

    async def _bring_all_back(self) -> None:
        count = len(self._waiting)
        while self._waiting:
            kept = next(iter(self._waiting.values()))
            if kept.over and not self.complete.is_set():
                self.complete.set()
            try:
                await self._bring_back(kept)
            except Unavailable:  # logged where it happened
                await asyncio.sleep(_PAUSE_S)
        self.complete.set()
        if count:
            log.info("sessions_restored", sessions=count - len(self._broken), broken=len(self._broken))

    async def _bring_back(self, kept: Kept) -> None:
        """Once, however many ask for it at the same time."""
        task = self._loading.get(kept.session_id)
        if task is None:
            task = self._loading[kept.session_id] = asyncio.create_task(self._load(kept))
        await asyncio.shield(task)

    async def _load(self, kept: Kept) -> None:
        try:
            entries = await self._store.load(kept.session_id)
            if kept.session_id not in self._waiting and entries and not isinstance(entries[-1], Finished | Aborted):
                raise Unavailable("this session is not here, or on its way; try again")
            if entries and self._home.held(kept.session_id) is None:
                self._home.bring_back(kept, entries)
        except StoreError as error:
            log.error("session_not_read", session=kept.session_id, error=str(error))
            raise Unavailable("the service cannot read this session now; try again later") from None
        except CannotRestore as error:
            self._broken.add(kept.session_id)
            log.error("session_not_restored", session=kept.session_id, error=str(error))
        finally:
            self._loading.pop(kept.session_id, None)
        if self._waiting.get(kept.session_id) is kept:
            del self._waiting[kept.session_id]

    async def close(self) -> None:
        """Brings nothing back any more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
