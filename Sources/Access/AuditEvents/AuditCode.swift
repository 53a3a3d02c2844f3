import FHIRModel

/// A code of the value sets that AuditEvent uses, with its display.
///
/// - SeeAlso: https://hl7.org/fhir/R4/auditevent.html#tx
struct AuditCode {
  let system: String
  let code: String
  let display: String

  private static let base = "http://terminology.hl7.org/CodeSystem/"
  static let actionSystem = "http://hl7.org/fhir/audit-event-action"
  static let outcomeSystem = "http://hl7.org/fhir/audit-event-outcome"
  static let interactionSystem = "http://hl7.org/fhir/restful-interaction"

  static let rest = AuditCode(
    system: base + "audit-event-type", code: "rest", display: "RESTful Operation")
  static let applicationServer = AuditCode(
    system: base + "security-source-type", code: "4", display: "Application Server")
  static let person = AuditCode(
    system: base + "audit-entity-type", code: "1", display: "Person")
  static let systemObject = AuditCode(
    system: base + "audit-entity-type", code: "2", display: "System Object")
  static let patient = AuditCode(system: base + "object-role", code: "1", display: "Patient")
  static let domainResource = AuditCode(
    system: base + "object-role", code: "4", display: "Domain Resource")
  static let securityResource = AuditCode(
    system: base + "object-role", code: "13", display: "Security Resource")
  static let query = AuditCode(system: base + "object-role", code: "24", display: "Query")
  /// Who is an operator is a matter of this server, not of a list.
  static let application = AuditCode(
    system: "http://dicom.nema.org/resources/ontology/DCM", code: "110150", display: "Application")
  static let humanUser = AuditCode(
    system: base + "extra-security-role-type", code: "humanuser", display: "human user")
}

extension InteractionCode {
  var auditCode: AuditCode {
    AuditCode(system: AuditCode.interactionSystem, code: text, display: text)
  }

  /// Whether it asks with a query rather than for something named.
  var isQuery: Bool {
    switch self {
    case .searchType, .searchSystem, .historyType, .historySystem: true
    case .read, .vread, .historyInstance, .create, .update, .delete: false
    }
  }

  /// What kind of action it is: searching executes a query, looking at one thing reads it.
  ///
  /// - SeeAlso: https://hl7.org/fhir/R4/valueset-audit-event-action.html
  var action: String {
    switch self {
    case .create: "C"
    case .read, .vread, .historyInstance: "R"
    case .update: "U"
    case .delete: "D"
    case .searchType, .searchSystem, .historyType, .historySystem: "E"
    }
  }
}

extension LogAgent {
  var auditCode: AuditCode {
    switch kind {
    case .operator, .person: .humanUser
    case .app: .application
    }
  }
}

extension JSONWriter {
  mutating func member(_ name: String, _ body: (inout JSONWriter) -> Void) {
    member(name, object: body)
  }

  mutating func coding(_ name: String, _ code: AuditCode) {
    self.name(name)
    coding(code)
  }

  mutating func coding(_ code: AuditCode) {
    object { coding in
      coding.member("system", code.system)
      coding.member("code", code.code)
      coding.member("display", code.display)
    }
  }
}
