import CLMDB
import KeyValue
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Read transactions at rest, to be renewed instead of begun: the cheapest way to a snapshot.
final class ReaderPool: Sendable {
  /// With `MDB_NOTLS` a read transaction may move between threads while one uses it at a time
  /// (lmdb.h, mdb_env_open); the pool hands each to one caller.
  @safe private struct Resting: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  private let resting = Mutex<[Resting]>([])
  private static let countMaximum = 64

  /// Lends a transaction that shows the last commit.
  ///
  /// - Throws: `MapWasResized`, `StorageError.tooManyReaders`, and what `body` throws.
  func withTransaction<Result>(
    of environment: OpaquePointer, _ body: (OpaquePointer) throws -> Result
  ) throws -> Result {
    let transaction = try unsafe renewed() ?? begun(in: environment)
    defer { unsafe rest(transaction) }
    return try unsafe body(transaction)
  }

  private func renewed() throws -> OpaquePointer? {
    guard let taken = resting.withLock({ $0.popLast() }) else { return nil }
    let code = unsafe mdb_txn_renew(taken.pointer)
    guard code == MDB_SUCCESS else {
      unsafe mdb_txn_abort(taken.pointer)
      if code == MDB_MAP_RESIZED { throw MapWasResized() }
      throw StorageError(code: code, call: "mdb_txn_renew")
    }
    return unsafe taken.pointer
  }

  private func begun(in environment: OpaquePointer) throws -> OpaquePointer {
    var begun: OpaquePointer?
    var code = unsafe mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &begun)
    if code == MDB_READERS_FULL {
      var dead: Int32 = 0
      unsafe mdb_reader_check(environment, &dead)
      code = unsafe mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &begun)
    }
    if code == MDB_MAP_RESIZED { throw MapWasResized() }
    try StorageError.check(code, "mdb_txn_begin")
    guard let transaction = unsafe begun else {
      throw StorageError(code: ENOMEM, call: "mdb_txn_begin")
    }
    return unsafe transaction
  }

  private func rest(_ transaction: OpaquePointer) {
    // A transaction that isn't reset keeps the pages of its snapshot from being used again.
    unsafe mdb_txn_reset(transaction)
    let rested = unsafe Resting(pointer: transaction)
    let isKept = resting.withLock { resting in
      guard resting.count < Self.countMaximum else { return false }
      resting.append(rested)
      return true
    }
    if !isKept { unsafe mdb_txn_abort(transaction) }
  }

  /// Ends all transactions at rest, as resizing the map and closing need it.
  func drain() {
    let rested = resting.withLock { resting in
      defer { resting = [] }
      return resting
    }
    for transaction in rested { unsafe mdb_txn_abort(transaction.pointer) }
  }
}
