"""Row L: the random bot of every language with many games at once on one stream, against the Python one."""

import asyncio
import importlib.util
import os
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any
from urllib.request import urlopen

from prometheus_client.parser import text_string_to_metric_families
from tests.bench.match import Match, token
from tests.bench.processes import FORK_SUPPORT, Served, cpu_s_of, service
from tests.bench.room import Room
from tests.bench.table import Row

from croupier_client import AsyncClient, WrongMoment

CLIENTS = Path(__file__).resolve().parents[2] / "clients"
GAMES = 32
MATCH = Match("ten", 2)
"""Its games are long, so that moves are measured and not the opening of sessions."""
WARM_UP_S = 0.5
"""A virtual machine that compiles as it goes would otherwise be measured cold."""


@dataclass(frozen=True, slots=True)
class Pace:
    """What one bot did in a window."""

    moves_per_s: float
    service_share: float
    """Of a core."""
    bot_share: float


def all_languages() -> Sequence[Any]:
    """The table of clients/languages.py, which is a program and in no package."""
    spec = importlib.util.spec_from_file_location("croupier_languages", CLIENTS / "languages.py")
    if spec is None or spec.loader is None:
        raise RuntimeError("clients/languages.py cannot be read")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    languages: Sequence[Any] = module.LANGUAGES
    return languages


def ready_languages() -> list[Any]:
    """Those whose bots are built; Python is always among them, and first."""
    return [each for each in all_languages() if not each.missing and all(map(_there, each.random))]


def _there(word: str) -> bool:
    return "/" not in word or Path(_absolute(word).removeprefix("@")).exists()


def _absolute(word: str) -> str:
    at = "@" if word.startswith("@") else ""
    return f"{at}{CLIENTS / word.removeprefix('@')}" if "/" in word and not word.startswith("/") else word


async def measure(room: Room) -> list[Row]:
    """All bots sit at one service; in each round they play in turn."""
    languages = ready_languages()
    paces: dict[str, list[Pace]] = {each.name: [] for each in languages}
    async with service() as server, AsyncExitStack() as stack:
        client = await stack.enter_async_context(AsyncClient(server.target))
        for each in languages:
            bot = await stack.enter_async_context(_bot(server, each))
            for number in range(room.plan.rounds):
                room.say(f"row L: {GAMES} games at once, the {each.name} bot, round {number + 1}")
                paces[each.name].append(await _window(client, server, bot, each.name, room.plan.window_s))
    floor = median(pace.moves_per_s for pace in paces["python"])
    return [_row(language, paces[language.name], floor) for language in languages]


def _row(language: Any, paces: Sequence[Pace], floor: float) -> Row:
    busy = f"service {median(pace.service_share for pace in paces):.0%}"
    bot = (
        f", bot {median(pace.bot_share for pace in paces):.0%}" if language.protocol == "grpc" else ", with the bridge"
    )
    return Row(
        f"L{language.name}",
        f"moves per second, random bot in {language.name}",
        median(pace.moves_per_s for pace in paces),
        "/s",
        f"{GAMES} games of {MATCH.game_id} with {MATCH.seats} seats at once, all on one stream ({language.protocol}); "
        f"of a core: {busy}{bot}; floor: the Python bot",
        floor,
        floor_is="python",
    )


@asynccontextmanager
async def _bot(server: Served, language: Any) -> AsyncIterator[Process]:
    command = [_absolute(word) for word in language.random]
    if language.protocol == "stdio":
        command = [sys.executable, "-m", "croupier_runner.cli", "bridge", "--", *command]
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("CROUPIER_", FORK_SUPPORT))}
    settings = {
        "CROUPIER_TARGET": server.target,
        "CROUPIER_TOKEN": token(language.name),
        "CROUPIER_NAME": language.name,
        "CROUPIER_BOT_SEED": "7",
    }
    process = await asyncio.create_subprocess_exec(*command, env=ours | settings, stdout=asyncio.subprocess.DEVNULL)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()


async def _window(client: AsyncClient, server: Served, bot: Process, name: str, seconds: float) -> Pace:
    playing = [asyncio.create_task(_play_on(client, name)) for _ in range(GAMES)]
    before = await _moves(server)
    while await _moves(server) == before:  # noqa: ASYNC110  # another process counts
        await asyncio.sleep(0.05)
    await asyncio.sleep(WARM_UP_S)
    moves, begun_s = await _moves(server), time.perf_counter()
    service_s, bot_s = server.cpu_s(), cpu_s_of(bot.pid)
    await asyncio.sleep(seconds)
    elapsed_s = time.perf_counter() - begun_s
    service_s, bot_s = server.cpu_s() - service_s, cpu_s_of(bot.pid) - bot_s
    moves = await _moves(server) - moves
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return Pace(moves / elapsed_s, service_s / elapsed_s, bot_s / elapsed_s)


async def _play_on(client: AsyncClient, name: str) -> None:
    """One game after the other, until it is cancelled: then the one at hand is aborted."""
    while True:
        created = await client.create_session(MATCH.game_id, MATCH.plans(name))
        session_id = created.session.session_id
        try:
            await client.get_session(session_id, wait_until_over=True)
        except asyncio.CancelledError:
            with suppress(WrongMoment):
                await client.abort_session(session_id, created.owner_token)
            raise


async def _moves(server: Served) -> float:
    text = await asyncio.to_thread(_page, server.metrics_url)
    return sum(
        sample.value
        for family in text_string_to_metric_families(text)
        if family.name == "croupier_actions"
        for sample in family.samples
    )


def _page(url: str) -> str:
    with urlopen(url, timeout=30) as reply:
        return str(reply.read(), "utf-8")
