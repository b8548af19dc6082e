"""A journal that is true is found so; whatever was changed in one is found, and named by the key of the game."""

import sqlite3
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import orjson
import pytest

from croupier.v1 import records_pb2
from croupier_runner.journal import Journal, Key
from croupier_runner.results import GameResult
from croupier_runner.verifying import TOURNAMENT, Finding, verify_journal, verify_records

Written = Callable[..., Any]
KEY = Key(0, 1, 0)


def change(journal: Journal, column: str, data: bytes, key: Key = KEY) -> None:
    """As somebody with an editor for SQLite would do it."""
    with sqlite3.connect(journal.path) as connection:
        query = f"UPDATE games SET {column} = ? WHERE event = ? AND block = ? AND game = ?"
        assert connection.execute(query, (data, *key)).rowcount == 1
    connection.close()


def change_record(journal: Journal, alter: Callable[[records_pb2.Record], object]) -> None:
    record = records_pb2.Record.FromString(journal.record(KEY))
    alter(record)
    change(journal, "record", zlib.compress(record.SerializeToString()))


def change_result(journal: Journal, **values: object) -> None:
    result: GameResult = dict(journal.games(0))[KEY]
    change(journal, "result", orjson.dumps(replace(result, **values)))  # type: ignore[arg-type]


def sentences(journal: Journal, tournament: Any, key: Key = KEY) -> str:
    """What is found; all of it must be about that game."""
    findings = verify_journal(journal, tournament).findings
    assert {finding.key for finding in findings} == {str(key)}
    return "\n".join(finding.sentence for finding in findings)


@pytest.mark.parametrize(
    "settings",
    [
        "blocks = 2",
        'format = "swiss"\nblocks = 1\nswiss = { rounds = 3 }',
        'format = "knockout"\nblocks = 1',
        'format = "gauntlet"\nblocks = 2\ngauntlet = { bots = ["c"] }',
        "blocks = 3\nfaults = { cost = 'block', eliminate_after = 1 }",
    ],
    ids=["round robin", "swiss", "knockout", "gauntlet", "elimination"],
)
def test_a_true_journal_holds_whatever_the_format(settings: str, written: Written) -> None:
    journal, tournament = written(settings, forfeits="b" if "eliminate" in settings else "")
    told: list[tuple[int, int]] = []
    verification = verify_journal(journal, tournament, progress=lambda done, total: told.append((done, total)))
    assert verification.findings == ()
    assert verification.holds
    assert verification.games == len(list(journal.all_keys())) > 6
    assert told[-1] == (verification.games, verification.games)


def test_several_processes_find_the_same_as_one(written: Written) -> None:
    journal, tournament = written()
    change_result(journal, places=(2, 2))
    found = verify_journal(journal, tournament, processes=2)
    assert found == verify_journal(journal, tournament, processes=1)
    assert {finding.key for finding in found.findings} == {"0/1/0"}


def test_a_changed_move_is_found(written: Written) -> None:
    journal, tournament = written()

    def alter(record: records_pb2.Record) -> None:
        record.entries[3].action.notation = "9x9"

    change_record(journal, alter)
    assert "entry 4: seat" in sentences(journal, tournament)
    assert "could not play '9x9'" in sentences(journal, tournament)


def test_a_changed_seed_is_found(written: Written) -> None:
    journal, tournament = written()

    def alter(record: records_pb2.Record) -> None:
        record.service_seed = record.deal_seed = bytes(32)

    change_record(journal, alter)
    found = sentences(journal, tournament)
    assert "the service's seed is not the one that was committed to" in found
    assert "it was not dealt from the seed of its block" in found


def test_a_changed_place_is_found(written: Written) -> None:
    journal, tournament = written()
    places = dict(journal.games(0))[KEY].places
    change_result(journal, places=places[::-1])
    assert f"seat 0 is counted at place {places[1]}, the record says {places[0]}" in sentences(journal, tournament)


