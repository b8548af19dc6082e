"""The protos: their style, their stubs, and the promise that a released wire API only grows."""

import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROTOS = ROOT / "protos"
STUBS = ROOT / "clients" / "python"
BUF = Path(sys.executable).parent / "buf"

BOTS = "croupier/v1/bots.proto"
TURNS = "croupier/v1/turns.proto"
NEW_RPC = "  // New.\n  rpc Rest(Hello) returns (Hello);"


@pytest.fixture
def protos(tmp_path: Path) -> Path:
    """A copy of the protos to spoil, nothing of it released yet."""
    copy = shutil.copytree(PROTOS, tmp_path / "protos", ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "released.binpb").unlink(missing_ok=True)
    return copy


def run(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)


def breaking(protos: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, protos / "breaking.py", *arguments)


def edit(protos: Path, name: str, old: str, new: str) -> None:
    path = protos / name
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_nothing_released_is_nothing_to_break(protos: Path) -> None:
    """Before the first release the comparison says so in one sentence and passes."""
    compared = breaking(protos)
    assert compared.returncode == 0
    assert compared.stdout.count("\n") == 1
    assert "released yet" in compared.stdout


def test_a_released_api_may_grow(protos: Path) -> None:
    """A new field, message and call pass after a release; so does the API as it was."""
    assert breaking(protos, "--release").returncode == 0
    assert breaking(protos).returncode == 0
    edit(
        protos,
        TURNS,
        "  optional uint64 time_left_ms = 9;\n",
        "  optional uint64 time_left_ms = 9;\n  // New.\n  bool new = 100;\n",
    )
    edit(protos, BOTS, "returns (stream PlayResponse);", f"returns (stream PlayResponse);\n{NEW_RPC}")
    compared = breaking(protos)
    assert compared.returncode == 0, compared.stdout


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        (TURNS, "  uint32 legal_count = 6;\n", "", "legal_count"),
        (TURNS, "uint32 legal_count = 6;", "uint32 legal_count = 16;", "legal_count"),
        (TURNS, "uint32 legal_count = 6;", "uint64 legal_count = 6;", "legal_count"),
        (TURNS, "uint32 legal_count = 6;", "uint32 legal_total = 6;", "legal_count"),
        (TURNS, "  LEGAL_DETAIL_COUNT = 3;\n", "", "LegalDetail"),
        (BOTS, "rpc Play(", "rpc Playing(", "Play"),
        (BOTS, "message Welcome {", "message Greeting {", "Welcome"),
    ],
    ids=[
        "removed field",
        "other number",
        "other type",
        "other name",
        "removed value",
        "renamed rpc",
        "renamed message",
    ],
)
def test_a_released_api_does_not_break(protos: Path, name: str, old: str, new: str, said: str) -> None:
    """What a client relies on cannot be removed, renumbered, retyped or renamed, and what was is named."""
    assert breaking(protos, "--release").returncode == 0
    edit(protos, name, old, new)
    if said == "Welcome":
        edit(protos, name, "  Welcome welcome = 1;", "  Greeting welcome = 1;")
    compared = breaking(protos)
    assert compared.returncode != 0
    assert said in compared.stdout + compared.stderr


def test_our_protos_are_in_style_and_break_nothing() -> None:
    """The protos as they are pass buf's standard rules, have a comment on everything, and break no release."""
    linted = run(BUF, "lint", PROTOS)
    assert linted.returncode == 0, linted.stdout
    compared = breaking(PROTOS)
    assert compared.returncode == 0, compared.stdout


def test_every_field_has_a_comment(protos: Path) -> None:
    """A field that nobody explains does not pass."""
    edit(protos, TURNS, "  uint64 next_event = 8;\n", "  uint64 next_event = 8;\n  bool unexplained = 100;\n")
    linted = run(BUF, "lint", protos)
    assert linted.returncode != 0
    assert "unexplained" in linted.stdout


def test_the_stubs_are_those_of_the_protos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stubs that everything here runs with are what the protos give when they are generated anew."""
    spec = spec_from_file_location("generate_stubs", PROTOS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    generator = module_from_spec(spec)
    spec.loader.exec_module(generator)
    monkeypatch.setattr(generator, "STUBS", tmp_path)
    generator.generate()
    fresh, installed = stubs_in(tmp_path), stubs_in(STUBS)
    assert fresh
    assert sorted(fresh) == sorted(installed)
    outdated = [name for name in fresh if fresh[name] != installed[name]]
    assert outdated == [], "the protos have changed since the stubs were made; run: make lint"


def stubs_in(folder: Path) -> dict[str, bytes]:
    paths = [path for path in (folder / "croupier").rglob("*") if path.suffix in (".py", ".pyi")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}
