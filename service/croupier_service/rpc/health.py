"""The standard health service; whoever watches it depends on nobody else who does."""

import asyncio

from grpc_health.v1 import _async as health_aio
from grpc_health.v1 import health_pb2

from croupier_service.rpc.context import Context


class Health(health_aio.HealthServicer):  # type: ignore[misc]  # the library has no types
    """The library's, but for `Watch`.

    There all watchers of a service share a condition, which is held while one of them is written to, and dropped when
    one of them leaves: who does not read would keep the service from draining, who leaves would silence the rest."""

    def __init__(self) -> None:
        super().__init__()
        self._changes: set[asyncio.Event] = set()

    async def Watch(  # noqa: N802
        self, request: health_pb2.HealthCheckRequest, context: Context
    ) -> None:
        """Sends the status now and whenever it changes."""
        changed = asyncio.Event()
        self._changes.add(changed)
        try:
            last = None
            while True:
                changed.clear()
                status = self._server_status.get(request.service, health_pb2.HealthCheckResponse.SERVICE_UNKNOWN)
                if status != last:
                    await context.write(health_pb2.HealthCheckResponse(status=status))
                    last = status
                await changed.wait()
        finally:
            self._changes.discard(changed)

    async def _set(self, service: str, status: health_pb2.HealthCheckResponse.ServingStatus) -> None:
        self._server_status[service] = status
        for changed in self._changes:
            changed.set()
