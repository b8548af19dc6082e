"""`croupier-service`: configuration by flags and environment, then serve until SIGTERM."""

import argparse
import asyncio
import gc
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import structlog
from prometheus_client import disable_created_metrics, start_http_server

from croupier_games import installed_games
from croupier_service import __version__
from croupier_service.clock import RealClock
from croupier_service.config import Config, Limits, Tls
from croupier_service.errors import BadRequest
from croupier_service.logs import configure
from croupier_service.metrics import Metrics
from croupier_service.roles import read_fingerprint
from croupier_service.rpc.server import Server
from croupier_service.rpc.tls import MTLS, TlsError
from croupier_service.spectators import LONGEST_DELAY
from croupier_service.store import NO_SPECTATORS, StoreError
from croupier_service.store.opening import FORMS, default_file, named_store, shown
from croupier_service.tokens import hash_token

_LARGEST = 2**31 - 1
"""gRPC keeps its limits in 32 bits."""

_OPERATOR_TOKEN = "CROUPIER_OPERATOR_TOKEN"  # noqa: S105  # the name of a variable

EXAMPLES = """examples:
  croupier-service                                   listen on 127.0.0.1:7017, metrics on 127.0.0.1:9017
  croupier-service --listen 0.0.0.0:7017 --log-format json
  croupier-service --listen unix:/run/croupier.sock --metrics-listen off
  croupier-service --store sqlite:/var/lib/croupier/sessions.sqlite
  croupier-service --store postgresql://croupier@db/croupier --advertise 10.0.0.7:7017
  croupier-service --store memory                    sessions end with the process
  CROUPIER_MAX_SESSIONS=500 croupier-service         every flag has an environment variable of its name

It ends on SIGTERM or ^C: no new games, running ones may end within --drain-s, a second signal ends it at once.
"""

_HELP = {
    "max_sessions": "sessions that wait or run at the same time",
    "keep_finished": "ended sessions that can still be looked at",
    "max_streams_per_token": "bot streams open with one token",
    "max_message_bytes": "the largest message taken from a client",
    "max_outbox_bytes": "what may wait for a bot that does not read",
    "max_watchers_per_session": "spectators of one session",
    "illegal_limit": "illegal answers before a seat forfeits",
    "max_watchers_per_seat": "watchers of one session for each seat and its owner",
    "max_sessions_per_peer": "sessions created from one address that wait or run",
    "calls_per_s_per_peer": "calls a second from one address",
    "calls_per_s_per_token": "calls a second with one token",
    "refused_per_s_per_token": "answers a second on bot streams that play nothing",
    "max_calls": "calls and streams underway",
    "max_calls_per_peer": "calls and streams underway from one address",
    "max_calls_per_connection": "calls and streams underway on one connection",
    "call_s": "seconds that a call may take",
    "wait_s": "seconds that a call may wait for the end of a session",
    "hello_s": "seconds that a bot has for its first message",
    "slow_reader_s": "seconds that a watcher may not read",
    "reveal_s": "seconds that seats have to reveal their entropy",
    "waiting_s": "seconds that a session may wait for its seats to be taken",
}


class CannotListen(Exception):
    """An address is taken, or not this machine's."""


