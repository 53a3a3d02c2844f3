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
  private static let digitCount = 32
  /// The digits before which a dash stands, as bits.
  private static let dashes: UInt32 = 1 << 8 | 1 << 12 | 1 << 16 | 1 << 20

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
    switch form {
    case .text(let text): bytes.append(contentsOf: text.utf8)
    case .uuid(let high, let low):
      var text = InlineArray<36, UInt8>(repeating: UInt8(ascii: "-"))
      var position = 0
      for place in 0..<Self.digitCount {
        if Self.dashes & 1 << place != 0 { position += 1 }
        let half = place < 16 ? high : low
        let digit = UInt8(truncatingIfNeeded: half &>> UInt64(60 &- 4 &* (place & 15))) & 15
        text[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        position += 1
      }
      bytes.append(copying: text.span)
    }
  }

  /// The characters of the id.
  package var byteCount: Int {
    if case .text(let text) = form { text.utf8.count } else { Self.uuidByteCount }
  }
}
