import FHIRModel

/// What holds for every value of one call: whose they are, where they come from, and when it is now.
package struct DailyCall: Sendable {
  package let patient: ResourceID
  package let origin: Origin
  package let source: SourceSystem
  let zone: Zone
  /// Where the person was at the end of the day, if they moved in it.
  let lastZone: Zone
  let device: DeviceMention?
  /// Who reported it: a device, the person, or both.
  let reporters: [Coding]
  let now: Instant
  /// Whether the values were handed out before their day was over.
  var isUnfinished = false

  /// Reads the fields of a call.
  ///
  /// - Throws: `.invalid` with an issue for every field that is missing, unknown or wrong.
  init(_ fields: CallFields, now: Instant) throws(InteractionError) {
    var issues = fields.unknown.map {
      Issue(.structure, "There is no field \($0) in a call with daily values.", at: $0)
    }
    func take<Value>(_ name: String, _ rule: String, _ read: (String) -> Value?) -> Value? {
      guard let text = fields[name] else {
        issues.append(Issue(.required, "\(name) is missing: \(rule).", at: name))
        return nil
      }
      if let value = read(text) { return value }
      issues.append(Issue(.value, "\(name) is “\(text)”, but must be \(rule).", at: name))
      return nil
    }
    let origins = Origin.allCases.map(\.rawValue).joined(separator: " or ")
    let patient = take("patient", "Patient/ and an id", Self.patient)
    let origin = take("origin", origins, Origin.init)
    let zone = take("timeZone", "the name of a time zone, such as Europe/Budapest", Zone.init)
    let source = SourceSystem(fields, origin: origin)
    if source == nil {
      issues.append(
        Issue(
          .value, "source.bundleIdentifier may hold letters, digits, “.”, “-” and “_”.",
          at: "source.bundleIdentifier"))
    }
    for name in ["source.name", "source.version"] where !SourceSystem.isWord(fields[name]) {
      let rule = "may hold 200 characters, none of them a control character."
      issues.append(Issue(.value, "\(name) \(rule)", at: name))
    }
    let device = DeviceMention(fields)
    if let device, !device.isValid {
      issues.append(Issue(.value, "device.reference must be Device/ and an id.", at: "device"))
    }
    guard issues.isEmpty, let patient, let origin, let zone, let source else {
      throw .invalid(issues)
    }
    self.patient = patient
    self.origin = origin
    self.source = source
    self.zone = zone
    self.lastZone = zone
    self.device = device
    self.reporters = [.deviceReported]
    self.now = now
  }

  init(
    patient: ResourceID, origin: Origin, source: SourceSystem, zone: Zone, lastZone: Zone,
    device: DeviceMention?, reporters: [Coding], now: Instant
  ) {
    self.patient = patient
    self.origin = origin
    self.source = source
    self.zone = zone
    self.lastZone = lastZone
    self.device = device
    self.reporters = reporters
    self.now = now
  }

  private static func patient(_ text: String) -> ResourceID? {
    ResourceID(text).flatMap { $0.type.name == "Patient" ? $0 : nil }
  }
}

/// The program that hands the values over (`HKSource`).
///
/// Its bundle identifier stands in each Observation, its name and version only in the Provenance of
/// the call: a new version of the program is no new version of a day.
package struct SourceSystem: Hashable, Sendable {
  /// What it is called; `nil` if the call doesn't say.
  package let name: String?
  package let bundleIdentifier: String
  package let version: String?

  /// The absolute URI that names it in `meta.source` and in Provenance.
  package var uri: String { Self.uriStart + bundleIdentifier }

  private static let uriStart = "urn:kiln:source:"

  /// The program that a `uri` names, of which no more is known; `nil` for any other.
  init?(uri: String) {
    guard uri.hasPrefix(Self.uriStart) else { return nil }
    self.init(bundleIdentifier: String(uri.dropFirst(Self.uriStart.count)))
  }

  /// Without a source of its own, a value comes from its origin. `nil` if the bundle identifier
  /// can't be part of a URI.
  init?(_ fields: CallFields, origin: Origin?) {
    name = fields["source.name"].flatMap { Self.isBlank($0) ? nil : $0 }
    version = fields["source.version"].flatMap { Self.isBlank($0) ? nil : $0 }
    bundleIdentifier = fields["source.bundleIdentifier"] ?? origin?.rawValue ?? "unknown"
    guard Self.isIdentifier(bundleIdentifier) else { return nil }
  }

  /// The program that wrote an export. `nil` if its identifier can't be part of a URI.
  package init?(bundleIdentifier: String, name: String? = nil, version: String? = nil) {
    guard Self.isIdentifier(bundleIdentifier), Self.isWord(name), Self.isWord(version) else {
      return nil
    }
    self.bundleIdentifier = bundleIdentifier
    self.name = name
    self.version = version
  }

  private static func isIdentifier(_ text: String) -> Bool {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isPlain && !text.isEmpty
  }

  private static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }

  /// Whether a text can be kept as a name.
  static func isWord(_ text: String?) -> Bool {
    guard let text else { return true }
    return text.count <= 200
      && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}

/// The device that measured, as an Observation names it.
package struct DeviceMention: Hashable, Sendable {
  let reference: String?
  let display: String?

  /// `nil` if the call names no device.
  init?(_ fields: CallFields) {
    reference = fields["device.reference"]
    let makerAndModel = [fields["device.manufacturer"], fields["device.model"]].compactMap(\.self)
    let name = fields["device.name"] ?? makerAndModel.joined(separator: " ")
    let hardware = fields["device.hardwareVersion"].map { name.isEmpty ? $0 : "\(name) (\($0))" }
    let display = hardware ?? name
    self.display = display.isEmpty ? nil : display
    if reference == nil, self.display == nil { return nil }
  }

  /// The device that an Observation names; `nil` if there is none.
  init?(_ element: JSONValue?) {
    reference = element?["reference"]?.string
    display = element?["display"]?.string
    if reference == nil, display == nil { return nil }
  }

  var isValid: Bool {
    guard let reference else { return true }
    return ResourceID(reference)?.type.name == "Device"
  }
}
