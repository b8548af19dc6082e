"""Rows D: what it costs that no move is ever lost, and how soon a service with many sessions is back."""

import time
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from grpc import aio
from tests.bench.idle import NAME, running_idlers
from tests.bench.load import Load, Window, running_load
from tests.bench.match import LIE, token
from tests.bench.processes import service
from tests.bench.room import Room
from tests.bench.table import Row, Target

from croupier.v1 import sessions_pb2, sessions_pb2_grpc, turns_pb2

RATE_TARGET = Target(0.75, at_most=False)
RESTART_TARGET = Target(2.0, of_ratio=False)


async def measure(room: Room) -> list[Row]:
    """Both stores at the same time, their windows in turns; then a service that is killed and started again."""
    with TemporaryDirectory(prefix="croupier-bench-") as folder:
        return [*await _rates(room, Path(folder) / "rates.sqlite"), await _restart(room, Path(folder) / "many.sqlite")]


async def _rates(room: Room, file: Path) -> list[Row]:
    plan = room.plan
    rows = []
    for id_, kind, patient in (("Da", "random", False), ("Db", "patient", True)):
        windows: dict[str, list[Window]] = {"memory": [], f"sqlite:{file}-{kind}": []}
        async with AsyncExitStack() as stack:
            loads: dict[str, Load] = {}
            for store in windows:
                server = await stack.enter_async_context(service(store=store))
                running = running_load(server, plan.games, plan.reserve, patient=patient)
                loads[store] = await stack.enter_async_context(running)
            for number in range(plan.rounds):
                room.say(f"row D: memory against SQLite, {kind} bots, round {number + 1} of {plan.rounds}")
                for store, load in loads.items():
                    windows[store].append(await load.window(plan.window_s))
        memory, sqlite = (median(each.moves_per_s for each in some) for some in windows.values())
        how = f"{plan.games} games at once, the two services measured in turns; floor: the same with --store memory"
        what = f"moves per second with SQLite, {kind} bots"
        rows.append(Row(id_, what, sqlite, "/s", how, memory, RATE_TARGET, "memory"))
    return rows


async def _restart(room: Room, file: Path) -> Row:
    count = room.plan.idle[1]
    room.say(f"row D: a restart with {count:,} open sessions")
    store = f"sqlite:{file}"
    async with service(store=store) as server, running_idlers(server) as idlers:
        await idlers.raise_to(count)
        made = await idlers.client.create_session(idlers.match.game_id, idlers.match.plans(NAME))
        session_id = made.session.session_id
    begun = time.perf_counter()
    async with service(store=store) as server, aio.insecure_channel(server.target) as channel:
        sessions = sessions_pb2_grpc.SessionServiceStub(channel)
        answer = turns_pb2.Answer(session_id=session_id, seat=0, decision_id=1, index=0)
        metadata = (("authorization", f"Bearer {token(NAME)}"),)
        await sessions.SubmitAction(sessions_pb2.SubmitActionRequest(answer=answer), metadata=metadata)
        elapsed_s = time.perf_counter() - begun
    how = (
        f"from the start of the process, {count:,} games of {LIE.game_id} open in its file, to the answer to a move; "
        "the service before it was killed"
    )
    return Row("Dc", f"first move after a restart with {count:,} sessions", elapsed_s, "s", how, target=RESTART_TARGET)
