#!/usr/bin/env python3
"""Derives the tables of R4's facts from the official definitions.

    spec/derive.py DEFINITIONS [--check]

DEFINITIONS is HL7's package hl7.fhir.r4.core-4.0.1.tgz. The tables are written to spec/tables;
with --check nothing is written, and the exit code is 1 if a table differs from what would be.
README.md says what each table holds. Only the standard library is used.
"""

import argparse
import json
import pathlib
import re
import sys
import tarfile

TABLES = pathlib.Path(__file__).parent / "tables"
PROFILE = "http://hl7.org/fhir/StructureDefinition/"
PARAMETER = "http://hl7.org/fhir/SearchParameter/"
FHIR_TYPE = PROFILE + "structuredefinition-fhir-type"
KINDS = ["StructureDefinition", "SearchParameter", "ValueSet", "CodeSystem", "CompartmentDefinition"]

# What belongs to an extension or is an example, and so isn't among R4's own parameters.
NOT_CORE = re.compile(r"/(example|filter$)|-extensions-|-genetic-")

# Where the definitions contradict themselves, each with what they must mean.
EXPRESSION_ERRATA = {
    # The components stand the wrong way round: `relatesto` is a reference, `relation` a code.
    ("DocumentReference", "relationship", "relatesto"): "target",
    ("DocumentReference", "relationship", "relation"): "code",
}


def main():
    arguments = argparse.ArgumentParser(description="Derives the tables of R4's facts.")
    arguments.add_argument("definitions", type=pathlib.Path)
    arguments.add_argument("--check", action="store_true", help="compare instead of writing")
    options = arguments.parse_args()
    definitions = Definitions(options.definitions)
    derived = {
        "types.tsv": types(definitions),
        "elements.tsv": elements(definitions),
        "codes.tsv": codes(definitions),
        "search-parameters.tsv": search_parameters(definitions),
        "compartments.tsv": compartments(definitions),
        "narrative.tsv": narrative(definitions),
    }
    different = [name for name, rows in derived.items() if not settle(name, rows, options.check)]
    for name in different:
        print(f"spec/tables/{name} is not what the definitions say", file=sys.stderr)
    return 1 if different else 0


def settle(name, rows, check):
    """Writes a table, or says whether it stands there already byte for byte."""
    text = "".join("\t".join(row).rstrip("\t") + "\n" for row in rows).encode()
    path = TABLES / name
    if check:
        return path.exists() and path.read_bytes() == text
    path.write_bytes(text)
    return True


class Definitions:
    """The resources of the package, by type, each list in the order of its ids."""

    def __init__(self, package):
        self.resources = {kind: [] for kind in KINDS}
        with tarfile.open(package) as archive:
            for member in archive:
                kind = pathlib.PurePath(member.name).name.split("-")[0]
                if kind in self.resources:
                    self.resources[kind].append(json.load(archive.extractfile(member)))
        for found in self.resources.values():
            found.sort(key=lambda resource: resource["id"])
        self.by_url = {r["url"]: r for found in self.resources.values() for r in found}

    def structures(self):
        """The definitions of types, without profiles on them."""
        return [s for s in self.resources["StructureDefinition"]
                if s.get("derivation") != "constraint" and s["kind"] != "logical"]

    def resource_types(self):
        return sorted(s["type"] for s in self.structures() if kind(s) == "resource")


def kind(structure):
    if structure["kind"] == "primitive-type":
        return "primitive"
    if structure["kind"] == "complex-type":
        return "complex"
    return "abstract" if structure["abstract"] else "resource"


def types(definitions):
    """name, kind, base; the resource types first, since their position is what a store keeps."""
    order = ["resource", "abstract", "complex", "primitive"]
    found = sorted(definitions.structures(), key=lambda s: (order.index(kind(s)), s["type"]))
    for structure in found:
        yield structure["type"], kind(structure), last(structure.get("baseDefinition", ""))


def last(url):
    return url.split("|")[0].rsplit("/", 1)[-1]


def elements(definitions):
    """path, min, max, types, flags, value set; only what a type doesn't inherit."""
    bindable = bound_value_sets(definitions)
    for structure in sorted(definitions.structures(), key=lambda s: s["type"]):
        if structure["kind"] == "primitive-type":
            continue
        for element in structure["snapshot"]["element"]:
            if "." in element["path"] and element["base"]["path"] == element["path"]:
                yield element_row(element, bindable)


def element_row(element, bindable):
    flags = "S" * element.get("isSummary", False) + "M" * element.get("isModifier", False)
    value_set = bound_value_set(element)
    return (element["path"], str(element["min"]), element["max"], element_types(element), flags,
            value_set_name(value_set) if value_set in bindable else "")


def element_types(element):
    if "contentReference" in element:
        return element["contentReference"]
    return ",".join(element_type(element, t) for t in element["type"])


def element_type(element, type_):
    if element["path"] == "Resource.id":
        return "id"
    code = type_["code"]
    for extension in type_.get("extension", []):
        if extension["url"] == FHIR_TYPE:
            code = extension["valueUrl"]
    if code.startswith("http://hl7.org/fhirpath/System."):
        code = code.rsplit(".", 1)[-1].lower()
    targets = [last(target) for target in type_.get("targetProfile", [])]
    return f"{code}({'|'.join(targets)})" if targets and targets != ["Resource"] else code


def bound_value_set(element):
    """The value set that an element of type code must keep to."""
    binding = element.get("binding", {})
    if binding.get("strength") != "required" or "valueSet" not in binding:
        return None
    if [t["code"] for t in element.get("type", [])] != ["code"]:
        return None
    return binding["valueSet"].split("|")[0]


