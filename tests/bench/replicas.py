"""Row R: how soon another replica plays on when the owner of a session is killed, and what PostgreSQL costs a move."""

import asyncio
import os
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from statistics import median
from tempfile import TemporaryDirectory

from tests.bench.load import running_load
from tests.bench.processes import service
from tests.bench.room import Room
from tests.bench.table import Row, Target
from tests.postgres_server import PROGRAMS, PostgresServer

from croupier_client import AsyncClient, Unavailable

FAILOVER_TARGET = Target(5.0, of_ratio=False)
SETTLED_S = 3.5
"""Who has not been there for a whole lease does not judge others; in earnest replicas have been there for long."""


async def measure(room: Room) -> list[Row]:
    """Nothing where there is no PostgreSQL."""
    if PROGRAMS is None:
        room.say("row R: PostgreSQL is missing (Debian's package postgresql-15)")
        return []
    server = await asyncio.to_thread(PostgresServer)
    try:
        return [await _failover(room, server), await _moves(room, server)]
    finally:
        await asyncio.to_thread(server.close)


async def _failover(room: Room, server: PostgresServer) -> Row:
    seconds = []
    for number in range(room.plan.rounds):
        room.say(f"row R: kill -9 of the owner, round {number + 1} of {room.plan.rounds}")
        seconds.append(await _one_failover(server.new_database()))
    return Row(
        "Ra",
        "from kill -9 of a session's owner to the first move on another replica",
        median(seconds),
        "s",
        f"two replicas on one PostgreSQL, a client that tries again; at most {max(seconds):.1f} s",
        target=FAILOVER_TARGET,
    )


async def _one_failover(database: str) -> float:
    async with _replica(database) as (owner, at_owner), _replica(database) as (_, at_heir):
        await asyncio.sleep(SETTLED_S)
        async with AsyncClient(at_owner) as client:
            session = (await client.create_session("lie", 2, {"start_seat": 0})).session
            tokens = [(await client.claim_seat(session.session_id, seat)).seat_token for seat in range(2)]
            await client.submit(session.session_id, tokens[0], 0, 1, index=0)
        async with AsyncClient(at_heir) as client:
            owner.kill()
            killed_at = time.perf_counter()
            while True:
                try:
                    await client.submit(session.session_id, tokens[1], 1, 1, index=0)
                except Unavailable:
                    await asyncio.sleep(0.02)
                else:
                    return time.perf_counter() - killed_at


@asynccontextmanager
async def _replica(database: str) -> AsyncIterator[tuple[Process, str]]:
    with TemporaryDirectory(prefix="croupier-bench-") as folder:
        target = f"unix:{folder}/socket"
        reading, writing = os.pipe()
        flags = ("--listen", target, "--metrics-listen", "off", "--log-level", "error", "--store", database)
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "croupier_service", *flags, "--ready-fd", str(writing), pass_fds=(writing,)
        )
        os.close(writing)
        try:
            with os.fdopen(reading) as ready:
                if await asyncio.to_thread(ready.read) != "ready\n":
                    raise RuntimeError("croupier_service ended before it was ready")
            yield process, target
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()


async def _moves(room: Room, server: PostgresServer) -> Row:
    plan = room.plan
    stored, remembered = [], []
    async with (
        service(store=server.new_database()) as lasting,
        service() as memory,
        running_load(lasting, plan.games, plan.reserve) as lasting_load,
        running_load(memory, plan.games, plan.reserve) as memory_load,
    ):
        for number in range(plan.rounds):
            room.say(f"row R: {plan.games} games at once in PostgreSQL, round {number + 1} of {plan.rounds}")
            remembered.append((await memory_load.window(plan.window_s)).moves_per_s)
            stored.append((await lasting_load.window(plan.window_s)).moves_per_s)
    return Row(
        "Rb",
        "moves per second, random bots, PostgreSQL",
        median(stored),
        "/s",
        "as 2a, with the database on the same cores and disk; floor: the memory store in the same rounds",
        median(remembered),
        floor_is="memory",
    )
