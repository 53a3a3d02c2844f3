"""The facts of R4's vital-signs profiles that no installable validator checks.

From the 4.0.1 StructureDefinitions vitalsigns, heartrate, resprate, oxygensat, bodytemp, bodyweight,
bodyheight, bmi and bp (http://hl7.org/fhir/R4/observation-vitalsigns.html) and the value set ucum-vitals-common.
"""

URL = "http://hl7.org/fhir/StructureDefinition/"
LOINC = "http://loinc.org"
UCUM = "http://unitsofmeasure.org"
CATEGORY = "http://terminology.hl7.org/CodeSystem/observation-category"

# profile: (the LOINC code that must stand exactly once, the units it allows)
VITAL_SIGNS = {
    URL + "heartrate": ("8867-4", {"/min"}),
    URL + "resprate": ("9279-1", {"/min"}),
    URL + "oxygensat": ("2708-6", {"%"}),
    URL + "bodytemp": ("8310-5", {"Cel", "[degF]"}),
    URL + "bodyweight": ("29463-7", {"g", "kg", "[lb_av]"}),
    URL + "bodyheight": ("8302-2", {"cm", "[in_i]"}),
    URL + "bmi": ("39156-5", {"kg/m2"}),
    URL + "bp": ("85354-9", set()),
}
PRESSURES = ("8480-6", "8462-4")
COMPONENT_UNITS = {
    "%", "cm", "[in_i]", "kg", "g", "[lb_av]", "Cel", "[degF]", "mm[Hg]", "/min", "kg/m2", "m2",
}


def broken_rules(observation):
    """The rules of the profiles it claims that an Observation breaks, as texts."""
    broken = []
    for profile in observation.get("meta", {}).get("profile", []):
        if profile not in VITAL_SIGNS:
            broken.append("claims " + profile + ", which is not known here")
            continue
        code, units = VITAL_SIGNS[profile]
        broken += [profile + ": " + text for text in broken_vital_sign(observation, code, units)]
    return broken


def broken_vital_sign(observation, code, units):
    if "status" not in observation:
        yield "status is required"
    vital_categories = [
        category for category in observation.get("category", [])
        if any(c.get("system") == CATEGORY and c.get("code") == "vital-signs" for c in category.get("coding", []))
    ]
    if len(vital_categories) != 1:
        yield "exactly one category is vital-signs"
    codings = observation.get("code", {}).get("coding", [])
    if sum(c.get("system") == LOINC and c.get("code") == code for c in codings) != 1:
        yield "exactly one coding is LOINC " + code
    if not observation.get("subject", {}).get("reference", "").startswith("Patient/"):
        yield "subject is a Patient"
    if ("effectiveDateTime" in observation) == ("effectivePeriod" in observation):
        yield "one effectiveDateTime or effectivePeriod"
    start = observation.get("effectiveDateTime") or observation.get("effectivePeriod", {}).get("start", "")
    if len(start) < 10:
        yield "effective is given to the day"
    if any(name.startswith("value") and name != "valueQuantity" for name in observation):
        yield "value is a Quantity"
    quantity = observation.get("valueQuantity")
    if code == "85354-9":
        yield from broken_pressure(observation)
    elif quantity is None and "dataAbsentReason" not in observation:
        yield "a value or the reason for its absence"
    if quantity is not None:
        yield from broken_quantity(quantity, units, "valueQuantity")
    for component in observation.get("component", []):
        if not component.get("code", {}).get("coding"):
            yield "a component has a code"
        if "valueQuantity" in component:
            yield from broken_quantity(component["valueQuantity"], COMPONENT_UNITS, "component")


def broken_pressure(observation):
    """A panel: no value, and each pressure once."""
    if "valueQuantity" in observation:
        yield "a blood pressure has no value of its own"
    for pressure in PRESSURES:
        parts = [
            component for component in observation.get("component", [])
            if any(c.get("system") == LOINC and c.get("code") == pressure for c in component["code"]["coding"])
        ]
        if len(parts) != 1:
            yield "exactly one component is LOINC " + pressure
        for part in parts:
            # vs-3: a reason stands for a value that is not there.
            if "dataAbsentReason" in part:
                if "valueQuantity" in part:
                    yield pressure + " has a value and a reason for having none"
                continue
            yield from broken_quantity(part.get("valueQuantity", {}), {"mm[Hg]"}, pressure)


def broken_quantity(quantity, units, place):
    for name in ("value", "unit", "system", "code"):
        if name not in quantity:
            yield place + "." + name + " is required"
    if quantity.get("system") != UCUM:
        yield place + " is in UCUM"
    if quantity.get("code") not in units:
        yield place + ".code is one of " + " ".join(sorted(units))
