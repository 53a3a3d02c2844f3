"""The same over HTTP: `kiln serve` is killed under four writers, and what it answered with 2xx must be there."""

import http.client
import json
import os
import random
import signal
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Support"))
import kiln  # noqa: E402

SYSTEM = "http://example.org/k"


def faults(kills):
    """Kills a server so many times; returns what was wrong and how many writes were acknowledged."""
    found = []
    server = kiln.Kiln()
    with server:
        story = Story(server)
        for run in range(kills):
            story.write_until_killed(run)
            began = time.monotonic()
            server.start()
            if server.request("GET", "/fhir/metadata")[0] != 200 or time.monotonic() - began > 5:
                found.append(f"round {run}: metadata took {time.monotonic() - began:.1f} s")
            found += [f"round {run}: {fault}" for fault in story.faults()]
        began = time.monotonic()
        if server.stop() != 0 or time.monotonic() - began > 10:
            found.append("SIGTERM did not end the server in 10 s with exit code 0")
        for command in (["check"], ["log", "verify"]):
            ended = server.run(*command, "--store", server.store, check=False)
            if ended.returncode != 0:
                found.append(f"kiln {' '.join(command)}: {ended.stdout[-300:]} {ended.stderr[-300:]}")
    return found, story.count


class Story:
    """What was written and answered so far."""

    def __init__(self, server):
        self.server = server
        self.versions = {}  # id: (version, is live), as acknowledged
        self.identifiers = set()
        self.count = 0
        self.lock = threading.Lock()
        self.is_over = threading.Event()

    def write_until_killed(self, run):
        self.is_over.clear()
        writers = [threading.Thread(target=self.write, args=(run, writer)) for writer in range(4)]
        for writer in writers:
            writer.start()
        time.sleep(random.uniform(0.2, 1.0))
        self.server.process.send_signal(signal.SIGKILL)
        self.is_over.set()
        for writer in writers:
            writer.join()
        self.server.process.wait()
        self.server.process.stderr.close()

    def write(self, run, writer):
        turn = 0
        while not self.is_over.is_set():
            turn += 1
            try:
                self.step(run, writer, turn)
            except (OSError, http.client.HTTPException):
                return

    def step(self, run, writer, turn):
        name = f"c{writer}-{random.randrange(5)}"
        kind = random.choice(["put", "put", "put", "create", "create", "delete"])
        if kind == "put":
            self.note_version(name, *self.send("PUT", f"Patient/{name}", patient(name, turn)))
        elif kind == "delete":
            status, headers, _ = self.send("DELETE", f"Patient/{name}")
            if status // 100 == 2 and "etag" in headers:
                self.note_version(name, status, headers, b"", is_live=False)
        else:
            # The four writers ask for the same ones.
            value = f"{run}-{turn // 2}"
            status, _, _ = self.send(
                "POST", "Patient", patient(None, turn, value), {"If-None-Exist": f"identifier={SYSTEM}|{value}"})
            if status in (200, 201):
                with self.lock:
                    self.identifiers.add(value)
                    self.count += 1

    def send(self, method, path, body=None, headers=None):
        return self.server.request(method, "/fhir/" + path, body, headers=headers)

    def note_version(self, name, status, headers, body, is_live=True):
        if status // 100 != 2:
            return
        with self.lock:
            self.versions[name] = (int(headers["etag"].strip('W/"')), is_live)
            self.count += 1

    def faults(self):
        found = []
        for name, (version, is_live) in list(self.versions.items()):
            found += self.history_faults(name, version, is_live)
        for value in self.identifiers:
            count = self.total("identifier=" + urllib.parse.quote(f"{SYSTEM}|{value}"))
            if count != 1:
                found.append(f"{count} Patients have the identifier {value}")
        live = {name for name in self.versions if self.send("GET", f"Patient/{name}")[0] == 200}
        searched = {i for i in self.ids("family=killed") if i in self.versions}
        if live != searched:
            found.append(f"reads find {sorted(live)}, a search {sorted(searched)}")
        audited = self.total("_count=0", "AuditEvent")
        if audited < self.count:
            found.append(f"{self.count} writes were acknowledged, {audited} entries are in the log")
        return found

    def history_faults(self, name, version, is_live):
        status, _, body = self.send("GET", f"Patient/{name}/_history?_count=1000")
        if status != 200:
            return [f"the history of {name} is {status}"]
        entries = list(reversed(json.loads(body)["entry"]))
        versions = [int(entry["response"]["etag"].strip('W/"')) for entry in entries]
        if versions != list(range(1, len(versions) + 1)):
            return [f"{name} has versions {versions}"]
        if not version <= len(versions) <= version + 1:
            return [f"{name} has {len(versions)} versions, {version} acknowledged"]
        if ("resource" in entries[version - 1]) != is_live:
            return [f"{name} version {version} is of another kind"]
        # What a kill left unacknowledged counts from here on: it was found on the disk.
        self.versions[name] = (len(versions), "resource" in entries[-1])
        if len(versions) == version:
            status = self.send("GET", f"Patient/{name}")[0]
            if status != (200 if is_live else 410):
                return [f"{name} reads as {status}"]
        return []

    def total(self, query, of="Patient"):
        status, _, body = self.send("GET", f"{of}?{query}&_summary=count")
        return json.loads(body)["total"] if status == 200 else f"status {status}"

    def ids(self, query):
        ids, path = set(), f"/fhir/Patient?{query}&_count=200"
        while path:
            page = json.loads(self.server.request("GET", path)[2])
            ids |= {entry["resource"]["id"] for entry in page.get("entry", [])}
            links = [link["url"] for link in page["link"] if link["relation"] == "next"]
            path = links[0].removeprefix(self.server.url) if links else None
        return ids


def patient(name, turn, identifier=None):
    resource = {"resourceType": "Patient", "name": [{"family": "killed", "given": [str(turn)]}]}
    if name:
        resource["id"] = name
    if identifier:
        resource["identifier"] = [{"system": SYSTEM, "value": identifier}]
    return resource
