"""TLS and mTLS: who is let in, new certificates without dropping a stream, and what is said of bad ones."""

from __future__ import annotations

import asyncio
import json
import signal
import ssl
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from grpc import aio

from croupier.v1 import bots_pb2, catalog_pb2, catalog_pb2_grpc, sessions_pb2, sessions_pb2_grpc
from croupier_client import run_async, tls_credentials
from croupier_service.__main__ import parse
from croupier_service.config import Tls
from croupier_service.rpc.tls import Certificates, TlsError

if TYPE_CHECKING:
    from tests.service.conftest import Bot, House, OpenHouse
    from tests.service.security.conftest import Authority, MakeAuthority, Pair, StartProgram

PLAN = sessions_pb2.CreateSessionRequest(game_id="lie", seats=[sessions_pb2.SeatPlan()] * 2)


async def open_tls_house(open_house: OpenHouse, tls: Tls, folder: Path, **settings: Any) -> House:
    """A service on a unix socket, a TLS port and, where clients have an authority, an mTLS port."""
    listen = [f"unix:{folder / 'socket'}", "127.0.0.1:0", *(["mtls:127.0.0.1:0"] if tls.client_ca else [])]
    return await open_house(settings={"listen": tuple(listen), "tls": tls, **settings})


def dial(address: str, ca: Path, own: Pair | None = None) -> aio.Channel:
    credentials = tls_credentials(ca, own and own.cert, own and own.key)
    return aio.secure_channel(address, credentials, [("grpc.use_local_subchannel_pool", 1)])


async def reaches(channel: aio.Channel) -> bool:
    """Whether the service answers over this channel."""
    async with channel:
        try:
            await catalog_pb2_grpc.CatalogServiceStub(channel).ListGames(catalog_pb2.ListGamesRequest(), timeout=10)
        except aio.AioRpcError as error:
            if error.code() != grpc.StatusCode.UNAVAILABLE:
                raise
            return False
        return True


async def shown_by(address: str) -> str:
    """The certificate that a newcomer is shown."""
    host, _, port = address.rpartition(":")
    return await asyncio.to_thread(ssl.get_server_certificate, (host, int(port)))


async def test_only_tls_gets_in_by_tcp_and_unix_sockets_stay_as_they_are(
    open_house: OpenHouse, authority: Authority, new_authority: MakeAuthority, tmp_path: Path
) -> None:
    """Neither somebody in the clear nor somebody who trusts another authority reaches the service."""
    house = await open_tls_house(open_house, Tls(*authority.issue("service")), tmp_path)
    unix, address = house.server.addresses
    assert await reaches(dial(address, authority.cert))
    assert not await reaches(dial(address, new_authority("other").cert))
    assert not await reaches(aio.insecure_channel(address))
    assert await reaches(aio.insecure_channel(unix))


async def plays_on(house: House, bot: Bot, table: Any) -> None:
    """The bot's stream still carries turns and answers, both ways."""
    turn = await bot.next_turn(table, 0)
    await bot.answer(table.answer(turn))
    await bot.until(lambda: bot.turns)


async def test_new_certificates_are_taken_up_and_no_stream_is_dropped(
    open_house: OpenHouse, authority: Authority, tmp_path: Path, tokens: tuple[str, ...]
) -> None:
    """Whoever connects after the files have changed is shown the new certificate; a bot's stream goes on."""
    own, new = authority.issue("service"), authority.issue("renewed")
    renewed = new.cert.read_text()
    house = await open_tls_house(open_house, Tls(*own), tmp_path)
    address = house.server.addresses[1]
    assert await shown_by(address) == own.cert.read_text()
    async with dial(address, authority.cert) as channel:
        bot = await house.connect(tokens[0], channel)
        table = await house.create(tokens[0], tokens[0])
        new.put_in_place_of(own)
        assert await shown_by(address) == renewed
        assert await reaches(dial(address, authority.cert))
        await plays_on(house, bot, table)


