import CSQLite

/// One row of a query, valid while the closure runs that it was handed to.
@safe package struct SQLiteRow: ~Copyable {
  let statement: OpaquePointer

  /// The whole number in a column; `nil` if it is null, no number or no whole one.
  package func integer(_ column: Int) -> Int64? {
    switch unsafe sqlite3_column_type(statement, Int32(column)) {
    case SQLITE_INTEGER: unsafe sqlite3_column_int64(statement, Int32(column))
    case SQLITE_FLOAT: Int64(exactly: unsafe sqlite3_column_double(statement, Int32(column)))
    case SQLITE_TEXT: text(column).flatMap { Int64($0) }
    default: nil
    }
  }

  /// The number in a column; `nil` if it is null or no number.
  package func number(_ column: Int) -> Double? {
    switch unsafe sqlite3_column_type(statement, Int32(column)) {
    case SQLITE_INTEGER, SQLITE_FLOAT: unsafe sqlite3_column_double(statement, Int32(column))
    case SQLITE_TEXT: text(column).flatMap { Double($0) }
    default: nil
    }
  }

  /// The text in a column, with invalid UTF-8 replaced; `nil` if it is null or a blob.
  package func text(_ column: Int) -> String? {
    guard unsafe sqlite3_column_type(statement, Int32(column)) == SQLITE_TEXT,
      let start = unsafe sqlite3_column_text(statement, Int32(column))
    else { return nil }
    let count = Int(unsafe sqlite3_column_bytes(statement, Int32(column)))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
