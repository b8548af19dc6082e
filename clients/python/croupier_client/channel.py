"""How the service is reached: the address, the channel and the token of a call."""

from __future__ import annotations

import re
from pathlib import Path

import grpc

_SCHEMES = re.compile(r"(unix|unix-abstract|dns|ipv4|ipv6|xds|vsock):.+")
_HOST_AND_PORT = re.compile(r"(\[[^\]\s]+\]|[^\[\]:/\s]+):(\d{1,5})")

_OPTIONS: tuple[tuple[str, int], ...] = (
    # The service permits a ping every 10 s; this notices a dead connection within 40.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    # A batch of a thousand turns with views outgrows the usual 4 MiB.
    ("grpc.max_receive_message_length", 64 * 2**20),
    # A new channel is a new attempt: it must not inherit the waiting time of one that failed.
    ("grpc.use_local_subchannel_pool", 1),
)


def checked_target(target: str | None) -> str:
    """The address, if it can be one: gRPC would try a wrong one for ever."""
    if target and isinstance(target, str):
        host_and_port = _HOST_AND_PORT.fullmatch(target)
        if _SCHEMES.fullmatch(target) or (host_and_port and 0 < int(host_and_port[2]) < 2**16):
            return target
    raise ValueError(f"expected the service's address as host:port or unix:/path, got {target!r}")


def checked_token(token: str) -> str:
    """The token, if a call can carry it."""
    if token.isascii() and token.isprintable():
        return token
    raise ValueError("expected a token of printable ASCII characters, got others; use one as the service made it")


def tls_credentials(
    ca: str | Path, cert: str | Path | None = None, key: str | Path | None = None
) -> grpc.ChannelCredentials:
    """TLS with files in PEM: who signed the service's certificate and, where it wants one, the client's own."""
    if (cert is None) != (key is None):
        raise ValueError("expected a client certificate and its key together, got one of them")
    chain = _pem(cert) if cert is not None else None
    return grpc.ssl_channel_credentials(_pem(ca), _pem(key) if key is not None else None, chain)


def _pem(file: str | Path) -> bytes:
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        raise ValueError(f"expected a file in PEM, cannot read {file}: {error.strerror}") from None
    if b"-----BEGIN " not in data:
        raise ValueError(f"expected a file in PEM, got another format in {file}")
    return data


def open_channel(target: str, credentials: grpc.ChannelCredentials | None = None) -> grpc.Channel:
    """A blocking channel to host:port or unix:/path, in the clear unless there are credentials."""
    target = checked_target(target)
    if credentials is None:
        return grpc.insecure_channel(target, _OPTIONS)
    return grpc.secure_channel(target, credentials, _OPTIONS)


def open_aio_channel(target: str, credentials: grpc.ChannelCredentials | None = None) -> grpc.aio.Channel:
    """The same for asyncio."""
    target = checked_target(target)
    if credentials is None:
        return grpc.aio.insecure_channel(target, _OPTIONS)
    return grpc.aio.secure_channel(target, credentials, _OPTIONS)


def bearer(token: str | None) -> tuple[tuple[str, str], ...]:
    """The metadata that carries a token; none without one."""
    return (("authorization", f"Bearer {checked_token(token)}"),) if token else ()
