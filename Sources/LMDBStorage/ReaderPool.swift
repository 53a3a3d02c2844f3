import CLMDB
import KeyValue
import Synchronization

/// Read transactions at rest, to be renewed instead of begun: the cheapest way to a snapshot.
@safe final class ReaderPool: @unchecked Sendable {
  // With MDB_NOTLS a read transaction may move between threads while one uses it at a time
  // (lmdb.h, mdb_env_open); the pool hands each to one caller.
  private let resting = Mutex<[Reading]>([])

  @safe private struct Reading: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  private static let restingMaximum = 64

  /// Lends a transaction that shows the last commit.
  func withTransaction<Result>(
    of environment: Environment, _ body: (OpaquePointer) throws -> Result
  ) throws -> Result {
    let reading = try take(environment)
    defer { unsafe rest(reading.pointer) }
    return try unsafe body(reading.pointer)
  }

  private func take(_ environment: Environment) throws -> Reading {
    if let reading = resting.withLock({ $0.popLast() }) {
      let code = unsafe mdb_txn_renew(reading.pointer)
      if code == MDB_SUCCESS { return reading }
      unsafe mdb_txn_abort(reading.pointer)
      throw Unavailable(code: code)
    }
    var begun: OpaquePointer?
    let code = unsafe mdb_txn_begin(environment.pointer, nil, UInt32(MDB_RDONLY), &begun)
    guard code == MDB_SUCCESS, let pointer = unsafe begun else { throw Unavailable(code: code) }
    return unsafe Reading(pointer: pointer)
  }

  private func rest(_ pointer: OpaquePointer) {
    // A transaction that isn't reset keeps the pages of its snapshot from being used again.
    unsafe mdb_txn_reset(pointer)
    let reading = unsafe Reading(pointer: pointer)
    let isKept = resting.withLock { resting in
      guard resting.count < Self.restingMaximum else { return false }
      resting.append(reading)
      return true
    }
    if !isKept { unsafe mdb_txn_abort(pointer) }
  }

  /// Ends all transactions at rest, as resizing the map and closing need it.
  func drain() {
    let readings = resting.withLock { resting in
      defer { resting = [] }
      return resting
    }
    for reading in readings { unsafe mdb_txn_abort(reading.pointer) }
  }

  /// A snapshot could not be begun; `MDB_MAP_RESIZED` is cured by taking the new size.
  struct Unavailable: Error {
    let code: Int32
    var error: StorageError { StorageError(code: code, call: "mdb_txn_begin") }
  }
}
