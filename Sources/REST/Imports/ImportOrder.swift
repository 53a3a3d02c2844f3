import Access
import FHIRModel
import Wearables

/// What is to become of an export that was sent: by whom and when it was, and how it is to be read.
struct ImportOrder: Sendable {
  let id: String
  let caller: Caller
  /// The address of the network peer.
  let peer: String
  let received: Instant
  /// As the address of the request had them.
  let parameters: [QueryParameter]
  let patient: ResourceID
  let keepsSamples: Bool

  private static let names: Set<String> = [
    "patient", "homeZone", "sourcePriority", "since", "withoutManual", "trustOffsets",
    "updatePatient", "heartbeats", "samples",
  ]

  /// - Throws: `InteractionError` naming the parameter that can't be read.
  init(
    id: String, parameters: [QueryParameter], by caller: Caller, from peer: String,
    received: Instant
  ) throws {
    self.id = id
    self.caller = caller
    self.peer = peer
    self.received = received
    self.parameters = parameters
    if let unknown = parameters.first(where: { !Self.names.contains($0.name) }) {
      throw InteractionError.unknownParameter(name: unknown.name)
    }
    let text = parameters.last { $0.name == "patient" }?.value
    guard let patient = text.flatMap({ ResourceID($0) }), patient.type.name == "Patient" else {
      throw InteractionError.invalidParameter(
        name: "patient", reason: "it must be Patient/ and an id")
    }
    self.patient = patient
    keepsSamples = try Self.flag("samples", parameters)
    _ = try options(at: received)
  }

  /// How the export is to be read at that moment.
  func options(at now: Instant) throws -> AppleHealthOptions {
    var options = AppleHealthOptions(
      patient: patient, home: try home(values("homeZone")), now: now)
    options.sourcePriority = values("sourcePriority").flatMap {
      $0.split(separator: ",").map(String.init)
    }
    if let text = values("since").last {
      guard let day = LocalDay(text) else {
        throw InteractionError.invalidParameter(
          name: "since", reason: "it must be a day such as 2024-01-01")
      }
      options.since = day
    }
    options.withoutManual = try Self.flag("withoutManual", parameters)
    options.trustsOffsets = try Self.flag("trustOffsets", parameters)
    options.updatesPatient = try Self.flag("updatePatient", parameters)
    options.keepsHeartbeats = try Self.flag("heartbeats", parameters)
    return options
  }

  private func values(_ name: String) -> [String] {
    parameters.filter { $0.name == name }.map(\.value)
  }

  private func home(_ entries: [String]) throws -> HomeZone {
    do throws(HomeZone.Failure) {
      return try HomeZone(parsing: entries.flatMap { $0.split(separator: ",").map(String.init) })
    } catch {
      throw InteractionError.invalidParameter(name: "homeZone", reason: error.description)
    }
  }

  private static func flag(_ name: String, _ parameters: [QueryParameter]) throws -> Bool {
    switch parameters.last(where: { $0.name == name })?.value {
    case nil, "false": false
    case "true": true
    case .some:
      throw InteractionError.invalidParameter(name: name, reason: "it must be true or false")
    }
  }
}

extension ImportOrder {
  /// Writes the members of its description.
  func write(to json: inout JSONWriter) {
    json.member("id", id)
    json.member("caller", caller.kept)
    json.member("peer", peer)
    json.member("received", received.description)
    json.member(
      "parameters",
      array: { json in
        for parameter in parameters {
          json.object {
            $0.member("name", parameter.name)
            $0.member("value", parameter.value)
          }
        }
      })
  }

  /// Reads what `write` wrote; `nil` for anything else.
  init?(_ description: JSONValue) {
    guard let id = description["id"]?.string,
      let caller = description["caller"]?.string.flatMap({ Caller(kept: $0) }),
      let received = description["received"]?.string.flatMap({ try? Instant($0) })
    else { return nil }
    let parameters = description["parameters"]?.elements.map {
      QueryParameter(name: $0["name"]?.string ?? "", value: $0["value"]?.string ?? "")
    }
    try? self.init(
      id: id, parameters: parameters ?? [], by: caller,
      from: description["peer"]?.string ?? "", received: received)
  }
}
