"""Holds the wire API to what was released: `make lint` runs it, so that no client breaks by accident.

The released API is the image protos/released.binpb. A release writes it anew with --release and commits it.
"""

import argparse
import subprocess
import sys
from pathlib import Path

PROTOS = Path(__file__).resolve().parent
RELEASED = PROTOS / "released.binpb"
BUF = Path(sys.executable).parent / "buf"


def release() -> int:
    """Writes down the API as it is now: from here on it can only grow."""
    return buf("build", str(PROTOS), "--output", str(RELEASED))


def compare() -> int:
    """Compares the protos with the released API; buf names what would break a client, and where."""
    if not RELEASED.exists():
        print("No wire API has been released yet, so there is nothing to break.")
        return 0
    return buf("breaking", str(PROTOS), "--against", str(RELEASED))


def buf(*arguments: str) -> int:
    """Runs the buf that is installed beside this Python."""
    return subprocess.run([BUF, *arguments], check=False).returncode  # noqa: S603  # our own arguments


def main() -> int:
    """The command; it exits with what buf exits with."""
    parser = argparse.ArgumentParser(description="Compares the protos with the wire API of the last release.")
    parser.add_argument("--release", action="store_true", help=f"write {RELEASED.name} from the protos as they are")
    return release() if parser.parse_args().release else compare()


if __name__ == "__main__":
    sys.exit(main())
