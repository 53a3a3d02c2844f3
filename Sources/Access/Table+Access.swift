import FHIRModel
import KeyValue
import Store

/// - SeeAlso: `Format.md`, which says what stands in each.
extension Table {
  /// Who may come in, by the SHA-256 of their token.
  static let tokens = Table(position: 40, name: "access-tokens", kind: .values)
  /// The access log: entries by their number.
  static let log = Table(position: 41, name: "access-log", kind: .values)
  /// The numbers of the log entries about each person.
  static let logByPatient = Table(position: 42, name: "access-log-patients", kind: .postings)
  /// The commit at which a person's consents last changed.
  static let consentChanges = Table(position: 43, name: "access-consent-changes", kind: .values)
}

extension Key {
  /// A type and an id, in as few bytes as they take.
  init(_ id: ResourceID) {
    var bytes: [UInt8] = []
    bytes.append(id)
    self.init(bytes)
  }
}

extension ResourceID {
  /// The resource that stands for the client `id`: the actor that consents name.
  static func device(_ id: LogicalID) -> ResourceID { ResourceID(.device, id) }
}

extension ResourceType {
  static let auditEvent = known("AuditEvent")
  static let consent = known("Consent")
  static let device = known("Device")
  static let observation = known("Observation")
  static let patient = known("Patient")
  static let provenance = known("Provenance")

  private static func known(_ name: String) -> ResourceType {
    guard let type = ResourceType(name) else { preconditionFailure("R4 has the type \(name)") }
    return type
  }
}
