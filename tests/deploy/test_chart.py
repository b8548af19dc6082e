"""The Helm chart, rendered with each of its values files. It is not installed here, there being no cluster."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from prometheus_client import generate_latest

from croupier_service import __version__
from croupier_service.metrics import Metrics

if TYPE_CHECKING:
    from tests.deploy.conftest import Release, Stage, Tool

CHART = Path(__file__).resolve().parents[2] / "deploy" / "helm" / "croupier"
OPERATOR_KINDS = {"ServiceMonitor", "PrometheusRule"}
"""Kinds of the Prometheus operator: Kubernetes itself has no schema of them."""


def test_helm_finds_nothing(tool: Tool, release: Release) -> None:
    """`helm lint --strict` passes."""
    done = tool("helm", "lint", "--strict", CHART, "--values", release.values)
    assert done.returncode == 0, done.stdout


def test_kubernetes_takes_every_resource(tool: Tool, release: Release, tmp_path: Path) -> None:
    """Every resource but those of the Prometheus operator keeps to the schemas of Kubernetes, no field too many."""
    known = [each for each in release.resources if each["kind"] not in OPERATOR_KINDS]
    (tmp_path / "resources.yaml").write_text(yaml.safe_dump_all(known))
    done = tool("kubernetes-validate", "--strict", tmp_path / "resources.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(" passed ") + done.stderr.count(" passed ") == len(known)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ("replicas=2", "replicas"),
        ("store.kind=postgresql", "existingSecret"),
        ("store.kind=memory", "kind"),
        ("autoscaling.enabled=true", "autoscaling"),
        ("tls.clientCertificates=true", "existingSecret"),
        ("image.tag=latest", "tag"),
        ("drainSecond=3", "drainSecond"),
        ("store.kind=postgresql,store.postgresql.address=postgresql://me:password@db/x", "address"),
    ],
)
def test_values_that_cannot_work_are_refused(tool: Tool, values: str, said: str) -> None:
    """The schema refuses replicas that share nothing, secrets that are missing or in the open, and misspelt names."""
    done = tool("helm", "template", "demo", CHART, "--set", values)
    assert done.returncode != 0
    assert said in done.stderr


def test_pods_are_confined(release: Release, stages: dict[str, Stage]) -> None:
    """Not root, the user of the image, a read-only root, no capabilities, no token of the cluster."""
    pod, container = release.pod["spec"], release.container
    user, group = map(int, stages["service"].last("USER").split(":"))
    context = pod["securityContext"]
    assert (context["runAsNonRoot"], context["runAsUser"], context["runAsGroup"]) == (True, user, group)
    assert context["seccompProfile"] == {"type": "RuntimeDefault"}
    confined = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}
    assert container["securityContext"] == confined
    assert pod["automountServiceAccountToken"] is False
    assert container["image"].endswith(f":{__version__}")


def test_every_volume_is_mounted_and_every_mount_is_read(release: Release) -> None:
    """Each secret and folder is mounted, and a flag or variable names something in it."""
    pod, container = release.pod["spec"], release.container
    (replicas,) = release.all("StatefulSet")
    claims = [claim["metadata"]["name"] for claim in replicas["spec"].get("volumeClaimTemplates", [])]
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert sorted(mounts) == sorted([volume["name"] for volume in pod["volumes"]] + claims)
    said = " ".join([*container["args"], *(each.get("value", "") for each in container["env"])])
    for name, path in mounts.items():
        assert name == "tmp" or f"{path}/" in said
    for volume in pod["volumes"]:
        for item in volume.get("secret", {}).get("items", []):
            assert f"{mounts[volume['name']]}/{item['path']}" in said


def test_every_variable_is_read(release: Release) -> None:
    """The pod's own name is in an argument; the rest are variables of libpq and gRPC."""
    variables = {each["name"] for each in release.container["env"]}
    assert variables <= {"POD_NAME", "PGSERVICEFILE", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"}
    assert any("$(POD_NAME)" in argument for argument in release.container["args"])


def test_a_secret_of_the_chart_is_the_one_that_is_mounted(release: Release) -> None:
    """The operator's token is made by the chart under the name that the pod asks for, or is somebody else's."""
    (volume,) = [each for each in release.pod["spec"]["volumes"] if each["name"] == "operator"]
    made = [secret["metadata"]["name"] for secret in release.all("Secret")]
    given = yaml.safe_load(release.values.read_text()).get("operatorToken", {}).get("existingSecret")
    assert volume["secret"]["secretName"] == (given or made[0])
    assert bool(given) != bool(made)


def test_probes_ask_what_answers(release: Release, stages: dict[str, Stage]) -> None:
    """gRPC probes ask the port; with TLS, which they do not speak, the image's own check asks the socket."""
    container = release.container
    secure = any(argument.startswith("--tls-cert") for argument in container["args"])
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        if secure:
            command = container[probe]["exec"]["command"]
            assert all(f'"{word}"' in stages["service"].last("HEALTHCHECK") for word in command)
            assert any(command[-1] in argument for argument in container["args"] if argument.startswith("--listen"))
        else:
            assert container[probe]["grpc"] == {"port": 7017}


def test_a_pod_is_given_time_to_drain(release: Release) -> None:
    """The grace covers the pause before the signal and the drain, with some to spare."""
    flags = dict(argument.split("=", 1) for argument in release.container["args"])
    pause = int(release.container["lifecycle"]["preStop"]["exec"]["command"][1])
    assert release.pod["spec"]["terminationGracePeriodSeconds"] > pause + int(flags["--drain-s"])


def test_replicas_are_reached_where_they_say(release: Release) -> None:
    """What a replica advertises is its name under the headless service, which also names those that are not ready."""
    (replicas,) = release.all("StatefulSet")
    (headless,) = [each for each in release.all("Service") if each["spec"].get("clusterIP") == "None"]
    assert headless["metadata"]["name"] == replicas["spec"]["serviceName"]
    assert headless["spec"]["publishNotReadyAddresses"] is True
    name = headless["metadata"]["name"]
    assert f"--advertise=$(POD_NAME).{name}.games.svc:7017" in release.container["args"]


def selected(selector: dict[str, str], labels: dict[str, str]) -> bool:
    return selector.items() <= labels.items()


def test_everything_selects_the_pods(release: Release) -> None:
    """Services, budget, policy and spread mean these pods; every port of a service is one of the container's."""
    labels = release.pod["metadata"]["labels"]
    (replicas,) = release.all("StatefulSet")
    selectors = [replicas["spec"]["selector"]["matchLabels"]]
    selectors += [each["spec"]["selector"] for each in release.all("Service")]
    selectors += [each["spec"]["selector"]["matchLabels"] for each in release.all("PodDisruptionBudget")]
    selectors += [each["spec"]["podSelector"]["matchLabels"] for each in release.all("NetworkPolicy")]
    spread = release.pod["spec"]["topologySpreadConstraints"]
    selectors += [each["labelSelector"]["matchLabels"] for each in spread]
    assert len(selectors) >= 6
    assert all(selected(selector, labels) for selector in selectors)
    ports = {port["name"]: port["containerPort"] for port in release.container["ports"]}
    assert ports == {"grpc": 7017, "metrics": 9017}
    for service in release.all("Service"):
        for port in service["spec"]["ports"]:
            assert ports[port["targetPort"]] == port["port"]


def test_each_pod_is_scraped_once(release: Release) -> None:
    """A ServiceMonitor selects one service, and a port that it has."""
    for monitor in release.all("ServiceMonitor"):
        wanted = monitor["spec"]["selector"]["matchLabels"]
        (service,) = [each for each in release.all("Service") if selected(wanted, each["metadata"]["labels"])]
        assert service["metadata"]["labels"][monitor["spec"]["jobLabel"]] == "croupier"
        names = {port["name"] for port in service["spec"]["ports"]}
        assert {endpoint["port"] for endpoint in monitor["spec"]["endpoints"]} <= names


def test_it_scales_by_a_metric_that_there_is(release: Release) -> None:
    """The autoscaler's metric is one that the service exports, and its target is the StatefulSet."""
    exported = generate_latest(Metrics().registry).decode()
    for scaler in release.all("HorizontalPodAutoscaler"):
        (metric,) = scaler["spec"]["metrics"]
        assert f"# TYPE {metric['pods']['metric']['name']} gauge\n" in exported
        (replicas,) = release.all("StatefulSet")
        assert scaler["spec"]["scaleTargetRef"]["name"] == replicas["metadata"]["name"]
        assert "replicas" not in replicas["spec"]


def test_the_policy_lets_replicas_work(release: Release) -> None:
    """Replicas reach each other, names and their database; nobody but those named reaches them."""
    for policy in release.all("NetworkPolicy"):
        out = [port["port"] for rule in policy["spec"]["egress"] for port in rule["ports"]]
        address = next(word for word in release.container["args"] if word.startswith("--store="))
        expected = [53, 53, 7017] + ([int(address.split(":")[-1].split("/")[0])] if "postgresql" in address else [])
        assert out == expected
        assert all(rule["from"] for rule in policy["spec"]["ingress"])


def test_rules_and_dashboards_are_those_of_the_folders(tool: Tool, tmp_path: Path) -> None:
    """Whatever is put into deploy/prometheus and deploy/grafana comes out whole, with its own braces untouched."""
    for link, folder in (("rules", "prometheus"), ("dashboards", "grafana")):
        assert (CHART / "files" / link).resolve() == CHART.parents[1] / folder
    chart = _copy_with(
        tmp_path,
        {
            "rules/some.rules.yaml": 'groups:\n  - name: some\n    rules: [{record: a, expr: "b{c=\\"{{ d }}\\"}"}]\n',
            "rules/some_test.yaml": "no rules\n",
            "dashboards/some_board.json": '{"title": "{{game}}", "uid": "x"}\n',
        },
    )
    done = tool("helm", "template", "demo", chart, "--values", CHART / "ci" / "replicas-values.yaml")
    assert done.returncode == 0, done.stderr
    resources: list[dict[str, Any]] = [each for each in yaml.safe_load_all(done.stdout) if each]
    (rules,) = [each for each in resources if each["kind"] == "PrometheusRule"]
    assert rules["spec"]["groups"][0]["rules"] == [{"record": "a", "expr": 'b{c="{{ d }}"}'}]
    (board,) = [each for each in resources if each["kind"] == "ConfigMap"]
    assert board["metadata"]["name"] == "demo-croupier-some-board"
    assert board["data"] == {"some_board.json": '{"title": "{{game}}", "uid": "x"}\n'}


def _copy_with(folder: Path, files: dict[str, str]) -> Path:
    chart = shutil.copytree(CHART, folder / "croupier", ignore=shutil.ignore_patterns("files"))
    for name, text in files.items():
        path = chart / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return chart
