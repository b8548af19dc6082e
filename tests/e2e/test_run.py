"""`croupier run` as its users meet it: the real program, the real service, real bots as processes."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

BOTS = {
    "random": """
        import os, random
        from croupier_client import run
        chance = random.Random(int(os.environ["CROUPIER_BOT_SEED"]))
        run(lambda turn: chance.randrange(turn.legal_count), view=False, legal="count", events=False)
    """,
    "first": """
        from croupier_client import run
        run(lambda turn: 0, view=False, legal="count", events=False)
    """,
    "crash": """
        import os, sys
        from croupier_client import run
        def play(turn):
            sys.stderr.write("the roof is on fire")
            sys.stderr.flush()
            os._exit(7)
        run(play)
    """,
    "garbage": """
        from croupier_client import run
        run(lambda turn: "no such action")
    """,
    "silent": """
        import asyncio
        from croupier_client import run
        async def play(turn):
            await asyncio.sleep(600)
            return 0
        run(play)
    """,
    "absent": """
        import sys, time
        sys.stderr.write("looking for the door")
        sys.stderr.flush()
        time.sleep(600)
    """,
    "stillborn": """
        raise SystemExit("I was never any good")
    """,
    "talker": """
        from croupier_client import run
        print("good evening")
        run(lambda turn: 0)
    """,
    "quitter": """
        def play(turn):
            return 0
    """,
    "service_killer": """
        import os, pathlib, signal
        from croupier_client import run
        note = pathlib.Path("killed")
        def service():
            for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
                text = stat.read_text()
                if int(text.rpartition(")")[2].split()[1]) == os.getppid():
                    command = stat.with_name("cmdline").read_bytes()
                    if b"croupier_service" in command:
                        return int(stat.parent.name)
        def play(turn):
            if not note.exists():
                note.touch()
                os.kill(service(), signal.SIGKILL)
            return 0
        run(play)
    """,
    "parent": """
        import os, subprocess, sys
        from croupier_client import run
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        with open("pids", "a") as file:
            file.write(f"{os.getpid()} {child.pid} ")
        run(lambda turn: 0)
    """,
}

Cup = Callable[..., Path]


@pytest.fixture
def cup(tmp_path: Path) -> Cup:
    """Writes a tournament of the named bots and returns its file."""

    def write(*bots: str, blocks: int = 3, seats: int = 2, move: str = "20s", top: str = "", more: str = "") -> Path:
        lines = [f'name = "cup"\nseed = 5\nblocks = {blocks}\n{top}\n[game]\nid = "lie"\nseats = {seats}']
        lines.append(f'[clock]\nmove = "{move}"\n{more}')
        for number, bot in enumerate(bots):
            code = BOTS[bot].replace("\n        ", "\n")
            (tmp_path / f"{bot}_bot.py").write_text(code)
            lines.append(f'[[bots]]\nname = "{bot}{number}"\ncommand = ["python", "{bot}_bot.py"]')
        file = tmp_path / "cup.toml"
        file.write_text("\n".join(lines))
        return file

    return write


def croupier(command: str, where: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs the program to its end, beside the tournament file."""
    words = [sys.executable, "-m", "croupier_runner.cli", command, str(where), *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, timeout=100, check=False, cwd=where.parent)


def happenings(result: subprocess.CompletedProcess[str], event: str) -> list[dict[str, Any]]:
    """The JSON lines of one kind."""
    assert result.returncode == 0, result.stderr
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    return [line for line in lines if line["event"] == event]


def standings(result: subprocess.CompletedProcess[str]) -> dict[str, dict[str, Any]]:
    """The rows of the only event, by bot."""
    (end,) = happenings(result, "end")
    return {row["bot"]: row for row in end["standings"]["events"][0]["rows"]}


