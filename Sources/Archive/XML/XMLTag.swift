/// A start tag taken apart: where its name and its attributes stand.
struct XMLTag {
  /// Where a value stands: in the window, or, decoded, in `decoded`.
  struct Attribute: Sendable {
    var name: Range<Int>
    var value: Range<Int>
    var isDecoded: Bool
  }

  enum Scan {
    /// The tag's last byte stands before `end`.
    case complete(end: Int)
    /// The tag goes on behind the window.
    case incomplete
    /// No tag; what follows begins at `resume`.
    case malformed(resume: Int)
  }

  private(set) var name = 0..<0
  private(set) var attributes: [Attribute] = []
  private(set) var decoded = XMLDecoded()
  /// `<name/>`.
  private(set) var isEmpty = false

  /// Forgets the attributes, whose places don't outlast the event.
  mutating func forget() { attributes.removeAll(keepingCapacity: true) }

  /// Resolves text that is no attribute's, and tells where it stands in `decoded`.
  mutating func decode(
    _ window: borrowing TextWindow, _ range: Range<Int>, as place: XMLDecoded.Place
  ) -> Range<Int> {
    decoded.removeAll()
    return decoded.append(window.bytes.span, range, as: place)
  }

  /// Reads the tag whose `<` stands before `start`.
  mutating func scan(_ window: borrowing TextWindow, from start: Int) -> Scan {
    let faults = decoded.faults
    let scan = scanParts(window.bytes.span, from: start, to: window.count)
    // A tag that goes on is read again and must not be counted twice.
    if case .incomplete = scan { decoded.faults = faults }
    return scan
  }

  /// Takes apart the tag whose name begins at `start`.
  private mutating func scanParts(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Scan {
    forget()
    decoded.removeAll()
    isEmpty = false
    var position = ByteScan.firstOfNameEnd(in: bytes, from: start, to: end)
    name = start..<position
    while true {
      position = Self.skipSpaces(bytes, from: position, to: end)
      guard position < end else { return .incomplete }
      switch bytes[position] {
      case UInt8(ascii: ">"): return .complete(end: position &+ 1)
      case UInt8(ascii: "<"): return .malformed(resume: position)
      case UInt8(ascii: "/"):
        guard position &+ 1 < end else { return .incomplete }
        isEmpty = bytes[position &+ 1] == UInt8(ascii: ">")
        position &+= 1
      default:
        switch scanAttribute(bytes, from: position, to: end) {
        case .complete(let next): position = next
        case let other: return other
        }
      }
    }
  }

  /// Reads `name = "value"`; a name without a value is passed over.
  private mutating func scanAttribute(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) -> Scan {
    var position = ByteScan.firstOfNameEnd(in: bytes, from: start, to: end)
    let name = start..<position
    position = Self.skipSpaces(bytes, from: position, to: end)
    guard position < end else { return .incomplete }
    guard bytes[position] == UInt8(ascii: "=") else {
      // `?` ends a name too; alone it would be read for ever.
      return .complete(end: position == start ? position &+ 1 : position)
    }
    position = Self.skipSpaces(bytes, from: position &+ 1, to: end)
    guard position < end else { return .incomplete }
    let quote = bytes[position]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return .complete(end: position)
    }
    return scanValue(bytes, of: name, quote: quote, from: position &+ 1, to: end)
  }

  private mutating func scanValue(
    _ bytes: Span<UInt8>, of name: Range<Int>, quote: UInt8, from start: Int, to end: Int
  ) -> Scan {
    var position = start
    var isPlain = true
    while true {
      position = ByteScan.firstOfValue(quote: quote, in: bytes, from: position, to: end)
      guard position < end else { return .incomplete }
      let byte = bytes[position]
      if byte == quote { break }
      // A quote was lost: the tag ends where the next one begins.
      if byte == UInt8(ascii: "<") { return .malformed(resume: position) }
      isPlain = false
      position &+= 1
    }
    let value =
      isPlain ? start..<position : decoded.append(bytes, start..<position, as: .attribute)
    attributes.append(Attribute(name: name, value: value, isDecoded: !isPlain))
    return .complete(end: position &+ 1)
  }

  @inline(__always)
  private static func skipSpaces(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) -> Int {
    var position = start
    while position < end, bytes[position] <= 0x20 { position &+= 1 }
    return position
  }
}
