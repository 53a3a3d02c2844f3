import FHIRModel
import KeyValue

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
  /// `Type/id`, in as few bytes as a reference takes.
  init(_ id: ResourceID) {
    self.init([id.type.position] + Array(id.id.text.utf8))
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
  static let patient = known("Patient")
  static let provenance = known("Provenance")

  private static func known(_ name: String) -> ResourceType {
    guard let type = ResourceType(name) else { preconditionFailure("R4 has the type \(name)") }
    return type
  }
}
