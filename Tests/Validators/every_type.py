"""The Observation of every type of HealthKit and Health Connect, from the running program.

`fixtures/wearables/every-type.tsv` says what is sent of each and what must come of it. Values of a day
are sent as a phone sends them, and read from an export of Apple Health that is made here; events are read
from it and from the fixture of a Health Connect export.
"""

import csv
import datetime
import json
import math
import os
import sqlite3
import tempfile
import xml.sax.saxutils

from kiln import ROOT

COLUMNS = ("origin", "type", "metric", "when", "sent", "category", "profile", "codes", "unit", "ucum",
           "components", "value", "exported")
LOINC = "http://loinc.org"
UCUM = "http://unitsofmeasure.org"
OWN_SYSTEMS = ("http://developer.apple.com/documentation/healthkit",
               "https://developer.android.com/reference/androidx/health/connect/client/records")


def expected():
    path = os.path.join(ROOT, "fixtures", "wearables", "every-type.tsv")
    with open(path, encoding="utf-8", newline="") as file:
        for cells in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield dict(zip(COLUMNS, cells + [""] * (len(COLUMNS) - len(cells))))


def observations(kiln):
    """(expected row, Observation or None, its JSON text) of all types that make Observations."""
    for origin in ("apple-health", "health-connect"):
        rows = [row for row in expected() if row["origin"] == origin and row["when"] == "day"]
        alone = [row for row in rows if row["metric"] in ALONE]
        send_day(kiln, "every-" + origin, origin, [row for row in rows if row not in alone])
        found = by_identifier(kiln, "every-" + origin)
        for row in rows:
            if row not in alone:
                yield (row,) + found.get(f"every-{origin}/{row['metric']}/2026-10-25/{origin}", (None, ""))
        for row in alone:
            person = row["metric"].replace("_", "-")
            send_day(kiln, person, origin, [row])
            found = by_identifier(kiln, person)
            panel = found.get(f"{person}/blood_pressure/2026-10-25/{origin}", (None, ""))
            yield (dict(row, unit="", ucum=""),) + panel
    rows = [row for row in expected() if row["exported"]]
    read_export(kiln, "every-exported", [day_record(row, number) for number, row in enumerate(rows)])
    found = by_identifier(kiln, "every-exported")
    for number, row in enumerate(rows):
        one = found.get(f"every-exported/{row['metric']}/{day(number)}/apple-health", (None, ""))
        # Of what a day has the last of, an import tells no extremes.
        components = "" if row["metric"] in ("resting_heart_rate", "body_weight") else row["components"]
        gives = json.loads(row["exported"]).get("gives")
        yield (dict(row, components=components, gives=gives),) + one
    events = [row for row in expected() if row["when"] in ("event", "once")]
    read_export(kiln, "every-event", event_records(events))
    read_database(kiln)
    found = {code: one for one in by_identifier(kiln, "every-event").values() for code in own_codes(one[0])}
    for row in events:
        yield (row,) + found.get(codes_of(row)[-1], (None, ""))


# Sent without the other, each makes a panel, as both together do.
ALONE = ("blood_pressure_systolic", "blood_pressure_diastolic")


def send_day(kiln, patient, origin, rows):
    kiln.request("PUT", "/fhir/Patient/" + patient, {"resourceType": "Patient", "id": patient})
    values = [dict(json.loads(row["sent"]), metric=row["metric"], day="2026-10-25") for row in rows]
    call = {"patient": "Patient/" + patient, "origin": origin, "timeZone": "UTC", "values": values}
    status, _, body = kiln.request(
        "POST", "/wearables/daily-values", json.dumps(call).encode(), headers={"Content-Type": "application/json"})
    refused = [value for value in json.loads(body).get("values", []) if value.get("result") != "created"]
    if status != 200 or refused:
        raise SystemExit("daily values: %d %s" % (status, refused[:3] or body[:300]))


def by_identifier(kiln, patient):
    """The Observations of a person by the value of their identifier, each with its JSON text."""
    found = {}
    path = "/fhir/Observation?_count=100&patient=" + patient
    while path:
        status, _, body = kiln.request("GET", path)
        bundle = json.loads(body)
        for entry in bundle.get("entry", []):
            resource = entry["resource"]
            found[resource["identifier"][0]["value"]] = resource, json.dumps(resource)
        links = {link["relation"]: link["url"] for link in bundle.get("link", [])}
        path = links["next"][links["next"].index("/fhir/"):] if "next" in links else None
    return found