def value_set_name(url):
    return url.removeprefix("http://hl7.org/fhir/ValueSet/").removeprefix(
        "http://terminology.hl7.org/ValueSet/")


def bound_value_sets(definitions):
    """Value sets bound to elements of type code, with their codes where they can be listed."""
    found = {}
    for structure in definitions.structures():
        for element in structure["snapshot"]["element"]:
            url = bound_value_set(element)
            if url and url not in found:
                found[url] = ValueSets(definitions).codes(url)
    return {url: listed for url, listed in found.items() if listed}


def codes(definitions):
    """value set, its codes, the systems that they are of."""
    value_sets = ValueSets(definitions)
    for url, listed in sorted(bound_value_sets(definitions).items()):
        yield value_set_name(url), " ".join(sorted(listed)), " ".join(sorted(value_sets.systems(url)))


class ValueSets:
    """The codes of value sets, `None` where the definitions don't list them all."""

    def __init__(self, definitions):
        self.by_url = definitions.by_url

    def codes(self, url):
        value_set = self.by_url.get(url.split("|")[0])
        if value_set is None:
            return None
        included = [self.part(p) for p in value_set["compose"]["include"]]
        excluded = [self.part(p) for p in value_set["compose"].get("exclude", [])]
        if None in included or None in excluded:
            return None
        return set().union(*included) - set().union(*excluded)

    def systems(self, url):
        """The code systems of which a value set includes codes."""
        found = set()
        for part in self.by_url[url.split("|")[0]]["compose"]["include"]:
            found |= {part["system"]} if "system" in part else set()
            found |= set().union(*(self.systems(inner) for inner in part.get("valueSet", [])))
        return found

    def part(self, part):
        """The codes that an include or exclude names."""
        sets = [self.codes(url) for url in part.get("valueSet", [])]
        if "system" in part:
            sets.append(self.of_system(part))
        return None if None in sets else set.intersection(*sets)

    def of_system(self, part):
        if "concept" in part:
            return {concept["code"] for concept in part["concept"]}
        system = self.by_url.get(part["system"])
        if system is None or system["content"] != "complete":
            return None
        codes = set(parents := parents_by_code(system.get("concept", [])))
        for filter_ in part.get("filter", []):
            if filter_["op"] not in ("is-a", "descendent-of"):
                return None
            codes &= {c for c in parents if below(c, filter_["value"], parents)
                      or (c == filter_["value"] and filter_["op"] == "is-a")}
        return codes


def parents_by_code(concepts, parent=None):
    found = {}
    for concept in concepts:
        subsumed = [p["valueCode"] for p in concept.get("property", []) if p["code"] == "subsumedBy"]
        found.setdefault(concept["code"], []).extend(subsumed + ([parent] if parent else []))
        for code, parents in parents_by_code(concept.get("concept", []), concept["code"]).items():
            found.setdefault(code, []).extend(parents)
    return found


def below(code, ancestor, parents):
    return any(p == ancestor or below(p, ancestor, parents) for p in parents.get(code, []))


def search_parameters(definitions):
    """type, code, kind, expression for that type, targets, components, name in its URL."""
    rows = []
    for parameter in definitions.resources["SearchParameter"]:
        if NOT_CORE.search(parameter["url"]):
            continue
        for base in parameter["base"]:
            rows.append((base, parameter["code"], parameter["type"],
                         restricted(parameter.get("expression", ""), base),
                         targets(parameter, definitions), components(parameter, base, definitions),
                         parameter["url"].removeprefix(PARAMETER)))
    return sorted(rows)


def restricted(expression, base):
    """The parts of a union that begin at the type, each with the type's name."""
    parts = split_union(expression)
    named = [p if re.match(r"\(*[A-Z]", p) else f"{base}.{p}" for p in parts]
    return " | ".join(p for p in named if re.match(rf"\(*{base}\b", p))


def split_union(expression):
    parts, depth, part = [], 0, ""
    for character in expression:
        depth += (character == "(") - (character == ")")
        if character == "|" and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += character
    return [p for p in parts + [part.strip()] if p]


def targets(parameter, definitions):
    """Reference targets; `*` where the definition lists every type but Parameters."""
    listed = parameter.get("target", [])
    if set(listed) | {"Parameters"} == set(definitions.resource_types()):
        return "*"
    return ",".join(listed)


def components(parameter, base, definitions):
    """Of a composite, `code:kind=expression` for each component."""
    found = []
    for component in parameter.get("component", []):
        part = definitions.by_url[component["definition"].split("|")[0]]
        # There is no type DateTime; dateTime is meant.
        expression = component["expression"].replace("(DateTime)", "(dateTime)")
        expression = EXPRESSION_ERRATA.get((base, parameter["code"], part["code"]), expression)
        found.append(f"{part['code']}:{part['type']}={expression}")
    return "; ".join(found)


def compartments(definitions):
    """compartment, type, the parameters through which a resource of that type belongs to it."""
    for compartment in definitions.resources["CompartmentDefinition"]:
        if "example" in compartment["id"]:
            continue
        for member in compartment["resource"]:
            if member.get("param"):
                yield compartment["code"], member["code"], ",".join(member["param"])


def narrative(definitions):
    """`elements` and `attributes`, each with the names that a narrative may have, by invariant txt-1."""
    structure = definitions.by_url[PROFILE + "Narrative"]
    xpath = next(c["xpath"] for e in structure["snapshot"]["element"]
                 for c in e.get("constraint", []) if c["key"] == "txt-1")
    lists = re.findall(r"name\(\.\)=\(([^)]*)\)", xpath)
    for what, names in zip(["elements", "attributes"], lists, strict=True):
        yield what, " ".join(re.findall(r"'([^']*)'", names))


if __name__ == "__main__":
    sys.exit(main())
