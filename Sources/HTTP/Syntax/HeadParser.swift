/// Reads the head of one request, as strictly as RFC 9112 can be read: what two readers could
/// understand in two ways is refused.
///
/// It goes on where it stopped when more bytes have come, a line at a time.
package struct HeadParser: Sendable {
  package private(set) var head = RequestHead()
  private let limits: HeadLimits
  private var fields = FieldChecks()
  private var lineStart = 0
  private var hasRequestLine = false
  private var toleratesEmptyLine = true

  package init(limits: HeadLimits = HeadLimits()) {
    self.limits = limits
  }

  /// Forgets the head that was read, for the next request of the connection.
  package mutating func reset() {
    var fields = head.fields
    fields.removeAll(keepingCapacity: true)
    head = RequestHead()
    head.fields = fields
    self.fields = FieldChecks()
    lineStart = 0
    hasRequestLine = false
    toleratesEmptyLine = true
  }

  /// Reads as far as `bytes` go.
  ///
  /// - Parameter bytes: the connection's bytes from the request's first one on; what an earlier call
  ///   was given, and more.
  /// - Returns: the number of bytes of the head when it is complete, `nil` when bytes are missing.
  package mutating func parse(_ bytes: Span<UInt8>) throws(Refusal) -> Int? {
    if !hasRequestLine {
      guard let end = try requestLine(in: bytes) else {
        try checkSize(of: bytes)
        return nil
      }
      lineStart = end
      hasRequestLine = true
    }
    while true {
      switch try field(in: bytes) {
      case .unfinished:
        try checkSize(of: bytes)
        return nil
      case .line(let end):
        lineStart = end
        if end > limits.byteCountMaximum { throw tooLarge }
      case .emptyLine(let end):
        if end > limits.byteCountMaximum { throw tooLarge }
        try fields.finish(&head)
        return end
      }
    }
  }

  private var tooLarge: Refusal { .headTooLarge(byteCountMaximum: limits.byteCountMaximum) }

  private func checkSize(of bytes: Span<UInt8>) throws(Refusal) {
    if bytes.count > limits.byteCountMaximum { throw tooLarge }
  }
}

extension HeadParser {
  /// Reads the request line; `nil` when it isn't complete yet, else the place after it.
  private mutating func requestLine(in bytes: Span<UInt8>) throws(Refusal) -> Int? {
    if toleratesEmptyLine {
      // One empty line before a request is ignored: RFC 9112, section 2.2.
      guard let isEmpty = try bytes.hasLineEnd(at: 0) else { return nil }
      if isEmpty { lineStart = 2 }
      toleratesEmptyLine = false
    }
    var position = lineStart
    while position < bytes.count, bytes[position].isTokenCharacter { position += 1 }
    let method = lineStart..<position
    if method.count > 32 { throw .unknownMethod }
    guard position < bytes.count else { return nil }
    guard !method.isEmpty, bytes[position] == .space else {
      throw malformation(at: position, bytes)
    }

    let target = position + 1
    position = target
    while position < bytes.count, bytes[position].isVisible { position += 1 }
    if position - target > limits.targetByteCountMaximum {
      throw .targetTooLong(byteCountMaximum: limits.targetByteCountMaximum)
    }
    guard position < bytes.count else { return nil }
    guard position > target, bytes[position] == .space else {
      throw malformation(at: position, bytes)
    }
    return try finishRequestLine(method: method, target: target..<position, in: bytes)
  }

  private mutating func finishRequestLine(
    method: Range<Int>, target: Range<Int>, in bytes: Span<UInt8>
  ) throws(Refusal) -> Int? {
    let version = target.upperBound + 1
    guard let isComplete = try bytes.hasVersion(at: version), isComplete else { return nil }
    let end = version + 8
    guard let endsHere = try bytes.hasLineEnd(at: end) else { return nil }
    guard endsHere else { throw .malformedRequestLine }
    guard bytes[version + 5] == 0x31, bytes[version + 7] <= 0x31 else { throw .unsupportedVersion }
    guard let known = Method(bytes, in: method) else { throw .unknownMethod }
    head.method = known
    head.minorVersion = bytes[version + 7] - 0x30
    head.keepsConnection = head.minorVersion == 1
    let form = try RequestTarget(bytes, in: target, method: known)
    head.target = form.range
    fields.targetHasAuthority = form.hasAuthority
    return end + 2
  }

  private func malformation(at position: Int, _ bytes: Span<UInt8>) -> Refusal {
    bytes[position] == .lineFeed ? .bareLineEnd : .malformedRequestLine
  }
}

extension HeadParser {
  private enum Line {
    case unfinished
    case line(end: Int)
    case emptyLine(end: Int)
  }

  /// Reads the line at `lineStart`: a field or the empty line at the end of the head.
  private mutating func field(in bytes: Span<UInt8>) throws(Refusal) -> Line {
    guard let isEmpty = try bytes.hasLineEnd(at: lineStart) else { return .unfinished }
    if isEmpty { return .emptyLine(end: lineStart + 2) }

    var position = lineStart
    while position < bytes.count, bytes[position].isTokenCharacter { position += 1 }
    let name = lineStart..<position
    guard position < bytes.count else { return .unfinished }
    guard !name.isEmpty, bytes[position] == .colon else {
      throw refusalOfName(name, endingAt: position, bytes)
    }

    position += 1
    while position < bytes.count, bytes[position].isBlank { position += 1 }
    let start = position
    while position < bytes.count, bytes[position].isFieldCharacter { position += 1 }
    guard let endsHere = try bytes.hasLineEnd(at: position) else { return .unfinished }
    guard endsHere else { throw .controlCharacter }
    var end = position
    while end > start, bytes[end - 1].isBlank { end -= 1 }
    try append(RequestHead.Field(name: name, value: start..<end), in: bytes)
    return .line(end: position + 2)
  }

  private mutating func append(
    _ field: RequestHead.Field, in bytes: Span<UInt8>
  ) throws(Refusal) {
    if head.fields.count == limits.fieldCountMaximum {
      throw .tooManyFields(countMaximum: limits.fieldCountMaximum)
    }
    head.fields.append(field)
    try fields.check(field, in: bytes, &head)
  }

  private func refusalOfName(
    _ name: Range<Int>, endingAt position: Int, _ bytes: Span<UInt8>
  ) -> Refusal {
    if name.isEmpty, bytes[position].isBlank { return .foldedLine }
    return bytes[position] == .lineFeed ? .bareLineEnd : .malformedFieldName
  }
}

extension UInt8 {
  var isBlank: Bool { self == .space || self == .tab }
}

extension Span<UInt8> {
  /// Whether a line ends at `position`; `nil` when the bytes end before that is known.
  func hasLineEnd(at position: Int) throws(Refusal) -> Bool? {
    guard position < count else { return nil }
    if self[position] == .lineFeed { throw .bareLineEnd }
    guard self[position] == .carriageReturn else { return false }
    guard position + 1 < count else { return nil }
    guard self[position + 1] == .lineFeed else { throw .bareLineEnd }
    return true
  }

  /// Whether `HTTP/d.d` stands at `position`; `nil` when the bytes end within it.
  fileprivate func hasVersion(at position: Int) throws(Refusal) -> Bool? {
    let pattern: [8 of UInt8] = [0x48, 0x54, 0x54, 0x50, 0x2f, 0, 0x2e, 0]
    for offset in 0..<8 {
      guard position + offset < count else { return nil }
      let byte = self[position + offset]
      guard pattern[offset] == 0 ? byte.isDigit : byte == pattern[offset] else {
        throw .malformedRequestLine
      }
    }
    return true
  }
}
