"""Which store a service was told to use: `--store` as text, and the store it names."""

import os
from pathlib import Path

from croupier_service.config import Config
from croupier_service.store import Retention, Store, StoreError
from croupier_service.store.memory import MemoryStore
from croupier_service.store.sqlite import SqliteStore

FORMS = "memory, sqlite, sqlite:FILE or postgresql://…"


def named_store(config: Config) -> Store:
    """The store that the configuration names, not started yet; StoreError says what is wrong with the name."""
    kind, colon, where = config.store.partition(":")
    keep = Retention(config.store_days, config.store_sessions)
    if kind == "memory" and not colon:
        return MemoryStore()
    if kind == "sqlite" and (where or not colon):
        return SqliteStore(Path(where) if where else default_file(), keep)
    if kind in ("postgresql", "postgres"):
        return _postgres_store(config, keep)
    raise StoreError(f"--store takes {FORMS}, got {config.store!r}")


def _postgres_store(config: Config, keep: Retention) -> Store:
    try:
        from croupier_service.store.postgres import PostgresStore
    except ImportError:
        raise StoreError("--store postgresql needs psycopg: pip install 'croupier[postgres]'") from None
    host = config.listen[0].removeprefix("mtls:").rpartition(":")[0]
    if not config.advertise and host in ("0.0.0.0", "[::]"):  # noqa: S104  # nobody listens here
        raise StoreError(f"--advertise HOST:PORT is needed: other replicas cannot reach this one at {host}")
    return PostgresStore(config.store, keep, most_ended=config.limits.keep_finished)


def shown(config: Config) -> str:
    """The store as logs may show it: the address of a database can hold a password."""
    return config.store.partition(":")[0] if config.store.startswith("postgres") else config.store


def default_file() -> Path:
    """Where state belongs: what systemd gives a service, else the state folder of whoever runs it."""
    if folders := os.environ.get("STATE_DIRECTORY"):
        return Path(folders.split(":")[0]) / "sessions.sqlite"
    home = os.environ.get("XDG_STATE_HOME")
    state = Path(home) if home and Path(home).is_absolute() else Path.home() / ".local" / "state"
    return state / "croupier" / "sessions.sqlite"
