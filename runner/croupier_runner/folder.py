"""The folder of a tournament: the journal, and beside it what people and programs look at."""

import fcntl
import os
import secrets
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from croupier_games import installed_games
from croupier_runner.config import Tournament, parse, read
from croupier_runner.errors import ConfigError, JournalError
from croupier_runner.journal import FILE, Journal
from croupier_runner.schedule import key_of

SUFFIX = ".results"
LOCK = "lock"
STANDINGS = "standings.json"
REPORT = "report.html"
_MADE_HERE = (FILE, f"{FILE}-wal", f"{FILE}-shm", STANDINGS, REPORT, "standings.csv", "duels.csv", "faults.csv")


@dataclass(frozen=True, slots=True)
class Opened:
    """A tournament and its journal, ready to be played or looked at. Use it as a context, or close it."""

    path: Path
    tournament: Tournament
    journal: Journal
    home: Path
    """Where the commands of the bots are run: the folder of the tournament file."""
    lock_fd: int | None = None
    """Held by whoever plays it, to its end, however that comes; None: it is only looked at."""

    def __enter__(self) -> "Opened":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Writes what is left, and lets others play it."""
        try:
            self.journal.close()
        finally:
            if self.lock_fd is not None:
                os.close(self.lock_fd)


def begin(file: Path, into: Path | None, *, fresh: bool) -> Opened:
    """A new tournament of that file; refuses to touch one that is there, unless it is to begin afresh."""
    text = read(file)
    tournament = parse(text, file)
    path = into or default_for(file)
    journal_file = path / FILE
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock_fd = _locked(path)
        if not fresh and _holds_games(journal_file):
            os.close(lock_fd)
            raise ConfigError(
                f"{path} holds a tournament already: go on with it by croupier resume {path}, "
                "look at it with croupier standings, or begin anew with --fresh, which throws it away"
            )
        for name in _MADE_HERE:
            (path / name).unlink(missing_ok=True)
    except OSError as error:
        raise ConfigError(f"cannot write to {path}: {error.strerror}; name another folder with --into") from None
    home = file.resolve().parent
    about = {
        "toml": text.encode(),
        "home": str(home).encode(),
        "file": str(file.resolve()).encode(),
        "key": key_of(tournament.seed),
        "croupier": version("croupier").encode(),
    }
    games = installed_games()
    about |= {f"version/{game.id}": str(games[game.id].version).encode() for game in tournament.game}
    about |= {
        f"token/{bot.name}": secrets.token_urlsafe(24).encode() for bot in tournament.bots if bot.protocol == "remote"
    }
    return Opened(path, tournament, Journal.create(journal_file, about), home, lock_fd)


def _holds_games(journal_file: Path) -> bool:
    """Whether there is something to lose; a journal that cannot be read may have it."""
    if not journal_file.exists():
        return False
    try:
        with Journal.open(journal_file) as journal:
            return next(journal.all_keys(), None) is not None
    except JournalError:
        return True


def _locked(path: Path) -> int:
    """Keeps all others from playing the tournament in that folder for as long as the file is open."""
    lock_fd = os.open(path / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(lock_fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock_fd)
        raise ConfigError(
            f"{path} is being played by another croupier: wait for it, look at it with croupier standings, "
            "or name another folder with --into"
        ) from None
    return lock_fd


def reopen(where: Path, *, to_play: bool = False) -> Opened:
    """The tournament in that folder, or of that file in its usual folder; as it was when it began."""
    path = default_for(where) if where.suffix == ".toml" else where
    journal = Journal.open(path / FILE)
    lock_fd = _locked(path) if to_play else None
    text = journal.about("toml").decode()
    if where.suffix == ".toml" and where.exists() and read(where) != text:
        journal.close()
        raise ConfigError(
            f"{where} has changed since the tournament in {path} began: resume that one with croupier resume {path}, "
            f"or begin anew with croupier run {where} --fresh"
        )
    tournament = parse(text, path / FILE)
    games = installed_games()
    for game in tournament.game:
        begun_with, here = journal.about(f"version/{game.id}").decode(), str(games[game.id].version)
        if begun_with != here:
            raise JournalError(f"{path} was begun with version {begun_with} of {game.id}, here is version {here}")
    return Opened(path, tournament, journal, Path(journal.about("home").decode()), lock_fd)


def default_for(file: Path) -> Path:
    """Where the results of a tournament file go: a folder of its name where croupier is run."""
    return Path(file.name).with_suffix(SUFFIX)
