import CLMDB
import KeyValue

/// What the transactions of one group have in common.
final class WriteGroup {
  /// How often the group has written; a nested transaction that is undone takes its count back.
  var writeCount = 0
  /// Whether a nested transaction is one of LMDB's. It copies every page that it touches, so it is
  /// first left out, in the hope that nothing has to be undone.
  let nests: Bool
  /// A nested transaction that was left out would have had to be undone: the group must be run again
  /// with them.
  private(set) var needsNesting = false
  /// The bytes of keys and values written, whether they stay or not.
  var byteCount = 0
  /// The first failure of LMDB: the group can't be committed after it (lmdb.h, `MDB_BAD_TXN`), even
  /// if whoever met it goes on.
  private(set) var failure: StorageError?

  init(nests: Bool) { self.nests = nests }

  /// Runs the body of a nested transaction without one.
  ///
  /// - Throws: what `body` throws, if it has written nothing; else `NeedsNesting`.
  func flat(_ body: () throws -> Void) throws {
    let before = writeCount
    do {
      try body()
    } catch {
      if let failure { throw failure }
      guard writeCount != before else { throw error }
      needsNesting = true
      throw NeedsNesting()
    }
    if let failure { throw failure }
  }

  func check(_ code: Int32, _ call: @autoclosure () -> String) throws(StorageError) {
    guard code != MDB_SUCCESS else { return }
    let error = StorageError(code: code, call: call())
    if failure == nil { failure = error }
    throw error
  }
}

/// A change threw after it had written, so the group must be run again with each in a transaction of
/// its own.
struct NeedsNesting: Error {}

/// An LMDB transaction, reading or writing, as the contract's backend.
@safe final class LMDBTransaction: ReadingBackend, WritingBackend {
  private let pointer: OpaquePointer
  /// Held so that the map stays open while the transaction lives.
  private let environment: Environment
  private let group: WriteGroup?

  init(_ pointer: OpaquePointer, in environment: Environment, _ group: WriteGroup? = nil) {
    unsafe self.pointer = pointer
    self.environment = environment
    self.group = group
  }

  var reading: any ReadingBackend { self }

  var commit: Commit { unsafe Commit(UInt64(mdb_txn_id(pointer))) }

  func withValue(at key: Key, in table: Table, _ body: (Span<UInt8>) throws -> Void) throws {
    try unsafe find(key, in: table) { try unsafe $0.withSpan(body) }
  }

  func value(at key: Key, in table: Table) throws -> [UInt8]? {
    var copy: [UInt8]?
    try unsafe find(key, in: table) { unsafe copy = $0.copy() }
    return copy
  }

  func withValue(
    of number: UInt64, in table: Table, _ body: (Span<UInt8>) throws -> Void
  ) throws -> Bool {
    precondition(table.kind == .numbered, "\(table.name) is no numbered table")
    let handle = environment.handle(of: table)
    return try unsafe number.withValue { key in
      var value = unsafe MDB_val()
      let code = unsafe mdb_get(pointer, handle, &key, &value)
      guard code != MDB_NOTFOUND else { return false }
      try StorageError.check(code, "mdb_get \(table.name)")
      try unsafe value.withSpan(body)
      return true
    }
  }

  private func find(_ key: Key, in table: Table, _ body: (MDB_val) throws -> Void) throws {
    let handle = environment.handle(of: table)
    try unsafe key.withValue(table.kind) { key in
      var value = unsafe MDB_val()
      let code = unsafe mdb_get(pointer, handle, &key, &value)
      guard code != MDB_NOTFOUND else { return }
      try StorageError.check(code, "mdb_get \(table.name)")
      try unsafe body(value)
    }
  }

  func put(_ value: Span<UInt8>, at key: Key, in table: Table) throws {
    try unsafe change(table, key) { handle, key, group in
      try unsafe value.withValue { value in
        let code = unsafe mdb_put(pointer, handle, &key, &value, 0)
        try group.check(code, "mdb_put \(table.name)")
        group.byteCount += unsafe value.mv_size
        return true
      }
    }
  }

