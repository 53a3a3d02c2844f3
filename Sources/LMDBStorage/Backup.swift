import CLMDB
import KeyValue

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A compacted copy of the last commit in one file, made while the store is in use.
enum Backup {
  /// - Throws: `StorageError.system` if `path` exists or can't be written; then no file is left.
  static func write(_ environment: Environment, to path: String) throws {
    let unfinished = path + ".unfinished"
    let descriptor = unsafe open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StorageError.system("open \(unfinished)") }
    defer {
      close(descriptor)
      _ = unsafe unlink(unfinished)
    }
    let code = unsafe mdb_env_copyfd2(environment.pointer, descriptor, UInt32(MDB_CP_COMPACT))
    try StorageError.check(code, "mdb_env_copyfd2")
    guard fsync(descriptor) == 0 else { throw StorageError.system("fsync \(unfinished)") }
    // link(2) refuses to replace a file that exists, which rename(2) would do.
    let linked = unsafe link(unfinished, path)
    guard linked == 0 else { throw StorageError.system("link \(path)") }
  }
}
