"""One tree of errors, one table of codes, one page that explains them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from grpc import aio

from croupier.v1 import sessions_pb2
from croupier_service import errors
from croupier_service.rpc.status import code_of, status_of

if TYPE_CHECKING:
    import pytest
    from tests.service.conftest import House

PAGE = Path(__file__).parents[2] / "docs" / "errors.md"
ROW = re.compile(r"^\| `([A-Z_]+)` \| `([A-Z_]+)` \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)

Kinds = Sequence[type[errors.ServiceError]]


def test_reasons_are_unique_words_for_programs(all_errors: Kinds) -> None:
    """Each class has a reason of its own in UPPER_SNAKE, and a docstring."""
    reasons = [kind.__dict__["reason"] for kind in all_errors]
    assert len(set(reasons)) == len(reasons)
    assert all(re.fullmatch(r"[A-Z]+(_[A-Z]+)*", reason) for reason in reasons)
    assert all(kind.__doc__ for kind in all_errors)


def test_every_error_has_a_status_with_its_reason(all_errors: Kinds) -> None:
    """The rich status names code, message and ErrorInfo."""
    for kind in all_errors:
        sent = status_of(kind("what to do"))
        assert sent.code == code_of(kind)
        assert sent.details == "what to do"
        ((_, details),) = [pair for pair in sent.trailing_metadata if pair[0] == "grpc-status-details-bin"]
        status = Status.FromString(details)
        info = ErrorInfo()
        assert status.details[0].Unpack(info)
        assert (info.reason, info.domain) == (kind.reason, "croupier")


def test_the_page_explains_exactly_the_errors_there_are(all_errors: Kinds) -> None:
    """docs/errors.md has one row per class with its code, a meaning and something to do."""
    rows = {reason: (code, meaning, todo) for reason, code, meaning, todo in ROW.findall(PAGE.read_text())}
    assert len(ROW.findall(PAGE.read_text())) == len(rows)
    assert set(rows) == {kind.reason for kind in all_errors}
    for kind in all_errors:
        code, meaning, todo = rows[kind.reason]
        assert grpc.StatusCode[code] == code_of(kind)
        assert meaning.strip().endswith(".")
        assert todo.strip().endswith(".")


def test_the_tree_drawn_in_errors_is_the_tree(all_errors: Kinds) -> None:
    """The drawing at the top of errors.py names every class once."""
    drawn = re.findall(r"[├└]── (\w+)", errors.__doc__ or "")
    assert sorted(drawn) == sorted(kind.__name__ for kind in all_errors)


async def test_a_long_message_still_arrives(house: House) -> None:
    """What a client sent is echoed shortened, so that an error always fits into what HTTP/2 takes for headers."""
    table = await house.table()
    long = "é" * 20_000
    with house.refuses("BAD_OPTION") as message:
        await house.create("", "", options={long: {"flag": True}})
    assert len(message[0]) < 500
    with house.refuses("BAD_OPTION") as message:
        await house.create("", "", options={"bid_order": {"text": long}})
    assert len(message[0]) < 500
    with house.refuses("BAD_CHOICE") as message:
        await table.submit(0, notation=long)
    assert len(message[0]) < 500
    with house.refuses("UNKNOWN_GAME") as message:
        await house.create("", "", game_id=long)
    assert len(message[0]) < 500


async def test_a_defect_tells_nothing_of_itself(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """INTERNAL says that it was logged, and not what went wrong inside."""
    table = await house.table()

    def broken(*_: object) -> None:
        raise RuntimeError("the hand of seat 1 is 6 6 6")

    monkeypatch.setattr(house.hall, "held", broken)
    with pytest.raises(aio.AioRpcError) as caught:
        await table.session()
    assert caught.value.code() == grpc.StatusCode.INTERNAL
    assert "6 6 6" not in str(caught.value)
    monkeypatch.undo()
    assert (await table.session()).state == sessions_pb2.SESSION_STATE_RUNNING


async def test_a_defect_in_a_watch_leaves_no_watcher(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever ends a watch, the session lets go of it."""
    table = await house.table()
    session = house.hall.find(table.id)
    call = table.watch()
    await call.read()
    assert session.watchers

    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(type(session), "seen_events", broken)
    second = table.watch()
    with pytest.raises(aio.AioRpcError) as caught:
        await second.read()
    assert caught.value.code() == grpc.StatusCode.INTERNAL
    assert len(session.watchers) == 1
    monkeypatch.undo()
    call.cancel()


async def test_a_defect_while_writing_ends_the_stream_and_not_silently(
    house: House, tokens: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot is never left waiting on a stream that nobody writes to any more."""
    bot = await house.connect(tokens[0])
    table = await house.create(tokens[0], "")

    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("croupier_service.wire.turns.TurnWriter.turn", broken)
    await table.claim()
    house.explained(await bot.end(), "UNAVAILABLE")
    monkeypatch.undo()
    again = await house.connect(tokens[0])
    assert (await again.next_turn(table, 0)).decision_id == 1
