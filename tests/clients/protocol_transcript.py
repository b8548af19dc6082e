"""The game that docs/protocol.md shows, played on a real service: over a raw stream, and over JSON lines.

`python -m tests.clients.protocol_transcript` writes what was said into the page anew; the text around it stays.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from google.protobuf.json_format import MessageToDict, ParseDict

from croupier.v1 import bots_pb2, bots_pb2_grpc, sessions_pb2, sessions_pb2_grpc
from croupier_client import run_async
from croupier_client.channel import bearer, open_aio_channel
from croupier_runner.bridge import bridged
from croupier_runner.processes import Program
from croupier_runner.service import running_service

if TYPE_CHECKING:
    import grpc
    from google.protobuf.message import Message

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"
FENCED = re.compile(r"^```((?:jsonc|text) (?:from the|heard and said)[^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""What the page shows of the game: the words after the fence tell who speaks."""
LINES = "text heard and said by the bot"
WIDTH = 140

ADA, BOB = "the-token-that-is-ada-s", "the-token-that-is-bob-s"
CREATE: dict[str, Any] = {
    "game_id": "lie",
    "seats": [{"name": "ada", "token": ADA}, {"name": "bob", "token": BOB}],
    "options": {"start_seat": {"number": 1}},
    "time_control": {"move_ms": 60_000},
    "seed": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    "commitment_salt": "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=",
}
HELLO = {"name": "ada"}
HELLO_AGAIN = {"name": "ada", "detail": {"omit_view": True, "legal": "LEGAL_DETAIL_COUNT", "omit_events": True}}
CUT_OFF = 3
"""The decision that Ada is asked twice, because her stream was lost, and gets wrong at first."""
WRONG = "show 7"
ADAS_GAME = ["show 5", "challenge", "show 2", "1x2", "show 3", "1x3", "show 6", "1x6", "show 4", "1x4"]
BOBS_GAME = ["show 3", "1x6", "show 1 1", "challenge", "show 3 3 4", "challenge", "show 1 1 3 5", "challenge"]
BOBS_GAME += ["show 1 1 2 3 4", "challenge"]
ADAS_CHOICES: list[dict[str, Any]] = [{"index": 0}, {"notation": "challenge"}]
ADAS_CHOICES += [{"action": {"lie": {"arrange": {"values": [2]}}}}]
ADAS_CHOICES += [{"index": index} for index in (3, 1, 8, 1, 25, 1, 18)]
"""The same as `ADAS_GAME`, in every form that an answer may have."""
STEADY = {
    "session_id": "Zk3vQ0uW2mS7bN1xTf8aLg",
    "session": "Zk3vQ0uW2mS7bN1xTf8aLg",
    "service_version": "0.1.0",
    "time_left_ms": "59998",
    "head": "H8R1qqOr9l97Z+AbEWoaTdoGVS50lEj4MRp9mML0u74=",
}
"""What stands for that which is different every time."""

SCRIPTED_BOT = """
import json, sys
game, wrong, cut_off, log = *json.loads(sys.argv[1]), open(sys.argv[2], "w")
def say(line):
    log.write("< " + line + chr(10))
    print(line, flush=True)
say('{"want": {"view": false, "events": false}}')
tried = False
for line in sys.stdin:
    log.write("> " + line)
    heard = json.loads(line)
    if heard["type"] == "turn":
        choose = game[heard["decision"] - 1]
        if heard["decision"] == cut_off and not tried:
            choose, tried = wrong, True
        say(json.dumps({key: heard[key] for key in ("session", "seat", "decision")} | {"choose": choose}))
    if heard["type"] == "game_over":
        break
"""

Block: TypeAlias = "tuple[str, str]"
"""Who speaks, as the words after a fence of the page have it, and what is said."""


class Talk:
    """Ada's side of one stream, on which every message is noted."""

    def __init__(self, channel: grpc.aio.Channel, said: list[Block]) -> None:
        stub: bots_pb2_grpc.BotServiceAsyncStub = bots_pb2_grpc.BotServiceStub(channel)
        self._call = stub.Play(None, metadata=bearer(ADA))
        self._said = said

    async def say(self, **fields: Any) -> None:
        """Sends a PlayRequest, given as protobuf's JSON has it."""
        request = ParseDict(fields, bots_pb2.PlayRequest())
        self._said.append(noted("bot", request))
        await self._call.write(request)

    async def answer(self, turn: Any, **choice: Any) -> None:
        """Answers a turn."""
        place = {"session_id": turn.session_id, "seat": turn.seat, "decision_id": turn.decision_id}
        await self.say(answers=[place | choice])

    async def hear(self) -> bots_pb2.PlayResponse:
        """The next PlayResponse."""
        response = await self._call.read()
        assert isinstance(response, bots_pb2.PlayResponse), "the service has closed the stream"
        assert all(0 < turn.time_left_ms <= CREATE["time_control"]["move_ms"] for turn in response.turns)
        self._said.append(noted("service", response))
        return response

    async def lose(self) -> None:
        """Cuts the connection."""
        self._call.cancel()
        with suppress(asyncio.CancelledError):
            await self._call.code()

    async def leave(self) -> None:
        """Closes the own side, and notes how the service closes its side."""
        await self._call.done_writing()
        assert not isinstance(await self._call.read(), bots_pb2.PlayResponse)
        self._said.append(("text from the service", f"{(await self._call.code()).name}\n"))