def parse(arguments: Sequence[str]) -> tuple[Config, int | None]:
    """The configuration, and the file descriptor to write "ready" to."""
    parser = argparse.ArgumentParser(
        "croupier-service",
        description="Deals, referees and records games over gRPC.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    defaults = Config()

    def add(flag: str, default: object, text: str, **more: object) -> None:
        variable = "CROUPIER_" + flag.upper().replace("-", "_")
        value = os.environ.get(variable, default)
        parser.add_argument(f"--{flag}", default=value, help=f"{text} [{variable}; {default}]", **more)  # type: ignore[arg-type]

    add("listen", ",".join(defaults.listen), "HOST:PORT, mtls:HOST:PORT or unix:/PATH, several with commas")
    add("metrics-listen", defaults.metrics_listen, "HOST:PORT of /metrics, or off")
    add("store", defaults.store, f"where sessions are kept: {FORMS}; sqlite alone is {default_file()}")
    add("store-days", defaults.store_days, "days that the store keeps ended sessions; 0: for ever", type=_at_least_0)
    add("store-sessions", defaults.store_sessions, "ended sessions that the store keeps; 0: any number", type=_count)
    add("advertise", defaults.advertise, "HOST:PORT at which other replicas of a shared store reach this one")
    add("log-format", defaults.log_format, "how log lines look", choices=["console", "json"])
    add("log-level", defaults.log_level, "least level", choices=["debug", "info", "warning", "error"])
    add("drain-s", defaults.drain_s, "seconds that running games get to end", type=_seconds)
    for limit in fields(Limits):
        add(
            limit.name.replace("_", "-"),
            getattr(defaults.limits, limit.name),
            _HELP[limit.name],
            type=_positive,
        )
    add("tls-cert", "", "certificates of the service in PEM, its own first: HOST:PORT then speaks TLS")
    add("tls-key", "", "the key of the first of them, in PEM")
    add("tls-client-ca", "", "who has signed the certificates that clients show on mtls:HOST:PORT, in PEM")
    add("operator-cert", "", "SHA-256 fingerprints of the operator's client certificates, several with commas")
    add("spectators", "open", "who looks on where a session does not say: open, closed, or how many events late")
    parser.add_argument(
        "--operator-token-file",
        metavar="FILE",
        type=Path,
        help="holds the token that creating and listing sessions want; unless set here or as "
        f"{_OPERATOR_TOKEN}, both are open to all",
    )
    parser.add_argument("--ready-fd", type=_open_fd, help='write "ready" to this file descriptor when serving')
    parser.add_argument("--version", action="version", version=f"croupier-service {__version__}")
    flags = parser.parse_args(arguments)
    limits = Limits(**{limit.name: getattr(flags, limit.name) for limit in fields(Limits)})
    config = Config(
        listen=tuple(address.strip() for address in flags.listen.split(",")),
        metrics_listen=flags.metrics_listen,
        store=flags.store,
        advertise=flags.advertise,
        store_days=flags.store_days,
        store_sessions=flags.store_sessions,
        log_format=flags.log_format,
        log_level=flags.log_level,
        drain_s=flags.drain_s,
        limits=limits,
        operator_token=_operator_token(parser, flags.operator_token_file),
        operator_certs=_operator_certs(parser, flags.operator_cert),
        tls=_tls(parser, flags),
        spectator_delay=_spectator_delay(parser, flags.spectators),
    )
    _check(parser, config)
    return config, flags.ready_fd


def _operator_token(parser: argparse.ArgumentParser, file: Path | None) -> str:
    """From the file or the environment: what stands on a command line everybody can read."""
    token = os.environ.get(_OPERATOR_TOKEN, "")
    try:
        if file is not None:
            token = file.read_text(encoding="ascii").strip()
        if file is not None or token:
            hash_token(token)
    except (OSError, UnicodeDecodeError) as error:
        parser.error(f"--operator-token-file: cannot read {file}: {getattr(error, 'strerror', None) or 'no token'}")
    except BadRequest as error:
        parser.error(f"the operator's token ({file or _OPERATOR_TOKEN}): {error.message}")
    return token


def _operator_certs(parser: argparse.ArgumentParser, text: str) -> tuple[str, ...]:
    try:
        return tuple(read_fingerprint(each) for each in text.split(",") if each.strip())
    except BadRequest as error:
        parser.error(f"--operator-cert: {error.message}")


def _tls(parser: argparse.ArgumentParser, flags: argparse.Namespace) -> Tls | None:
    if bool(flags.tls_cert) != bool(flags.tls_key):
        parser.error("--tls-cert and --tls-key go together: give both, or neither")
    mutual = any(address.strip().startswith(MTLS) for address in flags.listen.split(","))
    if mutual != bool(flags.tls_client_ca) or (mutual and not flags.tls_cert):
        parser.error(
            "clients show certificates on addresses that begin with mtls: --listen mtls:HOST:PORT wants --tls-cert, "
            "--tls-key and --tls-client-ca, and --tls-client-ca wants such an address"
        )
    if flags.operator_cert and not mutual:
        parser.error("--operator-cert wants an address where clients show certificates: --listen mtls:HOST:PORT")
    if not flags.tls_cert:
        return None
    return Tls(Path(flags.tls_cert), Path(flags.tls_key), Path(flags.tls_client_ca) if flags.tls_client_ca else None)


def _spectator_delay(parser: argparse.ArgumentParser, text: str) -> int:
    if text == "open":
        return 0
    if text == "closed":
        return NO_SPECTATORS
    if not text.isdecimal() or not 1 <= int(text) <= LONGEST_DELAY:
        parser.error(f"--spectators takes open, closed, or how many events late, 1 to {LONGEST_DELAY}; got {text!r}")
    return int(text)


def _open_fd(text: str) -> int:
    try:
        os.fstat(int(text))
    except (ValueError, OSError):
        raise argparse.ArgumentTypeError(f"must be an open file descriptor, got {text!r}") from None
    return int(text)


def _positive(text: str) -> int:
    return _count(text, least=1)


def _count(text: str, least: int = 0) -> int:
    if not text.strip().lstrip("-").isdecimal():
        raise argparse.ArgumentTypeError(f"must be a whole number, got {text!r}")
    if not least <= int(text) <= _LARGEST:
        raise argparse.ArgumentTypeError(f"must be at least {least} and at most {_LARGEST}, got {text}")
    return int(text)


def _at_least_0(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number, 0 or more, got {text!r}")
    return value


def _seconds(text: str) -> float:
    try:
        return _at_least_0(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"must be a number of seconds, 0 or more, got {text!r}") from None


def _is_port(address: str) -> bool:
    host, _, port = address.rpartition(":")
    return bool(host) and port.isdecimal() and int(port) <= 65_535


def _check(parser: argparse.ArgumentParser, config: Config) -> None:
    """argparse does not hold defaults, and so environment variables, to `choices`."""
    for action in parser._actions:
        value = getattr(config, action.dest, None)
        if action.choices is not None and value not in action.choices:
            parser.error(f"--{action.dest.replace('_', '-')} takes one of {', '.join(action.choices)}, got {value!r}")
    try:
        named_store(config)
    except StoreError as error:
        parser.error(str(error))
    if config.advertise and not config.advertise.startswith("unix:") and not _is_port(config.advertise):
        parser.error(f"--advertise takes HOST:PORT or unix:/PATH, got {config.advertise!r}")
    for address in config.listen:
        if not address.startswith("unix:") and not _is_port(address.removeprefix(MTLS)):
            parser.error(f"--listen takes HOST:PORT, mtls:HOST:PORT or unix:/PATH, got {address!r}")
    if config.metrics_listen != "off" and not _is_port(config.metrics_listen):
        parser.error(f"--metrics-listen takes HOST:PORT or off, got {config.metrics_listen!r}")


async def serve(config: Config, ready_fd: int | None) -> None:
    """Serves until a signal, then drains."""
    log = structlog.get_logger()
    metrics = Metrics()
    if config.metrics_listen != "off":
        log.info("metrics_serving", address=_serve_metrics(config.metrics_listen, metrics))
    server = Server(config, installed_games(), named_store(config), RealClock(), metrics)
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _stop, stopping, loop)
    if server.certificates is not None:
        loop.add_signal_handler(signal.SIGHUP, server.certificates.reload)
    try:
        await server.start()
    except RuntimeError as error:
        raise CannotListen(
            f"cannot listen on {', '.join(config.listen)}: the address is taken or not this machine's; "
            "is another service running there? choose another with --listen"
        ) from error
    log.info("serving", addresses=server.addresses, store=shown(config), version=__version__)
    if ready_fd is not None:
        os.write(ready_fd, b"ready\n")
        os.close(ready_fd)
    await stopping.wait()
    log.info("draining", running=server.hall.running, grace_s=config.drain_s, hint="a second signal ends it at once")
    aborted = await server.drain(config.drain_s)
    log.info("stopped", aborted=aborted)


def _serve_metrics(address: str, metrics: Metrics) -> str:
    """Serves /metrics from a thread of its own; returns where, with the port that the system chose for port 0."""
    host, _, port = address.rpartition(":")
    try:
        http, _thread = start_http_server(int(port), host, registry=metrics.registry)
    except OSError as error:
        raise CannotListen(
            f"cannot listen on {address} for metrics: {error.strerror}; choose another with --metrics-listen, or off"
        ) from error
    return f"{host}:{http.server_port}"


def _stop(stopping: asyncio.Event, loop: asyncio.AbstractEventLoop) -> None:
    """The first signal drains; the next ends the process at once."""
    stopping.set()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.remove_signal_handler(number)
        signal.signal(number, signal.SIG_DFL)


def main(arguments: Sequence[str] | None = None) -> None:
    """The console script."""
    config, ready_fd = parse(sys.argv[1:] if arguments is None else arguments)
    configure(config.log_format, config.log_level)
    # When each counter was made says nothing that Prometheus does not know; it would double the series.
    disable_created_metrics()  # type: ignore[no-untyped-call]
    # Thousands of sessions are millions of long-lived objects: with the usual thresholds the collector would walk them
    # over and over. Ours make few cycles.
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    try:
        _run(serve(config, ready_fd))
    except (CannotListen, StoreError, TlsError) as error:
        sys.exit(f"croupier-service: {error}")


def _run(main_task: "asyncio.coroutines.Coroutine[object, object, None]") -> None:  # type: ignore[name-defined]
    try:
        import uvloop
    except ImportError:
        asyncio.run(main_task)
    else:
        uvloop.run(main_task)


if __name__ == "__main__":
    main()
