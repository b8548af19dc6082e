"""The results as files for programs: JSON that holds everything, CSV for spreadsheets.

`json_text` writes one object, the fields of `Summary` and of all it holds under their own names, keys sorted, and
beside them `format` (1; another number means that a key changed its meaning) and `think_bounds_ms` (the upper bounds of
`think_histogram`). Numbers are rounded to four decimals; what is no finite number is null.

`csv_files` writes a header line and one line per row, duel and fault. `event` is the event's position in the tournament
file, counting from 0, as in the keys of replays. A text that a spreadsheet would take for a formula gets an apostrophe
in front, as spreadsheets do it themselves; the JSON has it as it is.
"""

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from typing import TypeAlias

from croupier_runner.summary import THINK_BOUNDS_MS, Event, Summary

Cell: TypeAlias = str | float | None
Line: TypeAlias = tuple[Cell, ...]

FORMAT = 1
_DECIMALS = 4
_FORMULA = ("=", "+", "-", "@", "\t", "\r")

_EVENT_COLUMNS = ("event", "game", "title")
_STANDINGS_COLUMNS = (
    *_EVENT_COLUMNS,
    *("place", "bot", "elo", "elo_low", "elo_high", "online_elo", "p_first", "blocks", "games", "wins", "shared"),
    *("mean_place", "mean_points", "faults", "fault_causes", "decisions"),
    *("think_ms_mean", "think_ms_p50", "think_ms_p99", "eliminated", "achieved", "note"),
)
_DUEL_COLUMNS = (*_EVENT_COLUMNS, "one", "other", "games", "wins", "ties", "losses", "score", "superiority")
_FAULT_COLUMNS = (*_EVENT_COLUMNS, "bot", "cause", "stage", "detail", "last_words", "replay")


def json_text(summary: Summary) -> str:
    """The summary as JSON; equal summaries give the same bytes."""
    values = asdict(summary) | {"format": FORMAT, "think_bounds_ms": THINK_BOUNDS_MS}
    return json.dumps(_plain(values), indent=2, sort_keys=True, allow_nan=False) + "\n"


def csv_files(summary: Summary) -> dict[str, str]:
    """The tables of all events: file name and text."""
    return {
        "standings.csv": _table(_STANDINGS_COLUMNS, _lines(summary, _standings)),
        "duels.csv": _table(_DUEL_COLUMNS, _lines(summary, _duels)),
        "faults.csv": _table(_FAULT_COLUMNS, _lines(summary, _faults)),
    }


def _lines(summary: Summary, lines_of: Callable[[Event], Iterator[Line]]) -> Iterator[Line]:
    for index, event in enumerate(summary.events):
        for line in lines_of(event):
            yield (index, event.game_id, event.title, *line)


def _standings(event: Event) -> Iterator[Line]:
    for row in event.rows:
        causes = " ".join(f"{cause}={count}" for cause, count in sorted(row.faults.items()))
        yield (
            *(row.place, row.bot, row.elo.value, row.elo.low, row.elo.high, row.online_elo, row.p_first),
            *(row.blocks, row.games, row.wins, row.shared, row.mean_place, row.mean_points),
            *(sum(row.faults.values()), causes, row.decisions),
            *(row.think_ms_mean, row.think_ms_p50, row.think_ms_p99, int(row.eliminated), row.achieved, row.note),
        )


def _duels(event: Event) -> Iterator[Line]:
    for duel in event.duels:
        losses = duel.games - duel.wins - duel.ties
        score = (duel.wins + duel.ties / 2) / duel.games if duel.games else None
        yield duel.one, duel.other, duel.games, duel.wins, duel.ties, losses, score, duel.superiority


def _faults(event: Event) -> Iterator[Line]:
    for fault in event.faults:
        yield fault.bot, fault.cause, fault.stage, fault.detail, fault.last_words, fault.replay


def _table(columns: tuple[str, ...], lines: Iterable[Line]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in line] for line in lines)
    return text.getvalue()


def _cell(value: Cell) -> str | float:
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA) else value
    if isinstance(value, float):
        value = _rounded(value)
    return "" if value is None else value


def _plain(value: object) -> object:
    """The value with its floats rounded, all the way down."""
    if isinstance(value, float):
        return _rounded(value)
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value


def _rounded(value: float) -> float | None:
    return round(value, _DECIMALS) + 0.0 if math.isfinite(value) else None  # −0.0 becomes 0.0
