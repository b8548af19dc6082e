"""What a bot program promises to whoever starts it: settings, signals and exit codes."""

import asyncio
import signal

import grpc
import pytest

from croupier.v1 import bots_pb2, turns_pb2
from croupier_client import SettingsError, run, run_async

FAILING_BOT = """
from croupier_client import run

def play(turn):
    return 1 // 0

run(play)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_a_bot_cleanly(host, turn, start_program, examples, number) -> None:
    """SIGTERM and SIGINT in the middle of a game: exit code 0 and not a word."""
    playing = asyncio.Event()
    hung_up = asyncio.Event()

    async def script(talk) -> None:
        await talk.greet()
        await talk.say(seated=[bots_pb2.Seated(session_id="s")], turns=[turn(1)])
        await talk.hear()
        playing.set()
        try:
            await asyncio.Event().wait()
        finally:
            hung_up.set()

    host.scripts = [script]
    program = await start_program(str(examples / "random_bot.py"))
    await playing.wait()
    program.send_signal(number)
    out, err = await program.communicate()
    await hung_up.wait()
    assert (program.returncode, out, err) == (0, b"", b"")


async def test_a_stream_closed_by_the_service_ends_the_program_well(host, start_program, examples) -> None:
    names = []

    async def script(talk) -> None:
        names.append((await talk.greet()).name)

    host.scripts = [script]
    program = await start_program(str(examples / "lie_bot.py"), CROUPIER_NAME="liar")
    _, err = await program.communicate()
    assert (program.returncode, err, names) == (0, b"", ["liar"])


async def test_an_exception_in_play_is_shown_whole(host, turn, start_program) -> None:
    """The traceback is on stderr and the exit code is 1."""

    async def script(talk) -> None:
        await talk.greet()
        await talk.say(turns=[turn(1)])
        await talk.hear()

    host.scripts = [script]
    program = await start_program("-c", FAILING_BOT)
    _, err = await program.communicate()
    assert program.returncode == 1
    assert b"Traceback" in err
    assert b"in play" in err
    assert b"ZeroDivisionError" in err


CAUSED_BOT = """
from croupier_client import run

def play(turn):
    try:
        return {}["book"]
    except KeyError as error:
        raise RuntimeError("no opening") from error

run(play)
"""


async def failure_of(host, turn, start_program, code: str) -> str:
    """What a bot of that code writes when it is asked to play."""

    async def script(talk) -> None:
        await talk.greet()
        await talk.say(turns=[turn(1)])
        await talk.hear()

    host.scripts = [script]
    program = await start_program("-c", code)
    _, err = await program.communicate()
    assert program.returncode == 1
    return err.decode()


async def test_a_traceback_begins_in_the_bots_own_code(host, turn, start_program) -> None:
    """Between the bot's call of run and its play there is one frame, and what caused the failure is shown too."""
    err = await failure_of(host, turn, start_program, CAUSED_BOT)
    assert "KeyError: 'book'" in err
    assert "RuntimeError: no opening" in err
    assert err.count("croupier_client") == 1
    assert "asyncio" not in err


async def test_an_answer_that_cannot_be_one_is_explained_without_our_frames(host, turn, start_program) -> None:
    code = FAILING_BOT.replace("1 // 0", "7")
    err = await failure_of(host, turn, start_program, code)
    assert "ValueError: expected a position in turn.legal, 0 to 1, got 7" in err
    assert err.count("croupier_client") == 1


async def test_a_bot_that_is_refused_says_why_in_a_sentence(host, start_program) -> None:
    async def script(talk) -> None:
        await talk.hear()
        await talk.hang_up(grpc.StatusCode.UNAUTHENTICATED, "this token holds no seat")

    host.scripts = [script]
    program = await start_program("-c", FAILING_BOT)
    _, err = await program.communicate()
    assert program.returncode == 1
    assert b"this token holds no seat" in err
    assert b"Traceback" not in err


