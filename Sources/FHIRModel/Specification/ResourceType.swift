/// One of R4's resource types, by its position in the specification's table.
package struct ResourceType: Hashable, Sendable {
  /// Rises with the name's order; stable as long as the table of types is.
  package let position: UInt8

  /// `nil` if R4 has no resource type of that name (case counts).
  package init?(_ name: some StringProtocol) {
    guard let position = TypeNames.shared.positions[String(name)] else { return nil }
    self.position = position
  }

  /// `nil` if no type stands there.
  package init?(position: UInt8) {
    guard position < TypeNames.shared.names.count else { return nil }
    self.position = position
  }

  package var name: String { TypeNames.shared.names[Int(position)] }

  /// Every type that a resource can have.
  package static let all = TypeNames.shared.names.indices.compactMap {
    ResourceType(position: UInt8($0))
  }
}

extension ResourceType: Comparable {
  package static func < (left: ResourceType, right: ResourceType) -> Bool {
    left.position < right.position
  }
}

extension ResourceType: CustomStringConvertible {
  package var description: String { name }
}

/// The names of the resource types, in their order.
private final class TypeNames: Sendable {
  static let shared = TypeNames()

  let names: [String]
  let positions: [String: UInt8]

  private init() {
    names = EmbeddedTable.types.rows
      .filter { $0.column(1) == "resource" }
      .map { String($0[0]) }
    positions = Dictionary(
      uniqueKeysWithValues: names.enumerated().map { ($0.element, UInt8($0.offset)) })
  }
}
