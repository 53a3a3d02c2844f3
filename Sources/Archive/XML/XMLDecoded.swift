/// Text whose references and line ends are resolved.
struct XMLDecoded {
  enum Place {
    /// Every tab and line break is a space.
    case attribute
    /// Every line break is a line feed.
    case text
    /// As text, and `&` means itself.
    case verbatim
  }

  /// What was wrong with references.
  struct Faults {
    /// References that name nothing and were left as they stand.
    var unknownReferenceCount = 0
    /// Bytes of references to characters that XML doesn't have.
    var replacedByteCount = 0
  }

  private(set) var bytes: [UInt8] = []
  var faults = Faults()

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends what the text at `range` means, and tells where it stands in `bytes`.
  mutating func append(_ text: Span<UInt8>, _ range: Range<Int>, as place: Place) -> Range<Int> {
    let start = bytes.count
    let end = range.upperBound
    var position = range.lowerBound
    while position < end {
      let next = ByteScan.firstOfReferenceOrControl(in: text, from: position, to: end)
      bytes.append(copying: text.extracting(position..<next))
      position = next < end ? appendMeaning(of: text, at: next, to: end, as: place) : end
    }
    return start..<bytes.count
  }

  /// Appends what the reference or control character at `position` means, and tells where the rest
  /// begins.
  private mutating func appendMeaning(
    of text: Span<UInt8>, at position: Int, to end: Int, as place: Place
  ) -> Int {
    let byte = text[position]
    switch byte {
    case UInt8(ascii: "&") where place != .verbatim:
      return appendReference(in: text, at: position, to: end)
    case 0x0d:
      bytes.append(place == .attribute ? 0x20 : 0x0a)
      let isPair = position + 1 < end && text[position + 1] == 0x0a
      return position + (isPair ? 2 : 1)
    case 0x09, 0x0a: bytes.append(place == .attribute ? 0x20 : byte)
    default: bytes.append(byte)
    }
    return position + 1
  }

  /// Longer than any reference to a character, leading zeros aside.
  static let referenceByteCountMaximum = 32

  /// Appends the character that the reference at `start` names, and tells where the rest begins.
  private mutating func appendReference(in text: Span<UInt8>, at start: Int, to end: Int) -> Int {
    let limit = min(end, start + Self.referenceByteCountMaximum)
    var semicolon = start + 1
    while semicolon < limit, text[semicolon] != UInt8(ascii: ";") { semicolon += 1 }
    guard semicolon < limit, let scalar = Self.scalar(text, start + 1..<semicolon) else {
      faults.unknownReferenceCount += 1
      bytes.append(UInt8(ascii: "&"))
      return start + 1
    }
    append(scalar, insteadOf: semicolon + 1 - start)
    return semicolon + 1
  }

  /// Appends the character, or U+FFFD for one that XML doesn't have.
  private mutating func append(_ number: UInt32, insteadOf byteCount: Int) {
    if number < 0x80, number >= 0x20 { return bytes.append(UInt8(number)) }
    guard Self.isAllowed(number), let scalar = Unicode.Scalar(number) else {
      faults.replacedByteCount += byteCount
      bytes += TextRepair.replacement
      return
    }
    bytes.append(contentsOf: String(Character(scalar)).utf8)
  }

  /// The number of the character with that name; `nil` if it is none of the five and no number.
  private static func scalar(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt32? {
    guard let first = range.first else { return nil }
    if text[first] == UInt8(ascii: "#") {
      let isHex = range.count > 1 && text[first + 1] == UInt8(ascii: "x")
      return number(text, first + (isHex ? 2 : 1)..<range.upperBound, radix: isHex ? 16 : 10)
    }
    guard range.count <= 4 else { return nil }
    var name: UInt32 = 0
    for position in range { name = name << 8 | UInt32(text[position]) }
    switch name {
    case 0x6c74: return 0x3c  // lt
    case 0x6774: return 0x3e  // gt
    case 0x616d_70: return 0x26  // amp
    case 0x7175_6f74: return 0x22  // quot
    case 0x6170_6f73: return 0x27  // apos
    default: return nil
    }
  }

  /// - Returns: at most 0x110000, which is no character.
  private static func number(_ text: Span<UInt8>, _ range: Range<Int>, radix: UInt32) -> UInt32? {
    guard !range.isEmpty else { return nil }
    var number: UInt32 = 0
    for position in range {
      guard let digit = digit(text[position]), digit < radix else { return nil }
      number = min(0x11_0000, number * radix + digit)
    }
    return number
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 0x30
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte) - 0x57
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte) - 0x37
    default: nil
    }
  }

  /// https://www.w3.org/TR/xml/#NT-Char
  private static func isAllowed(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x09, 0x0a, 0x0d, 0x20...0xd7ff, 0xe000...0xfffd, 0x1_0000...0x10_ffff: true
    default: false
    }
  }
}
