"""An export that was acknowledged: `kiln serve` is killed between the 202 and the end of the import, and the
values must be there after the restart, with the status to be asked for."""

import json
import os
import random
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Support"))
import kiln  # noqa: E402

DAYS = 28
RECORDS_PER_DAY = 900


def export(seed):
    """A document with steps, and the sum of each day in February as this program counts it."""
    dice = random.Random(seed)
    lines, sums = ["<HealthData>"], {}
    for day in range(1, DAYS + 1):
        for number in range(RECORDS_PER_DAY):
            value = dice.randrange(1, 50)
            hour, minute = divmod(number, 60)
            at = f"2026-02-{day:02} {hour:02}:{minute:02}:00 +0000"
            lines.append(f'<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Synthetic phone" unit="count" '
                         f'startDate="{at}" endDate="{at[:-8]}30 +0000" value="{value}"/>')
            sums[f"2026-02-{day:02}"] = sums.get(f"2026-02-{day:02}", 0) + value
    return "\n".join(lines + ["</HealthData>"]).encode(), sums


def faults(kills):
    """Kills a server so many times; returns what was wrong, and how many kills cut an import short."""
    found, cut_short = [], 0
    with kiln.Kiln() as server:
        spooled = os.path.join(server.store, "imports")
        for run in range(kills):
            person = f"person-{run}"
            server.request("PUT", f"/fhir/Patient/{person}", {"resourceType": "Patient", "id": person})
            body, expected = export(run)
            place = send(server, person, body)
            for again in range(random.choice([1, 1, 2])):
                # The first kill comes at once, however fast the machine is.
                time.sleep(random.uniform(0, 1.5) if run else 0)
                server.process.send_signal(signal.SIGKILL)
                server.process.wait()
                server.process.stderr.close()
                cut_short += any(name.endswith(".export") for name in os.listdir(spooled))
                server.start()
                status, state = ask(server, place)
                if status not in (200, 202):
                    found.append(f"round {run}: after the kill the status is {status} {state}")
            found += [f"round {run}: {fault}" for fault in end_faults(server, person, place, expected)]
        if left := [name for name in os.listdir(spooled) if not name.endswith(".lock")]:
            found.append(f"in {spooled} are left {left}")
        server.stop()
        ended = server.run("check", "--store", server.store, check=False)
        if ended.returncode != 0:
            found.append(f"kiln check: {ended.stdout[-300:]} {ended.stderr[-300:]}")
    return found, cut_short


def send(server, person, body):
    path = f"/wearables/apple-health?patient=Patient/{person}&homeZone=UTC"
    status, headers, answer = server.request("POST", path, body, headers={"Content-Type": "application/xml"})
    assert status == 202, (status, answer)
    return headers["content-location"]


def ask(server, place):
    status, _, body = server.request("GET", place)
    return status, body.decode()


def end_faults(server, person, place, expected):
    deadline = time.monotonic() + 120
    while (answer := ask(server, place))[0] == 202:
        if time.monotonic() > deadline:
            return [f"the import does not end: {answer}"]
        time.sleep(0.1)
    found = []
    if answer[0] != 200 or json.loads(answer[1])["status"] != "done":
        found.append(f"the import ended with {answer}")
    _, _, body = server.request("GET", f"/fhir/Observation?patient={person}&_count=100")
    days = {}
    for entry in json.loads(body).get("entry", []):
        resource = entry["resource"]
        days[resource["effectivePeriod"]["start"][:10]] = resource["valueQuantity"]["value"]
        if resource["meta"]["versionId"] != "1":
            found.append(f"{resource['effectivePeriod']['start']} has version {resource['meta']['versionId']}")
    if days != expected:
        found.append(f"the values are {days}, not {expected}")
    if server.request("DELETE", place)[0] != 204 or ask(server, place)[0] != 404:
        found.append("the status stays when it is removed")
    return found