def read_export(kiln, patient, records):
    kiln.request("PUT", "/fhir/Patient/" + patient, {"resourceType": "Patient", "id": patient})
    with tempfile.TemporaryDirectory(prefix="kiln-export-") as folder:
        with open(os.path.join(folder, "export.xml"), "w", encoding="utf-8") as file:
            file.write(export(records))
        os.mkdir(os.path.join(folder, "electrocardiograms"))
        with open(os.path.join(folder, "electrocardiograms", "ecg_2026-10-25.csv"), "w", encoding="utf-8") as file:
            file.write(ELECTROCARDIOGRAM)
        kiln.run("ingest", "apple-health", folder, "--store", kiln.store, "--patient", "Patient/" + patient,
                 "--home-zone", "Europe/Budapest", "--update-patient", "--heartbeats")


def read_database(kiln):
    """The fixture's person has a workout, a period and a test with the highest result."""
    with tempfile.TemporaryDirectory(prefix="kiln-export-") as folder:
        path = os.path.join(folder, "health_connect_export.db")
        database = sqlite3.connect(path)
        with open(os.path.join(ROOT, "fixtures", "health-connect", "person.sql"), encoding="utf-8") as file:
            database.executescript(file.read())
        database.close()
        kiln.run("ingest", "health-connect", path, "--store", kiln.store, "--patient", "Patient/every-event",
                 "--home-zone", "Europe/Budapest")


def export(records):
    """An export with these records, a workout, a meal, a hearing test, a mood, beats and a blood type."""
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_US">\n'
            '<ExportDate value="2026-11-01 08:00:00 +0100"/>\n'
            '<Me HKCharacteristicTypeIdentifierBloodType="HKBloodTypeONegative"/>\n' + "\n".join(records)
            + WORKOUT + MEAL + HEARING_TEST + MOOD + BEATS + "\n</HealthData>\n")


def event_records(events):
    """One record of each category of Apple Health, an hour apart."""
    for number, row in enumerate(events):
        if row["sent"] and row["when"] == "event" and row["origin"] == "apple-health":
            start = datetime.datetime(2026, 10, 10, 8) + datetime.timedelta(hours=number)
            yield record(row["type"], start, start, {"value": json.loads(row["sent"])["value"]})


def day(number):
    """Each type has a day of its own, so that none counts for another's."""
    return datetime.date(2025, 1, 1) + datetime.timedelta(days=number)


def day_record(row, number):
    exported = json.loads(row["exported"])
    start = datetime.datetime.combine(day(number), datetime.time(9))
    end = start + datetime.timedelta(seconds=exported.get("seconds", 0))
    if "members" in exported:
        # An export has the members of a correlation inside it and again beside it.
        members = "".join(record(type_, start, end, {"value": value, "unit": exported["unit"]})
                          for type_, value in exported["members"].items())
        return record(row["type"], start, end, {}, "Correlation", members) + members
    written = record(row["type"], start, end, {n: exported[n] for n in ("value", "unit") if n in exported})
    if exported["value"] == "HKCategoryValueSeveritySevere":
        # What comes later and is not as bad changes nothing: a day has its worst.
        later = start + datetime.timedelta(hours=1)
        written += record(row["type"], later, later, {"value": "HKCategoryValueSeverityMild"})
    return written


def record(type_, start, end, attributes, element="Record", content=""):
    # What follows # is a value of the type, which the record has as its value.
    named = dict(attributes, type=type_.split("#")[0], sourceName="Watch")
    for name, moment in (("creationDate", end), ("startDate", start), ("endDate", end)):
        named[name] = moment.strftime("%Y-%m-%d %H:%M:%S +0100")
    written = " ".join(f"{n}={xml.sax.saxutils.quoteattr(v)}" for n, v in named.items())
    return f"<{element} {written}>{content}</{element}>"


WORKOUT = """
<Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min"
 sourceName="Watch" startDate="2026-10-12 08:00:00 +0100" endDate="2026-10-12 08:30:00 +0100">
<WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" startDate="2026-10-12 08:00:00 +0100"
 endDate="2026-10-12 08:30:00 +0100" sum="310" unit="kcal"/>
<WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" startDate="2026-10-12 08:00:00 +0100"
 endDate="2026-10-12 08:30:00 +0100" sum="5.1" unit="km"/>
<WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" startDate="2026-10-12 08:00:00 +0100"
 endDate="2026-10-12 08:30:00 +0100" average="140" minimum="90" maximum="170" unit="count/min"/>
</Workout>"""

