/// Ordered tables with transactions: what a store needs of its storage, and nothing more.
///
/// - One writer at a time; any number of snapshots beside it, none of which it waits for.
/// - A transaction is durable when its call returns or its completion runs.
/// - A transaction is lent to a closure and can't leave it.
package protocol Engine: Sendable {
  /// Lends a snapshot of the last commit.
  ///
  /// - Throws: `StorageError`, and what `body` throws.
  func read<Result>(_ body: (borrowing Snapshot) throws -> Result) throws -> Result

  /// Queues a change. Changes that wait together are committed together, with one flush; they run
  /// in the order in which they came.
  ///
  /// `change.perform` runs in a transaction of its own inside the group's. When it throws, its
  /// writes are undone and `change.recover` runs in the group's transaction, where it may write
  /// what must stay (a log entry for the refusal). When `recover` throws too, nothing of this change
  /// is kept. A group that doesn't fit is undone and its changes run again one by one, so both
  /// closures may run more than once and must keep no state outside the transaction.
  ///
  /// `change.completion` runs once, on the writer's thread, after the commit is durable (or with
  /// the error that kept it from being so). It must not block.
  func submit(_ change: Change)

  /// Copies the last commit, compacted, to a new file at `path` while reading and writing go on.
  ///
  /// - Throws: `StorageError.system` if the file exists or can't be written.
  func backup(to path: String) throws

  /// Waits for what was queued, then closes. Later calls throw `StorageError.closed`.
  func close()
}

/// A change to the tables, as `Engine.submit` takes it.
package struct Change: Sendable {
  package var perform: @Sendable (inout WriteTransaction) throws -> Void
  package var recover: @Sendable (any Error, inout WriteTransaction) throws -> Void
  package var completion: @Sendable (Swift.Result<Commit, any Error>) -> Void

  /// Whether `perform` needs a nested transaction: `false` only for changes that can't fail halfway
  /// (appending log entries), which spares them its cost.
  package var isNested: Bool

  /// Whether the change may fill the space that an engine keeps in reserve: only for what must be
  /// written when nothing else fits any more (the access log).
  package var mayUseReserve: Bool

  package init(
    isNested: Bool = true,
    mayUseReserve: Bool = false,
    perform: @escaping @Sendable (inout WriteTransaction) throws -> Void,
    recover: @escaping @Sendable (any Error, inout WriteTransaction) throws -> Void = { error, _ in
      throw error
    },
    completion: @escaping @Sendable (Swift.Result<Commit, any Error>) -> Void
  ) {
    self.isNested = isNested
    self.mayUseReserve = mayUseReserve
    self.perform = perform
    self.recover = recover
    self.completion = completion
  }
}
