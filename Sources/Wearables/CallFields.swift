import FHIRModel

/// The fields of a call beside its values, whether they stand in the body or in the address:
/// `{"source": {"name": "Watch"}}` and `source.name=Watch` are the same field.
struct CallFields {
  private var texts: [String: String] = [:]
  /// Names that no call has.
  private(set) var unknown: [String] = []

  /// What HealthKit and Health Connect say of a device; only some of it goes into an Observation,
  /// so that an update of the watch's software makes no new version of old days.
  static let names: Set<String> = [
    "patient", "origin", "timeZone",
    "source.name", "source.bundleIdentifier", "source.version",
    "device.reference", "device.name", "device.manufacturer", "device.model", "device.type",
    "device.hardwareVersion", "device.firmwareVersion", "device.softwareVersion",
    "device.localIdentifier", "device.udiDeviceIdentifier",
  ]

  subscript(_ name: String) -> String? { texts[name] }

  /// Short names, for an address written by hand.
  private static func fullName(_ name: String, for text: String) -> String {
    switch name {
    case "source", "bundleIdentifier": "source.bundleIdentifier"
    case "device" where text.hasPrefix("Device/"): "device.reference"
    case "device", "device.display": "device.name"
    default: name
    }
  }

  mutating func set(_ short: String, to text: String) throws(InteractionError) {
    let name = Self.fullName(short, for: text)
    guard Self.names.contains(name) else {
      unknown.append(name)
      return
    }
    if let other = texts.updateValue(text, forKey: name), other != text {
      throw .invalid([
        Issue(.value, "\(name) is given twice: “\(other)” and “\(text)”.", at: name)
      ])
    }
  }

  /// Takes the parameters of the address. Those that begin with `_` say how to answer and are not
  /// the call's.
  mutating func add(_ parameters: [QueryParameter]) throws(InteractionError) {
    for parameter in parameters where !parameter.name.hasPrefix("_") {
      try set(parameter.name, to: parameter.value)
    }
  }

  /// Takes a member of the body: a text, or an object of texts.
  mutating func add(_ name: String, _ value: JSONValue) throws(InteractionError) {
    switch value.kind {
    case .null: return
    case .object where !name.contains("."):
      for inner in value.members { try add("\(name).\(inner.name)", inner.value) }
    default:
      guard let text = value.string else {
        throw .invalid([Issue(.structure, "\(name) must be a text.", at: name)])
      }
      try set(name, to: text)
    }
  }
}
