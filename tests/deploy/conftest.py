"""The files of deploy/ as their readers see them, the tools that check them, and the real service as they start it.

No container, cluster or init system runs here: what is tested is that every file is valid for those that read it, that
what it says of our programs is true, and that our programs do what it relies on.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
CHART = DEPLOY / "helm" / "croupier"

Tool: TypeAlias = "Callable[..., subprocess.CompletedProcess[str]]"


@pytest.fixture(scope="session")
def tool() -> Tool:
    """Runs a program of the development environment, or skips the test by its name."""

    def run(name: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        beside = Path(sys.executable).parent / name
        program = str(beside) if beside.exists() else shutil.which(name)
        if program is None:
            pytest.skip(f"{name} is missing")
        return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)

    return run


@dataclass
class Stage:
    """One image of a Dockerfile: what it is made from, and its instructions in order."""

    parent: str
    instructions: list[tuple[str, str]] = field(default_factory=list)

    def last(self, keyword: str) -> str:
        """The instruction that counts; empty if there is none."""
        return next((rest for word, rest in reversed(self.instructions) if word == keyword), "")

    @property
    def variables(self) -> dict[str, str]:
        """What ENV sets."""
        words = [word for keyword, rest in self.instructions if keyword == "ENV" for word in rest.split()]
        return dict(word.split("=", 1) for word in words)


@pytest.fixture(scope="session")
def stages() -> dict[str, Stage]:
    """The stages of the Dockerfile, by name."""
    lines = (DEPLOY / "docker" / "Dockerfile").read_text().splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#")).replace("\\\n", " ")
    stages: dict[str, Stage] = {}
    for line in filter(str.strip, text.splitlines()):
        keyword, rest = line.split(maxsplit=1)
        if keyword == "FROM":
            parent, _, name = rest.split()
            stages[name] = Stage(parent)
        else:
            list(stages.values())[-1].instructions.append((keyword, rest))
    return stages


@pytest.fixture(scope="session")
def compose() -> dict[str, Any]:
    """The compose file with its anchors resolved."""
    return dict(yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text()))


def _values_files() -> list[Path]:
    return sorted((CHART / "ci").glob("*-values.yaml"))


class Release:
    """The chart as it would be installed with one values file."""

    def __init__(self, values: Path, text: str) -> None:
        self.values = values
        self.text = text
        self.resources: list[dict[str, Any]] = [each for each in yaml.safe_load_all(text) if each]

    def all(self, kind: str) -> list[dict[str, Any]]:
        """The resources of one kind."""
        return [each for each in self.resources if each["kind"] == kind]

    @property
    def pod(self) -> dict[str, Any]:
        """The template of a replica."""
        (replicas,) = self.all("StatefulSet")
        return dict(replicas["spec"]["template"])

    @property
    def container(self) -> dict[str, Any]:
        """The service in it."""
        (container,) = self.pod["spec"]["containers"]
        return dict(container)


@pytest.fixture(scope="session", params=_values_files(), ids=lambda path: path.name.removesuffix("-values.yaml"))
def release(request: pytest.FixtureRequest, tool: Tool) -> Release:
    """The chart, with each of its values files."""
    done = tool("helm", "template", "demo", CHART, "--namespace", "games", "--values", request.param)
    assert done.returncode == 0, done.stderr
    return Release(request.param, done.stdout)


class Program:
    """The real service as a process of its own, listening where it is told."""

    def __init__(self, flags: tuple[str, ...], variables: dict[str, str]) -> None:
        read_end, write_end = os.pipe()
        command = [sys.executable, "-m", "croupier_service", f"--ready-fd={write_end}", "--metrics-listen=off", *flags]
        self.process = subprocess.Popen(
            command,
            env=os.environ | variables,
            pass_fds=[write_end],
            start_new_session=True,
            stdout=subprocess.DEVNULL,
        )
        os.close(write_end)
        with os.fdopen(read_end) as ready:
            assert ready.read() == "ready\n"

    def kill(self) -> None:
        """Ends it for good, if it has not."""
        self.process.kill()
        self.process.wait()


Start: TypeAlias = "Callable[..., Program]"


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts services, which serve when it returns, and end with the test."""
    programs: list[Program] = []

    def started(*flags: str, **variables: str) -> Program:
        programs.append(Program(flags, variables))
        return programs[-1]

    yield started
    for program in programs:
        program.kill()
