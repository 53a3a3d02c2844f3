/// The addresses under which this server's resources stand: a reference that begins with one of them
/// is the same as a relative one.
package struct OwnAddresses: Hashable, Sendable {
  package static let none = OwnAddresses([])

  /// Each with a slash at its end.
  private let bases: [String]

  /// - Parameter bases: addresses of FHIR's base, `https://store.example.org/fhir`.
  package init(_ bases: [String]) {
    self.bases = bases.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
  }

  /// What follows the address in a reference; the whole reference if it begins with none of them.
  package func relative(_ reference: Substring) -> Substring {
    for base in bases where reference.utf8.starts(with: base.utf8) {
      return reference[reference.utf8.index(reference.startIndex, offsetBy: base.utf8.count)...]
    }
    return reference
  }
}

extension OwnAddresses {
  /// As a store keeps them: one a line.
  package init(text: String) {
    self.init(text.split(separator: "\n").map(String.init))
  }

  package var text: String { bases.joined(separator: "\n") }
}
