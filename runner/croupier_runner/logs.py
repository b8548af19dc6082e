"""Log files: all that the programs of a tournament write, one file for each."""

import re
from pathlib import Path

from croupier_runner.errors import ConfigError

SERVICE = "croupier-service"


class Logs:
    """Hands out the log files of one run, in a folder or, without one, nowhere."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._taken: set[str] = set()

    def file(self, name: str) -> Path | None:
        """A new and empty file for the program of that name; None without a folder."""
        if self._folder is None:
            return None
        path = self._folder / f"{self._unique(name)}.log"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"")
        except OSError as error:
            sentence = f"cannot write the log {path}: {error.strerror}; name another folder with --logs"
            raise ConfigError(sentence) from None
        return path

    def _unique(self, name: str) -> str:
        """The name made safe; two that then look alike (on any file system) are numbered."""
        safe = re.sub(r"[^A-Za-z0-9._-]", "_", name)
        number, unique = 1, safe
        while unique.lower() in self._taken:
            number += 1
            unique = f"{safe}-{number}"
        self._taken.add(unique.lower())
        return unique
