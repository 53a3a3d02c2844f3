/// The inside of JSON strings: where they end, what they spell.
enum JSONString {
  /// The position of the closing quotation mark, and whether a backslash stands before it.
  ///
  /// - Throws: for control characters, invalid UTF-8, unknown escapes and lone surrogates.
  static func end(
    of bytes: Span<UInt8>, from start: Int
  ) throws(JSONError) -> (end: Int, hasEscape: Bool) {
    var position = start
    var hasEscape = false
    while true {
      position = firstSpecial(in: bytes, from: position)
      guard position < bytes.count else {
        throw JSONError(offset: position, reason: .unexpectedEnd)
      }
      switch bytes[position] {
      case UInt8(ascii: "\""): return (position, hasEscape)
      case UInt8(ascii: "\\"):
        hasEscape = true
        position = try afterEscape(bytes, at: position)
      case 0..<0x20: throw JSONError(offset: position, reason: .controlCharacter)
      case 0x80...: position = try afterScalar(bytes, at: position)
      default: position += 1
      }
    }
  }

  /// Eight bytes at a time: the first that is a quotation mark, a backslash, a control character or
  /// not ASCII. May stop early at a byte that is none of these.
  static func firstSpecial(in bytes: Span<UInt8>, from start: Int) -> Int {
    var position = start
    let raw = unsafe bytes.bytes
    while position + 8 <= bytes.count {
      // The offset was checked against the count in the loop's condition.
      let word = unsafe raw.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
      let quote = word ^ 0x2222_2222_2222_2222
      let backslash = word ^ 0x5c5c_5c5c_5c5c_5c5c
      let one: UInt64 = 0x0101_0101_0101_0101
      let isQuote = (quote &- one) & ~quote
      let isBackslash = (backslash &- one) & ~backslash
      let isControl = (word &- 0x2020_2020_2020_2020) & ~word
      let special = (isQuote | isBackslash | isControl | word) & 0x8080_8080_8080_8080
      if special != 0 {
        return position + UInt64(littleEndian: special).trailingZeroBitCount / 8
      }
      position += 8
    }
    return position
  }

  private static func afterEscape(
    _ bytes: Span<UInt8>, at backslash: Int
  ) throws(JSONError) -> Int {
    guard backslash + 1 < bytes.count else {
      throw JSONError(offset: bytes.count, reason: .unexpectedEnd)
    }
    switch bytes[backslash + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return backslash + 2
    case UInt8(ascii: "u"):
      let unit = try codeUnit(bytes, at: backslash)
      guard 0xd800...0xdfff ~= unit else { return backslash + 6 }
      guard unit < 0xdc00, backslash + 7 < bytes.count,
        bytes[backslash + 6] == UInt8(ascii: "\\"), bytes[backslash + 7] == UInt8(ascii: "u"),
        0xdc00...0xdfff ~= (try codeUnit(bytes, at: backslash + 6))
      else { throw JSONError(offset: backslash, reason: .loneSurrogate) }
      return backslash + 12
    default:
      throw JSONError(offset: backslash, reason: .invalidEscape)
    }
  }

