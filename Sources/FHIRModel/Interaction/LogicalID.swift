/// The id of a resource on this server: 1 to 64 letters, digits, `-` and `.`.
///
/// Ids that the store gives are UUIDs, and a page names many: those are held as a number, so that
/// nothing is allocated for them.
///
/// - SeeAlso: https://hl7.org/fhir/R4/datatypes.html#id
package struct LogicalID: Hashable, Sendable {
  private enum Form: Hashable {
    /// A UUID in lower-case digits, as they are written from the left.
    case uuid(UInt64, UInt64)
    case text(String)
  }

  private let form: Form

  /// `nil` if the text is not an id.
  package init?(_ text: some StringProtocol) {
    self.init(String(text))
  }

  /// `nil` if the text is not an id. Spares callers in other modules the generic one.
  package init?(_ text: String) {
    self.init(text.utf8.span)
  }

  /// `nil` if the bytes are not an id's.
  package init?(_ bytes: ArraySlice<UInt8>) {
    self.init(bytes.span)
  }

  /// `nil` if the bytes are not an id's.
  package init?(_ bytes: Span<UInt8>) {
    if let uuid = Self.uuid(bytes) {
      form = uuid
      return
    }
    guard 1...64 ~= bytes.count else { return nil }
    for position in bytes.indices where !Self.isAllowed(bytes[position]) { return nil }
    form = .text(String(copying: bytes))
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  package var text: String {
    if case .text(let text) = form { return text }
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension LogicalID {
  private static let uuidByteCount = 36

  private static func isDash(_ position: Int) -> Bool {
    switch position {
    case 8, 13, 18, 23: true
    default: false
    }
  }

  private static func uuid(_ bytes: Span<UInt8>) -> Form? {
    guard bytes.count == uuidByteCount else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    for position in bytes.indices {
      let byte = bytes[position]
      if isDash(position) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      default: return nil
      }
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(digit)
    }
    return .uuid(high, low)
  }

  /// A UUID from its two halves.
  package init(uuid high: UInt64, _ low: UInt64) {
    form = .uuid(high, low)
  }

  /// The halves of a UUID, if the id is one in lower-case digits; else `nil`.
  package var uuid: (high: UInt64, low: UInt64)? {
    if case .uuid(let high, let low) = form { return (high, low) }
    return nil
  }

  /// Appends the characters of the id.
  package func append(to bytes: inout [UInt8]) {
    withCharacters { bytes.append(copying: $0) }
  }

  /// Lends the characters of the id.
  func withCharacters(_ body: (Span<UInt8>) -> Void) {
    switch form {
    case .text(let text): body(text.utf8.span)
    case .uuid(let high, let low):
      // Eight characters a word; the dashes are the 9th, 14th, 19th and 24th of all.
      let (first, second) = ((high &>> 32).hexDigits, high.hexDigits)
      let (third, fourth) = ((low &>> 32).hexDigits, low.hexDigits)
      let dash = UInt64(UInt8(ascii: "-"))
      let words: InlineArray<5, UInt64> = [
        first.bigEndian,
        (dash &<< 56 | (second &>> 32) &<< 24 | dash &<< 16 | second &>> 16 & 0xFFFF).bigEndian,
        (second &<< 48 | dash &<< 40 | (third &>> 32) &<< 8 | dash).bigEndian,
        (third &<< 32 | fourth &>> 32).bigEndian,
        (fourth &<< 32).bigEndian,
      ]
      withBytes(words, first: Self.uuidByteCount, body)
    }
  }

  /// The characters of the id.
  package var byteCount: Int {
    if case .text(let text) = form { text.utf8.count } else { Self.uuidByteCount }
  }
}

extension UInt64 {
  /// The eight lower-case digits of the lower 32 bits, a byte each, the highest first.
  fileprivate var hexDigits: UInt64 {
    var digits = self & 0xFFFF_FFFF
    digits = (digits | digits &<< 16) & 0x0000_FFFF_0000_FFFF
    digits = (digits | digits &<< 8) & 0x00FF_00FF_00FF_00FF
    digits = (digits | digits &<< 4) & 0x0F0F_0F0F_0F0F_0F0F
    // 1 in each byte that holds ten or more: those are letters.
    let letters = (digits &+ 0x0606_0606_0606_0606) &>> 4 & 0x0101_0101_0101_0101
    let lettersFromDigits = UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
    return digits &+ 0x3030_3030_3030_3030 &+ letters &* lettersFromDigits
  }
}
