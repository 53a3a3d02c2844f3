import CLMDB
import KeyValue
import Synchronization

/// The engine contract over LMDB.
///
/// One thread writes; reads run on the thread that asks. Two processes may open one folder.
package final class LMDBEngine: Engine {
  private let environment: Environment
  private let readers = ReaderPool()
  private let writer: Writer
  private let isClosed = Atomic(false)

  /// Opens the store in `folder`, making the folder and what is in it where they are missing.
  ///
  /// - Parameters:
  ///   - tables: all tables of the store.
  ///   - format: the number of the layout in the tables.
  /// - Throws: `StorageError.unknownFormat` if the store was written in another format,
  ///   `StorageError.system` if it can't be opened or this process has it open already.
  package init(
    at folder: String, tables: [Table], format: UInt32, options: LMDBOptions = LMDBOptions()
  ) throws {
    environment = try Environment(
      folder: folder, tables: tables, format: format, options: options)
    writer = Writer(
      environment, readers, Reserve(folder: folder, byteCount: options.reserveByteCount))
    try writer.start()
  }

  deinit { close() }

  package func read<Result>(_ body: (borrowing Snapshot) throws -> Result) throws -> Result {
    do {
      return try snapshot(body)
    } catch let unavailable as ReaderPool.Unavailable {
      guard unavailable.code == MDB_MAP_RESIZED else { throw unavailable.error }
      try environment.mapLock.withWriteLock {
        readers.drain()
        try environment.adoptMapSize()
      }
      do {
        return try snapshot(body)
      } catch let unavailable as ReaderPool.Unavailable {
        throw unavailable.error
      }
    }
  }

  private func snapshot<Result>(
    _ body: (borrowing Snapshot) throws -> Result
  ) throws -> Result {
    try environment.mapLock.withReadLock {
      guard !isClosed.load(ordering: .acquiring) else { throw StorageError.closed }
      return try unsafe readers.withTransaction(of: environment) { pointer in
        try unsafe body(Snapshot(LMDBTransaction(pointer, in: environment)))
      }
    }
  }

  package func submit(_ change: Change) { writer.submit(change) }

  package func backup(to path: String) throws {
    try environment.mapLock.withReadLock {
      guard !isClosed.load(ordering: .acquiring) else { throw StorageError.closed }
      try Backup.write(environment, to: path)
    }
  }

  package func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    writer.stop()
    environment.mapLock.withWriteLock { readers.drain() }
  }
}
