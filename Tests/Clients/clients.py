"""What the clients that people use see of the HTTP room. Each function is called with a server over
plain HTTP and over TLS; the server echoes: method, target, `plain` or `secure`, byte count, body."""

import asyncio
import http.client
import os
import re
import ssl
import subprocess
import sys
import traceback

import httpx
import requests

import store

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", "HTTPBattery"), os.path.join(HERE, "..", "Support")]
from encrypted import Certificate  # noqa: E402
from kiln import Kiln  # noqa: E402
from servers import Echo  # noqa: E402

LARGE = os.urandom(1024) * 3000


class Target:
    def __init__(self, echo, certificate=None):
        self.echo = echo
        self.host, self.port = "localhost" if certificate else "127.0.0.1", echo.address[1]
        self.certificate = certificate
        self.url = f"{'https' if certificate else 'http'}://{self.host}:{self.port}"
        self.kind = "secure" if certificate else "plain"
        self.verify = certificate.certificate if certificate else True

    def says(self, method, path, body=b""):
        return f"{method} {path} {self.kind} {len(body)}\n".encode() + body


def curl(target, *arguments, data=None):
    command = ["curl", "--silent", "--show-error", "--max-time", "20", "--http1.1", *arguments]
    if target.certificate:
        command += ["--cacert", target.certificate.certificate]
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout


def curl_reads_and_writes(target):
    path = "/fhir/Observation?code=http://loinc.org|8867-4&date=ge2026-01-01"
    assert curl(target, target.url + path) == target.says("GET", path)
    got = curl(target, "-X", "PUT", "-H", "Content-Type: application/fhir+json", "--data-binary", "@-",
               target.url + "/a", data=b"{}")
    assert got == target.says("PUT", "/a", b"{}")


def curl_uploads_what_must_be_asked_for_and_what_has_no_length(target):
    for extra in ([], ["-H", "Transfer-Encoding: chunked"], ["-H", "Expect:"]):
        got = curl(target, *extra, "--data-binary", "@-", target.url + "/a", data=LARGE)
        assert got == target.says("POST", "/a", LARGE), extra


def curl_keeps_its_connection(target):
    urls = [f"{target.url}/{number}" for number in range(20)]
    got = curl(target, "--write-out", "%{num_connects}", *urls).decode()
    assert re.findall(r"(\d)GET|(\d)$", got)[0] == ("1", "") and got.count("0GET") == 18, got


def curl_asks_for_the_head(target):
    got = curl(target, "--head", target.url + "/large/12345").decode()
    assert "HTTP/1.1 200 OK" in got and "Content-Length: 12345" in got


def curl_gets_a_large_answer(target):
    assert curl(target, target.url + "/large/20000000") == b"x" * 20_000_000


def wrk_sees_no_error(target):
    got = subprocess.run(["wrk", "-t1", "-c16", "-d1s", target.url + "/fixed"], capture_output=True, text=True, check=True).stdout
    count = int(re.search(r"(\d+) requests in", got).group(1))
    assert count > 100 and "Socket errors" not in got and "Non-2xx" not in got, got


def http_client_keeps_its_connection(target):
    if target.certificate:
        connection = http.client.HTTPSConnection(
            target.host, target.port, context=ssl.create_default_context(cafile=target.certificate.certificate))
    else:
        connection = http.client.HTTPConnection(target.host, target.port)
    for method, body in (("GET", b""), ("POST", b"abc"), ("DELETE", b""), ("PATCH", LARGE), ("HEAD", b""), ("GET", b"")):
        connection.request(method, "/a", body or None)
        answer = connection.getresponse()
        assert answer.status == 200
        assert answer.read() == (b"" if method == "HEAD" else target.says(method, "/a", body))
        assert not answer.will_close
    connection.request("POST", "/a", iter([b"abc", b"def"]), encode_chunked=True, headers={"Transfer-Encoding": "chunked"})
    assert connection.getresponse().read() == target.says("POST", "/a", b"abcdef")
    connection.close()


def requests_sends_in_a_session(target):
    with requests.Session() as session:
        session.trust_env = False  # a bundle named by the environment would count for more
        session.verify = target.verify
        for _ in range(20):
            assert session.get(target.url + "/a", params={"code": "a|b"}).content == target.says("GET", "/a?code=a%7Cb")
        assert session.post(target.url + "/a", json={"a": 1}).content == target.says("POST", "/a", b'{"a": 1}')
        assert session.put(target.url + "/a", data=iter([b"abc", LARGE])).content == target.says("PUT", "/a", b"abc" + LARGE)
        assert session.get(target.url + "/status/204").status_code == 204
        assert session.head(target.url + "/large/5").headers["Content-Length"] == "5"


def httpx_sends_many_at_once(target):
    context = ssl.create_default_context(cafile=target.certificate.certificate) if target.certificate else True

    async def main():
        async with httpx.AsyncClient(verify=context) as client:
            answers = await asyncio.gather(*(client.get(f"{target.url}/later/{n % 7}/{n}") for n in range(200)))
            for number, answer in enumerate(answers):
                assert answer.content == target.says("GET", f"/later/{number % 7}/{number}")
            answer = await client.post(target.url + "/a", content=LARGE)
            assert answer.http_version == "HTTP/1.1" and answer.content == target.says("POST", "/a", LARGE)

    asyncio.run(main())


CLIENTS = [curl_reads_and_writes, curl_uploads_what_must_be_asked_for_and_what_has_no_length, curl_keeps_its_connection,
           curl_asks_for_the_head, curl_gets_a_large_answer, wrk_sees_no_error, http_client_keeps_its_connection,
           requests_sends_in_a_session, httpx_sends_many_at_once]


class Stored:
    """A store of Kiln's, with an operator's token."""

    def __init__(self, kiln, certificate=None):
        self.base = kiln.url.replace("127.0.0.1", "localhost") + "/fhir"
        self.token = kiln.operator
        self.certificate = certificate.certificate if certificate else None
        self.kind = "https" if certificate else "http"


class Tally:
    passed = failed = 0

    def run(self, client, target):
        try:
            client(target)
            self.passed += 1
        except Exception:
            self.failed += 1
            print(f"FAIL {client.__name__} ({target.kind})")
            traceback.print_exc(file=sys.stdout, limit=-2, chain=False)

    def expect(self, holds, otherwise):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print("FAIL", otherwise)


def main():
    os.environ["no_proxy"] = "*"
    tally = Tally()
    with Certificate() as certificate:
        files = (certificate.certificate, certificate.key)
        with Echo() as plain, Echo("--tls", *files) as secure:
            for target in (Target(plain), Target(secure, certificate)):
                for client in CLIENTS:
                    tally.run(client, target)
            for echo in (plain, secure):
                tally.expect(echo.stop() == 0, "the server did not end with code 0")
        with Kiln() as plain, Kiln("--tls-certificate", files[0], "--tls-key", files[1]) as secure:
            for target in (Stored(plain), Stored(secure, certificate)):
                for client in store.CLIENTS:
                    tally.run(client, target)
            for kiln in (plain, secure):
                tally.expect(kiln.stop() == 0, "kiln serve did not end with code 0")
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
