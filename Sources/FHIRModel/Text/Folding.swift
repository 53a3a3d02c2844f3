/// Text without case and accents, as string parameters compare it: NFD, case folding, combining
/// marks left out. The table stands in `spec/folding.tsv`, so that an index means the same on every
/// platform and under every version of the system's Unicode library.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#string
package struct Folding: Sendable {
  package static let shared = Folding()

  /// Read at the first character that it is needed for: most texts have none.
  private static let table = FoldingTable(EmbeddedTables.folding)

  /// The folded text in UTF-8. It is empty for a text of combining marks alone.
  package func fold(_ text: String) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars { append(scalar.value, to: &folded) }
    return folded
  }

  private func append(_ point: UInt32, to folded: inout [UInt8]) {
    switch point {
    case 0x41...0x5A: folded.append(UInt8(point + 0x20))
    case 0..<0x80: folded.append(UInt8(point))
    case 0xAC00..<0xD7A4: Self.appendHangul(point, to: &folded)
    default:
      guard let replacement = Self.table.replacement(of: point) else {
        return Self.append(point, to: &folded)
      }
      folded.append(contentsOf: replacement)
    }
  }

  // The arithmetic of the Unicode Standard, section 3.12: a syllable is a leading consonant, a vowel
  // and perhaps a trailing consonant.
  private static func appendHangul(_ point: UInt32, to folded: inout [UInt8]) {
    let position = point - 0xAC00
    append(0x1100 + position / 588, to: &folded)
    append(0x1161 + position % 588 / 28, to: &folded)
    if position % 28 > 0 { append(0x11A7 + position % 28, to: &folded) }
  }

  fileprivate static func append(_ point: UInt32, to bytes: inout [UInt8]) {
    guard let scalar = Unicode.Scalar(point) else { return }
    bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }
}

/// The characters that folding changes and what replaces them.
private struct FoldingTable: Sendable {
  /// The characters, in rising order.
  private let points: [UInt32]
  /// For each of `points`, where its replacement ends in `replacements`.
  private let ends: [UInt16]
  /// The UTF-8 of the replacements, one after the other.
  private let replacements: [UInt8]

  /// Reads lines of a code point, a tab and the code points that replace it; `#` begins a remark.
  init(_ table: [UInt8]) {
    var points: [UInt32] = []
    var ends: [UInt16] = []
    var replacements: [UInt8] = []
    for line in table.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
      let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      points.append(Self.hexadecimal(fields[0]))
      for field in fields.dropFirst().first?.split(separator: UInt8(ascii: " ")) ?? [] {
        Folding.append(Self.hexadecimal(field), to: &replacements)
      }
      ends.append(UInt16(replacements.count))
    }
    self.points = points
    self.ends = ends
    self.replacements = replacements
  }

  /// The UTF-8 that replaces a character, which may be empty; `nil` for one that stays.
  func replacement(of point: UInt32) -> ArraySlice<UInt8>? {
    guard let position = position(of: point) else { return nil }
    let start = position == 0 ? 0 : Int(ends[position - 1])
    return replacements[start..<Int(ends[position])]
  }

  private func position(of point: UInt32) -> Int? {
    var lower = 0
    var upper = points.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if points[middle] < point { lower = middle + 1 } else { upper = middle }
    }
    return lower < points.count && points[lower] == point ? lower : nil
  }

  private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt32 {
    digits.reduce(0) { number, digit in
      number << 4 | UInt32(digit < UInt8(ascii: "A") ? digit - 0x30 : digit - 0x37)
    }
  }
}
