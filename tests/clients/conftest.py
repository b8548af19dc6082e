"""A scripted host: a real gRPC server on port 0 that plays the service's part of a conversation, word by word."""

import asyncio
import importlib.util
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from types import ModuleType

import grpc
import pytest
from google.protobuf import any_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from croupier.v1 import (
    bots_pb2,
    bots_pb2_grpc,
    catalog_pb2_grpc,
    records_pb2_grpc,
    sessions_pb2_grpc,
    turns_pb2,
)
from croupier_client.bot import as_bot
from croupier_client.stream import Connection, StreamEnded

EXAMPLES = Path(__file__).parents[2] / "clients" / "python" / "examples"
TOKEN = "a-token-of-this-bot-22"


class Talk:
    """The host's side of one bot stream, as a script sees it."""

    def __init__(self, requests, context) -> None:
        self._requests = requests
        self._context = context

    async def hear(self) -> bots_pb2.PlayRequest:
        """The next message of the bot."""
        return await anext(aiter(self._requests))

    async def greet(self) -> bots_pb2.Hello:
        """Takes the bot's greeting and greets back."""
        request = await self.hear()
        await self.say(welcome=bots_pb2.Welcome(service_version="scripted"))
        return request.hello

    async def say(self, **fields) -> None:
        """Sends one PlayResponse."""
        await self._context.write(bots_pb2.PlayResponse(**fields))

    async def hang_up(self, code: grpc.StatusCode, details: str = "as scripted") -> None:
        """Ends the stream with an error."""
        await self._context.abort(code, details)

    def token(self) -> str:
        """What the bot sent as authorization."""
        return dict(self._context.invocation_metadata())["authorization"]


Script = Callable[[Talk], Awaitable[None]]


class Host(bots_pb2_grpc.BotServiceServicer):
    """Gives each bot stream the next of its scripts; unary calls get the reply set for them."""

    def __init__(self) -> None:
        self.scripts: list[Script] = []
        self.target = ""
        self.seen: list[tuple[str, Message, str | None]] = []
        """The unary calls that came: method, request, authorization."""
        self.replies: dict[str, Message | list[Message] | status_pb2.Status] = {}

    async def Play(self, requests, context) -> None:  # noqa: N802
        await self.scripts.pop(0)(Talk(requests, context))

    async def reply(self, name: str, request: Message, context) -> Message | list[Message]:
        self.seen.append((name, request, dict(context.invocation_metadata()).get("authorization")))
        reply = self.replies[name]
        if isinstance(reply, list) and name != "WatchSession":
            reply = reply.pop(0)
        if isinstance(reply, status_pb2.Status):
            await context.abort_with_status(rpc_status.to_status(reply))
        return reply


class Unary:
    """A servicer of which every method gives the host's reply."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def __getattr__(self, name: str):
        async def method(request, context):
            return await self._host.reply(name, request, context)

        async def stream(request, context):
            for step in await self._host.reply(name, request, context):
                yield step

        return stream if name == "WatchSession" else method


@pytest.fixture
async def host() -> AsyncIterator[Host]:
    """The scripted host, listening."""
    host = Host()
    server = grpc.aio.server()
    bots_pb2_grpc.add_BotServiceServicer_to_server(host, server)
    catalog_pb2_grpc.add_CatalogServiceServicer_to_server(Unary(host), server)
    sessions_pb2_grpc.add_SessionServiceServicer_to_server(Unary(host), server)
    records_pb2_grpc.add_RecordServiceServicer_to_server(Unary(host), server)
    host.target = f"localhost:{server.add_insecure_port('localhost:0')}"
    await server.start()
    yield host
    await server.stop(None)


@pytest.fixture
def pauses() -> list[float]:
    """The pauses that a bot of `play` made between attempts; none of them took any time."""
    return []


@pytest.fixture
def play(host: Host, pauses: list[float]):
    """Runs a bot against the host to its end."""

    async def pause(delay_s: float) -> None:
        pauses.append(delay_s)

    async def play(bot, detail: turns_pb2.TurnDetail | None = None) -> None:
        detail = detail or turns_pb2.TurnDetail()
        connection = Connection(host.target, TOKEN, "tester", detail, pause=pause)
        try:
            await asyncio.wait_for(connection.play(as_bot(bot)), timeout=30)
        except StreamEnded as end:
            raise end.error from None

    return play


@pytest.fixture
def turn():
    """Makes a turn of the wire: `turn(3)` is decision 3 of seat 0 in session s."""

    def turn(decision_id: int, session_id: str = "s", seat: int = 0, legal=("fold", "raise")) -> turns_pb2.Turn:
        return turns_pb2.Turn(
            session_id=session_id,
            seat=seat,
            decision_id=decision_id,
            legal=[turns_pb2.LegalAction(notation=notation) for notation in legal],
            legal_count=len(legal),
        )

    return turn


@pytest.fixture
def refusal_status():
    """Makes the rich status that the service sends with an error."""

    def make(code: grpc.StatusCode, reason: str, message: str) -> status_pb2.Status:
        detail = any_pb2.Any()
        detail.Pack(error_details_pb2.ErrorInfo(domain="croupier", reason=reason))
        return status_pb2.Status(code=code.value[0], message=message, details=[detail])

    return make


@pytest.fixture
def example():
    """Loads an example bot by its name."""

    def load(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


@pytest.fixture
def start_program(host: Host):
    """Starts a Python program as a bot of the host."""

    async def start(*argv: str, **environment: str) -> asyncio.subprocess.Process:
        settings = {"CROUPIER_TARGET": host.target, "CROUPIER_TOKEN": TOKEN, **environment}
        return await asyncio.create_subprocess_exec(
            sys.executable,
            *argv,
            env={name: value for name, value in settings.items() if value},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )

    return start


@pytest.fixture
def examples() -> Path:
    """Where the example bots are."""
    return EXAMPLES