def test_a_place_changed_in_the_result_and_in_the_record_is_found(written: Written) -> None:
    journal, tournament = written()
    places = dict(journal.games(0))[KEY].places

    def alter(record: records_pb2.Record) -> None:
        for result, place in zip(record.session.outcome.results, reversed(places), strict=True):
            result.place = place

    change_result(journal, places=places[::-1])
    change_record(journal, alter)
    assert f"seat 0 came in at place {places[0]}, the record says {places[1]}" in sentences(journal, tournament)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"points": (99, None)}, "seat 0 is counted with 99 points, the record says "),
        ({"faults": ("", "timeout")}, "seat 1 is counted with timeout, the record says that it had none"),
        ({"faults": ("", "timeout")}, "seat 1: the result says timeout, the list of faults none"),
        ({"moves": 1}, "1 moves are counted, the record has "),
        ({"places": (1, 2, 3)}, "the record has 2 seats, and its result another number"),
    ],
)
def test_whatever_else_was_counted_otherwise_is_found(
    values: dict[str, object], sentence: str, written: Written
) -> None:
    journal, tournament = written()
    change_result(journal, **values)
    assert sentence in sentences(journal, tournament)


def test_a_fault_that_was_taken_off_the_list_or_excused_is_found(written: Written) -> None:
    journal, tournament = written(forfeits="b")
    with sqlite3.connect(journal.path) as connection:
        event, block, game, seat = connection.execute("SELECT event, block, game, seat FROM faults").fetchone()
        connection.execute("DELETE FROM faults WHERE event = ? AND block = ? AND game = ?", (event, block, game))
    connection.close()
    found = sentences(journal, tournament, Key(event, block, game))
    assert found == f"seat {seat}: the result says memory, the list of faults none"


def test_swapped_records_are_found_on_both_sides(written: Written) -> None:
    journal, tournament = written()
    other = Key(0, 1, 1)  # the same deal, with the seats exchanged
    mine, theirs = journal.record(KEY), journal.record(other)
    change(journal, "record", zlib.compress(theirs))
    change(journal, "record", zlib.compress(mine), other)
    findings = verify_journal(journal, tournament).findings
    assert {finding.key for finding in findings} == {str(KEY), str(other)}
    found = [finding.sentence for finding in findings if finding.key == str(KEY)]
    assert "its commitment was made for another game of the schedule" in found
    assert any("sat there in this order, the schedule says" in sentence for sentence in found)


@pytest.mark.parametrize("data", [b"", b"not compressed", zlib.compress(b"\0\1\2"), zlib.compress(b"")])
def test_a_damaged_record_is_found_and_the_others_are_still_checked(data: bytes, written: Written) -> None:
    journal, tournament = written()
    change(journal, "record", data)
    assert sentences(journal, tournament) == "its record cannot be read"


def test_another_key_than_that_of_the_seed_is_found(written: Written) -> None:
    journal, tournament = written(key=bytes(32))
    findings = verify_journal(journal, tournament).findings
    assert findings == (Finding(TOURNAMENT, "its key does not follow from the seed in its file"),)


def test_games_that_the_schedule_does_not_have_are_found(written: Written) -> None:
    journal, tournament = written()
    with sqlite3.connect(journal.path) as connection:
        connection.execute("INSERT INTO games SELECT 0, 99, 0, result, record FROM games WHERE event = 0 LIMIT 1")
        connection.execute("INSERT INTO games SELECT 5, 0, 0, result, record FROM games WHERE event = 0 LIMIT 1")
    connection.close()
    found = {str(finding) for finding in verify_journal(journal, tournament).findings}
    assert found == {"0/99/0: the schedule has no such game", "5/0/0: the tournament has 2 events, counted from 0"}


def test_games_that_are_missing_are_counted(written: Written) -> None:
    journal, tournament = written()
    with sqlite3.connect(journal.path) as connection:
        connection.execute("DELETE FROM games WHERE event = 0 AND block = 1 AND game = 0")
    connection.close()
    verification = verify_journal(journal, tournament)
    assert verification.findings == ()
    assert verification.missing == 1


def test_records_outside_a_tournament_are_named_as_they_are_given(written: Written) -> None:
    journal, _ = written()
    records = [records_pb2.Record.FromString(journal.record(key)) for key in list(journal.all_keys())[:2]]
    records[1].commitment_salt = b"another"
    found = list(verify_records(zip(["one.record", "two.record"], records, strict=True)))
    assert found[0] == Finding("two.record", "the service's seed is not the one that was committed to")
    assert [finding.key for finding in found] == ["two.record"] * 2, found
