"""The journal keeps what was committed, says clearly what it cannot read, and holds each game once."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from croupier_runner.errors import JournalError
from croupier_runner.journal import Journal, JournaledFault, Key
from croupier_runner.results import GameResult

RESULT = GameResult((2, 1), (3, None), ("", "timeout"), 46, (120, 7), ((1, 2), (3, 4)), "session")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


def written(path: Path, games: int = 4) -> None:
    with Journal.create(path, {"toml": b"name = 'cup'"}) as journal:
        for number in range(games):
            journal.add(Key(0, number // 2, number % 2), RESULT, b"record %d" % number)


def test_what_was_written_is_read_back(path: Path) -> None:
    fault = JournaledFault(Key(0, 1, 0), 1, "timeout", "it did not answer in time", "last words")
    with Journal.create(path, {"toml": b"name = 'cup'"}) as journal:
        journal.add(Key(0, 1, 0), RESULT, b"the record")
        journal.add(Key(0, 0, 1), RESULT, b"another")
        journal.add_fault(fault)
        journal.add_run(1.5, 2, 92)
    with Journal.open(path) as journal:
        assert journal.about("toml") == b"name = 'cup'"
        assert list(journal.games(0)) == [(Key(0, 0, 1), RESULT), (Key(0, 1, 0), RESULT)]
        assert list(journal.games(1)) == []
        assert list(journal.all_keys()) == [Key(0, 0, 1), Key(0, 1, 0)]
        assert journal.record(Key(0, 1, 0)) == b"the record"
        assert journal.faults(0) == [fault]
        assert journal.pace() == (1.5, 2, 92)


def test_a_game_has_one_result(path: Path) -> None:
    """Two results for one game would be two truths."""
    with Journal.create(path, {}) as journal:
        journal.add(Key(0, 0, 0), RESULT, b"")
        with pytest.raises(sqlite3.IntegrityError):
            journal.add(Key(0, 0, 0), RESULT, b"")


def test_what_was_committed_outlives_a_kill_and_what_was_not_is_gone_cleanly(path: Path) -> None:
    code = f"""
import os, signal
from pathlib import Path
from croupier_runner.journal import Journal, Key
from croupier_runner.results import GameResult
journal = Journal.create(Path({str(path)!r}), {{}})
result = GameResult((1, 2), (None, None), ("", ""), 1, (0, 0))
journal.add(Key(0, 0, 0), result, b"kept")
journal.commit()
journal.add(Key(0, 0, 1), result, b"lost")
os.kill(os.getpid(), signal.SIGKILL)
"""
    killed = subprocess.run([sys.executable, "-c", code], check=False)
    assert killed.returncode == -signal.SIGKILL
    with Journal.open(path) as journal:
        assert list(journal.all_keys()) == [Key(0, 0, 0)]


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.9])
def test_a_journal_that_was_cut_is_refused(path: Path, share: float) -> None:
    """Cut anywhere, it is said to be damaged; never are some of its games missing in silence."""
    written(path, games=400)
    os.truncate(path, int(path.stat().st_size * share))
    with (
        pytest.raises(JournalError, match=r"restore it from a copy|is no journal") as caught,
        Journal.open(path) as journal,
    ):
        list(journal.games(0))
    assert caught.value.exit_code == 3


def test_a_write_ahead_log_that_was_cut_loses_only_its_end(path: Path) -> None:
    """What a power cut may leave: the log ends in the middle of a commit."""
    journal = Journal.create(path, {})
    for number in range(50):
        journal.add(Key(0, number, 0), RESULT, b"x" * 500)
        journal.commit()
    wal = Path(f"{path}-wal").read_bytes()
    copy = path.with_name("copy.sqlite")
    copy.write_bytes(path.read_bytes())
    Path(f"{copy}-wal").write_bytes(wal[: len(wal) * 2 // 3])
    with journal, Journal.open(copy) as cut:
        kept = [key.block for key, _ in cut.games(0)]
        assert 0 < len(kept) < 50
        assert kept == list(range(len(kept)))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"name = 'cup'\n" * 99, "is damaged"),
        (b"", "is no journal of a tournament"),
    ],
)
def test_another_file_is_no_journal(path: Path, content: bytes, sentence: str) -> None:
    path.write_bytes(content)
    with pytest.raises(JournalError, match=sentence):
        Journal.open(path)


def test_another_database_is_no_journal(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE games (a)")
    other.close()
    with pytest.raises(JournalError, match="is no journal of a tournament; name the folder that croupier run made"):
        Journal.open(path)


def test_no_file_says_how_to_begin(path: Path) -> None:
    with pytest.raises(JournalError, match="begin a tournament with croupier run"):
        Journal.open(path)


def test_a_full_disk_says_what_to_do_and_keeps_what_was_committed(path: Path) -> None:
    written(path)
    journal = Journal.open(path)
    journal._connection.execute("PRAGMA max_page_count = 12")  # as if the disk had no more room
    with pytest.raises(JournalError, match="make room on the disk, then go on with croupier resume"):
        journal.add(Key(1, 0, 0), RESULT, os.urandom(400_000))
    journal._connection.close()
    with Journal.open(path) as again:
        assert len(list(again.all_keys())) == 4


def test_an_unknown_game_is_named(path: Path) -> None:
    written(path)
    with Journal.open(path) as journal, pytest.raises(JournalError, match="there is no game 7/0/0"):
        journal.record(Key(7, 0, 0))


def test_others_cannot_read_it(path: Path) -> None:
    """The key of all deals and the tokens of remote bots are in it."""
    with Journal.create(path, {}) as journal:
        journal.add(Key(0, 0, 0), RESULT, b"")
        journal.commit()
        modes = {file.stat().st_mode & 0o777 for file in path.parent.glob("journal.sqlite*")}
    assert modes == {0o600}
