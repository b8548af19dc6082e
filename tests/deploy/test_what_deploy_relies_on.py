"""What the files of deploy/ rely on, with the real service, the real PostgreSQL and real certificates."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
import psycopg
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from tests.postgres_server import ABSENT, PROGRAMS, PostgresServer

from croupier.v1 import bots_pb2, bots_pb2_grpc, sessions_pb2, sessions_pb2_grpc
from croupier_service.tokens import new_token

if TYPE_CHECKING:
    from tests.deploy.conftest import Start


def check(target: str) -> subprocess.CompletedProcess[str]:
    """The health check as a container runs it."""
    command = [sys.executable, "-m", "croupier_service.rpc.healthcheck", target]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def open_session(channel: grpc.Channel, token: str = "") -> str:
    stub = sessions_pb2_grpc.SessionServiceStub(channel)
    seats = [sessions_pb2.SeatPlan(token=token)] * 2
    return str(stub.CreateSession(sessions_pb2.CreateSessionRequest(game_id="lie", seats=seats)).session.session_id)


class TestHealthCheck:
    """`python -m croupier_service.rpc.healthcheck`"""

    def test_a_service_that_serves(self, start: Start, tmp_path: Path) -> None:
        """Exit code 0; also after one that was killed and left its socket behind."""
        target = f"unix:{tmp_path}/socket"
        flags = (f"--listen={target}", "--store=memory")
        start(*flags).kill()
        assert (tmp_path / "socket").exists()
        assert check(target).returncode == 1
        start(*flags)
        done = check(target)
        assert (done.returncode, done.stdout) == (0, "SERVING\n"), done.stderr

    def test_nobody_there(self, tmp_path: Path) -> None:
        """Exit code 1, and one line that says so."""
        done = check(f"unix:{tmp_path}/socket")
        assert (done.returncode, done.stdout, done.stderr) == (1, "no answer: UNAVAILABLE\n", "")

    def test_a_service_that_drains(self, start: Start, tmp_path: Path) -> None:
        """Exit code 1: nobody should be sent there any more."""
        target, token = f"unix:{tmp_path}/socket", new_token()
        service = start(f"--listen={target}", "--store=memory", "--drain-s=600")
        with grpc.insecure_channel(target) as channel:
            bot = bots_pb2_grpc.BotServiceStub(channel)
            hello = iter([bots_pb2.PlayRequest(hello=bots_pb2.Hello(name="probe"))])
            stream = bot.Play(_forever(hello), metadata=(("authorization", f"Bearer {token}"),))
            assert next(stream).HasField("welcome")
            open_session(channel, token)
            watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
            assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
            service.process.send_signal(signal.SIGTERM)
            assert next(watch).status == health_pb2.HealthCheckResponse.NOT_SERVING
            done = check(target)
            assert (done.returncode, done.stdout) == (1, "NOT_SERVING\n")
            service.kill()


def _forever(first: Iterator[bots_pb2.PlayRequest]) -> Iterator[bots_pb2.PlayRequest]:
    """A stream that is not ended by us; gRPC takes it to its grave."""
    from threading import Event

    yield from first
    Event().wait(60)


@pytest.fixture(scope="module")
def guarded() -> Iterator[PostgresServer]:
    """A PostgreSQL server that wants a password."""
    if PROGRAMS is None:
        pytest.skip(ABSENT)
    server = PostgresServer()
    with psycopg.connect(server.new_database(), autocommit=True) as connection:
        connection.execute("CREATE ROLE player LOGIN SUPERUSER PASSWORD 'sesame'")
    rules = server.folder / "data" / "pg_hba.conf"
    rules.write_text("local all player scram-sha-256\n" + rules.read_text())
    server.stop()
    server.start()
    yield server
    server.close()


def test_the_password_of_the_database_comes_from_a_file(guarded: PostgresServer, start: Start, tmp_path: Path) -> None:
    """An address with service= and a file that all may read, as compose and chart mount it; else nobody gets in."""
    address = guarded.new_database().replace("croupier@", "player@")
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(address)
    secret = tmp_path / "pg_service"
    secret.write_text("[croupier]\npassword=sesame\n")
    secret.chmod(0o644)
    target = f"unix:{tmp_path}/socket"
    start(f"--listen={target}", f"--store={address}&service=croupier", PGSERVICEFILE=str(secret))
    assert check(target).stdout == "SERVING\n"


def make_certificate(folder: Path) -> tuple[Path, Path, Path]:
    """An authority, and a certificate of localhost with its key."""
    ca, ca_key, cert, key = (folder / name for name in ("ca.crt", "ca.key", "tls.crt", "tls.key"))
    fresh = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    signed = ["-CA", str(ca), "-CAkey", str(ca_key), "-addext", "subjectAltName=DNS:localhost"]
    signed += ["-addext", "basicConstraints=critical,CA:FALSE"]
    for name, files, more in (("ca", (ca, ca_key), []), ("localhost", (cert, key), signed)):
        into = ["-out", str(files[0]), "-keyout", str(files[1]), "-subj", f"/CN={name}"]
        subprocess.run([*fresh, *into, *more], check=True, capture_output=True)
    return ca, cert, key


@pytest.mark.parametrize("mutual", [False, True], ids=["TLS", "mTLS"])
def test_replicas_that_speak_tls_reach_each_other(
    postgres: PostgresServer, start: Start, tmp_path: Path, mutual: bool
) -> None:
    """As in the chart: an authority of one's own in gRPC's variable, a name in the certificate, a socket for health."""
    ca, cert, key = make_certificate(tmp_path)
    store = postgres.new_database()
    listen = "mtls:localhost" if mutual else "localhost"
    flags = [f"--store={store}", f"--tls-cert={cert}", f"--tls-key={key}"] + [f"--tls-client-ca={ca}"] * mutual
    for number in (1, 2):
        where = f"--listen={listen}:0,unix:{tmp_path}/{number}"
        start(where, *flags, GRPC_DEFAULT_SSL_ROOTS_FILE_PATH=str(ca))
        assert check(f"unix:{tmp_path}/{number}").stdout == "SERVING\n"
    with grpc.insecure_channel(f"unix:{tmp_path}/1") as first, grpc.insecure_channel(f"unix:{tmp_path}/2") as second:
        session_id = open_session(first)
        request = sessions_pb2.GetSessionRequest(session_id=session_id)
        found = sessions_pb2_grpc.SessionServiceStub(second).GetSession(request, wait_for_ready=True, timeout=30)
        assert found.session.session_id == session_id
