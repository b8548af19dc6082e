"""The bots of clients/stdio keep what docs/stdio.md asks of a bot, and play every game to its end."""

import json
import shutil
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from croupier_games import GAMES

LANGUAGES = ["shell", "awk", "perl", "c"]
AWKS = {"mawk": "mawk", "gawk": "gawk", "busybox": "busybox awk", "original-awk": "original-awk"}
WANT = {"want": {"view": False, "legal": False, "events": False}}
COMMITMENT = sha256(b"a deal").hexdigest()
SEATS = {game_id: max(2, game.min_seats) for game_id, game in GAMES.items()}


def line(**values: Any) -> str:
    """A line as the bridge writes it."""
    return json.dumps(values, separators=(",", ":"), ensure_ascii=False)


def seated(session: str = "s-_1", seat: int = 0, commitment: str = COMMITMENT, **more: Any) -> str:
    values = {"game": "lie", "version": 1, "options": {"joker_ones": False}, "names": ["a", "b"]}
    return line(type="seated", session=session, seat=seat, **values, commitment=commitment, **more)


def turn(decision: int, session: str = "s-_1", seat: int = 0, legal_count: int = 7, **more: Any) -> str:
    place = {"session": session, "seat": seat, "decision": decision, "legal_count": legal_count}
    return line(type="turn", **place, time_left_ms=None, **more)


def choices(said: list[str]) -> dict[tuple[str, int, int], int]:
    """What a bot chose, by decision; its first line is what all of them want."""
    wanted, *answers = map(json.loads, said)
    assert wanted == WANT
    return {(each["session"], each["seat"], each["decision"]): each["choose"] for each in answers}


@pytest.mark.parametrize("language", LANGUAGES)
def test_plays_every_game_with_no_fault(language: str, command, bots_folder: Path, tmp_path: Path) -> None:
    """In a real tournament, many games at once, in both seats; no line of it is refused."""
    argv = json.dumps(command(language))
    games = "".join(f'[[game]]\nid = "{game_id}"\nseats = {seats}\n' for game_id, seats in SEATS.items())
    bots = "".join(f'[[bots]]\nname = "{name}"\nprotocol = "stdio"\ncommand = {argv}\n' for name in ("one", "two"))
    cup = bots_folder / f"cup_of_{language}.toml"
    cup.write_text(f'name = "{language}"\nseed = 8\nblocks = 2\n{games}{bots}')
    happened = tournament(cup, tmp_path)

    assert [each for each in happened if each["event"] in ("fault", "trouble")] == []
    assert Counter(each["game"] for each in happened if each["event"] == "game") == dict.fromkeys(SEATS, 4)
    assert (tmp_path / "logs" / "one.log").read_text() == ""


def test_the_cup_of_the_folder_seats_all_of_them(command, bots_folder: Path, tmp_path: Path) -> None:
    for language in LANGUAGES:
        command(language)
    happened = tournament(bots_folder / "cup.toml", tmp_path)
    events = happened[-1]["standings"]["events"]
    assert len(events) == len(GAMES)
    for event in events:
        assert {row["bot"]: row["faults"] for row in event["rows"]} == {language: {} for language in LANGUAGES}


