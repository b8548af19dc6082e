"""The store that keeps logs in a PostgreSQL database, which several replicas share: each session has one owner.

Every flush is one transaction. A replica that takes a session over writes an entry of its own into the log, so that
the next thing its former owner writes has a number that is taken: the unique key fences it.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Iterable, Sequence

import psycopg
import structlog

from croupier_service.store import Aborted, Created, Entry, Fenced, Finished, Kept, Retention, StoreError
from croupier_service.store.entries import decode, encode
from croupier_service.store.line import Line, checked_address, migrate
from croupier_service.store.replicas import Replicas, is_takeover

DAY_S = 86_400.0
SWEPT_AT_ONCE = 200
"""Ended sessions that are forgotten in one go."""
SWEEP_S = 60.0

_KEEP = Retention()

log = structlog.get_logger()


class _Open:
    """A session that this replica owns."""

    __slots__ = ("entries", "shift")

    def __init__(self, entries: int, shift: int) -> None:
        self.entries = entries
        """How many it has, those included that are not written yet."""
        self.shift = shift
        """How often it was taken over: so many entries of its log are not the session's own."""


class _Batch:
    """What one flush writes."""

    __slots__ = ("created", "ended", "rows")

    def __init__(self) -> None:
        self.created: list[tuple[str, str, float]] = []
        """Ids, games and when."""
        self.rows: list[tuple[str, int, bytes]] = []
        """Session, number in the log, entry."""
        self.ended: list[tuple[str, float]] = []

    def followed_by(self, later: "_Batch") -> "_Batch":
        """This one, and what came after it."""
        self.created += later.created
        self.rows += later.rows
        self.ended += later.ended
        return self

    def drop(self, session_ids: Iterable[str]) -> None:
        """Takes everything of these sessions out."""
        gone = set(session_ids)
        self.created = [row for row in self.created if row[0] not in gone]
        self.rows = [row for row in self.rows if row[0] not in gone]
        self.ended = [row for row in self.ended if row[0] not in gone]


