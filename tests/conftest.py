"""What tests of several folders share: a package from outside, installed as a stranger would; a PostgreSQL server."""

import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.postgres_server import ABSENT, PROGRAMS, PostgresServer

OUTSIDE = Path(__file__).parent / "games" / "outside"


@pytest.fixture(scope="session")
def outside_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for PYTHONPATH that holds the game SEALED as an installed package: code, stubs, entry point.

    Its id is `sealed`; its messages are in `outside.games.sealed.v1.sealed_pb2`."""
    site = tmp_path_factory.mktemp("outside_site")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(OUTSIDE / "src", site, dirs_exist_ok=True, ignore=ignored)
    _write_stubs(OUTSIDE / "protos", site)
    _write_metadata(OUTSIDE / "pyproject.toml", site)
    return site


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A real PostgreSQL server."""
    if PROGRAMS is None:
        pytest.skip(ABSENT)
    server = PostgresServer()
    yield server
    server.close()


def _write_stubs(protos: Path, site: Path) -> None:
    from grpc_tools import protoc

    sources = sorted(str(path) for path in protos.rglob("*.proto"))
    assert protoc.main(["protoc", f"-I{protos}", f"--python_out={site}", *sources]) == 0


def _write_metadata(pyproject: Path, site: Path) -> None:
    """What an installer leaves behind for `importlib.metadata`."""
    project = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    name, version = project["name"].replace("-", "_"), project["version"]
    info = site / f"{name}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {version}\n")
    groups = project["entry-points"].items()
    lines = [f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in entries.items()) for group, entries in groups]
    (info / "entry_points.txt").write_text("\n".join(lines))
