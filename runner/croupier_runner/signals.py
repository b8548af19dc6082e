"""Interrupts: SIGINT, SIGTERM, and SIGHUP when the terminal is closed, all mean: end in good order, exit with 130.

Imports next to nothing: until this module is there, an interrupt is a traceback.
"""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable, Iterator
    from types import FrameType

INTERRUPTED = 130
"""The exit code."""


def leave_at_once() -> None:
    """For as long as there is nothing to clear up, an interrupt ends the program on the spot."""
    for number in _interrupts():
        signal.signal(number, _leave)


@contextmanager
def calling(end: Callable[[], None], loop: AbstractEventLoop) -> Iterator[None]:
    """Within, the first interrupt calls `end` in the loop; any other, then and later, changes nothing."""
    before = {number: signal.getsignal(number) for number in _interrupts()}

    def hear() -> None:
        for number in before:
            _replace(loop, number)
        before.clear()
        end()

    for number in before:
        loop.add_signal_handler(number, hear)
    try:
        yield
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)


def _replace(loop: AbstractEventLoop, number: signal.Signals) -> None:
    """From the loop's handler to one that ignores it: in between the default one is there, which raises."""
    while True:
        try:
            loop.remove_signal_handler(number)
            signal.signal(number, _ignore)
            return
        except KeyboardInterrupt:
            continue


def _interrupts() -> list[signal.Signals]:
    numbers = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup: the terminal may go
        numbers.append(signal.SIGHUP)
    return numbers


def _leave(_number: int, _frame: FrameType | None) -> None:
    with suppress(OSError):  # the terminal may be gone
        os.write(2, b"croupier: interrupted\n")
    os._exit(INTERRUPTED)


def _ignore(_number: int, _frame: FrameType | None) -> None:
    """Not SIG_IGN, which programs that are started later would inherit."""
