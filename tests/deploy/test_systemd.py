"""The systemd units, as systemd itself reads them. No unit is started here: init is not systemd's."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.deploy.conftest import Tool

UNITS = Path(__file__).resolve().parents[2] / "deploy" / "systemd"
NAMES = ["croupier-service.service", "croupier-tournament@.service"]


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The units with programs that exist, as verify wants them."""
    folder = shutil.copytree(UNITS, tmp_path / "units")
    for path in folder.rglob("*"):
        if path.is_file():
            path.write_text(re.sub(r"/opt/croupier/bin/[a-z-]+", "/bin/true", path.read_text()))
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_systemd_finds_nothing(tool: Tool, installed: Path, name: str) -> None:
    """`systemd-analyze verify` has nothing to say, the drop-in for TLS included."""
    done = tool("systemd-analyze", "verify", "--man=no", installed / name.replace("@", "@cup"))
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_verify_would_say_something(tool: Tool, installed: Path) -> None:
    """A misspelt directive does not pass, in a unit or in the drop-in."""
    drop_in = installed / "croupier-service.service.d" / "tls.conf"
    drop_in.write_text(drop_in.read_text() + "ProtectSytem=strict\n")
    done = tool("systemd-analyze", "verify", "--man=no", installed / NAMES[0])
    assert "ProtectSytem" in done.stderr


@pytest.mark.parametrize(("name", "most"), [(NAMES[0], 20), (NAMES[1], 45)])
def test_they_are_confined(tool: Tool, tmp_path: Path, name: str, most: int) -> None:
    """What systemd calls exposure stays low: under 2 of 10 for the service, 4.5 where bots in any language must run."""
    unit = shutil.copy(UNITS / name, tmp_path / name.replace("@", "@cup"))
    done = tool("systemd-analyze", "security", "--offline=true", f"--threshold={most}", unit)
    assert done.returncode == 0, done.stdout[-500:] + done.stderr


def lines(*names: str) -> list[tuple[str, str]]:
    """The settings of the service, in order."""
    text = "\n".join((UNITS / name).read_text() for name in names)
    return [
        (key, value) for line in text.splitlines() for key, eq, value in [line.partition("=")] if eq and key[0] != "#"
    ]


def test_every_credential_is_read() -> None:
    """Each file that systemd hands over is named by a flag or variable, and none that it does not."""
    settings = lines(NAMES[0], "croupier-service.service.d/tls.conf")
    loaded = {value.partition(":")[0] for key, value in settings if key == "LoadCredential"}
    named = {word for key, value in settings if key != "LoadCredential" for word in re.findall(r"%d/([\w.-]+)", value)}
    assert loaded == named == {"operator-token", "tls.crt", "tls.key"}


def test_stopping_waits_for_the_drain() -> None:
    """systemd gives the service more time than it takes to drain by itself."""
    from croupier_service.config import Config

    assert float(dict(lines(NAMES[0]))["TimeoutStopSec"]) > Config().drain_s


def test_the_tournament_is_begun_or_resumed(tmp_path: Path) -> None:
    """The unit's command plays the named file at first, and resumes what it left."""
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(UNITS / NAMES[1])
    found = re.fullmatch(r"/bin/sh -c '(.+)' sh %i", unit["Service"]["ExecStart"])
    assert found is not None
    script = found[1].replace("/opt/croupier/bin/croupier", "echo croupier").replace("exec echo", "echo")

    def said() -> str:
        done = subprocess.run(["/bin/sh", "-c", script, "sh", "x"], cwd=tmp_path, capture_output=True, text=True)
        return done.stdout.strip()

    assert said() == "croupier run /etc/croupier/tournaments/x.toml --into cup.results --json"
    (tmp_path / "cup.results").mkdir()
    (tmp_path / "cup.results" / "journal.sqlite").touch()
    assert said() == "croupier resume cup.results --json"
