"""docs/protocol.md is true: the game it shows is played again, and its limits and endings are the service's."""

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2
from tests.clients.protocol_transcript import PAGE, on_the_page, over_grpc, over_lines

from croupier.v1 import bots_pb2, bots_pb2_grpc, turns_pb2
from croupier_client.channel import open_aio_channel
from croupier_runner.service import running_service
from croupier_service.config import Limits
from croupier_service.plans import NAME_LENGTH
from croupier_service.rpc import bots

TEXT = PAGE.read_text(encoding="utf-8")
ANEW = "if this is how it should be: python -m tests.clients.protocol_transcript"


@pytest.fixture
async def target() -> AsyncIterator[str]:
    """The address of a service that is ready."""
    async with running_service() as service:
        yield service.target


async def test_the_game_on_the_page_is_played_so_message_by_message(target: str) -> None:
    """Every PlayRequest and PlayResponse of Ada's seat, over two real streams."""
    said = await over_grpc(target)
    for shown, really in zip_longest(on_the_page(TEXT)[:-1], said):
        assert shown == really, ANEW


async def test_the_same_game_as_lines_is_played_so_line_by_line(target: str) -> None:
    """All that a real bot behind a real bridge reads and writes."""
    speaker, lines = await over_lines(target)
    shown_speaker, shown_lines = on_the_page(TEXT)[-1]
    assert shown_speaker == speaker
    for shown, really in zip_longest(shown_lines.splitlines(), lines.splitlines()):
        assert shown == really, ANEW


def rows(heading: str) -> dict[str, list[str]]:
    """The table below a heading of the page: the cells of each row by its first."""
    section = TEXT.split(f"### {heading}\n")[1].split("\n#")[0]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in section.splitlines() if row[:1] == "|"]
    return {first: rest for first, *rest in cells[2:]}


LIMITS = {
    "answers in a message": bots.MAX_ANSWERS,
    "a message to the service": Limits().max_message_bytes,
    "a message to a bot": bots._MESSAGE_BYTES,
    "what waits for a bot that does not read": Limits().max_outbox_bytes,
    "refusals in a row": bots._MAX_REFUSED_IN_A_ROW,
    "streams of one token at the same time": Limits().max_streams_per_token,
    "a name": NAME_LENGTH,
    "a `request_id`": 64,
    "a token": 22,
}


def test_the_limits_are_those_of_the_service() -> None:
    shown = {what: int(re.findall(r"[\d,]+", cells[0])[0].replace(",", "")) for what, cells in rows("Limits").items()}
    assert shown == LIMITS


TOKEN = "a-token-that-holds-no-seat"
UNTAKEN = turns_pb2.Answer(session_id="none", decision_id=1, index=0)


def hello(name: str = "", detail: turns_pb2.TurnDetail | None = None) -> bots_pb2.PlayRequest:
    return bots_pb2.PlayRequest(hello=bots_pb2.Hello(name=name, detail=detail))


def answers(count: int) -> bots_pb2.PlayRequest:
    return bots_pb2.PlayRequest(answers=[UNTAKEN] * count)


ENDS: dict[str, tuple[str, str, Sequence[bots_pb2.PlayRequest]]] = {
    "no token": ("TOKEN_MISSING", "", [hello()]),
    "a token that cannot be": ("BAD_REQUEST", "short", [hello()]),
    "no hello": ("PROTOCOL_ERROR", TOKEN, [answers(1)]),
    "a second hello": ("PROTOCOL_ERROR", TOKEN, [hello(), hello()]),
    "too many answers": ("PROTOCOL_ERROR", TOKEN, [hello(), answers(1025)]),
    "a long name": ("BAD_REQUEST", TOKEN, [hello("x" * 65)]),
    "an unknown detail": ("BAD_REQUEST", TOKEN, [hello(detail=turns_pb2.TurnDetail(legal=9))]),  # type: ignore[arg-type]
    "refused too often": ("PROTOCOL_ERROR", TOKEN, [hello(), answers(1000)]),
    "too large a message": ("", TOKEN, [hello(), hello("x" * 2**20)]),
}


@pytest.mark.parametrize("end", ENDS)
async def test_a_stream_ends_as_the_page_says(end: str, target: str) -> None:
    """Its table has the status, and in that row the reason, that a real service gives."""
    reason, token, requests = ENDS[end]
    async with open_aio_channel(target) as channel:
        call = opened(channel, token)
        code, really = await ending(call, requests)
    assert really == reason
    assert reason in rows("How a stream ends")[f"`{code}`"][0]


async def test_a_service_that_shuts_down_says_unavailable() -> None:
    async with running_service() as service, open_aio_channel(service.target) as channel:
        call = opened(channel, TOKEN)
        await call.write(hello())
        assert isinstance(await call.read(), bots_pb2.PlayResponse)
        await service.program.stop()
        assert await ending(call, []) == ("UNAVAILABLE", "UNAVAILABLE")


def opened(channel: grpc.aio.Channel, token: str) -> Any:
    """A bot's stream, on which nothing has been said."""
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    stub: bots_pb2_grpc.BotServiceAsyncStub = bots_pb2_grpc.BotServiceStub(channel)
    return stub.Play(None, metadata=metadata)


async def ending(call: Any, requests: Sequence[bots_pb2.PlayRequest]) -> tuple[str, str]:
    """Says that, and reads until the stream has ended: status and reason; the reason is where the page says it is."""
    with suppress(grpc.aio.AioRpcError):
        for request in requests:
            await call.write(request)
            if request is not requests[-1]:
                await call.read()  # the welcome
        while isinstance(await call.read(), bots_pb2.PlayResponse):
            pass
    status = dict(await call.trailing_metadata()).get("grpc-status-details-bin")
    info = error_details_pb2.ErrorInfo()
    if status is not None:
        status_pb2.Status.FromString(status).details[0].Unpack(info)
    return (await call.code()).name, info.reason