  /// The number that the four hexadecimal digits of `\uXXXX` spell.
  private static func codeUnit(
    _ bytes: Span<UInt8>, at backslash: Int
  ) throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for offset in 2..<6 {
      guard backslash + offset < bytes.count else {
        throw JSONError(offset: bytes.count, reason: .unexpectedEnd)
      }
      guard let digit = hexDigit(bytes[backslash + offset]) else {
        throw JSONError(offset: backslash, reason: .invalidEscape)
      }
      unit = unit << 4 | digit
    }
    return unit
  }

  private static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte) - 0x30
    case 0x41...0x46: UInt32(byte) - 0x41 + 10
    case 0x61...0x66: UInt32(byte) - 0x61 + 10
    default: nil
    }
  }

  /// The position after the scalar that begins at `start` with a byte over 0x7f, by Unicode's table
  /// of well-formed sequences (The Unicode Standard, table 3-7).
  private static func afterScalar(_ bytes: Span<UInt8>, at start: Int) throws(JSONError) -> Int {
    let second: ClosedRange<UInt8>
    let count: Int
    switch bytes[start] {
    case 0xc2...0xdf: (second, count) = (0x80...0xbf, 2)
    case 0xe0: (second, count) = (0xa0...0xbf, 3)
    case 0xe1...0xec, 0xee...0xef: (second, count) = (0x80...0xbf, 3)
    case 0xed: (second, count) = (0x80...0x9f, 3)
    case 0xf0: (second, count) = (0x90...0xbf, 4)
    case 0xf1...0xf3: (second, count) = (0x80...0xbf, 4)
    case 0xf4: (second, count) = (0x80...0x8f, 4)
    default: throw JSONError(offset: start, reason: .invalidUTF8)
    }
    guard start + count <= bytes.count, second ~= bytes[start + 1] else {
      throw JSONError(offset: start, reason: .invalidUTF8)
    }
    for offset in 2..<max(count, 2) where !(0x80...0xbf ~= bytes[start + offset]) {
      throw JSONError(offset: start, reason: .invalidUTF8)
    }
    return start + count
  }

  /// The UTF-8 that the string of `node` spells, its escapes resolved. The text was checked before.
  static func decoded(_ bytes: Span<UInt8>, _ node: JSONNode) -> [UInt8] {
    guard node.hasEscape else { return Array(copying: bytes.extracting(node.range)) }
    let start = Int(node.offset)
    let end = start + Int(node.length)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(end - start)
    var position = start
    while position < end {
      guard bytes[position] == UInt8(ascii: "\\") else {
        decoded.append(bytes[position])
        position += 1
        continue
      }
      switch bytes[position + 1] {
      case UInt8(ascii: "b"): decoded.append(0x08)
      case UInt8(ascii: "f"): decoded.append(0x0c)
      case UInt8(ascii: "n"): decoded.append(0x0a)
      case UInt8(ascii: "r"): decoded.append(0x0d)
      case UInt8(ascii: "t"): decoded.append(0x09)
      case UInt8(ascii: "u"):
        let (scalar, next) = checkedScalar(bytes, at: position)
        decoded.append(contentsOf: Array(String(scalar).utf8))
        position = next
        continue
      default: decoded.append(bytes[position + 1])
      }
      position += 2
    }
    return decoded
  }

  /// The scalar of a checked `\uXXXX` or pair of them, and the position after it.
  private static func checkedScalar(
    _ bytes: Span<UInt8>, at backslash: Int
  ) -> (Character, Int) {
    func unit(_ start: Int) -> UInt32 {
      (2..<6).reduce(0) { $0 << 4 | (hexDigit(bytes[start + $1]) ?? 0) }
    }
    let high = unit(backslash)
    guard 0xd800...0xdbff ~= high else {
      return (Character(UnicodeScalar(high) ?? "\u{fffd}"), backslash + 6)
    }
    let low = unit(backslash + 6)
    let scalar = 0x10000 + (high - 0xd800) << 10 + (low - 0xdc00)
    return (Character(UnicodeScalar(scalar) ?? "\u{fffd}"), backslash + 12)
  }

  /// A hash of a name: its length and the bytes at its ends, with escapes resolved.
  static func hash(of bytes: Span<UInt8>, _ node: JSONNode) -> UInt16 {
    if node.hasEscape {
      let decoded = decoded(bytes, node)
      return hash(of: decoded.span, from: 0, count: decoded.count)
    }
    return hash(of: bytes, from: Int(node.offset), count: Int(node.length))
  }

  static func hash(of bytes: Span<UInt8>, from start: Int, count: Int) -> UInt16 {
    nameHash(bytes.extracting(start..<start + count))
  }
}
