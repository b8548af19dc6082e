"""Bots behind a real bridge, and a real service for those that get to play."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from croupier.v1 import sessions_pb2
from croupier_client import AsyncClient, SeatPlan
from croupier_runner.bridge import bridged
from croupier_runner.processes import Program
from croupier_runner.service import running_service

NOWHERE = "unix:/nowhere/croupier.sock"


class House:
    """A service, and bots behind bridges that play there."""

    def __init__(self, target: str, client: AsyncClient, folder: Path) -> None:
        self.client = client
        self.programs: list[Program] = []
        self._target = target
        self.folder = folder

    async def seat(self, *command: str) -> SeatPlan:
        """Starts a bot and gives the plan of a seat that is kept for it."""
        name = f"bot-{len(self.programs)}"
        token = f"{name}-of-{self.folder.name}".ljust(24, "-")
        env = {**os.environ, "CROUPIER_TARGET": self._target, "CROUPIER_TOKEN": token, "CROUPIER_NAME": name}
        self.programs.append(await Program.start(bridged(command), env=env, cwd=self.folder))
        return SeatPlan(name=name, token=token)

    async def seat_python(self, code: str) -> SeatPlan:
        """The same with a bot that is a piece of Python."""
        return await self.seat(sys.executable, "-c", code)

    async def play(self, *seats: SeatPlan, game_id: str = "lie", **terms: object) -> sessions_pb2.Session:
        """Plays one game to its end."""
        created = await self.client.create_session(game_id, seats, illegal_limit=3, **terms)
        return await self.client.get_session(created.session.session_id, wait_until_over=True)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def target() -> AsyncIterator[str]:
    """The address of a service that all tests share."""
    async with running_service() as service:
        yield service.target


@pytest_asyncio.fixture(loop_scope="session")
async def house(target: str, tmp_path: Path) -> AsyncIterator[House]:
    """The service, and an end for all bots that were started."""
    async with AsyncClient(target) as client:
        house = House(target, client, tmp_path)
        yield house
        await asyncio.gather(*(program.stop() for program in house.programs))


Ended = Callable[..., Awaitable[tuple[int | None, str]]]


@pytest_asyncio.fixture(loop_scope="session")
async def ended(tmp_path: Path) -> Ended:
    """Runs a bot, a piece of Python or a command, whose bridge ends by itself though there is no service."""

    async def run(code: str = "", *command: str, **variables: str) -> tuple[int | None, str]:
        argv = bridged(command or [sys.executable, "-c", code])
        env = {**os.environ, "CROUPIER_TARGET": NOWHERE, "CROUPIER_TOKEN": "t" * 24, **variables}
        program = await Program.start(argv, env=env, cwd=tmp_path)
        await program.wait()
        await program.stop()
        return program.exit_code, program.stderr

    return run


@pytest.fixture
def start() -> str:
    """How most bots begin."""
    return (
        "import json, sys\n"
        "def say(line): print(line if isinstance(line, str) else json.dumps(line), flush=True)\n"
        "def answer(turn, choose): return {**{k: turn[k] for k in ('session', 'seat', 'decision')}, 'choose': choose}\n"
        "say({'want': {'view': False}})\n"
        "messages = map(json.loads, sys.stdin)\n"
    )
