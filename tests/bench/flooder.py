"""One kind of flood as a process of its own: as much of it at once as a connection takes, for ever.

It gives way to everybody (nice 19), so that what others feel is what it does to the service, not to the machine."""

import argparse
import asyncio
import os
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import uvloop
from grpc import aio
from tests.bench.match import CREATE_SESSION, LIE

from croupier.v1 import bots_pb2, sessions_pb2, turns_pb2

AT_ONCE = 64
CONNECTIONS = 2
NONSENSE = bots_pb2.PlayRequest(
    answers=[turns_pb2.Answer(session_id="none", decision_id=1, notation="x" * 40)] * 200
).SerializeToString()
HELLO = bots_pb2.PlayRequest(hello=bots_pb2.Hello(name="flood")).SerializeToString()

Flood = Callable[[aio.Channel], Awaitable[object]]


def _bearer() -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {secrets.token_urlsafe(24)}"),)


async def calls(channel: aio.Channel) -> None:
    """Asks for sessions that do not exist."""
    request = sessions_pb2.GetSessionRequest(session_id="none").SerializeToString()
    await _unary(channel, "/croupier.v1.SessionService/GetSession", request)


async def sessions(channel: aio.Channel) -> None:
    """Opens sessions."""
    await _unary(channel, CREATE_SESSION, LIE.request("flood"))


async def huge(channel: aio.Channel) -> None:
    """Sends messages of nearly the largest size, made of the smallest parts."""
    await _unary(channel, CREATE_SESSION, b"\x12\x00" * 120_000)


async def streams(channel: aio.Channel) -> None:
    """Opens bots' streams, each with a token of its own, says hello, and leaves."""
    call = _play(channel)
    await call.write(HELLO)
    await call.read()
    call.cancel()


async def garbage(channel: aio.Channel) -> None:
    """Sends answers to nothing until it is thrown out."""
    call = _play(channel)
    await call.write(HELLO)
    while await call.read() is not aio.EOF:  # type: ignore[attr-defined]
        await call.write(NONSENSE)


async def _unary(channel: aio.Channel, method: str, request: bytes) -> None:
    call: Any = channel.unary_unary(method, None, None)
    await call(request)


def _play(channel: aio.Channel) -> Any:
    play: Any = channel.stream_stream("/croupier.v1.BotService/Play", None, None)
    return play(metadata=_bearer())


FLOODS: Mapping[str, Flood] = {
    "calls": calls,
    "sessions": sessions,
    "huge messages": huge,
    "streams": streams,
    "garbage": garbage,
}


async def flood(target: str, kind: Flood) -> None:
    """Goes on until it is killed, whatever it is told."""

    async def one(channel: aio.Channel) -> None:
        while True:
            try:
                await kind(channel)
            except (aio.AioRpcError, aio.UsageError, asyncio.InvalidStateError):
                await asyncio.sleep(0)

    channels = [
        aio.insecure_channel(target, options=[("grpc.use_local_subchannel_pool", 1)]) for _ in range(CONNECTIONS)
    ]
    await asyncio.gather(*[one(channel) for channel in channels for _ in range(AT_ONCE)])


def main() -> None:
    """The program."""
    parser = argparse.ArgumentParser(description="Floods a service.")
    parser.add_argument("--target", required=True)
    parser.add_argument("--kind", choices=[*FLOODS], required=True)
    flags = parser.parse_args()
    os.nice(19)
    uvloop.run(flood(flags.target, FLOODS[flags.kind]))


if __name__ == "__main__":
    main()