async def test_a_bot_finds_its_certificates_in_its_environment(
    open_house: OpenHouse,
    authority: Authority,
    tmp_path: Path,
    tokens: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """CROUPIER_CA switches TLS on, CROUPIER_CERT and CROUPIER_KEY open an mTLS port; unix sockets ignore them."""
    own, bots = authority.issue("service"), authority.issue("bot")
    house = await open_tls_house(open_house, Tls(*own, client_ca=authority.cert), tmp_path)
    for name, file in (("CA", authority.cert), ("CERT", bots.cert), ("KEY", bots.key)):
        monkeypatch.setenv(f"CROUPIER_{name}", str(file))
    for address in house.server.addresses:
        table = await house.create(tokens[0], tokens[0])
        bot = asyncio.create_task(run_async(lambda _: 0, target=address, token=tokens[0]))
        assert (await table.session(wait_until_over=True)).state == sessions_pb2.SESSION_STATE_FINISHED
        await house.bots.Dismiss(bots_pb2.DismissRequest(), metadata=(("authorization", f"Bearer {tokens[0]}"),))
        await bot


async def test_half_a_pair_is_not_taken_up(open_house: OpenHouse, authority: Authority, tmp_path: Path) -> None:
    """A certificate whose key has not been replaced yet leaves the former pair in use; with its key it is taken."""
    own, new = authority.issue("service"), authority.issue("renewed")
    former, renewed = own.cert.read_text(), new.cert.read_text()
    house = await open_tls_house(open_house, Tls(*own), tmp_path)
    address = house.server.addresses[1]
    new.cert.replace(own.cert)
    assert await shown_by(address) == former
    assert await reaches(dial(address, authority.cert))
    new.key.replace(own.key)
    assert await shown_by(address) == renewed


async def test_every_port_takes_up_new_certificates(
    open_house: OpenHouse, authority: Authority, tmp_path: Path
) -> None:
    """Also those of the clients' authority: who it has signed gets in from then on."""
    own, new, client = (authority.issue(name) for name in ("service", "renewed", "client"))
    renewed = new.cert.read_text()
    house = await open_tls_house(open_house, Tls(*own, client_ca=authority.cert), tmp_path)
    _, plain, mutual = house.server.addresses
    new.put_in_place_of(own)
    assert await shown_by(plain) == renewed
    assert await reaches(dial(mutual, authority.cert, client))
    assert house.server.certificates is not None
    before = house.server.certificates.current
    house.server.certificates.reload()
    assert house.server.certificates.current is not before


async def test_on_an_mtls_port_only_known_certificates_get_in(
    open_house: OpenHouse, authority: Authority, new_authority: MakeAuthority, tmp_path: Path
) -> None:
    """None, and one of an authority that the service does not know, are refused; the other port asks for none."""
    clients, strangers = new_authority("clients"), new_authority("strangers")
    tls = Tls(*authority.issue("service"), client_ca=clients.cert)
    house = await open_tls_house(open_house, tls, tmp_path)
    _, plain, mutual = house.server.addresses
    assert await reaches(dial(mutual, authority.cert, clients.issue("bot")))
    assert not await reaches(dial(mutual, authority.cert))
    assert not await reaches(dial(mutual, authority.cert, strangers.issue("bot")))
    assert await reaches(dial(plain, authority.cert))


async def test_the_operator_is_known_by_the_fingerprint_of_a_certificate(
    open_house: OpenHouse, authority: Authority, tmp_path: Path
) -> None:
    """The certificate is as good as a token, on the port where it is shown; another of the same name is not."""
    own, operator = authority.issue("service"), authority.issue("op")
    namesake = authority.issue("namesake", subject="op")
    tls = Tls(*own, client_ca=authority.cert)
    fingerprints = parse_fingerprints(operator.fingerprint)
    house = await open_tls_house(open_house, tls, tmp_path, operator_certs=fingerprints)
    _, plain, mutual = house.server.addresses
    async with dial(mutual, authority.cert, operator) as channel:
        sessions = sessions_pb2_grpc.SessionServiceStub(channel)
        created = (await sessions.CreateSession(PLAN)).session
        assert [each.session_id for each in (await sessions.ListSessions(LIST)).sessions] == [created.session_id]
        aborted = await sessions.AbortSession(sessions_pb2.AbortSessionRequest(session_id=created.session_id))
        assert aborted.session.state == sessions_pb2.SESSION_STATE_ABORTED
    for address, shown, reason in (
        (plain, operator, "TOKEN_MISSING"),
        (mutual, namesake, "TOKEN_NOT_FOR_THIS"),
    ):
        async with dial(address, authority.cert, shown) as channel:
            with house.refuses(reason):
                await sessions_pb2_grpc.SessionServiceStub(channel).CreateSession(PLAN)


LIST = sessions_pb2.ListSessionsRequest()


def parse_fingerprints(text: str) -> tuple[str, ...]:
    """As the program reads them."""
    flags = ["--listen", "mtls:127.0.0.1:0", "--tls-cert", "c", "--tls-key", "k", "--tls-client-ca", "a"]
    return parse([*flags, "--operator-cert", text])[0].operator_certs


def bad_files(authority: Authority) -> dict[str, tuple[Tls, str]]:
    own, other, expired = authority.issue("service"), authority.issue("other"), authority.issue("old", days=-1)
    nothing, words = authority.folder / "nothing", authority.folder / "words"
    words.write_text("not what was asked for")
    locked = authority.folder / "locked.key"
    locked.write_text("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA==\n-----END ENCRYPTED PRIVATE KEY-----\n")
    return {
        "missing certificate": (Tls(nothing, own.key), f"cannot read {nothing}: No such file"),
        "missing key": (Tls(own.cert, nothing), f"cannot read {nothing}: No such file"),
        "unreadable": (Tls(own.cert, authority.folder), f"cannot read {authority.folder}: Is a directory"),
        "no certificate": (Tls(words, own.key), f"{words} has no certificates in PEM"),
        "no key": (Tls(own.cert, words), f"{words} has no private key in PEM"),
        "locked key": (Tls(own.cert, locked), "private key"),
        "not a pair": (Tls(own.cert, other.key), f"{other.key} is not the key of the first certificate in {own.cert}"),
        "expired": (Tls(*expired), f"the certificate in {expired.cert} has expired"),
        "no authority": (Tls(*own, client_ca=words), f"{words} has no certificates in PEM"),
    }


def test_files_that_cannot_be_used_are_refused_in_a_sentence(authority: Authority) -> None:
    """It names the file and what is wrong with it; nothing of a key."""
    for what, (tls, sentence) in bad_files(authority).items():
        with pytest.raises(TlsError) as refused:
            Certificates(tls)
        assert sentence in str(refused.value), what
        assert "BEGIN" not in str(refused.value)


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--tls-cert", "c"], "go together"),
        (["--tls-cert", "c", "--tls-key", "k", "--tls-client-ca", "a"], "wants such an address"),
        (["--listen", "mtls:127.0.0.1:1", "--tls-cert", "c", "--tls-key", "k"], "--tls-client-ca"),
        (["--listen", "mtls:127.0.0.1:1"], "--tls-cert"),
        (["--operator-cert", "ab" * 32], "--listen mtls:HOST:PORT"),
        (["--operator-cert", "operator"], "64 hexadecimal digits"),
        (["--spectators", "some"], "open, closed, or how many events late, 1 to 1000; got 'some'"),
        (["--spectators", "0"], "1 to 1000"),
    ],
)
def test_flags_that_contradict_each_other_are_explained(
    flags: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What goes with what is said where it is wrong."""
    with pytest.raises(SystemExit):
        parse(["--store", "memory", *flags])
    assert sentence in " ".join(capsys.readouterr().err.split())


async def test_the_program_reads_its_files_again_on_sighup(program: StartProgram, authority: Authority) -> None:
    """It says what it found, serves the new ones, and does not end; a bad pair at the start ends it with a sentence."""
    own, new = authority.issue("service"), authority.issue("renewed")
    renewed = new.cert.read_text()
    tls = ["--listen", "127.0.0.1:0", "--tls-cert", str(own.cert), "--tls-key", str(own.key)]
    service = program(*tls)
    assert service.ready, service.log
    lines = [json.loads(line) for line in service.log.splitlines()]
    address = next(line["addresses"][0] for line in lines if line["event"] == "serving")
    new.put_in_place_of(own)
    service.process.send_signal(signal.SIGHUP)
    while "certificates_loaded" not in service.log:
        assert service.process.poll() is None, service.log
        await asyncio.sleep(0)
    assert await shown_by(address) == renewed
    refused = program(*tls[:-1], str(authority.issue("other").key))
    assert refused.process.wait() == 1
    assert refused.log.splitlines()[-1].startswith("croupier-service: ")
    assert "is not the key of" in refused.log
