import CLMDB
import KeyValue

extension Key {
  /// Lends the key as LMDB takes it in a table of this kind.
  ///
  /// - Throws: `StorageError.keyByteCount` for a length that LMDB refuses (`MDB_BAD_VALSIZE`).
  func withValue<Result>(
    _ kind: Table.Kind, _ body: (inout MDB_val) throws -> Result
  ) throws -> Result {
    try checkByteCount(kind)
    guard case .numbered = kind else {
      return try unsafe bytes.withUnsafeBytes { unsafe try $0.withValue(body) }
    }
    return try unsafe bytes.reduce(0) { $0 << 8 | UInt64($1) }.withValue(body)
  }
}

extension UInt64 {
  /// Lends the number as LMDB takes it in an `MDB_INTEGERKEY` or `MDB_INTEGERDUP` table: in the
  /// machine's byte order.
  func withValue<Result>(_ body: (inout MDB_val) throws -> Result) rethrows -> Result {
    var number = self
    return try unsafe withUnsafeMutableBytes(of: &number) { bytes in
      var value = unsafe MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
      return try unsafe body(&value)
    }
  }
}

extension Span<UInt8> {
  func withValue<Result>(_ body: (inout MDB_val) throws -> Result) throws -> Result {
    try unsafe withUnsafeBytes { unsafe try $0.withValue(body) }
  }
}

extension UnsafeRawBufferPointer {
  /// LMDB takes keys and values by `MDB_val`, which is not `const`, but doesn't write through it
  /// (lmdb.h, mdb_put: only `MDB_RESERVE` hands memory back).
  fileprivate func withValue<Result>(_ body: (inout MDB_val) throws -> Result) throws -> Result {
    var value = unsafe MDB_val(
      mv_size: count, mv_data: UnsafeMutableRawPointer(mutating: baseAddress))
    return try unsafe body(&value)
  }
}

extension MDB_val {
  /// The bytes that LMDB points at. They are valid until the transaction ends or writes
  /// (lmdb.h, mdb_get), so the closure is as far as they go.
  func withSpan<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    let bytes = unsafe UnsafeRawBufferPointer(start: mv_data, count: mv_size)
    return try unsafe body(Span(_unsafeBytes: bytes))
  }

  func copy() -> [UInt8] {
    unsafe [UInt8](UnsafeRawBufferPointer(start: mv_data, count: mv_size))
  }

  /// The numbers of a page of an `MDB_DUPFIXED` table. Small sets stand unaligned inside their
  /// node and are copied first.
  func withNumbers<Result>(_ body: (Span<UInt64>) throws -> Result) rethrows -> Result {
    let bytes = unsafe UnsafeRawBufferPointer(start: mv_data, count: mv_size)
    if unsafe UInt(bitPattern: mv_data).isMultiple(of: 8) {
      return try unsafe body(Span(_unsafeBytes: bytes))
    }
    let copied = unsafe (0..<mv_size / 8).map {
      unsafe bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)
    }
    return try body(copied.span)
  }

  var number: UInt64 {
    unsafe UnsafeRawBufferPointer(start: mv_data, count: mv_size).loadUnaligned(as: UInt64.self)
  }
}
