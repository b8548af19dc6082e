"""The store that keeps logs in one SQLite file: whatever was flushed is there after any crash.

Entries are collected where they happen and written by a thread of their own. Each flush is one transaction, so that an
action and what the engine plays after it are in the log together or not at all; what happens meanwhile shares the next.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import structlog

from croupier_service.store import Aborted, Created, Entry, Finished, Kept, Retention, StoreError
from croupier_service.store.database import Lock, connected, opened
from croupier_service.store.entries import decode, encode

DAY_S = 86_400.0
ROWS_AT_ONCE = 256
"""Rows written by one statement."""
SWEPT_AT_ONCE = 64
"""Ended sessions that are forgotten in one go: whatever is to be stored waits that long at most."""
SWEEP_S = 60.0
"""How often a service in which nothing ends looks for sessions whose time is up."""

KEEP_ALL = Retention(days=0, sessions=0)

log = structlog.get_logger()


class _Batch:
    """What one flush writes."""

    __slots__ = ("created", "ended", "rows")

    def __init__(self) -> None:
        self.created: list[int | str | float] = []
        """Key, id, game and date of each session, one after the other: as the statement takes them."""
        self.rows: list[int | bytes] = []
        """Key, number and entry of each entry, likewise."""
        self.ended: list[int] = []
        """Keys."""

    def followed_by(self, later: "_Batch") -> "_Batch":
        """This one, and what came after it."""
        self.created += later.created
        self.rows += later.rows
        self.ended += later.ended
        return self


class _Open:
    """A session that is still written to."""

    __slots__ = ("entries", "key")

    def __init__(self, key: int, entries: int) -> None:
        self.key = key
        self.entries = entries
        """How many it has, those included that are not written yet."""


class SqliteStore:
    """Logs in a file."""

    instant = False
    lasting = True

    def __init__(self, path: Path, keep: Retention = KEEP_ALL, wall: Callable[[], float] = time.time) -> None:
        self._path = path
        self._keep = keep
        self._wall = wall
        self._open: dict[str, _Open] = {}
        self._last_key = 0
        self._collected = _Batch()
        self._writing: asyncio.Future[StoreError | None] | None = None
        self._lock: Lock | None = None
        self._writer = ThreadPoolExecutor(1, "store-writer")
        self._reader = ThreadPoolExecutor(1, "store-reader")
        self._write_connection: sqlite3.Connection | None = None
        self._read_connection: sqlite3.Connection | None = None
        self._ended = 0
        """How many ended sessions the file has; known to the writing thread only."""
        self._sweeping: asyncio.TimerHandle | None = None

    # ---- opening and closing ----

    async def start(self) -> Sequence[Kept]:
        """Opens the file, or says why it cannot be used; returns all sessions in it."""
        loop = asyncio.get_running_loop()
        kept = await loop.run_in_executor(self._writer, self._start)
        self._last_key = kept[-1].number if kept else 0
        self._sweep_later()
        return kept

    def _start(self) -> Sequence[Kept]:
        self._lock = Lock(self._path)
        try:
            self._write_connection = opened(self._path)
            self._read_connection = connected(self._path)
            self._read_connection.execute("PRAGMA query_only = ON")
            found = self._write_connection.execute(
                "SELECT id, number, ended_s IS NOT NULL FROM sessions ORDER BY number"
            )
            kept = [Kept(session_id, number, bool(over)) for session_id, number, over in found]
        except sqlite3.DatabaseError as error:
            self._shut()
            raise StoreError(f"the store {self._path} cannot be read: {error}; restore it from a copy") from None
        except StoreError:
            self._shut()
            raise
        self._ended = sum(each.over for each in kept)
        return kept

    async def close(self) -> None:
        """Writes what was collected, if that is still possible, and closes the file."""
        if self._write_connection is None:
            return
        if self._sweeping is not None:
            self._sweeping.cancel()
        try:
            await self.flush()
        except StoreError as error:
            log.error("store_not_flushed", error=str(error))
        self._reader.shutdown()
        await asyncio.get_running_loop().run_in_executor(self._writer, self._shut)
        self._writer.shutdown()

    def _shut(self) -> None:
        for connection in (self._read_connection, self._write_connection):
            if connection is not None:
                connection.close()
        self._read_connection = self._write_connection = None
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # ---- writing ----

    def append(self, session_id: str, number: int, entry: Entry) -> None:
        """Collects the entry for the next flush; raises StoreError if it is not the session's next."""
        place = self._open.get(session_id)
        if place is None:
            place = self._begin(session_id, entry)
        if number != place.entries:
            raise StoreError(f"the next entry of this session is number {place.entries}, got {number}")
        place.entries += 1
        self._collected.rows += (place.key, number, encode(entry))
        if isinstance(entry, Finished | Aborted):
            self._collected.ended.append(place.key)
            del self._open[session_id]

    def _begin(self, session_id: str, entry: Entry) -> _Open:
        if not isinstance(entry, Created):
            raise StoreError("there is no such session, or it has ended")
        self._last_key += 1
        place = self._open[session_id] = _Open(self._last_key, 0)
        self._collected.created += (place.key, session_id, entry.game_id, entry.wall_s)
        return place

    async def flush(self) -> None:
        """Returns when everything appended before is in the file, or raises StoreError and keeps it for the next."""
        if self._writing is not None:
            await self._written(self._writing)
        if self._writing is None and self._collected.rows:
            self._write_collected()
        if self._writing is not None:
            await self._written(self._writing)

    async def _written(self, writing: asyncio.Future[StoreError | None]) -> None:
        """Shielded: others wait for the same, and one who is cancelled must not end it for them."""
        if (error := await asyncio.shield(writing)) is not None:
            raise error

    def _write_collected(self) -> None:
        if self._write_connection is None:
            raise StoreError("the store is not open")
        loop = asyncio.get_running_loop()
        batch, self._collected = self._collected, _Batch()
        self._writing = writing = loop.create_future()
        self._writer.submit(
            self._write, batch, lambda error: loop.call_soon_threadsafe(self._end, batch, writing, error)
        )

    def _end(self, batch: _Batch, writing: asyncio.Future[StoreError | None], error: StoreError | None) -> None:
        """The writing thread is done with a batch."""
        self._writing = None
        if error is not None:
            self._collected = batch.followed_by(self._collected)
        writing.set_result(error)

    # ---- in the writing thread ----

    def _write(self, batch: _Batch, tell: Callable[[StoreError | None], object]) -> None:
        try:
            self._insert(batch)
        except sqlite3.Error as error:
            tell(StoreError(f"cannot write to the store {self._path}: {error}"))
            return
        except Exception as error:  # whoever waits must hear of it
            tell(StoreError(f"the store {self._path} failed: {error!r}"))
            return
        tell(None)
        self._ended += len(batch.ended)
        if self._keep.sessions and self._ended >= self._keep.sessions + SWEPT_AT_ONCE:
            self._sweep()

    def _insert(self, batch: _Batch) -> None:
        """Few statements: for each the thread lets go of the interpreter, and has to get it back."""
        statements = [
            *_insertions("sessions (number, id, game, created_s)", 4, batch.created),
            *_insertions("log (session, number, entry)", 3, batch.rows),
            *([(_END, (self._wall(), str(batch.ended)))] if batch.ended else ()),
        ]

        def execute(connection: sqlite3.Connection) -> None:
            for statement, values in statements:
                connection.execute(statement, values)

        if len(statements) == 1 and self._write_connection is not None:
            execute(self._write_connection)  # a statement by itself is a transaction
        else:
            self._transact(execute)

    def _transact(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """All of it or nothing."""
        connection = self._write_connection
        if connection is None:
            raise StoreError("the store is closed")
        connection.execute("BEGIN IMMEDIATE")
        try:
            work(connection)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    # ---- reading ----

    async def load(self, session_id: str) -> Sequence[Entry]:
        """The log of a session as far as it is in the file; one that is open can be written to from here on."""
        key, over, entries = await asyncio.get_running_loop().run_in_executor(self._reader, self._load, session_id)
        if entries and not over:
            self._open.setdefault(session_id, _Open(key, len(entries)))
        return entries

    def _load(self, session_id: str) -> tuple[int, bool, Sequence[Entry]]:
        connection = self._read_connection
        if connection is None:
            raise StoreError("the store is closed")
        try:
            rows = connection.execute(_LOG_OF_SESSION, (session_id,)).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"cannot read the store {self._path}: {error}") from None
        if not rows:
            return 0, True, ()
        return rows[0][0], rows[0][1], [decode(entry) for _, _, entry in rows]

    # ---- forgetting ----

    def let_go(self, session_id: str) -> None:
        """It is kept on; that it has ended was noted with its last entry."""

    def _sweep_later(self) -> None:
        def sweep() -> None:
            self._writer.submit(self._sweep)
            self._sweep_later()

        self._sweeping = asyncio.get_running_loop().call_later(SWEEP_S, sweep)

    def _sweep(self) -> None:
        """Forgets some of the ended sessions whose time is up, or that are too many; the rest in its turn."""
        try:
            due: list[int] = []
            self._transact(lambda connection: self._forget_due(connection, due))
        except (sqlite3.Error, StoreError) as error:
            log.error("store_not_swept", error=str(error))
            return
        self._ended -= len(due)
        if len(due) == SWEPT_AT_ONCE:
            self._writer.submit(self._sweep)

    def _forget_due(self, connection: sqlite3.Connection, due: list[int]) -> None:
        surplus = self._ended - self._keep.sessions if self._keep.sessions else 0
        until_s = self._wall() - self._keep.days * DAY_S if self._keep.days else float("-inf")
        oldest = connection.execute(_OLDEST_ENDED, (SWEPT_AT_ONCE,)).fetchall()
        due += [key for place, (key, ended_s) in enumerate(oldest) if place < surplus or ended_s < until_s]
        for statement in _FORGET:
            connection.execute(statement, (str(due),))


_LOG_OF_SESSION = """
    SELECT session, ended_s IS NOT NULL, entry FROM log JOIN sessions ON sessions.number = session
    WHERE id = ? ORDER BY log.number
"""
_OLDEST_ENDED = "SELECT number, ended_s FROM sessions WHERE ended_s IS NOT NULL ORDER BY ended_s LIMIT ?"
_FORGET = (
    "DELETE FROM log WHERE session IN (SELECT value FROM json_each(?))",
    "DELETE FROM sessions WHERE number IN (SELECT value FROM json_each(?))",
)
_END = "UPDATE sessions SET ended_s = ? WHERE number IN (SELECT value FROM json_each(?))"


def _insertions(table: str, columns: int, values: Sequence[object]) -> Iterator[tuple[str, Sequence[object]]]:
    """Statements that insert the values, so many to a row, with as many rows in each as may be."""
    width = columns * ROWS_AT_ONCE
    for start in range(0, len(values), width):
        some = values[start : start + width]
        yield _insertion(table, columns, len(some) // columns), some


@cache
def _insertion(table: str, columns: int, rows: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return f"INSERT INTO {table} VALUES {', '.join([row] * rows)}"  # noqa: S608  # the names are ours
