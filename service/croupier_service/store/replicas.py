"""The replicas that share a PostgreSQL database: who is alive, and who owns which session.

Each says a few times within its lease that it is alive. Whoever has not been heard of for a whole lease is dead, and
the others take its open sessions over, each its share. Only the database's clock counts, and nobody who was silent
itself judges others: when the database comes back after an outage, all have been silent.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Collection, Mapping, Sequence

import orjson
import psycopg
import structlog

from croupier_service.store import Heir, Kept, StoreError
from croupier_service.store.line import Connection, Line

LEASE_S = 3.0
BEAT_S = 0.5
_KIND = "o"

log = structlog.get_logger()


def takeover(replica: str) -> bytes:
    """What a replica writes into the log of a session that it takes over."""
    return orjson.dumps((_KIND, replica))


def is_takeover(entry: bytes) -> bool:
    """Whether an entry is no event of the session, but tells that it was taken over."""
    return bytes(entry[:4]) == b'["o"'


class Replicas:
    """This replica among the others."""

    def __init__(self, line: Line, forget: Callable[[Collection[str]], None]) -> None:
        self.id = secrets.token_urlsafe(9)
        self.key = ""
        """What the replicas of one database know each other by; a secret."""
        self.owned: set[str] = set()
        """The open sessions of this replica."""
        self.living: Mapping[str, str] = {}
        """The addresses of the other replicas, by id."""
        self.changed = asyncio.Event()
        """Is set when `living` has been looked up next."""
        self._address = ""
        self._heir: Heir | None = None
        self._line = line
        self._forget = forget
        self._seen_at = float("-inf")
        """When we were last heard, by our own clock; the time before we spoke, so that we err on the safe side."""
        self._speaking_since = float("inf")
        self._task: asyncio.Task[None] | None = None

    # ---- coming and going ----

    def introduce(self, address: str, heir: Heir) -> None:
        """Says where the others reach this replica, and who takes sessions over; before it joins."""
        self._address, self._heir = address, heir

    async def join(self) -> Sequence[Kept]:
        """Joins; returns the sessions of whoever had our address before: that one cannot be alive any more."""
        async with self._line.open() as connection:
            if self._address:
                await connection.execute(
                    "UPDATE replicas SET seen_at = '-infinity' WHERE address = %s AND id <> %s",
                    (self._address, self.id),
                )
            await self._beat(connection)
            kept = await self._take_over(connection, _SILENT_FOR_GOOD, 2**31)
        self._task = asyncio.create_task(self._keep_beating())
        return kept

    async def leave(self) -> None:
        """Says that it is no more, so that nobody waits for its lease to end."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
            try:
                async with self._line.open() as connection:
                    await connection.execute("UPDATE replicas SET seen_at = '-infinity' WHERE id = %s", (self.id,))
            except StoreError as error:
                log.error("replica_not_left", error=str(error))
        await self._line.close()

    def check_lease(self) -> None:
        """Refuses to go on when others may think that we are dead."""
        if time.monotonic() - self._seen_at > LEASE_S:
            raise StoreError("this replica has not been able to say in time that it is alive")

    # ---- heartbeat ----

    async def _keep_beating(self) -> None:
        silent = False
        while True:
            try:
                async with self._line.open() as connection:
                    await self._beat(connection)
                    silent = False
                    may_judge = time.monotonic() - self._speaking_since > LEASE_S
                    await self._inherit(connection, _SILENT_FOR_A_LEASE if may_judge else _SILENT_FOR_GOOD)
            except StoreError as error:
                if not silent:
                    log.warning("replica_not_heard", error=str(error))
                silent = True
            except psycopg.IntegrityError:
                log.info("takeover_put_off", reason="an owner that seemed dead has written meanwhile")
            await asyncio.sleep(BEAT_S)

    async def _beat(self, connection: Connection) -> None:
        now = time.monotonic()
        lapsed = now - self._seen_at > LEASE_S
        async with connection.pipeline(), connection.transaction():
            # A beat need not be durable, and so need not wait for a disk that is busy.
            await connection.execute("SET LOCAL synchronous_commit = off")
            found = await connection.execute(_BEAT, (self.id, self._address, self.id, LEASE_S))
        self.living = dict(await found.fetchall())
        if lapsed:
            self._speaking_since = now
            await self._count_losses(connection)
        self._seen_at = now
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()

    async def _count_losses(self, connection: Connection) -> None:
        """We were silent for too long: finds out what others have taken over meanwhile."""
        owned = list(self.owned)
        found = await connection.execute("SELECT id FROM sessions WHERE id = ANY(%s) AND owner <> %s", (owned, self.id))
        lost = {session_id for (session_id,) in await found.fetchall()}
        if lost:
            self._forget(lost)
            if self._heir is not None:
                self._heir.lose(lost)

    # ---- taking over ----

    async def _inherit(self, connection: Connection, silent: str) -> None:
        """Takes its share of what the dead have left; what is left next time is anybody's."""
        found = await (await connection.execute((_LEFT_BEHIND % silent).encode(), {"s": LEASE_S})).fetchone()
        dead, left = found or (0, 0)
        if dead:
            kept = await self._take_over(connection, silent, -(-left // (len(self.living) + 1)))
            if kept and self._heir is not None:
                log.warning("sessions_taken_over", sessions=len(kept))
                self._heir.inherit(kept)

    async def _take_over(self, connection: Connection, silent: str, most: int) -> Sequence[Kept]:
        """All or nothing: the log of each gets an entry that fences its former owner."""
        async with connection.transaction():
            values = {"me": self.id, "most": most, "s": LEASE_S}
            found = await connection.execute((_TAKE_OVER % silent).encode(), values)
            rows = await found.fetchall()
            numbers = [number for number, _ in rows]
            await connection.execute(_MARK, (takeover(self.id), numbers))
            await connection.execute((_BURY % silent).encode(), values)
        self.owned.update(session_id for _, session_id in rows)
        return [Kept(session_id, number, over=False) for number, session_id in sorted(rows)]


_BEAT = """
    WITH me AS (
        INSERT INTO replicas VALUES (%s, %s, clock_timestamp())
        ON CONFLICT (id) DO UPDATE SET address = EXCLUDED.address, seen_at = EXCLUDED.seen_at
    )
    SELECT id, address FROM replicas WHERE id <> %s AND seen_at > clock_timestamp() - make_interval(secs => %s)
"""
_SILENT_FOR_A_LEASE = "seen_at < clock_timestamp() - make_interval(secs => %(s)s)"
_SILENT_FOR_GOOD = "seen_at = '-infinity'"
_LEFT_BEHIND = """
    SELECT count(*), count(sessions.number) FROM replicas LEFT JOIN sessions ON owner = replicas.id AND ended_s IS NULL
    WHERE %s
"""
_TAKE_OVER = """
    UPDATE sessions SET owner = %%(me)s
    WHERE number IN (
        SELECT number FROM sessions JOIN replicas ON replicas.id = owner
        WHERE ended_s IS NULL AND owner <> %%(me)s AND %s
        ORDER BY number LIMIT %%(most)s FOR NO KEY UPDATE OF sessions SKIP LOCKED
    )
    RETURNING number, id
"""
_MARK = "INSERT INTO log SELECT session, max(number) + 1, %s FROM log WHERE session = ANY(%s) GROUP BY session"
_BURY = """
    DELETE FROM replicas WHERE id <> %%(me)s AND %s
    AND NOT EXISTS (SELECT FROM sessions WHERE owner = replicas.id AND ended_s IS NULL)
"""
