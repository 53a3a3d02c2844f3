"""Servers: where they listen, and how they are encrypted."""

import fcntl
import json
import os
import pty
import signal
import socket
import ssl
import subprocess
import tempfile
import termios
import urllib.parse

from command import KILN, free_port, must_be_wrong_use, run
import kiln


def it_listens_beyond_loopback_only_with_encryption():
    with tempfile.TemporaryDirectory() as folder:
        must_be_wrong_use(
            run("serve", "--store", folder, "--listen", "0.0.0.0:0"), "--tls-certificate", "--behind-proxy")


def it_needs_the_address_that_clients_use_beyond_loopback():
    with tempfile.TemporaryDirectory() as folder:
        serve = ["serve", "--store", folder, "--listen", "0.0.0.0:0"]
        tls = ["--tls-certificate", "certificate.pem", "--tls-key", "key.pem"]
        must_be_wrong_use(run(*serve, *tls), "0.0.0.0:0", "--base-url")
        must_be_wrong_use(run(*serve, "--behind-proxy"), "--base-url")
        # Refused before anything is made.
        assert os.listdir(folder) == []


def it_promises_nothing_before_it_serves():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ended = run("demo", "--listen", "127.0.0.1:%d" % taken.getsockname()[1])
        assert ended.returncode == 1 and ended.stdout == "" and "in use" in ended.stderr, ended


def it_takes_references_under_its_own_address_for_relative_ones():
    with kiln.Kiln(listen="127.0.0.1:%d" % free_port()) as served:
        port = served.url.rsplit(":", 1)[1]
        made = served.request("PUT", "/fhir/Patient/a", {"resourceType": "Patient", "id": "a"})
        assert made[0] == 201, made

        def measured(name, base):
            body = {
                "resourceType": "Observation", "id": name, "status": "final", "code": {"text": "any"},
                "subject": {"reference": f"{base}/fhir/Patient/a"}}
            assert served.request("PUT", f"/fhir/Observation/{name}", body)[0] == 201

        def found():
            answer = json.loads(served.request("GET", "/fhir/Observation?patient=a&_sort=_id")[2])
            return [entry["resource"]["id"] for entry in answer.get("entry", [])]

        measured("here", served.url)
        measured("by-name", f"http://localhost:{port}")
        measured("elsewhere", "http://127.0.0.1:1")
        measured("encrypted", f"https://127.0.0.1:{port}")
        assert found() == ["by-name", "here"], found()
        # Commands without a server read references by the same addresses.
        assert "0 differences" in run("check", "--store", served.store).stdout
        answer = json.loads(served.request("GET", "/fhir/Observation?patient=a&_count=1")[2])
        links = {link["relation"]: link["url"] for link in answer["link"]}
        assert links["next"].startswith(served.url + "/fhir/Observation?"), links
        assert links["self"].startswith(served.url + "/fhir/Observation?"), links
        assert served.stop() == 0
        served.arguments = ["--base-url", "https://store.example.org/fhir/"]
        served.start()
        assert run("check", "--store", served.store).returncode == 1
        assert run("reindex", "--store", served.store).returncode == 0
        assert "0 differences" in run("check", "--store", served.store).stdout
        measured("public", "https://store.example.org")
        assert found() == ["public"], found()


def make_certificate(folder, name):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-days", "2", "-subj", "/CN=" + name, "-keyout", folder + "/key.pem", "-out", folder + "/chain.pem"],
        check=True, capture_output=True)


def it_reads_its_certificate_again_at_a_hangup():
    with tempfile.TemporaryDirectory() as folder:
        make_certificate(folder, "first")
        files = ["--tls-certificate", folder + "/chain.pem", "--tls-key", folder + "/key.pem"]
        with kiln.Kiln(*files) as served:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            where = urllib.parse.urlsplit(served.url)

            def connection():
                plain = socket.create_connection((where.hostname, where.port), timeout=10)
                return context.wrap_socket(plain)

            def is_answered(secured):
                secured.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return b"ok" in secured.recv(65536)

            def hang_up():
                served.process.send_signal(signal.SIGHUP)
                return served.process.stderr.readline()

            old = connection()
            first = old.getpeercert(True)
            assert is_answered(old)
            make_certificate(folder, "second")
            assert connection().getpeercert(True) == first
            assert "read again" in hang_up()
            second = connection().getpeercert(True)
            assert second != first and is_answered(old) and is_answered(connection())
            # A key of another certificate, then no certificate at all: the pair that stood stays.
            with open(folder + "/key.pem") as file:
                kept = file.read()
            make_certificate(folder, "third")
            with open(folder + "/key.pem", "w") as file:
                file.write(kept)
            for _ in range(2):
                said = hang_up()
                assert "stays as it was" in said and folder in said, said
                assert connection().getpeercert(True) == second and is_answered(old)
                with open(folder + "/chain.pem", "w") as file:
                    file.write("no certificate")
            assert served.stop() == 0


def it_asks_no_terminal_for_the_passphrase_of_a_key():
    with tempfile.TemporaryDirectory() as folder:
        make_certificate(folder, "first")
        subprocess.run(
            ["openssl", "pkey", "-in", folder + "/key.pem", "-aes256", "-passout", "pass:secret",
             "-out", folder + "/locked.pem"], check=True, capture_output=True)
        ours, terminal = pty.openpty()

        def take_terminal():
            fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)

        try:
            ended = subprocess.run(
                [KILN, "serve", "--store", folder + "/store", "--listen", "127.0.0.1:0", "--tls-certificate",
                 folder + "/chain.pem", "--tls-key", folder + "/locked.pem"],
                stdin=terminal, capture_output=True, text=True, timeout=20, start_new_session=True,
                preexec_fn=take_terminal)
        finally:
            os.close(ours)
            os.close(terminal)
        assert ended.returncode == 1 and "without a passphrase" in ended.stderr, ended
