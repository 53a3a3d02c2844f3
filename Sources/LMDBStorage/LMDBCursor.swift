import CLMDB
import KeyValue

/// A place in a table, moved by LMDB's cursor operations.
@safe struct LMDBCursor {
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

  /// An entry under the cursor: what LMDB points at, valid until it moves.
  @safe struct Entry {
    var key = unsafe MDB_val()
    var value = unsafe MDB_val()
  }

  /// Moves and returns the entry there; `nil` at the end.
  func move(_ operation: MDB_cursor_op) throws -> Entry? {
    var entry = Entry()
    return try unsafe move(operation, &entry.key, &entry.value) ? entry : nil
  }

  /// Moves to a key by `MDB_SET`, `MDB_SET_KEY` or `MDB_SET_RANGE`.
  func move(_ operation: MDB_cursor_op, _ key: Key) throws -> Entry? {
    try unsafe key.withValue { wanted in
      var entry = Entry()
      unsafe entry.key = wanted
      return try unsafe move(operation, &entry.key, &entry.value) ? entry : nil
    }
  }

  /// Moves to a key with a number by `MDB_GET_BOTH` or `MDB_GET_BOTH_RANGE`.
  func move(_ operation: MDB_cursor_op, _ key: Key, _ number: UInt64) throws -> Entry? {
    var number = number
    return try unsafe withUnsafeMutableBytes(of: &number) { bytes in
      let wanted = unsafe MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
      return try unsafe key.withValue { key in
        var entry = Entry()
        unsafe entry.key = key
        unsafe entry.value = wanted
        guard try unsafe move(operation, &entry.key, &entry.value) else { return nil }
        return entry
      }
    }
  }

  /// How many numbers the key under the cursor has.
  func count() throws -> Int {
    var count = 0
    let code = unsafe mdb_cursor_count(pointer, &count)
    try StorageError.check(code, "mdb_cursor_count")
    return count
  }

  private func move(
    _ operation: MDB_cursor_op, _ key: inout MDB_val, _ value: inout MDB_val
  ) throws(StorageError) -> Bool {
    let code = unsafe mdb_cursor_get(pointer, &key, &value, operation)
    if code == MDB_NOTFOUND { return false }
    try StorageError.check(code, "mdb_cursor_get")
    return true
  }
}
