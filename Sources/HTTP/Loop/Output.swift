/// The bytes that wait to be written to a connection, in order. Small answers are gathered so that
/// pipelined ones leave together; a large body is kept as it is, without a copy.
struct Output {
  private var segments: [[UInt8]] = []
  /// The first segment that isn't written, and how far it is.
  private var first = 0
  private var offset = 0
  private(set) var byteCount = 0

  private static let gatheredByteCountMaximum = 64 * 1024
  private static let copiedByteCountMaximum = 32 * 1024

  var isEmpty: Bool { byteCount == 0 }

  mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    byteCount += bytes.count
    if bytes.count > Self.copiedByteCountMaximum {
      segments.append(bytes)
    } else {
      gather(bytes.span)
    }
  }

  mutating func append(_ text: StaticString) {
    byteCount += text.utf8CodeUnitCount
    startSegmentIfNeeded(for: text.utf8CodeUnitCount)
    unsafe segments[segments.count - 1].append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(decimal number: Int) {
    var digits: [20 of UInt8] = .init(repeating: 0)
    var start = 20
    var rest = number
    repeat {
      start -= 1
      digits[start] = 0x30 + UInt8(rest % 10)
      rest /= 10
    } while rest > 0
    byteCount += 20 - start
    gather(digits.span.extracting(start..<20))
  }

  private mutating func gather(_ bytes: Span<UInt8>) {
    startSegmentIfNeeded(for: bytes.count)
    segments[segments.count - 1].append(copying: bytes)
  }

  private mutating func startSegmentIfNeeded(for count: Int) {
    if let last = segments.last, last.count + count <= Self.gatheredByteCountMaximum { return }
    var segment: [UInt8] = []
    segment.reserveCapacity(1024)
    segments.append(segment)
  }

  /// Writes until all is written or the socket is full.
  ///
  /// - Returns: `.bytes` with the number of bytes written, or what keeps the rest from it.
  mutating func write(to transport: Transport) -> (result: Transfer, count: Int) {
    var count = 0
    while byteCount > 0 {
      let result = transport.write(segments[first], from: offset)
      guard case .bytes(let written) = result else { return (result, count) }
      count += written
      byteCount -= written
      offset += written
      if offset == segments[first].count { advance() }
    }
    return (.bytes(count), count)
  }

  private mutating func advance() {
    offset = 0
    if byteCount > 0 {
      segments[first] = []
      first += 1
      return
    }
    first = 0
    // One small buffer is kept for the next answer.
    if segments.count == 1, segments[0].capacity <= 4096 {
      segments[0].removeAll(keepingCapacity: true)
    } else {
      segments = []
    }
  }
}
