import FHIRModel
import KeyValue

/// Names, addresses and other text, folded: without case and accents.
///
/// A text longer than a key takes is cut, marked as cut, and rechecked. Of names and addresses
/// every part is an entry.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#string
enum StringParameter {
  /// Longer folded texts are cut here. The mark behind a cut is no byte of UTF-8.
  static let byteCountMaximum = 120
  private static let cutMark: UInt8 = 0xFF

  static func write(_ value: PathValue, to writer: inout EntryWriter) {
    var isEmpty = true
    forEachText(of: value) { text in
      isEmpty = false
      writer.write(cut(Folding.shared.fold(text)))
    }
    if isEmpty { writer.writePresence() }
  }

  private static func cut(_ folded: [UInt8]) -> [UInt8] {
    guard folded.count > byteCountMaximum else { return folded }
    return folded.prefix(byteCountMaximum) + [cutMark]
  }

  /// Whether a key's bytes behind the unit's prefix are cut.
  fileprivate static func isCut(_ body: Span<UInt8>) -> Bool { body.count > byteCountMaximum }

  /// Where the texts of structures stand.
  private enum Members {
    static let ofName: [MemberName] = ["text", "family", "given", "prefix", "suffix"]
    static let ofAddress: [MemberName] = [
      "text", "line", "city", "district", "state", "postalCode", "country",
    ]
    static let ofConcept: [MemberName] = [.text]
  }

  /// Lends each text that a string parameter compares with.
  static func forEachText(of value: PathValue, _ body: (String) -> Void) {
    func lend(_ members: [MemberName]) {
      for member in members {
        guard let part = value.value[member] else { continue }
        if part.kind == .array {
          for element in part.elements { element.string.map(body) }
        } else {
          part.string.map(body)
        }
      }
    }
    switch value.type {
    case .humanName:
      lend(Members.ofName)
      lendFamilyParts(of: value.value[.family]?.string, body)
    case .address: lend(Members.ofAddress)
    case .codeableConcept: lend(Members.ofConcept)
    default: value.value.string.map(body)
    }
  }

  /// Parts of a family name are found too: "Carreno" and "Quinones" of "Carreno Quinones".
  private static func lendFamilyParts(of family: String?, _ body: (String) -> Void) {
    guard let parts = family?.split(whereSeparator: { $0.isWhitespace || $0 == "-" }) else {
      return
    }
    for part in parts.dropFirst() { body(String(part)) }
  }

  static func sortKeys(of value: PathValue) -> [[UInt8]] {
    var keys: [[UInt8]] = []
    forEachText(of: value) { keys.append(Folding.shared.fold($0)) }
    return keys
  }
}

/// A text that a value begins with, contains or is.
struct StringMatch: ValueMatch {
  enum Form: Hashable, Sendable { case startsWith, contains, exact }

  let form: Form
  let text: String
  let folded: [UInt8]

  init(parsing text: String, form: Form) {
    self.form = form
    self.text = EscapedText.unescape(text)
    folded = Folding.shared.fold(self.text)
  }

  func selections(
    in unit: Unit, terms: Terms, reader: borrowing Reader
  ) -> [Selection] {
    let limit = StringParameter.byteCountMaximum
    let head = Array(folded.prefix(limit))
    switch form {
    // A text that is nothing but combining marks begins nothing but its like.
    case .startsWith where folded.isEmpty: return [.key(unit.prefix, .perhaps)]
    case .startsWith: return [.range(unit.range(head), folded.count > limit ? .perhaps : .yes)]
    case .exact where folded.count <= limit: return [.key(unit.key(head), .perhaps)]
    case .exact: return [.range(unit.range(head), .perhaps)]
    case .contains:
      return [
        .range(unit.range) { body in
          if body.contains(folded) { return .yes }
          return StringParameter.isCut(body) ? .perhaps : .no
        }
      ]
    }
  }

  func matches(_ value: PathValue) -> Bool {
    var isFound = false
    StringParameter.forEachText(of: value) { isFound = isFound || matches($0) }
    return isFound
  }

  private func matches(_ candidate: String) -> Bool {
    switch form {
    case .exact: return candidate.utf8.elementsEqual(text.utf8)
    case .startsWith where folded.isEmpty: return Folding.shared.fold(candidate).isEmpty
    case .startsWith: return Folding.shared.fold(candidate).starts(with: folded)
    case .contains:
      let candidate = Folding.shared.fold(candidate)
      return candidate.span.contains(folded)
    }
  }
}

extension Span<UInt8> {
  /// Whether the bytes stand in here, one after the other.
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    guard let first = part.first else { return isEmpty }
    guard count >= part.count else { return false }
    for start in 0...count - part.count where self[start] == first {
      if part.indices.allSatisfy({ self[start + $0] == part[$0] }) { return true }
    }
    return false
  }
}
