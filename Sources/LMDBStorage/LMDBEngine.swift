import CLMDB
import KeyValue

/// The engine contract over LMDB.
///
/// One thread writes; reads run on the thread that asks. Two processes may open one folder.
package final class LMDBEngine: Engine {
  private let environment: Environment
  private let writer: Writer

  /// Opens the store in `folder`, making the folder and what is in it where they are missing.
  ///
  /// - Parameters:
  ///   - tables: all tables of the store.
  ///   - format: the number of the layout in the tables.
  /// - Throws: `StorageError.unknownFormat` if the store was written in another format,
  ///   `StorageError.system` if it can't be opened or this process has it open already (`EBUSY`).
  package init(
    at folder: String, tables: [Table], format: UInt32, options: LMDBOptions = LMDBOptions()
  ) throws {
    environment = try Environment(
      folder: folder, tables: tables, format: format, options: options)
    writer = Writer(environment)
    try writer.start()
  }

  deinit { close() }

  package func read<Result>(_ body: (borrowing Reader) throws -> Result) throws -> Result {
    try unsafe environment.read { transaction in
      try unsafe body(Reader(LMDBTransaction(transaction, in: environment)))
    }
  }

  package var latestCommit: Commit {
    get throws { try environment.latestCommit() }
  }

  package func submit(_ change: Change) { writer.submit(change) }

  package func write<Result>(
    _ body: (inout WriteTransaction) throws -> Result
  ) throws -> Result {
    try withoutActuallyEscaping(body) { body in
      let call = WaitingCall(body)
      writer.submit(call.change)
      return try call.wait()
    }
  }

  /// Copies the last commit, compacted, to a new file at `path` while reading and writing go on. The
  /// file is a store's `data.mdb`: in a folder of its own it can be opened.
  ///
  /// - Throws: `StorageError.system` if the file exists or can't be written; then none is left.
  package func backup(to path: String) throws { try environment.backup(to: path) }

  package func releasePages(over byteCount: Int) {
    environment.releasePages(over: byteCount)
  }

  package func close() {
    // Dropped by its own writer's last completion, an engine is closed when that thread ends.
    guard writer.stop() else { return }
    environment.close()
  }
}

/// A change whose caller waits for it.
///
/// Sendable although its body need not be: the caller waits while the writer runs it, and it is gone
/// before the caller goes on.
private final class WaitingCall<Result>: @unchecked Sendable {
  private struct State {
    var body: ((inout WriteTransaction) throws -> Result)?
    var result: Result?
    var committed: Swift.Result<Commit, any Error>?
  }

  private let state: Monitor<State>

  init(_ body: @escaping (inout WriteTransaction) throws -> Result) {
    state = Monitor(State(body: body))
  }

  var change: Change {
    Change(
      perform: { transaction in try self.perform(in: &transaction) },
      completion: { committed in
        self.state.signal { state in
          state.body = nil
          state.committed = committed
        }
      })
  }

  private func perform(in transaction: inout WriteTransaction) throws {
    guard let body = state.withLock({ $0.body }) else {
      preconditionFailure("a change is not run after its completion")
    }
    let result = try body(&transaction)
    state.withLock { $0.result = result }
  }

  func wait() throws -> Result {
    let (committed, result) = state.wait { state in state.committed.map { ($0, state.result) } }
    _ = try committed.get()
    guard let result else { preconditionFailure("a change that was committed was performed") }
    return result
  }
}
