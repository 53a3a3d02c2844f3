import FHIRModel

/// A code with its system and display.
package struct Coding: Hashable, Sendable {
  package let system: String
  package let code: String
  package let display: String?

  package init(system: String, code: String, display: String?) {
    self.system = system
    self.code = code
    self.display = display
  }

  /// Reads `system|code|display`; `nil` for anything else.
  init?(row text: TableText) {
    let parts = text.pieces(between: "|").map(\.text)
    guard parts.count == 3, !parts.contains("") else { return nil }
    self.init(system: parts[0], code: parts[1], display: parts[2])
  }
}
