/// Ordered tables with transactions: what a store needs of its storage, and nothing more.
///
/// - One writer at a time; any number of snapshots beside it, none of which it waits for.
/// - A transaction is durable when its call returns or its completion runs.
/// - A transaction is lent to a closure and can't leave it.
package protocol Engine: Sendable {
  /// Lends a snapshot of the last commit.
  ///
  /// Pages that it shows can't be used again while it is open, so it should be short. It should not
  /// wait for a write: one that has to wait for all snapshots (a map that grows) fails then.
  ///
  /// - Throws: `StorageError`, and what `body` throws.
  func read<Result>(_ body: (borrowing Reader) throws -> Result) throws -> Result

  /// The last commit, by whichever process: what a cache in memory is checked against.
  ///
  /// - Throws: `StorageError.closed`.
  var latestCommit: Commit { get throws }

  /// Queues a change. Changes that wait together are committed together, with one flush; they run
  /// in the order in which they came.
  ///
  /// When `change.perform` throws, its writes are undone and those of its neighbours are not; then
  /// `change.recover` runs in the same place, where it may write what must stay (a log entry for the
  /// refusal). When `recover` throws too, nothing of this change is kept.
  ///
  /// A group that doesn't fit is undone and its changes run again one by one. The one that doesn't
  /// fit alone is recovered from `StorageError.full`, and its recovery may use the engine's reserve.
  /// So both closures may run more than once, and what they leave outside the transaction must be
  /// overwritten by the next run.
  ///
  /// `change.completion` runs once, on the writer's thread, after the commit is durable (or with
  /// the error that kept it from being so). It must not block.
  func submit(_ change: Change)

  /// Queues `body` like `submit` and waits until its commit is durable.
  ///
  /// It must not be called by a change or a completion: the writer would wait for itself.
  ///
  /// - Throws: `StorageError`, and what `body` throws; then nothing of it is kept.
  func write<Result>(_ body: (inout WriteTransaction) throws -> Result) throws -> Result

  /// Lets go of the memory in which pages lie that were read or written: for the middle of a long
  /// piece of work, which would come to hold a whole store otherwise. Nothing is lost by it, and what
  /// is needed again is fetched again. An engine that maps no file does nothing.
  ///
  /// - Parameter byteCount: as much may be held of mapped files before anything is let go of.
  func releasePages(over byteCount: Int)

  /// Waits for what was queued and for open snapshots, then closes. Later calls throw
  /// `StorageError.closed`. It must not be called inside a `read`.
  func close()
}

/// A change to the tables, as `Engine.submit` takes it.
package struct Change: Sendable {
  package var perform: @Sendable (inout WriteTransaction) throws -> Void
  package var recover: @Sendable (any Error, inout WriteTransaction) throws -> Void
  package var completion: @Sendable (Swift.Result<Commit, any Error>) -> Void

  /// Whether the change may fill the space that an engine keeps in reserve: only for what must be
  /// written when nothing else fits any more (the access log).
  package var mayUseReserve: Bool

  package init(
    mayUseReserve: Bool = false,
    perform: @escaping @Sendable (inout WriteTransaction) throws -> Void,
    recover: @escaping @Sendable (any Error, inout WriteTransaction) throws -> Void = { error, _ in
      throw error
    },
    completion: @escaping @Sendable (Swift.Result<Commit, any Error>) -> Void
  ) {
    self.mayUseReserve = mayUseReserve
    self.perform = perform
    self.recover = recover
    self.completion = completion
  }
}
