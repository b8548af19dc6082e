"""How much a bot may take of the machine, and whether that is what ended it.

The limits are words in front of the command (prlimit, of util-linux): no code of ours runs between fork and exec.
"""

import itertools
import os
import re
import signal
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Literal

from croupier_runner.errors import ConfigError

Cause = Literal["crash", "memory"]

_PRLIMIT = "prlimit"
_LAST_LINES = 20
_LONGEST_LINE = 300
"""How far from its end a program's stderr is searched for the reason, and how much of a line."""
_SIGNALLED = 128
"""What shells, bubblewrap and the bridge add to the number of the signal that ended a program."""

_OUT_OF_MEMORY = re.compile(
    r"""
    ^(\w+\.)*\w*MemoryError\b           # Python and its libraries
    | std::bad_alloc                    # C++
    | memory\ allocation\ of\ \d+\ bytes\ failed   # Rust
    | OutOfMemory(Error|Exception)      # the JVM, .NET
    | insufficient\ memory\ for\ the\ Java         # the JVM while it starts
    | \bout\ of\ memory\b               # Go and many others
    | \bprocess\ OOM\b                  # V8
    | Cannot\ allocate\ memory          # the C library's word for ENOMEM
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
_FORKING = ("fork", "thread", "spawn", "clone")
_REFUSED = ("resource temporarily unavailable", "eagain", "can't start new thread")
_FILE_TOO_LARGE = re.compile(r"\[Errno 27\]|EFBIG|File too large", re.IGNORECASE)
_NO_SPACE = re.compile(r"\[Errno 28\]|ENOSPC|No space left on device", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limits:
    """What each process of a bot may take, each by itself; None: no limit."""

    memory_bytes: int | None = None
    """Memory that is its own and can be written (RLIMIT_DATA): reserved address space does not count."""
    address_space_bytes: int | None = None
    """All that it has mapped, reserved, shared or read only (RLIMIT_AS)."""
    cpu_s: int | None = None
    processes: int | None = None
    """With their threads; counted for the whole box, or without a box for all that the user runs."""
    open_files: int | None = None
    file_bytes: int | None = None
    """The longest file it may write."""

    def __bool__(self) -> bool:
        return any(getattr(self, each.name) is not None for each in fields(self))


def limited(argv: Sequence[str], limits: Limits) -> list[str]:
    """The command such that each of its processes may take no more; unchanged without a limit.

    Raises ConfigError where that cannot be had on this machine."""
    if not limits:
        return list(argv)
    if trouble := why_not():
        raise ConfigError(f"[limits] cannot be kept here: {trouble}; install util-linux, or leave the limits out")
    # A program that is refused memory often aborts: with a core file of that size the disk would pay for it.
    return [_PRLIMIT, "--core=0", *_options(limits), "--", *argv]


def _options(limits: Limits) -> Iterator[str]:
    if limits.cpu_s is not None:
        # SIGXCPU at the first, by which we know; a second later SIGKILL for whoever takes no notice of it.
        yield f"--cpu={limits.cpu_s}:{limits.cpu_s + 1}"
    numbers = {
        "data": limits.memory_bytes,
        "as": limits.address_space_bytes,
        "nproc": limits.processes,
        "nofile": limits.open_files,
        "fsize": limits.file_bytes,
    }
    yield from (f"--{name}={number}" for name, number in numbers.items() if number is not None)


def check_processes(limits: Limits) -> None:
    """Raises ConfigError where a number of processes would limit nobody: the kernel lets root start any number."""
    if limits.processes is not None and os.getuid() == 0:
        raise ConfigError(
            "limits.processes limits nobody here, for root may start any number: run the tournament as another user, "
            'set sandbox = "strict", or leave the key out'
        )


@cache
def why_not() -> str:
    """Why nothing can be limited on this machine; empty if it can. Tried once, with a program that does nothing."""
    some = Limits(memory_bytes=2**30, cpu_s=60, open_files=64, file_bytes=2**20)
    return trial([_PRLIMIT, "--core=0", *_options(some), "--", "true"])


def trial(argv: Sequence[str]) -> str:
    """Why a command does not work on this machine, in a clause; empty if it does."""
    program = argv[0]
    try:
        tried = subprocess.run(argv, capture_output=True, text=True, timeout=10, check=False)  # noqa: S603  # our own words
    except FileNotFoundError:
        return f"there is no program {program!r}"
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{program!r} does not work ({error})"
    return "" if tried.returncode == 0 else f"{program!r} does not work ({tried.stderr.strip()})"


def cause_of_end(exit_code: int | None, stderr: str) -> Cause:
    """Why a program ended that should not have: "memory" if its last lines say that it was refused some, else "crash".

    A limit on memory refuses it and sends no signal, so only the program itself can tell: one that dies silently of
    it, or is killed by the kernel because the whole machine has no memory left, counts as a crash."""
    if exit_code == 0:
        return "crash"
    return "memory" if _OUT_OF_MEMORY.search(_last_lines(stderr)) else "crash"


def why_it_ended(exit_code: int | None, stderr: str) -> str:
    """Which limit a program ran into, as a clause to put after how it ended; empty if none can be told."""
    if exit_code in _codes(signal.SIGXCPU):
        return "its CPU time was used up (limits.cpu)"
    if exit_code in _codes(signal.SIGXFSZ):
        return "it wrote more into a file than it may (limits.file_size)"
    if not exit_code:
        return ""
    words = _last_lines(stderr)
    if _OUT_OF_MEMORY.search(words):
        return "it was refused memory"
    if _was_refused_a_process(words):
        return "it was refused another process or thread (limits.processes)"
    if _FILE_TOO_LARGE.search(words):
        return "it wrote more into a file than it may (limits.file_size)"
    return "there was no space left to write to (limits.scratch)" if _NO_SPACE.search(words) else ""


def _codes(number: signal.Signals) -> tuple[int, int]:
    """The exit codes of a program that the signal ended: as Python tells it, and as shells do."""
    return -number, _SIGNALLED + number


def _was_refused_a_process(words: str) -> bool:
    """Whether a line, or two in a row, speak of another process and of being refused it."""
    lines = ["", *words.lower().splitlines()]
    return any(
        any(word in line for word in _REFUSED) and any(word in f"{before} {line}" for word in _FORKING)
        for before, line in itertools.pairwise(lines)
    )


def _last_lines(stderr: str) -> str:
    """As much as is searched: a bot writes what it likes, and searching it must not take long."""
    return "\n".join(line[:_LONGEST_LINE] for line in stderr.splitlines()[-_LAST_LINES:])
