"""A box shows a program what it needs and no more, hands on its end, and is refused where it cannot be had."""

import asyncio
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

from croupier_runner import sandbox
from croupier_runner.config import LimitsSection
from croupier_runner.errors import ConfigError
from croupier_runner.installations import installations
from croupier_runner.limits import Limits
from croupier_runner.processes import Program
from croupier_runner.sandbox import Sandbox, sandbox_for

STRICT = LimitsSection(sandbox="strict")


async def ended(box: Sandbox, code: str) -> Program:
    program = await Program.start(box.around([sys.executable, "-c", code]), env=os.environ)
    await program.wait()
    await program.stop()
    return program


@pytest.mark.usefixtures("boxes")
@pytest.mark.parametrize(
    ("code", "exit_code"),
    [("raise SystemExit(7)", 7), ("import os, signal; os.kill(os.getpid(), signal.SIGXCPU)", 128 + signal.SIGXCPU)],
)
async def test_the_box_ends_as_what_is_in_it(tmp_path: Path, code: str, exit_code: int) -> None:
    program = await ended(sandbox_for(STRICT, tmp_path), f"import sys; print('last words', file=sys.stderr); {code}")

    assert (program.exit_code, program.stderr) == (exit_code, "last words")


@pytest.mark.usefixtures("boxes")
async def test_a_bot_in_a_box_is_asked_to_end_before_it_is_made_to(tmp_path: Path) -> None:
    """SIGTERM reaches it, though bubblewrap is in between, and its exit code comes back."""
    code = "import signal, sys; signal.signal(signal.SIGTERM, lambda *_: sys.exit(5)); print('up', flush=True)"
    argv = sandbox_for(STRICT, tmp_path).around([sys.executable, "-c", f"{code}\nwhile True: signal.pause()"])
    process = await asyncio.create_subprocess_exec(*argv, stdout=asyncio.subprocess.PIPE, start_new_session=True)
    assert process.stdout is not None
    assert await process.stdout.readline() == b"up\n"
    os.killpg(process.pid, signal.SIGTERM)

    assert await process.wait() == 5


@pytest.mark.usefixtures("boxes")
async def test_a_program_outside_the_system_is_shown_with_all_it_was_installed_with(tmp_path: Path) -> None:
    """And so is what may be read by the file, and nothing else."""
    tool, home, model = tmp_path / "tool", tmp_path / "home", tmp_path / "model"
    for folder in (tool / "bin", tool / "lib", home, model):
        folder.mkdir(parents=True)
    (tool / "lib" / "words").write_text("words")
    (model / "weights").write_text("weights")
    (tmp_path / "other").write_text("private")
    script = tool / "bin" / "tool"
    script.write_text(f"#!/bin/sh\ncat {tool}/lib/words {model}/weights >&2; test ! -e {tmp_path}/other\n")
    script.chmod(0o755)
    box = sandbox_for(LimitsSection(sandbox="strict", readable=["../model"]), home)
    program = await Program.start(box.around([str(script)]), env=os.environ)
    await program.wait()
    await program.stop()

    assert (program.exit_code, program.stderr) == (0, "wordsweights")


def test_an_installation_is_never_so_wide_that_it_holds_what_is_private(tmp_path: Path) -> None:
    """A program in the bin of somebody's home brings its bin, and not the home."""
    folder = tmp_path / "cup"
    (tmp_path / "bin").mkdir()
    folder.mkdir()
    (tmp_path / "bin" / "tool").write_text("#!/bin/sh\n")
    shutil.copy(tmp_path / "bin" / "tool", tmp_path / "alone")

    assert installations("../bin/tool", folder) == [tmp_path / "bin"]
    assert installations("../alone", folder) == [tmp_path / "alone"]
    assert installations("sh", folder) == []


