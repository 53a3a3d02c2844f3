"""Values and exports that are taken in."""

import json
import os
import re
import tempfile

from command import run
import kiln


VALUES = {
    "patient": "Patient/a", "origin": "apple-health", "timeZone": "Europe/Budapest",
    "values": [
        {"metric": "steps", "day": "2026-10-25", "value": 8342},
        {"metric": "steps", "day": "2026-02-30", "value": 1},
        {"metric": "heart_rate", "day": "2026-10-25", "value": None},
    ],
}


def it_says_of_ingested_values_what_http_says():
    with kiln.Kiln() as served:
        served.request("PUT", "/fhir/Patient/a", {"resourceType": "Patient", "id": "a"})
        # Sent before, so that both find the same.
        for refused in (None, "Patient/nobody"):
            values = dict(VALUES, patient=refused or VALUES["patient"])
            for _ in range(2):
                answer = served.request(
                    "POST", "/wearables/daily-values", values, headers={"Content-Type": "application/json"})
            with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
                json.dump(values, file)
                file.flush()
                ingest = ["ingest", "daily-values", file.name, "--store", served.store, "--patient", values["patient"]]
                ended = run(*ingest, "--json")
                assert ended.returncode == 1, ended
                assert answer[0] == 200 and json.loads(ended.stdout) == json.loads(answer[2]), (ended, answer)
                lines = run(*ingest).stdout.splitlines()
            told = json.loads(answer[2])["values"]
            assert len(lines) == len(told) == 3
            for line, value in zip(lines, told):
                words = f'{value["metric"]} {value["day"]} {value["result"]}'
                assert line == (f'{words}: {value["reason"]}' if "reason" in value else words), line


def it_logs_an_ingest_that_takes_nothing():
    with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(dict(VALUES, values=[]), file)
        file.flush()
        run("token", "create", "--store", folder, "--operator")
        before = run("log", "verify", "--store", folder).stdout
        ended = run("ingest", "daily-values", file.name, "--store", folder, "--patient", "Patient/a")
        assert (ended.returncode, ended.stdout) == (0, ""), ended
        after = run("log", "verify", "--store", folder).stdout
        assert "intact: 0 entries" in before and "intact: 1 entries" in after, (before, after)


EXPORT = """<?xml version="1.0" encoding="UTF-8"?>
<HealthData locale="en_GB">
 <ExportDate value="2024-03-20 10:00:00 +0100"/>
 <Record type="HKQuantityTypeIdentifierStepCount" sourceName="A phone" unit="count"
  startDate="2024-03-10 23:30:00 +0100" endDate="2024-03-11 00:30:00 +0100" value="100"/>
 <Record type="HKQuantityTypeIdentifierStepCount" sourceName="An app" unit="count"
  startDate="2024-03-10 12:00:00 +0100" endDate="2024-03-10 12:00:00 +0100" value="7">
  <MetadataEntry key="HKWasUserEntered" value="1"/>
 </Record>
 %s
</HealthData>
"""


NEWER = """<Record type="HKQuantityTypeIdentifierStepCount" sourceName="A phone" unit="count"
  startDate="2024-03-12 09:00:00.250 +0100" endDate="2024-03-12 09:00:00.250 +0100" value="5"/>"""


def it_makes_days_anew_of_samples_that_were_kept():
    with kiln.Kiln() as served:
        served.request("PUT", "/fhir/Patient/a", {"resourceType": "Patient", "id": "a"})
        # What the phone itself sent lies beside the samples' days and is none of theirs.
        sent = {"patient": "Patient/a", "origin": "apple-health", "timeZone": "Europe/Budapest",
                "values": [{"metric": "steps", "day": "2024-03-09", "value": 3000}]}
        assert served.request("POST", "/wearables/daily-values", sent)[0] == 200
        person = ["--store", served.store, "--patient", "Patient/a"]
        kept = [*person, "--origin", "apple-health"]

        def steps():
            export = "urn:kiln:source:apple-health-export"
            found = json.loads(
                served.request("GET", f"/fhir/Observation?patient=a&_source={export}&_sort=date")[2])
            resources = [entry["resource"] for entry in found.get("entry", [])]
            return [(r["effectivePeriod"]["start"], r["valueQuantity"]["value"]) for r in resources]

        def ingest(more, *options):
            with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
                file.write(EXPORT % more)
                file.flush()
                ended = run(
                    "ingest", "apple-health", file.name, *person, "--home-zone", "Europe/Budapest",
                    "--samples", *options)
            assert ended.returncode == 0, ended
            # Where nobody watches, one line says how far it came.
            assert re.fullmatch(r"\d+ records, 0\.0 MB, \d+ resources\n", ended.stderr), ended.stderr
            return run("samples", "list", *kept).stdout

        def again(*options):
            ended = run("ingest", "again", *kept, *options, "--json")
            assert ended.returncode == 0, ended
            told = json.loads(ended.stdout)
            return [told[name] for name in ("created", "updated", "unchanged", "withdrawn", "refused")]

        nothing = run("ingest", "again", *kept)
        assert nothing.returncode == 1 and "no samples" in nothing.stderr, nothing
        listed = ingest("", "--without-manual")
        assert steps() == [("2024-03-10T00:00:00+01:00", 50), ("2024-03-11T00:00:00+01:00", 50)], steps()
        assert [json.loads(line).get("manual") for line in listed.splitlines()] == [True, None], listed
        # The same again keeps nothing more; a newer export only what is new.
        assert ingest("", "--without-manual") == listed
        more = ingest(NEWER, "--without-manual")
        assert len(more.splitlines()) == 3 and set(listed.splitlines()) < set(more.splitlines()), more
        assert again() == [0, 0, 3, 0, 0]
        # Los Angeles is nine hours behind, eight from 2024-03-10T10:00Z on: the first two days become one.
        assert again("--home-zone", "America/Los_Angeles") == [0, 2, 0, 1, 0]
        assert steps() == [("2024-03-10T00:00:00-08:00", 100), ("2024-03-12T00:00:00-07:00", 5)], steps()
        assert again("--home-zone", "Europe/Budapest", "--with-manual") == [1, 2, 0, 0, 0]
        assert [value for _, value in steps()] == [57, 50, 5], steps()
        assert again() == [0, 0, 3, 0, 0]
        mistyped = run("ingest", "again", *kept, "--source-priority", "Wacth")
        assert mistyped.returncode == 0 and "no record is of “Wacth”" in mistyped.stderr, mistyped
        assert run("samples", "remove", *kept).stdout == "3 pieces removed\n"
        assert run("samples", "list", *kept).stdout == "" and len(steps()) == 3
        day = json.loads(served.request("GET", "/fhir/Observation?patient=a&date=2024-03-09")[2])
        assert day["total"] == 1, day
        assert "0 differences" in run("check", "--store", served.store).stdout
        log = json.loads(served.request("GET", "/fhir/AuditEvent?patient=a&action=D")[2])
        assert log["total"] == 2, log["total"]  # the day that was withdrawn, and the samples


