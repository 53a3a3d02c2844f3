import Dispatch
import Synchronization

extension ByteSource {
  /// Lends the bytes that are still to come to `body`, while another thread pulls them, a few chunks
  /// ahead: a file is read, an archive unpacked and text looked through for faults meanwhile.
  ///
  /// When `body` returns or throws, that thread is done with this source, of which nothing more may be
  /// read then.
  package mutating func readingAhead<Result>(
    _ body: (ByteSource) throws -> Result
  ) rethrows -> Result {
    let ahead = ReadAhead(self)
    ahead.start()
    defer { ahead.stop() }
    let source = ByteSource(
      byteCount: byteCount, pullChunk: { () throws(ArchiveError) in try ahead.next() })
    return try body(source)
  }
}

/// Pulls a source's chunks on a thread of its own until it has a few.
///
/// Sendable although a source is not: after `start()` only the thread touches it, and `stop()` waits
/// for the thread's end.
private final class ReadAhead: @unchecked Sendable {
  /// Few: where a machine has two processors, a thread that pulls many at once keeps whoever reads from
  /// its own.
  private static let chunkCountMaximum = 3

  private struct State {
    /// What was pulled and not yet given; at the end `nil` or the failure.
    var chunks: [Result<ByteSource.Chunk?, ArchiveError>] = []
    var isStopped = false
  }

  private var source: ByteSource
  private let state = Mutex(State())
  private let filled = DispatchSemaphore(value: 0)
  /// From 0 on: one that goes away below the value that it began with stops the process.
  private let free = DispatchSemaphore(value: 0)
  private let isOver = DispatchSemaphore(value: 0)
  /// Touched by whoever reads alone.
  private var hasEnded = false

  init(_ source: ByteSource) { self.source = source }

  func start() {
    for _ in 0..<Self.chunkCountMaximum { free.signal() }
    let queue = DispatchQueue(label: "kiln.archive.ahead")
    queue.async { [self] in
      run()
      isOver.signal()
    }
  }

  private func run() {
    while true {
      free.wait()
      if state.withLock({ $0.isStopped }) { return }
      let chunk = Result { () throws(ArchiveError) in
        var chunk = try source.nextChunk()
        if let bytes = chunk?.bytes { chunk?.isText = TextRepair.isText(bytes) }
        return chunk
      }
      state.withLock { $0.chunks.append(chunk) }
      filled.signal()
      guard case .success(.some) = chunk else { return }
    }
  }

  /// The next chunk, `nil` at the end and ever after.
  func next() throws(ArchiveError) -> ByteSource.Chunk? {
    guard !hasEnded else { return nil }
    filled.wait()
    let chunk = state.withLock { $0.chunks.removeFirst() }
    free.signal()
    if case .success(.some) = chunk {} else { hasEnded = true }
    return try chunk.get()
  }

  /// Ends the thread after the chunk that it is at, and waits for it.
  func stop() {
    state.withLock { $0.isStopped = true }
    free.signal()
    isOver.wait()
  }
}
