import CSQLite

/// A SQLite database that another program wrote, opened to be read and never changed.
///
/// Nothing that stands in the file is trusted: only its tables are read, no view, no virtual table and
/// no function with effects is run, and no value or row longer than `valueByteCountMaximum` is loaded.
/// One instance belongs to one thread at a time.
@safe package final class SQLiteFile {
  private let database: OpaquePointer

  /// The longest text, blob or row that is read, in bytes.
  package static let valueByteCountMaximum = 64 << 20

  /// Opens the database at `path`. The file may be removed or replaced afterwards, but must not be
  /// changed while it is open. A write-ahead log beside it is not read.
  ///
  /// - Throws: `SQLiteFileError` if the file can't be opened or is no database.
  package init(path: String) throws {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
    // "immutable" takes no locks and leaves no files beside the database (sqlite.org/uri.html).
    let code = unsafe sqlite3_open_v2(Self.address(of: path), &opened, flags, nil)
    guard code == SQLITE_OK, let database = unsafe opened else {
      unsafe sqlite3_close_v2(opened)
      throw SQLiteFileError.unopened(path: path, reason: Self.text(of: code))
    }
    unsafe self.database = database
    unsafe sqlite3_limit(database, SQLITE_LIMIT_LENGTH, Int32(Self.valueByteCountMaximum))
    for setting in ["trusted_schema = 0", "query_only = 1", "cell_size_check = 1", "mmap_size = 0"]
    {
      try run("PRAGMA \(setting)")
    }
    // The header is read with the first table, so a file of another kind is told from a database here.
    try run("SELECT count(*) FROM sqlite_master")
  }

  deinit { unsafe sqlite3_close_v2(database) }

  /// The number under which the writing program keeps the version of its tables.
  package func userVersion() throws -> Int64 {
    var version: Int64 = 0
    try forEachRow("PRAGMA user_version") { version = $0.integer(0) ?? 0 }
    return version
  }

  /// The names of the tables that hold rows: no views and no virtual tables.
  package func tableNames() throws -> [String] {
    var names: [String] = []
    try forEachRow("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0") {
      if let name = $0.text(0) { names.append(name) }
    }
    return names
  }

  /// The names of a table's columns, in their order.
  package func columnNames(of table: String) throws -> [String] {
    var names: [String] = []
    try forEachRow("PRAGMA table_xinfo(\(Self.quoted(table)))") {
      if let name = $0.text(1) { names.append(name) }
    }
    return names
  }

  /// Calls `body` with each row of a query, in bounded memory.
  ///
  /// - Throws: what `body` throws, and `SQLiteFileError`: `.damaged` where the file can't be read any
  ///   further, after the rows before that place.
  package func forEachRow(
    _ query: String, _ body: (borrowing SQLiteRow) throws -> Void
  ) throws {
    var prepared: OpaquePointer?
    try check(unsafe sqlite3_prepare_v2(database, query, -1, &prepared, nil))
    guard let statement = unsafe prepared else { return }
    defer { unsafe sqlite3_finalize(statement) }
    while true {
      let code = unsafe sqlite3_step(statement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw error(code) }
      try body(unsafe SQLiteRow(statement: statement))
    }
  }

  /// A name as it stands in a query, whatever characters it has.
  package static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  private func run(_ query: String) throws { try forEachRow(query) { _ in } }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw error(code) }
  }

  private func error(_ code: Int32) -> SQLiteFileError {
    let reason = unsafe String(cString: sqlite3_errmsg(database))
    switch code & 0xff {
    case SQLITE_NOTADB: return .notADatabase
    case SQLITE_CORRUPT, SQLITE_IOERR, SQLITE_TOOBIG: return .damaged(reason: reason)
    default: return .failed(reason: reason)
    }
  }

  private static func text(of code: Int32) -> String {
    unsafe String(cString: sqlite3_errstr(code))
  }

  /// The path as an address: every byte that is not plain is escaped, so that no name can add options.
  private static func address(of path: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes = Array((path.hasPrefix("/") ? "file://" : "file:").utf8)
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self) + "?immutable=1"
  }
}