  /// With `MDB_APPEND` LMDB leaves the page before full instead of splitting it in half; a key that
  /// isn't the last after all is refused with `MDB_KEYEXIST` and put like any other.
  func append(_ value: Span<UInt8>, at key: Key, in table: Table) throws {
    try unsafe change(table, key) { handle, key, group in
      try unsafe value.withValue { value in
        var code = unsafe mdb_put(pointer, handle, &key, &value, UInt32(MDB_APPEND))
        if code == MDB_KEYEXIST { code = unsafe mdb_put(pointer, handle, &key, &value, 0) }
        try group.check(code, "mdb_put \(table.name)")
        group.byteCount += unsafe value.mv_size
        return true
      }
    }
  }

  func removeValue(at key: Key, in table: Table) throws -> Bool {
    try unsafe change(table, key) { handle, key, group in
      let code = unsafe mdb_del(pointer, handle, &key, nil)
      guard code != MDB_NOTFOUND else { return false }
      try group.check(code, "mdb_del \(table.name)")
      return true
    }
  }

  func insert(_ number: UInt64, at key: Key, in table: Table) throws -> Bool {
    try unsafe change(table, key) { handle, key, group in
      try unsafe number.withValue { value in
        let code = unsafe mdb_put(pointer, handle, &key, &value, UInt32(MDB_NODUPDATA))
        guard code != MDB_KEYEXIST else { return false }
        try group.check(code, "mdb_put \(table.name)")
        return true
      }
    }
  }

  func remove(_ number: UInt64, at key: Key, in table: Table) throws -> Bool {
    try unsafe change(table, key) { handle, key, group in
      try unsafe number.withValue { value in
        let code = unsafe mdb_del(pointer, handle, &key, &value)
        guard code != MDB_NOTFOUND else { return false }
        try group.check(code, "mdb_del \(table.name)")
        return true
      }
    }
  }

  /// Counts what `body` writes.
  @discardableResult
  private func change(
    _ table: Table, _ key: Key, _ body: (MDB_dbi, inout MDB_val, WriteGroup) throws -> Bool
  ) throws -> Bool {
    guard let group else { preconditionFailure("a snapshot is not written to") }
    let handle = environment.handle(of: table)
    return try unsafe key.withValue(table.kind) { value in
      guard try unsafe body(handle, &value, group) else { return false }
      group.writeCount += 1
      group.byteCount += key.bytes.count
      return true
    }
  }

  func nested(_ body: (any WritingBackend) throws -> Void) throws {
    guard let group else { preconditionFailure("a snapshot is not written to") }
    guard group.nests else { return try group.flat { try body(self) } }
    let before = group.writeCount
    var begun: OpaquePointer?
    try unsafe group.check(
      mdb_txn_begin(environmentPointer, pointer, 0, &begun), "mdb_txn_begin")
    guard let child = unsafe begun else {
      preconditionFailure("mdb_txn_begin succeeds with a transaction")
    }
    do {
      try unsafe body(LMDBTransaction(child, in: environment, group))
      if let failure = group.failure { throw failure }
    } catch {
      unsafe mdb_txn_abort(child)
      group.writeCount = before
      throw error
    }
    try unsafe group.check(mdb_txn_commit(child), "mdb_txn_commit")
  }

  private var environmentPointer: OpaquePointer { unsafe mdb_txn_env(pointer) }

  /// Lends a cursor, closed afterwards.
  func withCursor<Result>(on table: Table, _ body: (LMDBCursor) throws -> Result) throws -> Result {
    var opened: OpaquePointer?
    let code = unsafe mdb_cursor_open(pointer, environment.handle(of: table), &opened)
    try StorageError.check(code, "mdb_cursor_open \(table.name)")
    guard let cursor = unsafe opened else {
      preconditionFailure("mdb_cursor_open succeeds with a cursor")
    }
    defer { unsafe mdb_cursor_close(cursor) }
    return try unsafe body(LMDBCursor(cursor, table.kind))
  }
}
