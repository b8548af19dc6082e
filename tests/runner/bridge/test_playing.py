"""Bots that speak JSON lines play real games, and what one does wrong costs only itself."""

import asyncio
import json
import re
import sys
from pathlib import Path

import pytest

from croupier.v1 import sessions_pb2

pytestmark = pytest.mark.asyncio(loop_scope="session")

DOCS = Path(__file__).parents[3] / "docs" / "stdio.md"


def documented(language: str) -> str:
    """The bot in that language that docs/stdio.md shows."""
    found = re.search(rf"```{language}\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    return found[1]


def causes(session: sessions_pb2.Session) -> list[int]:
    return [result.forfeit_cause for result in session.outcome.results]


async def test_the_documented_bots_are_short_and_play_any_game_many_at_once(house) -> None:
    """Plain Python and a POSIX shell, no more than 30 lines each, against each other."""
    bots = documented("python"), documented("sh")
    assert all(len(bot.splitlines()) <= 30 for bot in bots)
    seats = await house.seat(sys.executable, "-c", bots[0]), await house.seat("sh", "-c", bots[1])
    games = ["lie", "ten", "seventeen", "twice_as_clever"] * 2
    sessions = await asyncio.gather(*(house.play(*seats, game_id=game_id) for game_id in games))

    for session in sessions:
        assert session.state == sessions_pb2.SESSION_STATE_FINISHED
        assert causes(session) == [sessions_pb2.FORFEIT_CAUSE_UNSPECIFIED] * 2
    assert [program.stderr for program in house.programs] == ["", ""]


async def test_a_bot_hears_of_its_game_from_the_first_line_to_the_last(house, start: str) -> None:
    """The lines are those that docs/stdio.md shows, key by key."""
    code = start.replace("'view': False", "") + (
        "kinds = {}\n"
        "for m in messages:\n"
        "    kinds.setdefault(m['type'], m)\n"
        "    if m['type'] == 'turn': say(answer(m, m['legal'][0] if 'refused' in kinds or m['seat'] else 10**6))\n"
        "    if m['type'] == 'game_over': break\n"
        "with open('heard', 'w') as file: json.dump(kinds, file)\n"
    )
    bot = await house.seat_python(code)
    await house.play(bot, bot)
    await house.programs[0].wait()

    heard = json.loads((house.folder / "heard").read_text())
    shown = [json.loads(line) for line in re.findall(r'^{"type".*}$', DOCS.read_text(encoding="utf-8"), re.MULTILINE)]
    assert {kind: list(line) for kind, line in heard.items()} == {line["type"]: list(line) for line in shown}
    assert (heard["hello"]["name"], heard["seated"]["game"]) == ("bot-0", "lie")
    assert heard["seated"]["names"] == ["bot-0", "bot-0"]
    assert heard["turn"]["view"]["round"]["number"] == 1
    assert heard["turn"]["view"]["bids"] == []
    assert heard["refused"]["reason"] == "BAD_CHOICE"
    assert sorted(heard["game_over"]["places"]) == [1, 2]


async def test_a_wrong_choice_is_an_illegal_move(house, start: str) -> None:
    """Whatever it is, it costs the bot that game, for the service counts it, and nothing else."""
    code = start + (
        "wrong = [99999, -1, True, None, 'no such thing', {}, 1.5, 'x' * 60_000]\n"
        "choices = {}\n"
        "for m in messages:\n"
        "    if m['type'] == 'seated': choices[m['session']] = wrong[len(choices)]\n"
        "    if m['type'] == 'turn': say(answer(m, choices[m['session']]))\n"
    )
    wrong, right = await house.seat_python(code), await house.seat_python(documented("python"))
    sessions = await asyncio.gather(*(house.play(wrong, right) for _ in range(8)))
    await house.programs[0].stop()

    expected = [sessions_pb2.FORFEIT_CAUSE_ILLEGAL, sessions_pb2.FORFEIT_CAUSE_UNSPECIFIED]
    assert [causes(session) for session in sessions] == [expected] * 8
    assert house.programs[0].exit_code == 0
    assert "croupier: refused BAD_CHOICE" in house.programs[0].stderr


async def test_lines_that_answer_nothing_are_refused_and_disturb_nothing(house, start: str) -> None:
    """Chatter, overlong lines, answers given twice and answers to nothing, all around the right ones."""
    code = start + (
        "reasons = []\n"
        "for m in messages:\n"
        "    if m['type'] == 'refused': reasons.append(m['reason'])\n"
        "    if m['type'] == 'turn':\n"
        "        for line in ('thinking…', '[]', '', 'x' * 100_000, {**answer(m, 0), 'seat': 7}): say(line)\n"
        "        say(answer(m, 0)); say(answer(m, 0))\n"
        "    if m['type'] == 'game_over': break\n"
        "print(*sorted(set(reasons)), file=sys.stderr); sys.exit(5)\n"
    )
    bot, other = await house.seat_python(code), await house.seat_python(documented("python"))
    session = await house.play(bot, other)
    program = house.programs[0]
    await program.wait()

    assert causes(session) == [sessions_pb2.FORFEIT_CAUSE_UNSPECIFIED] * 2
    assert program.exit_code == 5
    assert "NOT_UNDERSTOOD STALE_DECISION" in program.stderr
    assert "expected a JSON object on one line, got 'thinking\\u2026'" in program.stderr
    assert program.stderr.count("croupier bridge:") == 7  # five, that there are more, and the end


async def test_a_slow_game_does_not_hold_up_the_others(house, start: str) -> None:
    """A bot that never answers in one game plays the other one to its end."""
    code = start + (
        "silent = None\n"
        "for m in messages:\n"
        "    if m['type'] == 'seated' and 'two' in m['names']: silent = m['session']\n"
        "    if m['type'] == 'turn' and m['session'] != silent: say(answer(m, 0))\n"
    )
    bot, other = await house.seat_python(code), await house.seat_python(documented("python"))
    two = sessions_pb2.SeatPlan(name="two", token=other.token)
    stuck = await house.client.create_session("lie", [bot, two])
    session = await house.play(bot, other)
    still = await house.client.get_session(stuck.session.session_id)

    assert causes(session) == [sessions_pb2.FORFEIT_CAUSE_UNSPECIFIED] * 2
    assert still.state == sessions_pb2.SESSION_STATE_RUNNING
    await house.client.abort_session(still.session_id, stuck.owner_token)
