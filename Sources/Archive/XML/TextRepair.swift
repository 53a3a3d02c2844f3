/// Text made UTF-8 without control characters: what isn't becomes U+FFFD, as Unicode recommends one
/// for each longest piece that could have begun a character.
///
/// - SeeAlso: https://www.unicode.org/versions/Unicode16.0.0/core-spec/chapter-3/#G66453
struct TextRepair {
  /// Bytes that were replaced so far.
  private(set) var replacedByteCount = 0
  /// The beginning of a character whose rest is still to come.
  private var carried: [UInt8] = []

  static let replacement: [UInt8] = [0xef, 0xbf, 0xbd]

  /// A character has begun, so that what comes next can't be told alone.
  var hasCarried: Bool { !carried.isEmpty }

  /// Whether all of it is whole characters of XML.
  static func isText(_ chunk: [UInt8]) -> Bool {
    // The last bytes, behind which there is no padding, are looked at in a copy.
    let body = max(0, chunk.count - ByteScan.paddingByteCount)
    let clean = firstFault(in: chunk.span, from: 0, to: body)
    guard body - clean < characterByteCountMaximum else { return false }
    let rest = chunk[clean...] + repeatElement(0, count: ByteScan.paddingByteCount)
    let end = rest.count - ByteScan.paddingByteCount
    return firstFault(in: Array(rest).span, from: 0, to: end) == end
  }

  private static let characterByteCountMaximum = 4

  /// Appends `chunk` to `text`, which keeps no padding here.
  ///
  /// - Parameter shifted: is told where in `text` how many bytes more stand than were read.
  mutating func append(
    _ chunk: [UInt8], isLast: Bool, to text: inout [UInt8], shifted: (Int, Int) -> Void
  ) {
    let start = text.count
    text += carried
    text += chunk
    carried = []
    let end = text.count
    text.append(contentsOf: repeatElement(0, count: ByteScan.paddingByteCount))
    let clean = Self.firstFault(in: text.span, from: start, to: end)
    guard clean < end else { return text.removeLast(text.count - end) }
    let rest = Array(text[clean...])
    text.removeLast(text.count - clean)
    repair(rest, isLast: isLast, to: &text, shifted: shifted)
  }

  /// Appends `rest`, which is followed by padding, piece by piece.
  private mutating func repair(
    _ rest: [UInt8], isLast: Bool, to text: inout [UInt8], shifted: (Int, Int) -> Void
  ) {
    let end = rest.count - ByteScan.paddingByteCount
    var position = 0
    while position < end {
      let fault = Self.firstFault(in: rest.span, from: position, to: end)
      text += rest[position..<fault]
      guard fault < end else { return }
      var count = 1
      switch Self.character(in: rest.span, at: fault, to: end) {
      case .cutOff(let available):
        if !isLast {
          carried = Array(rest[fault..<end])
          return
        }
        count = available
      case .invalid(let byteCount), .valid(let byteCount): count = byteCount
      }
      replacedByteCount += count
      text += Self.replacement
      shifted(text.count, Self.replacement.count - count)
      position = fault + count
    }
  }

  /// Where the first byte stands that no character of XML begins with or goes on with.
  private static func firstFault(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var position = start
    while true {
      position = ByteScan.firstOfUnusual(in: bytes, from: position, to: end)
      guard position < end,
        case .valid(let count) = character(in: bytes, at: position, to: end)
      else { return position }
      position += count
    }
  }

  private enum Character {
    case valid(Int)
    case invalid(Int)
    case cutOff(Int)
  }

  /// The character that is no ASCII text at `position`: its bytes, or how many of them are wrong.
  private static func character(in bytes: Span<UInt8>, at position: Int, to end: Int) -> Character {
    let first = bytes[position]
    let (count, second): (Int, ClosedRange<UInt8>) =
      switch first {
      case 0xc2...0xdf: (2, 0x80...0xbf)
      case 0xe0: (3, 0xa0...0xbf)
      case 0xed: (3, 0x80...0x9f)
      case 0xe1...0xef: (3, 0x80...0xbf)
      case 0xf0: (4, 0x90...0xbf)
      case 0xf1...0xf3: (4, 0x80...0xbf)
      case 0xf4: (4, 0x80...0x8f)
      default: (1, 0...0)
      }
    guard count > 1 else { return .invalid(1) }
    for index in 1..<count {
      guard position + index < end else { return .cutOff(index) }
      let allowed = index == 1 ? second : 0x80...0xbf
      guard allowed ~= bytes[position + index] else { return .invalid(index) }
    }
    // U+FFFE and U+FFFF are no characters of XML.
    let isNoCharacter =
      first == 0xef && bytes[position + 1] == 0xbf && bytes[position + 2] >= 0xbe
    return isNoCharacter ? .invalid(3) : .valid(count)
  }
}
