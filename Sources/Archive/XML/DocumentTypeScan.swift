/// Finds the end of a document type behind its `<!DOCTYPE`.
struct DocumentTypeScan {
  enum Step {
    /// What follows begins there.
    case ended(Int)
    /// Everything before that place was passed over; more is needed.
    case goesOn(Int)
  }

  /// The name of the document's root element, once it was read.
  private var rootName: [UInt8]?
  /// Between `[` and `]`.
  private var isInSubset = false

  /// The length up to which a quote or a comment is waited for; without its end it is none.
  private static let literalByteCountMaximum = 64 * 1024

  mutating func advance(_ window: borrowing TextWindow, from start: Int) -> Step {
    let bytes = window.bytes.span
    let end = window.count
    guard var position = behindName(window, from: start) else { return .goesOn(start) }
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
        if beginsRoot(at: position, in: bytes, to: end) { return .ended(position) }
        next = self.position(behindMarkupAt: position, in: bytes, to: end)
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
  private func position(
    behindMarkupAt start: Int, in bytes: Span<UInt8>, to end: Int
  ) -> Int? {
    guard start + max(4, (rootName?.count ?? 0) + 2) <= end else { return nil }
    if bytes.extracting(start..<start + 4).equals("<!--") {
      return Self.position(behind: [0x2d, 0x2d, 0x3e], from: start + 4, in: bytes, to: end)
    }
    if bytes[start + 1] == UInt8(ascii: "?") {
      return Self.position(behind: [0x3f, 0x3e], from: start + 2, in: bytes, to: end)
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

  /// Reads the root element's name, if it wasn't read before; `nil` if it may go on.
  private mutating func behindName(_ window: borrowing TextWindow, from start: Int) -> Int? {
    guard rootName == nil else { return start }
    var position = start
    while position < window.count, window[position] <= 0x20 { position += 1 }
    let end = window.first(
      UInt8(ascii: "["), from: position, to: window.nameEnd(from: position))
    guard end < window.count || window.isComplete else { return nil }
    rootName = Array(window.bytes[position..<end])
    return end
  }

  /// Whether the tag at `position` is the root element's: a `<` that is misplaced in a declaration
  /// stands before other names. What isn't all there is waited
  /// for by `position(behindMarkupAt:in:to:)`.
  private func beginsRoot(at position: Int, in bytes: Span<UInt8>, to end: Int) -> Bool {
    guard let rootName, position + rootName.count + 1 < end else { return false }
    let name = bytes.extracting(position + 1..<position + 1 + rootName.count)
    guard name.equals(rootName.span) else { return false }
    let behind = bytes[position + 1 + rootName.count]
    return behind <= 0x20 || behind == UInt8(ascii: ">") || behind == UInt8(ascii: "/")
  }
}
