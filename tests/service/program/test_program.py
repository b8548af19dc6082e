"""`python -m croupier_service` as its operators meet it: flags, variables, sockets, signals, health, logs, metrics."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import grpc
import pytest
from grpc import aio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status

from croupier.v1 import (
    bots_pb2,
    bots_pb2_grpc,
    catalog_pb2,
    catalog_pb2_grpc,
    sessions_pb2,
    sessions_pb2_grpc,
    turns_pb2,
)
from croupier_service.__main__ import parse

if TYPE_CHECKING:
    from tests.service.program.conftest import StartProgram

EOF: object = aio.EOF  # type: ignore[attr-defined]  # missing in the stubs

SERVICES = [
    "croupier.v1.BotService",
    "croupier.v1.CatalogService",
    "croupier.v1.RecordService",
    "croupier.v1.SessionService",
    "grpc.health.v1.Health",
    "grpc.reflection.v1alpha.ServerReflection",
]
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


async def create(channel: aio.Channel, token: str = "") -> sessions_pb2.CreateSessionResponse:
    plans = [sessions_pb2.SeatPlan(token=token)] * 2
    stub = sessions_pb2_grpc.SessionServiceStub(channel)
    return await stub.CreateSession(sessions_pb2.CreateSessionRequest(game_id="lie", seats=plans))


async def connect(channel: aio.Channel, token: str) -> Any:
    """The stream of a bot that has no games yet."""
    stub: Any = bots_pb2_grpc.BotServiceStub(channel)
    call = stub.Play(metadata=bearer(token))
    await call.write(bots_pb2.PlayRequest(hello=bots_pb2.Hello(name="probe")))
    assert (await call.read()).HasField("welcome")
    return call


async def drained(call: Any) -> None:
    """Returns when the service has ended the stream."""
    while await call.read() is not EOF:
        pass


async def play_to_the_end(call: Any) -> None:
    """Takes the first legal action until both seats have been told the end."""
    over = 0
    while over < 2:
        message = await call.read()
        over += len(message.games_over)
        answers = [
            turns_pb2.Answer(session_id=turn.session_id, seat=turn.seat, decision_id=turn.decision_id, index=0)
            for turn in message.turns
        ]
        if answers:
            await call.write(bots_pb2.PlayRequest(answers=answers))


async def test_it_serves_tcp_and_a_unix_socket_at_once(program: StartProgram, tmp_path: Path) -> None:
    """Both addresses reach the same sessions; the log names them with the ports the system chose."""
    path = tmp_path / "socket"
    service = program("--listen", f"127.0.0.1:0,unix:{path}")
    assert service.ready
    tcp, unix = service.addresses
    assert unix == f"unix:{path}"
    created = await create(service.channel(tcp))
    stub = sessions_pb2_grpc.SessionServiceStub(service.channel(unix))
    found = await stub.GetSession(sessions_pb2.GetSessionRequest(session_id=created.session.session_id))
    assert found.session == created.session


async def test_health_and_reflection(program: StartProgram) -> None:
    """Every service is healthy and can be discovered."""
    channel = program().channel()
    health = health_pb2_grpc.HealthStub(channel)
    for service in ("", *[name for name in SERVICES if name.startswith("croupier")]):
        assert (await health.Check(health_pb2.HealthCheckRequest(service=service))).status == SERVING
    call = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo()
    await call.write(reflection_pb2.ServerReflectionRequest(list_services=""))
    answer = await call.read()
    await call.done_writing()
    assert sorted(service.name for service in answer.list_services_response.service) == SERVICES


async def test_sigterm_lets_running_games_finish(program: StartProgram, tokens: tuple[str, ...]) -> None:
    """Draining: not healthy, nothing new, the game that runs is played to its end, then exit code 0."""
    service = program("--drain-s", "600")
    channel = service.channel()
    watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
    assert (await watch.read()).status == SERVING
    call = await connect(channel, tokens[0])
    await create(channel, tokens[0])
    waiting = await create(channel)
    service.signal(signal.SIGTERM)
    assert (await watch.read()).status == NOT_SERVING
    await service.logged("draining")
    with pytest.raises(aio.AioRpcError) as caught:
        await create(channel)
    assert caught.value.code() == grpc.StatusCode.UNAVAILABLE
    assert rpc_status.from_call(caught.value) is not None  # type: ignore[arg-type]  # written for blocking calls
    stub = sessions_pb2_grpc.SessionServiceStub(channel)
    ended = await stub.GetSession(sessions_pb2.GetSessionRequest(session_id=waiting.session.session_id))
    assert ended.session.state == sessions_pb2.SESSION_STATE_ABORTED
    await play_to_the_end(call)
    with pytest.raises(aio.AioRpcError) as caught:
        await drained(call)
    assert caught.value.code() == grpc.StatusCode.UNAVAILABLE
    assert await service.exit_code() == 0
    assert service.events("stopped")[0]["aborted"] == 0


async def test_after_the_grace_the_rest_is_aborted(program: StartProgram, tokens: tuple[str, ...]) -> None:
    """Whoever has not finished in time is told so; the exit code is 0."""
    service = program("--drain-s", "0")
    channel = service.channel()
    call = await connect(channel, tokens[0])
    await create(channel, tokens[0])
    seated: list[object] = []
    while len(seated) < 2:
        seated += (await call.read()).seated
    service.signal(signal.SIGINT)
    over: list[bots_pb2.GameOver] = []
    while len(over) < 2:
        over += (await call.read()).games_over
    assert not any(end.HasField("outcome") for end in over)
    assert await service.exit_code() == 0
    assert service.events("stopped")[0]["aborted"] == 1


async def test_a_second_signal_ends_it_at_once(program: StartProgram, tokens: tuple[str, ...]) -> None:
    """Draining can be cut short."""
    service = program("--drain-s", "600")
    channel = service.channel()
    call = await connect(channel, tokens[0])
    await create(channel, tokens[0])
    while not (await call.read()).seated:
        pass
    service.signal(signal.SIGTERM)
    await service.logged("draining")
    service.signal(signal.SIGTERM)
    assert await service.exit_code() == -signal.SIGTERM


async def test_an_idle_service_ends_at_once(program: StartProgram) -> None:
    """With nothing to wait for, SIGTERM does not wait."""
    service = program("--drain-s", "600")
    service.signal(signal.SIGTERM)
    assert await service.exit_code() == 0


async def test_logs_are_json_and_never_tell_a_token(program: StartProgram, tokens: tuple[str, ...]) -> None:
    """At level debug every line is one object with an event, and no token that was ever used is in any of them."""
    service = program("--log-level", "debug")
    channel = service.channel()
    stub = sessions_pb2_grpc.SessionServiceStub(channel)
    call = await connect(channel, tokens[0])
    created = await create(channel, tokens[0])
    open_seats = await create(channel)
    session_id = open_seats.session.session_id
    claims = [await stub.ClaimSeat(sessions_pb2.ClaimSeatRequest(session_id=session_id)) for _ in range(2)]
    for token in (tokens[1], claims[0].seat_token):
        request = sessions_pb2.GetTurnRequest(session_id=created.session.session_id, seat=0)
        with pytest.raises(aio.AioRpcError):
            await stub.GetTurn(request, metadata=bearer(token))
    forfeit = sessions_pb2.ForfeitSeatRequest(session_id=session_id, seat=0)
    await stub.ForfeitSeat(forfeit, metadata=bearer(claims[0].seat_token))
    await play_to_the_end(call)
    await call.done_writing()
    service.signal(signal.SIGTERM)
    assert await service.exit_code() == 0
    lines = [json.loads(line) for line in service.log.splitlines()]
    assert all(isinstance(line, dict) and line["event"] and line["level"] and line["timestamp"] for line in lines)
    events = {line["event"] for line in lines}
    expected = {"serving", "session_created", "session_started", "session_ended", "seat_forfeited"}
    assert events >= expected | {"bot_connected", "bot_disconnected", "draining", "stopped"}
    secrets = [*tokens, created.owner_token, open_seats.owner_token, *(claim.seat_token for claim in claims)]
    assert not [secret for secret in secrets if secret in service.log]


def scrape(address: str) -> dict[str, float]:
    """Every series, as Prometheus would get it over HTTP."""
    with urlopen(f"http://{address}/metrics") as response:
        lines = response.read().decode().splitlines()
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines if not line.startswith("#")}


PROMISED = {
    "croupier_sessions_created_total",
    "croupier_sessions_ended_total",
    "croupier_sessions",
    "croupier_actions_total",
    "croupier_refusals_total",
    "croupier_forfeits_total",
    "croupier_decision_seconds_bucket",
    "croupier_bot_streams",
    "croupier_stream_answers_bucket",
    "croupier_stream_turns_bucket",
    "croupier_build_info",
    "grpc_server_started_total",
    "grpc_server_handled_total",
    "grpc_server_handling_seconds_bucket",
    "grpc_server_msg_received_total",
    "grpc_server_msg_sent_total",
}


async def test_metrics_have_the_promised_names_and_bounded_labels(
    program: StartProgram, tokens: tuple[str, ...]
) -> None:
    """Hundreds of sessions, unknown games and unknown methods add no series."""
    service = program("--metrics-listen", "127.0.0.1:0")
    channel = service.channel()
    address = service.events("metrics_serving")[0]["address"]
    catalog = catalog_pb2_grpc.CatalogServiceStub(channel)

    async def use(number: int) -> None:
        call = await connect(channel, tokens[0])
        await create(channel, tokens[0])
        await play_to_the_end(call)
        await call.done_writing()
        await drained(call)
        with pytest.raises(aio.AioRpcError):
            await catalog.GetGame(catalog_pb2.GetGameRequest(game_id=f"game{number}"))
        for method in (f"/croupier.v1.BotService/Method{number}", f"/made.up{number}/Method"):
            with pytest.raises(aio.AioRpcError):
                await channel.unary_unary(method, bytes, bytes)(b"")

    await use(0)
    before = scrape(address)
    assert {series.partition("{")[0] for series in before} >= PROMISED
    for number in range(1, 5):
        await use(number)
    for _ in range(300):
        await create(channel)
    after = scrape(address)
    assert set(after) == set(before)
    assert after['croupier_sessions_created_total{game="lie"}'] == 305
    assert after['croupier_sessions_ended_total{end="finished",game="lie"}'] == 5
    assert after['croupier_sessions{game="lie",state="waiting"}'] == 300
    assert after["croupier_bot_streams"] == 0
    assert after['croupier_refusals_total{reason="UNKNOWN_GAME"}'] == 5
    labels = 'grpc_code="NOT_FOUND",grpc_method="GetGame",grpc_service="croupier.v1.CatalogService",grpc_type="unary"'
    assert after[f"grpc_server_handled_total{{{labels}}}"] == 5


def run(*flags: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "croupier_service", *flags],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_flags_and_variables_set_the_same_things(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every flag has a variable of its name; the flag wins."""
    monkeypatch.setenv("CROUPIER_LISTEN", "0.0.0.0:1,unix:/x")
    monkeypatch.setenv("CROUPIER_METRICS_LISTEN", "off")
    monkeypatch.setenv("CROUPIER_DRAIN_S", "2.5")
    monkeypatch.setenv("CROUPIER_MAX_SESSIONS", "7")
    monkeypatch.setenv("CROUPIER_LOG_FORMAT", "json")
    config, ready_fd = parse(["--max-sessions", "9"])
    assert config.listen == ("0.0.0.0:1", "unix:/x")
    assert (config.metrics_listen, config.drain_s, config.log_format) == ("off", 2.5, "json")
    assert config.limits.max_sessions == 9
    assert ready_fd is None


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--listen", "nowhere"], "--listen takes HOST:PORT, mtls:HOST:PORT or unix:/PATH, got 'nowhere'"),
        (["--listen", "127.0.0.1:99999"], "--listen"),
        (["--listen", ""], "--listen"),
        (["--metrics-listen", "yes"], "--metrics-listen takes HOST:PORT or off"),
        (["--metrics-listen", "127.0.0.1:99999"], "--metrics-listen"),
        (["--max-sessions", "0"], "at least 1"),
        (["--max-sessions", "many"], "a whole number"),
        (["--max-message-bytes", "3000000000"], "at most"),
        (["--drain-s", "soon"], "0 or more"),
        (["--drain-s", "-1"], "0 or more"),
        (["--drain-s", "nan"], "0 or more"),
        (["--log-level", "loud"], "loud"),
        (["--log-format", "xml"], "xml"),
        (["--store", "paper"], "paper"),
        (["--ready-fd", "77777"], "an open file descriptor"),
        (["--frobnicate"], "--frobnicate"),
    ],
)
def test_a_bad_flag_is_explained(flags: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2 and a sentence that says what would be right."""
    with pytest.raises(SystemExit) as ended:
        parse(flags)
    assert ended.value.code == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("CROUPIER_MAX_SESSIONS", "0", "at least 1"),
        ("CROUPIER_LOG_LEVEL", "loud", "--log-level takes one of"),
        ("CROUPIER_STORE", "paper", "--store takes memory, sqlite, sqlite:FILE or postgresql"),
        ("CROUPIER_LISTEN", "nowhere", "--listen takes"),
        ("CROUPIER_DRAIN_S", "soon", "0 or more"),
    ],
)
def test_a_bad_variable_is_explained(
    variable: str, value: str, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Variables are held to the same as flags."""
    monkeypatch.setenv(variable, value)
    with pytest.raises(SystemExit) as ended:
        parse([])
    assert ended.value.code == 2
    assert sentence in capsys.readouterr().err


async def test_the_real_program_exits_with_2_for_bad_usage() -> None:
    """One sentence, no traceback."""
    done = await asyncio.to_thread(run, "--max-sessions", "none")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


async def test_an_address_in_use_is_said_in_a_sentence() -> None:
    """For the service's own port and for that of the metrics: exit code 1, and no traceback."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        for flags in (
            ["--listen", address, "--metrics-listen", "off"],
            ["--listen", "127.0.0.1:0", "--metrics-listen", address],
        ):
            done = await asyncio.to_thread(run, *flags)
            assert done.returncode == 1, done.stderr
            assert f"cannot listen on {address}" in done.stderr
            assert "Traceback" not in done.stderr


async def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    """Help has examples and names every variable."""
    for flag, words in (("--help", ["examples:", "CROUPIER_MAX_SESSIONS", "SIGTERM"]), ("--version", ["0.1.0"])):
        with pytest.raises(SystemExit) as ended:
            parse([flag])
        assert ended.value.code == 0
        said = capsys.readouterr().out
        assert all(word in said for word in words)
