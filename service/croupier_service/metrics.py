"""What Prometheus sees. Labels are bounded: games, causes and reasons, never a session, a name or a token.

Children of labelled metrics are held by whoever counts, because looking them up costs more than counting. What is
counted with every move is tallied in plain numbers by the one thread that plays, and read when Prometheus asks: a
locked counter and a histogram would cost more than the rules do.
"""

from bisect import bisect_left
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.metrics_core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from croupier_service import __version__
from croupier_service.store import Chooser, ForfeitCause

_DECISION_S = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300)
_BATCH = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)


class MoveTally:
    """The moves of one game: how many, who chose them, and how long seats took."""

    __slots__ = ("actions", "decisions", "seconds")

    def __init__(self) -> None:
        self.actions = dict.fromkeys(Chooser, 0)
        self.decisions = [0] * (len(_DECISION_S) + 1)
        self.seconds = 0.0

    def acted(self, chooser: Chooser, waited_s: float) -> None:
        """Counts a move; only a seat's own decisions took time."""
        self.actions[chooser] += 1
        if chooser is Chooser.SEAT:
            self.decisions[bisect_left(_DECISION_S, waited_s)] += 1
            self.seconds += waited_s


class MoveCollector(Collector):
    """Gives the tallies of all games to Prometheus."""

    def __init__(self, tallies: dict[str, MoveTally]) -> None:
        self._tallies = tallies

    def collect(self) -> Iterator[Metric]:
        """Called with every scrape."""
        actions = CounterMetricFamily(
            "croupier_actions", "Actions played, by who chose them.", labels=["game", "chooser"]
        )
        decisions = HistogramMetricFamily(
            "croupier_decision_seconds", "Time a seat took for a decision.", labels=["game"]
        )
        for game_id, tally in self._tallies.items():
            for chooser, count in tally.actions.items():
                actions.add_metric([game_id, chooser.name.lower()], count)
            counts = tuple(tally.decisions)
            bounds = [*map(str, map(float, _DECISION_S)), "+Inf"]
            buckets = [(bound, sum(counts[: place + 1])) for place, bound in enumerate(bounds)]
            decisions.add_metric([game_id], buckets, sum_value=tally.seconds)
        yield actions
        yield decisions


class GameMetrics:
    """The held children of one game."""

    def __init__(self, metrics: "Metrics", game_id: str) -> None:
        self.created = metrics.sessions_created.labels(game_id)
        self.finished = metrics.sessions_ended.labels(game_id, "finished")
        self.aborted = metrics.sessions_ended.labels(game_id, "aborted")
        self.waiting = metrics.sessions.labels(game_id, "waiting")
        self.running = metrics.sessions.labels(game_id, "running")
        self.moves = metrics.moves.setdefault(game_id, MoveTally())
        self.forfeits = {cause: metrics.forfeits.labels(game_id, cause.name.lower()) for cause in ForfeitCause if cause}


class Metrics:
    """Every metric of the service, in a registry of its own so that tests can have many."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.sessions_created = Counter("croupier_sessions_created", "Sessions created.", ["game"], registry=registry)
        self.sessions_ended = Counter(
            "croupier_sessions_ended", "Sessions that ended, by how.", ["game", "end"], registry=registry
        )
        self.sessions = Gauge(
            "croupier_sessions", "Sessions that wait for seats or run.", ["game", "state"], registry=registry
        )
        self.moves: dict[str, MoveTally] = {}
        registry.register(MoveCollector(self.moves))
        self.refusals = Counter(
            "croupier_refusals", "Requests and answers refused, by reason.", ["reason"], registry=registry
        )
        self.limits = Counter(
            "croupier_limits_reached", "Calls and streams refused or ended by a limit.", ["limit"], registry=registry
        )
        self.forfeits = Counter("croupier_forfeits", "Seats given up, by cause.", ["game", "cause"], registry=registry)
        self.streams = Gauge("croupier_bot_streams", "Bot streams open.", registry=registry)
        self.batch_in = Histogram(
            "croupier_stream_answers", "Answers per message from a bot.", buckets=_BATCH, registry=registry
        )
        self.batch_out = Histogram(
            "croupier_stream_turns", "Turns per message to a bot.", buckets=_BATCH, registry=registry
        )
        self.rpc_started = Counter(
            "grpc_server_started",
            "RPCs started.",
            ["grpc_type", "grpc_service", "grpc_method"],
            registry=registry,
        )
        self.rpc_handled = Counter(
            "grpc_server_handled",
            "RPCs completed, by status code.",
            ["grpc_type", "grpc_service", "grpc_method", "grpc_code"],
            registry=registry,
        )
        self.rpc_s = Histogram(
            "grpc_server_handling_seconds",
            "Time an RPC took.",
            ["grpc_type", "grpc_service", "grpc_method"],
            registry=registry,
        )
        self.rpc_received = Counter(
            "grpc_server_msg_received",
            "Messages received.",
            ["grpc_type", "grpc_service", "grpc_method"],
            registry=registry,
        )
        self.rpc_sent = Counter(
            "grpc_server_msg_sent",
            "Messages sent.",
            ["grpc_type", "grpc_service", "grpc_method"],
            registry=registry,
        )
        build = Gauge("croupier_build_info", "Always 1; the label is the version.", ["version"], registry=registry)
        build.labels(__version__).set(1)
        self._games: dict[str, GameMetrics] = {}

    def game(self, game_id: str) -> GameMetrics:
        """The held children of a game."""
        if game_id not in self._games:
            self._games[game_id] = GameMetrics(self, game_id)
        return self._games[game_id]