class PostgresStore:
    """Logs in a database that replicas share."""

    instant = False
    lasting = True

    def __init__(
        self,
        address: str,
        keep: Retention = _KEEP,
        wall: Callable[[], float] = time.time,
        *,
        most_ended: int = 2_000,
    ) -> None:
        address = checked_address(address)
        self._keep = keep
        self._wall = wall
        self._most_ended = most_ended
        self._writer = Line(address)
        self._reader = Line(address)
        self._reading = asyncio.Lock()
        self._flushing = asyncio.Lock()
        self._open: dict[str, _Open] = {}
        self._collected = _Batch()
        self._sweeping: asyncio.Task[None] | None = None
        self.replicas = Replicas(Line(address), self._lose)
        """Who else serves this database, and who owns what."""

    # ---- opening and closing ----

    async def start(self) -> Sequence[Kept]:
        """Brings the schema up to date and joins the other replicas; returns what it owns now, and what has ended."""
        async with self._writer.open() as connection:
            self.replicas.key = await migrate(connection)
        mine = await self.replicas.join()
        ended = await self._reader.read(
            "SELECT id, number FROM sessions WHERE ended_s IS NOT NULL ORDER BY number DESC LIMIT %s", self._most_ended
        )
        self._sweeping = asyncio.create_task(self._keep_sweeping())
        over = (Kept(session_id, number, over=True) for session_id, number in ended)
        return sorted((*mine, *over), key=lambda kept: kept.number)

    async def close(self) -> None:
        """Writes what was collected, if that is still possible, leaves the other replicas, and hangs up."""
        if self._sweeping is not None:
            self._sweeping.cancel()
            await asyncio.wait({self._sweeping})
            try:
                await self.flush()
            except StoreError as error:
                log.error("store_not_flushed", error=str(error))
        await self.replicas.leave()
        await self._writer.close()
        await self._reader.close()

    # ---- writing ----

    def append(self, session_id: str, number: int, entry: Entry) -> None:
        """Collects the entry for the next flush; raises StoreError if it is not the session's next."""
        place = self._open.get(session_id)
        if place is None:
            place = self._begin(session_id, entry)
        if number != place.entries:
            raise StoreError(f"the next entry of this session is number {place.entries}, got {number}")
        place.entries += 1
        self._collected.rows.append((session_id, number + place.shift, encode(entry)))
        if isinstance(entry, Finished | Aborted):
            self._collected.ended.append((session_id, self._wall()))
            self._forget(session_id)

    def _begin(self, session_id: str, entry: Entry) -> _Open:
        if not isinstance(entry, Created):
            raise StoreError("there is no such session, it has ended, or somebody else has it")
        self._collected.created.append((session_id, entry.game_id, entry.wall_s))
        self.replicas.owned.add(session_id)
        place = self._open[session_id] = _Open(0, 0)
        return place

    def _forget(self, session_id: str) -> None:
        self._open.pop(session_id, None)
        self.replicas.owned.discard(session_id)

    def _lose(self, session_ids: Collection[str]) -> None:
        """Others have these sessions: what was collected for them is void."""
        self._collected.drop(session_ids)
        for session_id in session_ids:
            self._forget(session_id)

    async def flush(self) -> None:
        """Returns when everything appended before is committed, or raises StoreError and keeps it for the next.

        Who could not say in time that it is alive writes nothing: others may have taken its sessions over."""
        async with self._flushing:
            self.replicas.check_lease()
            batch, self._collected = self._collected, _Batch()
            fenced: set[str] = set()
            try:
                while batch.rows and not await self._written(batch):
                    fenced |= await self._sift(batch)
            except BaseException:
                self._collected = batch.followed_by(self._collected)
                raise
        if fenced:
            self._lose(fenced)
            raise Fenced(fenced)

    async def _written(self, batch: _Batch) -> bool:
        """Whether the batch could be written: all of it or nothing, in one round trip."""
        try:
            async with self._writer.open() as connection, connection.pipeline(), connection.transaction():
                if batch.created:
                    await connection.execute(_CREATE, (self.replicas.id, *_columns(batch.created)))
                await connection.execute(_APPEND, _columns(batch.rows))
                if batch.ended:
                    await connection.execute(_END, _columns(batch.ended))
        except psycopg.IntegrityError:
            return False
        return True

    async def _sift(self, batch: _Batch) -> set[str]:
        """Takes out what is stored already, and all of those sessions that others have written to: returns these.

        What we find there as we wanted to write it, we wrote: the connection broke before we were told. Somebody else
        would have begun with the entry of a takeover."""
        sessions, numbers, _ = zip(*batch.rows, strict=True)
        async with self._writer.open() as connection:
            found = await connection.execute(_STORED, (list(sessions), list(numbers)))
            stored = {(session_id, number): entry for session_id, number, entry in await found.fetchall()}
            found = await connection.execute("SELECT id FROM sessions WHERE id = ANY(%s)", (list(set(sessions)),))
            known = {session_id for (session_id,) in await found.fetchall()} | {row[0] for row in batch.created}
        fenced = {
            session_id
            for session_id, number, entry in batch.rows
            if session_id not in known or stored.get((session_id, number), entry) != entry
        }
        batch.drop(fenced)
        batch.rows = [row for row in batch.rows if row[:2] not in stored]
        batch.created = [row for row in batch.created if (row[0], 0) not in stored]
        if not fenced and not stored:
            raise StoreError("the database refuses what it has no reason to refuse; it will be tried again")
        return fenced

    # ---- reading ----

    async def load(self, session_id: str) -> Sequence[Entry]:
        """The log of a session as far as it is committed; one that this replica owns may be written to from here on."""
        async with self._reading:
            rows = await self._reader.read(_LOG_OF_SESSION, session_id)
        if not rows:
            return ()
        entries = [decode(entry) for _, _, entry in rows if not is_takeover(entry)]
        owner, over, _ = rows[0]
        if owner == self.replicas.id and not over:
            self._open.setdefault(session_id, _Open(len(entries), len(rows) - len(entries)))
        return entries

    async def owner(self, session_id: str) -> str | None:
        """The replica that has this open session; None: it has ended, or there is none."""
        async with self._reading:
            rows = await self._reader.read("SELECT owner FROM sessions WHERE id = %s AND ended_s IS NULL", session_id)
        return rows[0][0] if rows else None

    # ---- forgetting ----

    def let_go(self, session_id: str) -> None:
        """It is kept on; that it has ended was noted with its last entry."""

    async def _keep_sweeping(self) -> None:
        while True:
            try:
                while await self._sweep() == SWEPT_AT_ONCE:
                    pass
            except StoreError as error:
                log.error("store_not_swept", error=str(error))
            await asyncio.sleep(SWEEP_S)

    async def _sweep(self) -> int:
        """Forgets some of the ended sessions whose time is up, or that are too many; returns how many."""
        if not self._keep.days and not self._keep.sessions:
            return 0
        async with self._reading, self._reader.open() as connection:
            until_s = self._wall() - self._keep.days * DAY_S if self._keep.days else None
            swept = await connection.execute(_SWEEP, (until_s, self._keep.sessions or None, SWEPT_AT_ONCE))
            return swept.rowcount


_CREATE = """
    INSERT INTO sessions (owner, id, game, created_s) SELECT %s, * FROM unnest(%s::text[], %s::text[], %s::float8[])
    ON CONFLICT (id) DO NOTHING
"""
_APPEND = """
    INSERT INTO log SELECT sessions.number, entries.number, entries.entry
    FROM unnest(%b::text[], %b::int[], %b::bytea[]) AS entries (id, number, entry) LEFT JOIN sessions USING (id)
"""
"""A session that is not there leaves its key empty, which the table refuses."""
_END = """
    UPDATE sessions SET ended_s = ended.at_s FROM unnest(%s::text[], %s::float8[]) AS ended (id, at_s)
    WHERE sessions.id = ended.id
"""
_STORED = """
    SELECT id, log.number, entry FROM unnest(%s::text[], %s::int[]) AS wanted (id, number)
    JOIN sessions USING (id) JOIN log ON session = sessions.number AND log.number = wanted.number
"""
_LOG_OF_SESSION = """
    SELECT owner, ended_s IS NOT NULL, entry FROM log JOIN sessions ON sessions.number = session
    WHERE id = %s ORDER BY log.number
"""
_SWEEP = """
    WITH due AS (
        SELECT number FROM (
            SELECT number, ended_s, row_number() OVER (ORDER BY ended_s DESC) AS place
            FROM sessions WHERE ended_s IS NOT NULL
        ) AS ended
        WHERE ended_s < %s::float8 OR place > %s::bigint
        ORDER BY ended_s LIMIT %s
    ), logs AS (DELETE FROM log USING due WHERE session = due.number)
    DELETE FROM sessions USING due WHERE sessions.number = due.number
"""


def _columns(rows: Sequence[tuple[object, ...]]) -> list[list[object]]:
    """Rows as `unnest` takes them."""
    return [list(column) for column in zip(*rows, strict=True)]
