"""The random example: knows no game, and is as repeatable as its seed."""

from collections import Counter

import pytest

from croupier.v1 import bots_pb2, turns_pb2
from croupier_client import Turn


@pytest.fixture
def bot(example):
    return example("random_bot").RandomBot


def decision(number: int, seat: int = 0, deal: bytes = b"deal", session_id: str = "s", legal: int = 6) -> Turn:
    raw = turns_pb2.Turn(session_id=session_id, seat=seat, decision_id=number, legal_count=legal)
    return Turn(raw, bots_pb2.Seated(session_id=session_id, seat=seat, seed_commitment=deal))


def test_every_action_is_about_equally_likely(bot) -> None:
    play = bot("1").play
    seen = Counter(play(decision(number)) for number in range(6000))
    assert sorted(seen) == [0, 1, 2, 3, 4, 5]
    assert max(abs(times - 1000) for times in seen.values()) < 150


def test_a_decision_is_made_the_same_way_in_any_order_and_any_session(bot) -> None:
    """Session ids are random and games interleave: neither may change what is played."""
    numbers = range(1, 50)
    forwards = {number: bot("1").play(decision(number)) for number in numbers}
    play = bot("1").play
    assert {number: play(decision(number, session_id="t")) for number in reversed(numbers)} == forwards


@pytest.mark.parametrize("other", [{"seat": 1}, {"deal": b"other"}])
def test_seats_and_deals_are_independent(bot, other) -> None:
    play = bot("1").play
    assert [play(decision(n)) for n in range(50)] != [play(decision(n, **other)) for n in range(50)]


def test_another_seed_is_another_bot(bot) -> None:
    assert [bot("1").play(decision(n)) for n in range(50)] != [bot("2").play(decision(n)) for n in range(50)]


async def test_the_seed_comes_from_the_arguments_or_the_environment(host, turn, start_program, examples, bot) -> None:
    heard = []

    async def script(talk) -> None:
        await talk.greet()
        seated = [bots_pb2.Seated(session_id=f"s{n}", seed_commitment=b"deal") for n in range(20)]
        await talk.say(seated=seated, turns=[turn(n + 1, f"s{n}", legal="abcdef") for n in range(20)])
        heard.append([answer.index for answer in (await talk.hear()).answers])

    host.scripts = [script, script]
    for arguments, environment in ((["--seed", "x"], {}), ([], {"CROUPIER_BOT_SEED": "x"})):
        program = await start_program(str(examples / "random_bot.py"), *arguments, **environment)
        await program.communicate()
        assert program.returncode == 0
    expected = [bot("x").play(decision(n + 1)) for n in range(20)]
    assert heard == [expected, expected]
