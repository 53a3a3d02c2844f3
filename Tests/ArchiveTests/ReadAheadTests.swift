import Archive
import Synchronization
import Testing

@Suite("Reading ahead")
struct ReadAheadTests {
  private struct Ended: Error {}

  /// Chunks that are counted as they are pulled.
  private func source(
    _ chunks: [[UInt8]], failing failure: ArchiveError? = nil, _ pulled: Counter
  ) -> ByteSource {
    var rest = chunks[...]
    return ByteSource(byteCount: 99) { () throws(ArchiveError) in
      pulled.count.withLock { $0 += 1 }
      if let chunk = rest.popFirst() { return chunk }
      if let failure { throw failure }
      return nil
    }
  }

  private final class Counter: Sendable {
    let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
  }

  private let chunks = (0..<100).map { [UInt8](repeating: UInt8($0), count: $0 + 1) }

  @Test("the same bytes come, what was looked at before among them")
  func same() throws {
    for peek in [0, 1, 5, 6_000] {
      var source = source(chunks, Counter())
      _ = try source.peek(peek)
      let bytes = try source.readingAhead { ahead in
        var ahead = ahead
        #expect(ahead.byteCount == 99)
        var bytes: [UInt8] = []
        while let chunk = try ahead.next() { bytes += chunk }
        #expect(try ahead.next() == nil)
        #expect(ahead.byteCountRead == bytes.count)
        return bytes
      }
      #expect(bytes == Array(chunks.joined()))
    }
  }

  @Test("a failure comes behind the bytes before it")
  func failure() throws {
    var source = source(chunks, failing: .truncated(entry: nil), Counter())
    var count = 0
    #expect(throws: ArchiveError.truncated(entry: nil)) {
      try source.readingAhead { ahead in
        var ahead = ahead
        while try ahead.next() != nil { count += 1 }
      }
    }
    #expect(count == chunks.count)
  }

  @Test("nothing is pulled any more once the reader has ended, and never much ahead of it")
  func end() throws {
    for wanted in [0, 1, 50] {
      let pulled = Counter()
      var source = source(chunks, pulled)
      #expect(throws: Ended.self) {
        try source.readingAhead { ahead in
          var ahead = ahead
          for _ in 0..<wanted { _ = try ahead.next() }
          throw Ended()
        }
      }
      let count = pulled.value
      #expect(wanted...wanted + 10 ~= count)
      #expect(pulled.value == count)
    }
  }

  @Test("a document reads the same as without it, whatever in it is no text and wherever it is cut")
  func document() throws {
    let pieces: [[UInt8]] = [
      Array("plain text of some length".utf8), Array("é".utf8), Array("€".utf8), Array("😀".utf8),
      [0x80], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xef, 0xbf, 0xbe], [0x07],
    ]
    for _ in 0..<300 {
      // Mostly text, so that some chunks are whole and some are not.
      let values = (0..<40).map { _ in pieces[Int.random(in: 0..<4) < 3 ? 0 : .random(in: 0..<10)] }
      let bytes = values.reduce(Array("<a>".utf8)) {
        $0 + Array("<b c=\"".utf8) + $1 + Array("\"/>".utf8)
      }
      let size = Int.random(in: 1...200)
      let chunks = stride(from: 0, to: bytes.count, by: size).map {
        Array(bytes[$0..<min($0 + size, bytes.count)])
      }
      let ahead = try source(chunks, Counter()).read { try $0.readingAhead { try Self.list($0) } }
      #expect(try ahead == Self.list(source(chunks, Counter())), "\(bytes) by \(size)")
    }
  }

  /// Each tag's value and where it ends, and how many bytes were replaced.
  private static func list(_ source: ByteSource) throws -> [String] {
    var reader = XMLReader(source, skippingText: true)
    var list: [String] = []
    while try reader.next() != nil {
      let value = reader.attributeCount == 0 ? "" : string(reader.attributeValue(at: 0))
      list.append("\(value) \(reader.byteOffset)")
    }
    return list + ["\(reader.replacedByteCount)"]
  }
}

extension ByteSource {
  fileprivate func read<Result>(_ body: (inout ByteSource) throws -> Result) rethrows -> Result {
    var source = self
    return try body(&source)
  }
}
