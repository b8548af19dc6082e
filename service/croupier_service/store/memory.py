"""The store that keeps logs in memory and loses them with the process."""

from collections.abc import Sequence

from croupier_service.store import Entry, Kept, StoreError


class MemoryStore:
    """Logs as lists. What is appended is as durable as it will ever be."""

    instant = True
    lasting = False

    def __init__(self) -> None:
        self._logs: dict[str, list[Entry]] = {}

    def append(self, session_id: str, number: int, entry: Entry) -> None:
        """Takes the entry; raises StoreError if the session already has one of that number."""
        log = self._logs.get(session_id)
        if log is None:
            log = self._logs[session_id] = []
        if number != len(log):
            raise StoreError(f"the next entry of this session is number {len(log)}, got {number}")
        log.append(entry)

    async def start(self) -> Sequence[Kept]:
        """There is nothing yet."""
        return ()

    async def flush(self) -> None:
        """There is nothing to wait for."""

    async def load(self, session_id: str) -> Sequence[Entry]:
        """The log of a session, oldest first; empty if there is none."""
        return self._logs.get(session_id, ())

    def let_go(self, session_id: str) -> None:
        """Removes the session's log."""
        self._logs.pop(session_id, None)

    async def close(self) -> None:
        """There is nothing to let go of."""
