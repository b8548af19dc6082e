"""The journal: everything a tournament has come to so far, in one SQLite file that is only ever added to.

A game is there once, under its key, or it is not: then it is played again. What is added is written in groups, so a
runner that is killed loses the games of its last moment at most, and `resume` plays just those.
"""

import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from croupier_runner.errors import JournalError, NoJournal
from croupier_runner.results import GameResult

FILE = "journal.sqlite"
_VERSION = 1
_APPLICATION = 0x43524F55
"""Marks the file as ours: "CROU"."""

_OUT = "out/"

_SCHEMA = """
CREATE TABLE about (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE games (
    event INTEGER, block INTEGER, game INTEGER, result BLOB NOT NULL, record BLOB NOT NULL,
    PRIMARY KEY (event, block, game)
);
CREATE TABLE faults (
    event INTEGER, block INTEGER, game INTEGER, seat INTEGER, cause TEXT NOT NULL, detail TEXT NOT NULL,
    last_words TEXT NOT NULL, PRIMARY KEY (event, block, game, seat)
);
CREATE TABLE runs (number INTEGER PRIMARY KEY, seconds REAL NOT NULL, games INTEGER NOT NULL, moves INTEGER NOT NULL);
"""


class Key(NamedTuple):
    """A game of the tournament: the event, the block in its schedule, and the line-up; all count from 0."""

    event: int
    block: int
    game: int

    def __str__(self) -> str:
        return f"{self.event}/{self.block}/{self.game}"

    @classmethod
    def read(cls, text: str) -> "Key":
        """The key that is written like this, or ValueError."""
        event, block, game = map(int, text.split("/"))
        return cls(event, block, game)


@dataclass(frozen=True, slots=True)
class JournaledFault:
    """A seat that was given up, and what is known about it."""

    key: Key
    seat: int
    cause: str
    detail: str
    last_words: str