def alive(pid: int) -> bool:
    """Whether the process runs; one that only waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def started_by(pid: int) -> list[int]:
    """The processes whose parent that is."""
    children = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        if parent == pid:
            children.append(int(stat.parent.name))
    return children


def test_a_tournament_is_played_to_a_rated_result(cup: Cup) -> None:
    result = croupier("run", cup("random", "random", "first"))

    assert result.returncode == 0, result.stderr
    for word in ("random0", "random1", "first2", "Elo", "18 games", "9 of these games were verified", "report.html"):
        assert word in result.stdout
    assert "18 of 18 games played" in result.stderr


def test_json_is_all_that_stdout_gets_and_progress_is_silent(cup: Cup) -> None:
    result = croupier("run", cup("random", "first"), "--json")

    rows = standings(result)
    assert result.stderr == ""
    assert {row["games"] for row in rows.values()} == {6}
    assert sum(row["elo"]["value"] for row in rows.values()) == pytest.approx(3000, abs=0.02)
    games = happenings(result, "game")
    assert [game["done"] for game in games] == [1, 2, 3, 4, 5, 6]
    assert {game["key"] for game in games} == {f"0/{block}/{game}" for block in range(3) for game in range(2)}


def test_tables_of_three_play_every_order_of_a_block(cup: Cup) -> None:
    rows = standings(croupier("run", cup("random", "first", "random", blocks=2, seats=3), "--json"))

    assert {row["games"] for row in rows.values()} == {12}


def test_deterministic_bots_make_the_same_standings_whatever_the_concurrency(cup: Cup) -> None:
    bots = ("first", "first", "first")
    files = []
    for concurrency in (1, 16):
        file = cup(*bots, more=f"[limits]\nconcurrency = {concurrency}")
        assert croupier("run", file, "--fresh").returncode == 0
        files.append((file.with_suffix(".results") / "standings.json").read_bytes())

    assert files[0] == files[1]


def test_a_crash_costs_its_games_is_explained_and_stops_nothing(cup: Cup) -> None:
    result = croupier("run", cup("random", "first", "crash", blocks=4, more="[limits]\nconcurrency = 2"), "--json")

    rows = standings(result)
    assert rows["crash2"]["wins"] == 0
    assert rows["crash2"]["faults"] == {"crash": 16}
    assert rows["random0"]["faults"] == rows["first1"]["faults"] == {}
    faults = happenings(result, "fault")
    assert {fault["bot"] for fault in faults} == {"crash2"}
    assert {fault["detail"] for fault in faults} == {"its process ended with exit code 7"}
    assert {fault["last_words"] for fault in faults} == {"the roof is on fire"}


def test_at_a_larger_table_the_others_play_on_after_a_crash(cup: Cup) -> None:
    rows = standings(croupier("run", cup("random", "first", "crash", blocks=1, seats=3), "--json"))

    assert rows["crash2"]["mean_place"] == 3.0
    assert rows["crash2"]["faults"] == {"crash": 6}


def test_garbage_is_an_illegal_answer_that_forfeits_and_is_explained(cup: Cup) -> None:
    result = croupier("run", cup("random", "garbage"), "--json")
    rows = standings(result)

    assert rows["garbage1"]["faults"] == {"illegal": 6}
    assert rows["random0"]["wins"] == 6
    faults = happenings(result, "fault")
    assert {fault["bot"] for fault in faults} == {"garbage1"}
    assert all("refused BAD_CHOICE" in fault["last_words"] for fault in faults)


def test_a_bot_that_thinks_for_ever_runs_out_of_time_and_hears_the_limit(cup: Cup) -> None:
    result = croupier("run", cup("random", "silent", blocks=1, move="1s"))

    assert result.returncode == 0, result.stderr
    assert "timeout 2" in result.stdout
    assert "silent1, block 1, game 1: timeout, it did not answer in time (1 s for each decision)" in result.stdout


def test_logs_hold_all_that_bots_print(cup: Cup, tmp_path: Path) -> None:
    result = croupier("run", cup("talker", "garbage", blocks=1), "--logs", tmp_path / "logs")

    assert result.returncode == 0, result.stderr
    files = {file.name: file.read_text() for file in (tmp_path / "logs").iterdir()}
    assert files.keys() == {"talker0.log", "garbage1.log", "croupier-service.log"}
    assert files["talker0.log"].startswith("good evening\n")
    assert "refused BAD_CHOICE" in files["garbage1.log"]


def test_a_bot_that_never_connects_is_named_with_its_last_words(cup: Cup) -> None:
    result = croupier("run", cup("absent", "random", top='startup = "3s"'))

    assert result.returncode == 1
    assert "bot 'absent0' did not connect within 3 s" in result.stderr
    assert "looking for the door" in result.stderr


def test_a_bot_that_ends_before_it_connects_is_named_with_its_last_words(cup: Cup) -> None:
    result = croupier("run", cup("random", "stillborn"))

    assert result.returncode == 1
    assert "bot 'stillborn1' ended with exit code 1 before it connected" in result.stderr
    assert "I was never any good" in result.stderr


def test_a_bot_that_only_defines_play_is_told_what_is_missing(cup: Cup) -> None:
    result = croupier("run", cup("random", "quitter"))

    assert result.returncode == 1
    assert "bot 'quitter1' ended with exit code 0 before it connected; does it call run(play)?" in result.stderr


@pytest.mark.parametrize(
    ("text", "mode", "advice"),
    [
        ("#!/bin/sh\n", 0o600, "Permission denied; allow it with chmod +x"),
        ("print()\n", 0o700, "Exec format error; say in its first line what runs it"),
        ("#!/no/such/python\n", 0o700, "the program that its first line (#!…) names is not"),
    ],
)
def test_a_script_that_cannot_be_started_is_named_with_what_to_do(cup: Cup, text: str, mode: int, advice: str) -> None:
    file = cup("random", "first")
    script = file.parent / "script"
    script.write_text(text)
    script.chmod(mode)
    file.write_text(file.read_text().replace('"python", "first_bot.py"', '"./script"'))
    result = croupier("run", file)

    assert result.returncode == 2
    assert advice in result.stderr


def test_a_command_that_does_not_exist_is_a_usage_error(cup: Cup) -> None:
    file = cup("random", "first")
    file.write_text(file.read_text().replace('"python", "first_bot.py"', '"./no-such-bot"'))
    result = croupier("run", file)

    assert result.returncode == 2
    assert "bot 'first1' cannot be started: './no-such-bot': No such file or directory" in result.stderr


class Running:
    """A tournament that would last for hours, past its first tenth of a thousandth."""

    def __init__(self, file: Path) -> None:
        command = [sys.executable, "-m", "croupier_runner.cli", "run", str(file)]
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            cwd=file.parent,
        )
        self._pids = file.parent / "pids"

    def wait_for_bots(self, count: int) -> list[int]:
        """The processes of the bots and of what they started, once all are there and the service is too."""
        while True:
            assert self.process.poll() is None, self.process.communicate()[1]
            pids = self._pids.read_text().split() if self._pids.exists() else []
            if len(pids) == 2 * count:
                return [int(pid) for pid in pids] + started_by(self.process.pid)


@pytest.fixture
def running(cup: Cup) -> Iterator[Running]:
    """A long tournament of bots that start processes of their own."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run under nohup
    tournament = Running(cup("parent", "parent", blocks=1_000_000))
    signal.signal(signal.SIGHUP, before)
    yield tournament
    if tournament.process.poll() is None:
        tournament.process.terminate()
    tournament.process.wait()
    if tournament.process.stderr is not None:
        tournament.process.stderr.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_ends_every_process(running: Running, number: signal.Signals) -> None:
    pids = running.wait_for_bots(2)
    assert len(set(pids)) == 6, "two bots, what each started, the service and the keeper"
    running.process.send_signal(number)
    _, said = running.process.communicate(timeout=60)

    assert running.process.returncode == 130
    assert "interrupted; every process was ended; go on with croupier resume cup.results" in said
    assert [pid for pid in pids if alive(pid)] == []