def test_the_tournament_files_and_results_of_the_folder_are_hidden_and_other_toml_is_not(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text("bots = []\n[game]\n")
    (tmp_path / "broken.toml").write_text("seed = ")
    (tmp_path / "Cargo.toml").write_text("[package]\n")
    (tmp_path / "old.results").mkdir()

    assert [path.name for path in sandbox._tournaments(tmp_path)] == ["old.results", "broken.toml", "cup.toml"]


def test_strict_is_refused_where_it_cannot_be_met(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With what is missing and what to do, and never by something less."""
    for name in ("env", "prlimit", "true"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    monkeypatch.setenv("PATH", str(tmp_path))
    sandbox.why_not.cache_clear()
    try:
        with pytest.raises(
            ConfigError, match=r"cannot be met here: .*bwrap.*; install bubblewrap .* sandbox = \"basic\""
        ):
            sandbox_for(STRICT, tmp_path)
    finally:
        sandbox.why_not.cache_clear()


@pytest.mark.usefixtures("boxes")
def test_a_home_is_no_bots_own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "ada"))
    with pytest.raises(ConfigError, match="put the file and the bots into a folder of their own"):
        sandbox_for(STRICT, tmp_path)


@pytest.mark.usefixtures("boxes")
def test_results_or_logs_around_the_bots_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="name another folder with --into or --logs"):
        sandbox_for(STRICT, tmp_path).hiding(tmp_path)


def test_every_level_says_what_is_in_force() -> None:
    said = [Sandbox(level, Limits()).sentence for level in ("off", "basic", "strict")]

    assert [sentence.partition(":")[0] for sentence in said] == ["sandbox off", "sandbox basic", "sandbox strict"]


def test_a_scratch_folder_without_a_box_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="scratch is about boxes, and there are none; set sandbox = 'strict'"):
        LimitsSection(sandbox="basic", scratch="1MiB")


@pytest.mark.parametrize(
    "first",
    [
        "#!/usr/bin/env -Sx=/../../../../../../../../etc/passwd sh",
        "#!/etc/passwd",
        "#!../../../../../../etc/passwd",
        "#!/usr/bin/env ../../../../../../etc/passwd",
        "#!/usr/bin/env own",
    ],
)
def test_nothing_that_a_bot_writes_widens_its_box(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, first: str) -> None:
    """Its first line may name what it likes: only an interpreter by name, found where the organiser looks, counts."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    for name in ("bot", "own"):
        (tmp_path / name).write_text(f"{first}\n")
        (tmp_path / name).chmod(0o755)

    assert installations("./bot", tmp_path) == []


def test_a_link_in_the_folder_of_the_bots_leads_nowhere(tmp_path: Path) -> None:
    """Whoever may put a bot there may put a link there."""
    (tmp_path / "bot").symlink_to("/etc/passwd")

    assert installations("./bot", tmp_path) == []


def test_a_script_gets_the_interpreter_that_it_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As `env` would find it; the folder beside its bin is what was installed with it."""
    folder, tool = tmp_path / "cup", tmp_path / "opt" / "tool"
    folder.mkdir()
    (tool / "bin").mkdir(parents=True)
    (tool / "bin" / "speak").write_text("#!/bin/sh\n")
    (tool / "bin" / "speak").chmod(0o755)
    (folder / "bot").write_text("#!/usr/bin/env speak\n")
    monkeypatch.setenv("PATH", f"{tool}/bin{os.pathsep}{os.environ['PATH']}")

    assert installations("./bot", folder) == [tool]


def test_tournament_files_are_hidden_whatever_the_spelling_and_wherever_they_lie(tmp_path: Path) -> None:
    """Copies that editors leave, and those in folders below."""
    (tmp_path / "sub").mkdir()
    for name in ("cup.TOML", "cup.toml~", "sub/cup.toml.bak"):
        (tmp_path / name).write_text("seed = 1\nbots = []\n[game]\n")
    (tmp_path / "abs.toml").symlink_to("/etc/hostname")

    hidden = list(sandbox._tournaments(tmp_path))
    assert [path.name for path in hidden if path.is_relative_to(tmp_path)] == ["cup.TOML", "cup.toml~", "cup.toml.bak"]
