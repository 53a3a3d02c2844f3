import FHIRModel

/// Something that happened once, as an Observation of its own: a workout, an electrocardiogram.
struct EventObservation {
  static let identifierSystem = "urn:kiln:event"

  /// The part of the identifier that says what kind of event it is.
  var metric: String
  /// What tells this event from others of its kind: the same again is the same event.
  var identity: [String]
  var title: String
  var codings: [Coding]
  var category: Coding
  var period: LocalPeriod
  var source: Source
  /// What the export says of the device; `nil` if nothing.
  var deviceName: String?
  var isManual = false
  /// Writes `value[x]`; nothing for an event that has none.
  var value: (inout JSONWriter) -> Void = { _ in }
  var components: [Component] = []
  var note: String?
  var interpretation: String?

  struct Component {
    var codings: [Coding]
    var text: String?
    /// Writes `value[x]`.
    var value: (inout JSONWriter) -> Void
  }

  /// `<Patient id>/<metric>/<what tells it from others>`.
  func identifier(for patient: ResourceID) -> String {
    ([patient.id.text, metric] + identity.map(Self.plain)).joined(separator: "/")
  }

  /// The conditional update that writes it.
  ///
  /// - Throws: `ClinicalRecord.Refusal` if it makes no valid Observation.
  func interaction(for patient: ResourceID) throws(ClinicalRecord.Refusal) -> Interaction {
    try .conditional(
      observation(for: patient), identifier: identifier(for: patient),
      in: Self.identifierSystem)
  }

  func observation(for patient: ResourceID) -> [UInt8] {
    var json = JSONWriter(reservingByteCount: 2_048)
    json.object { json in
      json.member("resourceType", "Observation")
      json.member("meta", object: { writeMeta(to: &$0) })
      json.member(
        "identifier",
        array: {
          $0.identifier(system: Self.identifierSystem, value: identifier(for: patient))
        })
      json.member("status", "final")
      json.member("category", array: { $0.object { $0.codings([category]) } })
      json.member(
        "code",
        object: {
          $0.codings(codings)
          $0.member("text", title)
        })
      json.member("subject", object: { $0.member("reference", patient.description) })
      period.write(to: &json)
      value(&json)
      if let interpretation {
        json.member("interpretation", array: { $0.object { $0.member("text", interpretation) } })
      }
      if let note { json.member("note", array: { $0.object { $0.member("text", note) } }) }
      writeDevice(to: &json)
      writeComponents(to: &json)
    }
    return json.bytes
  }

  private func writeMeta(to json: inout JSONWriter) {
    json.member("source", "urn:kiln:source:\(Origin.appleHealth.rawValue)")
    json.member("tag", array: { $0.coding(isManual ? .patientReported : .deviceReported) })
  }

  private func writeDevice(to json: inout JSONWriter) {
    let name = deviceName ?? source.name
    if !name.isEmpty { json.member("device", object: { $0.member("display", name) }) }
  }

  private func writeComponents(to json: inout JSONWriter) {
    guard !components.isEmpty else { return }
    json.member(
      "component",
      array: { json in
        for component in components {
          json.object {
            $0.member(
              "code",
              object: {
                $0.codings(component.codings)
                if let text = component.text { $0.member("text", text) }
              })
            component.value(&$0)
          }
        }
      })
  }

  /// Texts of an export as a part of an identifier: bytes that have a meaning there are escaped.
  static func plain(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: ":"):
        result.unicodeScalars.append(UnicodeScalar(byte))
      default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}

/// A time from one moment to another where the person was.
struct LocalPeriod {
  var start: Int64
  var end: Int64
  /// How far local time was ahead of UTC at those moments, in seconds.
  var startOffset: Int
  var endOffset: Int

  /// `effectiveDateTime` for a moment, else `effectivePeriod`.
  func write(to json: inout JSONWriter) {
    if start == end { return json.member("effectiveDateTime", startText) }
    json.member("effectivePeriod", object: { writeMembers(to: &$0) })
  }

  func writeMembers(to json: inout JSONWriter) {
    json.member("start", startText)
    json.member("end", Self.text(end, offsetSeconds: endOffset))
  }

