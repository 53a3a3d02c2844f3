import KeyValue
import Store
import Synchronization

@testable import Access

/// An engine in memory that fails while it is told to.
final class FailingEngine: Engine {
  private let base = MemoryEngine(tables: ResourceStore.tables + GuardedStore.tables)
  private let failure = Mutex<StorageError?>(nil)

  func fails(with error: StorageError?) { failure.withLock { $0 = error } }

  func read<Result>(_ body: (borrowing Reader) throws -> Result) throws -> Result {
    // A full disk is no obstacle to reading.
    if let error = failure.withLock({ $0 }), error != .full { throw error }
    return try base.read(body)
  }

  var latestCommit: Commit { get throws { try base.latestCommit } }

  func submit(_ change: Change) {
    var change = change
    // The space in reserve is there when nothing else fits.
    if let error = failure.withLock({ $0 }), error != .full || !change.mayUseReserve {
      change.perform = { _ in throw error }
    }
    base.submit(change)
  }

  func write<Result>(_ body: (inout WriteTransaction) throws -> Result) throws -> Result {
    try base.write(body)
  }

  func releasePages(over byteCount: Int) { base.releasePages(over: byteCount) }

  func close() { base.close() }
}
