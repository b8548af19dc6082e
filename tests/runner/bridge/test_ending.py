"""However a bot or its bridge ends, it is told clearly, and nothing is left behind."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from croupier_runner.bridge import __main__ as bridge
from croupier_runner.bridge.child import BotFault, running

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize(
    ("last_act", "code", "words"),
    [
        ("sys.exit(7)", 7, "the bot ended with exit code 7 before the games were over"),
        ("sys.exit(0)", 121, "does it read lines until there are no more?"),
        ("import os; os.kill(os.getpid(), 9)", 137, "the bot was ended by SIGKILL"),
        ("raise MemoryError", 1, "MemoryError"),
        ("import os; os.close(1); sys.stdin.read()", 120, "the bot closed its stdout"),
        ("[print('x') for _ in range(10**9)]", 120, "the bot wrote 1000 lines in a row that answer nothing"),
        ("sys.stdout.write('x' * 2 * 10**8)", 120, "the bot wrote 1000 lines in a row that answer nothing"),
    ],
)
async def test_the_end_of_a_bot_is_told(ended, start: str, last_act: str, code: int, words: str) -> None:
    """By the exit code, and in a sentence next to what the bot itself wrote to stderr."""
    exit_code, stderr = await ended(start + last_act)

    assert exit_code == code
    assert words in stderr


async def test_a_wrong_first_line_ends_the_bot_at_once(ended) -> None:
    exit_code, stderr = await ended("import sys; print('Welcome to my bot!', flush=True); sys.stdin.read()")

    assert exit_code == 120
    wrong = "expected a JSON object on one line, got 'Welcome to my bot!'"
    assert stderr == f"croupier bridge: the bot does not begin as it should: {wrong}"


async def test_what_is_wrong_with_the_start_is_told(ended, start: str) -> None:
    exit_code, stderr = await ended("", "./no-such-bot")
    assert (exit_code, stderr) == (
        127,
        "croupier bridge: the bot cannot be started: './no-such-bot': No such file or directory",
    )

    exit_code, stderr = await ended(start + "sys.stdin.read()", CROUPIER_TARGET="")
    assert exit_code == 2
    assert "set CROUPIER_TARGET" in stderr


async def test_what_waits_for_a_bot_that_does_not_read_is_bounded() -> None:
    sleeper = [sys.executable, "-c", "import time; time.sleep(600)"]
    async with running(sleeper, os.environ) as child:
        for _ in range(66):
            child.say(b"x" * 2**20)
        with pytest.raises(BotFault, match="does not read its stdin: 64 MiB wait for it") as caught:
            await child.fault

    assert caught.value.exit_code == 120


async def test_a_bot_that_says_nothing_is_reminded_of_its_first_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is seen when the tournament loses its patience."""
    reminded: asyncio.Queue[str] = asyncio.Queue()
    monkeypatch.setattr(bridge, "SILENT_S", 0)
    monkeypatch.setattr(bridge, "complain", reminded.put_nowait)
    sleeper = [sys.executable, "-c", "import time; time.sleep(600)"]
    playing = asyncio.create_task(bridge._play(sleeper, "silent"))
    sentence = await reminded.get()
    playing.cancel()
    await asyncio.wait({playing})

    assert sentence.startswith('the bot has not written its first line yet, which is {"want": {}}')


async def test_the_bot_is_not_given_the_token(ended) -> None:
    """It speaks to the bridge, and so needs none."""
    code = "import os, sys; sys.exit(7 + sum(key in os.environ for key in ('CROUPIER_TOKEN', 'CROUPIER_TARGET')))"
    exit_code, _ = await ended(code)

    assert exit_code == 7


STUBBORN = """
import json, signal, subprocess, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
held = open({fifo!r}, "w")
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], pass_fds=[held.fileno()])
print(json.dumps({{"want": {{}}}}), flush=True)
held.write("here\\n")
held.flush()
while True: signal.pause()
"""


@pytest.mark.parametrize(("number", "exit_code"), [(signal.SIGTERM, 0), (signal.SIGKILL, -9)])
async def test_nothing_is_left_when_the_bridge_is_ended(house, tmp_path: Path, number: int, exit_code: int) -> None:
    """Not a bot that ignores SIGTERM, nor what it started: the pipe ends when the last that holds it has ended."""
    fifo = tmp_path / "held"
    os.mkfifo(fifo)
    await house.seat(sys.executable, "-c", STUBBORN.format(fifo=str(fifo)))
    held = await asyncio.to_thread(open, fifo, "rb")
    assert await asyncio.to_thread(held.readline) == b"here\n"
    bridge = house.programs[0]
    os.kill(bridge.pid, number)

    assert await asyncio.to_thread(held.read) == b""
    held.close()
    await bridge.wait()
    assert bridge.exit_code == exit_code
