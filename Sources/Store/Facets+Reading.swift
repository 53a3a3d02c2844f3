import FHIRModel
import KeyValue
import Search

extension ResourceStore {
  /// The facets of content.
  ///
  /// - Parameter number: gives the number of a term.
  func facets(
    of resource: Resource, as id: ResourceID, _ number: (Term) throws -> UInt32
  ) rethrows -> Facets {
    var facets = Facets(id: id)
    facets.patients = try patients(of: resource, as: id).map { try number(.reference($0)) }.sorted()
    facets.codes = try codings(FacetParameters.codes, of: resource, number)
    facets.partCodes = try codings(["component-code"], of: resource, number)
    facets.categories = try codings(["category"], of: resource, number)
    facets.securityLabels = try codings(["_security"], of: resource, number)
    facets.effective = effective(of: resource)
    return facets
  }

  /// The patients in whose compartment the content lies; a Patient lies in its own.
  ///
  /// - SeeAlso: https://hl7.org/fhir/R4/compartmentdefinition-patient.html
  package func patients(of resource: Resource, as id: ResourceID) -> Set<ResourceID> {
    var patients: Set<ResourceID> = id.type == FacetParameters.patient ? [id] : []
    for parameter in FacetParameters.patientCompartment[resource.type] ?? [] {
      index.forEachValue(of: parameter, in: resource) { value in
        guard let target = index.target(of: value), target.type == FacetParameters.patient else {
          return
        }
        patients.insert(target)
      }
    }
    return patients
  }

  /// The codings of parameters, each as the number of its code above that of its system.
  private func codings(
    _ parameters: [String], of resource: Resource, _ number: (Term) throws -> UInt32
  ) rethrows -> [UInt64] {
    var numbers: Set<UInt64> = []
    for parameter in parameters {
      try index.forEachValue(of: parameter, in: resource) { value in
        for coding in Self.codings(of: value) {
          guard let code = coding["code"]?.string else { continue }
          let system = try coding["system"]?.string.map { try number(.system($0)) } ?? 0
          numbers.insert(UInt64(try number(.code(code))) << 32 | UInt64(system))
        }
      }
    }
    return numbers.sorted()
  }

  private static func codings(of value: PathValue) -> [JSONValue] {
    switch value.type {
    case .codeableConcept: value.value["coding"].map { Array($0.elements) } ?? []
    case .coding: [value.value]
    default: []
    }
  }

  private func effective(of resource: Resource) -> Range<Instant>? {
    for parameter in FacetParameters.moments {
      var hull: Range<Instant>?
      index.forEachValue(of: parameter, in: resource) { value in
        guard let moments = index.moments(of: value) else { return }
        let known = hull ?? moments
        hull =
          min(known.lowerBound, moments.lowerBound)..<max(known.upperBound, moments.upperBound)
      }
      if hull != nil { return hull }
    }
    return nil
  }
}

/// The search parameters from which facets are read.
private enum FacetParameters {
  static let patient = ResourceType("Patient")
  static let patientCompartment = Specification.shared.compartment("Patient")

  /// Those that say what a resource is about, under the names that different types have for it.
  static let codes = ["code", "vaccine-code", "type"]

  /// Those that say when something was or happened, then those that say when it was written down;
  /// the first that a resource has a value for decides.
  static let moments = [
    "date", "period", "occurrence", "onset-date", "effective", "effective-time", "started",
    "collected", "whenhandedover", "whenprepared", "event-date", "start-date", "when",
    "identified", "received", "sent", "authored", "authored-on", "recorded-date", "recorded",
    "entered-date", "created", "datetime", "datewritten",
  ]
}
