"""A person plays against bots in real processes, and leaves nothing behind."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from croupier_games import GAMES
from croupier_runner.errors import ConfigError
from croupier_runner.person import sit_down
from croupier_runner.record_files import read_record
from croupier_runner.records import verify

Scripted = Callable[..., Any]
SEED = bytes([3]) * 32


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("game_id", GAMES)
async def test_a_person_plays_any_game_to_its_end_and_is_told_how_it_ended(
    game_id: str, scripted: Scripted, started: list[int], tmp_path: Path
) -> None:
    terminal = scripted()
    file = tmp_path / "game.record"
    record = await sit_down(game_id, 2, {}, [0], {}, SEED, terminal, record_to=file)
    assert record is not None
    assert verify(record) == []
    assert read_record(file) == record
    assert record.service_seed == SEED
    assert f"{GAMES[game_id].title}. You sit in seat 0." in terminal.text
    assert "· " in terminal.text
    assert "The game is over: " in terminal.text
    assert "1. " in terminal.text
    assert "The record holds" in terminal.text
    assert f"croupier verify {file}" in terminal.text
    assert "Traceback" not in terminal.text
    assert len(started) >= 3  # keeper, service, opponent
    assert not [pid for pid in started if alive(pid)]


async def test_wrong_input_gets_a_sentence_and_is_asked_again(scripted: Scripted) -> None:
    terminal = scripted("nonsense", "999", "?", "rules", "table", "show", "", "resign")
    record = await sit_down("lie", 2, {}, [0], {}, SEED, terminal)
    assert record is not None
    assert "'nonsense' is no action that you may play now" in terminal.text
    assert "There is no action 999; the numbers are 1 to" in terminal.text
    assert "a beginning   lists the actions that begin so" in terminal.text
    assert "docs/rules/lie.md" in terminal.text
    assert "joker_ones = " in terminal.text
    assert "You resign" in terminal.text
    assert terminal.text.count("Your hand: ") >= 2
    assert [result.place for result in record.session.outcome.results] == [2, 1]
    assert "2. you      (seat 0)  resigned" in terminal.text


async def test_several_people_share_a_terminal_and_decide_at_once(scripted: Scripted) -> None:
    terminal = scripted("1", "", "1", then="quit")
    assert await sit_down("lie", 2, {}, [0, 1], {}, SEED, terminal) is None
    assert "Seat 1 is asked: press Enter when the others look away." in terminal.text
    assert "seat 0> 1" in terminal.text
    assert "seat 1> 1" in terminal.text
    assert "All hands are arranged." in terminal.text


async def test_a_person_sees_no_more_than_the_service_shows_that_seat(scripted: Scripted) -> None:
    terminal = scripted(then="quit")
    await sit_down("lie", 2, {}, [1], {}, SEED, terminal)
    state = GAMES["lie"].new(seats=2, seed=SEED)
    assert GAMES["lie"].render(state.view(1)) in terminal.text
    own, other = (GAMES["lie"].render(state.view(seat)).split("Your hand: ")[1] for seat in (1, 0))
    assert own in terminal.text
    assert other not in terminal.text


@pytest.mark.parametrize("leaving", ["quit", None], ids=["quit", "the end of input"])
async def test_who_leaves_leaves_in_good_order(leaving: str | None, scripted: Scripted, started: list[int]) -> None:
    terminal = scripted(then=leaving)
    assert await sit_down("seventeen", 2, {}, [0], {}, SEED, terminal) is None
    assert "You leave the table; the game has no result." in terminal.text
    assert len(started) >= 3
    assert not [pid for pid in started if alive(pid)]


async def test_an_interrupt_ends_every_process(scripted: Scripted, started: list[int]) -> None:
    terminal = scripted()
    sitting = asyncio.ensure_future(sit_down("seventeen", 3, {}, [0], {}, SEED, terminal))
    terminal.on_read = sitting.cancel
    with pytest.raises(asyncio.CancelledError):
        await sitting
    assert len(started) >= 4
    assert not [pid for pid in started if alive(pid)]


async def test_a_bot_that_crashes_does_not_keep_the_person_waiting(scripted: Scripted, tmp_path: Path) -> None:
    (tmp_path / "crash.py").write_text(
        "from croupier_client import run\ndef play(turn): raise SystemExit(7)\nrun(play)\n"
    )
    terminal = scripted()
    record = await sit_down(
        "lie", 2, {"start_seat": 1}, [0], {1: ["python", "crash.py"]}, SEED, terminal, folder=tmp_path
    )
    assert record is not None
    assert "crash 1 is gone (its process ended with exit code 7); the house plays on for it" in terminal.text
    assert [result.place for result in record.session.outcome.results] == [1, 2]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"game_id": "whist"}, "there is no game 'whist'"),
        ({"seats": 9}, "lie has 2 to 6 seats, got 9"),
        ({"options": {"jokers": True}}, "lie has no option 'jokers'"),
        ({"person_seats": [2]}, "there is no seat 2; the seats are 0 to 1"),
        ({"person_seats": []}, "nobody sits down"),
        ({"opponents": {0: ["python"]}}, "seat 0 is taken twice"),
        ({"opponents": {1: ["./no-such-bot"]}}, "bot 'no-such-bot 1' cannot be started"),
    ],
    ids=str,
)
async def test_what_cannot_be_played_is_said(
    wrong: dict[str, Any], sentence: str, scripted: Scripted, started: list[int]
) -> None:
    table: dict[str, Any] = {"game_id": "lie", "seats": 2, "options": {}, "person_seats": [0], "opponents": {}}
    with pytest.raises(ConfigError, match=sentence.replace("(", r"\(")):
        await sit_down(**(table | wrong), seed=None, terminal=scripted())
    assert not [pid for pid in started if alive(pid)]