MEAL = """
<Correlation type="HKCorrelationTypeIdentifierFood" sourceName="Food app"
 startDate="2026-10-13 12:00:00 +0100" endDate="2026-10-13 12:00:00 +0100">
<MetadataEntry key="HKFoodType" value="Soup"/>
<Record type="HKQuantityTypeIdentifierDietaryEnergyConsumed" sourceName="Food app" unit="kcal" value="450"
 startDate="2026-10-13 12:00:00 +0100" endDate="2026-10-13 12:00:00 +0100"/>
</Correlation>"""

HEARING_TEST = """
<Audiogram type="HKDataTypeIdentifierAudiogram" sourceName="Phone"
 startDate="2026-10-14 12:00:00 +0100" endDate="2026-10-14 12:05:00 +0100">
<SensitivityPoint frequencyValue="500" frequencyUnit="Hz" leftEarValue="10" leftEarUnit="dBHL"
 rightEarValue="15" rightEarUnit="dBHL"/>
</Audiogram>"""

MOOD = """
<Record type="HKDataTypeStateOfMind" sourceName="Phone" value="0.25"
 startDate="2026-10-15 12:00:00 +0100" endDate="2026-10-15 12:00:00 +0100"/>"""

# Before all other days, so that the day of no other type has it.
BEATS = """
<Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" sourceName="Watch" unit="ms" value="41.5"
 startDate="2024-10-15 12:00:00 +0100" endDate="2024-10-15 12:01:00 +0100"><HeartRateVariabilityMetadataList>
<InstantaneousBeatsPerMinute bpm="61" time="12:00:01,30"/><InstantaneousBeatsPerMinute bpm="63" time="12:00:02,25"/>
</HeartRateVariabilityMetadataList></Record>"""

ELECTROCARDIOGRAM = """Name,Synthetic person
Date of Birth,Jan 1, 1980
Recorded Date,2026-10-25 08:00:00 +0100
Classification,Sinus Rhythm
Symptoms,
Software Version,2.0
Device,"Watch6,2"
Sample Rate,512 hertz

Lead,Lead I
Unit,µV

""" + "\n".join("%.3f" % (40.5 + number % 7) for number in range(64)) + "\n"


def codes_of(row):
    return row["codes"].split(";") if row["codes"] else []


def shown(coding):
    """A code as the fixture writes it."""
    if coding["system"] == LOINC:
        return "%s=%s" % (coding["code"], coding.get("display"))
    return coding["code"] if coding["system"] in OWN_SYSTEMS else coding["system"] + "|" + coding["code"]


def own_codes(observation):
    return [c["code"] for c in observation["code"]["coding"] if c["system"] in OWN_SYSTEMS]


def differences(row, observation):
    """What an Observation has otherwise than expected, as texts."""
    if observation is None:
        return ["there is no Observation"]
    found = {
        "category": ";".join(c["code"] for category in observation["category"] for c in category["coding"]),
        "profile": ";".join(observation["meta"].get("profile", [])),
        "codes": ";".join(map(shown, observation["code"]["coding"])),
    }
    quantity = observation.get("valueQuantity")
    if row["when"] == "day" or quantity:
        found["unit"] = (quantity or {}).get("unit", "")
        found["ucum"] = (quantity or {}).get("code", "")
        found["components"] = ";".join(
            shown(c) for component in observation.get("component", []) for c in component["code"]["coding"])
    elif row["components"]:
        # What an export counts may have more names and more parts than are expected of all.
        listed = {shown(c) for part in observation["component"] for c in part["code"].get("coding", [])}
        found["components"] = ";".join(code for code in row["components"].split(";") if code in listed)
    gives, value = row.get("gives"), (quantity or {}).get("value")
    if gives is not None and (value is None or not math.isclose(gives, value, rel_tol=1e-6)):
        return ["it gives %r, not %r" % (value, gives)]
    if row["value"]:
        found["value"] = observation.get("valueCodeableConcept", {}).get("coding", [{}])[0].get("code", "")
    return ["%s is %r, not %r" % (name, value, row[name]) for name, value in found.items() if value != row[name]]
