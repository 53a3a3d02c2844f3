/// Reads JSON text into a tape. Strict: RFC 8259's grammar, valid UTF-8, no lone surrogates, unique
/// names.
struct JSONScanner {
  let limits: JSONLimits
  private(set) var tape: [JSONNode] = []
  private var position = 0
  private var depth = 0
  private var names = JSONNames()

  init(limits: JSONLimits, expectedByteCount: Int) {
    self.limits = limits
    tape.reserveCapacity(expectedByteCount / 12 + 8)
  }

  mutating func scan(_ bytes: Span<UInt8>) throws(JSONError) {
    guard bytes.count <= limits.byteCount else {
      throw JSONError(offset: limits.byteCount, reason: .tooLong(limit: limits.byteCount))
    }
    skipSpace(bytes)
    try value(bytes)
    skipSpace(bytes)
    guard position == bytes.count else {
      throw JSONError(offset: position, reason: .textAfterTheValue)
    }
  }

  private mutating func value(_ bytes: Span<UInt8>) throws(JSONError) {
    switch try byte(bytes) {
    case UInt8(ascii: "{"): try object(bytes)
    case UInt8(ascii: "["): try array(bytes)
    case UInt8(ascii: "\""): try string(bytes, as: .string)
    case UInt8(ascii: "t"): try word("true", .yes, bytes)
    case UInt8(ascii: "f"): try word("false", .no, bytes)
    case UInt8(ascii: "n"): try word("null", .null, bytes)
    default: try number(bytes)
    }
  }

  private mutating func object(_ bytes: Span<UInt8>) throws(JSONError) {
    let start = try open(.object, bytes)
    let outer = names.open()
    if try byte(bytes) == UInt8(ascii: "}") {
      position += 1
    } else {
      repeat {
        skipSpace(bytes)
        try member(bytes)
        skipSpace(bytes)
      } while try goesOn(bytes, until: UInt8(ascii: "}"))
    }
    try names.close(outer, bytes)
    close(start)
  }

  private mutating func member(_ bytes: Span<UInt8>) throws(JSONError) {
    guard try byte(bytes) == UInt8(ascii: "\"") else { throw unexpected(bytes) }
    let name = tape.count
    try string(bytes, as: .name)
    try names.insert(tape[name], bytes)
    skipSpace(bytes)
    guard try byte(bytes) == UInt8(ascii: ":") else { throw unexpected(bytes) }
    position += 1
    skipSpace(bytes)
    try value(bytes)
    tape[name].next = UInt32(truncatingIfNeeded: tape.count)
  }

  private mutating func array(_ bytes: Span<UInt8>) throws(JSONError) {
    let start = try open(.array, bytes)
    if try byte(bytes) == UInt8(ascii: "]") {
      position += 1
    } else {
      repeat {
        skipSpace(bytes)
        try value(bytes)
        skipSpace(bytes)
      } while try goesOn(bytes, until: UInt8(ascii: "]"))
    }
    close(start)
  }

  /// Takes the comma or the closing bracket; true after a comma.
  @inline(__always)
  private mutating func goesOn(
    _ bytes: Span<UInt8>, until end: UInt8
  ) throws(JSONError) -> Bool {
    let found = try byte(bytes)
    guard found == UInt8(ascii: ",") || found == end else { throw unexpected(bytes) }
    position += 1
    return found != end
  }

  private mutating func open(_ kind: JSONNode.Kind, _ bytes: Span<UInt8>) throws(JSONError) -> Int {
    depth += 1
    guard depth <= limits.depth else {
      throw JSONError(offset: position, reason: .tooDeep(limit: limits.depth))
    }
    tape.append(
      JSONNode(
        offset: UInt32(position), length: 0, next: 0, hash: 0, kind: kind, hasEscape: false))
    position += 1
    skipSpace(bytes)
    return tape.count - 1
  }

  private mutating func close(_ start: Int) {
    depth -= 1
    tape[start].length = UInt32(position) - tape[start].offset
    tape[start].next = UInt32(tape.count)
  }

  private mutating func word(
    _ word: StaticString, _ kind: JSONNode.Kind, _ bytes: Span<UInt8>
  ) throws(JSONError) {
    let start = position
    for byte in word.description.utf8 {
      guard try self.byte(bytes) == byte else { throw unexpected(bytes) }
      position += 1
    }
    append(kind, from: start)
  }

  /// `-? (0 | [1-9][0-9]*) (\.[0-9]+)? ([eE][+-]?[0-9]+)?`
  private mutating func number(_ bytes: Span<UInt8>) throws(JSONError) {
    let start = position
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    if position < bytes.count, bytes[position] == UInt8(ascii: "0") {
      position += 1
    } else {
      try digits(bytes, from: start)
    }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      try digits(bytes, from: start)
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < bytes.count,
        bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
      {
        position += 1
      }
      try digits(bytes, from: start)
    }
    append(.number, from: start)
  }

  private mutating func digits(_ bytes: Span<UInt8>, from start: Int) throws(JSONError) {
    let first = position
    while position < bytes.count, bytes[position] &- 0x30 < 10 { position += 1 }
    guard position > first else {
      if position == start, position < bytes.count { throw unexpected(bytes) }
      throw JSONError(offset: position, reason: .invalidNumber)
    }
  }

  @inline(__always)
  private mutating func append(_ kind: JSONNode.Kind, from start: Int) {
    tape.append(
      JSONNode(
        offset: UInt32(start), length: UInt32(position - start), next: UInt32(tape.count + 1),
        hash: 0, kind: kind, hasEscape: false))
  }

  private mutating func string(
    _ bytes: Span<UInt8>, as kind: JSONNode.Kind
  ) throws(JSONError) {
    let start = position &+ 1
    let (end, hasEscape) = try JSONString.end(of: bytes, from: start)
    position = end &+ 1
    var node = JSONNode(
      offset: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: end &- start),
      next: UInt32(truncatingIfNeeded: tape.count &+ 1), hash: 0, kind: kind, hasEscape: hasEscape)
    if kind == .name { node.hash = JSONString.hash(of: bytes, node) }
    tape.append(node)
  }

  @inline(__always)
  private mutating func skipSpace(_ bytes: Span<UInt8>) {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0a, 0x0d, 0x09: position += 1
      default: return
      }
    }
  }

  @inline(__always)
  private func byte(_ bytes: Span<UInt8>) throws(JSONError) -> UInt8 {
    guard position < bytes.count else {
      throw JSONError(offset: position, reason: .unexpectedEnd)
    }
    return bytes[position]
  }

  private func unexpected(_ bytes: Span<UInt8>) -> JSONError {
    JSONError(offset: position, reason: .unexpectedByte(bytes[position]))
  }
}

/// How large and how deep a document may be.
package struct JSONLimits: Sendable {
  package var depth: Int
  /// At most 4 GiB, since the tape's offsets have 32 bits.
  package var byteCount: Int

  package init(depth: Int = 128, byteCount: Int = 256 << 20) {
    self.depth = depth
    self.byteCount = min(byteCount, Int(UInt32.max))
  }

  package static let standard = JSONLimits()
}
