"""Processes that a bot leaves behind: known by a variable in their environment, whatever group they are in."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MARK = "CROUPIER_CHECK"
"""The variable whose value is different for every bot that is started."""
_PROC = Path("/proc")


def left_behind(mark: str) -> dict[int, str]:
    """The processes that run with this mark: their names by number. Empty where there is no /proc to look into."""
    wanted = f"{MARK}={mark}".encode()
    return {pid: name for pid, name, environment in _processes() if wanted in environment.split(b"\0")}


def end_all(pids: Iterator[int] | dict[int, str]) -> None:
    """Kills them: they were the bot's, and nobody else will."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _processes() -> Iterator[tuple[int, str, bytes]]:
    if not _PROC.is_dir():
        return
    for folder in _PROC.iterdir():
        if folder.name.isdecimal():
            with suppress(OSError):  # it has ended, or is somebody else's
                environment = (folder / "environ").read_bytes()  # empty for a zombie
                yield int(folder.name), (folder / "comm").read_text().strip(), environment