class Journal:
    """An open journal. Use it as a context: leaving it writes what is left."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    # ---- opening ----

    @classmethod
    def create(cls, path: Path, about: Mapping[str, bytes]) -> "Journal":
        """A new journal that begins with what the tournament is; there must be none yet."""
        if path.exists():
            raise JournalError(f"{path} is there already; resume it, or begin anew with --fresh")
        with _explained(path):
            path.touch(mode=0o600)  # it holds the key of all deals and the tokens of remote bots
            journal = cls(path, _connect(path))
            journal._connection.executescript(
                f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {_VERSION};"
            )
            journal._connection.executescript(f"BEGIN; {_SCHEMA}")
            journal._connection.executemany("INSERT INTO about VALUES (?, ?)", about.items())
            journal._connection.execute("COMMIT")
        return journal

    @classmethod
    def open(cls, path: Path) -> "Journal":
        """The journal of that file, or JournalError with what is wrong with it."""
        if not path.is_file():
            raise NoJournal(f"there is no journal {path}; begin a tournament with croupier run FILE.toml")
        with _explained(path):
            connection = _connect(path)
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if application != _APPLICATION:
                connection.close()
                raise JournalError(f"{path} is no journal of a tournament; name the folder that croupier run made")
            if version != _VERSION:
                connection.close()
                raise JournalError(
                    f"{path} was written by another version of croupier ({version}, this one: {_VERSION})"
                )
            (state,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if state != "ok":
                connection.close()
                raise sqlite3.DatabaseError(state)
        return cls(path, connection)

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Writes what is left."""
        try:
            self.commit()
        finally:
            self._connection.close()

    # ---- writing ----

    def add(self, key: Key, result: GameResult, record: bytes) -> None:
        """Adds a game that has ended, with its serialised record."""
        row = orjson.dumps(result)
        with _explained(self.path):
            self._begin()
            self._connection.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?)", (*key, row, zlib.compress(record, 1)))

    def add_fault(self, fault: JournaledFault) -> None:
        """Adds what is known about a seat that was given up."""
        with _explained(self.path):
            self._begin()
            self._connection.execute(
                "INSERT OR REPLACE INTO faults VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*fault.key, fault.seat, fault.cause, fault.detail, fault.last_words),
            )

    def add_run(self, seconds: float, games: int, moves: int) -> None:
        """Adds how long the tournament was played on, and what came of it."""
        with _explained(self.path):
            self._begin()
            self._connection.execute(
                "INSERT INTO runs (seconds, games, moves) VALUES (?, ?, ?)", (seconds, games, moves)
            )

    def put_out(self, bot: str, why: str) -> None:
        """A bot plays no more, to the end of the tournament."""
        with _explained(self.path):
            self._begin()
            self._connection.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (f"{_OUT}{bot}", why.encode()))

    def commit(self) -> None:
        """Makes what was added last until the end of days, or at least of the disk."""
        if self._connection.in_transaction:  # a full disk has ended it already
            with _explained(self.path):
                self._connection.execute("COMMIT")

    def _begin(self) -> None:
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN IMMEDIATE")

    # ---- reading ----

    def about(self, name: str) -> bytes:
        """What the tournament is: the entry of that name."""
        with _explained(self.path):
            row = self._connection.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        if row is None:
            raise JournalError(f"{self.path} does not say {name!r}; it is damaged, restore it from a copy")
        return bytes(row[0])

    def out(self) -> dict[str, str]:
        """The bots that play no more, and why."""
        with _explained(self.path):
            rows = self._connection.execute("SELECT name, value FROM about WHERE name GLOB ?", (f"{_OUT}*",)).fetchall()
        return {name.removeprefix(_OUT): bytes(value).decode() for name, value in rows}

    def games(self, event: int) -> Iterator[tuple[Key, GameResult]]:
        """All games of an event that have ended, in the order of the schedule."""
        query = "SELECT block, game, result FROM games WHERE event = ? ORDER BY block, game"
        with _explained(self.path):
            for block, game, row in self._connection.execute(query, (event,)):
                yield Key(event, block, game), _result(orjson.loads(row))

    def all_keys(self) -> Iterator[Key]:
        """The keys of all games, in the order of the schedule."""
        with _explained(self.path):
            for row in self._connection.execute("SELECT event, block, game FROM games ORDER BY event, block, game"):
                yield Key(*row)

    def record(self, key: Key) -> bytes:
        """The serialised record of a game."""
        query = "SELECT record FROM games WHERE event = ? AND block = ? AND game = ?"
        with _explained(self.path):
            row = self._connection.execute(query, key).fetchone()
            if row is None:
                raise JournalError(
                    f"there is no game {key} in {self.path}; games are named EVENT/BLOCK/GAME, such as 0/0/0"
                )
            return zlib.decompress(row[0])

    def faults(self, event: int) -> list[JournaledFault]:
        """What is known about the seats that were given up, in the order of the schedule."""
        query = "SELECT * FROM faults WHERE event = ? ORDER BY block, game, seat"
        with _explained(self.path):
            rows = self._connection.execute(query, (event,)).fetchall()
        return [JournaledFault(Key(*row[:3]), *row[3:]) for row in rows]

    def pace(self) -> tuple[float, int, int]:
        """Seconds, games and moves of all runs together."""
        query = "SELECT total(seconds), coalesce(sum(games), 0), coalesce(sum(moves), 0) FROM runs"
        with _explained(self.path):
            seconds, games, moves = self._connection.execute(query).fetchone()
        return float(seconds), int(games), int(moves)


def _connect(path: Path) -> sqlite3.Connection:
    # One writer, and readers beside it while it plays. What is committed outlives the process at once, and a power cut
    # but for the last moment: that is what NORMAL means with a write-ahead log.
    connection = sqlite3.connect(path, isolation_level=None, timeout=10)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def _result(fields: dict[str, Any]) -> GameResult:
    """As `add` wrote it, with tuples again where JSON has lists."""
    return GameResult(
        places=tuple(fields["places"]),
        points=tuple(fields["points"]),
        faults=tuple(fields["faults"]),
        moves=fields["moves"],
        think_ms=tuple(fields["think_ms"]),
        thinking=tuple(tuple(counts) for counts in fields["thinking"]),
        session_id=fields["session_id"],
    )


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """What SQLite says, as a sentence that tells the organiser what to do."""
    try:
        yield
    except sqlite3.IntegrityError:  # a game written twice: a defect of ours, and no matter of the file
        raise
    except sqlite3.OperationalError as error:
        if "full" in str(error):
            advice = "make room on the disk, then go on with croupier resume; what was committed is kept"
        elif "locked" in str(error):
            advice = "another run is writing it: wait for it, or end it"
        else:
            advice = "see that the folder exists and can be written"
        raise JournalError(f"{path}: {error}; {advice}") from None
    except (sqlite3.DatabaseError, zlib.error, orjson.JSONDecodeError) as error:
        raise JournalError(f"{path} is damaged ({error}); restore it from a copy, or begin anew with --fresh") from None
