/// Why bytes are not JSON, and where.
///
/// - SeeAlso: https://www.rfc-editor.org/rfc/rfc8259
package struct JSONError: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    case unexpectedEnd
    case unexpectedByte(UInt8)
    case textAfterTheValue
    case invalidUTF8
    case invalidEscape
    case loneSurrogate
    case controlCharacter
    case invalidNumber
    case duplicateName(String)
    case tooDeep(limit: Int)
    case tooLong(limit: Int)
  }

  /// The byte where the fault was seen.
  package let offset: Int
  package let reason: Reason

  package init(offset: Int, reason: Reason) {
    self.offset = offset
    self.reason = reason
  }

  /// Line and column, both counted from 1, columns in bytes.
  package func place(in bytes: [UInt8]) -> (line: Int, column: Int) {
    var line = 1
    var lineStart = 0
    for position in 0..<min(offset, bytes.count) where bytes[position] == UInt8(ascii: "\n") {
      line += 1
      lineStart = position + 1
    }
    return (line, min(offset, bytes.count) - lineStart + 1)
  }
}

extension JSONError: CustomStringConvertible {
  package var description: String {
    switch reason {
    case .unexpectedEnd: "the JSON ends too early"
    case .unexpectedByte(let byte) where (0x21...0x7e).contains(byte):
      "'\(Character(UnicodeScalar(byte)))' can't stand here"
    case .unexpectedByte(let byte): "byte \(byte) can't stand here"
    case .textAfterTheValue: "something follows the JSON value"
    case .invalidUTF8: "the text is not valid UTF-8"
    case .invalidEscape: "the string has an escape that JSON does not know"
    case .loneSurrogate: "the string has half of a surrogate pair"
    case .controlCharacter: "a control character in a string must be escaped"
    case .invalidNumber: "this is not a JSON number"
    case .duplicateName(let name): "the name \"\(name)\" stands twice in one object"
    case .tooDeep(let limit): "the JSON is nested deeper than \(limit)"
    case .tooLong(let limit): "the JSON is longer than \(limit) bytes"
    }
  }
}
