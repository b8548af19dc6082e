"""What can be set about a service: each field is a flag of `croupier-service` and an environment variable."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Limits:
    """As much as one service allows."""

    max_sessions: int = 20_000
    """Sessions that wait or run at the same time."""
    keep_finished: int = 2_000
    """Ended sessions that can still be looked at; the oldest go first."""
    max_streams_per_token: int = 4
    max_message_bytes: int = 1_048_576
    """The largest message taken from a client."""
    max_outbox_bytes: int = 4_194_304
    """What may wait for a bot that does not read before its stream is ended."""
    max_watchers_per_session: int = 64
    illegal_limit: int = 10
    """Illegal answers before a seat forfeits, where a session does not say."""


@dataclass(frozen=True, slots=True)
class Config:
    """How a service runs."""

    listen: tuple[str, ...] = ("127.0.0.1:7017",)
    """Addresses: HOST:PORT or unix:/PATH."""
    metrics_listen: str = "127.0.0.1:9017"
    """HOST:PORT of /metrics, or "off"."""
    store: str = "memory"
    log_format: str = "console"
    log_level: str = "info"
    drain_s: float = 30.0
    """How long SIGTERM lets running games go on."""
    limits: Limits = Limits()
    operator_token: str = field(default="", repr=False)
    """What `CreateSession` and `ListSessions` want to be shown; empty: they are open to all."""
