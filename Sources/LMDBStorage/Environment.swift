import CLMDB
import KeyValue
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An open LMDB environment with the handles of its tables.
///
/// Sendable although its pointers are not: LMDB allows an environment and its handles on any thread
/// (lmdb.h, mdb_env_create: "may be used concurrently"), and resizing the map, which it does not, is
/// done under `mapLock`.
@safe final class Environment: @unchecked Sendable {
  let pointer: OpaquePointer
  let options: LMDBOptions
  private let identity: FileIdentity
  private let handles: [MDB_dbi]
  /// Read-locked while a transaction is open, write-locked while the map is resized.
  let mapLock = ReadWriteLock()

  init(folder: String, tables: [Table], format: UInt32, options: LMDBOptions) throws {
    self.options = options
    try Self.makeFolder(folder)
    identity = try FileIdentity(of: folder)
    try OpenEnvironments.register(identity, folder)
    do {
      unsafe pointer = try Self.open(folder, tableCount: tables.count + 1, options)
    } catch {
      OpenEnvironments.unregister(identity)
      throw error
    }
    do {
      handles = unsafe try Self.handles(of: tables, format: format, in: pointer)
    } catch {
      unsafe mdb_env_close(pointer)
      OpenEnvironments.unregister(identity)
      throw error
    }
  }

  deinit {
    unsafe mdb_env_close(pointer)
    OpenEnvironments.unregister(identity)
  }

  func handle(of table: Table) -> MDB_dbi {
    precondition(
      table.position < handles.count && handles[table.position] != 0,
      "table \(table.name) was not given to the engine")
    return handles[table.position]
  }

  /// Takes the size that another process gave the map. No transaction may be open here.
  func adoptMapSize() throws {
    try unsafe StorageError.check(mdb_env_set_mapsize(pointer, 0), "mdb_env_set_mapsize")
  }

  /// Doubles the map up to its maximum; `false` if it has that size already. No transaction may be
  /// open here.
  func growMap() throws -> Bool {
    var info = unsafe MDB_envinfo()
    try unsafe StorageError.check(mdb_env_info(pointer, &info), "mdb_env_info")
    let current = unsafe info.me_mapsize
    let wanted = min(current * 2, options.mapByteCountMaximum)
    guard wanted > current else { return false }
    try unsafe StorageError.check(mdb_env_set_mapsize(pointer, wanted), "mdb_env_set_mapsize")
    return true
  }

  /// The bytes of the file that hold pages in use or free, and the size of the map.
  func sizes() throws -> (used: Int, map: Int) {
    var info = unsafe MDB_envinfo()
    var stat = MDB_stat()
    try unsafe StorageError.check(mdb_env_info(pointer, &info), "mdb_env_info")
    try unsafe StorageError.check(mdb_env_stat(pointer, &stat), "mdb_env_stat")
    return unsafe ((info.me_last_pgno + 1) * Int(stat.ms_psize), info.me_mapsize)
  }

  private static func makeFolder(_ folder: String) throws {
    guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw StorageError.system("mkdir \(folder)")
    }
  }

  private static func open(
    _ folder: String, tableCount: Int, _ options: LMDBOptions
  ) throws -> OpaquePointer {
    var created: OpaquePointer?
    try unsafe StorageError.check(mdb_env_create(&created), "mdb_env_create")
    guard let pointer = unsafe created else {
      throw StorageError(code: ENOMEM, call: "mdb_env_create")
    }
    do {
      try unsafe StorageError.check(
        mdb_env_set_maxdbs(pointer, MDB_dbi(tableCount)), "mdb_env_set_maxdbs")
      try unsafe StorageError.check(mdb_env_set_maxreaders(pointer, 1024), "mdb_env_set_maxreaders")
      try unsafe StorageError.check(
        mdb_env_set_mapsize(pointer, options.mapByteCount), "mdb_env_set_mapsize")
      // Read transactions belong to the pool, not to the thread that began them.
      var flags = UInt32(MDB_NOTLS)
      if !options.flushes { flags |= UInt32(MDB_NOSYNC) }
      try unsafe StorageError.check(
        mdb_env_open(pointer, folder, flags, 0o600), "mdb_env_open \(folder)")
      var dead: Int32 = 0
      try unsafe StorageError.check(mdb_reader_check(pointer, &dead), "mdb_reader_check")
      return unsafe pointer
    } catch {
      unsafe mdb_env_close(pointer)
      throw error
    }
  }

  /// Opens the tables, making those that are missing, and checks the format they were written in.
  private static func handles(
    of tables: [Table], format: UInt32, in environment: OpaquePointer
  ) throws -> [MDB_dbi] {
    var begun: OpaquePointer?
    try unsafe StorageError.check(mdb_txn_begin(environment, nil, 0, &begun), "mdb_txn_begin")
    guard let transaction = unsafe begun else {
      throw StorageError(code: ENOMEM, call: "mdb_txn_begin")
    }
    var handles = [MDB_dbi](repeating: 0, count: (tables.map(\.position).max() ?? -1) + 1)
    do {
      for table in tables {
        precondition(handles[table.position] == 0, "two tables have position \(table.position)")
        var flags = UInt32(MDB_CREATE)
        if table.kind == .postings { flags |= UInt32(MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP) }
        let code = unsafe mdb_dbi_open(transaction, table.name, flags, &handles[table.position])
        try StorageError.check(code, "mdb_dbi_open \(table.name)")
      }
      unsafe try checkFormat(format, in: transaction)
    } catch {
      unsafe mdb_txn_abort(transaction)
      throw error
    }
    try unsafe StorageError.check(mdb_txn_commit(transaction), "mdb_txn_commit")
    return handles
  }

  private static func checkFormat(_ format: UInt32, in transaction: OpaquePointer) throws {
    var handle: MDB_dbi = 0
    try unsafe StorageError.check(
      mdb_dbi_open(transaction, "format", UInt32(MDB_CREATE), &handle), "mdb_dbi_open format")
    let expected = Key().appending(format)
    try unsafe Key(Array("format".utf8)).withValue { key in
      var found = unsafe MDB_val()
      let code = unsafe mdb_get(transaction, handle, &key, &found)
      if code == MDB_NOTFOUND {
        try unsafe expected.withValue { value in
          try unsafe StorageError.check(
            mdb_put(transaction, handle, &key, &value, 0), "mdb_put format")
        }
        return
      }
      try StorageError.check(code, "mdb_get format")
      let stored = unsafe found.withSpan { Key($0) }
      guard stored == expected else {
        let number = stored.bytes.reduce(0) { $0 << 8 | Int($1) }
        throw StorageError.unknownFormat(
          "the store has format \(number), this program writes \(format)")
      }
    }
  }
}