def tournament(cup: Path, folder: Path) -> list[dict[str, Any]]:
    """All that happens in a tournament."""
    options = ["--json", "--into", "results", "--logs", "logs"]
    program = [sys.executable, "-m", "croupier_runner.cli", "run", str(cup), *options]
    done = subprocess.run(program, cwd=folder, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(each) for each in done.stdout.splitlines()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_ignores_what_a_newer_bridge_may_say(language: str, command, talk) -> None:
    """Unknown lines, unknown keys, names that look like keys, and lines of 100 KB change no answer."""
    argv = command(language)
    plain = [line(type="hello", protocol=1, name="b"), seated(), *(turn(n) for n in range(1, 30))]
    tricky = ['"session":"zz","seat":9,"commitment":"00"', 'é\\"']
    newer = [
        line(type="hello", protocol=1, name="b", moods=[{"type": "turn"}]),
        line(type="weather", session="s-_1", seat=0, text="x" * 100_000),
        seated(hosts=tricky, more={"deep": [None]}).replace('["a","b"]', json.dumps(tricky, separators=(",", ":"))),
        *(turn(n, mood="x" * 100_000, view={"seat": 3, "decision": 4}) for n in range(1, 30)),
        line(type="refused", session=None, seat=None, decision=None, reason="NOT_UNDERSTOOD", message="…"),
    ]
    assert choices(talk(argv, newer)) == choices(talk(argv, plain))


@pytest.mark.parametrize("language", LANGUAGES)
def test_plays_a_thousand_games_at_once(language: str, command, talk) -> None:
    """Every turn gets the answer of its own session and seat, which is legal."""
    places = [(f"session-{number}", number % 3) for number in range(1000)]
    lines = [seated(*place) for place in places]
    lines += [turn(decision, *place, legal_count=decision) for decision in (1, 2, 3) for place in places]
    lines += [line(type="game_over", session=session, seat=seat, places=None) for session, seat in places]
    made = choices(talk(command(language), lines))
    assert list(made) == [(*place, decision) for decision in (1, 2, 3) for place in places]
    assert all(0 <= choice < decision for (_, _, decision), choice in made.items())


@pytest.mark.parametrize("language", LANGUAGES)
def test_chooses_every_action_equally_often(language: str, command, talk) -> None:
    """Also pairs of choices in a row: chi-squared, at a level of one in 10,000, for one fixed seed."""
    made = list(choices(talk(command(language), [seated(), *(turn(n) for n in range(1, 7001))])).values())
    assert chi_squared(Counter(made), 7) < 27.9
    assert chi_squared(Counter(pairwise(made)), 49) < 93.2


def chi_squared(counted: Counter[Any], kinds: int) -> float:
    expected = counted.total() / kinds
    return sum((count - expected) ** 2 / expected for count in counted.values()) + (kinds - len(counted)) * expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_seed_decides(language: str, command, talk) -> None:
    argv, lines = command(language), [seated(), *(turn(n) for n in range(1, 50))]
    first, again, other = (choices(talk(argv, lines, seed)) for seed in ("7", "7", "4611686018427387904"))
    assert first == again
    assert first != other


@pytest.mark.parametrize("language", ["awk", "perl", "c"])
def test_a_deal_is_played_the_same_way_in_whatever_order_turns_come(language: str, command, talk) -> None:
    """The session's id is another one each time, and another seat or another deal is played otherwise."""
    argv, numbers = command(language), range(1, 50)
    straight = choices(talk(argv, [seated("one"), *(turn(n, "one") for n in numbers)]))
    lines = [seated("two"), seated("two", 1), seated("else", commitment="00" * 32)]
    lines += [turn(n, *place) for n in reversed(numbers) for place in (("two", 1), ("else", 0), ("two", 0))]
    mixed = choices(talk(argv, lines))
    played = [straight["one", 0, n] for n in numbers]
    assert [mixed["two", 0, n] for n in numbers] == played
    assert [mixed["two", 1, n] for n in numbers] != played
    assert [mixed["else", 0, n] for n in numbers] != played


def test_perl_draws_the_lots_of_the_python_bot(command, talk) -> None:
    """As clients/python/examples/random_bot.py computes them."""
    made = choices(talk(command("perl"), [seated(seat=2), *(turn(n, seat=2) for n in range(1, 50))], "77"))
    for (_, seat, decision), choice in made.items():
        key = b"77/%b/%d/%d" % (bytes.fromhex(COMMITMENT), seat, decision)
        assert choice == int.from_bytes(sha256(key).digest()[:8], "big") % 7


@pytest.mark.parametrize("program", AWKS)
def test_every_awk_draws_the_same_lots(program: str, command, talk, tmp_path: Path) -> None:
    """Whatever `awk` means on a machine, its doubles are exact enough."""
    if shutil.which(program) is None:
        pytest.skip(f"NOT TESTED: the stdio bot in {program}: {program} is missing on this machine")
    (tmp_path / "awk").write_text(f'#!/bin/sh\nexec {AWKS[program]} "$@"\n')
    (tmp_path / "awk").chmod(0o755)
    made = choices(talk(command("awk"), [seated(), *(turn(n) for n in range(1, 50))], "77", str(tmp_path)))
    assert list(made.values()) == [lot_of_awk(f"77/0/{n}/{COMMITMENT}", 7) for n in range(1, 50)]


def lot_of_awk(words: str, bound: int) -> int:
    """The lot that random_bot_awk.sh draws, in whole numbers."""
    prime, state = 67_108_859, 0
    for letter in words:
        state = pow(state + 1 + "/0123456789abcdef".index(letter), 3, prime)
    return state * bound // prime


@pytest.mark.parametrize("language", LANGUAGES)
def test_answers_at_once(language: str, command, bots_folder: Path) -> None:
    """Before it reads the next line, and before its stdin ends: nothing is held back on the way in or out."""
    argv = command(language)
    with subprocess.Popen(argv, cwd=bots_folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as bot:
        assert bot.stdin is not None
        assert bot.stdout is not None
        assert json.loads(bot.stdout.readline()) == WANT
        for decision in (1, 2, 3):
            bot.stdin.write(turn(decision) + "\n")
            bot.stdin.flush()
            assert json.loads(bot.stdout.readline())["decision"] == decision
        bot.stdin.close()
        assert bot.wait() == 0
