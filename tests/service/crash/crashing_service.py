"""The real service with a store that kills its own process, as kill -9 does, when it comes to a boundary.

`python crashing_service.py BOUNDARY TIMES FLAGS...`: at the TIMES-th passing of BOUNDARY; FLAGS are the service's.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from random import Random
from typing import Any

from croupier_service import __main__ as program
from croupier_service.config import Config
from croupier_service.store import Entry, Retention, Store, StoreError
from croupier_service.store.opening import named_store
from croupier_service.store.sqlite import SqliteStore

BOUNDARIES = (
    "before append",
    "after append",
    "in the transaction",
    "before commit",
    "during commit",
    "after commit",
    "before announcement",
)


class CrashingStore(SqliteStore):
    """Dies at one of its boundaries."""

    def __init__(self, boundary: str, times: int, *settings: Any) -> None:
        super().__init__(*settings)
        self._boundary = boundary
        self._times = times
        self._hooked = False

    def _pass(self, boundary: str, die: Callable[[], None]) -> None:
        if boundary == self._boundary:
            self._times -= 1
            if not self._times:
                die()

    def append(self, session_id: str, number: int, entry: Entry) -> None:
        """The entry is with the store, or not yet."""
        self._pass("before append", die)
        super().append(session_id, number, entry)
        self._pass("after append", die)

    async def flush(self) -> None:
        """It is durable, and nobody has been told."""
        await super().flush()
        self._pass("before announcement", die)

    def _write(self, batch: Any, tell: Callable[[StoreError | None], object]) -> None:
        """The transaction and what is around it."""
        if not self._hooked and self._write_connection is not None:
            self._write_connection.set_trace_callback(self._statement)
            self._hooked = True

        def told(error: StoreError | None) -> None:
            self._pass("after commit", die)
            tell(error)

        super()._write(batch, told)

    def _statement(self, statement: str) -> None:
        """SQLite is about to do this."""
        if statement.startswith("INSERT INTO log"):
            self._pass("in the transaction", die)
        alone = self._write_connection is not None and not self._write_connection.in_transaction
        if statement == "COMMIT" or (alone and statement.startswith("INSERT")):
            self._pass("before commit", die)
            self._pass("during commit", die_soon)


def die() -> None:
    """As kill -9 does it: nothing is cleaned up."""
    os.kill(os.getpid(), signal.SIGKILL)


def die_soon() -> None:
    """From another thread, some time within the next transaction's length."""
    until = time.perf_counter() + Random().uniform(0, 0.0008)

    def wait() -> None:
        while time.perf_counter() < until:
            pass
        die()

    threading.Thread(target=wait).start()


def main() -> None:
    """The program."""
    boundary, times, *flags = sys.argv[1:]

    def crashing_store(config: Config) -> Store:
        store = named_store(config)
        if not isinstance(store, SqliteStore):
            raise TypeError("only the SQLite store crashes")
        return CrashingStore(boundary, int(times), store._path, Retention())

    setattr(program, "named_store", crashing_store)  # noqa: B010  # it is not the program's to give away
    program.main(flags)


if __name__ == "__main__":
    main()
