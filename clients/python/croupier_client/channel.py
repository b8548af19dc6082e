"""How the service is reached: the address, the channel and the token of a call."""

from __future__ import annotations

import grpc

_OPTIONS: tuple[tuple[str, int], ...] = (
    # The service permits a ping every 10 s; this notices a dead connection within 40.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    # A batch of a thousand turns with views outgrows the usual 4 MiB.
    ("grpc.max_receive_message_length", 64 * 2**20),
    # A new channel is a new attempt: it must not inherit the waiting time of one that failed.
    ("grpc.use_local_subchannel_pool", 1),
)


def open_channel(target: str, credentials: grpc.ChannelCredentials | None = None) -> grpc.Channel:
    """A blocking channel to host:port or unix:/path, in the clear unless there are credentials."""
    if credentials is None:
        return grpc.insecure_channel(target, _OPTIONS)
    return grpc.secure_channel(target, credentials, _OPTIONS)


def open_aio_channel(target: str, credentials: grpc.ChannelCredentials | None = None) -> grpc.aio.Channel:
    """The same for asyncio."""
    if credentials is None:
        return grpc.aio.insecure_channel(target, _OPTIONS)
    return grpc.aio.secure_channel(target, credentials, _OPTIONS)


def bearer(token: str | None) -> tuple[tuple[str, str], ...]:
    """The metadata that carries a token; none without one."""
    return (("authorization", f"Bearer {token}"),) if token else ()
