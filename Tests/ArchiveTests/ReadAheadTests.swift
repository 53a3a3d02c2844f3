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
}
