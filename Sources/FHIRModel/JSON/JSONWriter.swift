/// Writes JSON text from the front to the back. Commas are its affair; that objects and arrays are
/// closed is the caller's.
package struct JSONWriter: Sendable {
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init(reservingByteCount count: Int = 256) { bytes.reserveCapacity(count) }

  /// Writes `{…}` with the members that `body` writes.
  package mutating func object<Failure: Error>(
    _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    begin(UInt8(ascii: "{"))
    try body(&self)
    end(UInt8(ascii: "}"))
  }

  /// Writes `[…]` with the values that `body` writes.
  package mutating func array<Failure: Error>(
    _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    begin(UInt8(ascii: "["))
    try body(&self)
    end(UInt8(ascii: "]"))
  }

  /// Writes a member's name; its value must follow.
  package mutating func name(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func member(_ name: String, _ value: String) {
    self.name(name)
    string(value)
  }

  package mutating func member(_ name: String, _ value: Int) {
    self.name(name)
    raw(Array(String(value).utf8))
  }

  package mutating func member(_ name: String, _ value: Bool) {
    self.name(name)
    raw(Array((value ? "true" : "false").utf8))
  }

  package mutating func member<Failure: Error>(
    _ name: String, object body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    self.name(name)
    try object(body)
  }

  package mutating func member<Failure: Error>(
    _ name: String, array body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    self.name(name)
    try array(body)
  }

  package mutating func string(_ text: String) { string(text.utf8.span) }

  /// - Parameter utf8: a text.
  package mutating func string(_ utf8: Span<UInt8>) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    var position = JSONString.firstSpecial(in: utf8, from: 0)
    while position < utf8.count {
      if Self.isEscaped(utf8[position]) {
        bytes.append(copying: utf8.extracting(start..<position))
        appendEscaped(utf8[position])
        start = position + 1
      }
      position = JSONString.firstSpecial(in: utf8, from: position + 1)
    }
    bytes.append(copying: utf8.extracting(start...))
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Writes text that is a JSON value already: a number's digits, a stored resource.
  package mutating func raw(_ value: some Collection<UInt8>) {
    separate()
    bytes.append(contentsOf: value)
    needsComma = true
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case 0x0a: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "n")])
    case 0x0d: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "r")])
    case 0x09: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "t")])
    case 0..<0x20:
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: Array("\\u00".utf8))
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    default: bytes.append(byte)
    }
  }
}
