"""`python -m croupier_service.rpc.healthcheck TARGET`: whether a service serves, as containers ask it.

It speaks in the clear. A service that speaks TLS is asked at a unix socket, which never does.
"""

import argparse
import sys
from collections.abc import Sequence

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

_OPTIONS = (("grpc.enable_http_proxy", 0),)
"""What is asked is in the same container: no proxy leads there."""


def status(target: str, timeout_s: float) -> str:
    """SERVING, or what else there is to say of it."""
    with grpc.insecure_channel(target, options=_OPTIONS) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        try:
            answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=timeout_s)
        except grpc.RpcError as error:
            return f"no answer: {error.code().name}"
    return str(health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status))


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code: 0 when it serves, else 1."""
    parser = argparse.ArgumentParser(description="Exits with 0 if the service at TARGET serves, else with 1.")
    parser.add_argument("target", metavar="TARGET", help="HOST:PORT or unix:/PATH, in the clear")
    parser.add_argument("--timeout-s", type=float, default=3.0, help="how long it has to answer [3]")
    flags = parser.parse_args(arguments)
    said = status(flags.target, flags.timeout_s)
    print(said)
    return 0 if said == "SERVING" else 1


if __name__ == "__main__":
    sys.exit(main())
