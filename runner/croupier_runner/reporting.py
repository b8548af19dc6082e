"""The files of a finished tournament: the page, the standings and the tables, written beside the journal."""

from collections.abc import Iterator
from pathlib import Path

from croupier.v1 import records_pb2
from croupier_runner.errors import JournalError
from croupier_runner.folder import REPORT, STANDINGS, Opened
from croupier_runner.journal import Key
from croupier_runner.replays import frames
from croupier_runner.summary import Summary
from croupier_runner.summing import pace, timeless
from croupier_runner.web import Replay, csv_files, html, json_text

_REPLAYS = 6
"""Games of each event that the report lets people step through, besides those with faults: all are in the journal."""


def write_files(opened: Opened, summary: Summary) -> list[Path]:
    """Writes them all; the report is the first of the paths."""
    replays = {replay.key: replay for replay in _replays(opened, summary)}
    texts = {
        REPORT: html(summary, replays, pace(opened.journal)),
        STANDINGS: json_text(timeless(summary)),
        **csv_files(summary),
    }
    paths = []
    for name, text in texts.items():
        path = opened.path / name
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise JournalError(f"cannot write {path}: {error.strerror}; make room, then croupier report") from None
        paths.append(path)
    return paths


def _replays(opened: Opened, summary: Summary) -> Iterator[Replay]:
    journal = opened.journal
    chosen: dict[Key, None] = {}
    for event in summary.events:
        chosen |= dict.fromkeys(Key.read(fault.replay) for fault in event.faults[:_REPLAYS] if fault.replay)
    taken: dict[int, int] = {}
    for key in journal.all_keys():
        if key.game == 0 and taken.setdefault(key.event, 0) < _REPLAYS:
            taken[key.event] += 1
            chosen[key] = None
    for key in sorted(chosen):
        record = records_pb2.Record.FromString(journal.record(key))
        names = ", ".join(seat.name for seat in record.session.seats)
        title = f"{summary.events[key.event].title}, block {key.block + 1}, game {key.game + 1}: {names}"
        yield Replay(str(key), title, frames(record))
