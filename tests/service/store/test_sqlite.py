"""The SQLite store and its file: who may read and open it, what is refused, a full disk, and what is forgotten."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from croupier_service.store import Acted, Chooser, Created, Finished, Retention, StoreError
from croupier_service.store.database import APPLICATION_ID, MIGRATIONS
from croupier_service.store.sqlite import DAY_S, SWEPT_AT_ONCE, SqliteStore


class LimitedStore(SqliteStore):
    """A store whose disk has only so much room."""

    def limit(self, pages: int) -> None:
        """So many more pages than there are, which SQLite treats as it does a full disk."""
        assert self._write_connection is not None
        (count,) = self._write_connection.execute("PRAGMA page_count").fetchone()
        self._write_connection.execute(f"PRAGMA max_page_count = {count + pages}")

    def make_read_only(self, flag: bool) -> None:
        assert self._write_connection is not None
        self._write_connection.execute(f"PRAGMA query_only = {'ON' if flag else 'OFF'}")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "sessions.sqlite"


@pytest.fixture
async def limited(file: Path, created: Created) -> AsyncIterator[LimitedStore]:
    """A store with one session in it."""
    store = LimitedStore(file)
    await store.start()
    store.append("s", 0, created)
    await store.flush()
    yield store
    await store.close()


def contents(file: Path) -> bytes:
    return file.read_bytes()


def overwrite(file: Path, data: bytes) -> None:
    file.write_bytes(data)


async def refusal(file: Path) -> str:
    """Why a store on that file does not start."""
    with pytest.raises(StoreError) as caught:
        await SqliteStore(file).start()
    assert str(file) in str(caught.value)
    return str(caught.value)


async def test_only_its_owner_reads_it(file: Path, limited: LimitedStore) -> None:
    """The deals of running games are in there: no file of the store is for others, whatever the umask."""
    files = list(file.parent.iterdir())
    assert len(files) == 4
    assert {stat.S_IMODE(each.stat().st_mode) for each in files} == {0o600}


async def test_a_second_service_is_refused(file: Path, limited: LimitedStore) -> None:
    """Two would deal the same sessions; when the first has stopped, the second may."""
    assert "in use by another" in await refusal(file)
    await limited.close()
    other = SqliteStore(file)
    assert len(await other.start()) == 1
    await other.close()


async def test_every_flush_reaches_the_disk(limited: LimitedStore) -> None:
    """A write-ahead log that is synced with every transaction: SQLite's FULL."""
    assert limited._write_connection is not None
    assert limited._write_connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert limited._write_connection.execute("PRAGMA synchronous").fetchone() == (2,)


async def test_a_flush_is_one_transaction(file: Path, limited: LimitedStore) -> None:
    """A seat's action and what the engine plays after it are there together or not at all."""
    assert limited._write_connection is not None
    seen: list[str] = []
    limited._write_connection.set_trace_callback(seen.append)
    for number in range(1, 600):
        limited.append("s", number, Acted(number, 0, "a", Chooser.SEAT, 0))
    limited.append("s", 600, Finished(0))
    await limited.flush()
    assert (seen[0], seen[-1]) == ("BEGIN IMMEDIATE", "COMMIT")
    assert not any(statement in ("BEGIN IMMEDIATE", "COMMIT") for statement in seen[1:-1])


async def test_a_file_of_another_program_is_refused(file: Path) -> None:
    """Whether it is a database or not."""
    overwrite(file, b"Dear diary\n" * 1_000)
    assert "not a database" in await refusal(file)
    overwrite(file, b"")
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE diary (day TEXT)")
    other.close()
    assert "no store of croupier-service" in await refusal(file)


