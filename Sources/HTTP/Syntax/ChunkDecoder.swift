/// Takes a chunked body apart. Extensions and trailers are read, bounded and dropped.
///
/// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9112#section-7.1
package struct ChunkDecoder: Sendable {
  /// The last chunk and the trailers have been read.
  package private(set) var isComplete = false
  private var state = State.sizeStart
  /// What is left of the chunk that is being read.
  private var remaining = 0
  private var bodyByteCount = 0
  private let bodyByteCountMaximum: Int
  /// Bytes of extensions and trailers so far.
  private var extraByteCount = 0
  private static let extraByteCountMaximum = 8 * 1024

  private enum State: Sendable {
    case sizeStart
    case size
    case chunkExtension
    case sizeEnd
    case data
    case dataEnd
    case dataEndFeed
    case trailerStart
    case trailerName
    case trailerValue
    case trailerEnd
    case lastFeed
  }

  package init(bodyByteCountMaximum: Int) {
    self.bodyByteCountMaximum = bodyByteCountMaximum
  }

  /// Appends to `body` what `bytes` hold of it.
  ///
  /// - Returns: how many bytes belong to the body; less than all only when it is complete.
  package mutating func decode(
    _ bytes: Span<UInt8>, into body: inout [UInt8]
  ) throws(Refusal) -> Int {
    var position = 0
    while position < bytes.count, !isComplete {
      if state == .data {
        let end = position + min(remaining, bytes.count - position)
        body.append(copying: bytes.extracting(position..<end))
        remaining -= end - position
        position = end
        if remaining == 0 { state = .dataEnd }
      } else {
        try step(bytes[position])
        position += 1
      }
    }
    return position
  }

  private mutating func step(_ byte: UInt8) throws(Refusal) {
    switch state {
    case .sizeStart:
      remaining = 0
      guard byte.hexValue != nil else { throw .malformedChunk }
      try readSize(byte)
    case .size: try readSize(byte)
    case .chunkExtension: try readExtra(byte, end: .sizeEnd)
    case .sizeEnd:
      try expect(.lineFeed, byte)
      state = remaining == 0 ? .trailerStart : .data
    case .data: break
    case .dataEnd:
      try expect(.carriageReturn, byte)
      state = .dataEndFeed
    case .dataEndFeed:
      try expect(.lineFeed, byte)
      state = .sizeStart
    case .trailerStart: try startTrailer(byte)
    case .trailerName: try readTrailerName(byte)
    case .trailerValue: try readExtra(byte, end: .trailerEnd)
    case .trailerEnd:
      try expect(.lineFeed, byte)
      state = .trailerStart
    case .lastFeed:
      try expect(.lineFeed, byte)
      isComplete = true
    }
  }

  private func expect(_ expected: UInt8, _ byte: UInt8) throws(Refusal) {
    if byte != expected { throw .malformedChunk }
  }

  private mutating func readSize(_ byte: UInt8) throws(Refusal) {
    if let digit = byte.hexValue {
      state = .size
      remaining = remaining << 4 | Int(digit)
      // Checked at each digit, so that the number stays far from overflowing.
      if remaining > bodyByteCountMaximum - bodyByteCount {
        throw .bodyTooLarge(byteCountMaximum: bodyByteCountMaximum)
      }
      // Zeros before the size are allowed; a line of nothing else is not.
      try countExtra()
      return
    }
    bodyByteCount += remaining
    switch byte {
    case .carriageReturn: state = .sizeEnd
    case 0x3b: state = .chunkExtension
    default: throw .malformedChunk
    }
  }

  /// Reads what is dropped, up to the end of its line.
  private mutating func readExtra(_ byte: UInt8, end: State) throws(Refusal) {
    try countExtra()
    if byte == .carriageReturn {
      state = end
      return
    }
    guard byte.isFieldCharacter else { throw .malformedChunk }
  }

  private mutating func startTrailer(_ byte: UInt8) throws(Refusal) {
    if byte == .carriageReturn {
      state = .lastFeed
      return
    }
    guard byte.isTokenCharacter else { throw .malformedChunk }
    state = .trailerName
    try countExtra()
  }

  private mutating func readTrailerName(_ byte: UInt8) throws(Refusal) {
    if byte == .colon {
      state = .trailerValue
    } else if !byte.isTokenCharacter {
      throw .malformedChunk
    }
    try countExtra()
  }

  /// Bounds what costs reading and gives no body.
  private mutating func countExtra() throws(Refusal) {
    extraByteCount += 1
    if extraByteCount > Self.extraByteCountMaximum + bodyByteCount { throw .malformedChunk }
  }
}
