import CLMDB
import KeyValue

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An open LMDB environment with the handles of its tables.
///
/// Sendable although its pointers are not: LMDB allows an environment and its handles on any thread
/// (lmdb.h, mdb_env_create: "may be used concurrently"). Resizing the map and closing, which it does
/// not, happen alone behind the gate, and nothing touches `pointer` outside it.
@safe final class Environment: @unchecked Sendable {
  let options: LMDBOptions
  let folder: StoreFolder
  private let identity: FileIdentity
  private let handles: TableHandles
  private let gate = Gate()
  private let pool = ReaderPool()
  private var pointer: OpaquePointer?

  init(folder path: String, tables: [Table], format: UInt32, options: LMDBOptions) throws {
    self.options = options
    folder = StoreFolder(path: path)
    try folder.prepare(format: format)
    identity = try FileIdentity(of: folder.dataFile)
    try OpenEnvironments.register(identity, path)
    do {
      let opened = try unsafe Self.open(path, tableCount: tables.count + 1, options)
      do {
        handles = try unsafe TableHandles(of: tables, format: format, in: opened)
      } catch {
        unsafe mdb_env_close(opened)
        throw error
      }
      unsafe pointer = opened
    } catch {
      OpenEnvironments.unregister(identity)
      throw error
    }
  }

  deinit { close() }

  func handle(of table: Table) -> MDB_dbi { handles[table] }

  /// Lends the environment while it is open and its map stays where it is.
  ///
  /// - Throws: `StorageError.closed`, and what `body` throws.
  func pass<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
    try gate.pass {
      guard let pointer = unsafe pointer else { throw StorageError.closed }
      return try unsafe body(pointer)
    }
  }

  /// A snapshot whose holder waits for a write must not keep the writer waiting for ever.
  private static let patienceSeconds = 10

  /// Lends the environment when no transaction is open in this process.
  ///
  /// - Throws: `StorageError.closed`, `StorageError.system` if snapshots stay open for too long, and
  ///   what `body` throws.
  func alone<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
    try gate.alone(seconds: Self.patienceSeconds) {
      guard let pointer = unsafe pointer else { throw StorageError.closed }
      pool.drain()
      return try unsafe body(pointer)
    }
  }

  /// Lends a read transaction that shows the last commit.
  func read<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
    while true {
      do {
        return try unsafe pass { environment in
          try unsafe pool.withTransaction(of: environment, body)
        }
      } catch is MapWasResized {
        try followMap()
      }
    }
  }

  /// Waits for open snapshots; does nothing when this thread holds one.
  func close() {
    try? gate.alone {
      guard let open = unsafe pointer else { return }
      pool.drain()
      unsafe mdb_env_close(open)
      unsafe pointer = nil
      OpenEnvironments.unregister(identity)
    }
  }

  /// Gives back the places of readers whose process has died.
  func clearStaleReaders() throws {
    try unsafe pass { environment in
      var dead: Int32 = 0
      try unsafe StorageError.check(mdb_reader_check(environment, &dead), "mdb_reader_check")
    }
  }

  private static func open(
    _ path: String, tableCount: Int, _ options: LMDBOptions
  ) throws -> OpaquePointer {
    let environment = try unsafe create()
    do {
      try unsafe StorageError.check(
        mdb_env_set_maxdbs(environment, MDB_dbi(tableCount)), "mdb_env_set_maxdbs")
      try unsafe StorageError.check(
        mdb_env_set_maxreaders(environment, options.readerCountMaximum), "mdb_env_set_maxreaders")
      try unsafe StorageError.check(
        mdb_env_set_mapsize(environment, min(options.mapByteCount, options.ordinaryMapByteCount)),
        "mdb_env_set_mapsize")
      // Read transactions belong to the pool, not to the thread that began them.
      var flags = UInt32(MDB_NOTLS)
      if !options.flushes { flags |= UInt32(MDB_NOSYNC) }
      try unsafe StorageError.check(
        mdb_env_open(environment, path, flags, 0o600), "mdb_env_open \(path)")
      var dead: Int32 = 0
      try unsafe StorageError.check(mdb_reader_check(environment, &dead), "mdb_reader_check")
      return unsafe environment
    } catch {
      unsafe mdb_env_close(environment)
      throw error
    }
  }

  static func create() throws -> OpaquePointer {
    var created: OpaquePointer?
    try unsafe StorageError.check(mdb_env_create(&created), "mdb_env_create")
    guard let environment = unsafe created else {
      throw StorageError(code: ENOMEM, call: "mdb_env_create")
    }
    return unsafe environment
  }
}
