import FHIRModel
import KeyValue
import Store

/// Collects what the log will say of one interaction while it is performed.
struct Recording {
  private(set) var record: LogRecord
  /// The patients of what was touched, by their numbers, in the order in which they were met.
  private var met: [UInt32] = []
  /// What was shown to an operator.
  private var shown: [ResourceStore.Shown] = []
  private var permitting = ConsentSet()

  /// - Parameter addresses: under which references are this server's own.
  init(
    _ interaction: Interaction, of request: AccessRequest, at now: Instant,
    under addresses: OwnAddresses
  ) {
    record = LogRecord(
      occurred: now, agent: LogAgent(request.caller), interaction: interaction.code,
      type: interaction.resourceType, target: interaction.target)
    record.parameters = interaction.parameters
    record.peer = request.peer
    record.patients =
      request.caller.principal.patient.map { [$0] }
      ?? interaction.patientsAskedFor(under: addresses)
  }

  mutating func note(_ consents: ConsentSet) { permitting.formUnion(consents) }

  mutating func noteShown(_ shown: [ResourceStore.Shown]) {
    self.shown = shown
    for position in shown.indices
    where position == 0 || shown[position].patients != shown[position - 1].patients {
      note(shown[position].patients.all)
    }
  }

  mutating func note(_ patients: [UInt32]) {
    for patient in patients where !met.contains(patient) { met.append(patient) }
  }

  /// The entry for an interaction that was answered.
  ///
  /// - Parameter patient: gives the patient that a number in facets stands for.
  func finished(
    with outcome: Outcome, under consents: ConsentDecision?, patient: (UInt32) throws -> ResourceID?
  ) rethrows -> LogRecord {
    var record = try recordWithPatients(patient)
    // A revision may turn out to leave nothing.
    if case .deleted(_?) = outcome { record.interaction = .delete }
    if record.type != .auditEvent { record.shown = outcome.shown }
    try nameOwners(in: &record, patient)
    record.consents =
      consents?.parts.enumerated().compactMap { position, part in
        permitting.contains(position) ? part.consent : nil
      } ?? []
    return record
  }

  /// The entry for an interaction that was refused or failed.
  func failed(
    with error: any Error, patient: (UInt32) throws -> ResourceID?
  ) rethrows -> LogRecord {
    var record = try recordWithPatients(patient)
    record.note(error)
    return record
  }

  private var isKeptToOnePatient: Bool { record.agent.isKeptToOnePatient }

  /// For a person or an app their own patient stands first; others are those whose data they tried.
  private func recordWithPatients(
    _ patient: (UInt32) throws -> ResourceID?
  ) rethrows -> LogRecord {
    var record = record
    for number in met {
      if let id = try patient(number), !record.patients.contains(id) { record.patients.append(id) }
    }
    return record
  }

  private func nameOwners(
    in record: inout LogRecord, _ patient: (UInt32) throws -> ResourceID?
  ) rethrows {
    let only = met.count == 1 ? PatientNumbers.one(met[0]) : nil
    if isKeptToOnePatient || only != nil && shown.allSatisfy({ $0.patients == only }) {
      let owner = isKeptToOnePatient ? 0 : try position(of: met[0], in: record, patient)
      for position in record.shown.indices { record.shown[position].owner = owner }
      return
    }
    var owners: [ResourceID: Int] = [:]
    for resource in shown {
      guard let number = resource.patients.only else { continue }
      owners[resource.id] = try position(of: number, in: record, patient)
    }
    for position in record.shown.indices {
      record.shown[position].owner = owners[record.shown[position].version.id]
    }
  }

  private func position(
    of number: UInt32, in record: LogRecord, _ patient: (UInt32) throws -> ResourceID?
  ) rethrows -> Int? {
    try patient(number).flatMap { record.patients.firstIndex(of: $0) }
  }
}

extension Outcome {
  /// The versions that are answered or were written.
  fileprivate var shown: [LogShown] {
    switch self {
    case .found(let version), .created(let version), .updated(let version),
      .unchanged(let version), .deleted(let version?):
      [LogShown(VersionedID(version.id, version.version))]
    case .deleted(nil): []
    case .searchset(let page): page.matches.map { LogShown(VersionedID($0.id, $0.version)) }
    case .history(let page):
      page.entries.map { LogShown(VersionedID($0.version.id, $0.version.version)) }
    }
  }
}

extension Interaction {
  /// The patients whom a search names as such, or whose own resource is asked for: even where
  /// nothing is found, it was they who were asked about.
  func patientsAskedFor(under addresses: OwnAddresses) -> [ResourceID] {
    if let target { return target.type == .patient ? [target] : [] }
    var patients: [ResourceID] = []
    for parameter in parameters where Self.namesPatient(parameter.name) {
      for value in parameter.value.utf8.split(separator: UInt8(ascii: ",")) {
        let value = String(Substring(value))
        let bare = LogicalID(value).map { ResourceID(.patient, $0) }
        let named = bare ?? ResourceID(addresses.relative(ReferenceText.logicalPart(of: value)))
        guard let id = named, id.type == .patient else { continue }
        if !patients.contains(id) { patients.append(id) }
      }
    }
    return patients
  }

  private static func namesPatient(_ parameter: String) -> Bool {
    switch parameter {
    case "patient", "patient:Patient", "subject:Patient", "subject": true
    default: false
    }
  }
}

extension LogRecord {
  /// Notes that it was refused or failed, and why.
  mutating func note(_ error: any Error) {
    outcome = error.isRefusal ? .minorFailure : .seriousFailure
    reason = error.logReason
  }
}

extension Error {
  /// Whether the caller asked for what can't be had, rather than the server being unable to give it.
  var isRefusal: Bool {
    switch self as? InteractionError {
    case nil, .storageFull, .unavailable: false
    default: true
    }
  }

  /// A short reason without content.
  var logReason: String {
    switch self as? InteractionError {
    case nil: "the server failed"
    case .invalid: "invalid content"
    case .unknownResourceType(let name): "unknown type \(name)"
    case .notFound: "not found"
    case .unknownVersion: "unknown version"
    case .gone: "deleted"
    case .versionConflict: "precondition failed"
    case .multipleMatches: "several matches"
    case .idMismatch: "ids differ"
    case .unknownParameter(let name): "unknown parameter \(name)"
    case .unsupportedModifier(let parameter, let modifier): "no modifier \(parameter):\(modifier)"
    case .invalidParameter(let name, _): "invalid parameter \(name)"
    case .invalidPage: "invalid page"
    case .notAllowed(let reason), .unauthenticated(let reason), .forbidden(let reason): reason
    case .storageFull: "no space"
    case .unavailable(let reason): reason
    }
  }
}
