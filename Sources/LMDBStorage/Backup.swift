import CLMDB
import KeyValue

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Environment {
  /// Copies the last commit, compacted, to one file, while the store is in use.
  ///
  /// - Throws: `StorageError.system` if `path` exists or can't be written; then no file is left.
  func backup(to path: String) throws {
    let unfinished = "\(path).unfinished-\(getpid())"
    let descriptor = unsafe open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StorageError.system("open \(path)") }
    defer {
      _ = closeDescriptor(descriptor)
      unsafe unlink(unfinished)
    }
    try unsafe pass { environment in
      try unsafe StorageError.check(
        mdb_env_copyfd2(environment, descriptor, UInt32(MDB_CP_COMPACT)), "mdb_env_copyfd2")
    }
    guard fsync(descriptor) == 0 else { throw StorageError.system("fsync \(path)") }
    try Files.publish(unfinished, as: path)
  }
}

/// `close(2)`, whose name the environment has for itself.
private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
