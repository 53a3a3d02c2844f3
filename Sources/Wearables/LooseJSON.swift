import FHIRModel

/// JSON as phones send it. Some encoders write what is not a number as a bare `NaN` or `Infinity`,
/// which is no JSON; it is read as a text, so that only the value where it stands is refused.
enum LooseJSON {
  static func document(_ bytes: [UInt8]) throws(InteractionError) -> JSONDocument {
    do {
      return try JSONDocument(parsing: bytes)
    } catch {
      if let document = try? JSONDocument(parsing: quotingNonNumbers(bytes)) {
        return document
      }
      let (line, column) = error.place(in: bytes)
      throw .invalid([Issue(.structure, "line \(line), column \(column): \(error)", at: "body")])
    }
  }

  private static let nonNumbers = ["NaN", "-Infinity", "Infinity"].map { Array($0.utf8) }

  /// Puts quotes around each non-number that stands outside a text.
  static func quotingNonNumbers(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes[...]
    var isInText = false
    while let byte = rest.first {
      if !isInText, let word = nonNumbers.first(where: rest.starts(with:)) {
        result += [UInt8(ascii: "\"")] + word + [UInt8(ascii: "\"")]
        rest = rest.dropFirst(word.count)
        continue
      }
      let isEscape = isInText && byte == UInt8(ascii: "\\")
      if byte == UInt8(ascii: "\"") { isInText.toggle() }
      result += rest.prefix(isEscape ? 2 : 1)
      rest = rest.dropFirst(isEscape ? 2 : 1)
    }
    return result
  }
}
