import Synchronization

/// The most memory of its own that this process was seen to have.
final class MemoryGauge: Sendable {
  private let most = Mutex(0)

  /// In bytes.
  var own: Int { most.withLock(\.self) }

  /// Looks at what is taken now; cheap enough for the middle of what is measured.
  func read() throws {
    let own = try ProcessUsage.own.ownMemory()
    most.withLock { $0 = max($0, own) }
  }
}
