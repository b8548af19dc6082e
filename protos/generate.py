"""Generates the Python stubs from the protos, as hatchling's build hook and as a command.

The stubs land in clients/python/croupier and are never committed. They are made with the oldest grpcio-tools we
support, because newer generated code refuses an older runtime.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PROTOS = Path(__file__).resolve().parent
STUBS = PROTOS.parent / "clients" / "python"


def generate() -> None:
    """Writes the stubs anew and puts them in place at once: a message that was removed leaves nothing behind."""
    STUBS.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=STUBS, prefix=".stubs-") as folder:
        fresh, stale = Path(folder) / "fresh", Path(folder) / "stale"
        fresh.mkdir()
        _generate_into(fresh)
        if (STUBS / "croupier").exists():
            (STUBS / "croupier").rename(stale)
        (fresh / "croupier").rename(STUBS / "croupier")


def _generate_into(folder: Path) -> None:
    import grpc_tools
    from grpc_tools import protoc

    well_known = Path(grpc_tools.__file__).parent / "_proto"
    arguments = [
        "protoc",
        f"-I{PROTOS}",
        f"-I{well_known}",
        f"--python_out={folder}",
        f"--pyi_out={folder}",
        f"--grpc_python_out={folder}",
        f"--plugin=protoc-gen-mypy_grpc={Path(sys.executable).parent / 'protoc-gen-mypy_grpc'}",
        f"--mypy_grpc_out={folder}",
        *sorted(str(path) for path in (PROTOS / "croupier").rglob("*.proto")),
    ]
    if protoc.main(arguments) != 0:
        raise SystemExit("protoc failed: its message above names the proto file and line to mend")
    for package in [folder / "croupier", *(p for p in (folder / "croupier").rglob("*") if p.is_dir())]:
        (package / "__init__.py").touch()
        (package / "py.typed").touch()


class StubsHook(BuildHookInterface):  # type: ignore[type-arg]
    """Makes the stubs part of every build, editable ones included."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it collects files."""
        if (PROTOS / "croupier").is_dir():
            generate()


if __name__ == "__main__":
    generate()
