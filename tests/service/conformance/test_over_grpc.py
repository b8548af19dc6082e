"""Every installed game, and a game from another package in a service of its own, keeps its promises over gRPC."""

import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from grpc import aio
from tests.service.conformance.hosted import Wire, serving
from tests.service.conformance.over_grpc import CHECKS, TYPED, Table

from croupier.v1 import catalog_pb2
from croupier_games import Game
from croupier_games.conformance import Case, cases

Check = Callable[[Wire, Case], Awaitable[None]]

every_check = pytest.mark.parametrize("check", CHECKS, ids=[check.__name__ for check in CHECKS])


def some_cases(game: Game, count: int) -> list[Case]:
    """So many cases, spread over tables and options, the smallest and the largest table among them."""
    every = list(cases(game))
    tables = game.max_seats - game.min_seats
    spread = every[tables + 1 :: max(1, (len(every) - tables) // max(1, count - 2))]
    return [every[0], every[tables], *spread][:count]


@every_check
async def test_promises_are_kept_over_grpc(game: Game, check: Check) -> None:
    """What the suite of the rules promises, clients get."""
    async with serving({game.id: game}) as wire:
        for case in some_cases(game, 4):
            await check(wire, case)


@pytest.fixture
def program(outside_site: Path, tmp_path: Path) -> Iterator[str]:
    """The address of a service as people start it, with another package on its path; it must end well."""
    read_end, write_end = os.pipe()
    address = f"unix:{tmp_path / 'croupier.sock'}"
    command = [sys.executable, "-m", "croupier_service", "--listen", address, "--metrics-listen", "off"]
    command += ["--store", "memory", "--drain-s", "0", "--log-level", "error", "--ready-fd", str(write_end)]
    environment = {**os.environ, "PYTHONPATH": str(outside_site)}
    with subprocess.Popen(command, pass_fds=(write_end,), env=environment) as process:
        os.close(write_end)
        try:
            with open(read_end, "rb") as ready:
                assert ready.read() == b"ready\n"
            yield address
            process.terminate()
            assert process.wait(timeout=30) == 0
        finally:
            process.kill()


async def test_a_game_from_another_package_is_played_like_ours(sealed: Game, program: str) -> None:
    """A service that finds a game through its entry point keeps all promises, its payloads travelling as Any."""
    async with aio.insecure_channel(program) as channel:
        wire = Wire(channel)
        request = catalog_pb2.GetGameRequest(game_id=sealed.id)
        listed = catalog_pb2.GetGameResponse.FromString(await wire.ask("CatalogService/GetGame", request)).game
        assert listed.wire_package == sealed.wire_package
        for check in CHECKS:
            for case in some_cases(sealed, 6):
                await check(wire, case)
        table = await Table.open(wire, some_cases(sealed, 1)[0])
        turn = await wire.turn(table.session_id, 0, table.tokens[0], TYPED.legal)
        assert turn.view.other.TypeName() == f"{sealed.wire_package}.View"
        assert {entry.action.other.TypeName() for entry in turn.legal} == {f"{sealed.wire_package}.Action"}
        assert {event.other.TypeName() for event in turn.events} == {f"{sealed.wire_package}.Event"}
