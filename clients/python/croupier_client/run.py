"""The door for bot programs: settings from arguments or the environment, signals, exit codes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Mapping
from typing import Literal, NoReturn, TypeAlias

import grpc

from croupier.v1 import turns_pb2
from croupier_client.bot import Bot, PlayFunction, as_bot
from croupier_client.channel import checked_target, checked_token, tls_credentials
from croupier_client.entropy import Entropy
from croupier_client.stream import Connection, StreamEnded
from croupier_client.traces import own_frames

Legal: TypeAlias = Literal["notation", "typed", "count"]

_LEGAL: Mapping[str, turns_pb2.LegalDetail] = {
    "notation": turns_pb2.LEGAL_DETAIL_NOTATION,
    "typed": turns_pb2.LEGAL_DETAIL_TYPED,
    "count": turns_pb2.LEGAL_DETAIL_COUNT,
}

EXIT_FAILED = 1
EXIT_USAGE = 2


class SettingsError(ValueError):
    """Nothing says where to play, or as whom."""


def turn_detail(
    *, view: bool = True, legal: Legal = "notation", events: bool = True, head: bool = False
) -> turns_pb2.TurnDetail:
    """How much of each turn to receive; less is faster."""
    if legal not in _LEGAL:
        raise SettingsError(f"legal= takes one of {', '.join(_LEGAL)}, got {legal!r}")
    return turns_pb2.TurnDetail(omit_view=not view, legal=_LEGAL[legal], omit_events=not events, head=head)


def run(
    bot: Bot | type[Bot] | PlayFunction,
    *,
    target: str | None = None,
    token: str | None = None,
    name: str | None = None,
    view: bool = True,
    legal: Legal = "notation",
    events: bool = True,
    head: bool = False,
    gives_entropy: bool = False,
    credentials: grpc.ChannelCredentials | None = None,
) -> None:
    """Plays until the service closes the stream, or SIGTERM or SIGINT arrives; any other end says why.

    What is not given comes from CROUPIER_TARGET (host:port or unix:/path), CROUPIER_TOKEN, CROUPIER_NAME; with TLS from
    CROUPIER_CA, and CROUPIER_CERT and CROUPIER_KEY where the service wants a certificate.
    With `gives_entropy` the bot contributes to the deals of its games, `head` has each turn bind the service (docs)."""
    try:
        detail = turn_detail(view=view, legal=legal, events=events, head=head)
        connection = connection_from(target, token, name, detail, credentials, gives_entropy)
    except SettingsError as error:
        _exit(EXIT_USAGE, str(error))
    player = as_bot(bot)
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        try:
            runner.run(_until_signalled(connection.play(player)))
        except StreamEnded as end:
            _exit(EXIT_FAILED, f"{connection.target} refuses this bot: {end.error}")
        except Exception as error:
            raise error.with_traceback(own_frames(error.__traceback__))  # noqa: B904  # the same error, cause and all


async def run_async(
    bot: Bot | type[Bot] | PlayFunction,
    *,
    target: str | None = None,
    token: str | None = None,
    name: str | None = None,
    view: bool = True,
    legal: Legal = "notation",
    events: bool = True,
    head: bool = False,
    gives_entropy: bool = False,
    credentials: grpc.ChannelCredentials | None = None,
) -> None:
    """`run` inside a program of your own: leaves signals and exit codes to it, and raises CroupierError."""
    detail = turn_detail(view=view, legal=legal, events=events, head=head)
    connection = connection_from(target, token, name, detail, credentials, gives_entropy)
    try:
        await connection.play(as_bot(bot))
    except StreamEnded as end:
        raise end.error from None


def connection_from(
    target: str | None,
    token: str | None,
    name: str | None,
    detail: turns_pb2.TurnDetail,
    credentials: grpc.ChannelCredentials | None = None,
    gives_entropy: bool = False,
) -> Connection:
    """The connection that arguments and environment describe together; arguments win."""
    target = target or os.environ.get("CROUPIER_TARGET")
    token = token or os.environ.get("CROUPIER_TOKEN")
    if not target:
        raise SettingsError("where to play? set CROUPIER_TARGET to host:port or unix:/path, or pass target=")
    if not token:
        raise SettingsError("who plays? set CROUPIER_TOKEN to the bot's token, or pass token=")
    try:
        checked_target(target)
        checked_token(token)
    except ValueError as error:
        raise SettingsError(f"{error}; see CROUPIER_TARGET and CROUPIER_TOKEN") from None
    if credentials is None and not target.startswith("unix"):
        credentials = _credentials_from_environment()
    if name is None:
        name = os.environ.get("CROUPIER_NAME", "")
    entropy = Entropy() if gives_entropy else None
    return Connection(target, token, name, detail, credentials, entropy)


def _credentials_from_environment() -> grpc.ChannelCredentials | None:
    """TLS if CROUPIER_CA says whom to trust; sockets of the same machine do without."""
    ca, cert, key = (os.environ.get(f"CROUPIER_{name}") or None for name in ("CA", "CERT", "KEY"))
    if ca is None:
        if cert or key:
            raise SettingsError("CROUPIER_CERT and CROUPIER_KEY want CROUPIER_CA: whose certificate has the service?")
        return None
    try:
        return tls_credentials(ca, cert, key)
    except ValueError as error:
        raise SettingsError(f"{error}; see CROUPIER_CA, CROUPIER_CERT and CROUPIER_KEY") from None


async def _until_signalled(playing: Coroutine[None, None, None]) -> None:
    """Runs it to its end, or until SIGTERM or SIGINT asks for a clean one."""
    task = asyncio.ensure_future(playing)
    if threading.current_thread() is threading.main_thread():
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C still raises KeyboardInterrupt
                loop.add_signal_handler(number, task.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await task


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop where it is installed: about a tenth less time per move."""
    try:
        import uvloop
    except ImportError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory


def _exit(code: int, message: str) -> NoReturn:
    sys.stderr.write(f"croupier: {message}\n")
    sys.exit(code)
