/// Looks for bytes eight at a time.
///
/// Every text that is scanned is followed by `paddingByteCount` bytes, so that a load that begins
/// inside of it never ends outside. The tests for single bytes in a word are exact for the first
/// byte that they find, which is all that is used of them.
enum ByteScan {
  static let paddingByteCount = 16

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  @inline(__always)
  private static func word(_ bytes: Span<UInt8>, _ position: Int) -> UInt64 {
    unsafe UInt64(
      littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  /// The high bit of each byte that is zero.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highs }

  @inline(__always)
  private static func equal(_ word: UInt64, _ byte: UInt8) -> UInt64 {
    zeros(word ^ (ones &* UInt64(byte)))
  }

  /// The high bit of each byte that is below `limit`, which is at most 0x80.
  @inline(__always)
  private static func below(_ word: UInt64, _ limit: UInt8) -> UInt64 {
    (word &- (ones &* UInt64(limit))) & ~word & highs
  }

  @inline(__always)
  private static func firstByte(_ flags: UInt64) -> Int { flags.trailingZeroBitCount &>> 3 }

  /// The place of the first `byte` in a word; 8 if there is none.
  @inline(__always)
  static func firstPosition(of byte: UInt8, in word: UInt64) -> Int {
    firstByte(equal(word, byte))
  }

  /// The first byte at or behind `position` that `flags` marks in its word, at most `end`.
  @inline(__always)
  private static func first(
    in bytes: Span<UInt8>, from position: Int, to end: Int, _ flags: (_ word: UInt64) -> UInt64
  ) -> Int {
    var position = position
    while position < end {
      let flags = flags(word(bytes, position))
      if flags != 0 { return min(end, position &+ firstByte(flags)) }
      position &+= 8
    }
    return end
  }

  /// The first `byte` at or behind `position`, at most `end`.
  @inline(__always)
  static func first(
    _ byte: UInt8, in bytes: Span<UInt8>, from position: Int, to end: Int
  ) -> Int {
    first(in: bytes, from: position, to: end) { equal($0, byte) }
  }

  /// The first byte at or behind `position` that ends an attribute's value or needs a look: the
  /// quote, `&`, `<` or a control character.
  @inline(__always)
  static func firstOfValue(
    quote: UInt8, in bytes: Span<UInt8>, from position: Int, to end: Int
  ) -> Int {
    first(in: bytes, from: position, to: end) { word in
      equal(word, quote) | equal(word, UInt8(ascii: "&")) | equal(word, UInt8(ascii: "<"))
        | below(word, 0x20)
    }
  }

  /// The first byte at or behind `position` that isn't plain text of a value: `"`, `&`, `<`, `>` or a
  /// control character.
  @inline(__always)
  static func firstOfMarkup(in bytes: Span<UInt8>, from position: Int, to end: Int) -> Int {
    first(in: bytes, from: position, to: end) { word in
      // `"` and `&` differ in one bit only, and so do `<` and `>`.
      equal(word | (ones &* 4), UInt8(ascii: "&")) | equal(word | (ones &* 2), UInt8(ascii: ">"))
        | below(word, 0x20)
    }
  }

  /// The first `&` or control character at or behind `position`.
  @inline(__always)
  static func firstOfReferenceOrControl(
    in bytes: Span<UInt8>, from position: Int, to end: Int
  ) -> Int {
    first(in: bytes, from: position, to: end) { word in
      equal(word, UInt8(ascii: "&")) | below(word, 0x20)
    }
  }

  /// The first byte at or behind `position` that ends a name: `<`, `=`, `>`, `?`, `/` or a space or
  /// control character.
  @inline(__always)
  static func firstOfNameEnd(in bytes: Span<UInt8>, from position: Int, to end: Int) -> Int {
    first(in: bytes, from: position, to: end) { word in
      // `<`, `=`, `>` and `?` differ only in their two lowest bits.
      equal(word | (ones &* 3), UInt8(ascii: "?")) | equal(word, UInt8(ascii: "/"))
        | below(word, 0x21)
    }
  }

  /// The first byte at or behind `position` that is neither ASCII text nor a tab or line break.
  @inline(__always)
  static func firstOfUnusual(
    in bytes: Span<UInt8>, from position: Int, to end: Int
  ) -> Int {
    var position = position
    while position < end {
      let word = word(bytes, position)
      var flags = below(word, 0x20) | (word & highs)
      while flags != 0 {
        let found = position &+ firstByte(flags)
        if found >= end { return end }
        let byte = bytes[found]
        // A flag above the first may be a space, flagged by what was borrowed for a line break.
        let isUsual = 0x20..<0x80 ~= byte || byte == 0x0a || byte == 0x09 || byte == 0x0d
        if !isUsual { return found }
        flags &= flags &- 1
      }
      position &+= 8
    }
    return end
  }
}

extension [UInt8] {
  mutating func append(copying bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
