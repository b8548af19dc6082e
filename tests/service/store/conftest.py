"""Stores of every kind, and services that are started again on the same one.

Another kind of store joins by a line in `KINDS`, one in `LASTING`, and a branch of `_made`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from croupier_service.store import Claimed, Created, Retention, Store, TimeControl
from croupier_service.store.memory import MemoryStore
from croupier_service.store.postgres import PostgresStore
from croupier_service.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from tests.service.conftest import House, OpenHouse

LASTING = ("sqlite", "postgres")
"""The kinds that outlive the process."""
KINDS = ("memory", *LASTING)

MakeStore: TypeAlias = "Callable[..., Store]"
Restart: TypeAlias = "Callable[..., Awaitable[House]]"


def _made(kind: str, folder: Path, keep: Retention, wall: Callable[[], float]) -> Store:
    if kind == "sqlite":
        return SqliteStore(folder / "sessions.sqlite", keep, wall)
    if kind == "postgres":
        return PostgresStore((folder / "address").read_text(), keep, wall)
    return MemoryStore()


@pytest.fixture(params=KINDS)
def store_kind(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Every kind of store in its turn."""
    return _prepared(request, tmp_path)


@pytest.fixture(params=LASTING)
def lasting_kind(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Every kind that outlives the process in its turn."""
    return _prepared(request, tmp_path)


def _prepared(request: pytest.FixtureRequest, folder: Path) -> str:
    if request.param == "postgres":
        (folder / "address").write_text(request.getfixturevalue("postgres").new_database())
    return str(request.param)


@pytest.fixture
async def store(store_kind: str, tmp_path: Path) -> AsyncIterator[Store]:
    """A started store that nothing was written to."""
    store = _made(store_kind, tmp_path, Retention(0, 0), lambda: 0.0)
    await store.start()
    yield store
    await store.close()


@pytest.fixture
def make_store(lasting_kind: str, tmp_path: Path) -> MakeStore:
    """Makes stores on one and the same storage, as one process after the other does; they are not started yet."""

    def make(days: float = 0, sessions: int = 0, wall: Callable[[], float] = lambda: 0.0) -> Store:
        return _made(lasting_kind, tmp_path, Retention(days, sessions), wall)

    return make


@pytest.fixture
async def restart(open_house: OpenHouse, make_store: MakeStore) -> Restart:
    """Starts a service; the next call stops it and starts another on the same store."""
    houses: list[House] = []

    async def again(**settings: Any) -> House:
        if houses:
            await houses[-1].close()
        houses.append(await open_house(store=make_store(), **settings))
        return houses[-1]

    return again


@pytest.fixture
def created() -> Created:
    """The first entry of a session, with something in every field."""
    return Created(
        game_id="lie",
        game_version=1,
        options={"joker_ones": True, "start_seat": 0, "note": "ä"},
        seat_names=("Ada", "Bob"),
        token_hashes=(b"\x01" * 32, None),
        owner_hash=b"\x02" * 32,
        service_seed=b"\x03" * 32,
        seed_was_given=True,
        commitment_salt=b"\x04" * 32,
        time_control=TimeControl(1, 2, 3, 4),
        auto_play_forced=True,
        illegal_limit=3,
        wall_s=1_700_000_000.5,
    )


@pytest.fixture
def claimed() -> Claimed:
    """A seat taken."""
    return Claimed(1, "Bob", b"\x05" * 32, b"\x00\xff")
