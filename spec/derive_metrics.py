#!/usr/bin/env python3
"""Derives the tables of what phones measure from a mapping of the platforms' types.

    spec/derive_metrics.py MAPPING [--check]

MAPPING is a JSON array with one object for each type of HealthKit and Health Connect. The tables
metrics.tsv, wearable-types.tsv and category-values.tsv are written to spec/tables; with --check
nothing is written, and the exit code is 1 if a table differs from what would be. units.tsv is kept
by hand, and every conversion of the mapping is compared with it. README.md says what each table holds;
metric_facts.py beside this script holds what the mapping doesn't. Only the standard library is used.
"""

import argparse
import json
import math
import pathlib
import re
import sys

import metric_facts as facts

TABLES = pathlib.Path(__file__).parent / "tables"
CATEGORY = "http://terminology.hl7.org/CodeSystem/observation-category"
STATISTICS = "http://terminology.hl7.org/CodeSystem/observation-statistics"
ORIGINS = {"apple-healthkit": "apple-health", "android-health-connect": "health-connect"}
AGGREGATIONS = {"average+min+max": "average", "max": "maximum", "durationByCategory": "duration"}


def main():
    arguments = argparse.ArgumentParser(description="Derives the tables of what phones measure.")
    arguments.add_argument("mapping", type=pathlib.Path)
    arguments.add_argument("--check", action="store_true", help="compare instead of writing")
    options = arguments.parse_args()
    mapping = json.loads(options.mapping.read_text(encoding="utf-8"))
    wrong = [problem for entry in mapping for problem in conversion_problems(entry)]
    derived = {
        "metrics.tsv": (facts.METRICS_HEADER, metrics(mapping)),
        "wearable-types.tsv": (facts.TYPES_HEADER, types(mapping)),
        "category-values.tsv": (facts.VALUES_HEADER, values(mapping)),
    }
    for name, (header, rows) in derived.items():
        if not settle(name, header, rows, options.check):
            wrong.append(f"spec/tables/{name} is not what the mapping says")
    for problem in wrong:
        print(problem, file=sys.stderr)
    return 1 if wrong else 0


def settle(name, header, rows, check):
    """Writes a table, or says whether it stands there already byte for byte."""
    text = (header + "".join("\t".join(row).rstrip("\t") + "\n" for row in rows)).encode()
    path = TABLES / name
    if check:
        return path.exists() and path.read_bytes() == text
    path.write_bytes(text)
    return True


def metric_of(entry):
    """The metric's name; nothing for what is a goal, a plan or Apple's own summary, and no value."""
    if entry["dailyAggregation"] == "none" or entry["kind"] in ("goal", "activitySummary"):
        return ""
    return facts.SAME_METRIC.get(entry["metricKey"], entry["metricKey"])


def metrics(mapping):
    """One row a metric: those with the oldest names first, the others as the mapping has them."""
    yield facts.METRICS_COLUMNS
    by_name = {}
    for entry in mapping:
        if metric_of(entry):
            by_name.setdefault(metric_of(entry), []).append(entry)
    for name in facts.FIRST + [n for n in by_name if n not in facts.FIRST]:
        yield metric_row(name, by_name[name])
    for row in facts.WORKOUT_PARTS:
        yield row


def metric_row(name, entries):
    entry = entries[0]
    check_agreement(name, entries)
    also = facts.ALSO.get(name, []) + [old for old, new in facts.SAME_METRIC.items() if new == name]
    least, most = plausible(name, entry)
    minimum, maximum = extremes(name, entry)
    return (name, ";".join(also), facts.title(name), entry["humanUnit"] or "", ucum(entry), least, most,
            AGGREGATIONS.get(entry["dailyAggregation"], entry["dailyAggregation"]),
            coding(CATEGORY, entry["fhirCategory"], facts.CATEGORIES[entry["fhirCategory"]]),
            entry["vitalSignsProfile"] or "", codings(name, entry), minimum, maximum,
            ";".join(facts.PARTS.get(name, [])))


def ucum(entry):
    """What has parts or coded values has no unit of its own."""
    name = metric_of(entry)
    return "" if name in facts.PARTS else entry["ucum"] or ""


def check_agreement(name, entries):
    """What both platforms must say alike of one metric."""
    for field in ("dailyAggregation", "loinc", "additionalCodings", "ucum", "fhirCategory",
                  "vitalSignsProfile"):
        if len({json.dumps(entry[field]) for entry in entries}) > 1:
            raise SystemExit(f"the platforms differ over {field} of {name}")


