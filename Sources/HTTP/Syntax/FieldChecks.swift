/// The fields that say how a request is framed and where it ends, as one head has them so far.
struct FieldChecks: Sendable {
  var targetHasAuthority = false
  private var seen = Singletons()
  private var saysClose = false
  private var saysKeepAlive = false

  /// The fields that may stand once.
  private struct Singletons: OptionSet, Sendable {
    let rawValue: UInt16
    static let host = Singletons(rawValue: 1 << 0)
    static let contentLength = Singletons(rawValue: 1 << 1)
    static let transferEncoding = Singletons(rawValue: 1 << 2)
    static let expect = Singletons(rawValue: 1 << 3)
    static let contentType = Singletons(rawValue: 1 << 4)
    static let authorization = Singletons(rawValue: 1 << 5)
    static let ifMatch = Singletons(rawValue: 1 << 6)
    static let ifNoneMatch = Singletons(rawValue: 1 << 7)
    static let ifModifiedSince = Singletons(rawValue: 1 << 8)
    static let ifUnmodifiedSince = Singletons(rawValue: 1 << 9)
    static let ifRange = Singletons(rawValue: 1 << 10)
    static let range = Singletons(rawValue: 1 << 11)
    static let ifNoneExist = Singletons(rawValue: 1 << 12)
  }

  private struct Name: Sendable {
    let bytes: [UInt8]
    let field: Singletons

    init(_ name: String, _ field: Singletons) {
      bytes = Array(name.utf8)
      self.field = field
    }
  }

  private static let names = [
    Name("host", .host), Name("content-length", .contentLength),
    Name("transfer-encoding", .transferEncoding), Name("expect", .expect),
    Name("content-type", .contentType), Name("authorization", .authorization),
    Name("if-match", .ifMatch), Name("if-none-match", .ifNoneMatch),
    Name("if-modified-since", .ifModifiedSince), Name("if-unmodified-since", .ifUnmodifiedSince),
    Name("if-range", .ifRange), Name("range", .range), Name("if-none-exist", .ifNoneExist),
  ]
  private static let connection = Array("connection".utf8)
  private static let chunked = Array("chunked".utf8)
  private static let continuation = Array("100-continue".utf8)
  private static let close = Array("close".utf8)
  private static let keepAlive = Array("keep-alive".utf8)

  /// Takes note of `field` and writes into `head` what it says.
  mutating func check(
    _ field: RequestHead.Field, in bytes: Span<UInt8>, _ head: inout RequestHead
  ) throws(Refusal) {
    if bytes.equals(Self.connection, in: field.name) { return readConnection(field.value, bytes) }
    guard let known = Self.known(field.name, in: bytes) else { return }
    guard seen.insert(known.field).inserted else {
      throw .repeatedField(String(decoding: known.bytes, as: UTF8.self))
    }
    switch known.field {
    case .host:
      guard bytes.isHost(in: field.value) else { throw .malformedHost }
    case .contentLength:
      guard let length = bytes.number(in: field.value) else { throw .malformedContentLength }
      head.framing = .length(length)
    case .transferEncoding:
      guard head.minorVersion == 1 else { throw .transferEncodingInHTTP10 }
      guard bytes.equals(Self.chunked, in: field.value) else { throw .unsupportedTransferCoding }
    case .expect:
      guard bytes.equals(Self.continuation, in: field.value) else { throw .unknownExpectation }
      // A 1.0 client can't know of it: RFC 9110, section 10.1.1.
      head.expectsContinue = head.minorVersion == 1
    default: break
    }
  }

  private static func known(_ name: Range<Int>, in bytes: Span<UInt8>) -> Name? {
    for known in names where bytes.equals(known.bytes, in: name) { return known }
    return nil
  }

  /// Decides what only the whole head can tell.
  func finish(_ head: inout RequestHead) throws(Refusal) {
    guard seen.contains(.host) || head.minorVersion == 0 else { throw .missingHost }
    if seen.contains(.transferEncoding) {
      if seen.contains(.contentLength) { throw .contentLengthBesideTransferEncoding }
      head.framing = .chunked
    }
    if saysClose {
      head.keepsConnection = false
    } else if saysKeepAlive {
      head.keepsConnection = true
    }
  }

  /// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9112#section-9.3
  private mutating func readConnection(_ value: Range<Int>, _ bytes: Span<UInt8>) {
    var start = value.lowerBound
    while start < value.upperBound {
      var end = start
      while end < value.upperBound, bytes[end] != 0x2c { end += 1 }
      let next = end + 1
      while start < end, bytes[start].isBlank { start += 1 }
      while end > start, bytes[end - 1].isBlank { end -= 1 }
      if bytes.equals(Self.close, in: start..<end) { saysClose = true }
      if bytes.equals(Self.keepAlive, in: start..<end) { saysKeepAlive = true }
      start = next
    }
  }
}

extension Span<UInt8> {
  /// The number that the digits of `range` write; `nil` for anything else, and beyond `Int`.
  fileprivate func number(in range: Range<Int>) -> Int? {
    guard !range.isEmpty else { return nil }
    var number = 0
    for position in range {
      guard self[position].isDigit else { return nil }
      let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, isStillTooLarge) = tens.addingReportingOverflow(Int(self[position] - 0x30))
      guard !isTooLarge, !isStillTooLarge else { return nil }
      number = sum
    }
    return number
  }
}
