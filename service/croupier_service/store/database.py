"""The file of the SQLite store: made or checked, brought up to date, and held by one process at a time."""

import fcntl
import os
import sqlite3
from pathlib import Path

from croupier_service.store import StoreError

APPLICATION_ID = 0x43525550
"""Tells our files from those of other programs ("CRUP")."""

MIGRATIONS = (
    """
    CREATE TABLE sessions (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        created_s REAL NOT NULL,
        ended_s REAL
    ) STRICT;
    CREATE INDEX ended_sessions ON sessions (ended_s) WHERE ended_s IS NOT NULL;
    CREATE TABLE log (
        session INTEGER NOT NULL,
        number INTEGER NOT NULL,
        entry BLOB NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX entries ON log (session, number);
    """,
)
"""What leads from each version of the schema to the next; one that was released is never changed.

What a transaction costs is the pages it changes. So entries of all sessions follow each other as they come, and only
the index is in the order of the sessions; its key is a number, not the session's id, so that sessions that are played
at the same time are neighbours there. With the entries themselves in that order a transaction took twice as long."""

BUSY_MS = 5_000
"""How long to wait for somebody else who has the file open, such as a backup."""
CHECKPOINT_PAGES = 4_000
"""How far the write-ahead log grows before it is brought into the file."""
WAL_BYTES = 64 * 1024 * 1024
"""What is left of a write-ahead log that has grown beyond."""


class Lock:
    """Keeps every other process from opening the same store, for as long as this one lives."""

    def __init__(self, path: Path) -> None:
        lock = path.with_name(path.name + ".lock")
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._fd = os.open(lock, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreError(f"cannot open the store {path}: {error.strerror} ({lock.parent})") from None
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._fd)
            raise StoreError(
                f"the store {path} is in use by another croupier-service; stop that one, or choose another file"
            ) from None

    def release(self) -> None:
        """Lets others open the store."""
        os.close(self._fd)


def opened(path: Path) -> sqlite3.Connection:
    """The connection that writes, on a file of the present schema."""
    try:
        # Made here, because SQLite would let everybody read it; its other files get the same permissions.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError(f"cannot open the store {path}: {error.strerror}") from None
    try:
        connection = connected(path)
        try:
            _check(connection, path)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
            connection.execute(f"PRAGMA journal_size_limit = {WAL_BYTES}")
            _migrate(connection)
        except BaseException:
            connection.close()
            raise
    except sqlite3.DatabaseError as error:
        raise StoreError(f"cannot use the store {path}: {error}; restore it from a copy, or choose another") from None
    return connection


def connected(path: Path) -> sqlite3.Connection:
    """A connection whose transactions begin when we say so, for whichever one thread uses it."""
    connection = sqlite3.connect(
        path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False, cached_statements=512
    )
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _check(connection: sqlite3.Connection, path: Path) -> None:
    """Refuses what is not ours, and what is of a later version."""
    application_id, version = _pragma(connection, "application_id"), _pragma(connection, "user_version")
    if not version and not application_id and not _pragma(connection, "page_count"):
        return
    if application_id != APPLICATION_ID:
        raise StoreError(f"{path} is an SQLite file, but no store of croupier-service; choose another")
    if version > len(MIGRATIONS):
        raise StoreError(
            f"the store {path} has version {version}, this croupier-service knows versions up to {len(MIGRATIONS)}; "
            "use the later croupier-service, or choose another file"
        )


def _migrate(connection: sqlite3.Connection) -> None:
    for version, script in enumerate(MIGRATIONS, 1):
        if version > _pragma(connection, "user_version"):
            mark = f"PRAGMA user_version = {version}; PRAGMA application_id = {APPLICATION_ID};"
            connection.executescript(f"BEGIN EXCLUSIVE; {script} {mark} COMMIT;")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
