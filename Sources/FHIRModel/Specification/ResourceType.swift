/// One of R4's resource types, by its position in the specification's table.
///
/// - SeeAlso: https://hl7.org/fhir/R4/resourcelist.html
package struct ResourceType: Hashable, Sendable {
  /// 0 for the first by name, and the next for each. Stores keep it, so it never changes.
  package let position: UInt8

  /// `nil` if R4 has no such resource type; abstract types and data types are none.
  package init?(_ name: some StringProtocol) {
    guard let position = Self.table.position(of: name) else { return nil }
    self.position = UInt8(position)
  }

  /// `nil` if there is no type at this position.
  package init?(position: UInt8) {
    guard position < Self.table.count else { return nil }
    self.position = position
  }

  init?(_ name: TableText) { self.init(name: name.bytes.span) }

  init?(name: Span<UInt8>) {
    guard let position = Self.table.position(of: name) else { return nil }
    self.position = UInt8(position)
  }

  package var name: String { Self.table.names[Int(position)] }

  /// All resource types in the order of their positions.
  package static let all: [ResourceType] = (0..<table.count).map {
    ResourceType(unchecked: UInt8($0))
  }

  private init(unchecked position: UInt8) { self.position = position }

  static let table = NameTable(
    EmbeddedTables.types.filter { $0[1].text == "resource" }.map { $0[0] })
}

extension ResourceType: Comparable {
  package static func < (left: ResourceType, right: ResourceType) -> Bool {
    left.position < right.position
  }
}

extension ResourceType: CustomStringConvertible {
  package var description: String { name }
}
