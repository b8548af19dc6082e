"""Lines to the PostgreSQL server: connections that are opened anew when they broke, and the schema behind them."""

import logging
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, LiteralString, TypeAlias

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from croupier_service.store import StoreError

logging.getLogger("psycopg").setLevel(logging.ERROR)  # that a connection broke, we log ourselves

Connection: TypeAlias = "psycopg.AsyncConnection[tuple[Any, ...]]"

MIGRATIONS = (
    """
    CREATE TABLE sessions (
        number bigserial PRIMARY KEY,
        id text NOT NULL UNIQUE,
        game text NOT NULL,
        owner text NOT NULL,
        created_s double precision NOT NULL,
        ended_s double precision
    );
    CREATE INDEX open_sessions ON sessions (owner) WHERE ended_s IS NULL;
    CREATE INDEX ended_sessions ON sessions (ended_s) WHERE ended_s IS NOT NULL;
    CREATE TABLE log (
        session bigint NOT NULL,
        number integer NOT NULL,
        entry bytea NOT NULL,
        PRIMARY KEY (session, number)
    );
    CREATE TABLE replicas (
        id text PRIMARY KEY,
        address text NOT NULL,
        seen_at timestamptz NOT NULL
    );
    CREATE TABLE cluster (key text NOT NULL);
    """,
)
"""What leads from each version of the schema to the next; one that was released is never changed."""

_MIGRATING = 0x43525550
"""The lock that makes replicas which start together bring the schema up to date one after the other."""

_PATIENCE: dict[str, str | int] = {
    "application_name": "croupier-service",
    "connect_timeout": 3,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""A server that has vanished from the network is given up within seconds, unless the address says otherwise."""


def checked_address(address: str) -> str:
    """The address of a database with our patience, or StoreError. It may hold a password, so nothing repeats it."""
    try:
        given = {name: value for name, value in conninfo_to_dict(address).items() if value is not None}
        return make_conninfo("", **(_PATIENCE | given))
    except psycopg.Error:
        raise StoreError(
            "--store: this is no address of a PostgreSQL database; expected postgresql://USER@HOST:PORT/DATABASE"
        ) from None


class Line:
    """One connection, for one thing at a time; when it broke, whoever needs it next opens it anew."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._connection: Connection | None = None
        self._fresh = True

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Connection]:
        """The connection; what fails with it is a StoreError, except for what violates a constraint."""
        try:
            if self._connection is None:
                self._connection = await psycopg.AsyncConnection.connect(self._address, autocommit=True)
            yield self._connection
        except psycopg.IntegrityError:
            raise
        except psycopg.Error as error:
            await self.close()
            raise StoreError(f"the database failed: {str(error).strip() or type(error).__name__}") from None
        except BaseException:
            await self.close()  # cancelled in the middle of something: nobody knows what comes next on it
            raise

    async def read(self, query: LiteralString, *values: object) -> list[tuple[Any, ...]]:
        """What a query finds; a connection that was lost while nobody used it is not the reader's concern."""
        try:
            return await self._read(query, values)
        except StoreError:
            if self._fresh:
                raise
            return await self._read(query, values)

    async def _read(self, query: LiteralString, values: Sequence[object]) -> list[tuple[Any, ...]]:
        self._fresh = self._connection is None
        async with self.open() as connection:
            return await (await connection.execute(query, values)).fetchall()

    async def close(self) -> None:
        """Hangs up."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


async def migrate(connection: Connection) -> str:
    """Brings the schema up to date; returns the secret that the replicas of this database share."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATING,))
        await connection.execute("CREATE TABLE IF NOT EXISTS croupier_schema (version integer PRIMARY KEY)")
        found = await (await connection.execute("SELECT max(version) FROM croupier_schema")).fetchone()
        version = (found[0] if found else 0) or 0
        if version > len(MIGRATIONS):
            raise StoreError(
                f"the database has version {version} of the schema, this croupier-service knows versions up to "
                f"{len(MIGRATIONS)}; use the later croupier-service, or another database"
            )
        for number, script in enumerate(MIGRATIONS[version:], version + 1):
            await connection.execute(script.encode())
            await connection.execute("INSERT INTO croupier_schema VALUES (%s)", (number,))
        await connection.execute(
            "INSERT INTO cluster SELECT %s WHERE NOT EXISTS (SELECT FROM cluster)", (secrets.token_urlsafe(32),)
        )
        key = await (await connection.execute("SELECT key FROM cluster")).fetchone()
    if key is None:
        raise StoreError("the database has no key of the cluster; restore it from a copy, or use another")
    return str(key[0])
