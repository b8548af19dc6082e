"""Installs the system programs that only tests need, as root on Debian; elsewhere it says what is not tested.

Run by `make test`. The tests that need a program ask pytest for it by name and are reported as skipped without it.
"""

import os
import shutil
import subprocess
import sys

PROGRAMS = {
    "promtool": ("prometheus", "that Prometheus itself can read our metrics"),
    "chromium": ("chromium", "that a browser shows the report of a tournament and steps through its replays"),
    "/usr/lib/postgresql/15/bin/postgres": (
        "postgresql-15",
        "that replicas of the service share a database, and take over from each other",
    ),
    "systemd-analyze": ("systemd", "that systemd takes our units as they are meant"),
    "bwrap": ("bubblewrap", "that a bot in its box sees nothing but its own, and harms nobody"),
    "grpc_cpp_plugin": (
        "protobuf-compiler-grpc protobuf-compiler libgrpc++-dev libprotobuf-dev libgtest-dev",
        "that bots written in C++ play",
    ),
}
"""Program: Debian's packages, and what is tested with it."""


def main() -> int:
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if not missing:
        return 0
    packages = sorted({package for program in missing for package in PROGRAMS[program][0].split()})
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"installing for the tests: {', '.join(packages)}", flush=True)
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for command in (["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", *packages]):
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
            if done.returncode:
                print(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}", file=sys.stderr)
                return 1
        return 0
    for program in missing:
        packages_of_it, what = PROGRAMS[program]
        print(f"NOT TESTED: {what}: {program} is missing (Debian: {packages_of_it})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
