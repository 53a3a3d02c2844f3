/// The id of a resource on this server: 1 to 64 letters, digits, `-` and `.`.
///
/// - SeeAlso: https://hl7.org/fhir/R4/datatypes.html#id
package struct LogicalID: Hashable, Sendable {
  package let text: String

  /// `nil` if the text is not an id.
  package init?(_ text: some StringProtocol) {
    guard 1...64 ~= text.utf8.count, text.utf8.allSatisfy(Self.isAllowed) else { return nil }
    self.text = String(text)
  }

  /// `nil` if the text is not an id. Spares callers in other modules the generic one.
  package init?(_ text: String) {
    guard 1...64 ~= text.utf8.count, text.utf8.allSatisfy(Self.isAllowed) else { return nil }
    self.text = text
  }

  /// `nil` if the bytes are not an id's.
  package init?(_ bytes: ArraySlice<UInt8>) {
    guard 1...64 ~= bytes.count, bytes.allSatisfy(Self.isAllowed) else { return nil }
    text = String(decoding: bytes, as: UTF8.self)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}

/// A type and an id: `Patient/1`.
package struct ResourceID: Hashable, Sendable {
  package let type: ResourceType
  package let id: LogicalID

  package init(_ type: ResourceType, _ id: LogicalID) {
    self.type = type
    self.id = id
  }

  /// Reads `Type/id`; `nil` if it is not of that form or the type is none of R4's.
  package init?(_ reference: some StringProtocol) {
    guard let slash = reference.utf8.firstIndex(of: UInt8(ascii: "/")),
      let type = ResourceType(reference[..<slash]),
      let id = LogicalID(reference[reference.utf8.index(after: slash)...])
    else { return nil }
    self.init(type, id)
  }
}

extension ResourceID: CustomStringConvertible {
  /// `Type/id`, as a relative reference writes it.
  package var description: String { "\(type.name)/\(id.text)" }
}

/// The number of a version: 1 for the first, rising by one with each change or deletion.
package struct VersionID: Hashable, Comparable, Sendable {
  package let number: UInt32

  package init(_ number: UInt32) { self.number = number }

  /// Reads decimal digits without sign or leading zero; `nil` for anything else.
  package init?(_ text: some StringProtocol) {
    guard let number = UInt32(text), number > 0, String(number) == text else { return nil }
    self.number = number
  }

  package static let first = VersionID(1)
  package var next: VersionID { VersionID(number + 1) }

  package static func < (left: VersionID, right: VersionID) -> Bool { left.number < right.number }
}
