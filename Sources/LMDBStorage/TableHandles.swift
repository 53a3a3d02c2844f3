import CLMDB
import KeyValue

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// LMDB's handles of the tables, by their positions.
struct TableHandles: Sendable {
  private var handles: [MDB_dbi]
  private var kinds: [Table.Kind?]

  /// Opens the tables, making those that are missing.
  ///
  /// - Throws: `StorageError.unknownFormat` if the store was written in another format or has a
  ///   table of another kind.
  init(of tables: [Table], format: UInt32, in environment: OpaquePointer) throws {
    let count = (tables.map(\.position).max() ?? -1) + 1
    handles = [MDB_dbi](repeating: 0, count: count)
    kinds = [Table.Kind?](repeating: nil, count: count)
    for table in tables {
      precondition(kinds[table.position] == nil, "two tables have position \(table.position)")
      kinds[table.position] = table.kind
    }
    // The write lock, which another process may hold, is needed only where a table is missing.
    let isComplete = try unsafe withTransaction(environment, UInt32(MDB_RDONLY)) { transaction in
      try unsafe FormatRecord.check(format, in: transaction)
      return try unsafe open(tables, in: transaction, flags: 0)
    }
    if isComplete { return }
    _ = try unsafe withTransaction(environment, 0) { transaction in
      try unsafe open(tables, in: transaction, flags: UInt32(MDB_CREATE))
    }
  }

  subscript(_ table: Table) -> MDB_dbi {
    precondition(
      table.position < kinds.count && kinds[table.position] == table.kind,
      "\(table.kind) table \(table.name) was not given to the engine")
    return handles[table.position]
  }

  /// Whether all are there.
  private mutating func open(
    _ tables: [Table], in transaction: OpaquePointer, flags: UInt32
  ) throws -> Bool {
    for table in tables {
      let code = unsafe mdb_dbi_open(
        transaction, table.name, flags | table.kind.flags, &handles[table.position])
      if code == MDB_NOTFOUND { return false }
      try StorageError.check(code, "mdb_dbi_open \(table.name)")
      var stored: UInt32 = 0
      try unsafe StorageError.check(
        mdb_dbi_flags(transaction, handles[table.position], &stored), "mdb_dbi_flags")
      guard stored == table.kind.flags else {
        throw StorageError.unknownFormat("table \(table.name) holds no \(table.kind)")
      }
    }
    return true
  }
}

extension Table.Kind {
  fileprivate var flags: UInt32 {
    switch self {
    case .values: 0
    case .numbered: UInt32(MDB_INTEGERKEY)
    case .postings: UInt32(MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP)
    }
  }
}

/// The record that says in which format the tables are written.
enum FormatRecord {
  private static let table = "format"
  private static let key = Key(Array("format".utf8))

  static func check(_ format: UInt32, in transaction: OpaquePointer) throws {
    guard let stored = try unsafe stored(in: transaction) else {
      throw StorageError.unknownFormat("data.mdb holds no store")
    }
    guard stored == Key().appending(format) else {
      let number = stored.bytes.reduce(0) { $0 << 8 | Int($1) }
      throw StorageError.unknownFormat(
        "the store has format \(number), this program writes \(format)")
    }
  }

  private static func stored(in transaction: OpaquePointer) throws -> Key? {
    var handle: MDB_dbi = 0
    let code = unsafe mdb_dbi_open(transaction, table, 0, &handle)
    if code == MDB_NOTFOUND { return nil }
    try StorageError.check(code, "mdb_dbi_open \(table)")
    return try unsafe key.withValue(.values) { key in
      var found = unsafe MDB_val()
      let code = unsafe mdb_get(transaction, handle, &key, &found)
      if code == MDB_NOTFOUND { return nil }
      try StorageError.check(code, "mdb_get \(table)")
      return unsafe found.withSpan { $0.count == 4 ? Key($0) : nil }
    }
  }

  static func write(_ format: UInt32, in transaction: OpaquePointer) throws {
    var handle: MDB_dbi = 0
    try unsafe StorageError.check(
      mdb_dbi_open(transaction, table, UInt32(MDB_CREATE), &handle), "mdb_dbi_open \(table)")
    try unsafe key.withValue(.values) { key in
      try unsafe Key().appending(format).withValue(.values) { value in
        try unsafe StorageError.check(
          mdb_put(transaction, handle, &key, &value, 0), "mdb_put \(table)")
      }
    }
  }
}

/// Begins, lends and commits a transaction on this thread.
func withTransaction<Result>(
  _ environment: OpaquePointer, _ flags: UInt32, _ body: (OpaquePointer) throws -> Result
) throws -> Result {
  var begun: OpaquePointer?
  let code = unsafe mdb_txn_begin(environment, nil, flags, &begun)
  if code == MDB_MAP_RESIZED { throw MapWasResized() }
  try StorageError.check(code, "mdb_txn_begin")
  guard let transaction = unsafe begun else {
    throw StorageError(code: ENOMEM, call: "mdb_txn_begin")
  }
  let result: Result
  do {
    result = try unsafe body(transaction)
  } catch {
    unsafe mdb_txn_abort(transaction)
    throw error
  }
  let committed = unsafe mdb_txn_commit(transaction)
  try StorageError.check(committed, "mdb_txn_commit")
  return result
}
