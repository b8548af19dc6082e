"""Every check can fail: for each there is a bot that does just one thing wrong."""

import sys

import pytest

from croupier_runner.check_bot import Patience
from croupier_runner.check_bot.checks import CHECKS

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_wrong_bot_fails_and_is_told_why(checked, wrong_command, wrong) -> None:
    """In a sentence about what it did."""
    games = [] if wrong.check == "games" else ["lie"]
    command = wrong_command(wrong.code, wrong.protocol)

    [finding] = await checked(command, wrong.check, protocol=wrong.protocol, games=games)

    assert finding.result == "FAIL", finding
    assert wrong.words in finding.sentence


@pytest.mark.slow
async def test_a_wrong_bot_fails_in_nothing_else(checked, wrong_command, wrong) -> None:
    """Except where the table says so, and but for what is wrong in every game or ends every stream."""
    command = wrong_command(wrong.code, wrong.protocol)

    findings = await checked(command, protocol=wrong.protocol, games=["lie"], patience=Patience())

    failed = {finding.check for finding in findings if finding.result == "FAIL"}
    if wrong.check in ("greets", "games", "quiet"):
        assert wrong.check in failed
    else:
        assert failed == {wrong.check, *wrong.also}


async def test_every_check_has_a_wrong_bot(wrong_checks) -> None:
    assert wrong_checks == {check.id for check in CHECKS}


async def test_a_bot_that_hangs_does_not_hang_the_kit(checked) -> None:
    """Whatever it is waited for: that it connects, that it answers, that it ends."""
    sleeper = ["sleep", "600"]
    soon = Patience(startup_s=0.1, answer_s=0.1, ending_s=0.1)

    findings = await checked(sleeper, patience=soon)
    lines = await checked(sleeper, "games", "closes", "terminates", patience=soon, protocol="stdio")

    assert {finding.result for finding in findings if finding.check != "quiet"} == {"FAIL"}
    assert {finding.result for finding in lines} == {"FAIL"}
    assert all("within 0.1 s" in finding.sentence for finding in findings + lines if finding.result == "FAIL")


async def test_a_bot_that_ends_at_once_is_told_so(checked) -> None:
    [finding] = await checked([sys.executable, "-c", "raise SystemExit('no luck today')"], "games")

    assert finding.result == "FAIL"
    assert "its process ended with exit code 1" in finding.sentence
    assert finding.sentence.endswith("Its last words:\nno luck today")
