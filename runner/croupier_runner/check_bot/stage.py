"""What checks are played on: a real service, a player of the house, and the bot behind a relay."""

from __future__ import annotations

import asyncio
import os
import random
import secrets
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from croupier_client import AsyncClient, Turn, run_async
from croupier_client.relay import Relay
from croupier_games import Game
from croupier_runner.bridge import bridged
from croupier_runner.check_bot.guest import Guest
from croupier_runner.check_bot.leftovers import MARK, end_all, left_behind
from croupier_runner.check_bot.watcher import Watcher
from croupier_runner.errors import ConfigError
from croupier_runner.keeper import Keeper
from croupier_runner.processes import Program
from croupier_runner.service import running_service

Protocol = Literal["grpc", "stdio"]


@dataclass(frozen=True)
class Subject:
    """The bot that is checked, and the games it is to play."""

    command: Sequence[str]
    games: Sequence[Game]
    protocol: Protocol = "grpc"

    def argv(self) -> list[str]:
        """The command itself; `python` means ours, as in tournaments."""
        program, *arguments = self.command
        return [sys.executable if program == "python" else program, *arguments]


@dataclass(frozen=True)
class Patience:
    """How long a bot may take; whoever takes longer counts as hanging."""

    startup_s: float = 30.0
    """To connect after it was started."""
    answer_s: float = 10.0
    """For each decision, by the service's clock."""
    ending_s: float = 5.0
    """To end once it should."""
    move_s: float = 1.0
    """For each decision when it is hurried."""


@dataclass(frozen=True)
class Room:
    """A service, and the player of the house that sits there."""

    target: str
    client: AsyncClient
    house: str
    """The token of the house's player."""


class Stage:
    """A bot and a room to check it in; checks ask it for the bot."""

    def __init__(self, subject: Subject, patience: Patience, room: Room, keeper: Keeper) -> None:
        self.subject = subject
        self.patience = patience
        self.client = room.client
        self.house = room.house
        self.keeper = keeper
        self._target = room.target

    @asynccontextmanager
    async def guest(
        self, watcher: Watcher | None = None, *, advice: str, over_tcp: bool = False, as_newer: bool = False
    ) -> AsyncIterator[Guest]:
        """The bot, started anew behind a relay, and ended with the context; `advice` ends every complaint."""
        watcher = watcher or Watcher()
        with tempfile.TemporaryDirectory(prefix="croupier-check-") as folder:
            listen = "127.0.0.1:0" if over_tcp else f"unix:{folder}/relay.sock"
            async with Relay(self._target, listen, watcher) as relay:
                argv = self.subject.argv()
                argv = bridged(argv, as_newer=as_newer) if self.subject.protocol == "stdio" else argv
                async with self._started(argv, relay.target, advice, watcher, relay) as guest:
                    yield guest

    @asynccontextmanager
    async def direct_guest(self, *, advice: str) -> AsyncIterator[Guest]:
        """The bot, with nothing of ours between it and the service."""
        argv = self.subject.argv()
        argv = bridged(argv) if self.subject.protocol == "stdio" else argv
        async with self._started(argv, self._target, advice) as guest:
            yield guest

    @asynccontextmanager
    async def _started(
        self, argv: list[str], target: str, advice: str, watcher: Watcher | None = None, relay: Relay | None = None
    ) -> AsyncIterator[Guest]:
        token = secrets.token_urlsafe(24)
        try:
            program = await Program.start(argv, env=bot_environment(target, token))
        except OSError as error:
            raise cannot_start(self.subject.command[0], error) from None
        self.keeper.guard(program.pid)
        try:
            yield Guest(program, token, self, advice, watcher or Watcher(), relay)
        finally:
            await program.stop()
            self.keeper.release(program.pid)
            end_all(left_behind(token))  # whoever left its group; that it did is for one check to say, not for all


def bot_environment(target: str, token: str) -> Mapping[str, str]:
    """What a bot is told, as in tournaments, and a mark by which all its processes are known."""
    return {
        **os.environ,
        "CROUPIER_TARGET": target,
        "CROUPIER_TOKEN": token,
        "CROUPIER_NAME": "checked",
        "CROUPIER_BOT_SEED": "17",
        MARK: token,
    }


def cannot_start(program: str, error: OSError) -> ConfigError:
    """The command is wrong, and so is the command line."""
    return ConfigError(f"the bot cannot be started: {program!r}: {error.strerror}; correct the command after --")


@asynccontextmanager
async def set_stage(subject: Subject, patience: Patience) -> AsyncIterator[Stage]:
    """A stage with a service of its own."""
    async with Keeper() as keeper, running_service(keeper=keeper) as service, open_room(service.target) as room:
        yield Stage(subject, patience, room, keeper)


@asynccontextmanager
async def open_room(target: str) -> AsyncIterator[Room]:
    """A room with that service, in which the house plays at random for as long as the context lasts."""
    lots = random.Random(0)  # noqa: S311  # nothing to guess here

    def play(turn: Turn) -> int:
        return lots.randrange(turn.legal_count)

    token = secrets.token_urlsafe(24)
    playing = run_async(play, target=target, token=token, name="house", view=False, legal="count", events=False)
    house = asyncio.create_task(playing)
    try:
        async with AsyncClient(target) as client:
            yield Room(target, client, token)
    finally:
        house.cancel()
        await asyncio.wait({house})
        if not house.cancelled():
            house.result()  # the house never leaves by itself: whatever made it is a defect of ours
