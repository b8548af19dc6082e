"""A game from another package arrives through its entry point and passes the same suite."""

import os
import subprocess
import sys
from pathlib import Path


def run(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(site)}
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=False)


def test_the_installed_game_passes_the_suite(outside_site: Path) -> None:
    done = run(outside_site, "-m", "croupier_games.conformance", "check", "sealed")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "sealed: 35 of 35 checks passed" in done.stdout


def test_the_installed_game_stands_beside_our_own(outside_site: Path) -> None:
    code = "from croupier_games import GAMES, installed_games; print(*GAMES); print(*installed_games())"
    done = run(outside_site, "-c", code)
    assert done.returncode == 0, done.stderr
    ours, all_games = done.stdout.splitlines()
    assert all_games.split() == [*ours.split(), "sealed"]


def test_its_messages_have_the_names_of_its_values(outside_site: Path) -> None:
    """What the wire needs: package and module by convention, a field per action and event class, the same fields."""
    code = """
from importlib import import_module
from outside_sealed import SEALED, components
package = SEALED.wire_package
messages = import_module(f"{package}.{package.split('.')[-2]}_pb2")
assert messages.DESCRIPTOR.package == package
assert list(messages.View.DESCRIPTOR.fields_by_name) == list(components.View._fields)
assert {field.message_type.name for field in messages.Action.DESCRIPTOR.fields} == {"Offer", "Pass"}
for field in messages.Event.DESCRIPTOR.fields:
    kind = getattr(components, field.message_type.name)
    assert list(field.message_type.fields_by_name) == list(kind._fields)
assert {value.number for value in messages.Phase.DESCRIPTOR.values} == {0, *components.Phase}
"""
    done = run(outside_site, "-W", "error", "-c", code)
    assert done.returncode == 0, done.stderr
