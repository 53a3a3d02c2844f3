import FHIRModel
import KeyValue
import Search

extension ResourceStore {
  /// The facets of content.
  ///
  /// - Parameters:
  ///   - known: the facets of the version before or of another resource, and what this one says
  ///     otherwise: what is the same is taken over.
  ///   - number: gives the number of a term.
  func facets(
    of resource: Resource, as id: ResourceID,
    since known: (facets: Facets, change: ContentChange)? = nil, _ number: (Term) throws -> UInt32
  ) rethrows -> Facets {
    // A patient lies in a compartment of their own.
    let known = id.type == FacetParameters.patient && known?.facets.id != id ? nil : known
    var facets = known?.facets ?? Facets(id: id)
    facets.id = id
    func isOld(_ parameters: [String]) -> Bool {
      known.map { known in !parameters.contains { known.change.touches($0) } } ?? false
    }
    let read = FacetParameters.of(resource.type)
    if !isOld(read.compartment) {
      facets.patients = try patients(of: resource, as: id)
        .map { try number(.reference($0)) }.sorted()
    }
    if !isOld(read.codes) { facets.codes = try codings(read.codes, of: resource, number) }
    if !isOld(read.partCodes) {
      facets.partCodes = try codings(read.partCodes, of: resource, number)
    }
    if !isOld(read.categories) {
      facets.categories = try codings(read.categories, of: resource, number)
    }
    if !isOld(read.securityLabels) {
      facets.securityLabels = try codings(read.securityLabels, of: resource, number)
    }
    if !isOld(read.moments) { facets.effective = effective(of: resource) }
    return facets
  }

  /// The patients in whose compartment the content lies; a Patient lies in its own.
  ///
  /// - SeeAlso: https://hl7.org/fhir/R4/compartmentdefinition-patient.html
  package func patients(of resource: Resource, as id: ResourceID) -> Set<ResourceID> {
    var patients: Set<ResourceID> = id.type == FacetParameters.patient ? [id] : []
    for parameter in FacetParameters.of(resource.type).compartment {
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
    for parameter in FacetParameters.of(resource.type).moments {
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

/// The search parameters of one type from which facets are read.
private struct FacetParameters {
  /// Those that place a resource in a patient's compartment.
  let compartment: [String]
  /// Those that say what it is about, under the names that different types have for it.
  let codes: [String]
  let partCodes: [String]
  let categories: [String]
  let securityLabels: [String]
  /// Those that say when something was or happened, then those that say when it was written down;
  /// the first that a resource has a value for decides.
  let moments: [String]

  static let patient = ResourceType("Patient")

  static func of(_ type: ResourceType) -> FacetParameters { all[Int(type.position)] }

  private static let all = ResourceType.all.map { FacetParameters($0) }
  private static let patientCompartment = Specification.shared.compartment("Patient")

  private init(_ type: ResourceType) {
    let known = Specification.shared.searchParameterCodes(of: type)
    func those(_ names: [String]) -> [String] { names.filter(known.contains) }
    compartment = Self.patientCompartment[type] ?? []
    codes = those(["code", "vaccine-code", "type"])
    partCodes = those(["component-code"])
    categories = those(["category"])
    securityLabels = those(["_security"])
    moments = those([
      "date", "period", "occurrence", "onset-date", "effective", "effective-time", "started",
      "collected", "whenhandedover", "whenprepared", "event-date", "start-date", "when",
      "identified", "received", "sent", "authored", "authored-on", "recorded-date", "recorded",
      "entered-date", "created", "datetime", "datewritten",
    ])
  }
}
