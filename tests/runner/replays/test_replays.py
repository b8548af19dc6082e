"""A record can be stepped through: every position is the one the rules come to, and the captions say who did what."""

import os
import random
from collections.abc import Iterable
from pathlib import Path

import pytest
from google.protobuf import json_format

from croupier.v1 import catalog_pb2, records_pb2, sessions_pb2
from croupier_games import GAMES, State
from croupier_runner.errors import ConfigError, RecordFault
from croupier_runner.record_files import read_record, write_record
from croupier_runner.replays import frames, step_through
from croupier_runner.web import Frame

SEED = bytes([5]) * 32


def started(game_id: str) -> tuple[records_pb2.Record, State]:
    game = GAMES[game_id]
    state = game.new(seats=2, seed=SEED)
    record = records_pb2.Record(deal_seed=SEED, service_seed=SEED)
    record.session.game_id, record.session.game_version = game.id, game.version
    record.session.seats.add(name="ada")
    record.session.seats.add(name="bob")
    for name, value in state.options.items():
        kind = "flag" if isinstance(value, bool) else "number" if isinstance(value, int) else "text"
        record.session.options[name].CopyFrom(catalog_pb2.OptionValue(**{kind: value}))
    return record, state


def played(game_id: str) -> tuple[records_pb2.Record, list[State]]:
    """A game to its end, and the states it went through."""
    record, state = started(game_id)
    states = [state.clone()]
    chance = random.Random(5)
    while state.deciders:
        seat = chance.choice(state.deciders)
        action = chance.choice(state.legal(seat))
        record.entries.add(action={"seat": seat, "notation": str(action), "chooser": records_pb2.CHOOSER_SEAT})
        state.play(seat, action)
        states.append(state.clone())
    assert state.outcome is not None
    record.session.outcome.reason = state.outcome.reason
    for result in state.outcome.results:
        record.session.outcome.results.add(place=result.place, points=result.points)
    return record, states


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("seat", [None, 1])
def test_every_position_is_the_one_of_the_rules(game_id: str, seat: int | None) -> None:
    record, states = played(game_id)
    shown = frames(record, seat)
    assert [frame.text for frame in shown[:-1]] == [GAMES[game_id].render(state.view(seat)) for state in states]
    assert shown[-1].text == shown[-2].text
    assert shown[0].caption.startswith(f"{GAMES[game_id].title} is dealt.")
    for frame, entry in zip(shown[1:], record.entries, strict=False):
        name = ("ada", "bob")[entry.action.seat]
        assert frame.caption.startswith(f"{name} (seat {entry.action.seat}) plays {entry.action.notation}.")
    assert shown[-1].caption.startswith(f"The game is over: {record.session.outcome.reason}")
    assert "1. " in shown[-1].caption


def test_spectators_are_told_no_secrets_and_a_seat_is_told_its_own() -> None:
    record, _ = played("lie")
    assert not any("You are dealt" in frame.caption for frame in frames(record))
    assert "You are dealt" in frames(record, 0)[0].caption
    assert frames(record, 0)[0].text != frames(record, 1)[0].text


def test_forfeits_forced_actions_and_the_house_are_named() -> None:
    record, state = started("lie")
    for chooser in (records_pb2.CHOOSER_FORCED, records_pb2.CHOOSER_HOUSE):
        seat = state.deciders[0]
        action = state.legal(seat)[0]
        record.entries.add(action={"seat": seat, "notation": str(action), "chooser": chooser})
        state.play(seat, action)
    record.entries.add(forfeit={"seat": 1, "cause": sessions_pb2.FORFEIT_CAUSE_CRASHED})
    captions = [frame.caption for frame in frames(record)]
    assert " (forced)." in captions[1]
    assert " (the house)." in captions[2]
    assert captions[3] == "bob (seat 1) crashed and forfeits."


def test_a_record_that_cannot_be_replayed_is_said_to_be_so() -> None:
    record, _ = played("lie")
    record.entries[2].action.notation = "9x9"
    with pytest.raises(RecordFault, match=r"entry 3 of the record cannot be played: .*; see croupier verify"):
        frames(record)
    record.deal_seed = b"short"
    with pytest.raises(RecordFault, match="the record cannot be dealt again: a seed has 32 bytes, got 5"):
        frames(record)
    record.session.game_version += 1
    with pytest.raises(RecordFault, match="it was played by version"):
        frames(record)
    record.session.game_id = "whist"
    with pytest.raises(RecordFault, match="there is no game 'whist' here"):
        frames(record)
    with pytest.raises(RecordFault, match="there is no seat 2; the seats are 0 to 1"):
        frames(record, 2)


class Typist:
    """A terminal that types what it is told."""

    size = os.terminal_size((80, 24))

    def __init__(self, lines: Iterable[str], *, interactive: bool = True) -> None:
        self._lines = iter(lines)
        self.interactive = interactive
        self.written: list[str] = []

    async def read_line(self, prompt: str) -> str:
        line = next(self._lines, None)
        if line is None:
            raise EOFError
        return line

    def write(self, text: str) -> None:
        self.written.append(text)


STEPS = [Frame(f"step {number}", f"position {number}") for number in (1, 2, 3)]


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        (["", "n", "q"], ["step 1", "step 2", "step 3"]),
        (["n", "p"], ["step 1", "step 2", "step 1"]),
        (["g 3", "g1", "2", "Q", "n"], ["step 1", "step 3", "step 1", "step 2"]),
        (["p", "n"], ["step 1", "This is the beginning", "step 2"]),
        (["g 3", "n"], ["step 1", "step 3", "This is the end"]),
        (
            ["g 9", "what"],
            ["step 1", "There is no 9; the positions are 1 to 3", "'what' is not known here. Enter or n"],
        ),
    ],
    ids=str,
)
async def test_a_person_steps_to_and_fro(typed: list[str], shown: list[str]) -> None:
    terminal = Typist(typed)
    await step_through(STEPS, terminal)
    assert len(terminal.written) == len(shown)
    assert [text for text, part in zip(terminal.written, shown, strict=True) if part not in text] == []


async def test_where_nobody_can_ask_everything_is_printed() -> None:
    terminal = Typist([], interactive=False)
    await step_through(STEPS, terminal)
    assert terminal.written == [f"\n{n}/3  step {n}\n\nposition {n}\n" for n in (1, 2, 3)]


@pytest.mark.parametrize("name", ["game.record", "game.json"])
def test_a_record_is_read_by_its_content_whatever_its_name(name: str, tmp_path: Path) -> None:
    record, _ = played("lie")
    write_record(tmp_path / name, record)
    (tmp_path / name).rename(tmp_path / "renamed")
    assert read_record(tmp_path / "renamed") == record
    assert (tmp_path / "renamed").read_bytes().startswith(b"{") == name.endswith("json")


def test_json_that_begins_with_a_blank_line_is_read(tmp_path: Path) -> None:
    record, _ = played("lie")
    (tmp_path / "file").write_text("\n" + json_format.MessageToJson(record))
    assert read_record(tmp_path / "file") == record


@pytest.mark.parametrize("data", [b"", b"{}", b'{"no": "record"}', b"\xff\xfe", b"any text", b'{"entries": 7'])
def test_what_is_no_record_is_said_to_be_none(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(ConfigError, match="is no record of a game"):
        read_record(tmp_path / "file")


def test_a_record_that_is_not_there_or_would_be_overwritten_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*: No such file"):
        read_record(tmp_path / "none")
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ConfigError, match="is there already"):
        write_record(tmp_path / "file", records_pb2.Record())
    assert (tmp_path / "file").read_text() == "mine"