@pytest.mark.parametrize("missing", ["CROUPIER_TARGET", "CROUPIER_TOKEN"])
def test_a_missing_setting_is_named(monkeypatch, capsys, missing) -> None:
    """Exit code 2, as for any wrong usage."""
    monkeypatch.setenv("CROUPIER_TARGET", "localhost:1")
    monkeypatch.setenv("CROUPIER_TOKEN", "x")
    monkeypatch.delenv(missing)
    with pytest.raises(SystemExit) as caught:
        run(lambda turn: 0)
    assert caught.value.code == 2
    assert missing in capsys.readouterr().err


@pytest.mark.parametrize("target", ["127.0.0.1", "http://localhost:7017", "localhost:", "localhost:70000", "unix:"])
def test_a_target_that_can_be_none_is_refused_at_once(capsys, target) -> None:
    """Exit code 2 and a sentence, instead of trying for ever."""
    with pytest.raises(SystemExit) as caught:
        run(lambda turn: 0, target=target, token="x")
    assert caught.value.code == 2
    assert f"host:port or unix:/path, got {target!r}" in capsys.readouterr().err


def test_a_token_that_no_call_can_carry_is_refused_at_once(capsys) -> None:
    """And it is not shown."""
    with pytest.raises(SystemExit) as caught:
        run(lambda turn: 0, target="localhost:1", token="zażółć")
    assert caught.value.code == 2
    said = capsys.readouterr().err
    assert "printable ASCII" in said
    assert "zażółć" not in said


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"CERT": "c.pem", "KEY": "k.pem"}, "want CROUPIER_CA"),
        ({"CA": "{folder}/none.pem"}, "cannot read"),
        ({"CA": "{folder}/words"}, "in PEM, got another format"),
        ({"CA": "{folder}/ca.pem", "KEY": "{folder}/ca.pem"}, "together"),
    ],
)
def test_tls_that_cannot_be_is_explained(monkeypatch, capsys, tmp_path, variables, sentence) -> None:
    """Exit code 2 and a sentence: a bot that was told to speak TLS never speaks in the clear."""
    (tmp_path / "words").write_text("no certificate")
    (tmp_path / "ca.pem").write_text("-----BEGIN CERTIFICATE-----")
    for name, value in variables.items():
        monkeypatch.setenv(f"CROUPIER_{name}", value.format(folder=tmp_path))
    with pytest.raises(SystemExit) as caught:
        run(lambda turn: 0, target="localhost:1", token="x")
    assert caught.value.code == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert "CROUPIER_CA" in said


def test_a_wrong_detail_is_named(capsys) -> None:
    with pytest.raises(SystemExit):
        run(lambda turn: 0, target="localhost:1", token="x", legal="everything")  # type: ignore[arg-type]
    assert "notation, typed, count" in capsys.readouterr().err


async def test_run_async_leaves_errors_to_its_caller() -> None:
    with pytest.raises(SettingsError, match="legal="):
        await run_async(lambda turn: 0, target="localhost:1", token="x", legal="all")  # type: ignore[arg-type]


async def test_a_bot_must_be_able_to_play() -> None:
    with pytest.raises(TypeError, match="expected a function"):
        await run_async("not a bot", target="localhost:1", token="x")  # type: ignore[arg-type]


async def test_arguments_win_over_the_environment(host, monkeypatch) -> None:
    monkeypatch.setenv("CROUPIER_NAME", "from the environment")
    hellos = []

    async def script(talk) -> None:
        hellos.append(await talk.greet())

    host.scripts = [script]
    await run_async(lambda turn: 0, target=host.target, token="x", name="given", view=False, legal="count")
    detail = turns_pb2.TurnDetail(omit_view=True, legal=turns_pb2.LEGAL_DETAIL_COUNT)
    assert hellos == [bots_pb2.Hello(name="given", detail=detail)]
