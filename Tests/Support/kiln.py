"""A Kiln server on loopback for the checks that drive it from outside. Standard library only.

    with Kiln() as kiln:
        status, headers, body = kiln.request("GET", "/fhir/Patient/1")
"""

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import urllib.parse

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def executable(configuration="debug"):
    """Builds `kiln` and returns its path. KILN_EXECUTABLE names one that is built already."""
    named = os.environ.get("KILN_EXECUTABLE")
    if named:
        return named
    command = ["swift", "build", "-c", configuration, "--product", "kiln"]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    where = subprocess.run(command[:4] + ["--show-bin-path"], cwd=ROOT, check=True, capture_output=True, text=True)
    return os.path.join(where.stdout.strip(), "kiln")


class Kiln:
    """`kiln serve` in a store of its own, with an operator's token."""

    def __init__(self, *arguments, store=None, configuration="debug", listen="127.0.0.1:0"):
        self.executable = executable(configuration)
        self.arguments = list(arguments)
        self.listen = listen
        self.folder = None if store else tempfile.mkdtemp(prefix="kiln-")
        self.store = store or os.path.join(self.folder, "store")
        self.process = None
        self.operator = None

    def run(self, *arguments, check=True, **options):
        """One `kiln` command; its output as text."""
        return subprocess.run(
            [self.executable, *arguments], check=check, capture_output=True, text=True, **options
        )

    def token(self, *arguments):
        return self.run("token", "create", "--store", self.store, *arguments).stdout.strip()

    def start(self):
        if self.operator is None:
            self.operator = self.token("--operator")
        self.process = subprocess.Popen(
            [self.executable, "serve", "--store", self.store, "--listen", self.listen, *self.arguments],
            stderr=subprocess.PIPE, text=True,
        )
        said = []
        for line in self.process.stderr:
            said.append(line)
            found = re.search(r"https?://[^\s/]+", line)
            if found:
                self.url = found.group(0)
                return self
        raise RuntimeError("kiln serve said: " + "".join(said))

    def stop(self, how=signal.SIGTERM, timeout=20):
        """Ends the server and returns its exit code; one that hangs is killed."""
        self.process.send_signal(how)
        try:
            return self.process.wait(timeout)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            self.process.stderr.close()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.stop()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def request(self, method, path, body=None, token="operator", headers=None):
        """(status, headers with lower-case names, body as bytes)."""
        where = urllib.parse.urlsplit(self.url)
        make = http.client.HTTPSConnection if where.scheme == "https" else http.client.HTTPConnection
        connection = make(where.hostname, where.port, timeout=30)
        sent = {}
        if token == "operator":
            token = self.operator
        if token:
            sent["Authorization"] = "Bearer " + token
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        if body is not None:
            sent["Content-Type"] = "application/fhir+json"
        sent.update(headers or {})
        try:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
        finally:
            connection.close()