async def test_a_damaged_file_is_refused(file: Path, limited: LimitedStore) -> None:
    """A file that was cut short, or overwritten in part, is not played on from."""
    for number in range(1, 3_000):
        limited.append("s", number, Acted(number, 0, "a" * 20, Chooser.SEAT, 0))
    await limited.close()
    whole = contents(file)
    overwrite(file, whole[: len(whole) // 2])
    assert "malformed" in await refusal(file)
    overwrite(file, whole[:4096] + bytes(8192) + whole[12288:])
    assert "malformed" in await refusal(file)


async def test_the_store_of_a_later_version_is_refused(file: Path, limited: LimitedStore) -> None:
    """What it holds is not ours to guess."""
    await limited.close()
    with sqlite3.connect(file) as later:
        later.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    later.close()
    assert f"knows versions up to {len(MIGRATIONS)}" in await refusal(file)


async def test_an_older_store_is_brought_up_to_date(
    file: Path, limited: LimitedStore, created: Created, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each migration runs once, on what the ones before it left, and the sessions are still there."""
    await limited.close()
    more = (*MIGRATIONS, "ALTER TABLE sessions ADD COLUMN note TEXT;", "UPDATE sessions SET note = game;")
    monkeypatch.setattr("croupier_service.store.database.MIGRATIONS", more)
    for _ in range(2):
        store = SqliteStore(file)
        assert len(await store.start()) == 1
        assert list(await store.load("s")) == [created]
        await store.close()
    with sqlite3.connect(file) as looked_at:
        assert looked_at.execute("SELECT note FROM sessions").fetchall() == [("lie",)]
        assert looked_at.execute("PRAGMA user_version").fetchone() == (len(more),)
        assert looked_at.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    looked_at.close()


async def test_a_migration_that_fails_changes_nothing(
    file: Path, limited: LimitedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next attempt begins where this one did."""
    await limited.close()
    more = (*MIGRATIONS, "ALTER TABLE sessions ADD COLUMN note TEXT; UPDATE nowhere SET note = 1;")
    monkeypatch.setattr("croupier_service.store.database.MIGRATIONS", more)
    assert "no such table" in await refusal(file)
    monkeypatch.undo()
    store = SqliteStore(file)
    assert len(await store.start()) == 1
    await store.close()


async def test_a_folder_that_is_not_there_is_made(tmp_path: Path) -> None:
    """For its owner alone; where that cannot be, the refusal says what the system says."""
    store = SqliteStore(tmp_path / "a" / "b" / "sessions.sqlite")
    await store.start()
    await store.close()
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700
    (tmp_path / "file").touch()
    assert "File exists" in await refusal(tmp_path / "file" / "sessions.sqlite")


@pytest.mark.parametrize("trouble", ["full", "read-only"])
async def test_what_the_disk_does_not_take_is_kept(
    file: Path, limited: LimitedStore, created: Created, trouble: str
) -> None:
    """The flush fails and leaves nothing behind; the next one writes all of it, once, when there is room again."""
    limited.limit(0)
    limited.make_read_only(trouble == "read-only")
    entries = [Acted(number, 0, "a" * 200, Chooser.SEAT, 0) for number in range(1, 2_001)]
    for number, entry in enumerate(entries, 1):
        limited.append("s", number, entry)
        if number in (500, 1_000):
            with pytest.raises(StoreError, match="full" if trouble == "full" else "readonly"):
                await limited.flush()
            assert list(await limited.load("s")) == [created]
    limited.make_read_only(False)
    limited.limit(1_000_000)
    await limited.flush()
    assert list(await limited.load("s")) == [created, *entries]


async def test_a_write_beyond_the_largest_file_fails_and_recovers(file: Path, created: Created) -> None:
    """The system refuses to let the file grow: what SQLite had begun to write leaves no trace."""
    import resource
    import signal

    store = SqliteStore(file)
    await store.start()
    store.append("s", 0, created)
    await store.flush()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    wal = file.with_name(file.name + "-wal")
    entries = [Acted(number, 0, "a" * 200, Chooser.SEAT, 0) for number in range(1, 2_001)]
    for number, entry in enumerate(entries, 1):
        store.append("s", number, entry)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (wal.stat().st_size + 6_000, hard))
        with pytest.raises(StoreError):
            await store.flush()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    await store.flush()
    await store.close()
    again = SqliteStore(file)
    await again.start()
    assert list(await again.load("s")) == [created, *entries]
    await again.close()


# ---- retention ----


class Shelf:
    """A store of which every session ends at once, and the date."""

    def __init__(self, file: Path, created: Created, keep: Retention) -> None:
        self.now = 0.0
        self.store = SqliteStore(file, keep, lambda: self.now)
        self._created = created
        self._ended = 0

    async def end(self, count: int) -> None:
        """So many more sessions have been played to their ends."""
        for _ in range(count):
            self.store.append(f"session {self._ended}", 0, self._created)
            self.store.append(f"session {self._ended}", 1, Finished(0))
            self._ended += 1
        await self.store.flush()

    async def kept(self) -> list[int]:
        """Which of them have a log, once the writing thread has done what it had to do."""
        await self.swept()
        return [number for number in range(self._ended) if await self.store.load(f"session {number}")]

    async def swept(self) -> None:
        for _ in range(10):  # a step puts the next behind what waits
            self.store._writer.submit(int).result()


async def test_of_too_many_ended_sessions_the_oldest_are_forgotten(file: Path, created: Created) -> None:
    """A few beyond the number are kept until it pays to forget them; open ones are never touched."""
    shelf = Shelf(file, created, Retention(days=0, sessions=10))
    await shelf.store.start()
    shelf.store.append("open", 0, created)
    await shelf.end(10 + SWEPT_AT_ONCE - 1)
    assert len(await shelf.kept()) == 10 + SWEPT_AT_ONCE - 1
    await shelf.end(1)
    assert await shelf.kept() == list(range(SWEPT_AT_ONCE, SWEPT_AT_ONCE + 10))
    assert await shelf.store.load("open")
    await shelf.store.close()
    again = SqliteStore(file)
    assert len(await again.start()) == 11
    await again.close()


async def test_sessions_are_forgotten_when_their_time_is_up(file: Path, created: Created) -> None:
    """However many there are, in steps; what ended later stays."""
    shelf = Shelf(file, created, Retention(days=2, sessions=0))
    await shelf.store.start()
    await shelf.end(3 * SWEPT_AT_ONCE)
    shelf.now = DAY_S
    await shelf.end(2)
    shelf.now = 2.5 * DAY_S
    shelf.store._writer.submit(shelf.store._sweep)
    assert await shelf.kept() == [3 * SWEPT_AT_ONCE, 3 * SWEPT_AT_ONCE + 1]
    await shelf.store.close()


async def test_nothing_is_forgotten_that_may_be_kept_for_ever(file: Path, created: Created) -> None:
    """0 days and 0 sessions mean no limit."""
    shelf = Shelf(file, created, Retention(days=0, sessions=0))
    await shelf.store.start()
    await shelf.end(200)
    shelf.now = 1e9
    shelf.store._writer.submit(shelf.store._sweep)
    assert len(await shelf.kept()) == 200
    await shelf.store.close()


def test_the_default_file_is_where_state_belongs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """systemd's folder for the service, else the state folder of whoever runs it."""
    from croupier_service.store.opening import default_file

    for name in ("STATE_DIRECTORY", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_file() == tmp_path / ".local/state/croupier/sessions.sqlite"
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert default_file() == tmp_path / "state/croupier/sessions.sqlite"
    monkeypatch.setenv("STATE_DIRECTORY", os.pathsep.join([str(tmp_path / "a"), str(tmp_path / "b")]))
    assert default_file() == tmp_path / "a/sessions.sqlite"
