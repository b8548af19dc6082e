"""Around every RPC: counts it, times it, binds its name to the log, and turns domain errors into statuses."""

import inspect
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import grpc
import structlog
from grpc.aio import AbortError, ServerInterceptor

from croupier_service.errors import ServiceError
from croupier_service.metrics import Metrics
from croupier_service.rpc.context import Context
from croupier_service.rpc.status import code_of, status_of

log = structlog.get_logger()

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"

_TYPES = {
    (False, False): "unary",
    (True, False): "client_stream",
    (False, True): "server_stream",
    (True, True): "bidi_stream",
}


class Guard(ServerInterceptor):  # type: ignore[type-arg]  # generic in the stubs only
    """The one interceptor of the service."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._wrapped: dict[str, Handler] = {}

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler]],
        details: grpc.HandlerCallDetails,
    ) -> Handler:
        """Wraps a handler the first time it is asked for."""
        method = details.method
        if method not in self._wrapped:
            handler = await continuation(details)
            if handler is None:
                return None  # unknown method: gRPC answers UNIMPLEMENTED, and it must not become a label
            self._wrapped[method] = self._wrap(method, handler)
        return self._wrapped[method]

    def _wrap(self, method: str, handler: Handler) -> Handler:
        watch = _Watch(self._metrics, method, _TYPES[handler.request_streaming, handler.response_streaming])
        if handler.request_streaming or handler.response_streaming:
            make, inner = _stream_kind(handler)
            return make(
                _guarded_stream(watch, inner),
                request_deserializer=handler.request_deserializer,
                response_serializer=handler.response_serializer,
            )
        return grpc.unary_unary_rpc_method_handler(
            _guarded_unary(watch, handler.unary_unary),
            request_deserializer=handler.request_deserializer,
            response_serializer=handler.response_serializer,
        )


class _Watch:
    """The held metrics of one method."""

    def __init__(self, metrics: Metrics, method: str, kind: str) -> None:
        _, service, name = method.split("/")
        labels = (kind, service, name)
        self.method = method
        self.refusals = metrics.refusals
        self.started = metrics.rpc_started.labels(*labels)
        self.seconds = metrics.rpc_s.labels(*labels)
        self.received = metrics.rpc_received.labels(*labels)
        self.sent = metrics.rpc_sent.labels(*labels)
        self._handled = metrics.rpc_handled
        self._labels = labels
        self._codes: dict[grpc.StatusCode, Any] = {}

    def end(self, code: grpc.StatusCode, since: float) -> None:
        """Counts the end of a call."""
        if code not in self._codes:
            self._codes[code] = self._handled.labels(*self._labels, code.name)
        self._codes[code].inc()
        self.seconds.observe(time.perf_counter() - since)

    async def run(self, call: Awaitable[Any], context: Context) -> Any:
        """Awaits the call; a domain error becomes its status, a defect INTERNAL with no detail of it."""
        since = time.perf_counter()
        code = grpc.StatusCode.OK
        self.started.inc()
        try:
            return await call
        except ServiceError as error:
            code = code_of(type(error))
            self.refusals.labels(error.reason).inc()
            await context.abort_with_status(status_of(error))  # type: ignore[attr-defined]  # missing in the stubs
        except AbortError:
            code = context.code()
            raise
        except BaseException as error:
            cancelled = not isinstance(error, Exception)
            code = grpc.StatusCode.CANCELLED if cancelled else grpc.StatusCode.INTERNAL
            if cancelled:
                raise
            log.exception("rpc_failed", method=self.method)
            await context.abort(grpc.StatusCode.INTERNAL, "an error of the service, not of the caller; it was logged")
        finally:
            self.end(code, since)


def _guarded_unary(watch: _Watch, inner: Any) -> Callable[..., Awaitable[Any]]:
    async def guarded(request: Any, context: Context) -> Any:
        watch.received.inc()
        response = await watch.run(inner(request, context), context)
        watch.sent.inc()
        return response

    return guarded


def _stream_kind(handler: Handler) -> tuple[Callable[..., Handler], Any]:
    if handler.stream_stream:
        return grpc.stream_stream_rpc_method_handler, handler.stream_stream
    if handler.stream_unary:
        return grpc.stream_unary_rpc_method_handler, handler.stream_unary
    return grpc.unary_stream_rpc_method_handler, handler.unary_stream


def _guarded_stream(watch: _Watch, inner: Any) -> Any:
    """Our streams read and write through the context; those of the libraries are generators and pass unchanged."""
    if inspect.isasyncgenfunction(inner) or not inspect.iscoroutinefunction(inner):
        return inner

    async def guarded(request: Any, context: Context) -> Any:
        return await watch.run(inner(request, context), context)

    return guarded
