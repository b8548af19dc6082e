"""A real PostgreSQL server for tests and measurements: a data folder of its own on a unix socket, gone afterwards."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

PROGRAMS = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)
"""Where Debian keeps the server's programs."""

ABSENT = "PostgreSQL is missing (Debian's package postgresql-15)"

_SETTINGS = {
    "listen_addresses": "''",
    "max_connections": "200",
    "shared_buffers": "64MB",
    "log_min_messages": "error",
}


class PostgresServer:
    """A server in a new folder under /tmp, whose path a unix socket can have."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="croupier-postgres-"))
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
        self._run("initdb", "-D", str(self.folder / "data"), "-U", "croupier", "-A", "trust", "--no-sync")
        self._databases = 0
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        """The server refuses to run as root."""
        assert PROGRAMS is not None, ABSENT
        prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if os.geteuid() == 0 else []
        command = [*prefix, str(PROGRAMS / program), *arguments]
        with tempfile.TemporaryFile() as output:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd="/")
            output.seek(0)
            assert done.returncode == 0, output.read().decode()

    def start(self) -> None:
        """Returns when it takes connections."""
        settings = " ".join(f"-c {name}={value}" for name, value in _SETTINGS.items())
        options = f"-k {self.folder} {settings}"
        log = str(self.folder / "log")
        self._run("pg_ctl", "start", "-w", "-s", "-D", str(self.folder / "data"), "-l", log, "-o", options)

    def stop(self) -> None:
        """As if the machine had lost its power, as far as a process can tell."""
        self._run("pg_ctl", "stop", "-m", "immediate", "-s", "-D", str(self.folder / "data"))

    def new_database(self) -> str:
        """The address of an empty database."""
        self._databases += 1
        name = f"croupier{self._databases}"
        self._run("createdb", "-h", str(self.folder), "-U", "croupier", name)
        return f"postgresql://croupier@/{name}?host={self.folder}"

    def close(self) -> None:
        """Ends it and removes its folder."""
        self.stop()
        shutil.rmtree(self.folder)
