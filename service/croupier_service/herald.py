"""The herald: keeps what sessions have to say until the store has made it durable, then tells everybody.

`settle` is the one place where things are announced. When the store fails nothing is lost and nothing goes on: what
happened waits, everybody is refused, and the herald tries again until the store takes it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable
from contextlib import suppress
from typing import TypeAlias

import structlog

from croupier_service.errors import LimitReached, Unavailable
from croupier_service.seats import Stream, Watcher
from croupier_service.session import Session
from croupier_service.store import Fenced, Store, StoreError

Notice: TypeAlias = "tuple[Callable[[Session, int], None], Session, int]"
"""Something to tell once it is durable: how, of which session, and to which seat."""

_FIRST_DELAY_S = 0.1
_LONGEST_DELAY_S = 2.0
"""Between attempts to store what waits."""

log = structlog.get_logger()


class Herald:
    """Tells streams, watchers and waiters what has become durable."""

    def __init__(
        self,
        store: Store,
        max_watchers: int,
        max_own_watchers: int = 4,
        *,
        lost: Callable[[Collection[str]], None],
        recovered: Callable[[], None],
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._store = store
        self._max_watchers = max_watchers
        self._max_own_watchers = max_own_watchers
        self._lost = lost
        self._recovered = recovered
        self._pause = pause
        self._notices: list[Notice] = []
        self._flushing: list[Notice] = []
        self._fresh: set[Session] = set()
        self._under_way: set[Session] = set()
        """The sessions of `_notices` and of `_flushing`."""
        self._settling = asyncio.Lock()
        self._next_flush: asyncio.Task[None] | None = None
        self.trouble = ""
        """Why nothing can be played for now; empty when all is well."""
        self._tasks: set[asyncio.Task[None]] = set()

    def note(self, tell: Callable[[Session, int], None], session: Session, seat: int = -1) -> None:
        """Has something told as soon as it is durable."""
        self._notices.append((tell, session, seat))
        self._fresh.add(session)

    def check_store(self) -> None:
        """Refuses to go on when the store has failed."""
        if self.trouble:
            raise Unavailable(self.trouble)

    async def settle(self, session: Session | None = None) -> None:
        """Returns when everything that happened so far, and all of `session`, is durable and announced."""
        if self._store.instant:
            notices, self._notices = self._notices, []
            self._fresh.clear()
            self._announce(notices)
            return
        await self._flush_unhindered()
        while session is not None and self.unsettled((session,)):
            await self._flush_unhindered()
        if session is not None:
            session.check_fence()

    def unsettled(self, sessions: Iterable[Session]) -> bool:
        """Whether something has come to pass in one of the sessions that may not be durable yet."""
        return any(session in self._fresh or session in self._under_way for session in sessions)

    async def _flush_unhindered(self) -> None:
        """Shielded: a caller who is cancelled must not take along the news that others wait for.

        All who come before a flush has begun share it."""
        if self._next_flush is None:
            self._next_flush = self._keep(self._flush())
        await asyncio.shield(self._next_flush)

    async def _flush(self) -> None:
        async with self._settling:
            self._next_flush = None
            self.check_store()  # whoever tries again announces what waits
            self._flushing, self._notices = self._notices, []
            self._under_way, self._fresh = self._fresh, set()
            try:
                await self._store.flush()
            except Fenced as fenced:
                self._lost(fenced.session_ids)
            except StoreError as error:
                self._notices, self._flushing = self._flushing + self._notices, []
                self._fresh |= self._under_way
                self._suspend(error)
            notices, self._flushing = self._flushing, []
            self._under_way = set()
            self.check_store()
            self._announce(notices)

    def _suspend(self, error: StoreError) -> None:
        if self.trouble:
            return
        self.trouble = "the service cannot store what happens, and nothing can be played until it can; try again"
        log.error("store_failed", error=str(error))
        self._keep(self._try_again())

    async def _try_again(self) -> None:
        """Until the store takes what waits; then everybody is told, and it goes on."""
        delay_s = _FIRST_DELAY_S
        while self.trouble:
            await self._pause(delay_s)
            delay_s = min(2 * delay_s, _LONGEST_DELAY_S)
            async with self._settling:
                with suppress(StoreError):
                    await self._flush_what_waits()
        log.warning("store_recovered")
        self._recovered()

    async def _flush_what_waits(self) -> None:
        waiting = len(self._notices)
        try:
            await self._store.flush()
        except Fenced as fenced:
            self._lost(fenced.session_ids)
        self.trouble = ""
        notices, self._notices = self._notices[:waiting], self._notices[waiting:]
        self._fresh = {session for _, session, _ in self._notices}
        self._announce(notices)

    def settle_soon(self) -> None:
        """For what happened outside any call: announces it from a task of its own."""
        self._keep(self.settle_quietly())

    def _keep(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """A task that nobody need hold on to."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def settle_quietly(self) -> None:
        """Settles; that the store fails is not this caller's to hear."""
        with suppress(Unavailable):  # logged where it happened; whoever calls next is told
            await self.settle()

    def _announce(self, notices: list[Notice]) -> None:
        for tell, session, seat in notices:
            if not session.fenced:
                tell(session, seat)

    def tell_turn(self, session: Session, seat: int) -> None:
        """A seat has a decision to make."""
        for stream in _streams(session, seat):
            stream.ask(session, seat)

    def tell_seated(self, session: Session, seat: int) -> None:
        """A game with this seat has started."""
        for stream in _streams(session, seat):
            stream.seat(session, seat)

    def tell_entropy_wanted(self, session: Session, seat: int) -> None:
        """A seat is to commit to its entropy, or to reveal it."""
        for stream in _streams(session, seat):
            if stream.gives_entropy:
                stream.want_entropy(session, seat)

    def tell_over(self, session: Session, seat: int) -> None:
        """A game with this seat has ended."""
        for stream in _streams(session, seat):
            stream.end(session, seat)

    def wake_watchers(self, session: Session, _: int) -> None:
        """There is something new to see."""
        for watcher in tuple(session.watchers or ()):
            watcher.wake()

    def wake_waiters(self, session: Session, _: int) -> None:
        """The session has ended."""
        for waiter in tuple(session.waiters or ()):
            waiter.wake()

    def watch(self, session: Session, watcher: Watcher) -> None:
        """Adds somebody who follows a session, event by event."""
        session.watchers = self._joined(session.watchers, watcher)

    def wait(self, session: Session, waiter: Watcher) -> None:
        """Adds somebody who waits for the end of a session."""
        session.waiters = self._joined(session.waiters, waiter)

    def _joined(self, followers: set[Watcher] | None, newcomer: Watcher) -> set[Watcher]:
        """Every seat, and the owner, has a share of its own: strangers cannot use it up."""
        followers = followers or set()
        own = newcomer.whose is not None
        most = self._max_own_watchers if own else self._max_watchers
        if sum(follower.whose == newcomer.whose for follower in followers) >= most:
            limit = "max_watchers_per_seat" if own else "max_watchers_per_session"
            whose = "with these eyes" if own else "without a seat"
            raise LimitReached(
                f"{most} follow this session {whose} already, which is the limit ({limit}); end one, or try later",
                limit=limit,
            )
        followers.add(newcomer)
        return followers

    def leave(self, session: Session, follower: Watcher) -> None:
        """Removes somebody who watched or waited."""
        for followers in (session.watchers, session.waiters):
            if followers is not None:
                followers.discard(follower)


def _streams(session: Session, seat: int) -> Iterable[Stream]:
    holder = session.chairs[seat].holder
    return tuple(holder.streams) if holder is not None else ()
