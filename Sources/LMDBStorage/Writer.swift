import CLMDB
import KeyValue

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The one thread that writes: it takes what waits, commits it together and reports.
///
/// A write transaction must begin and end on one thread (lmdb.h, mdb_txn_begin), so all of them do
/// so on this one.
final class Writer: Sendable {
  private struct Queue {
    var changes: [Change] = []
    var isStopping = false
    var isStopped = false
  }

  private let queue = Monitor(Queue())
  private let environment: Environment
  private let readers: ReaderPool
  private let reserve: Monitor<Reserve>

  /// After so many groups the places of readers that died are given back.
  private static let groupsBetweenReaderChecks = 1024

  init(_ environment: Environment, _ readers: ReaderPool, _ reserve: Reserve) {
    self.environment = environment
    self.readers = readers
    self.reserve = Monitor(reserve)
  }

  func start() throws {
    var thread = pthread_t()
    let writer = unsafe Unmanaged.passRetained(self)
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Writer>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, writer.toOpaque())
    guard code == 0 else {
      unsafe writer.release()
      throw StorageError(code: code, call: "pthread_create")
    }
    pthread_detach(thread)
  }

  func submit(_ change: Change) {
    let isTaken = queue.signal { queue in
      guard !queue.isStopping else { return false }
      queue.changes.append(change)
      return true
    }
    if !isTaken { change.completion(.failure(StorageError.closed)) }
  }

  /// Waits until all that was queued is committed and the thread has ended.
  func stop() {
    queue.signal { $0.isStopping = true }
    _ = queue.wait { $0.isStopped ? true : nil }
  }

  private func run() {
    var groupCount = 0
    while let group = nextGroup() {
      commit(group)
      groupCount += 1
      if groupCount.isMultiple(of: Self.groupsBetweenReaderChecks) {
        var dead: Int32 = 0
        unsafe mdb_reader_check(environment.pointer, &dead)
      }
    }
    queue.signal { $0.isStopped = true }
  }

  /// What waits now, as one group; `nil` when nothing more will come.
  private func nextGroup() -> [Change]? {
    queue.wait { queue -> [Change]?? in
      if queue.changes.isEmpty { return queue.isStopping ? .some(nil) : nil }
      let group = Array(queue.changes.prefix(environment.options.groupCountMaximum))
      queue.changes.removeFirst(group.count)
      return group
    }
  }

  /// Commits the changes together or, where that fails, one by one.
  private func commit(_ group: [Change]) {
    do {
      let results = try attempt(group)
      for (change, result) in zip(group, results) { change.completion(result) }
    } catch StorageError.full where group.count == 1 {
      retry(group[0])
    } catch  where group.count > 1 {
      for change in group { commit([change]) }
    } catch {
      group[0].completion(.failure(error))
    }
  }

  /// A change that alone doesn't fit is tried again for as long as the map can grow.
  private func retry(_ change: Change) {
    do {
      guard try grow() else { throw StorageError.full }
      commit([change])
    } catch {
      change.completion(.failure(error))
    }
  }

  private func grow() throws -> Bool {
    try environment.mapLock.withWriteLock {
      readers.drain()
      return try environment.growMap()
    }
  }

  /// Runs the changes in one transaction.
  ///
  /// - Returns: for each the commit or its own error.
  /// - Throws: what undid the whole group.
  private func attempt(_ group: [Change]) throws -> [Swift.Result<Commit, any Error>] {
    let hasRoom = try makeRoom()
    return try withTransaction { transaction in
      var results: [Swift.Result<Commit, any Error>] = []
      for change in group {
        guard hasRoom || change.mayUseReserve else {
          results.append(.failure(StorageError.full))
          continue
        }
        results.append(try outcome(of: change, in: &transaction))
      }
      return results
    }
  }

  /// Sees to it that the reserve stands behind the pages in use; `false` if it can't.
  private func makeRoom() throws -> Bool {
    var (used, map) = try environment.sizes()
    while used + environment.options.reserveByteCount > map {
      guard try grow() else { return false }
      (used, map) = try environment.sizes()
    }
    return reserve.withLock { $0.isKept(used: used, map: map) }
  }

  private func outcome(
    of change: Change, in transaction: inout WriteTransaction
  ) throws -> Swift.Result<Commit, any Error> {
    do {
      if change.isNested {
        try transaction.nested { try change.perform(&$0) }
      } else {
        try change.perform(&transaction)
      }
      return .success(transaction.commit)
    } catch StorageError.full {
      // A full map has spoilt the transaction around it too (lmdb.h, mdb_put).
      throw StorageError.full
    } catch  where !change.isNested {
      throw error
    } catch {
      return try recovered(change, from: error, in: &transaction)
    }
  }

  private func recovered(
    _ change: Change, from error: any Error, in transaction: inout WriteTransaction
  ) throws -> Swift.Result<Commit, any Error> {
    do {
      try transaction.nested { try change.recover(error, &$0) }
      return .success(transaction.commit)
    } catch StorageError.full {
      throw StorageError.full
    } catch {
      return .failure(error)
    }
  }

  /// Begins, lends and commits a write transaction on this thread.
  private func withTransaction<Result>(
    _ body: (inout WriteTransaction) throws -> Result
  ) throws -> Result {
    try environment.mapLock.withReadLock { () throws -> Result? in
      var begun: OpaquePointer?
      let code = unsafe mdb_txn_begin(environment.pointer, nil, 0, &begun)
      if code == MDB_MAP_RESIZED { return nil }
      try StorageError.check(code, "mdb_txn_begin")
      guard let pointer = unsafe begun else {
        preconditionFailure("mdb_txn_begin succeeds with a transaction")
      }
      return try unsafe commit(pointer, body)
    } ?? resizedTransaction(body)
  }

  private func resizedTransaction<Result>(
    _ body: (inout WriteTransaction) throws -> Result
  ) throws -> Result {
    try environment.mapLock.withWriteLock {
      readers.drain()
      try environment.adoptMapSize()
    }
    return try withTransaction(body)
  }

  private func commit<Result>(
    _ pointer: OpaquePointer, _ body: (inout WriteTransaction) throws -> Result
  ) throws -> Result {
    let result: Result
    do {
      let number = unsafe Commit(UInt64(mdb_txn_id(pointer)))
      var transaction = unsafe WriteTransaction(
        LMDBTransaction(pointer, in: environment, group: number))
      result = try body(&transaction)
    } catch {
      unsafe mdb_txn_abort(pointer)
      throw error
    }
    let code = unsafe mdb_txn_commit(pointer)
    try StorageError.check(code, "mdb_txn_commit")
    return result
  }
}
