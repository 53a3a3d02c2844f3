/// The parts of a query's value between separators that no backslash stands before.
///
/// - SeeAlso: https://hl7.org/fhir/R4/search.html#escaping
enum EscapedText {
  /// Splits at each `separator`; escapes stay in the parts.
  static func split(_ text: some StringProtocol, at separator: Character) -> [String] {
    // Most values have neither; they are taken whole.
    guard text.contains(where: { $0 == separator || $0 == "\\" }) else { return [String(text)] }
    var parts = [""]
    var isEscaped = false
    for character in text {
      if character == separator, !isEscaped {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    return parts
  }

  /// Takes the backslash off `\,`, `\|`, `\$` and `\\`; any other stands for itself.
  static func unescape(_ text: some StringProtocol) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return String(text) }
    var result = ""
    var escape: Character?
    for character in text {
      if let pending = escape {
        escape = nil
        if !",|$\\".contains(character) { result.append(pending) }
        result.append(character)
      } else if character == "\\" {
        escape = character
      } else {
        result.append(character)
      }
    }
    if let escape { result.append(escape) }
    return result
  }
}
