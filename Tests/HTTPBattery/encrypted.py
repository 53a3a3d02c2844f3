"""The same server over TLS."""

import os
import socket
import ssl
import subprocess
import tempfile
import time

from behaviours import LAST, POST, get
from servers import Echo
from wire import answers, connect, read_all, send_all, statuses


class Certificate:
    """A self-signed certificate for localhost and 127.0.0.1, in a folder of its own."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="kiln-tls-")
        self.certificate = os.path.join(self.folder.name, "certificate.pem")
        self.key = os.path.join(self.folder.name, "key.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
             "-keyout", self.key, "-out", self.certificate, "-days", "2", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
            check=True, capture_output=True)
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def client(self, alpn=("http/1.1",), lowest=None, highest=None):
        context = ssl.create_default_context(cafile=self.certificate)
        if alpn:
            context.set_alpn_protocols(list(alpn))
        if highest:
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.minimum_version = lowest or highest
            context.maximum_version = highest
        return context


def encrypted(context, address, session=None):
    return context.wrap_socket(connect(address), server_hostname="localhost", session=session)


def served(function):
    """Gives `function` a certificate and a server that uses it."""

    def behaviour():
        with Certificate() as certificate:
            with Echo("--fast-deadlines", "--tls", certificate.certificate, certificate.key) as echo:
                function(certificate, echo.address)
                if echo.stop() != 0:
                    raise AssertionError("the server did not end with code 0")

    behaviour.__name__ = function.__name__
    return behaviour


@served
def tls_1_2_and_1_3_are_spoken_with_http_1_1(certificate, address):
    for version, name in ((ssl.TLSVersion.TLSv1_2, "TLSv1.2"), (ssl.TLSVersion.TLSv1_3, "TLSv1.3")):
        with encrypted(certificate.client(highest=version), address) as connection:
            assert connection.version() == name
            assert connection.selected_alpn_protocol() == "http/1.1"
            connection.sendall(LAST)
            (status, _, body), = answers(read_all(connection)[0])
            assert (status, body) == (200, b"GET /a secure 0\n"), body


@served
def older_versions_and_other_protocols_are_refused(certificate, address):
    old = certificate.client(highest=ssl.TLSVersion.TLSv1_1)
    for context in (old, certificate.client(alpn=["h2"])):
        try:
            encrypted(context, address).close()
            raise AssertionError("the handshake went through")
        except (ssl.SSLError, ConnectionResetError):
            pass


@served
def a_client_without_protocols_is_served(certificate, address):
    with encrypted(certificate.client(alpn=()), address) as connection:
        assert connection.selected_alpn_protocol() is None
        connection.sendall(LAST)
        assert statuses(read_all(connection)[0]) == [200]


@served
def sessions_are_resumed_by_ticket(certificate, address):
    context = certificate.client()
    with encrypted(context, address) as first:
        first.sendall(LAST)
        read_all(first)
        session = first.session
        assert not first.session_reused
    with encrypted(context, address, session) as second:
        assert second.session_reused
        second.sendall(LAST)
        assert statuses(read_all(second)[0]) == [200]


@served
def large_bodies_go_both_ways(certificate, address):
    body = os.urandom(5_000_000)
    with encrypted(certificate.client(), address) as connection:
        connection.sendall(POST + b"Content-Length: 5000000\r\nConnection: close\r\n\r\n" + body)
        (status, _, echoed), = answers(read_all(connection)[0])
        assert status == 200 and echoed.endswith(body)


@served
def pipelined_requests_are_answered_in_order(certificate, address):
    paths = [f"/later/{50 - n}/{n}" if n % 3 == 0 else f"/large/{n * 1000}" for n in range(50)]
    with encrypted(certificate.client(), address) as connection:
        connection.sendall(b"".join(map(get, paths)) + LAST)
        found = answers(read_all(connection)[0])
    assert [status for status, _, _ in found] == [200] * 51
    assert all(len(body) == n * 1000 for n, (_, _, body) in enumerate(found[:50]) if n % 3)


@served
def requests_in_many_records_are_understood(certificate, address):
    with encrypted(certificate.client(), address) as connection:
        for byte in LAST:
            connection.sendall(bytes([byte]))
        assert statuses(read_all(connection)[0]) == [200]


@served
def refusals_arrive_although_more_was_sent(certificate, address):
    with encrypted(certificate.client(), address) as connection:
        send_all(connection, POST + b"Content-Length: 99999999\r\n\r\n" + b"x" * 300_000)
        received, _ = read_all(connection)
        assert statuses(received) == [413]


@served
def what_is_not_a_handshake_is_cut_off(certificate, address):
    for data in (LAST, os.urandom(500), b"\x16\x03\x01\xff\xff" + bytes(300)):
        with connect(address) as connection:
            send_all(connection, data)
            assert read_all(connection)[1]
    with connect(address) as silent:
        started = time.monotonic()
        assert read_all(silent, timeout=5)[1]
        assert 0.8 < time.monotonic() - started < 2


@served
def clients_that_vanish_from_a_handshake_do_no_harm(certificate, address):
    for number in range(100):
        connection = connect(address)
        connection.sendall(b"\x16\x03\x01"[: number % 4])
        connection.close()
    for _ in range(30):
        connection = encrypted(certificate.client(), address)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        connection.sendall(get("/large/1000000"))
        connection.close()
    with encrypted(certificate.client(), address) as connection:
        connection.sendall(LAST)
        assert statuses(read_all(connection)[0]) == [200]


def a_wrong_certificate_or_key_is_named():
    with Certificate() as certificate, Certificate() as other:
        missing = certificate.certificate + ".missing"
        for files in ((missing, certificate.key), (certificate.key, certificate.key),
                      (certificate.certificate, missing), (certificate.certificate, other.key)):
            refused = subprocess.run(
                [Echo.executable, "--listen", "127.0.0.1:0", "--tls", *files],
                capture_output=True, text=True, timeout=10)
            assert refused.returncode == 1 and any(file in refused.stderr for file in files), refused.stderr


ALL = [value for name, value in list(globals().items())
       if callable(value) and getattr(value, "__module__", "") == __name__
       and name not in ("Certificate", "encrypted", "served")]
