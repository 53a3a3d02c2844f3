/// A request target, parted at its `?`.
struct Target: Sendable {
  var path: ArraySlice<UInt8>
  /// What follows the `?`; empty if there is none.
  var query: ArraySlice<UInt8>

  /// Reads the origin form (`/fhir/Patient?_id=1`) and the absolute form, whose scheme and
  /// authority are left out: which server was meant is `Host`'s affair.
  ///
  /// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9112#section-3.2
  init(_ bytes: [UInt8]) {
    let local = Self.afterAuthority(bytes[...])
    let mark = local.firstIndex(of: UInt8(ascii: "?")) ?? local.endIndex
    path = local[..<mark]
    query = local[mark...].dropFirst()
  }

  private static func afterAuthority(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard bytes.first != UInt8(ascii: "/") else { return bytes }
    for scheme in ["http://", "https://"] where bytes.starts(with: scheme.utf8) {
      let rest = bytes.dropFirst(scheme.utf8.count)
      let pathStart = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
      return rest[(pathStart ?? rest.endIndex)...]
    }
    return bytes
  }
}
