"""The gRPC server: services, health, reflection, limits."""

from collections.abc import Mapping

from grpc import aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from croupier.v1 import (
    bots_pb2,
    catalog_pb2,
    catalog_pb2_grpc,
    records_pb2,
    records_pb2_grpc,
    sessions_pb2,
    sessions_pb2_grpc,
)
from croupier_games import Game
from croupier_service.clock import Clock
from croupier_service.config import Config
from croupier_service.hall import Hall
from croupier_service.limits import Gate
from croupier_service.metrics import Metrics
from croupier_service.roles import Roles
from croupier_service.rpc.bots import Bots
from croupier_service.rpc.catalog import Catalog
from croupier_service.rpc.context import Context, caller_of
from croupier_service.rpc.guard import Guard
from croupier_service.rpc.health import Health
from croupier_service.rpc.neighbours import Neighbours
from croupier_service.rpc.records import Records
from croupier_service.rpc.sessions import Sessions
from croupier_service.rpc.tls import MTLS, Certificates
from croupier_service.store import Shared, Store
from croupier_service.wire.turns import TurnWriter

_SERVICES = tuple(
    descriptor.full_name
    for module in (catalog_pb2, sessions_pb2, bots_pb2, records_pb2)
    for descriptor in module.DESCRIPTOR.services_by_name.values()
)
_KEEPALIVE_MS = 30_000
_SHORTEST_PING_MS = 10_000


class Server:
    """A service that listens: start it, then drain it."""

    def __init__(self, config: Config, games: Mapping[str, Game], store: Store, clock: Clock, metrics: Metrics) -> None:
        self.config = config
        self.hall = Hall(games, store, clock, metrics, config.limits)
        self.addresses: list[str] = []
        """Where it listens, with the ports the system chose for port 0."""
        self.certificates = Certificates(config.tls) if config.tls is not None else None
        self._health = Health()
        self.gate = Gate(config.limits, clock)
        self._neighbours = Neighbours(self.hall, store, config.tls) if isinstance(store, Shared) else None
        self._server = self._build(TurnWriter(dict(games)), metrics)

    def _build(self, turns: TurnWriter, metrics: Metrics) -> aio.Server:
        neighbours = self._neighbours
        roles = Roles(self.config.operator_token, self.config.operator_certs)

        def is_operator(context: Context) -> bool:
            forwarded = neighbours is not None and neighbours.is_forwarded(context)  # and limited where it came from
            return forwarded or roles.is_operator(caller_of(context))

        hall, limits = self.hall, self.config.limits
        guard = Guard(metrics, self.gate, hall.clock, limits, is_operator=is_operator, is_known=hall.knows)
        interceptors = [guard] if neighbours is None else [guard, neighbours]
        server = aio.server(interceptors=interceptors, options=self._options())
        catalog_pb2_grpc.add_CatalogServiceServicer_to_server(Catalog(self.hall), server)
        sessions = Sessions(self.hall, turns, roles, self.config.spectator_delay)
        sessions_pb2_grpc.add_SessionServiceServicer_to_server(sessions, server)
        records_pb2_grpc.add_RecordServiceServicer_to_server(Records(self.hall), server)
        server.add_generic_rpc_handlers((Bots(self.hall, turns, self.gate).handler(),))
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        reflection.enable_server_reflection((*_SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME), server)
        return server

    def _options(self) -> list[tuple[str, int]]:
        return [
            ("grpc.max_receive_message_length", self.config.limits.max_message_bytes),
            ("grpc.max_concurrent_streams", self.config.limits.max_calls_per_connection),
            ("grpc.keepalive_time_ms", _KEEPALIVE_MS),
            ("grpc.keepalive_permit_without_calls", 1),
            ("grpc.http2.min_recv_ping_interval_without_data_ms", _SHORTEST_PING_MS),
            ("grpc.so_reuseport", 0),
        ]

    async def start(self) -> None:
        """Opens the store, binds and serves."""
        for address in self.config.listen:
            self.addresses.append(self._bind(address))
        if self._neighbours is not None:
            self._neighbours.introduce(self.config.advertise or self.addresses[0])
        await self.hall.start()
        await self._server.start()
        for service in ("", *_SERVICES):
            await self._health.set(service, health_pb2.HealthCheckResponse.SERVING)

    def _bind(self, address: str) -> str:
        """Listens there; returns the address with the port that the system chose for port 0."""
        if address.startswith("unix:"):  # who may open it, the file system says
            self._server.add_insecure_port(address)
            return address
        bare = address.removeprefix(MTLS)
        if self.certificates is None:
            port = self._server.add_insecure_port(bare)
        else:
            port = self._server.add_secure_port(bare, self.certificates.credentials(address != bare))
        return f"{bare.rpartition(':')[0]}:{port}"

    async def drain(self, grace_s: float) -> int:
        """Lets running games end, then stops; returns how many had to be aborted."""
        await self._health.enter_graceful_shutdown()
        aborted = await self.hall.drain(grace_s)
        await self._server.stop(grace=1.0)
        if self._neighbours is not None:
            await self._neighbours.close()
        await self.hall.archive.close()
        await self.hall.store.close()
        return aborted
