"""The images: hadolint, and what can be said of them without building one.

No image is built here, there being no container engine; what their RUN steps do to our wheel was tried by hand.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from croupier_service import __version__

if TYPE_CHECKING:
    from tests.deploy.conftest import Stage, Tool

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = ROOT / "deploy" / "docker" / "Dockerfile"


def pins(lock: Path) -> dict[str, set[str]]:
    """Each pinned package of a lock with its hashes, on whatever system it is wanted."""
    text = re.sub(r"(?m)^ *#.*\n", "", lock.read_text()).replace("\\\n", " ")
    found = {}
    for line in text.splitlines():
        requirement, *hashes = line.split("--hash=")
        found[requirement.partition(";")[0].strip()] = {each.strip() for each in hashes}
    return found


def test_hadolint_finds_nothing(tool: Tool) -> None:
    """The Dockerfile keeps to all of hadolint's rules."""
    done = tool("hadolint", DOCKERFILE)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", ["service", "runner"])
def test_no_image_runs_as_root(stages: dict[str, Stage], name: str) -> None:
    """The user is a number other than 0, so that Kubernetes can tell, and it is said once."""
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", stages[name].last("USER"))
    assert [word for word, _ in stages[name].instructions].count("USER") == 1


def test_everything_in_an_image_is_locked(stages: dict[str, Stage]) -> None:
    """Whatever pip installs comes with hashes or from our own wheel; nothing is fetched otherwise."""
    for stage in stages.values():
        for keyword, rest in stage.instructions:
            if keyword == "RUN":
                assert not re.search(r"curl|wget|apt-get|ADD", rest)
                for command in rest.split("&&"):
                    if " install " in command and "pip" in command:
                        assert "--require-hashes" in command or "--no-index" in command, command


def test_the_images_lock_is_part_of_ours() -> None:
    """Every package in an image has the version and the hashes that the tests run with; run `make lock` if not."""
    ours, images = pins(ROOT / "requirements.lock"), pins(DOCKERFILE.parent / "requirements.lock")
    assert {"grpcio", "psycopg", "uvloop"} <= {name.partition("==")[0] for name in images}
    assert {name: hashes for name, hashes in images.items() if ours.get(name) != hashes} == {}
    assert not {"pytest", "mypy", "ruff"} & {name.partition("==")[0] for name in images}


def test_the_service_runs_without_what_its_image_leaves_out(stages: dict[str, Stage]) -> None:
    """The packages that the service's stage uninstalls are not missed by the service or its health check."""
    removed = re.findall(r"uninstall --yes (.+)", stages["service-packages"].last("RUN"))[0].split()
    without = "".join(f"sys.modules[{name!r}] = None\n" for name in removed)
    script = f"import sys\n{without}import croupier_service.__main__ as service, croupier_service.rpc.healthcheck\n"
    modules = "import croupier_service.store.postgres\nservice.main(['--version'])"
    done = subprocess.run([sys.executable, "-c", script + modules], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == f"croupier-service {__version__}", done.stderr


def test_the_build_is_given_what_it_copies(stages: dict[str, Stage]) -> None:
    """Every path that is copied into a build exists, and .dockerignore lets it through."""
    let_through = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {
        source
        for stage in stages.values()
        for keyword, rest in stage.instructions
        if keyword == "COPY" and not rest.startswith("--from")
        for source in rest.split()[:-1]
    }
    assert copied
    for source in copied:
        assert (ROOT / source).exists(), source
        assert any(source == path or source.startswith(f"{path}/") for path in let_through), source


def test_health_is_asked_where_the_service_listens(stages: dict[str, Stage]) -> None:
    """The health check of the image asks our program at a socket that the image's service listens on."""
    *_, module, target = json.loads(stages["service"].last("HEALTHCHECK").split("CMD", 1)[1])
    assert module == "croupier_service.rpc.healthcheck"
    assert target in stages["service"].variables["CROUPIER_LISTEN"].split(",")


def test_ports_are_those_that_are_listened_on(stages: dict[str, Stage]) -> None:
    """EXPOSE names the port of the service and of its metrics."""
    variables = stages["service"].variables
    listened = [variables["CROUPIER_LISTEN"].split(",")[0], variables["CROUPIER_METRICS_LISTEN"]]
    assert stages["service"].last("EXPOSE").split() == [address.rpartition(":")[2] for address in listened]


def test_no_image_is_whatever_is_latest(
    stages: dict[str, Stage], compose: dict[str, dict[str, dict[str, str]]]
) -> None:
    """Every image that we name has a version; our own have ours."""
    named = [stage.parent for stage in stages.values() if stage.parent not in stages]
    named += [service["image"] for service in compose["services"].values()]
    for image in named:
        _, colon, tag = image.rpartition(":")
        assert colon, image
        assert re.search(r"\d+\.\d+", tag), image
        if image.startswith("croupier"):
            assert tag == __version__
