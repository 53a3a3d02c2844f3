import CLMDB
import CSystem
import KeyValue

/// A place in a table, moved by LMDB's cursor operations.
@safe struct LMDBCursor {
  private let pointer: OpaquePointer
  private let kind: Table.Kind

  init(_ pointer: OpaquePointer, _ kind: Table.Kind) {
    unsafe self.pointer = pointer
    self.kind = kind
  }

  /// An entry under the cursor: what LMDB points at, valid until it moves.
  @safe struct Entry {
    fileprivate var key = unsafe MDB_val()
    fileprivate(set) var value = unsafe MDB_val()
    private let kind: Table.Kind

    fileprivate init(_ kind: Table.Kind) { self.kind = kind }

    /// Lends the bytes of the key, as the contract has them.
    func withKey<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
      guard case .numbered = kind else { return try unsafe key.withSpan(body) }
      return try unsafe key.number.bigEndian.withValue { try unsafe $0.withSpan(body) }
    }

    /// Whether it comes before `key`.
    func isBefore(_ key: Key) -> Bool {
      withKey { span in
        let common = min(span.count, key.bytes.count)
        let order = unsafe span.withUnsafeBytes { mine in
          unsafe key.bytes.withUnsafeBytes { other in
            guard let mine = mine.baseAddress, let other = other.baseAddress else { return 0 }
            return Int(unsafe memcmp(mine, other, common))
          }
        }
        return order == 0 ? span.count < key.bytes.count : order < 0
      }
    }
  }

  /// Moves and returns the entry there; `nil` at the end.
  func move(_ operation: MDB_cursor_op) throws -> Entry? {
    var entry = Entry(kind)
    return try unsafe move(operation, &entry.key, &entry.value) ? entry : nil
  }

  /// Moves to a key by `MDB_SET`, `MDB_SET_KEY` or `MDB_SET_RANGE`.
  func move(_ operation: MDB_cursor_op, _ key: Key) throws -> Entry? {
    try unsafe key.withValue(kind) { wanted in
      var entry = Entry(kind)
      unsafe entry.key = wanted
      return try unsafe move(operation, &entry.key, &entry.value) ? entry : nil
    }
  }

  /// Moves to a key with a number by `MDB_GET_BOTH` or `MDB_GET_BOTH_RANGE`.
  func move(_ operation: MDB_cursor_op, _ key: Key, _ number: UInt64) throws -> Entry? {
    try unsafe number.withValue { wanted in
      try unsafe key.withValue(kind) { key in
        var entry = Entry(kind)
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
