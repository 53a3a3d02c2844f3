/// Where a request goes, of the four forms that a request line may name it in.
///
/// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9112#section-3.2
struct RequestTarget {
  /// What the handler sees of it: from the path on, or the asterisk.
  let range: Range<Int>
  /// The target names the host itself, and then the Host field doesn't count.
  let hasAuthority: Bool

  private static let schemes = ["http://", "https://"].map { Array($0.utf8) }

  /// - Throws: `Refusal.malformedTarget` for a form that `method` doesn't allow, a wrong percent
  ///   escape in the path, an escaped NUL, or `..` above the root.
  init(_ bytes: Span<UInt8>, in range: Range<Int>, method: Method) throws(Refusal) {
    var path = range.lowerBound
    hasAuthority = bytes[path] != 0x2f
    if hasAuthority {
      if range.count == 1, bytes[path] == 0x2a, method == .options {
        self.range = range
        return
      }
      let start = try Self.authority(bytes, in: range)
      path = start
      while path < range.upperBound, bytes[path] != 0x2f { path += 1 }
      // A path must be there: what follows is handed on as it stands, and nothing is put into it.
      guard path < range.upperBound, bytes.isHost(in: start..<path) else { throw .malformedTarget }
    }
    self.range = path..<range.upperBound
    try Self.checkPath(bytes, in: self.range)
  }

  /// Where the authority starts in `http://host/path`.
  private static func authority(
    _ bytes: Span<UInt8>, in range: Range<Int>
  ) throws(Refusal) -> Int {
    for scheme in schemes where range.count > scheme.count {
      let end = range.lowerBound + scheme.count
      if bytes.equals(scheme, in: range.lowerBound..<end) { return end }
    }
    throw .malformedTarget
  }

  /// Walks the segments of the path: `..` takes one away, `.` and empty ones count for nothing.
  private static func checkPath(_ bytes: Span<UInt8>, in range: Range<Int>) throws(Refusal) {
    var depth = 0
    var segment = (byteCount: 0, dots: 0)
    var position = range.lowerBound + 1
    while position < range.upperBound, bytes[position] != 0x3f, bytes[position] != 0x23 {
      var byte = bytes[position]
      if byte == 0x25 {
        byte = try escaped(bytes, at: position, before: range.upperBound)
        position += 2
      }
      if byte == 0x2f {
        depth += change(for: segment)
        if depth < 0 { throw .malformedTarget }
        segment = (0, 0)
      } else {
        segment.byteCount += 1
        if byte == 0x2e { segment.dots += 1 }
      }
      position += 1
    }
    if depth + change(for: segment) < 0 { throw .malformedTarget }
  }

  private static func change(for segment: (byteCount: Int, dots: Int)) -> Int {
    switch (segment.byteCount, segment.dots) {
    case (0, _), (1, 1): 0
    case (2, 2): -1
    default: 1
    }
  }

  private static func escaped(
    _ bytes: Span<UInt8>, at position: Int, before end: Int
  ) throws(Refusal) -> UInt8 {
    guard position + 2 < end, let high = bytes[position + 1].hexValue,
      let low = bytes[position + 2].hexValue, high | low != 0
    else { throw .malformedTarget }
    return high << 4 | low
  }
}

extension Method {
  init?(_ bytes: Span<UInt8>, in range: Range<Int>) {
    guard range.count <= 7 else { return nil }
    // The letters as one number, so that the switch compares words.
    var word: UInt64 = 0
    for position in range { word = word << 8 | UInt64(bytes[position]) }
    switch word {
    case 0x47_4554: self = .get
    case 0x50_5554: self = .put
    case 0x4845_4144: self = .head
    case 0x504f_5354: self = .post
    case 0x50_4154_4348: self = .patch
    case 0x54_5241_4345: self = .trace
    case 0x4445_4c45_5445: self = .delete
    case 0x4f_5054_494f_4e53: self = .options
    default: return nil
    }
  }
}

extension Span<UInt8> {
  /// Whether `range` is a host with an optional port.
  ///
  /// - SeeAlso: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2
  func isHost(in range: Range<Int>) -> Bool {
    guard let first = range.first else { return false }
    var position = first
    if self[first] == 0x5b {
      position += 1
      while position < range.upperBound,
        self[position].hexValue != nil || self[position].isPartOfIPv6
      {
        position += 1
      }
      guard position < range.upperBound, self[position] == 0x5d, position - first > 2 else {
        return false
      }
      position += 1
    } else {
      while position < range.upperBound, self[position].isHostCharacter { position += 1 }
      guard position > first else { return false }
    }
    guard position < range.upperBound else { return true }
    guard self[position] == .colon, range.upperBound - position <= 6 else { return false }
    for digit in (position + 1)..<range.upperBound where !self[digit].isDigit { return false }
    return true
  }
}

extension UInt8 {
  fileprivate var isPartOfIPv6: Bool { self == .colon || self == 0x2e }

  /// Letters, digits and what stands in host names and percent escapes.
  fileprivate var isHostCharacter: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e, 0x25: true
    case 0x21, 0x24, 0x26...0x2a, 0x2b, 0x3b, 0x3d: true
    default: false
    }
  }
}
