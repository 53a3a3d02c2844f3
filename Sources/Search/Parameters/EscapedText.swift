/// The parts of a query's value between separators that no backslash stands before.
///
/// Separators and backslash are ASCII, so bytes are enough to find them.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#escaping
enum EscapedText {
  private static let backslash = UInt8(ascii: "\\")

  /// Splits at each `separator`; escapes stay in the parts.
  static func split(_ text: String, at separator: Unicode.Scalar) -> [String] {
    let separator = UInt8(ascii: separator)
    let bytes = text.utf8.span
    // Most values are whole.
    guard bytes.contains(separator) else { return [text] }
    var parts: [String] = []
    var start = 0
    var isEscaped = false
    for position in bytes.indices {
      let byte = bytes[position]
      if byte == separator, !isEscaped {
        parts.append(String(copying: bytes.extracting(start..<position)))
        start = position + 1
      }
      isEscaped = byte == backslash && !isEscaped
    }
    parts.append(String(copying: bytes.extracting(start...)))
    return parts
  }

  /// Takes the backslash off `\,`, `\|`, `\$` and `\\`; any other stands for itself.
  static func unescape(_ text: String) -> String {
    guard text.utf8.span.contains(backslash) else { return text }
    var result: [UInt8] = []
    var isPending = false
    for byte in text.utf8 {
      if isPending {
        isPending = false
        if !",|$\\".utf8.contains(byte) { result.append(backslash) }
        result.append(byte)
      } else if byte == backslash {
        isPending = true
      } else {
        result.append(byte)
      }
    }
    if isPending { result.append(backslash) }
    return String(decoding: result, as: UTF8.self)
  }
}
