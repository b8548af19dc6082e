"""The files for programs hold what the summary holds, and nothing else decides their bytes."""

import csv
import dataclasses
import io
import json

from croupier_runner.summary import THINK_BOUNDS_MS, Duel, Fault, Interval, Summary
from croupier_runner.web import csv_files, json_text


def _lines(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def test_json_holds_every_field_of_the_summary_under_its_own_name(summary: Summary) -> None:
    data = json.loads(json_text(summary))
    assert set(data) == {field.name for field in dataclasses.fields(Summary)} | {"format", "think_bounds_ms"}
    assert data["think_bounds_ms"] == list(THINK_BOUNDS_MS)
    assert [row["bot"] for row in data["events"][0]["rows"]] == [row.bot for row in summary.events[0].rows]
    first, row = data["events"][0]["rows"][0], summary.events[0].rows[0]
    assert set(first) == {field.name for field in dataclasses.fields(row)}
    assert first["elo"] == {key: round(value, 4) for key, value in dataclasses.asdict(row.elo).items()}
    assert data["events"][1]["rows"][0]["mean_points"] is None
    assert data["events"][0]["faults"][0]["last_words"] == summary.events[0].faults[0].last_words


def test_equal_summaries_give_the_same_bytes(summary: Summary) -> None:
    """The order in which dictionaries were filled is no part of a result."""
    turned = dataclasses.replace(summary, versions=dict(reversed(summary.versions.items())))
    assert turned == summary
    assert json_text(turned) == json_text(summary)
    assert csv_files(turned) == csv_files(summary)


def test_fault_causes_are_sorted_in_the_csv(summary: Summary) -> None:
    event = summary.events[0]
    turned_row = dataclasses.replace(event.rows[2], faults=dict(reversed(event.rows[2].faults.items())))
    rows = (*event.rows[:2], turned_row, *event.rows[3:])
    turned = dataclasses.replace(summary, events=(dataclasses.replace(event, rows=rows), summary.events[1]))
    assert csv_files(turned) == csv_files(summary)


def test_json_is_valid_where_a_figure_is_no_number(summary: Summary) -> None:
    """A bot that never met the others may have no interval; JSON knows neither NaN nor Infinity."""
    event = summary.events[0]
    row = dataclasses.replace(event.rows[0], elo=Interval(-0.00001, float("-inf"), float("nan")))
    text = json_text(dataclasses.replace(summary, events=(dataclasses.replace(event, rows=(row,)),)))
    elo = json.loads(text, parse_constant=lambda word: (_ for _ in ()).throw(ValueError(word)))["events"][0]["rows"][0][
        "elo"
    ]
    assert elo == {"value": 0.0, "low": None, "high": None}
    assert "-0.0" not in text


def test_standings_csv_has_a_line_for_every_bot_of_every_event(summary: Summary) -> None:
    lines = _lines(csv_files(summary)["standings.csv"])
    rows = [(str(index), event.game_id, row) for index, event in enumerate(summary.events) for row in event.rows]
    assert len(lines) == len(rows) == 10
    for line, (index, game, row) in zip(lines, rows, strict=True):
        assert (line["event"], line["game"], line["bot"], line["games"]) == (index, game, row.bot, str(row.games))
        assert float(line["elo"]) == round(row.elo.value, 4)
        assert float(line["elo_low"]) == round(row.elo.low, 4)
        assert line["mean_points"] == ("" if row.mean_points is None else str(row.mean_points))
        assert int(line["faults"]) == sum(row.faults.values())
    assert lines[2]["fault_causes"] == "crash=2 timeout=1"


def test_duels_csv_adds_up(summary: Summary) -> None:
    lines = _lines(csv_files(summary)["duels.csv"])
    assert len(lines) == 20
    for line in lines:
        wins, ties, losses, games = (int(line[key]) for key in ("wins", "ties", "losses", "games"))
        assert wins + ties + losses == games
        assert float(line["score"]) == round((wins + ties / 2) / games, 4)


def test_a_pair_that_never_met_has_no_score(summary: Summary) -> None:
    event = dataclasses.replace(summary.events[0], duels=(Duel("a", "b", 0, 0, 0, 0.5),))
    (line,) = _lines(csv_files(dataclasses.replace(summary, events=(event,)))["duels.csv"])
    assert line["score"] == ""


def test_last_words_of_many_lines_survive_the_csv(summary: Summary) -> None:
    lines = _lines(csv_files(summary)["faults.csv"])
    assert [line["last_words"] for line in lines] == [fault.last_words for fault in summary.events[0].faults]
    assert [line["replay"] for line in lines] == ["0/12/3", "0/80/1", ""]


def test_a_spreadsheet_takes_no_text_of_a_bot_for_a_formula(summary: Summary) -> None:
    fault = Fault("=1+1", "crash", "block 1", "-", "@SUM(A1)", "+2")
    event = dataclasses.replace(summary.events[0], faults=(fault,))
    (line,) = _lines(csv_files(dataclasses.replace(summary, events=(event,)))["faults.csv"])
    assert [line[key] for key in ("bot", "detail", "last_words", "replay")] == ["'=1+1", "'-", "'@SUM(A1)", "'+2"]
