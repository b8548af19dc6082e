"""TLS: the service's certificate, the authority of its clients' certificates, and new ones while it runs.

The files are looked at whenever a client connects, and on SIGHUP. New ones are taken up by the connections that come
after; those that are open keep theirs, so no stream is dropped. Files that cannot be used are logged and not taken up.
"""

import ssl
from pathlib import Path
from threading import Lock
from typing import TypeAlias

import grpc
import structlog

from croupier_service.config import Tls

MTLS = "mtls:"
"""Begins an address whose clients must show a certificate."""

log = structlog.get_logger()

Marks: TypeAlias = "tuple[tuple[int, int, int] | None, ...]"
"""What tells whether files have changed."""

_WHEN_VERIFYING = {9: "is not valid yet", 10: "has expired"}
"""What X.509 verification says of dates."""


class TlsError(Exception):
    """Certificates that cannot be used; the sentence says which file, and why."""


class Certificates:
    """The certificates of a service, as its files have them."""

    def __init__(self, tls: Tls) -> None:
        self._tls = tls
        self._lock = Lock()
        self._marks = self._look()
        self._current = _configuration(tls)

    def credentials(self, client_certificates: bool) -> grpc.ServerCredentials:
        """What a port is opened with; its clients must show a certificate, or are not asked for one."""
        port = _Port(self)
        return grpc.dynamic_ssl_server_credentials(
            port.taken,
            port.newer,  # type: ignore[arg-type]  # the stubs do not know that None is an answer
            client_certificates,
        )

    @property
    def current(self) -> grpc.ServerCertificateConfiguration:
        """The newest that could be used."""
        with self._lock:
            if (marks := self._look()) != self._marks:
                self._marks = marks
                self._renew()
            return self._current

    def reload(self) -> None:
        """Reads the files again, changed or not."""
        with self._lock:
            self._marks = self._look()
            self._renew()

    def _renew(self) -> None:
        try:
            self._current = _configuration(self._tls)
        except TlsError as error:
            log.error("certificates_refused", error=str(error), hint="the former ones stay in use")
        else:
            log.info("certificates_loaded", file=str(self._tls.cert))

    def _look(self) -> Marks:
        return tuple(_mark(file) for file in self._tls.files)


class _Port:
    """One port, and the certificates that gRPC has been given for it."""

    def __init__(self, certificates: Certificates) -> None:
        self._certificates = certificates
        self.taken = certificates.current

    def newer(self) -> grpc.ServerCertificateConfiguration | None:
        """gRPC asks for every connection, from a thread of its own; None: they are the same."""
        current = self._certificates.current
        if current is self.taken:
            return None
        self.taken = current
        return current


def _mark(file: Path) -> tuple[int, int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def _configuration(tls: Tls) -> grpc.ServerCertificateConfiguration:
    """The files as gRPC takes them, once they have been found good."""
    contents = {file: _read(file) for file in tls.files}
    server = _rehearse(tls)
    roots = contents[tls.client_ca] if tls.client_ca is not None else None
    if tls.client_ca is not None:
        _load_authorities(server, tls.client_ca)
    return grpc.ssl_server_certificate_configuration([(contents[tls.key], contents[tls.cert])], roots)


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise TlsError(f"cannot read {file}: {error.strerror}") from None


def _load_authorities(context: ssl.SSLContext, file: Path) -> None:
    try:
        context.load_verify_locations(cafile=file)
    except (ssl.SSLError, OSError):
        raise TlsError(f"{file} has no certificates in PEM") from None


def _rehearse(tls: Tls) -> ssl.SSLContext:
    """Shakes hands with itself, in memory: certificate and key must be a pair that is valid today."""
    server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    _load_authorities(client, tls.cert)
    try:
        server.load_cert_chain(tls.cert, tls.key, password=_no_password)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise TlsError(f"{tls.key} is not the key of the first certificate in {tls.cert}") from None
        raise TlsError(f"{tls.key} has no private key in PEM") from None
    client.check_hostname = False
    client.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    try:
        _shake_hands(server, client)
    except ssl.SSLCertVerificationError as error:
        what = _WHEN_VERIFYING.get(error.verify_code, f"is refused by clients: {error.verify_message}")
        raise TlsError(f"the certificate in {tls.cert} {what}") from None
    except ssl.SSLError as error:
        raise TlsError(f"{tls.cert} and {tls.key} cannot be used: {error.reason}") from None
    return server


def _no_password() -> str:
    """An encrypted key would else be asked for at the terminal."""
    raise TlsError("the private key is encrypted; store it in the clear, readable by the service alone")


def _shake_hands(server: ssl.SSLContext, client: ssl.SSLContext) -> None:
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        client.wrap_bio(to_client, to_server),
        server.wrap_bio(to_server, to_client, server_side=True),
    ]
    while ends:
        for end in tuple(ends):
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                continue
            ends.remove(end)