def test_a_terminal_that_is_gone_keeps_nothing_alive(running: Running) -> None:
    """Closing a terminal sends SIGHUP, and from then on nothing can be written to it."""
    pids = running.wait_for_bots(2)
    assert running.process.stderr is not None
    running.process.stderr.close()
    running.process.send_signal(signal.SIGHUP)

    assert running.process.wait(timeout=60) == 130
    assert [pid for pid in pids if alive(pid)] == []


def test_interrupting_again_and_again_changes_nothing(running: Running) -> None:
    pids = running.wait_for_bots(2)
    while running.process.poll() is None:
        running.process.send_signal(signal.SIGINT)

    assert running.process.returncode == 130
    assert [pid for pid in pids if alive(pid)] == []


def test_an_interrupt_while_the_program_loads_is_one_line() -> None:
    """The handler is there before the heavy modules are: a finder notices the first of them and interrupts."""
    code = """
import os, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from croupier_runner.cli import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)

    assert (done.returncode, done.stderr) == (130, "croupier: interrupted\n")


def test_a_runner_that_is_killed_leaves_nothing_behind(running: Running) -> None:
    """kill -9 of the runner: the keeper ends the service, the bots and what they started."""
    pids = running.wait_for_bots(2)
    running.process.kill()
    running.process.wait()
    while any(alive(pid) for pid in pids):
        pass  # the test's own time limit is the bound


def test_a_service_that_dies_is_no_bots_fault(cup: Cup) -> None:
    """It is started again, the games under way are played again, and no bot has a fault."""
    file = cup("service_killer", "random", blocks=4)
    result = croupier("run", file, "--json")

    assert (file.parent / "killed").exists()
    (trouble,) = happenings(result, "trouble")
    assert re.match(r"the service was ended by SIGKILL; this is no bot's fault", trouble["sentence"])
    rows = standings(result)
    assert {row["games"] for row in rows.values()} == {8}
    assert [row["faults"] for row in rows.values()] == [{}, {}]


def test_a_service_that_dies_again_and_again_stops_the_tournament(cup: Cup) -> None:
    file = cup("service_killer", "random", blocks=4)
    result = croupier("run", file)
    # the bot kills the service once; without its note that it did, it would do so for ever
    bot = file.parent / "service_killer_bot.py"
    bot.write_text(bot.read_text().replace("not note.exists()", "True"))
    result = croupier("run", file, "--fresh")

    assert result.returncode == 3
    assert "the service was ended by SIGKILL; this is no bot's fault" in result.stderr
    assert "Traceback" not in result.stderr
