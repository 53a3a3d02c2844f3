import FHIRModel
import KeyValue

/// Addresses: byte for byte, in their own order. Long ones are cut and rechecked.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#uri
enum URIParameter {
  /// Longer addresses are cut here. The mark behind a cut is no byte of UTF-8.
  static let byteCountMaximum = 250
  private static let cutMark: UInt8 = 0xFF

  static func write(_ value: PathValue, to writer: inout EntryWriter) {
    guard let text = value.value.string, !text.isEmpty else { return writer.writePresence() }
    let bytes = Array(text.utf8)
    let isCut = bytes.count > byteCountMaximum
    writer.write(isCut ? bytes.prefix(byteCountMaximum) + [cutMark] : bytes)
  }

  static func sortKey(of value: PathValue) -> [UInt8]? { value.value.string.map { Array($0.utf8) } }
}

/// An address that a value is, stands below or stands above.
struct URIMatch: ValueMatch {
  enum Form: Hashable, Sendable { case exact, below, above }

  let form: Form
  let text: String

  init(parsing text: String, form: Form) {
    self.form = form
    self.text = EscapedText.unescape(text)
  }

  func selections(
    in unit: Unit, terms: Terms, reader: borrowing Reader
  ) -> [Selection] {
    let bytes = Array(text.utf8)
    let head = Array(bytes.prefix(URIParameter.byteCountMaximum))
    switch form {
    case .exact where unit.dataTypes.contains(.canonical):
      return [.range(unit.range(head), .perhaps)]
    case .exact: return [bytes == head ? .key(unit.key(head)) : .range(unit.range(head), .perhaps)]
    case .below: return [.range(unit.range(head), .perhaps)]
    case .above: return [.range(unit.range, .perhaps)]
    }
  }

  func matches(_ value: PathValue) -> Bool {
    guard let stored = value.value.string else { return false }
    switch form {
    case .exact:
      // A canonical address without a version means every version.
      return stored == text
        || value.type == .canonical && !text.contains("|") && stored.hasPrefix(text + "|")
    case .below: return Self.isBelow(stored, text)
    case .above: return Self.isBelow(text, stored)
    }
  }

  /// Whether `path` is `root` or goes on from it at a boundary of its segments. A urn has
  /// none, so nothing stands below or above it.
  private static func isBelow(_ path: String, _ root: String) -> Bool {
    guard path.hasPrefix(root), !root.hasPrefix("urn:"), !root.isEmpty else { return false }
    let rest = path.dropFirst(root.count)
    return rest.isEmpty || root.hasSuffix("/") || rest.first == "/" || rest.first == "|"
  }
}
