"""Every command line of deploy/ is given to the real parser of the service, in the environment it would have there."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from croupier_service.__main__ import parse
from croupier_service.tokens import new_token

if TYPE_CHECKING:
    from tests.deploy.conftest import Release, Stage

    from croupier_service.config import Config

UNITS = Path(__file__).resolve().parents[2] / "deploy" / "systemd"


@pytest.fixture
def parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What the service makes of flags and variables; the operator's token is wherever it is looked for."""
    token = tmp_path / "token"
    token.write_text(new_token())

    def read(flags: list[str], variables: dict[str, str]) -> Config:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        assert_flags_in_full(flags)
        here = [re.sub(r"(?<=^--operator-token-file=).*", str(token), flag) for flag in flags]
        config, _ = parse(here)
        return config

    return read


def croupier_variables(stage: Stage) -> dict[str, str]:
    """Those of the image that the service reads."""
    return {name: value for name, value in stage.variables.items() if name.startswith("CROUPIER_")}


@cache
def help_text() -> str:
    """What the service says of itself, in one line."""
    command = [sys.executable, "-m", "croupier_service", "--help"]
    return re.sub(r"\s+", " ", subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def known_variables() -> set[str]:
    """Every variable that the service's help names."""
    return set(re.findall(r"CROUPIER_[A-Z_]+", help_text()))


def assert_flags_in_full(flags: list[str]) -> None:
    """The parser would take abbreviations, which the next flag that begins alike makes ambiguous."""
    known = set(re.findall(r"--[a-z-]+", help_text()))
    assert {flag.partition("=")[0] for flag in flags} - known == set()


def assert_ports(config: Config) -> None:
    assert config.listen[0].removeprefix("mtls:") == "0.0.0.0:7017"
    assert config.listen[1] == "unix:/run/croupier/service.sock"
    assert config.metrics_listen == "0.0.0.0:9017"
    assert config.log_format == "json"


def test_the_image(stages: dict[str, Stage], parsed: Any) -> None:
    """The image alone keeps its sessions in a file, and every variable it sets is one that the service knows."""
    variables = croupier_variables(stages["service"])
    assert variables.keys() <= known_variables()
    config = parsed([], variables)
    assert_ports(config)
    assert config.store == "sqlite:/var/lib/croupier/sessions.sqlite"


def test_compose(stages: dict[str, Stage], compose: dict[str, Any], parsed: Any) -> None:
    """The replicas of the compose file share a database and want the operator's token."""
    for name in ("service-1", "service-2"):
        config = parsed(compose["services"][name]["command"], croupier_variables(stages["service"]))
        assert_ports(config)
        assert config.store.startswith("postgresql://")
        assert config.operator_token


def test_chart(stages: dict[str, Stage], release: Release, parsed: Any) -> None:
    """The chart's arguments, with each values file."""
    arguments = [word.replace("$(POD_NAME)", "demo-croupier-0") for word in release.container["args"]]
    config = parsed(arguments, croupier_variables(stages["service"]))
    assert_ports(config)
    assert config.operator_token
    assert (config.tls is not None) == ("everything" in release.values.name)


@pytest.mark.parametrize("secure", [False, True], ids=["in the clear", "TLS"])
def test_systemd(parsed: Any, secure: bool) -> None:
    """The unit's command and variables, with the drop-in for TLS and without."""
    unit = (UNITS / "croupier-service.service").read_text()
    flags = re.findall(r"(?m)^ExecStart=\S+/croupier-service (.+)$", unit)[0].replace("%d", "/credentials").split()
    drop_in = (UNITS / "croupier-service.service.d" / "tls.conf").read_text() if secure else ""
    variables = dict(
        word.split("=", 1) for line in re.findall(r"(?m)^Environment=(.+)$", drop_in) for word in line.split()
    )
    assert variables.keys() <= known_variables()
    config = parsed(flags, variables)
    assert (config.tls is not None) == secure
    assert config.operator_token
