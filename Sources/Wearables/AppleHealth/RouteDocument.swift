import FHIRModel

/// The way of a workout, kept as the file that it is.
///
/// - SeeAlso: https://hl7.org/fhir/R4/documentreference.html
struct RouteDocument {
  static let identifierSystem = "urn:kiln:workout-route"

  let file: String
  /// What tells it from the person's other routes, in every export: a file is called by the time of day
  /// where it was exported.
  let key: String
  let bytes: [UInt8]
  /// The identifier of the workout's Observation, if the export says which it is.
  let workout: String?
  let patient: ResourceID

  /// - Throws: `ClinicalRecord.Refusal` if the file isn't one of GPX.
  func interaction() throws(ClinicalRecord.Refusal) -> Interaction {
    guard Self.mark("<gpx", in: bytes.prefix(2_048)) != nil else {
      throw ClinicalRecord.Refusal(reason: "it is no GPX")
    }
    let identifier = "\(patient.id.text)/\(ObservationDraft.Identifier.plain(key))"
    let update = try Interaction.conditional(
      content(identifier), identifier: identifier, in: Self.identifierSystem)
    guard case .conditionalUpdate(let resource, let query, _) = update else { return update }
    return .conditionalRevision(RouteRevision(resource, bytes), matching: query)
  }

  private func content(_ identifier: String) -> [UInt8] {
    var json = JSONWriter(reservingByteCount: bytes.count * 4 / 3 + 1_024)
    json.object { json in
      json.member("resourceType", "DocumentReference")
      json.member(
        "meta", object: { $0.member("source", SourceSystem.appleHealth.uri) })
      json.member(
        "identifier",
        array: { $0.identifier(system: Self.identifierSystem, value: identifier) })
      json.member("status", "current")
      json.member(
        "type",
        object: {
          $0.codings([.healthKit("HKWorkoutRouteTypeIdentifier")])
          $0.member("text", "Workout route")
        })
      json.member("subject", object: { $0.member("reference", patient.description) })
      json.member("content", array: { $0.object { writeContent(to: &$0) } })
      if let workout {
        json.member("context", object: { writeContext(workout, to: &$0) })
      }
    }
    return json.bytes
  }

  private func writeContent(to json: inout JSONWriter) {
    json.member(
      "attachment",
      object: {
        $0.member("contentType", "application/gpx+xml")
        $0.member("data", Base64.text(bytes))
        $0.member("size", bytes.count)
        $0.member("title", file)
        if let time = Self.time(in: bytes) { $0.member("creation", time) }
      })
  }

  private func writeContext(_ workout: String, to json: inout JSONWriter) {
    json.member(
      "related",
      array: {
        $0.object {
          $0.member("type", "Observation")
          $0.member(
            "identifier",
            object: {
              $0.member("system", ObservationDraft.Identifier.eventSystem)
              $0.member("value", workout)
            })
        }
      })
  }

  /// When the way begins: the time of its first point that has one, `nil` if it has none.
  static func began(in bytes: [UInt8]) -> String? {
    firstPoint(in: bytes).flatMap { firstTime(in: bytes[$0...].prefix(4_096)) }
  }

  /// The time of the file's metadata, which stands before its points: when it was exported.
  private static func time(in bytes: [UInt8]) -> String? {
    let points = firstPoint(in: bytes) ?? bytes.count
    return firstTime(in: bytes[..<min(points, 4_096)])
  }

  /// Behind the beginning of the first point; what stands before it is of the export.
  static func firstPoint(in bytes: [UInt8]) -> Int? { mark("<trkpt", in: bytes[...]) }

  private static func firstTime(in bytes: ArraySlice<UInt8>) -> String? {
    guard let start = mark("<time>", in: bytes), let end = mark("</time>", in: bytes[start...])
    else { return nil }
    let text = String(decoding: bytes[start..<(end - 7)], as: UTF8.self)
    return (try? FHIRDateTime(text, as: .dateTime)) == nil ? nil : text
  }

  /// The position behind the first place where the text stands.
  private static func mark(_ text: String, in bytes: ArraySlice<UInt8>) -> Int? {
    let wanted = Array(text.utf8)
    guard bytes.count >= wanted.count else { return nil }
    for start in bytes.startIndex...(bytes.endIndex - wanted.count)
    where bytes[start..<start + wanted.count].elementsEqual(wanted) {
      return start + wanted.count
    }
    return nil
  }
}

/// - SeeAlso: https://www.rfc-editor.org/rfc/rfc4648#section-4
enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var position = 0
    while position < bytes.count {
      let rest = min(3, bytes.count - position)
      var group: UInt32 = 0
      for offset in 0..<3 {
        group = group << 8 | (offset < rest ? UInt32(bytes[position + offset]) : 0)
      }
      for digit in 0..<4 {
        text.append(
          digit <= rest ? digits[Int(group >> (18 - 6 * UInt32(digit)) & 63)] : UInt8(ascii: "="))
      }
      position += 3
    }
    return String(decoding: text, as: UTF8.self)
  }
}
