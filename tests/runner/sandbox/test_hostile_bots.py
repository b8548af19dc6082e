"""A hostile bot in its box is contained, named in the faults if it costs it anything, and costs nobody else a move."""

import json
import os
import secrets
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

GAMES = 4


@pytest.fixture
def port() -> Iterator[int]:
    """Of somebody who listens on this machine."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def unharmed(played: Any) -> None:
    """The innocent bot has played all its games."""
    innocent = played.rows["innocent"]
    assert (innocent["games"], innocent["faults"]) == (GAMES, {})


def fault_of(played: Any, cause: str) -> dict[str, Any]:
    """The fault that cost the hostile bot all its games, and the other one nothing."""
    unharmed(played)
    assert played.rows["innocent"]["wins"] == GAMES
    assert played.rows["hostile"]["faults"] == {cause: GAMES}
    fault: dict[str, Any] = played.faults[0]
    return fault


@pytest.mark.usefixtures("boxes")
def test_a_bot_that_looks_around_sees_nothing_but_its_own(cup: Any, port: int) -> None:
    """No password, seed, journal, log, token, network or variable of the organiser; its code and a scratch folder."""
    played = cup.run("strict", "snoop.py", str(port))

    unharmed(played)
    found = json.loads(played.log())
    assert {what for what, got in found.items() if got} == {"own code", "scratch"}
    assert played.faults == []


def test_without_a_box_the_same_bot_sees_all_there_is(cup: Any, port: int) -> None:
    """So the test before this one would notice a box that holds nothing."""
    played = cup.run("off", "snoop.py", str(port))

    found = json.loads(played.log())
    assert {what for what, got in found.items() if got} >= set(found) - {"shadow"}
    assert found["shadow"] == (os.getuid() == 0)


@pytest.mark.usefixtures("boxes")
def test_a_bot_that_comes_with_another_token_gets_no_seat_with_it(cup: Any) -> None:
    """It finds no other bot's token (see above), and one that it makes up holds no seat."""
    played = cup.run("strict", "pretends.py")

    unharmed(played)
    assert "seated as another" not in played.log()
    assert played.faults == []


@pytest.mark.usefixtures("boxes")
def test_a_bot_that_speaks_lines_is_in_the_box_and_its_bridge_is_not(cup: Any) -> None:
    """It plays, though it has neither the socket nor the token."""
    played = cup.run("strict", "lines.py", protocol="stdio")

    unharmed(played)
    seen = json.loads(played.log())
    assert seen["sockets"] == []
    assert {name for name in seen["env"] if name.startswith("CROUPIER_")} == {"CROUPIER_NAME", "CROUPIER_BOT_SEED"}
    assert "SECRET_OF_THE_ORGANISER" not in seen["env"]
    assert played.faults == []


@pytest.mark.usefixtures("boxes")
def test_a_bot_that_forks_endlessly_is_refused_and_crashes(cup: Any) -> None:
    """Also if root runs the tournament, whose processes the kernel does not count."""
    fault = fault_of(cup.run("strict", "forks.py"), "crash")

    assert "refused another process" in fault["detail"]
    assert "Resource temporarily unavailable" in fault["last_words"]


@pytest.mark.parametrize("level", ["basic", "strict"])
@pytest.mark.usefixtures("boxes")
def test_a_bot_that_fills_memory_is_refused_it(cup: Any, level: str) -> None:
    fault = fault_of(cup.run(level, "glutton.py", limits='memory = "256MiB"'), "memory")

    assert "it was refused memory" in fault["detail"]
    assert "MemoryError" in fault["last_words"]


@pytest.mark.parametrize(("how", "limit"), [("one", "limits.file_size"), ("many", "limits.scratch")])
@pytest.mark.usefixtures("boxes")
def test_a_bot_that_fills_the_disk_fills_its_own(cup: Any, how: str, limit: str) -> None:
    sizes = 'file_size = "4MiB"\nscratch = "8MiB"'
    fault = fault_of(cup.run("strict", "fills_disk.py", how, limits=sizes), "crash")

    assert limit in fault["detail"]


@pytest.mark.parametrize("level", ["basic", "strict"])
@pytest.mark.usefixtures("boxes")
def test_a_bot_that_uses_up_its_cpu_time_is_ended(cup: Any, level: str) -> None:
    fault = fault_of(cup.run(level, "spins.py", limits='cpu = "3s"'), "crash")

    assert "its CPU time was used up (limits.cpu)" in fault["detail"]


@pytest.mark.usefixtures("boxes")
def test_a_bot_cannot_kill_its_siblings(cup: Any) -> None:
    mark = secrets.token_hex(8)
    played = cup.run("strict", "kills.py", mark, mark=mark)

    unharmed(played)
    assert played.faults == []


def test_without_a_box_it_can(cup: Any) -> None:
    """So the test before this one would notice a box that holds nothing."""
    mark = secrets.token_hex(8)
    played = cup.run("off", "kills.py", mark, mark=mark)

    assert {fault["bot"] for fault in played.faults} == {"innocent"}
    assert "SIGKILL" in played.faults[0]["detail"]


@pytest.mark.usefixtures("boxes")
def test_nothing_is_left_of_a_bot_that_does_not_want_to_end(cup: Any, tmp_path: Path) -> None:
    """Not even what it started in a session of its own: the pipe ends when the last that holds it has ended."""
    os.mkfifo(tmp_path / "held")
    with open(os.open(tmp_path / "held", os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0) as held:
        played = cup.run("strict", "stubborn.py")

        unharmed(played)
        assert played.faults == []
        os.set_blocking(held.fileno(), True)
        assert held.readall().startswith(b"here\n")


@pytest.mark.usefixtures("boxes")
def test_a_bot_that_floods_its_stdout_fills_nothing(cup: Any) -> None:
    played = cup.run("strict", "floods.py")

    unharmed(played)
    assert played.faults == []
    assert len(played.log()) < 17 * 2**20


@pytest.mark.usefixtures("boxes")
def test_a_bot_that_floods_the_bridge_has_a_fault_of_protocol(cup: Any) -> None:
    fault = fault_of(cup.run("strict", "floods_lines.py", protocol="stdio"), "protocol")

    assert "a line is longer than" in fault["last_words"]