  var startText: String { Self.text(start, offsetSeconds: startOffset) }

  /// A moment as FHIR writes it, with an offset in whole minutes: `2026-10-25T08:00:00+01:00`.
  ///
  /// - Parameter milliseconds: since 1970; a part of a second is written only if there is one.
  static func text(_ milliseconds: Int64, offsetSeconds: Int) -> String {
    let minutes = Int((Double(offsetSeconds) / 60).rounded())
    let local = milliseconds + Int64(minutes) * 60_000
    let day = Int((Double(local) / 86_400_000).rounded(.down))
    let rest = Int(local - Int64(day) * 86_400_000)
    let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60].map(Self.twoDigits)
    let fraction = rest % 1_000 == 0 ? "" : "." + String(String(1_000 + rest % 1_000).dropFirst())
    let offset = [abs(minutes) / 60, abs(minutes) % 60].map(Self.twoDigits)
    return "\(CivilDay(daysSince1970: day))T" + time.joined(separator: ":") + fraction
      + (minutes < 0 ? "-" : "+") + offset.joined(separator: ":")
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Coding {
  /// A type of HealthKit by its own name.
  static func healthKit(_ code: String) -> Coding {
    Coding(system: Origin.appleHealth.typeSystem, code: code, display: nil)
  }

  static let activity = Coding(
    system: "http://terminology.hl7.org/CodeSystem/observation-category", code: "activity",
    display: "Activity")
  static let procedure = Coding(
    system: "http://terminology.hl7.org/CodeSystem/observation-category", code: "procedure",
    display: "Procedure")
}

extension AppleDevice {
  /// As an Observation names a device: without the version of its software, so that an update makes
  /// no other value of an old one.
  var display: String? {
    let makerAndModel = [manufacturer, model].compactMap(\.self).joined(separator: " ")
    let name = self.name ?? makerAndModel
    guard let hardware else { return name.isEmpty ? nil : name }
    return name.isEmpty ? hardware : "\(name) (\(hardware))"
  }
}

extension JSONWriter {
  mutating func identifier(system: String, value: String) {
    object {
      $0.member("system", system)
      $0.member("value", value)
    }
  }

  /// Writes `valueQuantity` or another member of that shape.
  mutating func quantity(_ name: String, _ value: Double, unit: String, code: String) {
    member(
      name,
      object: {
        $0.name("value")
        $0.raw(decimalText(value).utf8)
        $0.member("unit", unit)
        $0.member("system", "http://unitsofmeasure.org")
        $0.member("code", code)
      })
  }
}

/// A double with the digits that a measurement has: 15 significant ones, so that what conversion adds
/// behind them (`97.00000000000001`) is gone.
func decimalText(_ value: Double) -> String {
  guard value != 0, value.isFinite else { return "0" }
  var exponent = 0
  var scale = 1.0
  while abs(value) * scale < 1e13, exponent < 15 {
    let scaled = value * scale
    if scaled.rounded() == scaled { break }
    exponent += 1
    scale *= 10
  }
  let rounded = (value * scale).rounded() / scale
  let text = "\(rounded)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

extension Interaction {
  /// The update of the resource that has this identifier, which is created if there is none.
  ///
  /// - Throws: `ClinicalRecord.Refusal` with the first thing that is wrong with the content.
  static func conditional(
    _ content: [UInt8], identifier: String, in system: String
  ) throws(ClinicalRecord.Refusal) -> Interaction {
    do {
      let resource = try Resource(parsing: content)
      let parameter = QueryParameter(
        name: "identifier", value: "\(system)|\(ClinicalRecord.searchText(identifier))")
      return .conditionalUpdate(
        resource, matching: Query(type: resource.type, parameters: [parameter]), if: .none)
    } catch {
      guard case .invalid(let issues) = error, let first = issues.first else {
        throw ClinicalRecord.Refusal(reason: "\(error)")
      }
      let place = first.expression.map { "\($0): " } ?? ""
      throw ClinicalRecord.Refusal(reason: "\(place)\(first.diagnostics)")
    }
  }
}
