"""Prometheus itself reads what the service exposes."""

import shutil
import subprocess

import pytest
from prometheus_client import generate_latest

from croupier_service.metrics import Metrics
from croupier_service.store import Chooser, ForfeitCause


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool (Debian's package prometheus) is missing")
def test_promtool_finds_nothing_wrong_with_our_metrics() -> None:
    """Names, units, help texts and histograms follow Prometheus' conventions."""
    metrics = Metrics()
    game = metrics.game("lie")
    game.created.inc()
    game.running.inc()
    game.forfeits[ForfeitCause.TIME].inc()
    for waited_s in (0.00005, 0.02, 400.0):
        game.moves.acted(Chooser.SEAT, waited_s)
    game.moves.acted(Chooser.HOUSE, 0.0)
    checked = subprocess.run(
        ["promtool", "check", "metrics"], input=generate_latest(metrics.registry), capture_output=True, check=False
    )
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, b"")


def test_the_tally_is_exposed_as_counter_and_cumulative_histogram() -> None:
    """What is tallied without locks arrives as if a counter and a histogram had counted it."""
    metrics = Metrics()
    moves = metrics.game("lie").moves
    for waited_s in (0.00005, 0.0001, 0.02, 400.0):
        moves.acted(Chooser.SEAT, waited_s)
    moves.acted(Chooser.FORCED, 9.0)
    sample = metrics.registry.get_sample_value
    assert sample("croupier_actions_total", {"game": "lie", "chooser": "seat"}) == 4
    assert sample("croupier_actions_total", {"game": "lie", "chooser": "forced"}) == 1
    buckets = {bound: sample("croupier_decision_seconds_bucket", {"game": "lie", "le": bound}) for bound in LIMITS}
    assert buckets == {"0.0001": 2, "0.01": 2, "0.03": 3, "300.0": 3, "+Inf": 4}
    assert sample("croupier_decision_seconds_count", {"game": "lie"}) == 4
    assert sample("croupier_decision_seconds_sum", {"game": "lie"}) == pytest.approx(400.02015)


LIMITS = ("0.0001", "0.01", "0.03", "300.0", "+Inf")
