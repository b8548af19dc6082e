"""Checking many things at once: a few in this process, many in several.

Processes are spawned, never forked: a fork beside gRPC may hang.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from typing import TypeVar

MANY = 1_000
"""From so many on it pays to start processes."""
CHUNK = 100
"""So many are sent to a process at a time."""
CHUNKS_WAITING = 3
"""For each process: enough that none is idle, and few enough that memory does not grow with what is to be checked."""

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def checked(
    check: Callable[[Item], Answer], items: Iterable[Item], total: int, processes: int | None = None
) -> Iterator[Answer]:
    """`check` of every item, in whatever order they are done; `check` must be a function of some module."""
    if processes is None:
        processes = len(os.sched_getaffinity(0)) if total >= MANY else 1
    return map(check, items) if processes == 1 else _by_processes(check, items, processes)


def _by_processes(check: Callable[[Item], Answer], items: Iterable[Item], processes: int) -> Iterator[Answer]:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context, initializer=_begin) as pool:
        remaining = iter(items)
        waiting: set[Future[list[Answer]]] = set()
        while True:
            while len(waiting) < processes * CHUNKS_WAITING and (chunk := list(islice(remaining, CHUNK))):
                waiting.add(pool.submit(_check_all, check, chunk))
            if not waiting:
                return
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for each in done:
                yield from each.result()


def _check_all(check: Callable[[Item], Answer], items: list[Item]) -> list[Answer]:
    return [check(item) for item in items]


def _begin() -> None:
    """In each process: an interrupt is for the parent to hear, and when the parent is gone nobody wants an answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