BOTH_SOURCES = """<HealthData>
 <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Watch" unit="count" value="100"
  startDate="2026-10-01 08:00:00 +0000" endDate="2026-10-01 08:10:00 +0000"/>
 <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Pedometer" unit="count" value="60"
  startDate="2026-10-01 08:00:00 +0000" endDate="2026-10-01 08:10:00 +0000"/></HealthData>"""


def it_counts_again_with_other_sources_first_and_as_before():
    with tempfile.TemporaryDirectory() as folder:
        store = ["--store", folder]
        with open(os.path.join(folder, "export.xml"), "w") as file:
            file.write(BOTH_SOURCES)
        with kiln.Kiln(store=folder) as served:
            assert served.request("PUT", "/fhir/Patient/p", {"resourceType": "Patient", "id": "p"})[0] == 201
        person = [*store, "--patient", "Patient/p"]
        done = run("ingest", "apple-health", os.path.join(folder, "export.xml"), *person, "--home-zone", "UTC", "--samples")
        assert done.returncode == 0, done

        def steps(*options):
            again = run("ingest", "again", *person, "--origin", "apple-health", *options)
            assert again.returncode == 0, again
            found = run("search", *store, "Observation?patient=p").stdout
            return [json.loads(line)["valueQuantity"]["value"] for line in found.splitlines() if line.strip()]

        assert steps() == [100]
        assert steps("--source-priority", "Pedometer") == [60]
        assert steps() == [60]
        assert steps("--source-priority", "") == [100]


def it_keeps_the_values_of_days_when_an_export_ends_in_the_middle():
    with kiln.Kiln() as served, tempfile.TemporaryDirectory() as folder:
        whole = TWO_DAYS.replace("%", "60")
        second = whole.index("<Record", whole.index("<Record") + 1)

        def ingest(person, text):
            served.request("PUT", "/fhir/Patient/" + person, {"resourceType": "Patient", "id": person})
            with open(os.path.join(folder, "export.xml"), "w") as file:
                file.write(text)
            done = run("ingest", "apple-health", file.name, "--store", served.store, "--patient",
                       "Patient/" + person, "--home-zone", "UTC")
            assert done.returncode == 0, done
            body = served.request("GET", "/fhir/Observation?_sort=date&patient=" + person)[2]
            values = [entry["resource"]["valueQuantity"]["value"] for entry in json.loads(body).get("entry", [])]
            return values, done.stdout

        assert ingest("a", whole)[0] == [160, 5]
        values, told = ingest("a", whole[:second])
        assert values == [160, 5] and "0 updated, 1 unchanged" in told and "days that have a value already keep it" in told, told
        # Where there is nothing yet, what was whole goes in, and a whole export then makes it right.
        assert ingest("b", whole[:second])[0] == [100]
        assert ingest("b", whole)[0] == [160, 5]
        assert ingest("b", TWO_DAYS.replace("%", "70"))[0] == [170, 5]


TWO_DAYS = """<HealthData>
 <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Watch" unit="count" value="100"
  startDate="2026-10-01 08:00:00 +0000" endDate="2026-10-01 08:10:00 +0000"/>
 <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Watch" unit="count" value="%"
  startDate="2026-10-01 09:00:00 +0000" endDate="2026-10-01 09:10:00 +0000"/>
 <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Watch" unit="count" value="5"
  startDate="2026-10-02 09:00:00 +0000" endDate="2026-10-02 09:10:00 +0000"/></HealthData>"""
