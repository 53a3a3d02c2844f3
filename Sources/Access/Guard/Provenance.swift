import FHIRModel
import KeyValue
import Store

extension GuardedStore {
  /// Writes the Provenance of a request: one resource that lists every version it wrote.
  ///
  /// - SeeAlso: https://hl7.org/fhir/R4/provenance.html
  func writeProvenance(
    of written: [Written], _ request: AccessRequest, at now: Instant,
    in transaction: inout WriteTransaction
  ) throws {
    // Every name and text in it is the store's own or was checked before.
    let content = provenance(of: written.compactMap(\.version), request, at: now)
    let resource = try Resource(trusted: JSONDocument(parsing: content))
    _ = try store.perform(.create(resource, ifNoneExist: nil), in: &transaction) { _ in }
  }

  private func provenance(
    of versions: [(version: VersionedID, by: Written.Activity)], _ request: AccessRequest,
    at now: Instant
  ) -> [UInt8] {
    var writer = JSONWriter(reservingByteCount: 512 + 64 * versions.count)
    writer.object { provenance in
      provenance.member("resourceType", "Provenance")
      if let program = request.sourceProgram, let system = request.sourceSystem {
        provenance.member(
          "contained", array: { $0.object { program.write(of: system, in: &$0) } })
      }
      provenance.member(
        "target",
        array: { targets in
          for (version, _) in versions {
            targets.object { $0.member("reference", version.description) }
          }
        })
      provenance.member("recorded", now.description)
      if let activity = versions.first?.by, versions.allSatisfy({ $0.by == activity }) {
        provenance.member("activity") { concept in
          concept.member("coding", array: { $0.coding(activity.code) })
        }
      }
      provenance.member(
        "agent",
        array: { agents in
          agents.object { agent(request.caller, in: &$0) }
          if let device = request.device { agents.object { performer(device, in: &$0) } }
        })
      if let source = request.sourceSystem {
        provenance.member(
          "entity",
          array: { $0.object { entity(source, request.sourceProgram, in: &$0) } })
      }
    }
    return writer.bytes
  }

  /// Who wrote: the person, the app on behalf of the person, or an operator by name.
  private func agent(_ caller: Caller, in agent: inout JSONWriter) {
    agent.member("who") { who in
      if let reference = caller.principal.reference {
        who.member("reference", reference.description)
      }
      if let token = caller.token {
        who.member("identifier") { identifier in
          identifier.member("system", "urn:kiln:token")
          identifier.member("value", token.text)
        }
      }
      if case .operator(let name) = caller.principal { who.member("display", name) }
    }
    if case .app(_, let patient, _) = caller.principal {
      agent.member("onBehalfOf") { $0.member("reference", patient.description) }
    }
  }

  private func performer(_ device: ResourceID, in agent: inout JSONWriter) {
    agent.member("type") { type in
      type.member("coding", array: { $0.coding(AuditCode.performer) })
    }
    agent.member("who") { $0.member("reference", device.description) }
  }

  /// The system that the content came from.
  private func entity(
    _ source: String, _ program: SourceProgram?, in entity: inout JSONWriter
  ) {
    entity.member("role", "source")
    entity.member("what") { what in
      if program != nil { what.member("reference", "#" + SourceProgram.localID) }
      what.member("identifier", uri: source)
      if let name = program?.name { what.member("display", name) }
    }
  }
}

extension SourceProgram {
  /// By which the Provenance refers to it.
  fileprivate static let localID = "source"

  /// The program as a Device, which is what has a version in R4.
  ///
  /// - SeeAlso: https://hl7.org/fhir/R4/device-definitions.html#Device.version
  fileprivate func write(of system: String, in device: inout JSONWriter) {
    device.member("resourceType", "Device")
    device.member("id", Self.localID)
    device.member("identifier", array: { $0.object { $0.members(ofIdentifier: system) } })
    if let name {
      device.member(
        "deviceName",
        array: {
          $0.object {
            $0.member("name", name)
            $0.member("type", "user-friendly-name")
          }
        })
    }
    if let version {
      device.member("version", array: { $0.object { $0.member("value", version) } })
    }
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, uri: String) {
    member(name) { $0.members(ofIdentifier: uri) }
  }

  fileprivate mutating func members(ofIdentifier uri: String) {
    member("system", "urn:ietf:rfc:3986")
    member("value", uri)
  }
}

extension Written.Activity {
  fileprivate var code: AuditCode {
    AuditCode(
      system: "http://terminology.hl7.org/CodeSystem/v3-DataOperation", code: rawValue,
      display: rawValue.lowercased())
  }
}

extension AuditCode {
  fileprivate static let performer = AuditCode(
    system: "http://terminology.hl7.org/CodeSystem/provenance-participant-type",
    code: "performer", display: "Performer")
}
