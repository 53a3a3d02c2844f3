/// A type and an id: `Patient/1`.
package struct ResourceID: Hashable, Sendable {
  package let type: ResourceType
  package let id: LogicalID

  package init(_ type: ResourceType, _ id: LogicalID) {
    self.type = type
    self.id = id
  }

  /// Reads `Type/id`; `nil` if it is not of that form or the type is none of R4's.
  package init?(_ reference: String) { self.init(reference.utf8.span) }

  /// Reads `Type/id`; `nil` if it is not of that form or the type is none of R4's.
  package init?(_ reference: Substring) { self.init(reference.utf8.span) }

  private init?(_ reference: Span<UInt8>) {
    let slash = reference.firstPosition(of: UInt8(ascii: "/"))
    guard slash < reference.count,
      let type = ResourceType(name: reference.extracting(0..<slash)),
      let id = LogicalID(reference.extracting((slash + 1)...))
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
