import Synchronization

/// The engine contract in memory: for tests, and for a store that need not last.
package final class MemoryEngine: Engine {
  private struct State {
    var tables: [Int: MemoryTable]
    var commit = Commit(0)
    var isClosed = false
  }

  private let state: Mutex<State>
  /// Held while a change runs: one writer at a time.
  private let writer = Mutex(())

  package init(tables: [Table]) {
    var empty: [Int: MemoryTable] = [:]
    for table in tables { empty[table.position] = MemoryTable(kind: table.kind) }
    precondition(empty.count == tables.count, "two tables have one position")
    state = Mutex(State(tables: empty))
  }

  package func read<Result>(_ body: (borrowing Snapshot) throws -> Result) throws -> Result {
    let (tables, commit) = try open()
    return try body(Snapshot(MemoryTransaction(tables: tables, commit: commit)))
  }

  package func submit(_ change: Change) {
    let result = Swift.Result { try writer.withLock { _ in try run(change) } }
    change.completion(result)
  }

  private func run(_ change: Change) throws -> Commit {
    let (tables, last) = try open()
    let group = MemoryTransaction(tables: tables, commit: Commit(last.number + 1))
    var transaction = WriteTransaction(group)
    do {
      try transaction.nested { try change.perform(&$0) }
    } catch {
      try transaction.nested { try change.recover(error, &$0) }
    }
    state.withLock {
      $0.tables = group.tables
      $0.commit = group.commit
    }
    return group.commit
  }

  private func open() throws -> ([Int: MemoryTable], Commit) {
    let (tables, commit, isClosed) = state.withLock { ($0.tables, $0.commit, $0.isClosed) }
    if isClosed { throw StorageError.closed }
    return (tables, commit)
  }

  /// Memory has no file to copy.
  package func backup(to path: String) throws {
    throw StorageError.system(
      call: "backup", code: 0, reason: "a store in memory can't be copied to \(path)")
  }

  package func close() {
    writer.withLock { _ in state.withLock { $0.isClosed = true } }
  }
}
