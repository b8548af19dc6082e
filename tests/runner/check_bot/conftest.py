"""Checks on a service that all tests share."""

import importlib.util
import sys
import textwrap
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from types import ModuleType

import pytest
import pytest_asyncio

from croupier_client import AsyncClient
from croupier_games import installed_games
from croupier_runner.check_bot import Patience, Subject
from croupier_runner.check_bot.checking import chosen, make
from croupier_runner.check_bot.findings import Finding
from croupier_runner.check_bot.stage import Stage, open_room
from croupier_runner.keeper import Keeper
from croupier_runner.service import running_service

HERE = Path(__file__).parent
SHORT = Patience(startup_s=60, answer_s=5, ending_s=5)
"""Long enough for a busy machine: that a wrong bot is slow must not hide what is wrong with it."""
"""What the wrong bots that hang cost us."""

Checked = Callable[..., Awaitable[list[Finding]]]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def service_target() -> AsyncIterator[str]:
    """The address of a service."""
    async with running_service() as service:
        yield service.target


@pytest_asyncio.fixture(loop_scope="session")
async def client(service_target: str) -> AsyncIterator[AsyncClient]:
    """Calls to the service."""
    async with AsyncClient(service_target) as client:
        yield client


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def stage_for(service_target: str) -> AsyncIterator[Callable[[Subject, Patience], Stage]]:
    """Makes stages on one service."""
    async with Keeper() as keeper, open_room(service_target) as room:
        yield lambda subject, patience: Stage(subject, patience, room, keeper)


@pytest.fixture
def checked(stage_for: Callable[[Subject, Patience], Stage]) -> Checked:
    """Makes checks on a bot, all unless some are named."""

    async def check(
        command: Sequence[str],
        *only: str,
        games: Sequence[str] = (),
        protocol: str = "grpc",
        patience: Patience = SHORT,
    ) -> list[Finding]:
        played = [game for game in installed_games().values() if game.id in games or not games]
        stage = stage_for(Subject(command, played, protocol), patience)
        return [await make(check, stage) for check in chosen(only)]

    return check


@pytest.fixture
def wrong_command() -> Callable[[str, str], list[str]]:
    """The command of a bot that differs from the plain one in this, or is this."""

    def command(code: str, protocol: str) -> list[str]:
        if protocol == "grpc":
            head = f"import sys; sys.path.insert(0, {str(HERE)!r})\n"
            code = head + "from plain_bot import *\nclass Wrong(PlainBot):\n" + textwrap.indent(code, "  ")
            code += "\nWrong().run()\n"
        return [sys.executable, "-c", code]

    return command


def load(name: str) -> ModuleType:
    """A module of this folder."""
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with the argument `wrong` is made for every wrong bot."""
    if "wrong" in metafunc.fixturenames:
        bots = load("wrong_bots")
        cases = [*bots.GRPC, *bots.STDIO]
        names = [f"{case.check}-{case.protocol}: it {case.what}" for case in cases]
        metafunc.parametrize("wrong", cases, ids=names)


@pytest.fixture
def wrong_checks() -> set[str]:
    """The checks that some wrong bot fails."""
    bots = load("wrong_bots")
    return {case.check for case in [*bots.GRPC, *bots.STDIO]}