def coding(system, code, display):
    return f"{system}|{code}|{display}"


def codings(name, entry):
    if name in facts.CODINGS:
        return facts.CODINGS[name]
    if entry["loinc"] is None:
        return ""
    further = [] if name in facts.ALTERNATIVES else entry["additionalCodings"]
    return ";".join(coding(c["system"], c["code"], c["display"]) for c in [entry["loinc"]] + further)


def extremes(name, entry):
    """The components' codes of a day's least and greatest value."""
    has_extremes = entry["dailyAggregation"] == "average+min+max" or name in facts.LAST_WITH_EXTREMES
    if not has_extremes or name in facts.PARTS:
        return "", ""
    named = entry["componentCodes"] or {}
    return tuple(extreme(named.get(which), which) for which in ("minimum", "maximum"))


def extreme(named, which):
    if named:
        return coding(named["system"], named["code"], named["display"])
    return coding(STATISTICS, which, which.capitalize())


def plausible(name, entry):
    """The least and the most that a value can be; nothing where that isn't sure."""
    if not entry["ucum"] or name in facts.PARTS:
        return "", ""
    return facts.RANGES.get(name) or facts.RANGE_OF_UNIT.get(entry["ucum"]) or ("0", "")


def types(mapping):
    """One row a type: origin, identifier, the string to match, metric, sets of values, values that count."""
    yield facts.TYPES_COLUMNS
    for entry in mapping:
        identifier = entry["identifier"]
        raw = entry.get("rawIdentifier") or identifier
        yield (ORIGINS[entry["platform"]], identifier, raw if base(raw) != base(identifier) else "",
               metric_of(entry), ";".join(value_sets(entry)), ";".join(facts.COUNTED.get(identifier, [])))


def base(identifier):
    return identifier.split("#")[0]


def value_sets(entry):
    raw = base(entry.get("rawIdentifier") or entry["identifier"])
    if raw in facts.VALUE_SETS:
        return facts.VALUE_SETS[raw]
    return [entry["valueEnum"]] if entry.get("valueEnum") else []


def values(mapping):
    """One row a value that a category may have: set, raw number, code, text; the least first."""
    yield facts.VALUES_COLUMNS
    sets = {}
    for entry in mapping:
        if value_sets(entry):
            sets.setdefault(entry.get("valueEnum"), entry.get("values"))
    for name, listed in sets.items():
        for value in sorted(listed or [], key=lambda value: severity(value["exportValue"])):
            code = value["exportValue"]
            yield name, str(value["raw"]), code, words(code.removeprefix(name))
    for name, listed in facts.FURTHER_VALUES.items():
        for raw, code, text in listed:
            yield name, str(raw), code, text


def severity(code):
    """What is absent comes before what is there."""
    return not code.endswith(("NotPresent", "BleedingNone", "FlowNone", "NoChange"))


def words(name):
    """`EggWhite` is `Egg white`, `AsleepREM` is `Asleep REM`."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z]+|\d+", name)
    return " ".join([parts[0]] + [p if p.isupper() and len(p) > 1 else p.lower() for p in parts[1:]])


def conversion_problems(entry):
    """Conversions that units.tsv lacks or has differently: the mapping rounds, that table doesn't."""
    for conversion in entry["conversion"] or []:
        known = UNITS.get((entry["ucum"], conversion["from"]))
        place = f"{entry['identifier']}: {conversion['from']} in {entry['ucum']}"
        if known is None:
            yield place + " is not in spec/tables/units.tsv"
        elif not all(agree(known, conversion, value) for value in (0, 1, 97.3)):
            yield place + " is something else in spec/tables/units.tsv"
    for unit in entry.get("exportUnitsSeen") or []:
        if metric_of(entry) and (entry["ucum"], unit) not in UNITS:
            yield f"{entry['identifier']}: {unit} is not in spec/tables/units.tsv"


def agree(known, conversion, value):
    times, over, zero = known
    expected = value * conversion["factor"] + conversion.get("offset", 0)
    return math.isclose((value - zero) * times / over, expected, rel_tol=2e-6, abs_tol=1e-9)


def units():
    lines = (TABLES / "units.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")][1:]
    defaults = [1, 1, 0]
    return {(row[0], row[1]): tuple(float(x) for x in row[2:]) + tuple(defaults[len(row) - 2:])
            for row in rows}


UNITS = units()

if __name__ == "__main__":
    sys.exit(main())
