/// The part of a document that is being looked at: repaired text, with padding behind it.
struct TextWindow: ~Copyable {
  private(set) var bytes = [UInt8](repeating: 0, count: ByteScan.paddingByteCount)
  /// Nothing follows what is here.
  private(set) var isComplete = false
  /// Why the source ended before its end.
  private(set) var failure: ArchiveError?
  private var source: ByteSource
  private var repair = TextRepair()
  /// The document's byte at which this window begins.
  private var startOffset = 0
  /// How often it was filled anew: tells whether places are of the same window.
  private(set) var generation = 0
  /// Where the next window goes if someone else keeps `bytes`.
  private var spare: [UInt8]?
  /// Where text stands that is longer or shorter than what was read: behind which place here, by
  /// how much.
  private var shifts: [(end: Int, growth: Int)] = []

  /// Of a type whose size the compiler doesn't know, so that what holds it is always passed by its
  /// address: one that it knows is copied wherever it is lent, and a reader is lent for every
  /// attribute.
  private let anchor: any Sendable = ()

  init(_ source: ByteSource) { self.source = source }

  /// How many bytes there are, without the padding.
  var count: Int { bytes.count &- ByteScan.paddingByteCount }

  var replacedByteCount: Int { repair.replacedByteCount }
  var byteCountRead: Int { source.byteCountRead }
  var sourceByteCount: Int? { source.byteCount }

  /// The document's byte that stands at `position`.
  func offset(at position: Int) -> Int {
    if shifts.isEmpty { return startOffset &+ position }
    return shifts.reduce(startOffset + position) { $1.end <= position ? $0 - $1.growth : $0 }
  }

  /// Refuses a document whose first bytes say that its characters have two or four bytes each.
  mutating func checkEncoding() throws(ArchiveError) {
    guard let head = try? source.peek(2), head.count == 2 else { return }
    switch (head[0], head[1]) {
    case (0xfe, 0xff), (0xff, 0xfe), (0, _), (_, 0): throw .unsupportedEncoding("UTF-16 or UTF-32")
    default: break
    }
  }

  /// Drops what stands before `position`, which becomes 0, and takes in about as much again as is
  /// left, so that text of any length is moved only so often.
  mutating func fill(droppingBefore position: Int) {
    drop(before: position)
    let wanted = 2 * bytes.count + 1
    while bytes.count < wanted, !isComplete { pull() }
    bytes.append(contentsOf: repeatElement(0, count: ByteScan.paddingByteCount))
  }

  private mutating func drop(before position: Int) {
    startOffset = offset(at: position)
    shifts.removeAll { $0.end <= position }
    for index in shifts.indices { shifts[index].end -= position }
    generation += 1
    let end = count
    guard var next = spare else {
      bytes.removeSubrange(end...)
      return bytes.removeSubrange(..<position)
    }
    spare = nil
    next.removeAll(keepingCapacity: true)
    next.append(copying: bytes.span.extracting(position..<end))
    bytes = next
  }

  /// The bytes as they are, padding included, which stay so when the window is filled anew.
  ///
  /// - Parameter spare: an array nobody needs, whose space is used then.
  mutating func share(for spare: [UInt8]) -> [UInt8] {
    self.spare = spare
    return bytes
  }

  private mutating func pull() {
    do throws(ArchiveError) {
      let chunk = try source.nextChunk()
      isComplete = chunk == nil
      append(chunk ?? ByteSource.Chunk(bytes: []))
    } catch {
      failure = error
      isComplete = true
      append(ByteSource.Chunk(bytes: []))
    }
  }

  private mutating func append(_ chunk: ByteSource.Chunk) {
    if chunk.isText, !repair.hasCarried { return bytes.append(contentsOf: chunk.bytes) }
    var found: [(Int, Int)] = []
    repair.append(chunk.bytes, isLast: isComplete, to: &bytes) { found.append(($0, $1)) }
    shifts += found.map { (end: $0.0, growth: $0.1) }
  }
}

// Looking at the text.
extension TextWindow {
  subscript(position: Int) -> UInt8 { bytes[position] }

  /// The first `byte` at or behind `position`, or `end`.
  func first(_ byte: UInt8, from position: Int, to end: Int) -> Int {
    ByteScan.first(byte, in: bytes.span, from: position, to: end)
  }

  func nameEnd(from position: Int) -> Int {
    ByteScan.firstOfNameEnd(in: bytes.span, from: position, to: count)
  }

  /// Whether `text` stands at `position`.
  func has(_ text: StaticString, at position: Int) -> Bool {
    let end = position + text.utf8CodeUnitCount
    return end <= count && bytes.span.extracting(position..<end).equals(text)
  }

  /// Where `text` first stands at or behind `start`.
  func firstPosition(of text: StaticString, from start: Int) -> Int? {
    let first = unsafe text.utf8Start.pointee
    var position = start
    while true {
      position = self.first(first, from: position, to: count)
      guard position < count else { return nil }
      if has(text, at: position) { return position }
      position += 1
    }
  }
}
