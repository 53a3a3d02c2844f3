import Synchronization

/// The engine contract in memory: for tests, and for a store that need not last.
///
/// A change runs on the thread that submits it, alone in its group.
package final class MemoryEngine: Engine {
  private struct State: Sendable {
    var tables: MemoryTables
    var commit = Commit(0)
    var isClosed = false
  }

  private let state: Mutex<State>
  /// Held while a change runs: one writer at a time.
  private let writer = Mutex(())
  private let capacity: Int
  private let reserve: Int

  /// - Parameters:
  ///   - tables: all tables of the store.
  ///   - byteCountMaximum: how many bytes of keys, values and numbers fit.
  ///   - reserveByteCount: how many of them only changes with `mayUseReserve` may fill.
  package init(tables: [Table], byteCountMaximum: Int = .max, reserveByteCount: Int = 0) {
    state = Mutex(State(tables: MemoryTables(tables)))
    capacity = byteCountMaximum
    reserve = reserveByteCount
  }

  package func read<Result>(_ body: (borrowing Reader) throws -> Result) throws -> Result {
    let state = try open()
    return try body(Reader(MemoryTransaction(tables: state.tables, commit: state.commit)))
  }

  package var latestCommit: Commit {
    get throws { try open().commit }
  }

  package func submit(_ change: Change) {
    let result = Swift.Result { try writer.withLock { _ in try run(change) } }
    change.completion(result)
  }

  package func write<Result>(
    _ body: (inout WriteTransaction) throws -> Result
  ) throws -> Result {
    var result: Result?
    _ = try writer.withLock { _ in
      try commit(mayUseReserve: false) { result = try body(&$0) }
    }
    guard let result else { preconditionFailure("a change that was committed was performed") }
    return result
  }

  private func run(_ change: Change) throws -> Commit {
    do {
      return try commit(mayUseReserve: change.mayUseReserve, change.perform)
    } catch StorageError.closed {
      throw StorageError.closed
    } catch {
      let isFull = error as? StorageError == .full
      return try commit(mayUseReserve: change.mayUseReserve || isFull) {
        try change.recover(error, &$0)
      }
    }
  }

  private func commit(
    mayUseReserve: Bool, _ body: (inout WriteTransaction) throws -> Void
  ) throws -> Commit {
    let last = try open()
    let group = MemoryTransaction(
      tables: last.tables, commit: Commit(last.commit.number + 1),
      capacity: mayUseReserve ? capacity : capacity - reserve)
    var transaction = WriteTransaction(group)
    try body(&transaction)
    if group.isFull { throw StorageError.full }
    guard group.hasChanged else { return last.commit }
    state.withLock {
      $0.tables = group.tables
      $0.commit = group.commit
    }
    return group.commit
  }

  private func open() throws -> State {
    let state = state.withLock { $0 }
    if state.isClosed { throw StorageError.closed }
    return state
  }

  /// All of it is memory, and none can be fetched again.
  package func releasePages(over byteCount: Int) {}

  package func close() {
    writer.withLock { _ in state.withLock { $0.isClosed = true } }
  }
}
