/// One of R4's resource types, by its position in the specification's table.
package struct ResourceType: Hashable, Sendable {
  package let position: UInt8

  package init?(_ name: some StringProtocol) {
    guard let position = Self.names.firstIndex(of: String(name)) else { return nil }
    self.position = UInt8(position)
  }

  package var name: String { Self.names[Int(position)] }

  private static let names = ["Observation", "Patient"]
}
