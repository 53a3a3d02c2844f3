/// What HealthKit says of a device: `<<HKDevice: 0x281a>, name:Apple Watch, manufacturer:Apple Inc.,
/// model:Watch, hardware:Watch6,2, software:10.1>`.
struct AppleDevice: Hashable, Sendable {
  let name: String?
  let manufacturer: String?
  let model: String?
  let hardware: String?

  private static let keys = [
    "name", "manufacturer", "model", "hardware", "firmware", "software", "localIdentifier",
    "UDI Device Identifier", "creation date",
  ]

  /// `nil` if the text names nothing of a device.
  init?(describedBy text: String) {
    let fields = Self.fields(of: text)
    name = fields["name"]
    manufacturer = fields["manufacturer"]
    model = fields["model"]
    hardware = fields["hardware"]
    if name == nil, manufacturer == nil, model == nil, hardware == nil { return nil }
  }

  /// A value may hold commas (`Watch6,2`): it ends where the next known key begins.
  private static func fields(of text: String) -> [String: String] {
    var found: [(key: String, start: String.Index, keyStart: String.Index)] = []
    for key in keys {
      guard let range = text.firstRange(of: ", \(key):") else { continue }
      found.append((key, range.upperBound, range.lowerBound))
    }
    found.sort { $0.start < $1.start }
    var fields: [String: String] = [:]
    for (position, field) in found.enumerated() {
      let end = position + 1 < found.count ? found[position + 1].keyStart : text.endIndex
      guard field.start < end else { continue }
      var value = Source.normalised(String(text[field.start..<end]))
      if position + 1 == found.count, value.hasSuffix(">") { value.removeLast() }
      if !value.isEmpty { fields[field.key] = value }
    }
    return fields
  }
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
