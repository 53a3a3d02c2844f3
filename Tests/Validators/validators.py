"""Two independent validators behind one question: what is wrong with this resource?"""

import importlib
import re

import fhirkit
from google.fhir.core import fhir_errors
from google.fhir.r4 import json_format

# google-fhir-r4 keeps these in a module under another name.
MODULES = {"Bundle": "bundle_and_contained_resource"}


def complaints(text, resource_type):
    """What fhirkit-rs and google-fhir-r4 say against a resource's JSON text."""
    found = ["fhirkit: " + str(issue) for issue in fhirkit.validate(text)]
    try:
        json_format.json_fhir_string_to_proto(text, proto_class(resource_type))
    except (fhir_errors.InvalidFhirError, ValueError) as error:
        found.append("google: " + str(error))
    return found


def proto_class(resource_type):
    snake = MODULES.get(resource_type) or re.sub(r"(?<!^)(?=[A-Z])", "_", resource_type).lower()
    module = importlib.import_module("google.fhir.r4.proto.core.resources." + snake + "_pb2")
    return getattr(module, resource_type)
