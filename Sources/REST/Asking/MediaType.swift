/// A media type with its parameters: `application/fhir+json; charset=utf-8; q=0.9`.
///
/// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1
struct MediaType: Sendable {
  /// `application/fhir+json`, in small letters.
  var name: String
  /// Names in small letters, values freed of quotes.
  var parameters: [(name: String, value: String)]

  /// `nil` if the text is no media type.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ";").map { $0.trimmed }
    guard let name = parts.first?.lowercased(), name.split(separator: "/").count == 2,
      !name.utf8.contains(UInt8(ascii: " "))
    else { return nil }
    self.name = name
    parameters = []
    for part in parts.dropFirst() {
      let sides = part.split(separator: "=", maxSplits: 1).map { $0.trimmed }
      guard sides.count == 2 else { continue }
      parameters.append((sides[0].lowercased(), sides[1].filter { $0 != "\"" }))
    }
  }

  subscript(parameter: String) -> String? {
    parameters.first { $0.name == parameter }?.value
  }

  /// The weight of a media range, 0…1; 1 if none is given, `nil` if it is no weight.
  var quality: Double? {
    guard let text = self["q"] else { return 1 }
    guard let value = Double(text), 0...1 ~= value else { return nil }
    return value
  }

  /// Whether the parameter `fhirVersion`, if it is given, names R4.
  var isOfR4: Bool {
    self["fhirversion"].map { ["4.0", "4.0.0", "4.0.1"].contains($0) } ?? true
  }
}
