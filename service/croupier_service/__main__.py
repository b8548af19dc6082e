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
from croupier_service.config import Config, Limits
from croupier_service.errors import BadRequest
from croupier_service.logs import configure
from croupier_service.metrics import Metrics
from croupier_service.rpc.server import Server
from croupier_service.store.memory import MemoryStore
from croupier_service.tokens import hash_token

_LARGEST = 2**31 - 1
"""gRPC keeps its limits in 32 bits."""

_OPERATOR_TOKEN = "CROUPIER_OPERATOR_TOKEN"  # noqa: S105  # the name of a variable

EXAMPLES = """examples:
  croupier-service                                   listen on 127.0.0.1:7017, metrics on 127.0.0.1:9017
  croupier-service --listen 0.0.0.0:7017 --log-format json
  croupier-service --listen unix:/run/croupier.sock --metrics-listen off
  CROUPIER_MAX_SESSIONS=500 croupier-service         every flag has an environment variable of its name

It ends on SIGTERM or ^C: no new games, running ones may end within --drain-s, a second signal ends it at once.
"""

_HELP = {
    "max_sessions": "sessions that wait or run at the same time",
    "keep_finished": "ended sessions that can still be looked at",
    "max_streams_per_token": "bot streams open with one token",
    "max_message_bytes": "the largest message taken from a client",
    "max_outbox_bytes": "what may wait for a bot that does not read",
    "max_watchers_per_session": "watchers of one session",
    "illegal_limit": "illegal answers before a seat forfeits",
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

    add("listen", ",".join(defaults.listen), "HOST:PORT or unix:/PATH, several with commas")
    add("metrics-listen", defaults.metrics_listen, "HOST:PORT of /metrics, or off")
    add("store", defaults.store, "where sessions are kept", choices=["memory"])
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
        log_format=flags.log_format,
        log_level=flags.log_level,
        drain_s=flags.drain_s,
        limits=limits,
        operator_token=_operator_token(parser, flags.operator_token_file),
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


def _open_fd(text: str) -> int:
    try:
        os.fstat(int(text))
    except (ValueError, OSError):
        raise argparse.ArgumentTypeError(f"must be an open file descriptor, got {text!r}") from None
    return int(text)


def _positive(text: str) -> int:
    if not text.strip().lstrip("-").isdecimal():
        raise argparse.ArgumentTypeError(f"must be a whole number, got {text!r}")
    if not 1 <= int(text) <= _LARGEST:
        raise argparse.ArgumentTypeError(f"must be at least 1 and at most {_LARGEST}, got {text}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number of seconds, 0 or more, got {text!r}")
    return seconds


def _is_port(address: str) -> bool:
    host, _, port = address.rpartition(":")
    return bool(host) and port.isdecimal() and int(port) <= 65_535


def _check(parser: argparse.ArgumentParser, config: Config) -> None:
    """argparse does not hold defaults, and so environment variables, to `choices`."""
    for action in parser._actions:
        value = getattr(config, action.dest, None)
        if action.choices is not None and value not in action.choices:
            parser.error(f"--{action.dest.replace('_', '-')} takes one of {', '.join(action.choices)}, got {value!r}")
    for address in config.listen:
        if not address.startswith("unix:") and not _is_port(address):
            parser.error(f"--listen takes HOST:PORT or unix:/PATH, got {address!r}")
    if config.metrics_listen != "off" and not _is_port(config.metrics_listen):
        parser.error(f"--metrics-listen takes HOST:PORT or off, got {config.metrics_listen!r}")


async def serve(config: Config, ready_fd: int | None) -> None:
    """Serves until a signal, then drains."""
    log = structlog.get_logger()
    metrics = Metrics()
    if config.metrics_listen != "off":
        log.info("metrics_serving", address=_serve_metrics(config.metrics_listen, metrics))
    server = Server(config, installed_games(), MemoryStore(), RealClock(), metrics)
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _stop, stopping, loop)
    try:
        await server.start()
    except RuntimeError as error:
        raise CannotListen(
            f"cannot listen on {', '.join(config.listen)}: the address is taken or not this machine's; "
            "is another service running there? choose another with --listen"
        ) from error
    log.info("serving", addresses=server.addresses, store=config.store, version=__version__)
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
    except CannotListen as error:
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
