"""How many turns travel in a message, as the service's own metrics tell."""

import asyncio
from dataclasses import dataclass
from urllib.request import urlopen

from prometheus_client.parser import text_string_to_metric_families

METRIC = "croupier_stream_turns"
TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True)
class Batches:
    """Turns that were sent, and the messages that carried them."""

    turns: float
    messages: float

    def since(self, earlier: "Batches") -> "Batches":
        """Those that came in between."""
        return Batches(self.turns - earlier.turns, self.messages - earlier.messages)

    @property
    def mean(self) -> float:
        """Turns per message."""
        return self.turns / self.messages


async def batches_so_far(metrics_url: str) -> Batches:
    """Since the service started."""
    text = await asyncio.to_thread(_page, metrics_url)
    families = text_string_to_metric_families(text)
    found = {sample.name: sample.value for family in families for sample in family.samples if family.name == METRIC}
    return Batches(found[f"{METRIC}_sum"], found[f"{METRIC}_count"])


def _page(url: str) -> str:
    with urlopen(url, timeout=TIMEOUT_S) as reply:
        return str(reply.read(), "utf-8")
