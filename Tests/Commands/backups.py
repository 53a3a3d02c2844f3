"""Backups, and stores that are made of them."""

import json
import os
import signal
import tempfile
import time

from command import run
import kiln


EXPORT_OF_STEPS = """<HealthData>%s
 <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" value="%d"
  startDate="2026-10-%02d 08:00:00 +0000" endDate="2026-10-%02d 08:10:00 +0000"/></HealthData>"""


def it_backs_up_and_restores_what_was_acknowledged_and_waits():
    with kiln.Kiln() as served, tempfile.TemporaryDirectory() as folder:
        patient = {"resourceType": "Patient", "id": "p"}
        assert served.request("PUT", "/fhir/Patient/p", patient)[0] == 201
        places = []
        for day in range(1, 7):
            # Of some size, so that not all are read before the server is killed.
            body = EXPORT_OF_STEPS % ("<Unknown a='0'/>" * 100000, 1000 + day, day, day)
            status, headers, _ = served.request(
                "POST", "/wearables/apple-health?patient=Patient/p&homeZone=UTC", body,
                headers={"Content-Type": "application/xml"})
            assert status == 202, status
            places.append(headers["content-location"])
        served.stop(signal.SIGKILL)
        # What is no file is nobody's upload.
        os.mkfifo(os.path.join(served.store, "imports", "0.json"))
        backup = os.path.join(folder, "backup")
        done = run("backup", backup, "--store", served.store)
        waiting = [name for name in os.listdir(os.path.join(served.store, "imports")) if name.endswith(".export")]
        assert done.returncode == 0, done
        assert ("read: %d\n" % len(waiting) in done.stderr) == bool(waiting), (done, waiting)
        copied = os.listdir(backup + ".imports")
        assert sorted(name for name in copied if name.endswith(".export")) == sorted(waiting), copied
        assert sum(name.endswith(".json") for name in copied) == 6 and "0.json" not in copied, copied
        ended = run("backup", backup + "2", "--store", served.store)
        os.rename(backup + "2.imports", backup + "3.imports")
        ended = run("backup", backup + "3", "--store", served.store)
        assert ended.returncode == 1 and backup + "3.imports exists already" in ended.stderr, ended
        restored = os.path.join(folder, "restored")
        assert run("restore", backup, "--store", restored).returncode == 0
        with kiln.Kiln(store=restored) as second:
            second.operator = served.operator
            for place in places:
                for _ in range(200):
                    status, _, body = second.request("GET", place)
                    if status == 200:
                        break
                    assert status == 202, (status, body)
                    time.sleep(0.1)
                assert json.loads(body)["status"] == "done", body
            _, _, body = second.request("GET", "/fhir/Observation?patient=p&_count=50")
            values = [entry["resource"]["valueQuantity"]["value"] for entry in json.loads(body)["entry"]]
            assert sorted(values) == [1000 + day for day in range(1, 7)], values


def it_makes_no_folder_for_a_backup():
    with kiln.Kiln() as served, tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(served.store, "imports"), exist_ok=True)
        file = os.path.join(folder, "missing", "backup")
        ended = run("backup", file, "--store", served.store)
        assert ended.returncode == 1, ended
        assert ended.stderr == f"kiln: {file} can't be written: its folder doesn't exist\n", ended
        assert os.listdir(folder) == [], os.listdir(folder)


def it_restores_nothing_but_a_store():
    with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile("w", suffix=".backup") as file:
        file.write("no backup" * 1000)
        file.flush()
        ended = run("restore", file.name, "--store", folder)
        assert ended.returncode == 1 and f"{file.name} can't be opened as a store" in ended.stderr, ended
        assert os.listdir(folder) == [], os.listdir(folder)
        ended = run("restore", file.name, "--store", folder + "/new")
        assert ended.returncode == 1 and os.listdir(folder) == [], (ended, os.listdir(folder))
