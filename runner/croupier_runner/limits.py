"""How much memory a bot may take, and whether that is what ended it.

The limit is a word in front of the command (prlimit, of util-linux): no code of ours runs between fork and exec.
"""

import re
import subprocess
from collections.abc import Sequence
from functools import cache
from typing import Literal

from croupier_runner.errors import ConfigError

Cause = Literal["crash", "memory"]

_PRLIMIT = "prlimit"
_PROBE_BYTES = 2**30
_LAST_LINES = 20
"""How far from its end a program's stderr is searched for the reason."""

_OUT_OF_MEMORY = re.compile(
    r"""
    ^(\w+\.)*\w*MemoryError\b           # Python and its libraries
    | std::bad_alloc                    # C++
    | memory\ allocation\ of\ \d+\ bytes\ failed   # Rust
    | OutOfMemory(Error|Exception)      # the JVM, .NET
    | \bout\ of\ memory\b               # Go and many others
    | \bprocess\ OOM\b                  # V8
    | Cannot\ allocate\ memory          # the C library's word for ENOMEM
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)


def limited(argv: Sequence[str], memory_bytes: int | None) -> list[str]:
    """The command such that each of its processes may take so much memory; unchanged without a limit.

    What is counted is address space (RLIMIT_AS), for each process by itself. Raises ConfigError where that cannot be
    had on this machine."""
    if memory_bytes is None:
        return list(argv)
    if trouble := why_not():
        raise ConfigError(f"limits.memory cannot be kept here: {trouble}; install util-linux, or leave the limit out")
    # A program that is refused memory often aborts: with a core file of that size the disk would pay for it.
    return [_PRLIMIT, f"--as={memory_bytes}", "--core=0", "--", *argv]


@cache
def why_not() -> str:
    """Why memory cannot be limited on this machine; empty if it can. Tried once, with a program that does nothing."""
    argv = [_PRLIMIT, f"--as={_PROBE_BYTES}", "--core=0", "--", "true"]
    try:
        tried = subprocess.run(argv, capture_output=True, text=True, timeout=10, check=False)  # noqa: S603  # our own words
    except FileNotFoundError:
        return f"there is no program {_PRLIMIT!r}"
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{_PRLIMIT!r} does not work ({error})"
    return "" if tried.returncode == 0 else f"{_PRLIMIT!r} does not work ({tried.stderr.strip()})"


def cause_of_end(exit_code: int | None, stderr: str) -> Cause:
    """Why a program ended that should not have: "memory" if its last lines say that it was refused some, else "crash".

    A limit on address space refuses memory and sends no signal, so only the program itself can tell: one that dies
    silently of it, or is killed by the kernel because the whole machine has no memory left, counts as a crash."""
    if exit_code == 0:
        return "crash"
    last_lines = "\n".join(stderr.splitlines()[-_LAST_LINES:])
    return "memory" if _OUT_OF_MEMORY.search(last_lines) else "crash"
