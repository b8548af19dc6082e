"""The floor's server: the least that grpc.aio with uvloop can do. Run as a program of its own.

The first four bytes of a request say how many bytes the reply is to have; nothing is parsed or built.
"""

import argparse
import asyncio
import gc
import os
import signal
from typing import Any

import grpc
import uvloop
from grpc import aio

SERVICE = "bench.Echo"
_END: Any = aio.EOF  # type: ignore[attr-defined]


async def _converse(_: object, context: Any) -> None:
    request = await context.read()
    while request is not _END:
        await context.write(bytes(int.from_bytes(request[:4], "big")))
        request = await context.read()


async def _answer(request: bytes, _: object) -> bytes:
    return bytes(int.from_bytes(request[:4], "big"))


async def serve(address: str, ready_fd: int) -> None:
    """Serves until SIGTERM."""
    server = aio.server()
    handlers: dict[str, Any] = {
        "Converse": grpc.stream_stream_rpc_method_handler(_converse),
        "Answer": grpc.unary_unary_rpc_method_handler(_answer),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
    server.add_insecure_port(address)
    await server.start()
    stopping = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)
    os.write(ready_fd, b"ready\n")
    await stopping.wait()
    await server.stop(grace=None)


def main() -> None:
    """The program."""
    parser = argparse.ArgumentParser(description="Answers every message with one of the size it asks for.")
    parser.add_argument("--listen", required=True)
    parser.add_argument("--ready-fd", type=int, required=True)
    flags = parser.parse_args()
    gc.freeze()  # as the service does
    uvloop.run(serve(flags.listen, flags.ready_fd))


if __name__ == "__main__":
    main()
