"""Certificates made with the real openssl, and the real program at its most talkative."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest

from croupier_service.store.sqlite import SqliteStore


def openssl(*arguments: str | Path) -> str:
    """Runs openssl; returns what it printed."""
    done = subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, text=True)
    return done.stdout


class Pair(NamedTuple):
    """A certificate and its key."""

    cert: Path
    key: Path

    @property
    def fingerprint(self) -> str:
        """As an operator copies it from openssl."""
        return openssl("x509", "-in", self.cert, "-noout", "-fingerprint", "-sha256").strip()

    def put_in_place_of(self, other: Pair) -> None:
        """Both files at once, as tools that renew certificates do it."""
        self.cert.replace(other.cert)
        self.key.replace(other.key)


class Authority:
    """Signs certificates."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder / name
        self.folder.mkdir()
        self.cert, self._key = self.folder / "ca.pem", self.folder / "ca.key"
        made = ("-x509", *_EC_KEY, "-keyout", self._key, "-out", self.cert, "-days", "2", "-subj", f"/CN={name}")
        openssl("req", *made)

    def issue(self, name: str, days: int = 1, subject: str = "") -> Pair:
        """A certificate for localhost; with a negative number of days it has expired."""
        pair = Pair(self.folder / f"{name}.pem", self.folder / f"{name}.key")
        request, extensions = self.folder / f"{name}.csr", self.folder / "extensions"
        extensions.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        openssl("req", *_EC_KEY, "-keyout", pair.key, "-out", request, "-subj", f"/CN={subject or name}")
        signed = ("-CA", self.cert, "-CAkey", self._key, "-CAcreateserial", "-days", str(days))
        openssl("x509", "-req", "-in", request, *signed, "-extfile", extensions, "-out", pair.cert)
        return pair


_EC_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")

MakeAuthority: TypeAlias = "Callable[[str], Authority]"


@pytest.fixture
def new_authority(tmp_path: Path) -> MakeAuthority:
    """Makes authorities that know nothing of each other."""
    return lambda name: Authority(tmp_path, name)


@pytest.fixture
def authority(new_authority: MakeAuthority) -> Authority:
    """The one that signed the service's certificate."""
    return new_authority("authority")


class Program:
    """`croupier-service` as a process, with everything it writes."""

    def __init__(self, folder: Path, *flags: str) -> None:
        self.log_file = folder / "log"
        self.socket = f"unix:{folder / 'socket'}"
        read_end, write_end = os.pipe()
        with self.log_file.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "croupier_service", *self._flags(write_end, flags)],
                stderr=log,
                stdout=log,
                pass_fds=[write_end],
                start_new_session=True,
            )
        os.close(write_end)
        with os.fdopen(read_end) as ready:
            self.ready = ready.read() == "ready\n"

    def _flags(self, ready_fd: int, flags: tuple[str, ...]) -> list[str]:
        listen = [] if "--listen" in flags else ["--listen", self.socket]
        usual = ["--store", "memory", "--log-format", "json", "--log-level", "debug", "--metrics-listen", "127.0.0.1:0"]
        return ["--ready-fd", str(ready_fd), *usual, *listen, *flags]

    @property
    def log(self) -> str:
        return self.log_file.read_text()

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


class Disk:
    """Where a service keeps its sessions."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.store = SqliteStore(folder / "sessions.sqlite")

    def as_left_by_a_crash(self) -> SqliteStore:
        """What another service finds if this one ends here and now."""
        copy = self._folder.with_name("copy")
        shutil.copytree(self._folder, copy)
        return SqliteStore(copy / "sessions.sqlite")


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    """A folder for a real store."""
    folder = tmp_path / "disk"
    folder.mkdir()
    return Disk(folder)


StartProgram: TypeAlias = "Callable[..., Program]"


@pytest.fixture
def program(tmp_path: Path) -> Iterator[StartProgram]:
    """Starts the real program and waits until it serves, or has ended."""
    programs: list[Program] = []

    def start(*flags: str) -> Program:
        folder = tmp_path / f"program{len(programs)}"
        folder.mkdir()
        programs.append(Program(folder, *flags))
        return programs[-1]

    yield start
    for each in programs:
        each.end()
