"""The compose file and what it mounts. It is not brought up here, there being no container engine."""

from __future__ import annotations

import importlib.util
import shutil
import stat
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from croupier_runner.config import parse, read
from croupier_service.tokens import hash_token

if TYPE_CHECKING:
    from tests.deploy.conftest import Stage, Tool

FOLDER = Path(__file__).resolve().parents[2] / "deploy" / "compose"


@pytest.fixture
def secrets_folder(tmp_path: Path) -> Path:
    """What make_secrets.py makes."""
    spec = importlib.util.spec_from_file_location("make_secrets", FOLDER / "make_secrets.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert len(module.make(tmp_path / "secrets")) == 4
    before = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    (tmp_path / "secrets" / "pg_service").unlink()
    assert module.make(tmp_path / "secrets") == ["pg_service"]
    assert before == {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    return tmp_path / "secrets"


def test_it_is_a_compose_file(tool: Tool) -> None:
    """The schema of the Compose Specification takes it."""
    done = tool("check-jsonschema", "--builtin-schema", "vendor.compose-spec", FOLDER / "compose.yaml")
    assert done.returncode == 0, done.stdout


def test_what_is_mounted_is_there(compose: dict[str, Any]) -> None:
    """Every file of ours that is mounted exists and is read-only; every volume is declared."""
    for name, service in compose["services"].items():
        for mount in service.get("volumes", []):
            source, target, *mode = mount.split(":")
            assert target.startswith("/")
            if source.startswith("."):
                assert (FOLDER / source).exists(), f"{name}: {source}"
                assert mode == ["ro"], f"{name}: {source}"
            else:
                assert source in compose["volumes"]


def test_every_secret_is_made_declared_and_used(compose: dict[str, Any], secrets_folder: Path) -> None:
    """The secrets that are made are those that are declared; a service names each that it is given, and no other."""
    declared = {name: FOLDER / about["file"] for name, about in compose["secrets"].items()}
    assert {path.name for path in declared.values()} == {path.name for path in secrets_folder.iterdir()}
    used = set()
    for service in compose["services"].values():
        said = [*service.get("command", []), *service.get("environment", {}).values()]
        named = {word.rpartition("/run/secrets/")[2] for word in said if "/run/secrets/" in word}
        assert named == set(service.get("secrets", []))
        used |= named
    assert used == set(declared)


def test_no_secret_stands_in_the_environment(compose: dict[str, Any]) -> None:
    """Variables that are about passwords or tokens name files."""
    for service in compose["services"].values():
        for variable, value in service.get("environment", {}).items():
            if any(word in variable for word in ("PASSWORD", "TOKEN", "SECRET")):
                assert variable.endswith("_FILE")
                assert value.startswith("/run/secrets/")


def test_the_secrets_are_good_and_kept(secrets_folder: Path) -> None:
    """The service takes the token; containers can read the files, and nobody else gets into their folder."""
    hash_token((secrets_folder / "operator_token").read_text().strip())
    password = (secrets_folder / "postgres_password").read_text().strip()
    assert (secrets_folder / "pg_service").read_text() == f"[croupier]\npassword={password}\n"
    assert stat.S_IMODE(secrets_folder.stat().st_mode) == 0o700
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o644 for path in secrets_folder.iterdir())


def test_replicas_are_reached_where_they_say(compose: dict[str, Any]) -> None:
    """Each replica advertises its own name; Prometheus scrapes all of them, at the port the image opens."""
    replicas = {name: s for name, s in compose["services"].items() if s["image"].startswith("croupier-service")}
    assert len(replicas) == 2
    for name, replica in replicas.items():
        assert f"--advertise={name}:7017" in replica["command"]
        assert {"front", "database"} == set(replica["networks"])
    config = yaml.safe_load((FOLDER / "prometheus.yaml").read_text())
    (job,) = config["scrape_configs"]
    assert job["static_configs"][0]["targets"] == [f"{name}:9017" for name in replicas]


def test_what_is_confined_can_still_write_where_it_must(compose: dict[str, Any], stages: dict[str, Stage]) -> None:
    """Containers of ours have a read-only root, no capabilities, and the folders that they write to."""
    for name, service in compose["services"].items():
        if not service["image"].startswith("croupier"):
            continue
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        writable = {mount.split(":")[0] for mount in service["tmpfs"]}
        writable |= {mount.split(":")[1] for mount in service.get("volumes", []) if not mount.startswith(".")}
        assert writable == ({"/tmp", "/var/lib/croupier"} if name == "tournament" else {"/tmp", "/run/croupier"})
        target = service["build"]["target"]
        user = stages[target].last("USER").split(":")[0]
        assert all(f"uid={user}" in mount for mount in service["tmpfs"] if "uid=" in mount)


def test_stopping_waits_for_the_drain(compose: dict[str, Any]) -> None:
    """A replica gets more time to stop than it takes to drain."""
    for name in ("service-1", "service-2"):
        replica = compose["services"][name]
        (drain,) = [word.partition("=")[2] for word in replica["command"] if word.startswith("--drain-s=")]
        assert int(replica["stop_grace_period"].removesuffix("s")) > int(drain)


def test_everything_is_published_on_loopback(compose: dict[str, Any]) -> None:
    """Nothing is offered to the network of the machine, and no port twice."""
    published = [port for service in compose["services"].values() for port in service.get("ports", [])]
    assert all(port.startswith("127.0.0.1:") for port in published)
    assert len({port.split(":")[1] for port in published}) == len(published)


def test_grafana_finds_prometheus_and_the_dashboards(compose: dict[str, Any]) -> None:
    """The data source is the Prometheus of the compose file; dashboards are looked for where they are mounted."""
    source = yaml.safe_load((FOLDER / "grafana" / "datasources.yaml").read_text())["datasources"][0]
    assert source["url"] == "http://prometheus:9090"
    provider = yaml.safe_load((FOLDER / "grafana" / "dashboards.yaml").read_text())["providers"][0]
    assert f"../grafana:{provider['options']['path']}:ro" in compose["services"]["grafana"]["volumes"]


def test_prometheus_takes_its_configuration() -> None:
    """promtool finds no fault in it."""
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is missing (Debian's package prometheus)")
    config = [promtool, "check", "config", "--syntax-only", str(FOLDER / "prometheus.yaml")]
    done = subprocess.run(config, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_prometheus_reads_the_rules_of_the_folder(compose: dict[str, Any]) -> None:
    """The rules are looked for where deploy/prometheus is mounted."""
    (pattern,) = yaml.safe_load((FOLDER / "prometheus.yaml").read_text())["rule_files"]
    folder = pattern.rpartition("/")[0]
    assert f"../prometheus:{folder}:ro" in compose["services"]["prometheus"]["volumes"]


def test_the_tournament_can_be_played(compose: dict[str, Any], stages: dict[str, Stage]) -> None:
    """The runner takes its file, whose bots are in the image, and the command resumes what was begun."""
    tournament = parse(read(FOLDER / "cup.toml"), FOLDER / "cup.toml")
    scripts = [bot.command[1] for bot in tournament.bots if not bot.command[1].startswith("-")]
    copied = [rest.split() for word, rest in stages["runner"].instructions if word == "COPY"]
    for script in scripts:
        ((source, _),) = [pair for pair in copied if script.startswith(f"{pair[-1]}/") and "examples" in pair[-1]]
        assert (FOLDER.parents[1] / source / Path(script).name).exists()
    (command,) = compose["services"]["tournament"]["command"]
    assert "croupier resume cup.results --json;" in command
    done = subprocess.run(["sh", "-nc", command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
