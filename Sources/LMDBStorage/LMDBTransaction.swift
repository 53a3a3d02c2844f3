import CLMDB
import KeyValue

/// An LMDB transaction, reading or writing, as the contract's backend.
@safe final class LMDBTransaction: WritingBackend {
  private let pointer: OpaquePointer
  /// Held so that the map stays open while the transaction lives.
  private let environment: Environment
  private let group: Commit?

  /// - Parameter group: the commit that a write transaction will become.
  init(_ pointer: OpaquePointer, in environment: Environment, group: Commit? = nil) {
    unsafe self.pointer = pointer
    self.environment = environment
    self.group = group
  }

  var commit: Commit { group ?? (unsafe Commit(UInt64(mdb_txn_id(pointer)))) }

  func withValue(at key: Key, in table: Table, _ body: (Span<UInt8>) throws -> Void) throws {
    let handle = environment.handle(of: table)
    try unsafe key.withValue { key in
      var value = unsafe MDB_val()
      let code = unsafe mdb_get(pointer, handle, &key, &value)
      guard code != MDB_NOTFOUND else { return }
      try StorageError.check(code, "mdb_get")
      try unsafe value.withSpan(body)
    }
  }

  func put(_ value: Span<UInt8>, at key: Key, in table: Table) throws {
    try put(value, at: key, in: table, flags: 0)
  }

  /// With `MDB_APPEND` LMDB leaves the page before full instead of splitting it in half; a key that
  /// isn't the last after all is refused with `MDB_KEYEXIST` and put like any other.
  func append(_ value: Span<UInt8>, at key: Key, in table: Table) throws {
    do {
      try put(value, at: key, in: table, flags: UInt32(MDB_APPEND))
    } catch StorageError.system(_, MDB_KEYEXIST, _) {
      try put(value, at: key, in: table, flags: 0)
    }
  }

  private func put(_ value: Span<UInt8>, at key: Key, in table: Table, flags: UInt32) throws {
    let handle = environment.handle(of: table)
    try unsafe key.withValue { key in
      try unsafe value.withValue { value in
        let code = unsafe mdb_put(pointer, handle, &key, &value, flags)
        try StorageError.check(code, "mdb_put \(table.name)")
      }
    }
  }

  func removeValue(at key: Key, in table: Table) throws -> Bool {
    let handle = environment.handle(of: table)
    return try unsafe key.withValue { key in
      let code = unsafe mdb_del(pointer, handle, &key, nil)
      guard code != MDB_NOTFOUND else { return false }
      try StorageError.check(code, "mdb_del \(table.name)")
      return true
    }
  }

  func insert(_ number: UInt64, at key: Key, in table: Table) throws -> Bool {
    let handle = environment.handle(of: table)
    return try unsafe key.withValue { key in
      try unsafe number.withValue { value in
        let code = unsafe mdb_put(pointer, handle, &key, &value, UInt32(MDB_NODUPDATA))
        guard code != MDB_KEYEXIST else { return false }
        try StorageError.check(code, "mdb_put \(table.name)")
        return true
      }
    }
  }

  func remove(_ number: UInt64, at key: Key, in table: Table) throws -> Bool {
    let handle = environment.handle(of: table)
    return try unsafe key.withValue { key in
      try unsafe number.withValue { value in
        let code = unsafe mdb_del(pointer, handle, &key, &value)
        guard code != MDB_NOTFOUND else { return false }
        try StorageError.check(code, "mdb_del \(table.name)")
        return true
      }
    }
  }

  func nested(_ body: (any WritingBackend) throws -> Void) throws {
    var begun: OpaquePointer?
    let code = unsafe mdb_txn_begin(environment.pointer, pointer, 0, &begun)
    try StorageError.check(code, "mdb_txn_begin")
    guard let child = unsafe begun else {
      preconditionFailure("mdb_txn_begin succeeds with a transaction")
    }
    do {
      try unsafe body(LMDBTransaction(child, in: environment, group: group))
    } catch {
      unsafe mdb_txn_abort(child)
      throw error
    }
    let committed = unsafe mdb_txn_commit(child)
    try StorageError.check(committed, "mdb_txn_commit")
  }

  /// Lends a cursor, closed afterwards.
  func withCursor<Result>(on table: Table, _ body: (LMDBCursor) throws -> Result) throws -> Result {
    var opened: OpaquePointer?
    let code = unsafe mdb_cursor_open(pointer, environment.handle(of: table), &opened)
    try StorageError.check(code, "mdb_cursor_open \(table.name)")
    guard let cursor = unsafe opened else {
      preconditionFailure("mdb_cursor_open succeeds with a cursor")
    }
    defer { unsafe mdb_cursor_close(cursor) }
    return try unsafe body(LMDBCursor(cursor))
  }
}

extension UInt64 {
  /// Lends the number as LMDB takes it in an `MDB_INTEGERDUP` table: in the machine's byte order.
  fileprivate func withValue<Result>(_ body: (inout MDB_val) throws -> Result) throws -> Result {
    var number = self
    return try unsafe withUnsafeMutableBytes(of: &number) { bytes in
      var value = unsafe MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
      return try unsafe body(&value)
    }
  }
}
