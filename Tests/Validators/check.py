#!/usr/bin/env python3
"""Runs the validators over the fixtures and over what a running server answers."""

import copy
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Support"))
from kiln import ROOT, Kiln

from every_type import by_identifier, differences, observations
from profiles import URL, broken_rules
from validators import complaints

PATIENT = {"resourceType": "Patient", "id": "ana", "active": True, "name": [{"text": "Ana Example"}]}
passed = failed = 0


def check(name, found):
    """A check passes when nothing was found against it."""
    global passed, failed
    if found:
        failed += 1
        print("FAIL", name)
        for line in found[:5]:
            print("    ", line)
    else:
        passed += 1


def check_resource(name, text):
    resource = json.loads(text)
    found = complaints(text, resource["resourceType"])
    if resource["resourceType"] == "Observation":
        found += broken_rules(resource)
    check(name, found)


def fixtures():
    with open(os.path.join(ROOT, "fixtures", "wearables", "observations.ndjson"), encoding="utf-8") as lines:
        return lines.read().splitlines()


def check_controls(heart_rate):
    """Each of these faults must be noticed, or the checks above prove nothing."""
    def damaged(change):
        resource = copy.deepcopy(heart_rate)
        change(resource)
        return resource

    faults = {
        "no status": lambda r: r.pop("status"),
        "a status that is none": lambda r: r.update(status="finished"),
        "an unknown element": lambda r: r.update(colour="red"),
        "an impossible time": lambda r: r["effectivePeriod"].update(start="2026-13-01T00:00:00Z"),
        "no subject": lambda r: r.pop("subject"),
        "another unit": lambda r: r["valueQuantity"].update(code="ms"),
        "no LOINC code": lambda r: r["code"]["coding"].pop(0),
        "another category": lambda r: r["category"][0]["coding"][0].update(code="activity"),
        "a component in ms": lambda r: r["component"][0]["valueQuantity"].update(code="ms"),
    }
    for name, change in faults.items():
        resource = damaged(change)
        found = complaints(json.dumps(resource), "Observation") + broken_rules(resource)
        check("notices " + name, [] if found else ["it was taken for valid"])


def answers(kiln):
    """(name, JSON text) of everything that the server writes or answers by itself."""
    with open(os.path.join(ROOT, "fixtures", "wearables", "call.json"), encoding="utf-8") as file:
        call = file.read()
    status, _, body = kiln.request("PUT", "/fhir/Patient/ana", PATIENT)
    yield "Patient", body.decode()
    json_type = {"Content-Type": "application/json"}
    status, _, body = kiln.request("POST", "/wearables/daily-values", call.encode(), headers=json_type)
    check("the day is taken", [] if status == 200 else ["%d %s" % (status, body[:300])])
    paths = {
        "CapabilityStatement": "/fhir/metadata",
        "searchset of Observations": "/fhir/Observation?patient=ana",
        "searchset of Provenances": "/fhir/Provenance",
        "searchset of AuditEvents": "/fhir/AuditEvent?patient=ana",
        "count": "/fhir/Observation?_summary=count",
        "instance history": "/fhir/Patient/ana/_history",
        "type history": "/fhir/Observation/_history",
        "system history": "/fhir/_history",
        "OperationOutcome": "/fhir/Patient/nobody",
    }
    for name, path in paths.items():
        yield name, kiln.request("GET", path)[2].decode()


def check_answer(name, text):
    check_resource(name, text)
    bundle = json.loads(text)
    for number, entry in enumerate(bundle.get("entry", [])):
        if "resource" in entry:
            check_resource("%s, entry %d" % (name, number), json.dumps(entry["resource"]))
    if name.startswith("searchset") and not bundle.get("entry"):
        check(name + " holds something", ["it is empty"])


def check_every_type(kiln):
    """What every type of the phones' platforms becomes."""
    pressure = None
    for row, observation, text in observations(kiln):
        name = "%s %s" % (row["origin"], row["type"])
        check(name + " is as expected", differences(row, observation))
        if observation is not None:
            check_resource(name, text)
        if row["metric"] == "blood_pressure":
            pressure = observation
    check_pressure_controls(pressure)
    for identifier, (_, text) in by_identifier(kiln, "every-event").items():
        check_resource("import " + identifier, text)


def check_clinical():
    """What resources in DSTU2 are expected to become."""
    with open(os.path.join(ROOT, "fixtures", "clinical", "r4.ndjson"), encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            check_resource("clinical record %d in R4" % number, line)


def check_apple_export(kiln):
    """Everything that the fixture of an Apple Health export becomes."""
    kiln.request("PUT", "/fhir/Patient/apple-export", {"resourceType": "Patient", "id": "apple-export"})
    kiln.run("ingest", "apple-health", os.path.join(ROOT, "fixtures", "apple-health", "export"), "--store", kiln.store,
             "--patient", "Patient/apple-export", "--home-zone", "Europe/Budapest")
    for resource_type, least in (("Observation", 25), ("DocumentReference", 1), ("Condition", 1)):
        body = kiln.request("GET", "/fhir/%s?patient=apple-export&_count=200" % resource_type)[2]
        entries = json.loads(body).get("entry", [])
        check("%s of the export are there" % resource_type, [] if len(entries) >= least else ["%d" % len(entries)])
        for entry in entries:
            resource = entry["resource"]
            check_resource("%s %s" % (resource_type, resource["identifier"][0].get("value")), json.dumps(resource))


def check_pressure_controls(pressure):
    """A blood pressure that lacks one of the two, has one twice or a value, must be noticed."""
    for change in (lambda r: r["component"].pop(0), lambda r: r["component"].append(r["component"][0]),
                   lambda r: r.update(valueQuantity=r["component"][0]["valueQuantity"])):
        damaged = copy.deepcopy(pressure)
        change(damaged)
        check("notices a damaged blood pressure", [] if broken_rules(damaged) else ["it was taken for valid"])


def main():
    lines = fixtures()
    for line in lines:
        check_resource(json.loads(line)["identifier"][0]["value"], line)
    heart_rate = json.loads(lines[0])
    claims = heart_rate["meta"].get("profile", [])
    check("heart rate claims R4's profile", [] if URL + "heartrate" in claims else [str(claims)])
    check_controls(heart_rate)
    check_clinical()
    with Kiln() as kiln:
        check_apple_export(kiln)
        for name, text in answers(kiln):
            check_answer(name, text)
        check_every_type(kiln)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
