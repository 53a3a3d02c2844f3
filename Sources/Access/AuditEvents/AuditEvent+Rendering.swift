import Crypto
import FHIRModel

/// A log entry as the AuditEvent that is answered.
///
/// - SeeAlso: https://hl7.org/fhir/R4/auditevent.html
extension LogEntry {
  var id: ResourceID {
    guard let id = LogicalID(String(sequence)) else { preconditionFailure("digits are an id") }
    return ResourceID(.auditEvent, id)
  }

  /// The number of an AuditEvent's entry; `nil` if the id is none that an entry can have.
  static func sequence(of id: LogicalID) -> UInt64? {
    guard let sequence = UInt64(id.text), sequence > 0, String(sequence) == id.text else {
      return nil
    }
    return sequence
  }

  /// The AuditEvent, as its only version.
  func stored() -> StoredVersion {
    StoredVersion(
      id: id, version: .first, lastUpdated: recorded, isDeleted: false, bytes: auditEvent())
  }

  private func auditEvent() -> [UInt8] {
    var writer = JSONWriter(reservingByteCount: 1024)
    writer.object { event in
      event.member("resourceType", "AuditEvent")
      event.member("id", id.id.text)
      event.member("meta") { meta in
        meta.member("versionId", "1")
        meta.member("lastUpdated", recorded.description)
      }
      event.coding("type", AuditCode.rest)
      event.member("subtype", array: { $0.coding(record.interaction.auditCode) })
      event.member("action", record.interaction.action)
      event.member("period") { period in
        period.member("start", record.occurred.description)
        period.member("end", record.occurred.description)
      }
      event.member("recorded", recorded.description)
      event.member("outcome", String(record.outcome.rawValue))
      if !record.reason.isEmpty { event.member("outcomeDesc", record.reason) }
      event.member("agent", array: { $0.object { agent(in: &$0) } })
      event.member("source") { source in
        source.member("observer") { $0.member("display", "Kiln") }
        source.member("type", array: { $0.coding(AuditCode.applicationServer) })
      }
      if !entities.isEmpty {
        event.member(
          "entity", array: { list in for entity in entities { entity.write(in: &list) } })
      }
    }
    return writer.bytes
  }

  private func agent(in agent: inout JSONWriter) {
    agent.member("type") { type in
      type.member("coding", array: { $0.coding(record.agent.auditCode) })
    }
    agent.member("who") { who in
      if let reference = record.agent.reference { who.member("reference", reference.description) }
      if let token = record.agent.token {
        who.member("identifier") { identifier in
          identifier.member("system", "urn:kiln:token")
          identifier.member("value", token.text)
        }
      }
      if case .operator(let name) = record.agent.kind { who.member("display", name) }
    }
    agent.member("requestor", true)
    if !record.peer.isEmpty {
      agent.member("network") { network in
        network.member("address", record.peer)
        // http://hl7.org/fhir/network-type: 2 is an IP address, 5 a URI.
        network.member("type", record.peer.hasPrefix("unix:") ? "5" : "2")
      }
    }
  }

  /// The persons, what was named or shown, the query, and the Consents.
  private var entities: [AuditEntity] {
    var entities = record.patients.map {
      AuditEntity(what: $0.description, type: AuditCode.person, role: AuditCode.patient)
    }
    let shown = record.shown.map(\.version)
    if let target = record.target, !shown.contains(where: { $0.id == target }) {
      entities.append(AuditEntity(what: target.description))
    }
    entities += shown.map { AuditEntity(what: $0.description) }
    if record.interaction.isQuery || !record.parameters.isEmpty {
      entities.append(AuditEntity(query: query))
    }
    entities += record.consents.map {
      AuditEntity(what: $0.description, role: AuditCode.securityResource)
    }
    return entities
  }

  /// The address of the search below the base: `Observation?code=…`.
  private var query: [UInt8] {
    Array((record.type?.name ?? "").utf8) + [UInt8(ascii: "?")] + record.parameters.percentEncoded
  }
}

/// One `AuditEvent.entity`: a resource with its role, or a query.
private struct AuditEntity {
  var what: String?
  var type = AuditCode.systemObject
  var role = AuditCode.domainResource
  var query: [UInt8]?

  init(what: String, type: AuditCode = .systemObject, role: AuditCode = .domainResource) {
    self.what = what
    self.type = type
    self.role = role
  }

  init(query: [UInt8]) {
    self.query = query
    role = .query
  }

  func write(in list: inout JSONWriter) {
    list.object { entity in
      if let what { entity.member("what") { $0.member("reference", what) } }
      entity.coding("type", type)
      entity.coding("role", role)
      if let query { entity.member("query", query.base64) }
    }
  }
}