async def over_grpc(target: str) -> list[Block]:
    """Plays the game on raw streams; returns all that was said, in order."""
    said: list[Block] = []
    async with open_aio_channel(target) as channel:
        said.append(noted("organiser", await created(channel)))
        talk = Talk(channel, said)
        await talk.say(hello=HELLO)
        await talk.hear()  # before Bob comes and the game begins
        async with bob(target):
            (turn,) = (await talk.hear()).turns
            while turn.decision_id < CUT_OFF:
                await talk.answer(turn, **ADAS_CHOICES[turn.decision_id - 1])
                (turn,) = (await talk.hear()).turns
            await talk.lose()
            talk = Talk(channel, said)
            await talk.say(hello=HELLO_AGAIN)
            (turn,) = (await talk.hear()).turns
            await talk.answer(turn, notation=WRONG)
            while turns := (await talk.hear()).turns:
                await talk.answer(turns[0], **ADAS_CHOICES[turns[0].decision_id - 1])
            await talk.leave()
    return said


async def over_lines(target: str) -> Block:
    """Plays the game behind the bridge; returns the lines of the bot, in order."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "lines"
        script = json.dumps([ADAS_GAME, WRONG, CUT_OFF])
        env = {**os.environ, "CROUPIER_TARGET": target, "CROUPIER_TOKEN": ADA, "CROUPIER_NAME": "ada"}
        async with open_aio_channel(target) as channel, bob(target):
            await created(channel)
            command = bridged([sys.executable, "-c", SCRIPTED_BOT, script, str(log)])
            bridge = await Program.start(command, env=env, cwd=Path(folder))
            try:
                await bridge.wait()
            finally:
                await bridge.stop()
        return LINES, "".join(map(steady_line, log.read_text(encoding="utf-8").splitlines()))


async def created(channel: grpc.aio.Channel) -> sessions_pb2.CreateSessionRequest:
    """Opens the session; returns how it was asked for."""
    request = ParseDict(CREATE, sessions_pb2.CreateSessionRequest())
    stub: sessions_pb2_grpc.SessionServiceAsyncStub = sessions_pb2_grpc.SessionServiceStub(channel)
    await stub.CreateSession(request)
    return request


@asynccontextmanager
async def bob(target: str) -> AsyncIterator[None]:
    """Bob, who plays his game on a stream of his own."""
    playing = asyncio.create_task(
        run_async(lambda turn: BOBS_GAME[turn.decision_id - 1], target=target, token=BOB, view=False)
    )
    try:
        yield
    finally:
        playing.cancel()
        with suppress(asyncio.CancelledError):
            await playing


def noted(speaker: str, message: Message) -> Block:
    """A message as the page shows it: protobuf's JSON, with the names of the protos."""
    printed = laid_out(steady(MessageToDict(message, preserving_proto_field_name=True)))
    return f"jsonc from the {speaker}", f"// {message.DESCRIPTOR.name} from the {speaker}\n{printed}\n"


def steady(value: Any) -> Any:
    """The value with what is different every time made the same."""
    if isinstance(value, list):
        return [steady(each) for each in value]
    if not isinstance(value, dict):
        return value
    entries = sorted(value.items()) if value.keys() >= {"bid_order"} else value.items()  # a map has no order
    return {key: STEADY.get(key) or steady(each) for key, each in entries}


def steady_line(line: str) -> str:
    """The same for a line of JSON, which keeps its blanks or its lack of them."""
    line = re.sub(r'("session": ?)"[^"]+"', rf'\g<1>"{STEADY["session"]}"', line)
    line = re.sub(
        r'(?<="options":){.*?}', lambda found: json.dumps(steady(json.loads(found[0])), separators=(",", ":")), line
    )
    return re.sub(r'("time_left_ms":)\d+', rf"\g<1>{STEADY['time_left_ms']}", line) + "\n"


def laid_out(value: Any, indent: int = 0, before: int = 0) -> str:
    """JSON on one line where it fits, else with a line for each entry."""
    line = json.dumps(value, ensure_ascii=False)
    if indent + before + len(line) <= WIDTH or not isinstance(value, dict | list):
        return line
    if isinstance(value, list):
        return (
            "[\n" + ",\n".join(" " * (indent + 2) + laid_out(each, indent + 2) for each in value) + f"\n{' ' * indent}]"
        )
    entries = (
        f'{" " * (indent + 2)}"{key}": {laid_out(each, indent + 2, len(key) + 4)}' for key, each in value.items()
    )
    return "{\n" + ",\n".join(entries) + f"\n{' ' * indent}}}"


def on_the_page(text: str) -> list[Block]:
    """What the page shows of the game."""
    return [(speaker, said) for speaker, said in FENCED.findall(text)]


def rewritten(text: str, said: Sequence[Block]) -> str:
    """The page with what was said put into its fences."""
    speakers = [speaker for speaker, _ in on_the_page(text)]
    expected = [speaker for speaker, _ in said]
    if speakers != expected:
        raise SystemExit(f"give docs/protocol.md these fences, in this order: {expected}\nit has: {speakers}")
    following = iter(said)
    return FENCED.sub(lambda found: f"```{found[1]}\n{next(following)[1]}```", text)


async def played() -> list[Block]:
    """All of it, on a service of its own."""
    async with running_service() as service:
        return [*await over_grpc(service.target), await over_lines(service.target)]


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8"), asyncio.run(played())), encoding="utf-8")
