"""The keeper as a program: ends the process groups it was told of when whoever told it has gone, in whatever way.

Its stdin says which groups there are, a line each: "+PGID" and "-PGID". Only the standard library's smallest part is
imported: it must be there before the first bot is. Nobody but the one who started it holds the other end of its stdin.
"""

import os
import signal
import sys


def started(pid: int) -> str:
    """When the process of that number was started, in the kernel's ticks; empty if there is none or nothing tells."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[19]
    except OSError:
        return ""


def end(groups: dict[int, str]) -> None:
    """Kills every group; not one whose number a process has that was started later than its leader."""
    for pgid, leader_started in groups.items():
        now = started(pgid)
        if now and leader_started and now != leader_started:
            continue
        try:
            os.killpg(pgid, signal.SIGKILL)
        except OSError:
            continue  # it has ended already


def main() -> None:
    """Listens until its stdin is closed, then ends what is left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # whoever ends the runner so may well send it to us too
    groups: dict[int, str] = {}
    for line in sys.stdin.buffer:
        sign, pgid = line[:1], int(line[1:])
        if sign == b"+":
            groups[pgid] = started(pgid)
        else:
            groups.pop(pgid, None)
    end(groups)


if __name__ == "__main__":
    main()
