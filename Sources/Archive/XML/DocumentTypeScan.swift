/// Finds the end of a document type behind its `<!DOCTYPE`.
struct DocumentTypeScan {
  enum Step {
    /// What follows begins there.
    case ended(Int)
    /// Everything before that place was passed over; more is needed.
    case goesOn(Int)
  }

  /// Between `[` and `]`.
  private var isInSubset = false

  /// The length up to which a quote or a comment is waited for; without its end it is none.
  private static let literalByteCountMaximum = 64 * 1024

  mutating func advance(_ window: borrowing TextWindow, from start: Int) -> Step {
    let bytes = window.bytes.span
    let end = window.count
    var position = start
    while position < end {
      let byte = bytes[position]
      var next: Int? = position + 1
      switch byte {
      case UInt8(ascii: "["): isInSubset = true
      case UInt8(ascii: ">") where !isInSubset: return .ended(position + 1)
      case UInt8(ascii: "]"):
        next = Self.position(behindSpacesFrom: position + 1, in: bytes, to: end)
        if let next, bytes[next] == UInt8(ascii: ">") { return .ended(next + 1) }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        next = Self.position(behind: [byte], from: position + 1, in: bytes, to: end)
      case UInt8(ascii: "<"):
        if position + 1 < end, Self.beginsName(bytes[position + 1]) { return .ended(position) }
        next = Self.position(behindMarkupAt: position, in: bytes, to: end)
      default: break
      }
      let isLost = window.isComplete || end - position > Self.literalByteCountMaximum
      guard let next = next ?? (isLost ? position + 1 : nil) else { return .goesOn(position) }
      position = next
    }
    return .goesOn(end)
  }

  /// Behind a comment or an instruction; of other markup, behind its `<`. `nil` if that can't be
  /// told yet.
  private static func position(
    behindMarkupAt start: Int, in bytes: Span<UInt8>, to end: Int
  ) -> Int? {
    guard start + 4 <= end else { return nil }
    if bytes.extracting(start..<start + 4).equals("<!--") {
      return position(behind: [0x2d, 0x2d, 0x3e], from: start + 4, in: bytes, to: end)
    }
    if bytes[start + 1] == UInt8(ascii: "?") {
      return position(behind: [0x3f, 0x3e], from: start + 2, in: bytes, to: end)
    }
    return start + 1
  }

  private static func position(
    behind text: [UInt8], from start: Int, in bytes: Span<UInt8>, to end: Int
  ) -> Int? {
    var position = start
    while position + text.count <= end {
      if text.indices.allSatisfy({ bytes[position + $0] == text[$0] }) {
        return position + text.count
      }
      position += 1
    }
    return nil
  }

  private static func position(
    behindSpacesFrom start: Int, in bytes: Span<UInt8>, to end: Int
  ) -> Int? {
    var position = start
    while position < end, bytes[position] <= 0x20 { position += 1 }
    return position < end ? position : nil
  }

  private static func beginsName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...:
      true
    default: false
    }
  }
}
