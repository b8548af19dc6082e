"""What can be set about a service: each field is a flag of `croupier-service` and an environment variable."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Limits:
    """As much as one service allows."""

    max_sessions: int = 20_000
    """Sessions that wait or run at the same time."""
    keep_finished: int = 2_000
    """Ended sessions that can still be looked at; the oldest go first."""
    max_streams_per_token: int = 4
    max_message_bytes: int = 262_144
    """The largest message taken from a client."""
    max_outbox_bytes: int = 4_194_304
    """What may wait for a bot that does not read before its stream is ended."""
    max_watchers_per_session: int = 64
    """Spectators who follow one session, and as many who wait for its end."""
    max_watchers_per_seat: int = 4
    """The same for each seat and for the owner, beside all others."""
    illegal_limit: int = 10
    """Illegal answers before a seat forfeits, where a session does not say."""
    max_sessions_per_peer: int = 15_000
    """Sessions that wait or run and were created from one address; the operator's do not count."""
    calls_per_s_per_peer: int = 500
    """Calls from one address, and four times as many with tokens that hold seats; those beyond wait for their turn,
    then are refused. The operator is not limited."""
    calls_per_s_per_token: int = 1_000
    refused_per_s_per_token: int = 500
    """Answers on bot streams that play nothing; a stream with more is read no faster."""
    max_calls: int = 20_000
    """Calls and streams underway."""
    max_calls_per_peer: int = 4_000
    max_calls_per_connection: int = 1_000
    """Calls and streams underway on one connection; what a client starts beyond waits on its side."""
    call_s: int = 30
    """The longest that a call may take, whatever its deadline."""
    wait_s: int = 86_400
    """The longest that a call may wait for the end of a session."""
    hello_s: int = 10
    """How long a bot's stream may stay without its first message."""
    slow_reader_s: int = 30
    """How long a watcher may not read before it is cut off."""
    reveal_s: int = 30
    """How long seats have to reveal the entropy that they committed to before the session is aborted."""
    waiting_s: int = 3_600
    """How long a session may wait for its seats to be taken before it is aborted."""


@dataclass(frozen=True, slots=True)
class Tls:
    """The files of a service that speaks TLS, all of them PEM."""

    cert: Path
    """The service's certificate, then those that lead to its authority."""
    key: Path
    client_ca: Path | None = None
    """Whose certificates clients show on addresses that begin with mtls."""

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file there is."""
        return (self.cert, self.key) if self.client_ca is None else (self.cert, self.key, self.client_ca)


@dataclass(frozen=True, slots=True)
class Config:
    """How a service runs."""

    listen: tuple[str, ...] = ("127.0.0.1:7017",)
    """Addresses: HOST:PORT, mtls:HOST:PORT (clients must show a certificate) or unix:/PATH."""
    metrics_listen: str = "127.0.0.1:9017"
    """HOST:PORT of /metrics, or "off"."""
    store: str = field(default="sqlite", repr=False)
    """Where sessions are kept: memory, sqlite (in a file of its own choice), sqlite:FILE, or postgresql://… which may
    hold a password."""
    store_days: float = 30.0
    """How long a store that outlives the process keeps an ended session; 0: for ever."""
    store_sessions: int = 100_000
    """How many ended sessions it keeps; 0: any number."""
    advertise: str = ""
    """How other replicas of a shared store reach this one; empty: at the first address that it listens on."""
    log_format: str = "console"
    log_level: str = "info"
    drain_s: float = 30.0
    """How long SIGTERM lets running games go on."""
    limits: Limits = Limits()
    operator_token: str = field(default="", repr=False)
    """What `CreateSession` and `ListSessions` want to be shown; empty: they are open to all."""
    operator_certs: tuple[str, ...] = ()
    """Fingerprints of client certificates that are as good as the operator's token."""
    tls: Tls | None = None
    """None: in the clear, which is for one machine or behind a proxy."""
    spectator_delay: int = 0
    """How many events spectators are behind where a session does not say; NO_SPECTATORS (-1): there are none."""
